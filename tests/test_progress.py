"""A bar of progress is streams on terminals and in notebooks, and nowhere else unless it is asked for."""

import sys
from types import SimpleNamespace

import pytest

from polyseme import progress
from polyseme.progress import format_bar, show_progress_bar, track


def test_items_pass_unchanged(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(track(iter("abc"), 3, "Reading")) == ["a", "b", "c"]
    assert capsys.readouterr().err == ""


def test_a_pipe_gets_lines_only_if_asked(capsys: pytest.CaptureFixture[str]) -> None:
    list(track("abc", 3, "Reading", progress=True))
    assert capsys.readouterr().err == "Reading: 0 of 3\n"
    list(track("abc", 3, "Reading", progress=False))
    assert capsys.readouterr().err == ""


def test_a_terminal_shows_a_bar_that_disappears(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    with show_progress_bar("Reading [files]") as show:
        show("Reading [files]", 1, 2)
    streams = capsys.readouterr()
    assert "Reading [files]" in streams.err
    assert "\x1b[2K" in streams.err  # the line is erased
    assert streams.out == ""
    list(track("abc", 3, "Reading", progress=False))
    assert capsys.readouterr().err == ""


def test_a_notebook_shows_a_bar_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    shell = pytest.importorskip("IPython")
    from IPython import display

    updates: list[object] = []

    def add(bar: object, **_: object) -> SimpleNamespace:
        updates.append(bar)
        return SimpleNamespace(update=add)

    monkeypatch.setattr(shell, "get_ipython", lambda: SimpleNamespace(kernel=object()))
    monkeypatch.setattr(display, "display", add)
    list(track("abc", 3, "Reading"))
    assert updates == []  # short work shows nothing
    monkeypatch.setattr(progress, "NOTEBOOK_DELAY", 0)
    monkeypatch.setattr(progress, "NOTEBOOK_INTERVAL", 0)
    list(track("abc", 3, "Reading <b>"))
    assert [getattr(bar, "data", bar) for bar in updates] == [
        *(f'<progress value="{done}" max="3"></progress> Reading &lt;b&gt;: {done} of 3' for done in range(3)),
        {},
    ]


def test_a_bar_without_an_end_moves() -> None:
    assert format_bar("Loading") == "<progress></progress> Loading"

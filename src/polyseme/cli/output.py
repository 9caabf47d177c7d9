"""How commands print: the options they share."""

from __future__ import annotations

import json
import math
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from polyseme.errors import InputError, InputWarning

if TYPE_CHECKING:
    from polyseme.reports.tables import Table

ProgressItem = TypeVar("ProgressItem")


class Format(StrEnum):
    """How an answer is written."""

    table = "table"
    json = "json"
    csv = "csv"
    markdown = "markdown"
    latex = "latex"


FormatOption = Annotated[Format, typer.Option("--format", help="How to write the answer.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs; the same as --format json.")]


def emit(form: Format, value: Any, table: Callable[[], Table]) -> None:
    """Print the value as JSON, or the table in the format asked for; the table is made only if it is needed."""
    if form is Format.json:
        typer.echo(json.dumps(replace_non_finite(value), ensure_ascii=False, indent=2, allow_nan=False))
        return
    from polyseme.reports.tables import WRITERS

    typer.echo(WRITERS[form](table()))


def replace_non_finite(value: Any) -> Any:
    """The same value with null for what is not a finite number, which JSON does not know."""
    if isinstance(value, dict):
        return {name: replace_non_finite(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [replace_non_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def track_progress(work: Iterable[ProgressItem], total: int, what: str) -> Iterator[ProgressItem]:
    """The same items, with a progress bar on stderr where a person is watching."""
    if total < 2 or not sys.stderr.isatty():
        return iter(work)
    from rich.console import Console
    from rich.progress import track

    return iter(track(work, what, total, console=Console(stderr=True), transient=True))


@contextmanager
def show_status() -> Iterator[Callable[[str], object]]:
    """A line on a terminal that says what is done; nothing in a pipe."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status("") as status:
        yield lambda what: status.update(what[:200])


@contextmanager
def show_progress_bar(first: str) -> Iterator[Callable[[str, int, int], object]]:
    """A progress bar on a terminal, which is told what is done, how much of it and of how much; nothing in a pipe."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(first, total=None)
        yield lambda what, done, of: shown.update(task, description=what, completed=done, total=of)


def short_file_names(paths: list[str]) -> list[str]:
    """Short names for files: the bare file name where it tells them apart, else the path as given."""
    short = [Path(path).name for path in paths]
    return short if len(set(short)) == len(paths) else paths


@contextmanager
def add_file_name(path: str | Path) -> Iterator[None]:
    """Errors and warnings that do not say which file they are about get its name."""

    def named(message: object) -> str:
        return str(message) if str(message).startswith(f"{path}:") else f"{path}: {message}"

    try:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always", InputWarning)
            yield
    except InputError as error:
        raise InputError(named(error)) from None
    finally:
        for warning in said:
            warnings.warn(named(warning.message), warning.category, stacklevel=3)

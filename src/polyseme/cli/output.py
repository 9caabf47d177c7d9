"""How commands print: the options they share."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

if TYPE_CHECKING:
    from polyseme.report.tables import Table

Item = TypeVar("Item")


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
        typer.echo(json.dumps(_plain(value), ensure_ascii=False, indent=2, allow_nan=False))
        return
    from polyseme.report.tables import WRITERS

    typer.echo(WRITERS[form](table()))


def _plain(value: Any) -> Any:
    """The same value with null for what is not a finite number, which JSON does not know."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def with_progress(work: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """The same items, with a progress bar on stderr where a person is watching."""
    if total < 2 or not sys.stderr.isatty():
        return iter(work)
    from rich.console import Console
    from rich.progress import track

    return iter(track(work, what, total, console=Console(stderr=True), transient=True))


def names_of(paths: list[Path]) -> list[str]:
    """Short names for files: the bare file name where it tells them apart, else the path as given."""
    short = [path.name for path in paths]
    return short if len(set(short)) == len(paths) else [str(path) for path in paths]

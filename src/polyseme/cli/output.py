"""How commands print, and the options that they share."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from polyseme.cli.help import input_option, output_option, statistics_option
from polyseme.errors import add_file_name as add_file_name
from polyseme.errors import require_extra as require_extra
from polyseme.progress import show_progress_bar as show_progress_bar
from polyseme.progress import track

if TYPE_CHECKING:
    from polyseme.corpus.lemma_search import WordCount
    from polyseme.reports.tables import Table

RESTART = "nothing is complete yet; the same command starts again"
"""The advice after an interruption that leaves nothing."""

show_status, track_progress = show_progress_bar, track


class Format(StrEnum):
    """The formats of output."""

    table = "table"
    json = "json"
    csv = "csv"
    markdown = "markdown"
    latex = "latex"


FormatOption = Annotated[Format, output_option("--format", help="The format of the output.")]
JsonOption = Annotated[bool, output_option("--json", help="Print JSON instead of text.")]
SeedOption = Annotated[int, statistics_option(min=0, help="The random seed.")]
ConfidenceOption = Annotated[
    float, statistics_option(min=0.5, max=0.999, help="The confidence level of the intervals.")
]
ResamplesOption = Annotated[
    int, statistics_option(min=0, help="The number of bootstrap resamples for the intervals; 0 for none.")
]
DataFolderOption = Annotated[
    Path | None,
    input_option(metavar="FOLDER", help="The folder of data sets. Default: where `polyseme data path` looks."),
]


def emit(form: Format, value: Any, table: Callable[[], Table]) -> None:
    """Print a value as JSON, or as a table in another format; the table is built only if it is needed."""
    if form is Format.json:
        echo_json(value)
        return
    from polyseme.reports.tables import WRITERS

    typer.echo(WRITERS[form](table()))


def echo_json(value: Any) -> None:
    """Print a value as JSON; numbers that are not finite become null."""
    typer.echo(json.dumps(replace_non_finite(value), ensure_ascii=False, indent=2, allow_nan=False))


def replace_non_finite(value: Any) -> Any:
    """Replace numbers that are not finite by null, because JSON has none."""
    if isinstance(value, dict):
        return {name: replace_non_finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [replace_non_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def short_file_names(paths: list[str]) -> list[str]:
    """Return the bare file names if they are different, else the paths."""
    short = [Path(path).name for path in paths]
    return short if len(set(short)) == len(paths) else paths


def check_output_file(path: Path) -> None:
    """Check that a file can be written, before long work."""
    from polyseme.formats import output_checks

    output_checks.check_output_file(path)


def check_output_folder(path: Path) -> None:
    """Check that files can be written to a folder, before long work."""
    from polyseme.formats import output_checks

    output_checks.check_output_folder(path)


def report_lemmas(counts: Iterable[WordCount]) -> None:
    """Print on stderr what typed words stand for, unless they are lemmas as they are."""
    for count in counts:
        if count.lemmas and not count.is_exact:
            print(count, file=sys.stderr)


@contextmanager
def explain_interruption(stored: Path | None, advice: str = "the same command resumes from {}") -> Iterator[None]:
    """End the command after Ctrl-C with exit code 130, and print on stderr how to go on.

    Args:
        stored: The file or folder that holds what is complete.
        advice: How to go on if it exists; otherwise the same command starts again.
    """
    try:
        yield
    except KeyboardInterrupt:
        has_results = stored is not None and stored.exists()
        print(f"stopped: {advice.format(stored) if has_results else RESTART}", file=sys.stderr)
        raise typer.Exit(130) from None

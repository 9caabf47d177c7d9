"""The tables and plots of a report as files, named after their titles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from polyseme.formats.files import make_folder, write_bytes
from polyseme.reports.page import make_anchors
from polyseme.reports.plots import Plot
from polyseme.reports.tables import Table, table_to_csv, table_to_latex

FileContents = Iterator[tuple[str, bytes]]
"""The names and contents of files."""


def table_files(tables: Sequence[Table]) -> FileContents:
    """Write each table as CSV, with all digits, and as LaTeX, rounded.

    >>> [name for name, _ in table_files([Table("Scores", ("System",), ()), Table("Scores", ("System",), ())])]
    ['scores.csv', 'scores.tex', 'scores-2.csv', 'scores-2.tex']
    """
    for name, table in zip(make_anchors([table.title for table in tables]), tables, strict=True):
        yield f"{name}.csv", f"{table_to_csv(table)}\n".encode()
        yield f"{name}.tex", f"{table_to_latex(table)}\n".encode()


def plot_files(plots: Sequence[Plot]) -> FileContents:
    """Draw each plot as SVG, and as PNG on white at twice the resolution."""
    for name, plot in zip(make_anchors([plot.title for plot in plots]), plots, strict=True):
        yield f"{name}.svg", plot.svg().encode()
        yield f"{name}.png", plot.png(background="white")


def write_files(folder: Path, files: FileContents) -> int:
    """Write files into a folder, which is created if necessary, and return their number.

    Raises:
        InputError: The folder cannot be created.
    """
    make_folder(folder)
    count = 0
    for count, (name, data) in enumerate(files, start=1):  # noqa: B007 (it is returned)
        write_bytes(folder / name, data)
    return count

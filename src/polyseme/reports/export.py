"""The tables and plots of a page as files, each called after its title."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from polyseme.errors import InputError
from polyseme.formats.files import write_bytes
from polyseme.reports.page import make_anchors
from polyseme.reports.plots import Plot
from polyseme.reports.tables import Table, table_to_csv, table_to_latex

FileContents = Iterator[tuple[str, bytes]]
"""Names and contents."""


def table_files(tables: Sequence[Table]) -> FileContents:
    """Each table as CSV, with every digit, and as LaTeX, as people read it.

    >>> [name for name, _ in table_files([Table("Scores", ("System",), ()), Table("Scores", ("System",), ())])]
    ['scores.csv', 'scores.tex', 'scores-2.csv', 'scores-2.tex']
    """
    for name, table in zip(make_anchors([each.title for each in tables]), tables, strict=True):
        yield f"{name}.csv", f"{table_to_csv(table)}\n".encode()
        yield f"{name}.tex", f"{table_to_latex(table)}\n".encode()


def plot_files(plots: Sequence[Plot]) -> FileContents:
    """Each plot as SVG, and as PNG on white with twice the dots."""
    for name, plot in zip(make_anchors([each.title for each in plots]), plots, strict=True):
        yield f"{name}.svg", plot.svg().encode()
        yield f"{name}.png", plot.png(background="white")


def write_files(folder: Path, files: FileContents) -> int:
    """Write files into a folder, which is made if it is not there, each whole or not at all; how many they are."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"no folder can be made there: {error.strerror}", path=folder) from None
    written: list[str] = []
    for name, data in files:
        write_bytes(folder / name, data)
        written.append(name)
    return len(written)

"""``polyseme reproduce``: published figures, computed again."""

from __future__ import annotations

from enum import StrEnum
from functools import cache, partial
from pathlib import Path
from typing import Annotated

import typer

from polyseme.cli.output import Format, FormatOption, JsonOption, emit, with_progress


class Published(StrEnum):
    """What can be computed again."""

    semeval_2013 = "semeval-2013"
    semeval_2010 = "semeval-2010"
    senseval = "senseval"
    jurgens_2012 = "jurgens-2012"


def reproduce(
    task: Annotated[Published, typer.Argument(help="Whose figures to compute.")],
    data: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="The folder of data sets, if not where `polyseme data path` finds them."),
    ] = None,
    table: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="Only this table, such as 3, or another source, as 'Figure 1'.")
    ] = None,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Compute published figures again: printed, ours and the difference for every cell.

    Exits with 1 if any cell differs that is not in the shipped list of known differences.
    """
    from polyseme.datasets import load
    from polyseme.evaluate.reproduce import cell_count
    from polyseme.evaluate.reproduce import reproduce as reproduced
    from polyseme.report.reproduction import rows_of, table_of

    loaded = cache(partial(load, data=data))  # each data set once: what was read of it is not read again
    work = reproduced(task.value, loaded, table)
    cells = list(with_progress(work, cell_count(task.value, table), f"Computing {task.value}"))
    emit(Format.json if as_json else form, rows_of(cells), lambda: table_of(task.value, cells))
    if not all(cell.agrees or cell.known for cell in cells):
        raise typer.Exit(1)

"""``polyseme reproduce``: published figures, computed again."""

from __future__ import annotations

from enum import StrEnum
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyseme.cli.output import Format, FormatOption, JsonOption, emit, show_status, track_progress
from polyseme.cli.run import warn_of_missing_lemmas
from polyseme.errors import InputError

if TYPE_CHECKING:
    from polyseme.experiments.corpora import Load
    from polyseme.tasks.published import ReproducedFigure

    Answer = tuple[list[ReproducedFigure], list[str]]  # and what else there is to say


class Published(StrEnum):
    """What can be computed again."""

    semeval_2013 = "semeval-2013"
    semeval_2010 = "semeval-2010"
    senseval = "senseval"
    jurgens_2012 = "jurgens-2012"
    erk_2013 = "erk-2013"


def reproduce(
    task: Annotated[Published | None, typer.Argument(help="Whose figures to compute.")] = None,
    data: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="The folder of data sets, if not where `polyseme data path` finds them."),
    ] = None,
    table: Annotated[
        str | None,
        typer.Option(metavar="NUMBER", help="Only this table, such as 3, or another source, as 'Figure 1' or '§5.3'."),
    ] = None,
    plan: Annotated[
        Path | None,
        typer.Option(
            metavar="PLAN", help="For Table 2 of jurgens-2012: models and corpus, if not those of the shipped plan."
        ),
    ] = None,
    folder: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FOLDER", help="For Table 2 of jurgens-2012: what is kept for next time."
        ),
    ] = Path("results"),
    coverage: Annotated[
        bool,
        typer.Option(
            "--coverage", help="Compute nothing: count the figures that are printed and those that we compute, and why."
        ),
    ] = False,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Compute published figures again: printed, ours and the difference for every cell.

    Table 2 of jurgens-2012 indexes a corpus and induces senses, which takes half an hour the first time; the other
    tables take seconds. Exits with 1 if any cell differs that is not in the shipped list of known differences; one that
    needs other data says which. --coverage, with a task or for all, says how many figures there are.
    """
    form = Format.json if as_json else form
    if coverage:
        _show_coverage(task, form)
        return
    if task is None:
        raise InputError(f"name a task: {', '.join(Published)}; or add --coverage to see how many figures each has")
    from polyseme.datasets import load
    from polyseme.reports.reproduction_tables import reproduction_records, reproduction_table

    loaded = cache(partial(load, data=data))  # each data set once: what was read of it is not read again
    induced = task is Published.jurgens_2012 and table in (None, "2", "Table 2")
    cells, notes = ([], []) if induced and table else COMPUTED.get(task, _from_keys)(task.value, loaded, table)
    if induced:
        more, about = _induced(loaded, plan, folder)
        cells, notes = cells + more, notes + about
    emit(form, reproduction_records(cells), lambda: reproduction_table(task.value, cells, notes))
    if not all(cell.agrees or cell.known for cell in cells):
        raise typer.Exit(1)


def _show_coverage(task: Published | None, form: Format) -> None:
    from polyseme.reports.reproduction_tables import coverage_table
    from polyseme.tasks.coverage import count_figures

    rows = count_figures(task)
    emit(form, [row._asdict() for row in rows], lambda: coverage_table(rows))


def _from_keys(task: str, load: Load, table: str | None) -> Answer:
    """What is computed from keys and ratings alone."""
    from polyseme.tasks.reproduction import count_reproduced, reproduce

    work = reproduce(task, load, table)
    return list(track_progress(work, count_reproduced(task, table), f"Computing {task}")), []


def _from_ratings(task: str, load: Load, table: str | None) -> Answer:
    """What is computed from people's ratings, tags and substitutes; and what else these say."""
    from polyseme.tasks import erk_2013

    work = erk_2013.reproduce_erk_2013(load, table)
    cells = list(track_progress(work, erk_2013.count_erk_2013_figures(table), f"Computing {task}"))
    return cells, [] if table else erk_2013.describe_erk_2013(load)


COMPUTED = {Published.erk_2013: _from_ratings}
"""What is computed otherwise than from keys."""


def _induced(load: Load, plan: Path | None, folder: Path) -> Answer:
    """What needs senses from a corpus; and how many usages these label."""
    from polyseme.experiments.jurgens_2012 import PLAN, describe_table_2, reproduce_table_2
    from polyseme.experiments.plan import read_plan

    with show_status() as show:
        cells, results = reproduce_table_2(folder, load, read_plan(plan) if plan else PLAN, show)
    warn_of_missing_lemmas(results)
    return cells, describe_table_2(results)

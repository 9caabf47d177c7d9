"""``polyseme reproduce``: published figures, computed again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polyseme.cli.help import input_option, output_option
from polyseme.cli.output import DataFolderOption, Format, FormatOption, JsonOption, emit, explain_interruption
from polyseme.errors import InputError, quote_value

TableOption = Annotated[
    str | None,
    input_option(metavar="NUMBER", help="Only this table, such as 3, or another source, such as 'Figure 1' or '§5.3'."),
]


def reproduce_command(
    task: Annotated[str | None, typer.Argument(metavar="TASK", help="The task whose figures are computed.")] = None,
    data: DataFolderOption = None,
    table: TableOption = None,
    plan: Annotated[
        Path | None,
        input_option(metavar="PLAN", help="For Table 2 of jurgens-2012: models and corpus. Default: the shipped plan."),
    ] = None,
    folder: Annotated[
        Path,
        output_option("--output", "-o", metavar="FOLDER", help="For Table 2 of jurgens-2012: the cache of results."),
    ] = Path("results"),
    coverage: Annotated[
        bool,
        output_option("--coverage", help="Only count how many printed figures are computed."),
    ] = False,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Recompute the published figures of a task, and compare them with the paper.

    Examples:
        polyseme reproduce semeval-2013 --table 3
        polyseme reproduce --coverage

    Each figure is `same`, a `known` difference with its reason, or `DIFFERS`. If a figure differs, the exit code is 1.
    Missing data sets are listed. Table 2 of jurgens-2012 takes half an hour the first time, the other tables seconds.
    """
    from polyseme.experiments.reproduction import needs_models
    from polyseme.interface.reproduction import reproduce
    from polyseme.reports.reproduction_tables import coverage_table, reproduction_table
    from polyseme.tasks.coverage import count_figures
    from polyseme.tasks.registry import get_task
    from polyseme.tasks.reproduction import list_reproducible_tasks

    form, names = Format.json if as_json else form, list_reproducible_tasks()
    if task is not None and task not in names:
        raise typer.BadParameter(f"{quote_value(task)} is not one of {', '.join(names)}.", param_hint="'[TASK]'")
    if coverage:
        counts = count_figures(task)
        emit(form, [count._asdict() for count in counts], lambda: coverage_table(counts))
        return
    if task is None:
        raise InputError(f"name a task: {', '.join(names)}; or add --coverage to see how many figures each has")
    stored = folder if needs_models(get_task(task)(), table) else None
    with explain_interruption(stored, "the same command resumes; complete steps are in {}"):
        result = reproduce(task, table, data=data, plan=plan, folder=folder)
    emit(form, result.to_records(), lambda: reproduction_table(task, result.figures, result.notes))
    if not result.holds:
        raise typer.Exit(1)

"""Published figures, computed again from worked examples, answer keys and data."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import chain
from statistics import fmean

from polyseme.errors import InputError, InputWarning
from polyseme.tasks.published import (
    MISSING,
    NoisyFigure,
    PrintedFigure,
    ReproducedFigure,
    read_printed_figures,
    state_verdict,
)
from polyseme.tasks.registry import tasks_by_name
from polyseme.tasks.result import Figures
from polyseme.tasks.task import Load, Task


def is_from_table(source: str, table: str | None) -> bool:
    """Whether a source is the requested one: any, ``3`` for Table 3, or its whole name.

    >>> is_from_table("Table 3", "3"), is_from_table("Figure 1", "Figure 1"), is_from_table("Figure 1", "1")
    (True, True, False)
    """
    return table is None or source in (table, f"Table {table}")


def find_missing_data(task: Task, printed: PrintedFigure) -> str:
    """Return the data that a figure needs and that are missing; empty if it can be computed.

    >>> from polyseme.tasks.semeval_2010 import SemEval2010
    >>> figures = read_printed_figures("semeval-2010")
    >>> {find_missing_data(SemEval2010(), printed) for printed in figures if printed.system == "UoY"}
    {'the answer key of UoY, which is not in the data set'}
    """
    return "" if printed.key or printed.source in task.model_tables else printed.setting


def list_sources(task: Task) -> list[str]:
    """Return where each figure is printed that :func:`reproduce` computes."""
    examples = [figure.source for figure in task.compute_worked_examples()]
    return examples + [printed.source for printed in read_printed_figures(task.name) if _is_reproducible(task, printed)]


def _is_reproducible(task: Task, printed: PrintedFigure) -> bool:
    return bool(task.key_data) or printed.source in task.data_figures()


def count_reproduced(task: Task, table: str | None = None) -> int:
    """Count the figures that :func:`reproduce` computes."""
    return sum(is_from_table(source, table) for source in list_sources(task))


def reproduce(task: Task, load: Load, table: str | None = None) -> Iterator[ReproducedFigure]:
    """Compute every published figure of a task, or those of one table, and yield it with the printed one.

    Figures of :attr:`~polyseme.tasks.task.Task.model_tables` are left out; :mod:`polyseme.experiments.reproduction`
    computes them.

    Args:
        task: The task.
        load: Gives a data set by its name, as :func:`polyseme.load` does.
        table: A table, as ``3``, or another source, as ``Figure 1`` or ``§5.3``.

    Raises:
        polyseme.errors.InputError: If the task has no figures of the table.
    """
    sources = list_sources(task)
    if not any(is_from_table(source, table) for source in sources):
        names = ", ".join(dict.fromkeys([*sources, *task.model_tables]))
        raise InputError(f"{task.name} has no figures of {table!r}; there are {names}")
    printed = [figure for figure in read_printed_figures(task.name) if is_from_table(figure.source, table)]
    examples = (figure for figure in task.compute_worked_examples() if is_from_table(figure.source, table))
    yield from chain(examples, _reproduce_keys(task, load, printed), _reproduce_data(task, load, printed))


def _reproduce_keys(task: Task, load: Load, printed: list[PrintedFigure]) -> Iterator[ReproducedFigure]:
    """Yield the figures of published keys."""
    in_data = task.data_figures()
    computed: dict[tuple[str, str, str], Figures] = {}
    for figure in printed if task.key_data else ():
        run = (figure.gold, figure.key, figure.setting)
        if figure.source in in_data:
            continue
        if missing := find_missing_data(task, figure):
            yield _name_missing_data(task, figure, missing)
            continue
        if run not in computed:
            computed[run] = _score_keys(task, load, figure)
        yield _compare(task, figure, computed[run][figure.figure])


def _score_keys(task: Task, load: Load, printed: PrintedFigure) -> Figures:
    """Return the figures of a key, or their means over all keys that match its pattern."""
    data = load(task.key_data)
    keys = [str(path.relative_to(data.place)) for path in sorted(data.place.glob(printed.key))]
    if not keys:
        raise InputError(f"{task.key_data} has no key {printed.key}", path=data.place)
    with warnings.catch_warnings():
        # The published keys have usages outside gold, repeated and empty lines: known, and not the point here.
        warnings.simplefilter("ignore", InputWarning)
        runs = [task.score_published_key(data, printed._replace(key=key)) for key in keys]
    return {figure: fmean(run[figure] for run in runs) for figure in runs[0]}


def _reproduce_data(task: Task, load: Load, printed: list[PrintedFigure]) -> Iterator[ReproducedFigure]:
    """Yield the figures that need data only, source by source."""
    by_source = task.data_figures()
    for source in dict.fromkeys(figure.source for figure in printed if figure.source in by_source):
        figures = [figure for figure in printed if figure.source == source]
        computed = by_source[source](load) if any(not figure.setting for figure in figures) else {}
        for figure in figures:
            if missing := find_missing_data(task, figure):
                yield _name_missing_data(task, figure, missing)
            else:
                yield _compare(task, figure, computed[figure.system, figure.figure])


def _compare(task: Task, printed: PrintedFigure, computed: float | str | NoisyFigure) -> ReproducedFigure:
    value, noise = computed if isinstance(computed, NoisyFigure) else (computed, 0.0)
    value = state_verdict(value) if isinstance(value, bool) else value
    return ReproducedFigure(task.name, printed.source, printed.system, printed.figure, printed.value, value, noise)


def _name_missing_data(task: Task, printed: PrintedFigure, missing: str) -> ReproducedFigure:
    return _compare(task, printed, MISSING)._replace(other_data=f"needs {missing}")


def list_reproducible_tasks() -> list[str]:
    """Return the names of the tasks with published figures."""
    return [name for name, task in tasks_by_name().items() if list_sources(task())]

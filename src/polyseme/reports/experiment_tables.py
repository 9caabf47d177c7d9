"""The results of an experiment as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from polyseme.reports.tables import Table
from polyseme.tasks.columns import ANY_SUFFIX, ScoreColumn
from polyseme.tasks.result import RunRow
from polyseme.tasks.task import LabellingTask

FACTS = {
    "labelled": "Labelled",
    "senses per usage": "Senses",
    "median": "Median",
    "several": "Several",
    "clusters": "Clusters",
}
"""Columns beside the scores: the share of labelled usages, the senses of a usage, usages with several, clusters."""

SPREAD = "spread"
"""The kind of rows with standard deviations over seeds."""


def experiment_table(title: str, task: LabellingTask, rows: Sequence[RunRow], measures: Sequence[str] = ()) -> Table:
    """Return a table with a row for each model, system and baseline.

    Args:
        title: The title of the table.
        task: The task; it says which columns there are, and the notes below them.
        rows: The rows.
        measures: The figures to show; by default all of the task.
    """
    columns = select_columns(task, rows, measures)
    mapped = any(row.mapping for row in rows)
    facts = [fact for fact in FACTS if any(fact in row.facts for row in rows)]
    fact_headings = (FACTS[fact] for fact in facts)
    headings = ("System", *(("Mapping",) if mapped else ()), *(column.heading for column in columns), *fact_headings)
    cells = tuple(
        (
            "±" if row.kind == SPREAD else row.name,
            *((row.mapping,) if mapped else ()),
            *(_result_cell(row, column) for column in columns),
            *(fact_cell(row.facts, fact) for fact in facts),
        )
        for row in rows
    )
    kinds = [rows[number - 1].kind if number and row.kind == SPREAD else row.kind for number, row in enumerate(rows)]
    rules = tuple(number for number in range(1, len(kinds)) if kinds[number] != kinds[number - 1])
    return Table(title, headings, cells, notes=task.notes, rules=rules)


def select_columns(task: LabellingTask, rows: Sequence[RunRow], measures: Sequence[str] = ()) -> list[ScoreColumn]:
    """Return the columns of such a table in which any row has a figure."""
    names = measures or task.measures
    columns = [
        expanded for column in task.run_columns if column.figure in names for expanded in _expand_column(column, rows)
    ]
    return [column for column in columns if any(column.cell(row.figures) is not None for row in rows)]


def _expand_column(column: ScoreColumn, rows: Sequence[RunRow]) -> list[ScoreColumn]:
    """Return the column, or one for each figure with its beginning."""
    if not column.figure.endswith(ANY_SUFFIX):
        return [column]
    prefix = column.figure.removesuffix("*")
    names = dict.fromkeys(name for row in rows for name in row.figures if name.startswith(prefix))
    return [ScoreColumn(name.removeprefix(prefix), name) for name in names]


def _result_cell(row: RunRow, column: ScoreColumn) -> float | None:
    """Return a figure; a geometric mean has no spread, as those of its factors do not give it."""
    return None if row.kind == SPREAD and "*" in column.figure else column.cell(row.figures)


def fact_cell(facts: Mapping[str, float], fact: str) -> float | int | None:
    """Return a fact; numbers of usages are whole, the others are means."""
    value = facts.get(fact)
    return int(value) if value is not None and fact == "several" else value

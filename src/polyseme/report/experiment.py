"""The results of an experiment as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from polyseme.report.score_tables import COLUMNS, Column
from polyseme.report.tables import Table

FACTS = {
    "labelled": "Labelled",
    "senses per usage": "Senses",
    "median": "Median",
    "several": "Several",
    "clusters": "Clusters",
}
"""Beside the scores: the share of usages labelled, the senses of each, usages with several, the senses of a lemma."""

SPREAD = "spread"

LEFT_OUT = ("clusters", "senses")
"""Figures that the facts say better."""


class Row(Protocol):
    """What is shown of a model, a system or a baseline."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def mapping(self) -> str:
        """How its senses were mapped, if they were."""
        ...

    @property
    def kind(self) -> str:
        """Model, system or baseline; or *spread*, of the model before it, over seeds."""
        ...

    @property
    def figures(self) -> Mapping[str, float]:
        """Its scores."""
        ...

    @property
    def facts(self) -> Mapping[str, float]:
        """How many usages it labels, and how."""
        ...


def measures_of(task: str) -> list[str]:
    """The figures that a table of a task can have; ``a*b`` is the geometric mean of two.

    >>> measures_of("jurgens-2012")
    ['detection', 'ranking', 'perception', 'jensen_shannon', 'recall']
    """
    return [column.figure for column in COLUMNS[task] if column.figure not in LEFT_OUT]


def experiment_table(title: str, task: str, rows: Sequence[Row], measures: Sequence[str] = ()) -> Table:
    """A row for each: its scores, or some of them, and how many usages it labels with how many senses."""
    columns = [column for column in COLUMNS[task] if column.figure in (measures or measures_of(task))]
    columns = [column for column in columns if any(column.cell(row.figures) is not None for row in rows)]
    mapped = any(row.mapping for row in rows)
    headings = ("System", *(("Mapping",) if mapped else ()), *(column.heading for column in columns), *FACTS.values())
    cells = tuple(
        (
            "±" if row.kind == SPREAD else row.name,
            *((row.mapping,) if mapped else ()),
            *(_cell(row, column) for column in columns),
            *(_fact(row, fact) for fact in FACTS),
        )
        for row in rows
    )
    kinds = ["model" if row.kind == SPREAD else row.kind for row in rows]
    rules = tuple(at for at in range(1, len(kinds)) if kinds[at] != kinds[at - 1])
    return Table(title, headings, cells, rules=rules)


def _cell(row: Row, column: Column) -> str | float | int | None:
    """A figure; of a mean of two figures there is no spread, as theirs do not say it."""
    return None if row.kind == SPREAD and "*" in column.figure else column.cell(row.figures)


def _fact(row: Row, fact: str) -> float | int | None:
    value = row.facts.get(fact)
    return int(value) if value is not None and fact == "several" else value

"""Scores of several systems as one table: figures, trivial baselines and numbers of clusters side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from polyseme.reports.tables import Table
from polyseme.tasks.columns import ScoreColumn
from polyseme.tasks.comparison import Comparison
from polyseme.tasks.task import ScorableTask

Figures = Mapping[str, float]


def score_table(task: ScorableTask, systems: Mapping[str, Figures], baselines: Mapping[str, Figures]) -> Table:
    """One row a system, then one a baseline."""
    lines = [*systems.items(), *baselines.items()]
    columns = _filled_columns(task, [figures for _, figures in lines])
    rows = tuple((name, *(column.cell(figures) for column in columns)) for name, figures in lines)
    headings = ("System", *(column.heading for column in columns))
    return Table(task.name, headings, rows, rules=(len(systems),) if baselines else ())


def group_table(
    task: ScorableTask, systems: Mapping[str, Mapping[str, Figures]], baselines: Mapping[str, Figures]
) -> Table:
    """One row a system and group, then one a baseline."""
    lines = [(name, group, figures) for name, groups in systems.items() for group, figures in groups.items()]
    below = [(name, "all", figures) for name, figures in baselines.items()]
    columns = _filled_columns(task, [figures for _, _, figures in lines + below])
    rows = tuple((name, group, *(column.cell(figures) for column in columns)) for name, group, figures in lines + below)
    headings = ("System", "Group", *(column.heading for column in columns))
    return Table(task.name, headings, rows, rules=(len(lines),) if below else ())


def _filled_columns(task: ScorableTask, figures: Sequence[Figures]) -> list[ScoreColumn]:
    """The task's columns in which any row has a figure."""
    return [column for column in task.columns if any(column.cell(row) is not None for row in figures)]


def comparison_table(first: str, second: str, rows: Sequence[Comparison], confidence: float) -> Table:
    """Two systems figure by figure, with intervals and significance marks."""
    return Table(
        f"{second} (B) against {first} (A)",
        ("Figure", *_with_interval("A"), *_with_interval("B"), *_with_interval("B−A"), "p", "Mark"),
        tuple(
            (
                row.figure,
                row.first,
                *row.first_interval,
                row.second,
                *row.second_interval,
                row.difference,
                *row.interval,
                f"{row.p:.4f}",
                _stars(row.p),
            )
            for row in rows
        ),
        notes=(
            f"low, high: {100 * confidence:g}% bootstrap intervals over lemmas. p: paired randomisation over lemmas,"
            " two-sided. * p < .05, ** p < .01, *** p < .001",
        ),
    )


def _with_interval(heading: str) -> tuple[str, str, str]:
    return heading, f"{heading} low", f"{heading} high"


def _stars(p: float) -> str:
    return "*" * sum(p < level for level in (0.05, 0.01, 0.001))

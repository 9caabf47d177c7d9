"""Scores, results of tasks and comparisons, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from polyseme.display.rendering import ROWS, count_more, render_value, take_first
from polyseme.errors import count_noun
from polyseme.reports.experiment_tables import experiment_table
from polyseme.reports.reproduction_tables import reproduction_table
from polyseme.reports.score_tables import comparison_table
from polyseme.reports.tables import Table

if TYPE_CHECKING:
    from polyseme.scores import Scores
    from polyseme.tasks.comparison import SystemComparison
    from polyseme.tasks.published import ReproducedFigure
    from polyseme.tasks.result import RunRow, TaskResult
    from polyseme.tasks.task import LabellingTask, ScorableTask
    from polyseme.tasks.usim import UsimScores

FIGURE_HEADINGS: Mapping[str, str] = {"precision": "Precision", "recall": "Recall", "f1": "F1", "score": "Score"}
"""The headings of the figures of measures."""


def render_scores(scores: Scores) -> str:
    """Render the scores of a measure: the figures of all units, and of the first lemmas.

    >>> from polyseme.scores import Scores
    >>> "0.250" in render_scores(Scores.from_units("Jaccard()", ["u1", "u2"], ["x", "y"], [0.5, 0.0]))
    True
    """
    total = scores.total()
    kind = "lemma" if scores.units == scores.lemmas else "usage"
    lemmas = tuple(dict.fromkeys(scores.lemmas))
    by_lemma = kind == "lemma" or len(lemmas) > 1
    names, unit = (lemmas, "Lemma") if by_lemma else (scores.units, "Usage")
    first = names[:ROWS]
    sums = scores.lemma_sums(first) if by_lemma else scores.sums[:ROWS]
    columns = [column.tolist() for column in scores.summary(sums).values()]
    rows = (("all", *total.values()), *((name, *(column[row] for column in columns)) for row, name in enumerate(first)))
    table = Table("", (unit, *_headings(total)), tuple(rows), rules=(1,))
    facts = count_noun(len(scores), kind) + (f" of {count_noun(len(lemmas), 'lemma')}" if kind == "usage" else "")
    return render_value(scores.measure, table, facts=facts, notes=count_more(len(names)))


def _headings(names: Sequence[str] | Mapping[str, float]) -> tuple[str, ...]:
    return tuple(FIGURE_HEADINGS.get(name, name) for name in names)


def render_result(result: TaskResult) -> str:
    """Render the result of a task: the columns that its command prints, and below them all figures."""
    blocks = [_column_table(result.task, result.figures())] if result.task else []
    title = result.task.name if result.task else "Scores"
    return render_value(title, *blocks, _measure_table(result), facts=_describe(result), notes=_list_absent(result))


def _column_table(task: ScorableTask, figures: Mapping[str, float]) -> Table:
    """The columns of a task, in one row."""
    cells = {column.heading: column.cell(figures) for column in task.columns}
    cells = {heading: cell for heading, cell in cells.items() if cell is not None}
    return Table("", tuple(cells), (tuple(cells.values()),))


def _list_absent(result: TaskResult) -> tuple[str, ...]:
    return (f"Not computed: {', '.join(result.absent)}",) if result.absent else ()


def _describe(result: TaskResult) -> str:
    scores = next(iter(result.scores.values()), None)
    if scores is None:
        return ""
    lemmas = count_noun(len(set(scores.lemmas)), "lemma")
    return lemmas if scores.units == scores.lemmas else f"{count_noun(len(scores), 'usage')} of {lemmas}"


def _measure_table(result: TaskResult) -> Table:
    """One row a measure, with its figures."""
    totals = {name: scores.total() for name, scores in result.scores.items()}
    totals |= {name: {"score": value} for name, value in result.extra.items()}
    names = [name for name in FIGURE_HEADINGS if any(name in total for total in totals.values())]
    names += dict.fromkeys(name for total in totals.values() for name in total if name not in FIGURE_HEADINGS)
    rows = tuple(
        (measure, *(total.get(name) for name in names)) for measure, total in take_first(totals.items(), 2 * ROWS)
    )
    return Table("", ("Measure", *_headings(names)), rows)


def render_comparison(comparison: SystemComparison) -> str:
    """Render the comparison of two systems."""
    first, second, confidence = comparison.first, comparison.second, comparison.confidence
    return render_value("Comparison", comparison_table(first, second, comparison.rows, confidence))


def render_usim_scores(scores: UsimScores) -> str:
    """Render the scores of similarities of usages: all figures, and Spearman's ρ of the first lemmas."""
    figures = Table("", ("Figure", "Value"), tuple(scores.figures().items()))
    lemmas = Table("", ("Lemma", "Spearman's ρ"), tuple(take_first(scores.lemmas.items())))
    return render_value("Usim", figures, lemmas, notes=count_more(len(scores.lemmas)))


def render_reproduction(task: str, figures: Sequence[ReproducedFigure], notes: Sequence[str] = ()) -> str:
    """Render published figures beside computed ones; those that differ come first."""
    ordered = sorted(figures, key=lambda figure: (figure.agrees, bool(figure.known_difference)))
    table = reproduction_table(task, ordered, notes)
    return render_value("Reproduction", replace(table, rows=table.rows[:ROWS]), notes=count_more(len(figures)))


def render_run(title: str, task: LabellingTask, rows: Sequence[RunRow], measures: Sequence[str] = ()) -> str:
    """Render the rows of an experiment, as ``polyseme run`` prints them."""
    table = experiment_table("", task, rows, measures)
    return render_value(title, replace(table, rows=table.rows[: 2 * ROWS]), notes=count_more(len(rows), 2 * ROWS))

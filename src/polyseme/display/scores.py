"""Scores, results of tasks and comparisons, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from polyseme.display.rendering import ROWS, count_more, render_value, take_first
from polyseme.errors import count_noun
from polyseme.reports.score_tables import comparison_table
from polyseme.reports.tables import Table

if TYPE_CHECKING:
    from polyseme.scores import Scores
    from polyseme.tasks.comparison import Comparison
    from polyseme.tasks.result import TaskResult

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
    figures, task = result.figures(), getattr(result, "task", None)
    cells = {column.heading: column.cell(figures) for column in (task.columns if task else ())}
    cells = {heading: cell for heading, cell in cells.items() if cell is not None}
    blocks = [Table("", tuple(cells), (tuple(cells.values()),))] if cells else []
    return render_value("Scores", *blocks, _measure_table(result), facts=_describe(result), notes=_list_absent(result))


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


def render_comparison(rows: Sequence[Comparison], first: str = "A", second: str = "B", confidence: float = 0.95) -> str:
    """Render the comparison of two systems.

    Args:
        rows: The figures, as :func:`polyseme.tasks.comparison.compare_results` returns them.
        first: The name of the first system.
        second: The name of the second system.
        confidence: The confidence of the intervals.
    """
    return render_value("Comparison", comparison_table(first, second, rows, confidence))

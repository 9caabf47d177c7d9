"""The results of an experiment as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from polyseme.reports.score_tables import COLUMNS, ScoreColumn
from polyseme.reports.tables import Table

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

ANY = "*"
"""At the end of a figure's name: a column for each figure that begins so, called after the rest of its name."""

BY_NAME: dict[str, tuple[ScoreColumn, ...]] = {
    "semeval-2013": (
        ScoreColumn("Jaccard F1", "jaccard.f1"),
        ScoreColumn("Ksim F1", "ksim.f1"),
        ScoreColumn("WNDCG F1", "wndcg.f1"),
        ScoreColumn("Single: F1", "single.jaccard.f1"),
        ScoreColumn("Several: Jaccard F1", "several.jaccard.f1"),
        ScoreColumn("Several: Ksim F1", "several.ksim.f1"),
        ScoreColumn("Several: WNDCG F1", "several.wndcg.f1"),
    ),
    "all-words": (
        ScoreColumn("Precision", "precision"),
        ScoreColumn("Recall", "recall"),
        ScoreColumn("F1", "f1"),
        ScoreColumn("Nouns", "pos.n"),
        ScoreColumn("Verbs", "pos.v"),
        ScoreColumn("Adjectives", "pos.a"),
        ScoreColumn("Adverbs", "pos.r"),
        ScoreColumn("", f"sets.{ANY}"),
    ),
    "wssim": (
        ScoreColumn("ρ pooled", "pooled"),
        ScoreColumn("ρ mean of lemmas", "spearman"),
        ScoreColumn("JSD", "divergence"),
        ScoreColumn("Precision", "overlap.precision"),
        ScoreColumn("Recall", "overlap.recall"),
        ScoreColumn("F1", "overlap.f1"),
        ScoreColumn("Detection", "detection"),
        ScoreColumn("Ranking", "ranking"),
        ScoreColumn("Perception", "perception"),
        ScoreColumn("", f"lemmas.{ANY}"),
    ),
}
"""What stands beside one another for each task, where labels are a dictionary's senses and are not mapped."""

NOTES: dict[str, tuple[str, ...]] = {
    "semeval-2013": ("Single: usages with one sense, by the heaviest sense. Several: usages with several senses.",),
    "all-words": ("Of each usage the heaviest sense counts; right is any of the gold senses.",),
    "wssim": (
        "ρ: Spearman's, of weights and mean ratings. JSD: of weights and of mean ratings less 1. Precision, recall, F1:"
        " weighted, of mean ratings brought to 0–1 and weights divided by the usage's largest. Columns of lemmas: ρ.",
    ),
}
"""What is said below a table of such a task."""


class ResultRow(Protocol):
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


def list_measures(task: str, *, by_name: bool = False) -> list[str]:
    """The figures that a table of a task can have; ``a*b`` is the geometric mean of two.

    ``by_name`` is for labels that are a dictionary's senses. There ``sets.*`` stands for all figures that begin so.

    >>> list_measures("jurgens-2012")
    ['detection', 'ranking', 'perception', 'jensen_shannon', 'recall']
    >>> list_measures("all-words", by_name=True)[-2:]
    ['pos.r', 'sets.*']
    """
    return [column.figure for column in _columns(task, by_name) if column.figure not in LEFT_OUT]


def experiment_table(
    title: str, task: str, rows: Sequence[ResultRow], measures: Sequence[str] = (), *, by_name: bool = False
) -> Table:
    """A row for each: its scores, or some of them, and how many usages it labels with how many senses."""
    columns = select_columns(task, rows, measures, by_name=by_name)
    mapped = any(row.mapping for row in rows)
    facts = [fact for fact in FACTS if any(fact in row.facts for row in rows)]
    beside = (FACTS[fact] for fact in facts)
    headings = ("System", *(("Mapping",) if mapped else ()), *(column.heading for column in columns), *beside)
    cells = tuple(
        (
            "±" if row.kind == SPREAD else row.name,
            *((row.mapping,) if mapped else ()),
            *(_result_cell(row, column) for column in columns),
            *(_fact_cell(row, fact) for fact in facts),
        )
        for row in rows
    )
    kinds = [rows[at - 1].kind if at and row.kind == SPREAD else row.kind for at, row in enumerate(rows)]
    rules = tuple(at for at in range(1, len(kinds)) if kinds[at] != kinds[at - 1])
    return Table(title, headings, cells, notes=NOTES[task] if by_name else (), rules=rules)


def select_columns(
    task: str, rows: Sequence[ResultRow], measures: Sequence[str] = (), *, by_name: bool = False
) -> list[ScoreColumn]:
    """The columns of such a table: of the measures, or of all, those of which a row has a figure."""
    wanted = measures or list_measures(task, by_name=by_name)
    columns = [
        each for column in _columns(task, by_name) if column.figure in wanted for each in _expand_column(column, rows)
    ]
    return [column for column in columns if any(column.cell(row.figures) is not None for row in rows)]


def _columns(task: str, by_name: bool) -> tuple[ScoreColumn, ...]:
    return (BY_NAME if by_name else COLUMNS)[task]


def _expand_column(column: ScoreColumn, rows: Sequence[ResultRow]) -> list[ScoreColumn]:
    """The column; or one for each figure that begins as it says."""
    start = column.figure.removesuffix(ANY)
    if not column.figure.endswith(f".{ANY}"):
        return [column]
    names = dict.fromkeys(name for row in rows for name in row.figures if name.startswith(start))
    return [ScoreColumn(name.removeprefix(start), name) for name in names]


def _result_cell(row: ResultRow, column: ScoreColumn) -> str | float | int | None:
    """A figure; of a mean of two figures there is no spread, as theirs do not say it."""
    return None if row.kind == SPREAD and "*" in column.figure else column.cell(row.figures)


def _fact_cell(row: ResultRow, fact: str) -> float | int | None:
    value = row.facts.get(fact)
    return int(value) if value is not None and fact == "several" else value

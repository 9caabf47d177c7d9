"""Scores of several systems as one table: figures, trivial baselines and numbers of clusters side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polyseme.reports.tables import Cell, Table
from polyseme.tasks.comparison import Comparison
from polyseme.tasks.result import geometric_mean
from polyseme.tasks.usim import UsimScores

Figures = Mapping[str, float]


@dataclass(frozen=True)
class ScoreColumn:
    """A heading and the figure that stands under it."""

    heading: str
    figure: str

    def cell(self, figures: Figures) -> Cell:
        """The figure, if this row has it; ``a*b`` is the geometric mean of two."""
        first, _, second = self.figure.partition("*")
        if second:
            return geometric_mean(figures, first, second) if first in figures and second in figures else None
        return figures.get(first)


COLUMNS: dict[str, tuple[ScoreColumn, ...]] = {
    "semeval-2013": (
        ScoreColumn("Jaccard F1", "jaccard.f1"),
        ScoreColumn("Ksim F1", "ksim.f1"),
        ScoreColumn("WNDCG F1", "wndcg.f1"),
        ScoreColumn("Fuzzy NMI", "fuzzy_nmi"),
        ScoreColumn("Fuzzy B-Cubed", "fuzzy_bcubed.f1"),
        ScoreColumn("AVG", "fuzzy_nmi*fuzzy_bcubed.f1"),
        ScoreColumn("#Cl", "clusters"),
        ScoreColumn("#S", "senses"),
    ),
    "semeval-2010": (
        ScoreColumn("V", "v_measure"),
        ScoreColumn("Homogeneity", "homogeneity"),
        ScoreColumn("Completeness", "completeness"),
        ScoreColumn("Paired F", "paired_f"),
        ScoreColumn("AVG", "v_measure*paired_f"),
        ScoreColumn("AMI", "adjusted_mutual_information"),
        ScoreColumn("B-Cubed", "bcubed.f1"),
        ScoreColumn("Recall 80/20", "supervised.80_20"),
        ScoreColumn("Recall 60/40", "supervised.60_40"),
        ScoreColumn("#Cl", "clusters"),
        ScoreColumn("#S 80/20", "senses.80_20"),
        ScoreColumn("#S 60/40", "senses.60_40"),
    ),
    "senseval": (
        ScoreColumn("Precision", "precision"),
        ScoreColumn("Recall", "recall"),
        ScoreColumn("F1", "f1"),
        ScoreColumn("Attempted", "attempted"),
        ScoreColumn("#Cl", "clusters"),
    ),
    "jurgens-2012": (
        ScoreColumn("Detection", "detection"),
        ScoreColumn("Ranking", "ranking"),
        ScoreColumn("Perception", "perception"),
        ScoreColumn("JSS", "jensen_shannon"),
        ScoreColumn("Recall", "recall"),
        ScoreColumn("#Cl", "clusters"),
    ),
    "lexsub": (
        ScoreColumn("Best", "best.recall"),
        ScoreColumn("Best mode", "best_mode.recall"),
        ScoreColumn("OOT", "oot.recall"),
        ScoreColumn("OOT mode", "oot_mode.recall"),
        ScoreColumn("GAP", "gap"),
        ScoreColumn("P@1", "p_at_1"),
        ScoreColumn("P@3", "p_at_3"),
    ),
}
"""What stands beside one another for each task."""


def score_table(task: str, systems: Mapping[str, Figures], baselines: Mapping[str, Figures]) -> Table:
    """One row a system, then one a baseline."""
    columns = _filled_columns(task, [*systems.values(), *baselines.values()])
    rows = [(name, *(column.cell(figures) for column in columns)) for name, figures in systems.items()]
    below = [(name, *(column.cell(figures) for column in columns)) for name, figures in baselines.items()]
    headings = ("System", *(column.heading for column in columns))
    return Table(task, headings, tuple(rows + below), rules=(len(rows),) if below else ())


def group_table(task: str, systems: Mapping[str, Mapping[str, Figures]], baselines: Mapping[str, Figures]) -> Table:
    """One row a system and group, then one a baseline."""
    lines = [(name, group, figures) for name, groups in systems.items() for group, figures in groups.items()]
    below = [(name, "all", figures) for name, figures in baselines.items()]
    columns = _filled_columns(task, [figures for _, _, figures in lines + below])
    rows = tuple((name, group, *(column.cell(figures) for column in columns)) for name, group, figures in lines + below)
    headings = ("System", "Group", *(column.heading for column in columns))
    return Table(task, headings, rows, rules=(len(lines),) if below else ())


def _filled_columns(task: str, figures: Sequence[Figures]) -> list[ScoreColumn]:
    """The task's columns in which any row has a figure."""
    return [column for column in COLUMNS[task] if any(column.cell(row) is not None for row in figures)]


def usim_table(systems: Mapping[str, UsimScores], baselines: Mapping[str, UsimScores]) -> Table:
    """One row a system, then one a baseline."""
    rows = tuple(
        (name, each.pooled, each.mean, each.within, each.across, each.senses, each.pairs, each.left_out)
        for name, each in [*systems.items(), *baselines.items()]
    )
    headings = ("System", "ρ pooled", "ρ mean of lemmas", "Usim within", "Usim across", "#Cl", "Pairs", "Left out")
    return Table("usim", headings, rows, rules=(len(systems),) if baselines else ())


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

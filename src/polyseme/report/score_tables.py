"""Scores of several systems as one table: figures, trivial baselines and numbers of clusters side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polyseme.evaluate.compare import Comparison
from polyseme.evaluate.result import average
from polyseme.evaluate.usim import UsimScores
from polyseme.report.tables import Cell, Table

Figures = Mapping[str, float]


@dataclass(frozen=True)
class Column:
    """A heading and the figure that stands under it."""

    heading: str
    figure: str

    def cell(self, figures: Figures) -> Cell:
        """The figure, if this row has it; ``a*b`` is the geometric mean of two."""
        first, _, second = self.figure.partition("*")
        if second:
            return average(figures, first, second) if first in figures and second in figures else None
        return figures.get(first)


COLUMNS: dict[str, tuple[Column, ...]] = {
    "semeval-2013": (
        Column("Jaccard F1", "jaccard.f1"),
        Column("Ksim F1", "ksim.f1"),
        Column("WNDCG F1", "wndcg.f1"),
        Column("Fuzzy NMI", "fuzzy_nmi"),
        Column("Fuzzy B-Cubed", "fuzzy_bcubed.f1"),
        Column("AVG", "fuzzy_nmi*fuzzy_bcubed.f1"),
        Column("#Cl", "clusters"),
        Column("#S", "senses"),
    ),
    "semeval-2010": (
        Column("V", "v_measure"),
        Column("Homogeneity", "homogeneity"),
        Column("Completeness", "completeness"),
        Column("Paired F", "paired_f"),
        Column("AVG", "v_measure*paired_f"),
        Column("AMI", "adjusted_mutual_information"),
        Column("B-Cubed", "bcubed.f1"),
        Column("Recall 80/20", "supervised.80_20"),
        Column("Recall 60/40", "supervised.60_40"),
        Column("#Cl", "clusters"),
        Column("#S 80/20", "senses.80_20"),
        Column("#S 60/40", "senses.60_40"),
    ),
    "senseval": (
        Column("Precision", "precision"),
        Column("Recall", "recall"),
        Column("F1", "f1"),
        Column("Attempted", "attempted"),
        Column("#Cl", "clusters"),
    ),
    "jurgens-2012": (
        Column("Detection", "detection"),
        Column("Ranking", "ranking"),
        Column("Perception", "perception"),
        Column("JSS", "jensen_shannon"),
        Column("Recall", "recall"),
        Column("#Cl", "clusters"),
    ),
    "lexsub": (
        Column("Best", "best.recall"),
        Column("Best mode", "best_mode.recall"),
        Column("OOT", "oot.recall"),
        Column("OOT mode", "oot_mode.recall"),
        Column("GAP", "gap"),
        Column("P@1", "p_at_1"),
        Column("P@3", "p_at_3"),
    ),
}
"""What stands beside one another for each task."""


def score_table(task: str, systems: Mapping[str, Figures], baselines: Mapping[str, Figures]) -> Table:
    """One row a system, then one a baseline."""
    columns = _filled(task, [*systems.values(), *baselines.values()])
    rows = [(name, *(column.cell(figures) for column in columns)) for name, figures in systems.items()]
    below = [(name, *(column.cell(figures) for column in columns)) for name, figures in baselines.items()]
    headings = ("System", *(column.heading for column in columns))
    return Table(task, headings, tuple(rows + below), rules=(len(rows),) if below else ())


def group_table(task: str, systems: Mapping[str, Mapping[str, Figures]], baselines: Mapping[str, Figures]) -> Table:
    """One row a system and group, then one a baseline."""
    lines = [(name, group, figures) for name, groups in systems.items() for group, figures in groups.items()]
    below = [(name, "all", figures) for name, figures in baselines.items()]
    columns = _filled(task, [figures for _, _, figures in lines + below])
    rows = tuple((name, group, *(column.cell(figures) for column in columns)) for name, group, figures in lines + below)
    headings = ("System", "Group", *(column.heading for column in columns))
    return Table(task, headings, rows, rules=(len(lines),) if below else ())


def _filled(task: str, figures: Sequence[Figures]) -> list[Column]:
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

"""The columns of tables of scores: a heading, and the figure below it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

COUNT_FIGURES = ("clusters", "senses")
"""Figures that count; more of them is not better."""

ANY_SUFFIX = ".*"
"""The end of a column's figure that stands for all figures with the same beginning."""


@dataclass(frozen=True)
class ScoreColumn:
    """A heading and the figure below it.

    Args:
        heading: The text above the column.
        figure: The name of a figure, as ``jaccard.f1``; ``a*b`` is the geometric mean of two figures. ``sets.*``
            stands for one column for each figure that begins with ``sets.``.
    """

    heading: str
    figure: str

    def cell(self, figures: Mapping[str, float]) -> float | None:
        """Return the figure, or nothing if the row does not have it.

        >>> ScoreColumn("AVG", "fuzzy_nmi*fuzzy_bcubed.f1").cell({"fuzzy_nmi": 0.04, "fuzzy_bcubed.f1": 0.25})
        0.1
        """
        if self.figure in figures:
            return figures[self.figure]
        factors = [figures.get(name) for name in split_figure(self.figure)]
        first, *others = factors
        return None if first is None or not others or others[0] is None else geometric_mean(first, others[0])


def split_figure(figure: str) -> list[str]:
    """Split the name of a geometric mean into the names of its factors.

    >>> split_figure("fuzzy_nmi*fuzzy_bcubed.f1"), split_figure("paired_f")
    (['fuzzy_nmi', 'fuzzy_bcubed.f1'], ['paired_f'])
    """
    return figure.split("*")


def geometric_mean(first: float, second: float) -> float:
    """AVG as the literature quotes it: the geometric mean of two figures, as √(FNMI · FBC); negative ones count 0."""
    return math.sqrt(max(first, 0.0) * max(second, 0.0))

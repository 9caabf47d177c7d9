"""What a protocol found for one system."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from polyseme.scores import Scores

Json = Any


@dataclass(frozen=True)
class TaskResult:
    """The scores of one system under one protocol, by the name of the figure.

    ``regroup`` computes the scores whose units are lemmas anew for some of the usages; scores whose units are usages
    need only be summed up again. ``extra`` holds figures that stand beside the scores in tables.
    """

    scores: Mapping[str, Scores]
    regroup: Callable[[Collection[str]], Mapping[str, Scores]] | None = None
    extra: Mapping[str, float] = field(default_factory=dict)
    absent: tuple[str, ...] = ()
    """Figures of the protocol that could not be computed with what was given."""

    def summary(self) -> dict[str, Json]:
        """The protocol's figures as the command line prints them: a number, or several by name; NaN where undefined."""
        return {name: _plain(scores) for name, scores in self.scores.items()} | dict.fromkeys(self.absent)

    def figures(self) -> dict[str, float]:
        """The same on one level: ``jaccard.f1``, ``fuzzy_nmi``, …"""
        return dict(self._figures()) | dict(self.extra)

    def _figures(self) -> Iterator[tuple[str, float]]:
        for name, scores in self.scores.items():
            total = scores.total()
            for figure, value in total.items():
                yield (name if len(total) == 1 else f"{name}.{figure}"), value

    def by_lemmas(self, groups: Mapping[str, Collection[str]]) -> dict[str, TaskResult]:
        """The result of each named group of lemmas: what was learnt from all, summed up apart."""
        parts = {figure: scores.by_lemma_group(groups) for figure, scores in self.scores.items()}
        return {name: self._with({figure: part[name] for figure, part in parts.items()}) for name in groups}

    def by_usages(self, groups: Mapping[str, Collection[str]]) -> dict[str, TaskResult]:
        """The result of each named group of usages."""
        return {name: self._some(frozenset(usages)) for name, usages in groups.items()}

    def _some(self, usages: frozenset[str]) -> TaskResult:
        anew = self.regroup(usages) if self.regroup else {}
        return self._with(
            {
                figure: anew[figure] if figure in anew else _selected(scores, usages)
                for figure, scores in self.scores.items()
            }
        )

    def _with(self, scores: Mapping[str, Scores]) -> TaskResult:
        return TaskResult(scores, absent=self.absent)


def _selected(scores: Scores, units: Collection[str]) -> Scores:
    return scores.select(np.array([unit in units for unit in scores.units], np.bool_))


def _plain(scores: Scores) -> Json:
    total = scores.total()
    return total["score"] if list(total) == ["score"] else total


def geometric_mean(figures: Mapping[str, float], first: str, second: str) -> float:
    """AVG as the literature quotes it: the geometric mean of two figures, e.g. √(FNMI · FBC).

    >>> geometric_mean({"fuzzy_nmi": 0.04, "fuzzy_bcubed.f1": 0.25}, "fuzzy_nmi", "fuzzy_bcubed.f1")
    0.1
    """
    return math.sqrt(max(figures[first], 0.0) * max(figures[second], 0.0))

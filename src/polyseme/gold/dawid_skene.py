"""A model of annotators who choose: how often each says what of which true class."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from polyseme.agreement.judgements import Judgements
from polyseme.arrays import Floats
from polyseme.gold.estimates import AnnotatorEstimate, AnnotatorFigure, ItemEstimates
from polyseme.gold.expectation_maximisation import (
    Convergence,
    FittedEmissions,
    build_incidence,
    estimate_items,
    maximise_expectation,
)
from polyseme.parts import check_options, check_ranges

Z_95 = 1.96


@dataclass(frozen=True)
class DawidSkene:
    """The true classes of items from annotators with a table of confusions each. (Dawid & Skene 1979)

    An item has one of the values that occur, as *chosen* and *not chosen* of WSbest; annotator j says l of an item of
    class k with probability θ_j(l | k). Nothing is assumed of the order of the values: for ratings on a scale
    :class:`~polyseme.gold.graded_response.GradedResponse` knows more. An item's value is the mean of its posterior, so
    for choices the probability that the sense is one to be chosen. Each annotator's table is drawn towards that of all
    together, which counts as many judgements of each class as ``smoothing`` says.
    """

    smoothing: float = 4.0
    rounds: int = 200
    tolerance: float = 0.001
    kind: ClassVar[str] = "annotators"

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, smoothing=(1e-3, math.inf), rounds=(1, math.inf), tolerance=(0, 1))

    def fit(self, judgements: Judgements) -> ItemEstimates:
        """The values of the items, and of each annotator how often a value is said of an item that has it."""
        return estimate_items(judgements, self._fitted)

    def _fitted(self, judgements: Judgements) -> tuple[FittedEmissions, Floats]:
        values = judgements.levels
        given = build_incidence(judgements, judgements.level, len(values))
        people, levels = len(judgements.annotators), len(values)
        votes = given @ np.tile(np.eye(levels), (people, 1)) + 1 / levels
        votes /= votes.sum(axis=1, keepdims=True)
        counts = (given.T.tocsr() @ votes).reshape(people, levels, levels)
        empty = np.full((people, levels, levels), 1 / levels)
        prior = votes.mean(axis=0)
        start = _Confusions(values, empty, np.zeros((people, levels)), self.smoothing).learnt(counts, prior)
        steps = Convergence(self.rounds, self.tolerance * float(values[-1] - values[0]), smoothing=1.0)
        return maximise_expectation(given, start, prior, values, steps), values


@dataclass(frozen=True, eq=False)
class _Confusions:
    """P(said | true class) of each annotator, and of how many judgements of each class it was learnt."""

    values: Floats
    table: Floats
    seen: Floats
    smoothing: float

    def learnt(self, counts: Floats, prior: Floats) -> _Confusions:
        del prior
        together = counts.sum(axis=0) + 1 / len(self.values)
        together /= together.sum(axis=0, keepdims=True)
        smoothed = counts + self.smoothing * together
        return replace(self, table=smoothed / smoothed.sum(axis=1, keepdims=True), seen=smoothed.sum(axis=1))

    def annotator(self, number: int, name: str, judged: int) -> AnnotatorEstimate:
        right, seen = np.diag(self.table[number]), self.seen[number]
        figures = {
            f"says {value:g} of {value:g}": _wilson_interval(share, count)
            for value, share, count in zip(self.values.tolist(), right.tolist(), seen.tolist(), strict=True)
        }
        return AnnotatorEstimate(name, judged, figures)


def _wilson_interval(share: float, count: float) -> AnnotatorFigure:
    """A share with Wilson's interval. (Wilson 1927)"""
    middle = (share + Z_95**2 / (2 * count)) / (1 + Z_95**2 / count)
    half = Z_95 / (1 + Z_95**2 / count) * math.sqrt(share * (1 - share) / count + Z_95**2 / (4 * count**2))
    return AnnotatorFigure(share, middle - half, middle + half)

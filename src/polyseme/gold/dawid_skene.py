"""A model of annotators who choose: how often each gives which label to which true class."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from polyseme.agreement.judgements import Judgements
from polyseme.arrays import Floats
from polyseme.gold.estimates import Z_95, AnnotatorFigure, ItemEstimates
from polyseme.gold.expectation_maximisation import (
    Convergence,
    FittedEmissions,
    build_incidence,
    estimate_items,
    maximise_expectation,
)
from polyseme.parts import check_options, check_ranges


@dataclass(frozen=True)
class DawidSkene:
    """The true classes of items, estimated with a confusion matrix for each annotator. (Dawid & Skene 1979)

    An item has one of the values that occur, such as *chosen* and *not chosen* of WSbest. Annotator j gives the label l
    to an item of class k with probability θ_j(l | k). The model ignores the order of the values; for ratings on a
    scale, :class:`~polyseme.gold.graded_response.GradedResponse` uses it. An item's value is the mean of its posterior:
    for choices, the probability that the sense is to be chosen.

    Args:
        smoothing: Each annotator's table is shrunk towards the common one; this is how many judgements of each class
            the common one counts as.
        rounds: The greatest number of rounds of fitting.
        tolerance: The fit has converged if no value changes by more, as a share of the scale.
    """

    smoothing: float = 4.0
    rounds: int = 200
    tolerance: float = 0.001
    kind: ClassVar[str] = "annotators"

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, smoothing=(1e-3, math.inf), rounds=(1, math.inf), tolerance=(0, 1))

    def fit(self, judgements: Judgements) -> ItemEstimates:
        """Estimate the values of items, and how often each annotator gives a value to items that have it."""
        return estimate_items(judgements, self._fit_emissions)

    def _fit_emissions(self, judgements: Judgements) -> tuple[FittedEmissions, Floats]:
        values = judgements.levels
        incidence = build_incidence(judgements, judgements.level, len(values))
        people, levels = len(judgements.annotators), len(values)
        votes = incidence @ np.tile(np.eye(levels), (people, 1)) + 1 / levels
        votes /= votes.sum(axis=1, keepdims=True)
        counts = (incidence.T.tocsr() @ votes).reshape(people, levels, levels)
        prior = votes.mean(axis=0)
        start = _Confusions(values, self.smoothing, counts, counts[:, 0]).update(counts, prior)
        convergence = Convergence(self.rounds, self.tolerance * float(values[-1] - values[0]), smoothing=1.0)
        return maximise_expectation(incidence, start, prior, values, convergence), values


@dataclass(frozen=True, eq=False)
class _Confusions:
    """P(label | true class) of each annotator, and the number of judgements of each class."""

    values: Floats
    smoothing: float
    table: Floats
    judged: Floats

    def update(self, counts: Floats, prior: Floats) -> _Confusions:
        del prior
        common = counts.sum(axis=0) + 1 / len(self.values)
        common /= common.sum(axis=0, keepdims=True)
        smoothed = counts + self.smoothing * common
        return replace(self, table=smoothed / smoothed.sum(axis=1, keepdims=True), judged=smoothed.sum(axis=1))

    def figures(self, annotator: int) -> dict[str, AnnotatorFigure]:
        columns = (self.values, np.diag(self.table[annotator]), self.judged[annotator])
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return {f"says {value:g} of {value:g}": _wilson_interval(share, count) for value, share, count in rows}


def _wilson_interval(share: float, count: float) -> AnnotatorFigure:
    """Return a share with Wilson's interval. (Wilson 1927)"""
    middle = (share + Z_95**2 / (2 * count)) / (1 + Z_95**2 / count)
    half = Z_95 / (1 + Z_95**2 / count) * math.sqrt(share * (1 - share) / count + Z_95**2 / (4 * count**2))
    return AnnotatorFigure(share, middle - half, middle + half)

"""Simulations of what a study saves and loses if it skips implied pairs of usages."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from polyseme.agreement.correlation import correlate_ranks
from polyseme.agreement.implied_pairs import (
    DEFAULT_ORDER,
    DEFAULT_RULE,
    PairOrder,
    RatingBounds,
    SkipRule,
    group_pairs_by_lemma,
    list_pair_usages,
    mean_pair_ratings,
    random_priorities,
)
from polyseme.agreement.judgements import RATING_TOLERANCE
from polyseme.arrays import Bools, Floats
from polyseme.rating import WSSIM, Scale
from polyseme.usage import UsagePair


class PairSaving(NamedTuple):
    """What a study saves and loses by skipping pairs: means over runs with different random orders.

    Args:
        name: A lemma, or ``all``.
        pairs: The number of pairs.
        answered: How many of them are asked; the others are filled in.
        error: The mean absolute error of the pairs that are filled in.
        error_of_mean: The same error if the mean of the lemma's ratings were filled in.
        within: The share of filled-in pairs whose true rating lies between their bounds.
        rho: Spearman's ρ of completed and full ratings, pooled over lemmas.
        runs: The number of runs.
        reason: Why a figure is undefined.
    """

    name: str
    pairs: int = 0
    answered: float = 0.0
    error: float = math.nan
    error_of_mean: float = math.nan
    within: float = math.nan
    rho: float = math.nan
    runs: int = 0
    reason: str = ""

    @property
    def share(self) -> float:
        """The share of pairs that is skipped."""
        return 1 - self.answered / self.pairs if self.pairs else math.nan

    def to_json(self) -> dict[str, Any]:
        """Return plain values for JSON, where the number of pairs that are asked is called ``asked``."""
        return {"asked" if name == "answered" else name: value for name, value in self._asdict().items()}


@dataclass(frozen=True)
class SavingSimulation:
    """What a rule saves on full ratings.

    Args:
        rule: Which pairs are skipped.
        order: The order in which pairs are asked.
        total: The saving over all lemmas.
        lemmas: The saving of each lemma.
    """

    rule: SkipRule
    order: PairOrder
    total: PairSaving
    lemmas: tuple[PairSaving, ...]


class _SimulatedStudy(NamedTuple):
    """The pairs of one or several lemmas after one simulated study.

    Args:
        true: The rating of each pair in the full study.
        completed: Its rating in the simulated study, which is filled in if the pair is skipped.
        mean: The mean of the ratings of the same lemma that are asked.
        answered: Whether the pair is asked.
        within: Whether the true rating lies between the bounds.
    """

    true: Floats
    completed: Floats
    mean: Floats
    answered: Bools
    within: Bools


def simulate_savings(
    pairs: Iterable[UsagePair],
    rule: SkipRule = DEFAULT_RULE,
    order: PairOrder = DEFAULT_ORDER,
    scale: Scale = WSSIM,
    fill: float = 0.5,
    runs: int = 10,
    seed: int = 0,
) -> SavingSimulation:
    """Ask the pairs of a full study one by one, skip implied pairs, and compare with the full ratings.

    Args:
        pairs: The rated pairs of the full study.
        rule: Which pairs are skipped.
        order: The order in which pairs are asked.
        scale: The scale of the ratings.
        fill: What is filled in for a skipped pair: 0 the lowest possible rating, 1 the highest, 0.5 the middle.
        runs: The number of runs, each with another random order of usages and pairs.
        seed: The random seed.

    >>> full = [UsagePair("win.v", *pair, 5) for pair in ("ab", "ac", "ad", "bc", "bd", "cd")]
    >>> simulate_savings(full).total.share, simulate_savings(full).total.error
    (0.5, 0.5)
    """
    matrices = {lemma: _rating_matrix(rows, scale) for lemma, rows in group_pairs_by_lemma(pairs).items()}
    matrices = {lemma: ratings for lemma, ratings in matrices.items() if not np.isnan(ratings).all()}
    studies = {
        lemma: [_simulate_study(ratings, rule, order, scale, fill, [seed, run, number]) for run in range(runs)]
        for number, (lemma, ratings) in enumerate(matrices.items())
    }
    # All lemmas of one run together, so that ρ is pooled over them.
    pooled = [_join_studies(run) for run in zip(*studies.values(), strict=True)]
    lemmas = tuple(_average_saving(lemma, runs) for lemma, runs in studies.items())
    return SavingSimulation(rule, order, _average_saving("all", pooled), lemmas)


def _rating_matrix(pairs: Sequence[UsagePair], scale: Scale) -> Floats:
    """Return usages × usages: the ratings; NaN where there is none."""
    number = {usage: row for row, usage in enumerate(list_pair_usages(pairs))}
    matrix = np.full((len(number), len(number)), math.nan)
    for (first, second), rating in mean_pair_ratings(number, pairs, scale).items():
        matrix[first, second] = matrix[second, first] = rating
    return matrix


def _simulate_study(
    ratings: Floats, rule: SkipRule, order: PairOrder, scale: Scale, fill: float, seed: Sequence[int]
) -> _SimulatedStudy:
    """Simulate one study of one lemma: ask until all rated pairs are answered or implied."""
    bounds, priority = RatingBounds(len(ratings), scale), random_priorities(len(ratings), seed)
    rated = ~np.isnan(ratings)
    while (open_ := rated & ~bounds.answered & ~bounds.implied(rule)).any():
        first, second = order.next(open_, bounds.answered, priority)
        bounds.add_rating(first, second, float(ratings[first, second]))
    rows, columns = np.nonzero(np.triu(rated))
    lowest, highest = (side[rows, columns] for side in bounds.ratings())
    true, answered = ratings[rows, columns], bounds.answered[rows, columns]
    completed = np.where(answered, true, lowest + fill * (highest - lowest))
    within = (true >= lowest - RATING_TOLERANCE) & (true <= highest + RATING_TOLERANCE)
    return _SimulatedStudy(true, completed, np.full(len(true), true[answered].mean()), answered, within)


def _join_studies(studies: Iterable[_SimulatedStudy]) -> _SimulatedStudy:
    return _SimulatedStudy(*map(np.concatenate, zip(*studies, strict=True)))


def _average_saving(name: str, runs: Sequence[_SimulatedStudy]) -> PairSaving:
    """Average over runs, each of one lemma or of several."""
    if not runs:
        return PairSaving(name, reason="no pair has a rating")
    study = _join_studies(runs)
    columns = (np.abs(study.true - study.completed), np.abs(study.true - study.mean), study.within)
    skipped = ~study.answered
    error, error_of_mean, within = (float(c[skipped].mean()) if skipped.any() else math.nan for c in columns)
    names = ("the full study", "the completed one")
    correlations = [correlate_ranks(run.true, run.completed, names) for run in runs]
    reasons = ["no pair could be skipped"] * (not skipped.any()) + [c.reason for c in correlations if c.reason][:1]
    rho = float(np.mean([correlation.rho for correlation in correlations]))
    pairs, answered, reason = len(runs[0].true), int(study.answered.sum()) / len(runs), "; ".join(reasons)
    return PairSaving(name, pairs, answered, error, error_of_mean, within, rho, len(runs), reason)

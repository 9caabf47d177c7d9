"""What a study would have saved, and lost, by leaving out pairs of usages: simulated on full ratings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from polyseme.agreement.implied_pairs import (
    DEFAULT_ORDER,
    DEFAULT_RULE,
    RATING_TOLERANCE,
    PairOrder,
    RatingBounds,
    SkipRule,
    group_pairs_by_lemma,
    list_pair_usages,
    mean_pair_ratings,
    random_priorities,
)
from polyseme.agreement.rank_correlation import Correlation, correlate_ranks
from polyseme.arrays import Bools, Floats
from polyseme.rating import WSSIM, Scale
from polyseme.usage import UsagePair


class PairSaving(NamedTuple):
    """What leaving out pairs would have saved and cost, of a lemma or of all: means over ``runs`` orders of asking.

    ``asked`` of the ``pairs`` were asked, the others filled in. These are off by ``error`` on the mean; had the mean of
    the ratings that were asked of the lemma been filled in, they would be off by ``error_of_mean``. ``within`` is the
    share of them that lie between their bounds; ``rho`` is Spearman's ρ of the completed ratings with the full ones,
    pooled over lemmas in the total.
    """

    name: str
    pairs: int = 0
    asked: float = 0.0
    error: float = math.nan
    error_of_mean: float = math.nan
    within: float = math.nan
    rho: float = math.nan
    runs: int = 0
    reason: str = ""

    @property
    def share(self) -> float:
        """The share of pairs that was not asked."""
        return 1 - self.asked / self.pairs if self.pairs else math.nan


@dataclass(frozen=True)
class SavingSimulation:
    """What a rule would have saved on full ratings, over all lemmas and for each."""

    rule: SkipRule
    order: PairOrder
    total: PairSaving
    lemmas: tuple[PairSaving, ...]


class _SimulatedStudy(NamedTuple):
    """The pairs of a lemma after one simulated study: true and completed ratings, and which were asked."""

    true: Floats
    completed: Floats
    asked: Bools
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
    """Ask the pairs of a full study one by one, leave out those that are implied, and compare with the truth.

    ``fill`` says what is filled in for a pair that is left out: 0 the lowest rating it can have, 1 the highest, 0.5 the
    middle. Each run draws another random order of usages and pairs.

    >>> full = [UsagePair("win.v", *pair, 5) for pair in ("ab", "ac", "ad", "bc", "bd", "cd")]
    >>> simulate_savings(full).total.share, simulate_savings(full).total.error
    (0.5, 0.5)
    """
    lemmas = {lemma: _rating_matrix(of_lemma, scale) for lemma, of_lemma in group_pairs_by_lemma(pairs).items()}
    lemmas = {lemma: full for lemma, full in lemmas.items() if not np.isnan(full).all()}
    done = {
        lemma: [_simulate_study(full, rule, order, scale, fill, [seed, run, place]) for run in range(runs)]
        for place, (lemma, full) in enumerate(lemmas.items())
    }
    # Of one run all lemmas together, so that ρ is pooled over them.
    pooled = [[each[run] for each in done.values()] for run in range(runs)] if done else []
    each = tuple(_average_saving(lemma, [[run] for run in of_lemma]) for lemma, of_lemma in done.items())
    return SavingSimulation(rule, order, _average_saving("all", pooled), each)


def _rating_matrix(pairs: Sequence[UsagePair], scale: Scale) -> Floats:
    """Usages × usages: the ratings; not a number where there is none."""
    number = {usage: place for place, usage in enumerate(dict.fromkeys(list_pair_usages(pairs)))}
    made = np.full((len(number), len(number)), math.nan)
    for (one, two), rating in mean_pair_ratings(number, pairs, scale).items():
        made[one, two] = made[two, one] = rating
    return made


def _simulate_study(
    full: Floats, rule: SkipRule, order: PairOrder, scale: Scale, fill: float, seed: Sequence[int]
) -> _SimulatedStudy:
    """One study of one lemma: ask until all pairs that have a rating are asked or implied."""
    bounds, lot = RatingBounds(len(full), scale), random_priorities(len(full), seed)
    there = ~np.isnan(full)
    while (open_ := there & ~bounds.asked & ~bounds.implied(rule)).any():
        one, two = order.next(open_, bounds.asked, lot)
        bounds.tell(one, two, float(full[one, two]))
    rows, columns = np.nonzero(np.triu(there))
    lowest, highest = (side[rows, columns] for side in bounds.ratings())
    true, asked = full[rows, columns], bounds.asked[rows, columns]
    completed = np.where(asked, true, lowest + fill * (highest - lowest))
    return _SimulatedStudy(
        true, completed, asked, (true >= lowest - RATING_TOLERANCE) & (true <= highest + RATING_TOLERANCE)
    )


def _average_saving(name: str, runs: Sequence[Sequence[_SimulatedStudy]]) -> PairSaving:
    """The mean over runs, each of which is of one lemma or of several."""
    if not runs:
        return PairSaving(name, reason="no pair has a rating")
    parts = [part for run in runs for part in run]
    columns = (
        [np.abs(part.true - part.completed) for part in parts],
        [np.abs(part.true - part.true[part.asked].mean()) for part in parts],
        [part.within for part in parts],
    )
    error, of_mean, within = (_mean_of_skipped(column, parts) for column in columns)
    found = [_correlate_completed(run) for run in runs]
    reasons = ["no pair could be left out"] * math.isnan(error) + [each.reason for each in found if each.reason][:1]
    return PairSaving(
        name,
        sum(len(part.true) for part in runs[0]),
        sum(int(part.asked.sum()) for part in parts) / len(runs),
        error,
        of_mean,
        within,
        float(np.mean([each.rho for each in found])),
        len(runs),
        "; ".join(reasons),
    )


def _correlate_completed(run: Sequence[_SimulatedStudy]) -> Correlation:
    true, completed = (np.concatenate(column) for column in list(zip(*run, strict=True))[:2])
    return correlate_ranks(true, completed, ("the full study", "the completed one"))


def _mean_of_skipped(column: Sequence[Floats | Bools], parts: Sequence[_SimulatedStudy]) -> float:
    """The mean of what is said of the pairs that were not asked; not a number if all were."""
    found = np.concatenate([each[~part.asked] for each, part in zip(column, parts, strict=True)])
    return float(found.mean()) if len(found) else math.nan

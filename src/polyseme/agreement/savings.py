"""What a study would have saved, and lost, by leaving out pairs of usages: simulated on full ratings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from polyseme.agreement._ranks import Correlation, spearman
from polyseme.agreement.implied import CLOSE, HUBS, NEAR, Bounds, Order, Rule, by_lemma, lots, settled, usages_of
from polyseme.arrays import Bools, Floats
from polyseme.rating import WSSIM, Scale
from polyseme.usage import UsagePair


class Saving(NamedTuple):
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
class Simulation:
    """What a rule would have saved on full ratings, over all lemmas and for each."""

    rule: Rule
    order: Order
    total: Saving
    lemmas: tuple[Saving, ...]


class _Run(NamedTuple):
    """The pairs of a lemma after one simulated study: true and completed ratings, and which were asked."""

    true: Floats
    completed: Floats
    asked: Bools
    within: Bools


def simulated(
    pairs: Iterable[UsagePair],
    rule: Rule = CLOSE,
    order: Order = HUBS,
    scale: Scale = WSSIM,
    fill: float = 0.5,
    runs: int = 10,
    seed: int = 0,
) -> Simulation:
    """Ask the pairs of a full study one by one, leave out those that are implied, and compare with the truth.

    ``fill`` says what is filled in for a pair that is left out: 0 the lowest rating it can have, 1 the highest, 0.5 the
    middle. Each run draws another random order of usages and pairs.

    >>> full = [UsagePair("win.v", *pair, 5) for pair in ("ab", "ac", "ad", "bc", "bd", "cd")]
    >>> simulated(full).total.share, simulated(full).total.error
    (0.5, 0.5)
    """
    lemmas = {lemma: _full(of_lemma, scale) for lemma, of_lemma in by_lemma(pairs).items()}
    lemmas = {lemma: full for lemma, full in lemmas.items() if not np.isnan(full).all()}
    done = {
        lemma: [_run(full, rule, order, scale, fill, [seed, run, place]) for run in range(runs)]
        for place, (lemma, full) in enumerate(lemmas.items())
    }
    # Of one run all lemmas together, so that ρ is pooled over them.
    pooled = [[each[run] for each in done.values()] for run in range(runs)] if done else []
    each = tuple(_saving(lemma, [[run] for run in of_lemma]) for lemma, of_lemma in done.items())
    return Simulation(rule, order, _saving("all", pooled), each)


def _full(pairs: Sequence[UsagePair], scale: Scale) -> Floats:
    """Usages × usages: the ratings; not a number where there is none."""
    number = {usage: place for place, usage in enumerate(dict.fromkeys(usages_of(pairs)))}
    made = np.full((len(number), len(number)), math.nan)
    for (one, two), rating in settled(number, pairs, scale).items():
        made[one, two] = made[two, one] = rating
    return made


def _run(full: Floats, rule: Rule, order: Order, scale: Scale, fill: float, seed: Sequence[int]) -> _Run:
    """One study of one lemma: ask until all pairs that have a rating are asked or implied."""
    bounds, lot = Bounds(len(full), scale), lots(len(full), seed)
    there = ~np.isnan(full)
    while (open_ := there & ~bounds.asked & ~bounds.implied(rule)).any():
        one, two = order.next(open_, bounds.asked, lot)
        bounds.tell(one, two, float(full[one, two]))
    rows, columns = np.nonzero(np.triu(there))
    lowest, highest = (side[rows, columns] for side in bounds.ratings())
    true, asked = full[rows, columns], bounds.asked[rows, columns]
    completed = np.where(asked, true, lowest + fill * (highest - lowest))
    return _Run(true, completed, asked, (true >= lowest - NEAR) & (true <= highest + NEAR))


def _saving(name: str, runs: Sequence[Sequence[_Run]]) -> Saving:
    """The mean over runs, each of which is of one lemma or of several."""
    if not runs:
        return Saving(name, reason="no pair has a rating")
    parts = [part for run in runs for part in run]
    columns = (
        [np.abs(part.true - part.completed) for part in parts],
        [np.abs(part.true - part.true[part.asked].mean()) for part in parts],
        [part.within for part in parts],
    )
    error, of_mean, within = (_mean_of_left_out(column, parts) for column in columns)
    found = [_rho(run) for run in runs]
    reasons = ["no pair could be left out"] * math.isnan(error) + [each.reason for each in found if each.reason][:1]
    return Saving(
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


def _rho(run: Sequence[_Run]) -> Correlation:
    true, completed = (np.concatenate(column) for column in list(zip(*run, strict=True))[:2])
    return spearman(true, completed, ("the full study", "the completed one"))


def _mean_of_left_out(column: Sequence[Floats | Bools], parts: Sequence[_Run]) -> float:
    """The mean of what is said of the pairs that were not asked; not a number if all were."""
    found = np.concatenate([each[~part.asked] for each, part in zip(column, parts, strict=True)])
    return float(found.mean()) if len(found) else math.nan

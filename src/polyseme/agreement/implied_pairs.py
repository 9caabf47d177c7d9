"""Which pairs of usages a study need not ask, because what is known of others bounds them, and which to ask next.

With d = highest + 1 − rating, two sides of a triple bound the third: |d(a, b) − d(b, c)| ≤ d(a, c) ≤ d(a, b) + d(b, c).
(Erk, McCarthy & Gaylord 2013, §4.3)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from polyseme.arrays import Bools, Floats, Ints
from polyseme.errors import InputError
from polyseme.rating import WSSIM, Scale
from polyseme.usage import UsagePair

RATING_TOLERANCE = 1e-9


class SkipRule(Protocol):
    """When a pair need not be asked, given the lowest and the highest rating it can have."""

    def skips(self, lowest: Floats, highest: Floats) -> Bools:
        """Whether so much is known of a pair that it need not be asked."""


@dataclass(frozen=True)
class Close:
    """Leave out pairs that must be similar: two usages that are both close to a third. (Erk et al. 2013)

    Two pairs with the highest rating bound the third to one less: 4 on a scale to 5, 3 on one to 4.

    >>> Close(4).skips(np.array([3.0, 4.0]), np.array([5.0, 5.0])).tolist()
    [False, True]
    """

    rating: float = 4

    def __str__(self) -> str:
        return f"must be {self.rating:g} or higher"

    def skips(self, lowest: Floats, highest: Floats) -> Bools:
        """Whether the rating must be this or higher."""
        return np.asarray(lowest >= self.rating - RATING_TOLERANCE)


@dataclass(frozen=True)
class Narrow:
    """Leave out pairs whose rating is known within a width: those of :class:`Close`, and those that must be far apart.

    A usage is as far from another as one that is identical with it: 5 and 1 leave 1 or 2 for the third pair.

    >>> Narrow(1).skips(np.array([1.0, 1.0]), np.array([2.0, 5.0])).tolist()
    [True, False]
    """

    width: float = 1

    def __str__(self) -> str:
        return f"known within {self.width:g}"

    def skips(self, lowest: Floats, highest: Floats) -> Bools:
        """Whether the highest possible rating is at most so far above the lowest."""
        return np.asarray(highest - lowest <= self.width + RATING_TOLERANCE)


# -- what is known of the pairs of one lemma -------------------------------------------------------------------------


class RatingBounds:
    """What the pairs asked so far say of the others; usages are numbered.

    Bounds come from triples of two pairs that were *asked*, not from pairs that were filled in: else errors add up.
    """

    def __init__(self, usages: int, scale: Scale) -> None:
        self.top = scale.highest + 1
        self.distance = np.full((usages, usages), math.nan)
        self.asked = np.eye(usages, dtype=bool)
        self.least = np.full((usages, usages), 1.0)
        self.most = np.full((usages, usages), float(scale.highest - scale.lowest + 1))

    def tell(self, one: int, two: int, rating: float) -> None:
        """Take in the rating of a pair; one that could not be decided is asked, and bounds nothing."""
        self.asked[one, two] = self.asked[two, one] = True
        if math.isnan(rating):
            return
        side = self.top - rating
        self.distance[one, two] = self.distance[two, one] = side
        for here, there in ((one, two), (two, one)):
            known = ~np.isnan(self.distance[here])
            known[there] = False
            self._bound(there, np.flatnonzero(known), side, self.distance[here, known])

    def _bound(self, usage: int, others: Ints, side: float, sides: Floats) -> None:
        least = np.maximum(self.least[usage, others], np.abs(side - sides))
        most = np.minimum(self.most[usage, others], side + sides)
        self.least[usage, others] = self.least[others, usage] = least
        self.most[usage, others] = self.most[others, usage] = most

    def ratings(self) -> tuple[Floats, Floats]:
        """The lowest and the highest rating that each pair can have."""
        return self.top - self.most, self.top - self.least

    def implied(self, rule: SkipRule) -> Bools:
        """The pairs that need not be asked. Where ratings contradict one another, nothing is implied."""
        lowest, highest = self.ratings()
        return rule.skips(lowest, highest) & (lowest <= highest + RATING_TOLERANCE) & ~self.asked


class PairOrder(Protocol):
    """Which of the open pairs is asked next."""

    def next(self, open_: Bools, asked: Bools, lot: Floats) -> tuple[int, int]:
        """Two usages, by their numbers; ``lot`` holds a random number for each pair, and on its diagonal each usage."""


@dataclass(frozen=True)
class AtRandom:
    """Ask the pairs in a random order, as studies do that know of no bounds."""

    def __str__(self) -> str:
        return "at random"

    def next(self, open_: Bools, asked: Bools, lot: Floats) -> tuple[int, int]:
        """The open pair with the smallest lot."""
        one, two = divmod(int(np.where(open_, lot, np.inf).argmin()), len(lot))
        return one, two


@dataclass(frozen=True)
class HubsFirst:
    """Compare one usage with all others, then another: those close to the first are then known to be close together.

    The next pair is one of the usage with most pairs asked, among those that have open ones.
    """

    def __str__(self) -> str:
        return "one usage after the other"

    def next(self, open_: Bools, asked: Bools, lot: Floats) -> tuple[int, int]:
        """The open pair of the hub whose other usage has most open pairs."""
        left = open_.sum(1)
        hub = int(np.lexsort((lot.diagonal(), -left, -np.where(left > 0, asked.sum(1), -1)))[0])
        return hub, int(np.lexsort((lot[hub], -left, ~open_[hub]))[0])


def random_priorities(usages: int, seed: Sequence[int]) -> Floats:
    """A random number for each pair, the same in either order, and for each usage."""
    drawn = np.triu(np.random.default_rng(seed).random((usages, usages)))
    return drawn + np.triu(drawn, 1).T


DEFAULT_RULE = Close(4)
"""The paper's rule on its scale from 1 to 5: two pairs that are identical bound the third to 4 or 5."""
DEFAULT_ORDER = HubsFirst()


# -- for a study that is under way -----------------------------------------------------------------------------------


class ImpliedPair(NamedTuple):
    """A pair that need not be asked: between which ratings it must lie, and because of which usages."""

    lemma: str
    first: str
    second: str
    lowest: float
    highest: float
    through: tuple[str, ...]

    @property
    def middle(self) -> float:
        """The rating to fill in, half way between the bounds."""
        return (self.lowest + self.highest) / 2


def find_implied_pairs(
    judged: Iterable[UsagePair],
    rule: SkipRule = DEFAULT_RULE,
    scale: Scale = WSSIM,
    usages: Mapping[str, Sequence[str]] | None = None,
) -> tuple[ImpliedPair, ...]:
    """The pairs that need not be asked given those judged so far, of all lemmas.

    ``usages`` has those of each lemma that are asked about; without it, all that were judged. Of several ratings of a
    pair the mean counts; one that could not be decided bounds nothing, and is not implied either.

    >>> judged = [UsagePair("win.v", "a", "b", 5), UsagePair("win.v", "b", "c", 5), UsagePair("win.v", "c", "d", 2)]
    >>> find_implied_pairs(judged)
    (Implied(lemma='win.v', first='a', second='c', lowest=4.0, highest=5.0, through=('b',)),)
    """
    found: list[ImpliedPair] = []
    for lemma, pairs in group_pairs_by_lemma(judged).items():
        wanted = list(dict.fromkeys((usages or {}).get(lemma, ()))) or list(dict.fromkeys(list_pair_usages(pairs)))
        names, bounds = _bound_pairs(wanted, pairs, scale)
        rows, columns = np.nonzero(np.triu(bounds.implied(rule))[: len(wanted), : len(wanted)])
        lowest, highest = bounds.ratings()
        for one, two in zip(rows.tolist(), columns.tolist(), strict=True):
            through = tuple(names[number] for number in _bounding_usages(bounds.distance, one, two))
            ends = float(lowest[one, two]), float(highest[one, two])
            found.append(ImpliedPair(lemma, names[one], names[two], *ends, through))
    return tuple(found)


def choose_next_pair(
    usages: Sequence[str],
    judged: Iterable[UsagePair],
    rule: SkipRule = DEFAULT_RULE,
    order: PairOrder = DEFAULT_ORDER,
    scale: Scale = WSSIM,
    seed: int = 0,
) -> tuple[str, str] | None:
    """The pair of usages of one lemma that is to be asked next; none when all are judged or implied.

    >>> choose_next_pair(["a", "b", "c"], [UsagePair("win.v", "a", "b", 5), UsagePair("win.v", "b", "c", 5)]) is None
    True
    """
    pairs = list(judged)
    if len(lemmas := dict.fromkeys(pair.lemma for pair in pairs)) > 1:
        raise InputError(f"the pairs are of several lemmas ({', '.join(lemmas)}); give those of one")
    wanted = list(dict.fromkeys(usages))
    names, bounds = _bound_pairs(wanted, pairs, scale)
    open_ = ~bounds.asked & ~bounds.implied(rule)
    open_[len(wanted) :], open_[:, len(wanted) :] = False, False
    if not open_.any():
        return None
    one, two = order.next(open_, bounds.asked, random_priorities(len(names), [seed]))
    return names[one], names[two]


def group_pairs_by_lemma(pairs: Iterable[UsagePair]) -> dict[str, list[UsagePair]]:
    """The pairs of each lemma; a usage beside itself is not one."""
    found: dict[str, list[UsagePair]] = {}
    for pair in pairs:
        if pair.first != pair.second:
            found.setdefault(pair.lemma, []).append(pair)
    return found


def list_pair_usages(pairs: Sequence[UsagePair]) -> Iterable[str]:
    """The usages that pairs are made of, as they come."""
    return (usage for pair in pairs for usage in (pair.first, pair.second))


def _bound_pairs(
    wanted: Sequence[str], pairs: Sequence[UsagePair], scale: Scale
) -> tuple[tuple[str, ...], RatingBounds]:
    """The usages, those wanted first, and what is known of their pairs."""
    number = {usage: place for place, usage in enumerate(dict.fromkeys([*wanted, *list_pair_usages(pairs)]))}
    bounds = RatingBounds(len(number), scale)
    for (one, two), rating in mean_pair_ratings(number, pairs, scale).items():
        bounds.tell(one, two, rating)
    return tuple(number), bounds


def mean_pair_ratings(
    number: Mapping[str, int], pairs: Sequence[UsagePair], scale: Scale
) -> dict[tuple[int, int], float]:
    """The mean rating of each pair; not a number if nobody could decide."""
    said: dict[tuple[int, int], list[float]] = {}
    for pair in pairs:
        if pair.similarity < scale.lowest or pair.similarity > scale.highest:
            problem = f"the rating {pair.similarity:g} of {pair.first} and {pair.second} is not on the scale"
            raise InputError(f"{problem} from {scale.lowest} to {scale.highest}; give the scale of these ratings")
        one, two = sorted((number[pair.first], number[pair.second]))
        said.setdefault((one, two), []).append(pair.similarity)
    decided = {place: [value for value in values if not math.isnan(value)] for place, values in said.items()}
    return {place: math.fsum(values) / len(values) if values else math.nan for place, values in decided.items()}


def _bounding_usages(distance: Floats, one: int, two: int) -> list[int]:
    """The usages whose triples bound a pair: one from below, one from above, often the same."""
    sums, differences = distance[one] + distance[two], np.abs(distance[one] - distance[two])
    best = int(np.nanargmin(sums))
    if np.nanmax(differences) <= max(1.0, differences[best]):
        return [best]
    return list(dict.fromkeys([best, int(np.nanargmax(differences))]))

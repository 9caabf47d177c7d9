"""Pairs of usages that a study can skip because other ratings bound them, and the pair to ask next.

With d = highest + 1 − rating, two sides of a triple bound the third: |d(a, b) − d(b, c)| ≤ d(a, c) ≤ d(a, b) + d(b, c).
(Erk, McCarthy & Gaylord 2013, §4.3)
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from polyseme.agreement.grouping import group_by
from polyseme.agreement.judgements import RATING_TOLERANCE
from polyseme.arrays import Bools, Floats
from polyseme.errors import InputError
from polyseme.rating import WSSIM, Scale
from polyseme.usage import UsagePair


class SkipRule(Protocol):
    """Decides which pairs a study can skip, from the lowest and the highest rating that they can have."""

    def skips(self, lowest: Floats, highest: Floats) -> Bools:
        """Whether each pair can be skipped."""


@dataclass(frozen=True)
class Close:
    """Skips pairs that must be similar: two usages that are both close to a third. (Erk et al. 2013)

    Two pairs with the highest rating bound the third to one less: 4 on a scale to 5, 3 on a scale to 4.

    Args:
        rating: The lowest rating of a skipped pair.

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
    """Skips pairs whose rating is bounded within a width: those of :class:`Close`, and pairs that must be dissimilar.

    A usage is as far from another as a usage identical with it: 5 and 1 leave 1 or 2 for the third pair.

    Args:
        width: The largest difference of the highest and the lowest possible rating.

    >>> Narrow(1).skips(np.array([1.0, 1.0]), np.array([2.0, 5.0])).tolist()
    [True, False]
    """

    width: float = 1

    def __str__(self) -> str:
        return f"known within {self.width:g}"

    def skips(self, lowest: Floats, highest: Floats) -> Bools:
        """Whether the bounds are close enough."""
        return np.asarray(highest - lowest <= self.width + RATING_TOLERANCE)


# -- bounds of the pairs of one lemma --------------------------------------------------------------------------------


class RatingBounds:
    """The bounds of all pairs of a lemma's usages, from the ratings so far.

    Only pairs that were *rated* bound others, not pairs that were filled in: otherwise errors would add up.

    Args:
        usages: The number of usages.
        scale: The scale of the ratings.
    """

    def __init__(self, usages: int, scale: Scale) -> None:
        self.top = scale.highest + 1
        self.distance = np.full((usages, usages), math.nan)
        self.answered = np.eye(usages, dtype=bool)
        self.least = np.full((usages, usages), 1.0)
        self.most = np.full((usages, usages), float(scale.highest - scale.lowest + 1))

    def add_rating(self, first: int, second: int, rating: float) -> None:
        """Add the rating of a pair; an undecided pair is answered, but bounds nothing."""
        self.answered[first, second] = self.answered[second, first] = True
        if math.isnan(rating):
            return
        side = self.top - rating
        self.distance[first, second] = self.distance[second, first] = side
        for middle, end in ((first, second), (second, first)):
            rated = ~np.isnan(self.distance[middle])
            rated[end] = False
            others, sides = np.flatnonzero(rated), self.distance[middle, rated]
            least = np.maximum(self.least[end, others], np.abs(side - sides))
            most = np.minimum(self.most[end, others], side + sides)
            self.least[end, others] = self.least[others, end] = least
            self.most[end, others] = self.most[others, end] = most

    def ratings(self) -> tuple[Floats, Floats]:
        """Return the lowest and the highest rating that each pair can have."""
        return self.top - self.most, self.top - self.least

    def implied(self, rule: SkipRule) -> Bools:
        """Return the pairs that can be skipped; ratings that contradict one another imply nothing."""
        lowest, highest = self.ratings()
        return rule.skips(lowest, highest) & (lowest <= highest + RATING_TOLERANCE) & ~self.answered


class PairOrder(Protocol):
    """Chooses the open pair to ask next."""

    def next(self, open_: Bools, answered: Bools, priority: Floats) -> tuple[int, int]:
        """Return two usages by number.

        Args:
            open_: The pairs that can be asked.
            answered: The pairs that were asked.
            priority: A random number for each pair and, on the diagonal, for each usage.
        """


@dataclass(frozen=True)
class AtRandom:
    """Asks pairs in a random order, as studies without bounds do."""

    def __str__(self) -> str:
        return "at random"

    def next(self, open_: Bools, answered: Bools, priority: Floats) -> tuple[int, int]:
        """Return the open pair with the smallest random number."""
        return divmod(int(np.where(open_, priority, np.inf).argmin()), len(priority))


@dataclass(frozen=True)
class HubsFirst:
    """Compares one usage with all others, then another: usages close to the first must be close together.

    The next pair is one of the usage with most answered pairs, among those that have open ones.
    """

    def __str__(self) -> str:
        return "one usage after the other"

    def next(self, open_: Bools, answered: Bools, priority: Floats) -> tuple[int, int]:
        """Return the open pair of the hub whose other usage has most open pairs."""
        left = open_.sum(1)
        hub = int(np.lexsort((priority.diagonal(), -left, -np.where(left > 0, answered.sum(1), -1)))[0])
        return hub, int(np.lexsort((priority[hub], -left, ~open_[hub]))[0])


def random_priorities(usages: int, seed: Sequence[int]) -> Floats:
    """Draw a random number for each pair, the same in either order, and for each usage."""
    priorities = np.triu(np.random.default_rng(seed).random((usages, usages)))
    return priorities + np.triu(priorities, 1).T


DEFAULT_RULE = Close(4)
"""The paper's rule on its scale from 1 to 5: two identical pairs bound the third to 4 or 5."""
DEFAULT_ORDER = HubsFirst()


# -- for a running study ---------------------------------------------------------------------------------------------


class ImpliedPair(NamedTuple):
    """A pair that can be skipped.

    Args:
        lemma: The lemma.
        first: The first usage.
        second: The second usage.
        lowest: The lowest rating that the pair can have.
        highest: The highest rating that the pair can have.
        through: The usages whose ratings bound the pair.
    """

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
    pairs: Iterable[UsagePair],
    rule: SkipRule = DEFAULT_RULE,
    scale: Scale = WSSIM,
    usages: Mapping[str, Sequence[str]] | None = None,
) -> tuple[ImpliedPair, ...]:
    """Find the pairs of all lemmas that a study can skip, from the pairs rated so far.

    Args:
        pairs: The rated pairs. Of several ratings of a pair the mean counts. An undecided pair bounds nothing and is
            not implied.
        rule: Which pairs can be skipped.
        scale: The scale of the ratings.
        usages: The usages of each lemma in the study. Default: those of the rated pairs.

    >>> pairs = [UsagePair("win.v", "a", "b", 5), UsagePair("win.v", "b", "c", 5), UsagePair("win.v", "c", "d", 2)]
    >>> find_implied_pairs(pairs)
    (ImpliedPair(lemma='win.v', first='a', second='c', lowest=4.0, highest=5.0, through=('b',)),)
    """
    implied: list[ImpliedPair] = []
    for lemma, lemma_pairs in group_pairs_by_lemma(pairs).items():
        targets = list(dict.fromkeys((usages or {}).get(lemma, ()))) or list_pair_usages(lemma_pairs)
        names, bounds = _bound_pairs(targets, lemma_pairs, scale)
        lowest, highest = bounds.ratings()
        for first, second in np.argwhere(np.triu(bounds.implied(rule))[: len(targets), : len(targets)]).tolist():
            through = tuple(names[number] for number in _bounding_usages(bounds.distance, first, second))
            ends = float(lowest[first, second]), float(highest[first, second])
            implied.append(ImpliedPair(lemma, names[first], names[second], *ends, through))
    return tuple(implied)


def choose_next_pair(
    usages: Sequence[str],
    pairs: Iterable[UsagePair],
    rule: SkipRule = DEFAULT_RULE,
    order: PairOrder = DEFAULT_ORDER,
    scale: Scale = WSSIM,
    seed: int = 0,
) -> tuple[str, str] | None:
    """Choose the pair of one lemma's usages to ask next; none if all pairs are rated or implied.

    >>> choose_next_pair(["a", "b", "c"], [UsagePair("win.v", "a", "b", 5), UsagePair("win.v", "b", "c", 5)]) is None
    True
    """
    rated = list(pairs)
    if len(lemmas := dict.fromkeys(pair.lemma for pair in rated)) > 1:
        raise InputError(f"the pairs are of several lemmas ({', '.join(lemmas)}); pass the pairs of one lemma")
    targets = list(dict.fromkeys(usages))
    names, bounds = _bound_pairs(targets, rated, scale)
    open_ = ~bounds.answered & ~bounds.implied(rule)
    open_[len(targets) :], open_[:, len(targets) :] = False, False
    if not open_.any():
        return None
    first, second = order.next(open_, bounds.answered, random_priorities(len(names), [seed]))
    return names[first], names[second]


def group_pairs_by_lemma(pairs: Iterable[UsagePair]) -> dict[str, list[UsagePair]]:
    """Group pairs by lemma; a usage with itself is no pair."""
    return group_by((pair for pair in pairs if pair.first != pair.second), lambda pair: pair.lemma)


def list_pair_usages(pairs: Sequence[UsagePair]) -> list[str]:
    """List the usages of pairs in the order in which they occur."""
    return list(dict.fromkeys(usage for pair in pairs for usage in (pair.first, pair.second)))


def _bound_pairs(
    targets: Sequence[str], pairs: Sequence[UsagePair], scale: Scale
) -> tuple[tuple[str, ...], RatingBounds]:
    """Return the usages, the targets first, and the bounds of their pairs."""
    number = {usage: row for row, usage in enumerate(dict.fromkeys([*targets, *list_pair_usages(pairs)]))}
    bounds = RatingBounds(len(number), scale)
    for (first, second), rating in mean_pair_ratings(number, pairs, scale).items():
        bounds.add_rating(first, second, rating)
    return tuple(number), bounds


def mean_pair_ratings(
    number: Mapping[str, int], pairs: Sequence[UsagePair], scale: Scale
) -> dict[tuple[int, int], float]:
    """Average the ratings of each pair; NaN if all are undecided.

    Args:
        number: The number of each usage.
        pairs: The rated pairs.
        scale: The scale of the ratings.

    Raises:
        InputError: A rating is not on the scale.
    """
    ratings: defaultdict[tuple[int, int], list[float]] = defaultdict(list)
    for _, first, second, rating in pairs:
        if rating < scale.lowest or rating > scale.highest:
            problem = f"the rating {rating:g} of {first} and {second} is not on the scale"
            raise InputError(f"{problem} from {scale.lowest} to {scale.highest}; pass the scale of these ratings")
        one, other = sorted((number[first], number[second]))
        ratings[one, other] += [] if math.isnan(rating) else [rating]
    return {pair: math.fsum(values) / len(values) if values else math.nan for pair, values in ratings.items()}


def _bounding_usages(distance: Floats, first: int, second: int) -> list[int]:
    """Return the usages whose triples bound a pair from below and from above, often the same one."""
    sums, differences = distance[first] + distance[second], np.abs(distance[first] - distance[second])
    best = int(np.nanargmin(sums))
    if np.nanmax(differences) <= max(1.0, differences[best]):
        return [best]
    return list(dict.fromkeys([best, int(np.nanargmax(differences))]))

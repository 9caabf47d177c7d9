"""The triangle inequality of usage similarity, on averages and on each annotator's ratings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from polyseme.agreement.judgements import RATING_TOLERANCE, Judgements, collect_judgements, find_undecided
from polyseme.arrays import Floats, Ints, positions_by_value
from polyseme.errors import InputError
from polyseme.rating import WSSIM, Item, Ratings, Scale
from polyseme.usage import UsagePair

MAX_DISTINCT_VALUES = 500
"""A distribution with more values is represented by as many quantiles."""


class UsageTriple(NamedTuple):
    """Three usages whose ratings violate the triangle inequality.

    Args:
        lemma: The lemma.
        usages: The usages; the second is close to both others.
        ratings: The ratings of first and second, second and third, and first and third usage, which are too far apart.
        amount: By how much the inequality is violated.
        annotator: The annotator; empty for averages.
    """

    lemma: str
    usages: tuple[str, str, str]
    ratings: tuple[float, float, float]
    amount: float
    annotator: str = ""


class Metricity(NamedTuple):
    """How many triples of usages satisfy the triangle inequality.

    Args:
        name: A lemma, an annotator, or the name of a total.
        pairs: The number of rated pairs.
        triples: The number of triples whose three pairs are rated.
        missed: The number of triples with a side longer than the two others together.
        amount: By how much these violate the inequality on average.
        largest: By how much they violate it at most.
        chance: The share that would satisfy it if the ratings were in random order. A share of .93 means little if the
            chance is .90.
        worst: The worst triples.
        reason: Why a figure is undefined.
    """

    name: str
    pairs: int
    triples: int
    missed: int
    amount: float
    largest: float
    chance: float
    worst: tuple[UsageTriple, ...] = ()
    reason: str = ""

    @property
    def share(self) -> float:
        """The share of triples that satisfy the inequality."""
        return 1 - self.missed / self.triples if self.triples else math.nan


@dataclass(frozen=True)
class Triangles:
    """The triangle inequality on averages and on individual ratings.

    Args:
        averages: The averages of all annotators.
        lemmas: The averages, for each lemma.
        individuals: The ratings of all annotators together; nothing if only averages are known.
        annotators: The ratings of each annotator.
        open: The number of pairs excluded from the averages because an annotator could not decide.
    """

    averages: Metricity
    lemmas: tuple[Metricity, ...]
    individuals: Metricity
    annotators: tuple[Metricity, ...]
    open: int = 0


def check_triangle_inequality(
    ratings: Ratings | Sequence[UsagePair], scale: Scale = WSSIM, worst: int = 5
) -> Triangles:
    """Check d(a, c) ≤ d(a, b) + d(b, c) with d = highest + 1 − rating, on every triple with three rated pairs.

    With d from 1 to 5 the inequality is weak: two sides sum to 2 at least, so a violation needs a side of 3 or more.
    Ratings 5, 5, 3 violate it by 1; 5, 5, 1 by 3, the maximum; 4, 4, 2 satisfy it. On a scale from 1 to 4 the maximum
    is 2. Random ratings from 1 to 5 satisfy it in 76 % of triples, from 1 to 4 in 81 %: compare ``share`` with
    ``chance``. A pair that any annotator could not decide is excluded from the averages, as in the paper, and counted.
    (Erk, McCarthy & Gaylord 2013, §4.3)

    Args:
        ratings: Ratings of Usim, or pairs of usages with their averages.
        scale: The scale of the ratings.
        worst: How many triples are listed.

    >>> pairs = [UsagePair("win.v", "1", "2", 5), UsagePair("win.v", "2", "3", 5), UsagePair("win.v", "1", "3", 3)]
    >>> check_triangle_inequality(pairs).averages.worst
    (UsageTriple(lemma='win.v', usages=('1', '2', '3'), ratings=(5.0, 5.0, 3.0), amount=1.0, annotator=''),)
    """
    if not isinstance(ratings, Ratings):
        return _check_averages(ratings, scale, worst)
    judgements = collect_judgements(ratings)
    undecided = find_undecided(ratings, judgements)
    if any(item.task != "Usim" for item in judgements.items):
        task = judgements.items[0].task
        raise InputError(f"triangles need ratings of pairs of usages (Usim), and these are ratings of {task}")
    layout = _PairLayout.from_items(judgements.items)
    rows_by_annotator = positions_by_value(judgements.annotator, len(judgements.annotators))
    people = [
        _measure_metricity(name, layout.split(judgements.item[rows], judgements.value[rows]), scale, worst, name)
        for name, rows in zip(judgements.annotators, rows_by_annotator, strict=True)
    ]
    averages = _check_averages(_average_decided_pairs(judgements, undecided), scale, worst)
    individuals = _pool_metricity("individuals", people, worst)
    return replace(averages, individuals=individuals, annotators=tuple(people), open=len(np.unique(undecided.item)))


def average_usage_pairs(ratings: Ratings) -> tuple[UsagePair, ...]:
    """Average the ratings of each pair of usages, without the pairs that any annotator could not decide.

    >>> from polyseme.rating import Rating
    >>> rows = [Rating(who, "Usim", "win.v", "1", "2", value) for who, value in [("ann", 5), ("bob", 4)]]
    >>> average_usage_pairs(Ratings(rows))
    (UsagePair(lemma='win.v', first='1', second='2', similarity=4.5),)
    """
    judgements = collect_judgements(ratings)
    return _average_decided_pairs(judgements, find_undecided(ratings, judgements))


def _average_decided_pairs(judgements: Judgements, undecided: Judgements) -> tuple[UsagePair, ...]:
    excluded = set(undecided.item.tolist())
    return tuple(
        UsagePair(item.lemma, item.usage, item.target, mean)
        for number, (item, mean) in enumerate(zip(judgements.items, judgements.means.tolist(), strict=True))
        if number not in excluded
    )


def _check_averages(pairs: Sequence[UsagePair], scale: Scale, worst: int) -> Triangles:
    rated = [pair for pair in pairs if not math.isnan(pair.similarity)]
    layout = _PairLayout.from_items([Item("Usim", pair.lemma, pair.first, pair.second) for pair in rated])
    values = np.array([pair.similarity for pair in rated], float)
    parts = layout.split(np.arange(len(rated), dtype=np.intp), values)
    lemmas = [_measure_metricity(part.lemma, [part], scale, worst) for part in parts]
    nobody = Metricity("individuals", 0, 0, 0, math.nan, math.nan, math.nan, (), "only averages are known")
    return Triangles(_pool_metricity("averages", lemmas, worst), tuple(lemmas), nobody, (), len(pairs) - len(rated))


# -- the pairs of each lemma -----------------------------------------------------------------------------------------


class _LemmaPairs(NamedTuple):
    """The rated pairs of one lemma, whose usages are numbered."""

    lemma: str
    usages: tuple[str, ...]
    first: Ints
    second: Ints
    rating: Floats


@dataclass(frozen=True, eq=False)
class _PairLayout:
    """The number of each pair's lemma, and of its usages within the lemma."""

    usages: dict[str, tuple[str, ...]]
    lemma: Ints
    first: Ints
    second: Ints

    @classmethod
    def from_items(cls, items: Sequence[Item]) -> _PairLayout:
        numbers: dict[str, dict[str, int]] = {}
        pairs = []
        for item in items:
            usages = numbers.setdefault(item.lemma, {})
            pairs.append([usages.setdefault(usage, len(usages)) for usage in (item.usage, item.target)])
        codes = {lemma: number for number, lemma in enumerate(numbers)}
        lemma = np.array([codes[item.lemma] for item in items], np.intp)
        first, second = np.array(pairs, np.intp).reshape(-1, 2).T
        return cls({name: tuple(usages) for name, usages in numbers.items()}, lemma, first, second)

    def split(self, item: Ints, rating: Floats) -> Iterator[_LemmaPairs]:
        """Split the ratings of pairs by lemma."""
        rows_by_lemma = positions_by_value(self.lemma[item], len(self.usages))
        for (lemma, usages), rows in zip(self.usages.items(), rows_by_lemma, strict=True):
            if len(rows):
                yield _LemmaPairs(lemma, usages, self.first[item[rows]], self.second[item[rows]], rating[rows])


# -- counting --------------------------------------------------------------------------------------------------------


def _measure_metricity(
    name: str, parts: Iterable[_LemmaPairs], scale: Scale, worst: int, annotator: str = ""
) -> Metricity:
    return _pool_metricity(name, [_measure_lemma(part, scale, worst, annotator) for part in parts], worst)


def _pool_metricity(name: str, parts: Sequence[Metricity], worst: int) -> Metricity:
    """Add up the counts of several parts."""
    pairs, triples, missed = (sum(column) for column in zip((0, 0, 0), *(part[1:4] for part in parts), strict=True))
    if not triples:
        reason = f"no triple of usages of {name} has ratings for all three pairs"
        return Metricity(name, pairs, 0, 0, math.nan, math.nan, math.nan, (), reason)
    violating = [part for part in parts if part.missed]
    amount = math.fsum(part.amount * part.missed for part in violating)
    return Metricity(
        name,
        pairs,
        triples,
        missed,
        amount / missed if missed else math.nan,
        max((part.largest for part in violating), default=math.nan),
        math.fsum(part.chance * part.triples for part in parts if part.triples) / triples,
        tuple(sorted((triple for part in parts for triple in part.worst), key=lambda triple: -triple.amount)[:worst]),
        "" if missed else "no triple violates it",
    )


def _measure_lemma(part: _LemmaPairs, scale: Scale, worst: int, annotator: str) -> Metricity:
    """Count the triples of one lemma, one first vertex at a time: n² numbers are in memory, not n³."""
    if (outside := np.flatnonzero((part.rating > scale.highest) | (part.rating < scale.lowest))).size:
        rating, usage = part.rating[outside[0]], part.usages[part.first[outside[0]]]
        problem = f"the rating {rating:g} of {usage} is not on the scale from {scale.lowest} to {scale.highest}"
        raise InputError(f"{problem}; pass the scale of these ratings")
    distance = np.full((len(part.usages), len(part.usages)), math.nan)
    distance[part.first, part.second] = distance[part.second, part.first] = scale.highest + 1 - part.rating
    np.fill_diagonal(distance, math.nan)
    counts, amounts, vertices = zip(*(_triples_from(row, distance) for row in range(len(distance))), strict=True)
    triples = sum(counts)
    missed, corners = np.concatenate(amounts), np.concatenate(vertices)
    rows = np.argsort(-missed, kind="stable")[:worst]
    examples = tuple(_build_triple(part, distance, row, scale, annotator) for row in corners[rows].tolist())
    extent = (float(missed.mean()), float(missed.max())) if len(missed) else (math.nan, math.nan)
    chance = _chance_share(scale.highest + 1 - part.rating) if triples else math.nan
    return Metricity(part.lemma, len(part.rating), triples, len(missed), *extent, chance, examples)


def _triples_from(vertex: int, distance: Floats) -> tuple[int, Floats, Ints]:
    """Return the triples whose lowest usage is this one: their number, and the amounts and usages of violations.

    The usage that both others are close to is in the middle.
    """
    others = np.flatnonzero(~np.isnan(distance[vertex, vertex + 1 :])) + vertex + 1
    one, two = (others[side] for side in np.triu_indices(len(others), 1))
    complete = ~np.isnan(distance[one, two])
    one, two = one[complete], two[complete]
    sides = np.stack([distance[one, two], distance[vertex, two], distance[vertex, one]])
    excess = 2 * sides.max(0) - sides.sum(0)
    rows = np.flatnonzero(excess > RATING_TOLERANCE)
    corners = np.stack([np.full(len(rows), vertex, np.intp), one[rows], two[rows]])
    # The longest side lies opposite to the usage in the middle.
    middle = sides[:, rows].argmax(0)
    ordered = np.stack([corners[(middle + turn) % 3, np.arange(len(rows))] for turn in (1, 0, 2)], 1)
    return len(one), excess[rows], ordered


def _build_triple(part: _LemmaPairs, distance: Floats, corners: list[int], scale: Scale, annotator: str) -> UsageTriple:
    (start, end), middle = sorted(corners[::2]), corners[1]
    first, second, third = (float(distance[pair]) for pair in ((start, middle), (middle, end), (start, end)))
    usages = part.usages[start], part.usages[middle], part.usages[end]
    top = scale.highest + 1
    return UsageTriple(part.lemma, usages, (top - first, top - second, top - third), third - first - second, annotator)


def _chance_share(distance: Floats) -> float:
    """Return the share of triples that would satisfy the inequality if three sides were drawn independently.

    At most one side can be longer than the two others, so the probabilities of the three violations add up.
    """
    values, counts = np.unique(distance, return_counts=True)
    if len(values) > MAX_DISTINCT_VALUES:
        quantiles = (np.arange(MAX_DISTINCT_VALUES) + 0.5) / MAX_DISTINCT_VALUES
        values, counts = np.quantile(distance, quantiles), np.ones(MAX_DISTINCT_VALUES, int)
    share = counts / counts.sum()
    longer = np.append(np.cumsum(share[::-1])[::-1], 0.0)
    sums = np.add.outer(values, values)
    return float(1 - 3 * share @ longer[np.searchsorted(values, sums + RATING_TOLERANCE, "right")] @ share)

"""Whether similarity of usages is a distance: the triangle inequality on averages and on each annotator's ratings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from polyseme.agreement.judgements import Judgements, collect_judgements
from polyseme.agreement.undecided_judgements import find_undecided
from polyseme.arrays import Floats, Ints, positions_by_value
from polyseme.errors import InputError
from polyseme.rating import WSSIM, Item, Ratings, Scale
from polyseme.usage import UsagePair

TRIANGLE_TOLERANCE = 1e-9
"""What a sum of means may be off by."""
MAX_DISTINCT_VALUES = 500
"""By how many values a distribution is stood for when it has more."""


class UsageTriple(NamedTuple):
    """Three usages whose ratings miss the triangle inequality by an amount.

    ``ratings`` are those of the first and second usage, of the second and third, and of the first and third, which lie
    too far apart: both are close to the second. ``annotator`` is empty for averages.
    """

    lemma: str
    usages: tuple[str, str, str]
    ratings: tuple[float, float, float]
    amount: float
    annotator: str = ""


class Metricity(NamedTuple):
    """How many triples of usages obey the triangle inequality: of a lemma, of an annotator, or of all.

    ``missed`` triples have a side that is longer than the two others together, by ``amount`` on the mean and by
    ``largest`` at most. ``chance`` is the share that would obey it had the same ratings been dealt out among the pairs
    of their lemma at random: a share of .93 says little where chance gives .90.
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
        """Of the triples, those that obey it."""
        return 1 - self.missed / self.triples if self.triples else math.nan


@dataclass(frozen=True)
class Triangles:
    """The triangle inequality on averages, per lemma of these, and on individual ratings, per annotator.

    ``individuals`` are all annotators together. From averages alone there is nothing to say of individuals. ``open``
    is how many pairs are left out of the averages because someone could not decide.
    """

    averages: Metricity
    lemmas: tuple[Metricity, ...]
    individuals: Metricity
    annotators: tuple[Metricity, ...]
    open: int = 0


def check_triangle_inequality(rated: Ratings | Sequence[UsagePair], scale: Scale = WSSIM, worst: int = 5) -> Triangles:
    """Test d(a, c) ≤ d(a, b) + d(b, c) with d = highest + 1 − rating, on every triple that has all three pairs.

    With d from 1 to 5 the inequality asks little: two sides sum to 2 at least, so that a triple can only miss it if a
    side is 3 or more, a rating of 3 or less, and the others are closer: ratings 5, 5, 3 miss it by 1; 5, 5, 1 by 3, the
    most there is; 4, 4, 2 obey it. On a scale from 1 to 4 the most is 2. Random ratings from 1 to 5 obey it in 76 % of
    triples, from 1 to 4 in 81 %: compare ``share`` with ``chance``.

    ``rated`` are ratings of Usim, or pairs of usages with their averages. A pair that anyone could not decide is left
    out of the averages, as in the paper, and counted. (Erk, McCarthy & Gaylord 2013, §4.3)

    >>> pairs = [UsagePair("win.v", "1", "2", 5), UsagePair("win.v", "2", "3", 5), UsagePair("win.v", "1", "3", 3)]
    >>> check_triangle_inequality(pairs).averages.worst
    (Triple(lemma='win.v', usages=('1', '2', '3'), ratings=(5.0, 5.0, 3.0), amount=1.0, annotator=''),)
    """
    if not isinstance(rated, Ratings):
        return _check_averages(rated, scale, worst)
    found = collect_judgements(rated)
    unsure = find_undecided(rated, found)
    if any(item.task != "Usim" for item in found.items):
        raise InputError(
            f"triangles are made of pairs of usages, and these are ratings of {found.items[0].task}; give Usim"
        )
    layout = _PairLayout.of(found.items)
    people = [
        _measure_metricity(name, layout.parts(found.item[rows], found.value[rows]), scale, worst, name)
        for name, rows in zip(found.annotators, positions_by_value(found.annotator, len(found.annotators)), strict=True)
    ]
    averages = _check_averages(_average_decided_pairs(found, unsure), scale, worst)
    return Triangles(
        averages.averages,
        averages.lemmas,
        _pool_metricity("individuals", people, worst),
        tuple(people),
        len(np.unique(unsure.item)),
    )


def average_usage_pairs(ratings: Ratings) -> tuple[UsagePair, ...]:
    """The mean rating of each pair of usages, without the pairs that anyone could not decide.

    >>> from polyseme.rating import Rating
    >>> rows = [Rating(who, "Usim", "win.v", "1", "2", value) for who, value in [("ann", 5), ("bob", 4)]]
    >>> average_usage_pairs(Ratings(rows))
    (UsagePair(lemma='win.v', first='1', second='2', similarity=4.5),)
    """
    found = collect_judgements(ratings)
    return _average_decided_pairs(found, find_undecided(ratings, found))


def _average_decided_pairs(found: Judgements, unsure: Judgements) -> tuple[UsagePair, ...]:
    open_ = set(unsure.item.tolist())
    return tuple(
        UsagePair(item.lemma, item.usage, item.target, mean)
        for number, (item, mean) in enumerate(zip(found.items, found.means.tolist(), strict=True))
        if number not in open_
    )


def _check_averages(pairs: Sequence[UsagePair], scale: Scale, worst: int) -> Triangles:
    known = [pair for pair in pairs if not math.isnan(pair.similarity)]
    layout = _PairLayout.of([Item("Usim", pair.lemma, pair.first, pair.second) for pair in known])
    value = np.array([pair.similarity for pair in known], float)
    lemmas = [
        _measure_metricity(part.lemma, [part], scale, worst)
        for part in layout.parts(np.arange(len(known), dtype=np.intp), value)
    ]
    nobody = Metricity("individuals", 0, 0, 0, math.nan, math.nan, math.nan, (), "only averages were given")
    return Triangles(_pool_metricity("averages", lemmas, worst), tuple(lemmas), nobody, (), len(pairs) - len(known))


# -- the pairs of each lemma -----------------------------------------------------------------------------------------


class _LemmaPairs(NamedTuple):
    """Rated pairs of one lemma, whose usages are numbered."""

    lemma: str
    usages: tuple[str, ...]
    first: Ints
    second: Ints
    rating: Floats


@dataclass(frozen=True, eq=False)
class _PairLayout:
    """Where pairs lie: the number of their lemma, and of their usages within it."""

    usages: dict[str, tuple[str, ...]]
    lemma: Ints
    first: Ints
    second: Ints

    @classmethod
    def of(cls, items: Sequence[Item]) -> _PairLayout:
        usages: dict[str, dict[str, int]] = {}
        places = []
        for item in items:
            known = usages.setdefault(item.lemma, {})
            places.append([known.setdefault(usage, len(known)) for usage in (item.usage, item.target)])
        code = {lemma: number for number, lemma in enumerate(usages)}
        lemma = np.array([code[item.lemma] for item in items], np.intp)
        first, second = np.array(places, np.intp).reshape(-1, 2).T
        return cls({name: tuple(known) for name, known in usages.items()}, lemma, first, second)

    def parts(self, item: Ints, rating: Floats) -> Iterator[_LemmaPairs]:
        """The ratings of some of the pairs, lemma by lemma."""
        by_lemma = positions_by_value(self.lemma[item], len(self.usages))
        for (lemma, usages), rows in zip(self.usages.items(), by_lemma, strict=True):
            if len(rows):
                where = item[rows]
                yield _LemmaPairs(lemma, usages, self.first[where], self.second[where], rating[rows])


# -- counting --------------------------------------------------------------------------------------------------------


def _measure_metricity(
    name: str, parts: Iterable[_LemmaPairs], scale: Scale, worst: int, annotator: str = ""
) -> Metricity:
    return _pool_metricity(name, [_measure_lemma(part, scale, worst, annotator) for part in parts], worst)


def _pool_metricity(name: str, found: Sequence[Metricity], worst: int) -> Metricity:
    """The counts of several taken together."""
    pairs = sum(each.pairs for each in found)
    triples = sum(each.triples for each in found)
    missed = sum(each.missed for each in found)
    bad = sorted((triple for each in found for triple in each.worst), key=lambda triple: -triple.amount)[:worst]
    if not triples:
        reason = f"no triple of usages of {name} has ratings for all three pairs"
        return Metricity(name, pairs, 0, 0, math.nan, math.nan, math.nan, (), reason)
    counted = [each for each in found if each.triples]
    amount = math.fsum(each.amount * each.missed for each in counted if each.missed)
    return Metricity(
        name,
        pairs,
        triples,
        missed,
        amount / missed if missed else math.nan,
        max((each.largest for each in counted if each.missed), default=math.nan),
        math.fsum(each.chance * each.triples for each in counted) / triples,
        tuple(bad),
        "" if missed else "no triple misses it",
    )


def _measure_lemma(part: _LemmaPairs, scale: Scale, worst: int, annotator: str) -> Metricity:
    """All triples of one lemma, those with one first vertex at a time: n² numbers are held at once, not n³."""
    distance = np.full((len(part.usages), len(part.usages)), math.nan)
    distance[part.first, part.second] = distance[part.second, part.first] = scale.highest + 1 - part.rating
    if (bad := np.flatnonzero((part.rating > scale.highest) | (part.rating < scale.lowest))).size:
        problem = f"the rating {part.rating[bad[0]]:g} of {part.usages[part.first[bad[0]]]} is not on the scale from"
        raise InputError(f"{problem} {scale.lowest} to {scale.highest}; give the scale of these ratings")
    np.fill_diagonal(distance, math.nan)
    triples, amounts, vertices = 0, [np.empty(0)], [np.empty((0, 3), np.intp)]
    for vertex in range(len(distance)):
        count, amount, corners = _triples_from(vertex, distance)
        triples += count
        amounts.append(amount)
        vertices.append(corners)
    missed, where = np.concatenate(amounts), np.concatenate(vertices)
    rows = np.argsort(-missed, kind="stable")[:worst]
    bad_ones = tuple(_build_triple(part, distance, corners, scale, annotator) for corners in where[rows].tolist())
    chance = _chance_share(scale.highest + 1 - part.rating) if triples else math.nan
    return Metricity(part.lemma, len(part.rating), triples, len(missed), *_mean_and_largest(missed), chance, bad_ones)


def _mean_and_largest(missed: Floats) -> tuple[float, float]:
    return (float(missed.mean()), float(missed.max())) if len(missed) else (math.nan, math.nan)


def _triples_from(vertex: int, distance: Floats) -> tuple[int, Floats, Ints]:
    """The triples whose lowest usage is this one: how many, by how much some miss the inequality, and which these are.

    The usage that both others are close to stands in the middle.
    """
    others = np.flatnonzero(~np.isnan(distance[vertex, vertex + 1 :])) + vertex + 1
    one, two = (others[side] for side in np.triu_indices(len(others), 1))
    whole = ~np.isnan(distance[one, two])
    one, two = one[whole], two[whole]
    sides = np.stack([distance[one, two], distance[vertex, two], distance[vertex, one]])
    over = 2 * sides.max(0) - sides.sum(0)
    bad = np.flatnonzero(over > TRIANGLE_TOLERANCE)
    corners = np.stack([np.full(len(bad), vertex, np.intp), one[bad], two[bad]])
    # The longest side lies opposite to the usage in the middle.
    middle = sides[:, bad].argmax(0)
    ordered = np.stack([corners[(middle + turn) % 3, np.arange(len(bad))] for turn in (1, 0, 2)], 1)
    return len(one), over[bad], ordered


def _build_triple(part: _LemmaPairs, distance: Floats, corners: list[int], scale: Scale, annotator: str) -> UsageTriple:
    ends, middle = sorted(corners[::2]), corners[1]
    first, second, third = (float(distance[pair]) for pair in ((ends[0], middle), (middle, ends[1]), tuple(ends)))
    usages = part.usages[ends[0]], part.usages[middle], part.usages[ends[1]]
    top = scale.highest + 1
    return UsageTriple(part.lemma, usages, (top - first, top - second, top - third), third - first - second, annotator)


def _chance_share(distance: Floats) -> float:
    """The share of triples that would obey the inequality if three sides were drawn from these, one by one.

    At most one side can be longer than the two others, so that the three ways to miss it add up.
    """
    values, counts = np.unique(distance, return_counts=True)
    if len(values) > MAX_DISTINCT_VALUES:
        values, counts = (
            np.quantile(distance, (np.arange(MAX_DISTINCT_VALUES) + 0.5) / MAX_DISTINCT_VALUES),
            np.ones(MAX_DISTINCT_VALUES, int),
        )
    share = counts / counts.sum()
    longer = np.append(np.cumsum(share[::-1])[::-1], 0.0)
    sums = np.add.outer(values, values)
    return float(1 - 3 * share @ longer[np.searchsorted(values, sums + TRIANGLE_TOLERANCE, "right")] @ share)

"""Spearman's ρ between annotators: every pair, and each against the mean of the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import accumulate, combinations
from typing import NamedTuple

import numpy as np

from polyseme.agreement.annotator_pairs import AnnotatorPairs, divide_or_nan
from polyseme.agreement.judgements import Judgements
from polyseme.arrays import Bools, Floats, Ints, count_at, positions_by_value, sum_at

MAX_TABLE_LEVELS = 12
"""Up to so many different values, the joint tables of all pairs are counted at once."""
MAX_TABLE_CELLS = 1 << 23
"""How many numbers of joint tables are held at a time."""
DENSE_SPEED_UP = 200
"""How many times as fast full matrices are multiplied as sparse ones, for each number that takes part."""


class Correlation(NamedTuple):
    """ρ, its p-value (two-sided, by Student's t), on how many items, and why one of them is undefined."""

    rho: float
    p: float
    items: int
    reason: str = ""


def correlation_p_values(rho: Floats, items: Ints) -> Floats:
    """The chance of such a ρ, or a stronger one, between columns that have nothing to do with one another.

    t = ρ √((n − 2) / (1 − ρ²)) with n − 2 degrees of freedom, as in scipy; of two items there is none.
    """
    from scipy.special import stdtr

    freedom = np.where(items > 2, items - 2, np.nan)
    with np.errstate(divide="ignore"):
        t = np.abs(rho) * np.sqrt(freedom / np.maximum((1 - rho) * (1 + rho), 0))
    return np.asarray(2 * stdtr(freedom, -t))


# -- every pair ----------------------------------------------------------------------------------------------------


def correlate_annotators(judged: Judgements) -> AnnotatorPairs:
    """Spearman's ρ of every pair of annotators on the items that both judged, equal values sharing their ranks.

    >>> from polyseme.agreement.judgements import collect_judgements
    >>> from polyseme.rating import Rating, Ratings
    >>> rows = [("ann", 1, 5), ("bob", 1, 4), ("ann", 2, 1), ("bob", 2, 2), ("ann", 3, 1), ("bob", 3, 1)]
    >>> found = collect_judgements(Ratings(Rating(who, "WSsim", "win.v", "u", f"s{n}", value) for who, n, value in rows))
    >>> round(correlate_annotators(found).mean.value, 3)
    0.866
    """
    people = len(judged.annotators)
    square = (people, people)
    rho, items, constant = np.zeros(square), np.zeros(square, np.intp), np.zeros(square, bool)
    if len(judged.levels) > MAX_TABLE_LEVELS:
        _correlate_pair_by_pair(judged, rho, items, constant)
    elif len(judged):
        _correlate_by_tables(judged, rho, items, constant)
    undefined = (items < 2) | constant | constant.T | np.eye(people, dtype=bool)
    rho[undefined] = np.nan

    def why(first: int, second: int) -> str:
        return _undefined_pair_reason(judged.annotators, int(items[first, second]), constant, first, second)

    return AnnotatorPairs(judged.annotators, rho, items, why, correlation_p_values)


def _undefined_pair_reason(names: tuple[str, ...], items: int, constant: Bools, first: int, second: int) -> str:
    """Why two annotators have no ρ or no p-value; nothing if they have."""
    both = f"{names[first]} and {names[second]} judged"
    if items < 2:
        return f"{both} {'only 1' if items else 'no'} item in common"
    for one, other in ((first, second), (second, first)):
        if constant[one, other]:
            return f"{names[one]} gave the same value to all {items} items in common with {names[other]}"
    return "" if items > 2 else f"{both} only 2 items in common, too few for a p-value"


def _correlate_by_tables(judged: Judgements, rho: Floats, items: Ints, constant: Bools) -> None:
    """Fill the matrices from joint tables of values: how often a gave l where b gave m, for all pairs at once."""
    people, levels = len(judged.annotators), len(judged.levels)
    step = max(1, MAX_TABLE_CELLS // (people * levels**2))
    for start in range(0, people, step):
        some = slice(start, min(start + step, people))
        tables = _joint_tables(judged, some)
        theirs = [_sum_matrices(row) for row in tables]  # how often a gave each value on the items in common with b
        others = [_sum_matrices(column) for column in zip(*tables, strict=True)]
        common = _sum_matrices(theirs)
        one, other = _doubled_ranks(theirs, common), _doubled_ranks(others, common)
        together = _sum_matrices(
            rank * _sum_matrices(map(np.multiply, row, other)) for rank, row in zip(one, tables, strict=True)
        )
        spread = np.sqrt(
            _sum_matrices(map(_squared_ranks, theirs, one)) * _sum_matrices(map(_squared_ranks, others, other))
        )
        items[some] = common
        constant[some] = np.any([each == common for each in theirs], axis=0) & (common > 0)
        rho[some] = np.clip(divide_or_nan(together, spread), -1, 1)


def _sum_matrices(matrices: Iterable[Floats]) -> Floats:
    return reduce(np.add, matrices)


def _squared_ranks(counts: Floats, ranks: Floats) -> Floats:
    return counts * ranks * ranks


def _doubled_ranks(counts: Sequence[Floats], common: Floats) -> list[Floats]:
    """Twice the distance of each value's shared rank from the middle: whole numbers, and so exact."""
    below = accumulate(counts[:-1], np.add, initial=np.zeros_like(common))
    return [2 * lower + count - common for lower, count in zip(below, counts, strict=True)]


def _joint_tables(judged: Judgements, some: slice) -> list[list[Floats]]:
    """For each two levels, some annotators × all annotators: on how many items the one gave l and the other m."""
    people, levels = len(judged.annotators), len(judged.levels)
    full = len(judged.items) * (people * levels) ** 2 < DENSE_SPEED_UP * float(np.sum(judged.judged.astype(float) ** 2))
    wanted = (np.arange(levels)[:, None] * people + np.arange(some.start, some.stop)).ravel()
    made = (_dense_product if full else _sparse_product)(judged, wanted)
    return [np.hsplit(rows, levels) for rows in np.vsplit(made, levels)]


def _dense_product(judged: Judgements, wanted: Ints) -> Floats:
    """The product of the matrix of items × (level, annotator) with itself, a few items at a time."""
    columns = len(judged.annotators) * len(judged.levels)
    column = judged.level * len(judged.annotators) + judged.annotator
    made = np.zeros((len(wanted), columns))
    step = max(1, MAX_TABLE_CELLS // columns)
    for start in range(0, len(judged.items), step):
        rows = slice(*np.searchsorted(judged.item, [start, start + step]).tolist())
        here = np.zeros((min(step, len(judged.items) - start), columns), np.float32)  # counts up to 2²⁴ are exact
        here[judged.item[rows] - start, column[rows]] = 1
        made += (here if len(wanted) == columns else here[:, wanted]).T @ here
    return made


def _sparse_product(judged: Judgements, wanted: Ints) -> Floats:
    from scipy.sparse import csr_array

    columns = len(judged.annotators) * len(judged.levels)
    place = (judged.item, judged.level * len(judged.annotators) + judged.annotator)
    gave = csr_array((np.ones(len(judged)), place), shape=(len(judged.items), columns))
    return np.asarray((gave[:, wanted].T @ gave).toarray())


def _correlate_pair_by_pair(judged: Judgements, rho: Floats, items: Ints, constant: Bools) -> None:
    """Fill the matrices pair by pair, for values of which there are many."""
    rows = positions_by_value(judged.annotator, len(judged.annotators))
    for first, second in combinations(range(len(rows)), 2):
        _, one, other = np.intersect1d(
            judged.item[rows[first]], judged.item[rows[second]], assume_unique=True, return_indices=True
        )
        values = judged.value[rows[first][one]], judged.value[rows[second][other]]
        everything = np.zeros(len(one), np.intp)
        found, spreads = _correlate_within_groups(everything, 1, *values)
        for here, there, spread in ((first, second, spreads[0]), (second, first, spreads[1])):
            rho[here, there], items[here, there] = found[0], len(one)
            constant[here, there] = bool(len(one)) and spread[0] == 0


# -- against the others --------------------------------------------------------------------------------------------


def correlate_with_others(judged: Judgements) -> dict[str, Correlation]:
    """ρ of each annotator with the mean of what the others said, on the items that somebody else judged, too."""
    people = len(judged.annotators)
    shared = np.flatnonzero(judged.judged[judged.item] > 1)
    item, who, value = judged.item[shared], judged.annotator[shared], judged.value[shared]
    totals = sum_at(judged.item, judged.value, len(judged.items))
    # Rounded, so that means that are equal stay so whatever the order in which they were added up.
    others = np.round((totals[item] - value) / (judged.judged[item] - 1), 9)
    rho, (spread, spread_of_others) = _correlate_within_groups(who, people, value, others)
    items = count_at(who, people)
    p = correlation_p_values(rho, items)
    return {
        name: Correlation(
            rho[number].item(),
            p[number].item(),
            int(items[number]),
            _undefined_annotator_reason(name, int(items[number]), bool(spread[number]), bool(spread_of_others[number])),
        )
        for number, name in enumerate(judged.annotators)
    }


def _undefined_annotator_reason(name: str, items: int, varies: bool, others_vary: bool) -> str:
    if items < 2:
        return f"{name} judged {'only 1' if items else 'no'} item that somebody else judged, too"
    if not varies:
        return f"{name} gave the same value to all {items} items that somebody else judged, too"
    if not others_vary:
        return f"the others gave the same value on average to all {items} items that {name} judged"
    return "" if items > 2 else f"{name} judged only 2 items that somebody else judged, too: too few for a p-value"


def _correlate_within_groups(
    group: Ints, groups: int, first: Floats, second: Floats
) -> tuple[Floats, tuple[Floats, Floats]]:
    """ρ between two columns within each group of rows, and how far the ranks of each column spread there."""
    one, other = (_centred_ranks(group, groups, values) for values in (first, second))
    spreads = sum_at(group, one**2, groups), sum_at(group, other**2, groups)
    together = sum_at(group, one * other, groups)
    return np.clip(divide_or_nan(together, np.sqrt(spreads[0] * spreads[1])), -1, 1), spreads


def _centred_ranks(group: Ints, groups: int, values: Floats) -> Floats:
    """Twice the distance of each value's shared rank from the middle of its group."""
    order = np.lexsort((values, group))
    sizes = count_at(group, groups)
    new = np.ones(len(order), bool)
    new[1:] = (np.diff(group[order]) != 0) | (np.diff(values[order]) != 0)
    starts = np.flatnonzero(new)
    ends = np.append(starts, len(order))[1:]
    before_group = np.cumsum(sizes) - sizes
    run = np.cumsum(new) - 1
    ranks = np.empty(len(order))
    ranks[order] = (starts + ends)[run]
    return ranks - (2 * before_group + sizes)[group]

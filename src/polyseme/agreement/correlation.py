"""Spearman's ρ: of two columns, of every pair of annotators, and of each annotator with the mean of the others."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import partial, reduce
from itertools import accumulate, combinations
from typing import NamedTuple

import numpy as np

from polyseme.agreement.annotator_pairs import AnnotatorPairs, divide_or_nan
from polyseme.agreement.judgements import Judgements
from polyseme.arrays import Bools, Floats, Ints, count_at, positions_by_value, run_starts, sum_at

MINIMUM_ITEMS = 3
"""The fewest items for the correlation of two columns: two points always lie on a line."""
MAX_TABLE_LEVELS = 12
"""With at most this many different values, the joint tables of all pairs are counted at once."""
MAX_TABLE_CELLS = 1 << 23
"""How many cells of joint tables are in memory at a time."""
DENSE_SPEED_UP = 200
"""How much faster a dense product is than a sparse one, for each number that takes part."""


class Correlation(NamedTuple):
    """A rank correlation.

    Args:
        rho: Spearman's ρ; NaN if it is undefined.
        p: The two-sided p-value, by Student's t; NaN if it is undefined.
        items: The number of items.
        reason: Why ρ or p is undefined.
    """

    rho: float
    p: float
    items: int
    reason: str = ""


def correlation_p_values(rho: Floats, items: Ints) -> Floats:
    """Compute the probability of such a ρ, or a stronger one, between independent columns.

    t = ρ √((n − 2) / (1 − ρ²)) with n − 2 degrees of freedom, as in scipy; undefined for two items.
    """
    from scipy.special import stdtr

    freedom = np.where(items > 2, items - 2, np.nan)
    with np.errstate(divide="ignore"):
        t = np.abs(rho) * np.sqrt(freedom / np.maximum((1 - rho) * (1 + rho), 0))
    return np.asarray(2 * stdtr(freedom, -t))


def correlate_ranks(first: Floats, second: Floats, names: tuple[str, str] = ("the first", "the second")) -> Correlation:
    """Compute Spearman's ρ over the items for which both columns have a value; ties share their mean rank.

    >>> correlate_ranks(np.array([1.0, 2, 3, math.nan]), np.array([2.0, 4, 8, 9]))[::2]
    (1.0, 3)
    >>> correlate_ranks(np.array([1.0, 1, 1]), np.array([2.0, 4, 8]), ("ann", "bob")).reason
    'ann has the same value for all 3 items, so there is nothing to rank'
    """
    defined = ~(np.isnan(first) | np.isnan(second))
    first, second = first[defined], second[defined]
    if reason := _undefined_reason(first, second, names):
        return Correlation(math.nan, math.nan, len(first), reason)
    from scipy.stats import spearmanr

    result = spearmanr(first, second)
    return Correlation(float(result.statistic), float(result.pvalue), len(first))


def _undefined_reason(first: Floats, second: Floats, names: tuple[str, str]) -> str:
    if not len(first):
        return f"{names[0]} and {names[1]} have no item in common"
    if len(first) < MINIMUM_ITEMS:
        return f"{names[0]} and {names[1]} have only {len(first)} in common; a correlation needs {MINIMUM_ITEMS} items"
    for name, values in zip(names, (first, second), strict=True):
        if values.min() == values.max():
            return f"{name} has the same value for all {len(values)} items, so there is nothing to rank"
    return ""


# -- every pair ----------------------------------------------------------------------------------------------------


def correlate_annotators(judgements: Judgements) -> AnnotatorPairs:
    """Compute Spearman's ρ of every pair of annotators on the items that both judged; ties share their mean rank.

    >>> from polyseme.agreement.judgements import collect_judgements
    >>> from polyseme.rating import Rating, Ratings
    >>> rows = [("ann", 1, 5), ("bob", 1, 4), ("ann", 2, 1), ("bob", 2, 2), ("ann", 3, 1), ("bob", 3, 1)]
    >>> ratings = Ratings(Rating(who, "WSsim", "win.v", "u", f"s{n}", value) for who, n, value in rows)
    >>> round(correlate_annotators(collect_judgements(ratings)).mean.value, 3)
    0.866
    """
    people = len(judgements.annotators)
    square = (people, people)
    rho, items, constant = np.zeros(square), np.zeros(square, np.intp), np.zeros(square, bool)
    if len(judgements.levels) > MAX_TABLE_LEVELS:
        _correlate_pair_by_pair(judgements, rho, items, constant)
    elif len(judgements):
        _correlate_by_tables(judgements, rho, items, constant)
    undefined = (items < 2) | constant | constant.T | np.eye(people, dtype=bool)
    rho[undefined] = np.nan
    reason = partial(_explain_pair, judgements.annotators, items, constant)
    return AnnotatorPairs(judgements.annotators, rho, items, reason, correlation_p_values)


def _explain_pair(names: Sequence[str], items: Ints, constant: Bools, first: int, second: int) -> str:
    """Explain why two annotators have no ρ or no p-value; empty if they have both."""
    common = int(items[first, second])
    subject = f"{names[first]} and {names[second]} judged"
    if common < 2:
        return f"{subject} {'only 1' if common else 'no'} item in common"
    for one, other in ((first, second), (second, first)):
        if constant[one, other]:
            return f"{names[one]} gave the same value to all {common} items in common with {names[other]}"
    return "" if common > 2 else f"{subject} only 2 items in common, too few for a p-value"


def _correlate_by_tables(judgements: Judgements, rho: Floats, items: Ints, constant: Bools) -> None:
    """Fill the matrices from joint tables: how often a gave level l where b gave level m, for all pairs at once."""
    people, levels = len(judgements.annotators), len(judgements.levels)
    step = max(1, MAX_TABLE_CELLS // (people * levels**2))
    for start in range(0, people, step):
        rows = slice(start, min(start + step, people))
        tables = _joint_tables(judgements, rows)
        firsts = [_sum_matrices(row) for row in tables]  # how often a gave each value on the items in common with b
        seconds = [_sum_matrices(column) for column in zip(*tables, strict=True)]
        common = _sum_matrices(firsts)
        one, other = _doubled_ranks(firsts, common), _doubled_ranks(seconds, common)
        covariances = _sum_matrices(
            rank * _sum_matrices(map(np.multiply, row, other)) for rank, row in zip(one, tables, strict=True)
        )
        variances = [
            _sum_matrices(count * rank * rank for count, rank in zip(counts, ranks, strict=True))
            for counts, ranks in ((firsts, one), (seconds, other))
        ]
        items[rows] = common
        constant[rows] = np.any([counts == common for counts in firsts], axis=0) & (common > 0)
        rho[rows] = np.clip(divide_or_nan(covariances, np.sqrt(variances[0] * variances[1])), -1, 1)


def _sum_matrices(matrices: Iterable[Floats]) -> Floats:
    return reduce(np.add, matrices)


def _doubled_ranks(counts: Sequence[Floats], common: Floats) -> list[Floats]:
    """Return twice the distance of each value's shared rank from the middle: whole numbers, so the result is exact."""
    below = accumulate(counts[:-1], np.add, initial=np.zeros_like(common))
    return [2 * lower + count - common for lower, count in zip(below, counts, strict=True)]


def _joint_tables(judgements: Judgements, annotators: slice) -> list[list[Floats]]:
    """For every two levels l and m, count the items to which the row's annotator gave l and the column's gave m."""
    people, levels = len(judgements.annotators), len(judgements.levels)
    dense_cost = len(judgements.items) * (people * levels) ** 2
    is_dense = dense_cost < DENSE_SPEED_UP * float(np.sum(judgements.judged.astype(float) ** 2))
    columns = (np.arange(levels)[:, None] * people + np.arange(annotators.start, annotators.stop)).ravel()
    product = (_dense_product if is_dense else _sparse_product)(judgements, columns)
    return [np.hsplit(rows, levels) for rows in np.vsplit(product, levels)]


def _dense_product(judgements: Judgements, selected: Ints) -> Floats:
    """Multiply the matrix of items × (level, annotator) with itself, a few items at a time."""
    columns = len(judgements.annotators) * len(judgements.levels)
    column = judgements.level * len(judgements.annotators) + judgements.annotator
    product = np.zeros((len(selected), columns))
    step = max(1, MAX_TABLE_CELLS // columns)
    for start in range(0, len(judgements.items), step):
        rows = slice(*np.searchsorted(judgements.item, [start, start + step]).tolist())
        # Counts up to 2²⁴ are exact.
        block = np.zeros((min(step, len(judgements.items) - start), columns), np.float32)
        block[judgements.item[rows] - start, column[rows]] = 1
        product += (block if len(selected) == columns else block[:, selected]).T @ block
    return product


def _sparse_product(judgements: Judgements, selected: Ints) -> Floats:
    from scipy.sparse import csr_array

    columns = len(judgements.annotators) * len(judgements.levels)
    position = (judgements.item, judgements.level * len(judgements.annotators) + judgements.annotator)
    matrix = csr_array((np.ones(len(judgements)), position), shape=(len(judgements.items), columns))
    return np.asarray((matrix[:, selected].T @ matrix).toarray())


def _correlate_pair_by_pair(judgements: Judgements, rho: Floats, items: Ints, constant: Bools) -> None:
    """Fill the matrices pair by pair, for many different values."""
    rows = positions_by_value(judgements.annotator, len(judgements.annotators))
    for first, second in combinations(range(len(rows)), 2):
        _, one, other = np.intersect1d(
            judgements.item[rows[first]], judgements.item[rows[second]], assume_unique=True, return_indices=True
        )
        values = judgements.value[rows[first][one]], judgements.value[rows[second][other]]
        pair_rho, spreads = _correlate_within_groups(np.zeros(len(one), np.intp), 1, *values)
        for row, column, spread in ((first, second, spreads[0]), (second, first, spreads[1])):
            rho[row, column], items[row, column] = pair_rho[0], len(one)
            constant[row, column] = bool(len(one)) and spread[0] == 0


# -- against the others --------------------------------------------------------------------------------------------


def correlate_with_others(judgements: Judgements) -> dict[str, Correlation]:
    """Correlate each annotator with the mean of the others, on the items that another annotator judged too."""
    people = len(judgements.annotators)
    shared = np.flatnonzero(judgements.judged[judgements.item] > 1)
    item, annotator, value = judgements.item[shared], judgements.annotator[shared], judgements.value[shared]
    totals = sum_at(judgements.item, judgements.value, len(judgements.items))
    # Rounded, so that equal means stay equal in any order of addition.
    others = np.round((totals[item] - value) / (judgements.judged[item] - 1), 9)
    rho, (spread, spread_of_others) = _correlate_within_groups(annotator, people, value, others)
    items = count_at(annotator, people)
    columns = (rho, correlation_p_values(rho, items), items, spread > 0, spread_of_others > 0)
    rows = zip(judgements.annotators, *(column.tolist() for column in columns), strict=True)
    return {
        name: Correlation(value, p, size, _undefined_annotator_reason(name, size, varies, others_vary))
        for name, value, p, size, varies, others_vary in rows
    }


def _undefined_annotator_reason(name: str, items: int, varies: bool, others_vary: bool) -> str:
    if items < 2:
        return f"{name} judged {'only 1' if items else 'no'} item that another annotator judged too"
    if not varies:
        return f"{name} gave the same value to all {items} items that another annotator judged too"
    if not others_vary:
        return f"the others gave the same value on average to all {items} items that {name} judged"
    return "" if items > 2 else f"{name} judged only 2 items that another annotator judged too, too few for a p-value"


def _correlate_within_groups(
    group: Ints, groups: int, first: Floats, second: Floats
) -> tuple[Floats, tuple[Floats, Floats]]:
    """Compute ρ of two columns within each group of rows, and the spread of each column's ranks there."""
    one, other = (_centred_ranks(group, groups, values) for values in (first, second))
    spreads = sum_at(group, one**2, groups), sum_at(group, other**2, groups)
    products = sum_at(group, one * other, groups)
    return np.clip(divide_or_nan(products, np.sqrt(spreads[0] * spreads[1])), -1, 1), spreads


def _centred_ranks(group: Ints, groups: int, values: Floats) -> Ints:
    """Return twice the distance of each value's shared rank from the middle of its group."""
    levels = np.unique(values, return_inverse=True)[1]
    _, number, ties = np.unique(group * len(values) + levels, return_inverse=True, return_counts=True)
    sizes = count_at(group, groups)
    ranks: Ints = (2 * run_starts(ties) + ties)[number]
    return ranks - (2 * run_starts(sizes) + sizes)[group]

"""Ragged data in flat arrays: runs of entries and sums over them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.intp]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def expand_runs(starts: Ints, sizes: Ints) -> Ints:
    """The positions of several runs, one after the other: ``starts[i], starts[i] + 1, …`` for each run ``i``.

    >>> expand_runs(np.array([10, 20]), np.array([2, 3])).tolist()
    [10, 11, 20, 21, 22]
    """
    return np.repeat(starts - run_starts(sizes), sizes) + np.arange(sizes.sum())


def run_starts(sizes: Ints) -> Ints:
    """Where each of several runs starts when they stand one after the other.

    >>> run_starts(np.array([2, 3, 1])).tolist()
    [0, 2, 5]
    """
    starts: Ints = np.cumsum(sizes) - sizes
    return starts


def sum_at(where: Ints, values: Floats | Ints | Bools, size: int) -> Floats:
    """The sum of the values at each place 0 … size − 1, added one by one in the order given.

    >>> sum_at(np.array([0, 2, 0]), np.array([1.0, 2.0, 3.0]), 3).tolist()
    [4.0, 0.0, 2.0]
    """
    return np.bincount(where, values, size).astype(np.float64)


CHUNK_COST = 1 << 22
"""How many pairs of entries are written out at a time."""


def chunk_by_cost(costs: Ints) -> Iterator[slice]:
    """Runs of positions whose costs add up to about :data:`CHUNK`, at least one position in each.

    >>> [(part.start, part.stop) for part in chunk_by_cost(np.array([3 << 20, 3 << 20, 1]))]
    [(0, 1), (1, 3)]
    """
    spent = np.cumsum(costs)
    start = 0
    while start < len(costs):
        paid = spent[start - 1] if start else 0
        stop = max(int(np.searchsorted(spent, paid + CHUNK_COST, "right")), start + 1)
        yield slice(start, stop)
        start = stop


def count_at(where: Ints, size: int) -> Ints:
    """How often each place 0 … size − 1 occurs."""
    return np.bincount(where, minlength=size).astype(np.intp)


def positions_by_value(where: Ints, size: int) -> list[Ints]:
    """For each place 0 … size − 1 the positions that have it, in order.

    >>> [part.tolist() for part in positions_by_value(np.array([1, 0, 1]), 3)]
    [[1], [0, 2], []]
    """
    order = np.argsort(where, kind="stable")
    return list(np.split(order, np.cumsum(count_at(where, size))[:-1]))[:size]


def normalise_rows(weights: Floats, indptr: Ints, by: Literal["sum", "max"]) -> Floats:
    """Weights divided by their row's sum, or by its largest; a row of zeros stays as it is.

    >>> normalise_rows(np.array([1.0, 3.0, 0.0]), np.array([0, 2, 3]), "sum").tolist()
    [0.25, 0.75, 0.0]
    """
    reduce = np.add.reduceat if by == "sum" else np.maximum.reduceat
    with np.errstate(over="ignore"):
        divisors: Floats = reduce(weights, indptr[:-1])
    if not np.isfinite(divisors).all():  # the sum of a row is too large for a float
        return normalise_rows(normalise_rows(weights, indptr, "max"), indptr, "sum")
    divisors = np.where(divisors == 0, 1.0, divisors)
    return weights / np.repeat(divisors, np.diff(indptr))

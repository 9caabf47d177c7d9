"""Ragged data in flat arrays: runs of entries, and sums over them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.intp]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

CHUNK_COST = 1 << 22
"""The number of pairs of entries that are expanded at a time."""


def expand_runs(starts: Ints, sizes: Ints) -> Ints:
    """List the positions of several runs, one after the other: ``starts[i], starts[i] + 1, …`` for each run ``i``.

    >>> expand_runs(np.array([10, 20]), np.array([2, 3])).tolist()
    [10, 11, 20, 21, 22]
    """
    return np.repeat(starts - run_starts(sizes), sizes) + np.arange(sizes.sum())


def run_starts(sizes: Ints) -> Ints:
    """Compute where each run starts when runs of these sizes follow each other.

    >>> run_starts(np.array([2, 3, 1])).tolist()
    [0, 2, 5]
    """
    starts: Ints = np.cumsum(sizes) - sizes
    return starts


def sum_at(positions: Ints, values: Floats | Ints | Bools, size: int) -> Floats:
    """Sum the values at each position 0 … size − 1, in the order of the values.

    >>> sum_at(np.array([0, 2, 0]), np.array([1.0, 2.0, 3.0]), 3).tolist()
    [4.0, 0.0, 2.0]
    """
    return np.bincount(positions, values, size).astype(np.float64)


def count_at(positions: Ints, size: int) -> Ints:
    """Count how often each position 0 … size − 1 occurs."""
    return np.bincount(positions, minlength=size).astype(np.intp)


def positions_by_value(values: Ints, size: int) -> list[Ints]:
    """List for each value 0 … size − 1 the positions that hold it, in order.

    >>> [positions.tolist() for positions in positions_by_value(np.array([1, 0, 1]), 3)]
    [[1], [0, 2], []]
    """
    order = np.argsort(values, kind="stable")
    return list(np.split(order, np.cumsum(count_at(values, size))[:-1]))[:size]


def number_by_first_appearance(codes: NDArray[Any]) -> tuple[NDArray[Any], Ints]:
    """Return the distinct codes in order of first appearance, and the position of each code among them.

    >>> distinct, numbers = number_by_first_appearance(np.array([7, 7, 3, 7]))
    >>> distinct.tolist(), numbers.tolist()
    ([7, 3], [0, 0, 1, 0])
    """
    distinct, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    ranks = np.empty(len(order), np.intp)
    ranks[order] = np.arange(len(order))
    return distinct[order], ranks[inverse]


def chunk_by_cost(costs: Ints) -> Iterator[slice]:
    """Split positions into runs whose costs add up to about :data:`CHUNK_COST`, with at least one position each.

    >>> [(part.start, part.stop) for part in chunk_by_cost(np.array([3 << 20, 3 << 20, 1]))]
    [(0, 1), (1, 3)]
    """
    total = np.cumsum(costs)
    start = 0
    while start < len(costs):
        cost_so_far = total[start - 1] if start else 0
        stop = max(int(np.searchsorted(total, cost_so_far + CHUNK_COST, "right")), start + 1)
        yield slice(start, stop)
        start = stop


def normalise_rows(weights: Floats, indptr: Ints, by: Literal["sum", "max"]) -> Floats:
    """Divide the weights of each row by their sum or their maximum; a row of zeros stays as it is.

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

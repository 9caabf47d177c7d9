"""Data without the clusters of others, but with their sums: what the adapted Gap statistic compares with."""

from __future__ import annotations

from typing import Any

import numpy as np

from polyseme.arrays import Floats
from polyseme.compilation import FloatArray, compile_loop
from polyseme.matrices import as_matrix, is_sparse

FULL_SHARE = 1e-9
"""A row is full when no greater share of its sum is left."""


def draw_with_marginals(matrix: Any, rng: np.random.Generator) -> Any:
    """Random rows with the row sums and column sums of a matrix; sparse, if it is.

    Cells are filled row by row: each is uniform between the least that it must take, so that the row can still be
    filled from the columns behind it, and what is left of its row and its column. (Pedersen & Kulkarni 2006 hold the
    sums fixed; the order of filling is that of the documentation of Algorithm::RandomMatrixGeneration.) Of a matrix
    with negative numbers, these are filled apart.

    >>> given = np.array([[3.0, 1.0], [0.0, 4.0], [2.0, 2.0]])
    >>> random = draw_with_marginals(given, np.random.default_rng(0))
    >>> random.sum(axis=0).round(6).tolist(), random.sum(axis=1).round(6).tolist()
    ([5.0, 7.0], [4.0, 4.0, 4.0])
    """
    rows = as_matrix(matrix)
    positive = _draw_positive(_positive_sums(rows, 1), _positive_sums(rows, 0), rng)
    values = rows.data if is_sparse(rows) else rows
    if values.size and values.min() < 0:
        positive = positive - _draw_positive(_positive_sums(-rows, 1), _positive_sums(-rows, 0), rng)
    return positive if is_sparse(rows) else positive.toarray()


def _positive_sums(rows: Any, axis: int) -> Floats:
    """The sums of what is positive, by row (1) or by column (0)."""
    positive = rows.maximum(0) if is_sparse(rows) else np.maximum(rows, 0)
    return np.asarray(positive.sum(axis=axis), np.float64).ravel()


def _draw_positive(row_sums: Floats, column_sums: Floats, rng: np.random.Generator) -> Any:
    """A sparse matrix with these sums."""
    import scipy.sparse as sp

    left = column_sums.copy()
    cells = [sp.csr_array(_fill_row(total, left, rng.random(len(left)))[None]) for total in row_sums.tolist()]
    return sp.csr_array(sp.vstack(cells)) if cells else sp.csr_array((0, len(left)))


@compile_loop
def _fill_row(total: float, left: FloatArray, draws: FloatArray) -> FloatArray:
    """The cells of a row with this sum; what is left of the columns gets less."""
    cells = np.zeros(len(left))
    behind, rest = left.sum(), total
    for column in range(len(left)):
        behind -= left[column]
        highest = min(rest, left[column])
        lowest = max(0.0, min(rest - behind, highest))
        value = lowest + draws[column] * (highest - lowest)
        if rest - value <= FULL_SHARE * total:
            value = highest
        cells[column] = value
        left[column] -= value
        rest -= value
        if rest <= 0:
            break
    return cells

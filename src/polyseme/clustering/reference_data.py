"""Reference data for the adapted Gap statistic: random rows without the clusters of the data, but with their sums."""

from __future__ import annotations

from typing import Any

import numpy as np

from polyseme.arrays import Floats
from polyseme.compilation import FloatArray, compile_loop
from polyseme.matrices import as_matrix, is_sparse

FULL_SHARE = 1e-9
"""A row is full when at most this share of its sum is left."""


def shuffle_columns(rows: Any, rng: np.random.Generator) -> Any:
    """Put the values of each column into random order; sparse rows stay sparse.

    >>> shuffle_columns(np.eye(3), np.random.default_rng(0)).sum(axis=0).tolist()
    [1.0, 1.0, 1.0]
    """
    import scipy.sparse as sp

    if not is_sparse(rows):
        return rng.permuted(rows, axis=0)
    columns = rows.tocsc()
    counts = np.diff(columns.indptr)
    places = [rng.choice(rows.shape[0], count, replace=False) for count in counts.tolist()]
    row_numbers = np.concatenate([np.zeros(0, np.intp), *places])
    column_numbers = np.repeat(np.arange(len(counts)), counts)
    shuffled: Any = sp.csr_array((columns.data, (row_numbers, column_numbers)), shape=rows.shape)
    return shuffled


def draw_with_marginals(matrix: Any, rng: np.random.Generator) -> Any:
    """Draw random rows with the row sums and column sums of a matrix; sparse, if it is.

    Cells are filled row by row. Each value is uniform. Its upper bound is the smaller remainder of its row and its
    column; its lower bound leaves enough room in the later columns for the rest of the row. (Pedersen & Kulkarni 2006
    hold the sums fixed; the order of filling is that of the documentation of Algorithm::RandomMatrixGeneration.)
    Negative numbers are filled separately.

    >>> data = np.array([[3.0, 1.0], [0.0, 4.0], [2.0, 2.0]])
    >>> random = draw_with_marginals(data, np.random.default_rng(0))
    >>> random.sum(axis=0).round(6).tolist(), random.sum(axis=1).round(6).tolist()
    ([5.0, 7.0], [4.0, 4.0, 4.0])
    """
    rows = as_matrix(matrix)
    sample = _draw_positive(_positive_sums(rows, 1), _positive_sums(rows, 0), rng)
    values = rows.data if is_sparse(rows) else rows
    if values.size and values.min() < 0:
        sample = sample - _draw_positive(_positive_sums(-rows, 1), _positive_sums(-rows, 0), rng)
    return sample if is_sparse(rows) else sample.toarray()


def _positive_sums(rows: Any, axis: int) -> Floats:
    """The sums of the positive numbers, by row (1) or by column (0)."""
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
    """The cells of a row with this sum; they are taken from what is left of the columns."""
    cells = np.zeros(len(left))
    behind, remainder = left.sum(), total
    for column in range(len(left)):
        behind -= left[column]
        highest = min(remainder, left[column])
        lowest = max(0.0, min(remainder - behind, highest))
        value = lowest + draws[column] * (highest - lowest)
        if remainder - value <= FULL_SHARE * total:
            value = highest
        cells[column] = value
        left[column] -= value
        remainder -= value
        if remainder <= 0:
            break
    return cells

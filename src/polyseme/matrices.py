"""Matrices of row vectors, dense or sparse: checks, unit lengths, products and distinct rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np

from polyseme.arrays import Floats, Ints, number_by_first_appearance
from polyseme.errors import InputError

Metric = Literal["cosine", "euclidean"]

DIGITS = 12
"""Rows are equal if they agree to this many digits."""

BLOCK_ROWS = 1024
"""The number of rows that are compared at a time."""


def as_matrix(matrix: Any) -> Any:
    """Convert a matrix to floating-point numbers, in an array or, if it is sparse, in compressed rows.

    Raises:
        InputError: It has not two dimensions, or holds a number that is not finite.

    >>> as_matrix([[1, 2], [3, 4]]).dtype
    dtype('float64')
    """
    import scipy.sparse as sp

    rows: Any
    if is_sparse(matrix):
        rows = sp.csr_array(matrix.astype(np.float64))
        rows.sum_duplicates()
        if rows.nnz < np.iinfo(np.int32).max:  # scikit-learn insists on indices of 32 bits
            rows.indices, rows.indptr = rows.indices.astype(np.int32), rows.indptr.astype(np.int32)
        values = rows.data
    else:
        rows = values = np.asarray(matrix, np.float64)
    if rows.ndim != 2:
        raise InputError(f"vectors are the rows of a matrix of two dimensions; this one has {rows.ndim}")
    if not np.isfinite(values).all():
        raise InputError("vectors must be of finite numbers; one is infinite or not a number")
    return rows


def is_sparse(matrix: Any) -> bool:
    """Whether a matrix is a sparse one of scipy."""
    return hasattr(matrix, "toarray")


def check_weights(weights: Any, size: int) -> Floats:
    """Check the weights of rows; without weights, each row weighs 1.

    >>> check_weights(None, 2).tolist()
    [1.0, 1.0]
    """
    if weights is None:
        return np.ones(size)
    values = np.asarray(weights, np.float64)
    if values.shape != (size,) or not np.isfinite(values).all() or (size and (values.min() < 0 or not values.any())):
        raise InputError(f"weights must be {size} numbers, one a row, of 0 or more, and not all 0")
    return values


def to_dense(matrix: Any) -> Floats:
    """Convert a matrix to a dense array."""
    return np.asarray(matrix.toarray() if is_sparse(matrix) else matrix, np.float64)


def squared_lengths(rows: Any) -> Floats:
    """Compute the squared length of each row."""
    if is_sparse(rows):
        return np.asarray(rows.multiply(rows).sum(axis=1), np.float64).ravel()
    lengths: Floats = np.einsum("ij,ij->i", rows, rows)
    return lengths


def unit_rows(matrix: Any) -> Any:
    """Scale the rows to length 1; a row of zeros stays.

    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    import scipy.sparse as sp

    lengths = np.sqrt(squared_lengths(matrix))
    lengths = np.where(lengths, lengths, 1)
    return (sp.diags_array(1 / lengths) @ matrix).tocsr() if is_sparse(matrix) else matrix / lengths[:, None]


def with_metric(matrix: Any, metric: Metric) -> Any:
    """Check the rows and, for the cosine, which depends on directions alone, scale them to length 1."""
    rows = as_matrix(matrix)
    return unit_rows(rows) if metric == "cosine" else rows


def dot_products(matrix: Any, others: Any) -> Floats:
    """Compute the dot product of each row with each row of another matrix."""
    return to_dense(matrix @ others.T)


def hstack_blocks(blocks: Sequence[Any]) -> Any:
    """Put matrices side by side; the result is sparse if one of them is.

    >>> hstack_blocks([np.eye(2), np.ones((2, 1))]).tolist()
    [[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]
    """
    import scipy.sparse as sp

    if any(map(is_sparse, blocks)):
        return sp.csr_array(sp.hstack([sp.csr_array(block) for block in blocks]))
    return np.hstack(blocks)


# -- distinct rows -------------------------------------------------------------------------------------------------


def count_distinct_rows(matrix: Any, limit: int) -> int:
    """Count the distinct rows, up to a limit.

    >>> count_distinct_rows(np.array([[1.0], [1.0], [2.0]]), 5)
    2
    """
    distinct: set[bytes] = set()
    for row in _rows_as_bytes(matrix):
        distinct.add(row)
        if len(distinct) >= limit:
            break
    return len(distinct)


def number_distinct_rows(matrix: Any) -> Ints:
    """Number the distinct rows in order, and return the number of each row.

    >>> number_distinct_rows(np.array([[1.0], [1.0], [2.0]])).tolist()
    [0, 0, 1]
    """
    numbers: dict[bytes, int] = {}
    return np.array([numbers.setdefault(row, len(numbers)) for row in _rows_as_bytes(matrix)], np.intp)


def _rows_as_bytes(matrix: Any) -> Iterator[bytes]:
    """Yield each row, rounded, as bytes. (Adding 0 turns −0 into 0.)"""
    for start in range(0, matrix.shape[0], BLOCK_ROWS):
        block = matrix[start : start + BLOCK_ROWS]
        if not is_sparse(block):
            yield from (row.tobytes() for row in block.round(DIGITS) + 0.0)
            continue
        block = block.copy()
        block.data = block.data.round(DIGITS)
        block.eliminate_zeros()
        for row in range(block.shape[0]):
            entries = slice(block.indptr[row], block.indptr[row + 1])
            yield block.indices[entries].astype(np.int64).tobytes() + block.data[entries].tobytes()


def renumber_clusters(labels: Any) -> Ints:
    """Number clusters in the order in which they first appear; −1, which is no cluster, stays.

    >>> renumber_clusters([7, -1, 3, 7]).tolist()
    [0, -1, 1, 0]
    """
    numbers = np.asarray(labels, np.intp).copy()
    inside = numbers >= 0
    numbers[inside] = number_by_first_appearance(numbers[inside])[1]
    return numbers

"""What the clusterers take: rows of numbers, dense or sparse, with or without weights; and how they name clusters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.errors import InputError
from polyseme.graphs.adjacency import renumber

DIGITS = 12
"""Rows that are the same to so many digits are the same."""

BLOCK_ROWS = 1024
"""How many rows are looked at, or multiplied, at a time."""


def as_matrix(matrix: Any) -> Any:
    """A matrix as a dense array or, if it is sparse, as compressed rows: checked, of floating-point numbers.

    >>> as_matrix([[1, 2], [3, 4]]).dtype
    dtype('float64')
    """
    import scipy.sparse as sp

    values = found = matrix if is_sparse(matrix) else np.asarray(matrix, np.float64)
    if is_sparse(matrix):
        found = sp.csr_array(matrix.astype(np.float64))
        found.sum_duplicates()
        if found.nnz < np.iinfo(np.int32).max:  # places of 32 bits, which scikit-learn insists on
            found.indices, found.indptr = (each.astype(np.int32) for each in (found.indices, found.indptr))
        values = found.data
    if found.ndim != 2:
        raise InputError(f"vectors are the rows of a matrix; what was given has {found.ndim} dimensions instead of two")
    if not np.isfinite(values).all():
        raise InputError("vectors must be of finite numbers; there is a nan or an infinite one")
    return found


def is_sparse(matrix: Any) -> bool:
    """Whether a matrix is one of scipy's sparse ones."""
    return hasattr(matrix, "toarray")


def check_weights(weights: Any, size: int) -> Floats:
    """The weights of so many rows, each 1 if none are given.

    >>> check_weights(None, 2).tolist()
    [1.0, 1.0]
    """
    if weights is None:
        return np.ones(size)
    found = np.asarray(weights, np.float64)
    if found.shape != (size,) or not np.isfinite(found).all() or (size and (found.min() < 0 or not found.any())):
        raise InputError(f"weights must be {size} numbers, one a row, of 0 or more, and not all 0")
    return found


def refuse_weights(part: object, weights: Any) -> None:
    """An error if there are weights, for those parts that know none."""
    if weights is not None:
        name = type(part).__name__
        raise InputError(f"{name} knows no weights of rows; KMeans and RepeatedBisections do")


def require_number(part: object, number: int | None) -> int:
    """The number of clusters, for those parts that must be told."""
    if number is None:
        hint = "give a number, or choose one by a part such as Fixed(7) or PK2()"
        raise InputError(f"{type(part).__name__} does not know how many clusters there are; {hint}")
    if number < 1:
        raise InputError(f"there cannot be {number} clusters; at least 1")
    return int(number)


def to_dense(matrix: Any) -> Floats:
    """A matrix without its sparsity."""
    return np.asarray(matrix.toarray() if is_sparse(matrix) else matrix, np.float64)


def unit_rows(matrix: Any) -> Any:
    """The rows with length 1, where they have any; a row of zeros stays.

    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    import scipy.sparse as sp

    if is_sparse(matrix):
        lengths = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
        return (sp.diags_array(1 / np.where(lengths, lengths, 1)) @ matrix).tocsr()
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))
    return matrix / np.where(lengths, lengths, 1)[:, None]


def with_metric(matrix: Any, metric: str) -> Any:
    """The rows as their metric sees them: the cosine sees only directions."""
    found = as_matrix(matrix)
    return unit_rows(found) if metric == "cosine" else found


def dot_products(matrix: Any, others: Any) -> Floats:
    """The dot product of each row with each of some others."""
    return to_dense(matrix @ others.T)


def count_distinct_rows(matrix: Any, most: int) -> int:
    """How many rows are different, counted up to a number.

    >>> count_distinct_rows(np.array([[1.0], [1.0], [2.0]]), 5)
    2
    """
    seen: set[bytes] = set()
    for row in _rows_as_bytes(matrix):
        seen.add(row)
        if len(seen) >= most:
            break
    return len(seen)


def number_distinct_rows(matrix: Any) -> Ints:
    """The number of each different row, in order.

    >>> number_distinct_rows(np.array([[1.0], [1.0], [2.0]])).tolist()
    [0, 0, 1]
    """
    numbers: dict[bytes, int] = {}
    return np.array([numbers.setdefault(row, len(numbers)) for row in _rows_as_bytes(matrix)], np.intp)


def _rows_as_bytes(matrix: Any) -> Iterator[bytes]:
    """Each row, rounded, as bytes. (Adding 0 makes −0 the same as 0.)"""
    for start in range(0, matrix.shape[0], BLOCK_ROWS):
        block = matrix[start : start + BLOCK_ROWS]
        if is_sparse(block):
            block = block.copy()
            block.data = block.data.round(DIGITS)
            block.eliminate_zeros()
            yield from (_sparse_row_as_bytes(block, row) for row in range(block.shape[0]))
        else:
            yield from (row.tobytes() for row in block.round(DIGITS) + 0.0)


def _sparse_row_as_bytes(block: Any, row: int) -> bytes:
    inside = slice(block.indptr[row], block.indptr[row + 1])
    found: bytes = block.indices[inside].astype(np.int64).tobytes() + block.data[inside].tobytes()
    return found


def renumber_clusters(labels: Any) -> Ints:
    """Clusters numbered in the order in which they first appear; −1, which is none, stays.

    >>> renumber_clusters([7, -1, 3, 7]).tolist()
    [0, -1, 1, 0]
    """
    found = np.asarray(labels, np.intp).copy()
    inside = found >= 0
    found[inside] = renumber(found[inside])
    return found

"""Graphs as adjacency matrices: symmetric, sparse, with weights and without loops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyseme.arrays import Ints
from polyseme.errors import InputError

if TYPE_CHECKING:
    import scipy.sparse as sp


def as_undirected(graph: Any) -> sp.csr_array[Any]:
    """Convert a graph to compressed rows in order, without loops and zeros.

    Raises:
        InputError: The matrix is not square or not symmetric, or a weight is not a finite number above 0.

    >>> as_undirected([[5, 1], [1, 0]]).toarray().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    import scipy.sparse as sp

    matrix = sp.csr_array(graph, dtype=np.float64, copy=True)
    if matrix.shape[0] != matrix.shape[1]:
        raise InputError(f"a graph is a square matrix; this one has {matrix.shape[0]} rows, {matrix.shape[1]} columns")
    matrix.sum_duplicates()
    matrix.setdiag(0)
    matrix.eliminate_zeros()
    if matrix.nnz and not (np.isfinite(matrix.data).all() and matrix.data.min() > 0):
        raise InputError("the weights of a graph must be finite numbers above 0")
    if abs(matrix - matrix.T).nnz:
        raise InputError("a graph must be symmetric: the edge from a to b is the edge from b to a")
    matrix.sort_indices()
    return matrix


def with_ones(graph: sp.csr_array[Any], dtype: Any = np.int64) -> sp.csr_array[Any]:
    """Copy a graph, with the weight 1 for each edge."""
    ones = graph.copy()
    ones.data = np.ones(len(graph.data), dtype)
    return ones


def degrees(graph: sp.csr_array[Any]) -> Ints:
    """Count the neighbours of each node."""
    return np.diff(graph.indptr).astype(np.intp)


def entry_rows(graph: sp.csr_array[Any]) -> Ints:
    """List the row of each entry."""
    return np.repeat(np.arange(graph.shape[0]), degrees(graph))


def find_root(parent: list[int], node: int) -> int:
    """Find the root of a node in a forest, and shorten the path to it."""
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node

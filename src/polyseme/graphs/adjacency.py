"""What the algorithms take for a graph: a symmetric sparse matrix of weights, without loops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyseme.arrays import Ints
from polyseme.errors import InputError

if TYPE_CHECKING:
    import scipy.sparse as sp


def as_undirected(graph: Any) -> sp.csr_array[Any]:
    """A graph as compressed rows: checked, its loops and its zeros left out, each row in order.

    >>> as_undirected([[5, 1], [1, 0]]).toarray().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    import scipy.sparse as sp

    found = sp.csr_array(graph, dtype=np.float64, copy=True)
    if found.shape[0] != found.shape[1]:
        raise InputError(f"a graph is a square matrix; this one has {found.shape[0]} rows, {found.shape[1]} columns")
    found.sum_duplicates()
    found.setdiag(0)
    found.eliminate_zeros()
    if found.nnz and not (np.isfinite(found.data).all() and found.data.min() > 0):
        raise InputError("the weights of a graph must be finite numbers above 0")
    if abs(found - found.T).nnz:
        raise InputError("a graph must be symmetric: the edge from a to b is the edge from b to a")
    found.sort_indices()
    return found


def degrees(graph: sp.csr_array[Any]) -> Ints:
    """How many neighbours each node has."""
    return np.diff(graph.indptr).astype(np.intp)


def renumber(labels: Any) -> Ints:
    """Labels numbered from 0 in the order in which they first appear.

    >>> renumber([7, 7, 3, 7]).tolist()
    [0, 0, 1, 0]
    """
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.intp)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    found: Ints = rank[inverse]
    return found

"""Short cycles: how many triangles and squares go through each edge, and what that says of an edge or a node.

With the adjacency matrix A, triangles through the edge (u, v) are (A²)ᵤᵥ, and squares the walks of length three from u
to v, (A³)ᵤᵥ, less those that turn back, d(u) + d(v) − 1. Both are sparse products, of which only the entries at edges
are kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.graphs.adjacency import as_undirected, degrees

if TYPE_CHECKING:
    import scipy.sparse as sp

BLOCK_ROWS = 512
"""How many rows of a product are in memory at a time."""


def count_triangles(graph: Any) -> Ints:
    """How many triangles go through each edge, in the order of the entries of ``undirected(graph)``.

    >>> count_triangles([[0, 1, 1], [1, 0, 1], [1, 1, 0]]).tolist()
    [1, 1, 1, 1, 1, 1]
    """
    return _count_walks(as_undirected(graph), 2)


def count_squares(graph: Any) -> Ints:
    """How many squares (cycles of four nodes) go through each edge.

    >>> count_squares([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]]).tolist()
    [1, 1, 1, 1, 1, 1, 1, 1]
    """
    given = as_undirected(graph)
    rows, degree = _entry_rows(given), degrees(given)
    found: Ints = _count_walks(given, 3) - degree[rows] - degree[given.indices] + 1
    return found


def count_possible_triangles(graph: Any) -> Ints:
    """How many triangles could go through each edge: one for each other neighbour of either end.

    >>> count_possible_triangles([[0, 1, 1], [1, 0, 0], [1, 0, 0]]).tolist()
    [1, 1, 1, 1]
    """
    given = as_undirected(graph)
    rows, degree = _entry_rows(given), degrees(given)
    found: Ints = degree[rows] + degree[given.indices] - 2 - _count_walks(given, 2)
    return found


def count_possible_squares(graph: Any) -> Ints:
    """How many squares could go through each edge (u, v): pairs of other neighbours, x of u and y of v, with x ≠ y.

    >>> count_possible_squares([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]]).tolist()
    [1, 1, 1, 1, 1, 1, 1, 1]
    """
    given = as_undirected(graph)
    rows, degree = _entry_rows(given), degrees(given)
    found: Ints = (degree[rows] - 1) * (degree[given.indices] - 1) - _count_walks(given, 2)
    return found


def square_ratio(graph: Any) -> Floats:
    """Of the squares that could go through each edge, how many do; 0 where none could. (Navigli & Crisafulli 2010)"""
    return _ratio(count_squares(graph), count_possible_squares(graph))


def triangle_ratio(graph: Any) -> Floats:
    """The same for triangles. (Navigli & Crisafulli 2010)"""
    return _ratio(count_triangles(graph), count_possible_triangles(graph))


def curvature(graph: Any) -> Floats:
    """Of the pairs of neighbours of each node, how many are neighbours too; 0 without a pair. (Dorow et al. 2005)

    >>> curvature([[0, 1, 1, 1], [1, 0, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0]]).round(3).tolist()
    [0.333, 1.0, 1.0, 0.0]
    """
    given = as_undirected(graph)
    degree = degrees(given)
    closed = np.bincount(_entry_rows(given), _count_walks(given, 2), minlength=given.shape[0])
    return _ratio(closed, degree * (degree - 1))


def keep_edges(graph: Any, kept: Any) -> sp.csr_array[Any]:
    """The graph with only those edges, in the order of the entries of ``undirected(graph)``, of which this holds."""
    found = as_undirected(graph)
    found.data[~np.asarray(kept, np.bool_)] = 0
    found.eliminate_zeros()
    return found


def remove_low_curvature(graph: Any, minimum: float) -> sp.csr_array[Any]:
    """The graph without the edges of nodes whose curvature is less: hubs that join what has nothing in common.

    Dorow et al. (2005) take the components of what is left for senses.

    >>> remove_low_curvature([[0, 1, 1, 1], [1, 0, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0]], 0.5).toarray().tolist()
    [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]
    """
    given = as_undirected(graph)
    straight = curvature(given) >= minimum
    return keep_edges(given, straight[_entry_rows(given)] & straight[given.indices])


def _entry_rows(graph: sp.csr_array[Any]) -> Ints:
    return np.repeat(np.arange(graph.shape[0]), degrees(graph))


def _ratio(part: Any, whole: Any) -> Floats:
    found: Floats = np.divide(part, whole, out=np.zeros(len(part)), where=np.asarray(whole) > 0)
    return found


def _count_walks(graph: sp.csr_array[Any], length: int) -> Ints:
    """How many walks of length two or three lead from one end of each edge to the other."""
    ones = graph.copy()
    ones.data = np.ones(len(graph.data), np.int64)
    found = []
    for start in range(0, graph.shape[0], BLOCK_ROWS):
        reached = ones[start : start + BLOCK_ROWS]
        for _ in range(length - 1):
            reached = reached @ ones
        found.append(_entries_at(reached, graph[start : start + BLOCK_ROWS]))
    return np.concatenate(found) if found else np.zeros(0, np.intp)


def _entries_at(values: sp.csr_array[Any], edges: sp.csr_array[Any]) -> Ints:
    """The entries of one matrix where another has some, in its order."""
    wanted = edges.copy()
    wanted.data = np.ones(len(edges.data), np.int64)
    marked: Any = values.multiply(wanted) + wanted  # one more, so that no entry is lost
    marked = marked.tocsr()
    marked.sort_indices()
    return np.asarray(marked.data - 1, np.intp)

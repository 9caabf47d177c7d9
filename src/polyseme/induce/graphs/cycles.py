"""Short cycles: how many triangles and squares go through each edge, and what that says of an edge or a node.

With the adjacency matrix A, triangles through the edge (u, v) are (A²)ᵤᵥ, and squares the walks of length three from u
to v, (A³)ᵤᵥ, less those that turn back, d(u) + d(v) − 1. Both are sparse products, of which only the entries at edges
are kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.induce.graphs.graph import degrees, undirected

if TYPE_CHECKING:
    import scipy.sparse as sp

ROWS = 512
"""How many rows of a product are in memory at a time."""


def triangles(graph: Any) -> Ints:
    """How many triangles go through each edge, in the order of the entries of ``undirected(graph)``.

    >>> triangles([[0, 1, 1], [1, 0, 1], [1, 1, 0]]).tolist()
    [1, 1, 1, 1, 1, 1]
    """
    return _walks(undirected(graph), 2)


def squares(graph: Any) -> Ints:
    """How many squares (cycles of four nodes) go through each edge.

    >>> squares([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]]).tolist()
    [1, 1, 1, 1, 1, 1, 1, 1]
    """
    given = undirected(graph)
    rows, degree = _rows(given), degrees(given)
    found: Ints = _walks(given, 3) - degree[rows] - degree[given.indices] + 1
    return found


def possible_triangles(graph: Any) -> Ints:
    """How many triangles could go through each edge: one for each other neighbour of either end.

    >>> possible_triangles([[0, 1, 1], [1, 0, 0], [1, 0, 0]]).tolist()
    [1, 1, 1, 1]
    """
    given = undirected(graph)
    rows, degree = _rows(given), degrees(given)
    found: Ints = degree[rows] + degree[given.indices] - 2 - _walks(given, 2)
    return found


def possible_squares(graph: Any) -> Ints:
    """How many squares could go through each edge (u, v): pairs of other neighbours, x of u and y of v, with x ≠ y.

    >>> possible_squares([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]]).tolist()
    [1, 1, 1, 1, 1, 1, 1, 1]
    """
    given = undirected(graph)
    rows, degree = _rows(given), degrees(given)
    found: Ints = (degree[rows] - 1) * (degree[given.indices] - 1) - _walks(given, 2)
    return found


def square_ratio(graph: Any) -> Floats:
    """Of the squares that could go through each edge, how many do; 0 where none could. (Navigli & Crisafulli 2010)"""
    return _ratio(squares(graph), possible_squares(graph))


def triangle_ratio(graph: Any) -> Floats:
    """The same for triangles. (Navigli & Crisafulli 2010)"""
    return _ratio(triangles(graph), possible_triangles(graph))


def curvature(graph: Any) -> Floats:
    """Of the pairs of neighbours of each node, how many are neighbours too; 0 without a pair. (Dorow et al. 2005)

    >>> curvature([[0, 1, 1, 1], [1, 0, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0]]).round(3).tolist()
    [0.333, 1.0, 1.0, 0.0]
    """
    given = undirected(graph)
    degree = degrees(given)
    closed = np.bincount(_rows(given), _walks(given, 2), minlength=given.shape[0])
    return _ratio(closed, degree * (degree - 1))


def pruned(graph: Any, kept: Any) -> sp.csr_array[Any]:
    """The graph with only those edges, in the order of the entries of ``undirected(graph)``, of which this holds."""
    found = undirected(graph)
    found.data[~np.asarray(kept, np.bool_)] = 0
    found.eliminate_zeros()
    return found


def without_bent(graph: Any, minimum: float) -> sp.csr_array[Any]:
    """The graph without the edges of nodes whose curvature is less: hubs that join what has nothing in common.

    Dorow et al. (2005) take the components of what is left for senses.

    >>> without_bent([[0, 1, 1, 1], [1, 0, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0]], 0.5).toarray().tolist()
    [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]
    """
    given = undirected(graph)
    straight = curvature(given) >= minimum
    return pruned(given, straight[_rows(given)] & straight[given.indices])


def _rows(graph: sp.csr_array[Any]) -> Ints:
    return np.repeat(np.arange(graph.shape[0]), degrees(graph))


def _ratio(part: Any, whole: Any) -> Floats:
    found: Floats = np.divide(part, whole, out=np.zeros(len(part)), where=np.asarray(whole) > 0)
    return found


def _walks(graph: sp.csr_array[Any], length: int) -> Ints:
    """How many walks of length two or three lead from one end of each edge to the other."""
    ones = graph.copy()
    ones.data = np.ones(len(graph.data), np.int64)
    found = []
    for start in range(0, graph.shape[0], ROWS):
        reached = ones[start : start + ROWS]
        for _ in range(length - 1):
            reached = reached @ ones
        found.append(_at(reached, graph[start : start + ROWS]))
    return np.concatenate(found) if found else np.zeros(0, np.intp)


def _at(values: sp.csr_array[Any], edges: sp.csr_array[Any]) -> Ints:
    """The entries of one matrix where another has some, in its order."""
    wanted = edges.copy()
    wanted.data = np.ones(len(edges.data), np.int64)
    marked: Any = values.multiply(wanted) + wanted  # one more, so that no entry is lost
    marked = marked.tocsr()
    marked.sort_indices()
    return np.asarray(marked.data - 1, np.intp)

"""Short cycles: the triangles and squares through each edge, and what they say of an edge or a node.

With the adjacency matrix A, the triangles through the edge (u, v) are (A²)ᵤᵥ. The squares are the walks of length three
from u to v, (A³)ᵤᵥ, less those that turn back, d(u) + d(v) − 1. Both are sparse products; only the entries at edges are
needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.graphs.adjacency import as_undirected, degrees, entry_rows, with_ones

if TYPE_CHECKING:
    import scipy.sparse as sp

BLOCK_ROWS = 512
"""The number of rows of a product that are in memory at a time."""


def count_triangles(graph: Any) -> Ints:
    """Count the triangles through each edge, in the order of the entries of ``as_undirected(graph)``.

    >>> count_triangles([[0, 1, 1], [1, 0, 1], [1, 1, 0]]).tolist()
    [1, 1, 1, 1, 1, 1]
    """
    return _count_walks(as_undirected(graph), 2)


def count_squares(graph: Any) -> Ints:
    """Count the squares (cycles of four nodes) through each edge.

    >>> count_squares([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]]).tolist()
    [1, 1, 1, 1, 1, 1, 1, 1]
    """
    edges = as_undirected(graph)
    first, second = _end_degrees(edges)
    return _count_walks(edges, 3) - first - second + 1


def count_possible_triangles(graph: Any) -> Ints:
    """Count the triangles that could go through each edge: one for each other neighbour of either end.

    >>> count_possible_triangles([[0, 1, 1], [1, 0, 0], [1, 0, 0]]).tolist()
    [1, 1, 1, 1]
    """
    edges = as_undirected(graph)
    first, second = _end_degrees(edges)
    return first + second - 2 - _count_walks(edges, 2)


def count_possible_squares(graph: Any) -> Ints:
    """Count the squares that could go through each edge (u, v): pairs of other neighbours, x of u and y of v, x ≠ y.

    >>> count_possible_squares([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]]).tolist()
    [1, 1, 1, 1, 1, 1, 1, 1]
    """
    edges = as_undirected(graph)
    first, second = _end_degrees(edges)
    return (first - 1) * (second - 1) - _count_walks(edges, 2)


def square_ratio(graph: Any) -> Floats:
    """Compute the share of possible squares through each edge that exist; 0 if none is possible.

    (Navigli & Crisafulli 2010)
    """
    return _ratio(count_squares(graph), count_possible_squares(graph))


def triangle_ratio(graph: Any) -> Floats:
    """Compute the share of possible triangles through each edge that exist. (Navigli & Crisafulli 2010)"""
    return _ratio(count_triangles(graph), count_possible_triangles(graph))


def curvature(graph: Any) -> Floats:
    """Compute the share of the pairs of neighbours of each node that are neighbours too; 0 without a pair.

    (Dorow et al. 2005)

    >>> curvature([[0, 1, 1, 1], [1, 0, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0]]).round(3).tolist()
    [0.333, 1.0, 1.0, 0.0]
    """
    edges = as_undirected(graph)
    degree = degrees(edges)
    closed = np.bincount(entry_rows(edges), _count_walks(edges, 2), minlength=edges.shape[0])
    return _ratio(closed, degree * (degree - 1))


def keep_edges(graph: Any, mask: Any) -> sp.csr_array[Any]:
    """Remove the edges that a mask leaves out; it is in the order of the entries of ``as_undirected(graph)``."""
    edges = as_undirected(graph)
    edges.data[~np.asarray(mask, np.bool_)] = 0
    edges.eliminate_zeros()
    return edges


def _end_degrees(graph: sp.csr_array[Any]) -> tuple[Ints, Ints]:
    """The degrees of both ends of each edge."""
    degree = degrees(graph)
    return degree[entry_rows(graph)], degree[graph.indices]


def _ratio(part: Any, whole: Any) -> Floats:
    ratio: Floats = np.divide(part, whole, out=np.zeros(len(part)), where=np.asarray(whole) > 0)
    return ratio


def _count_walks(graph: sp.csr_array[Any], length: int) -> Ints:
    """Count the walks of length two or three from one end of each edge to the other."""
    ones = with_ones(graph)
    counts = [np.zeros(0, np.intp)]
    for start in range(0, graph.shape[0], BLOCK_ROWS):
        edges = ones[start : start + BLOCK_ROWS]
        walks = edges
        for _ in range(length - 1):
            walks = walks @ ones
        marked: Any = (walks.multiply(edges) + edges).tocsr()  # one more, so that no entry is lost
        marked.sort_indices()
        counts.append(np.asarray(marked.data - 1, np.intp))
    return np.concatenate(counts)

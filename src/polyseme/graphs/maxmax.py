"""MaxMax: overlapping clusters of a weighted graph, in one pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from polyseme.arrays import Ints
from polyseme.graphs.adjacency import as_undirected, degrees

if TYPE_CHECKING:
    import scipy.sparse as sp


@dataclass(frozen=True)
class MaxMax:
    """Clusters around nodes that are the strongest neighbours of others. (Hope & Keller 2013)

    Where u is the neighbour to which v has its heaviest edge, or one of several, there is an arc from u to v. All nodes
    are roots at first; then, one after the other, each that is still a root makes whatever it reaches none. Each root
    that is left is a cluster with all that it reaches. Clusters may overlap, and no number of them is given.

    The roots that are left are found at once. Nodes that reach one another, and that no other node reaches, keep one:
    the first of them, which has its turn before the others. Any other node is reached by such a one.

    >>> [nodes.tolist() for nodes in MaxMax()([[0, 3, 0, 0], [3, 0, 1, 0], [0, 1, 0, 2], [0, 0, 2, 0]])]
    [[0, 1], [2, 3]]
    """

    kind: ClassVar[str] = "clustering"

    def __call__(self, graph: Any) -> list[Ints]:
        """The nodes of each cluster, the root first."""
        arcs = strongest_arcs(as_undirected(graph))
        return [_reach(arcs, root) for root in find_roots(arcs).tolist()]


def strongest_arcs(graph: sp.csr_array[Any]) -> sp.csr_array[Any]:
    """An arc from u to v where the heaviest edge of v, or one of them, is that to u."""
    import scipy.sparse as sp

    rows = np.repeat(np.arange(graph.shape[0]), degrees(graph))
    most = np.zeros(graph.shape[0])
    np.maximum.at(most, rows, graph.data)
    kept = graph.data == most[rows]
    entries = (np.ones(kept.sum(), np.int8), (graph.indices[kept], rows[kept]))
    found = sp.csr_array(entries, shape=graph.shape)
    found.sort_indices()
    return found


def find_roots(arcs: sp.csr_array[Any]) -> Ints:
    """The first node of each strongly connected component into which no arc leads from another.

    >>> import scipy.sparse as sp
    >>> find_roots(sp.csr_array([[0, 1, 0, 0], [1, 0, 0, 0], [0, 1, 0, 1], [0, 0, 1, 0]])).tolist()
    [2]
    """
    from scipy.sparse.csgraph import connected_components

    count, component = connected_components(arcs, directed=True, connection="strong")
    start, end = component[np.repeat(np.arange(arcs.shape[0]), degrees(arcs))], component[arcs.indices]
    reached = np.zeros(count, np.bool_)
    reached[end[start != end]] = True
    first = np.unique(component, return_index=True)[1]
    found: Ints = np.sort(first[~reached])
    return found


def _next(arcs: sp.csr_array[Any], node: int) -> list[int]:
    found: list[int] = arcs.indices[arcs.indptr[node] : arcs.indptr[node + 1]].tolist()
    return found


def _reach(arcs: sp.csr_array[Any], start: int) -> Ints:
    found, waiting = {start: None}, [start]
    while waiting:
        fresh = [node for node in _next(arcs, waiting.pop()) if node not in found]
        found |= dict.fromkeys(fresh)
        waiting += fresh
    return np.array([start, *sorted(set(found) - {start})], np.intp)

"""MaxMax: overlapping clusters of a weighted graph, in one pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from polyseme.arrays import Ints
from polyseme.induce.graphs.graph import degrees, undirected

if TYPE_CHECKING:
    import scipy.sparse as sp


@dataclass(frozen=True)
class MaxMax:
    """Clusters around nodes that are the strongest neighbours of others. (Hope & Keller 2013)

    Where u is the neighbour to which v has its heaviest edge, or one of several, there is an arc from u to v. All nodes
    are roots at first; then, one after the other, each that is still a root makes whatever it reaches none. Each root
    that is left is a cluster with all that it reaches. Clusters may overlap, and no number of them is given.

    >>> [nodes.tolist() for nodes in MaxMax()([[0, 3, 0, 0], [3, 0, 1, 0], [0, 1, 0, 2], [0, 0, 2, 0]])]
    [[0, 1], [2, 3]]
    """

    kind: ClassVar[str] = "clustering"

    def __call__(self, graph: Any) -> list[Ints]:
        """The nodes of each cluster, the root first."""
        arcs = strongest(undirected(graph))
        root = np.ones(arcs.shape[0], np.bool_)
        for node in range(arcs.shape[0]):
            if root[node]:
                _mark(arcs, node, root)
        return [_reached(arcs, node) for node in np.flatnonzero(root).tolist()]


def strongest(graph: sp.csr_array[Any]) -> sp.csr_array[Any]:
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


def _next(arcs: sp.csr_array[Any], node: int) -> list[int]:
    found: list[int] = arcs.indices[arcs.indptr[node] : arcs.indptr[node + 1]].tolist()
    return found


def _mark(arcs: sp.csr_array[Any], start: int, root: Any) -> None:
    """Whatever a node reaches is no root; beyond what is none already, nothing is left to mark."""
    waiting = [start]
    while waiting:
        for node in _next(arcs, waiting.pop()):
            if root[node] and node != start:
                root[node] = False
                waiting.append(node)


def _reached(arcs: sp.csr_array[Any], start: int) -> Ints:
    found, waiting = {start: None}, [start]
    while waiting:
        fresh = [node for node in _next(arcs, waiting.pop()) if node not in found]
        found |= dict.fromkeys(fresh)
        waiting += fresh
    return np.array([start, *sorted(set(found) - {start})], np.intp)

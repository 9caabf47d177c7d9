"""MaxMax: overlapping clusters of a weighted graph, in one pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from polyseme.arrays import Ints
from polyseme.graphs.adjacency import as_undirected, entry_rows

if TYPE_CHECKING:
    import scipy.sparse as sp


@dataclass(frozen=True)
class MaxMax:
    """Clusters around nodes that are the strongest neighbours of others. (Hope & Keller 2013)

    If u is the neighbour to which v has its heaviest edge, or one of several, there is an arc from u to v. At first all
    nodes are roots. Then each node that is still a root, one after the other, strikes out the roots that it reaches.
    Each remaining root is a cluster with all nodes that it reaches. Clusters may overlap; their number is not given.

    The remaining roots are computed in one step. Take a set of nodes that reach one another and that no other node
    reaches: its root is its first node. Every other node is reached by such a root.

    >>> [nodes.tolist() for nodes in MaxMax()([[0, 3, 0, 0], [3, 0, 1, 0], [0, 1, 0, 2], [0, 0, 2, 0]])]
    [[0, 1], [2, 3]]
    """

    kind: ClassVar[str] = "clustering"

    def __call__(self, graph: Any) -> list[Ints]:
        """The nodes of each cluster, the root first."""
        arcs = strongest_arcs(as_undirected(graph))
        return [_reach(arcs, root) for root in find_roots(arcs).tolist()]


def strongest_arcs(graph: sp.csr_array[Any]) -> sp.csr_array[Any]:
    """Draw an arc from u to v where the heaviest edge of v, or one of them, is that to u."""
    import scipy.sparse as sp

    rows = entry_rows(graph)
    heaviest = np.zeros(graph.shape[0])
    np.maximum.at(heaviest, rows, graph.data)
    is_heaviest = graph.data == heaviest[rows]
    entries = (np.ones(is_heaviest.sum(), np.int8), (graph.indices[is_heaviest], rows[is_heaviest]))
    arcs = sp.csr_array(entries, shape=graph.shape)
    arcs.sort_indices()
    return arcs


def find_roots(arcs: sp.csr_array[Any]) -> Ints:
    """Find the first node of each strongly connected component into which no arc leads from another.

    >>> import scipy.sparse as sp
    >>> find_roots(sp.csr_array([[0, 1, 0, 0], [1, 0, 0, 0], [0, 1, 0, 1], [0, 0, 1, 0]])).tolist()
    [2]
    """
    from scipy.sparse.csgraph import connected_components

    count, component = connected_components(arcs, directed=True, connection="strong")
    start, end = component[entry_rows(arcs)], component[arcs.indices]
    is_reached = np.zeros(count, np.bool_)
    is_reached[end[start != end]] = True
    first = np.unique(component, return_index=True)[1]
    roots: Ints = np.sort(first[~is_reached])
    return roots


def _reach(arcs: sp.csr_array[Any], root: int) -> Ints:
    """The root, and the nodes that it reaches, in order."""
    nodes, waiting = {root}, [root]
    while waiting:
        node = waiting.pop()
        new = set(arcs.indices[arcs.indptr[node] : arcs.indptr[node + 1]].tolist()) - nodes
        nodes |= new
        waiting += new
    return np.array([root, *sorted(nodes - {root})], np.intp)

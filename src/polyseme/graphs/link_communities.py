"""Link communities: clusters of edges, so that a node can be in several.

Two edges that share a node are as similar as their other ends. Single linkage of so many pairs of edges is a spanning
tree of them: pairs of nodes are gone through from the most similar on, and each joins the edges to every neighbour that
both have. No matrix of edges × edges is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from polyseme.arrays import Floats, Ints, positions_by_value
from polyseme.graphs.adjacency import as_undirected, degrees, renumber
from polyseme.parts import check_options

if TYPE_CHECKING:
    import scipy.sparse as sp

BLOCK_ROWS = 256
"""How many rows of a product are in memory at a time."""


class EdgeCommunities(NamedTuple):
    """Edges as two columns of nodes, first < second, in order; the community of each; and where the tree was cut."""

    edges: Ints
    labels: Ints
    density: float
    threshold: float

    def links(self) -> list[Ints]:
        """The rows of the edges of each community."""
        return positions_by_value(self.labels, int(self.labels.max(initial=-1)) + 1)

    def nodes(self) -> list[Ints]:
        """The nodes of each community."""
        return [np.unique(self.edges[rows]) for rows in self.links()]


@dataclass(frozen=True)
class LinkCommunities:
    """Communities of edges by single linkage, cut where the partition density is greatest. (Ahn, Bagrow & Lehmann 2010)

    Of edges (i, k) and (j, k) the similarity is |n(i) ∩ n(j)| / |n(i) ∪ n(j)|, where n(i) is i with its neighbours; or,
    ``weighted``, the Tanimoto coefficient aᵢ·aⱼ / (|aᵢ|² + |aⱼ|² − aᵢ·aⱼ) of the weights of their edges, where aᵢᵢ is
    the mean weight of i's. With mᶜ edges and nᶜ nodes in the community c, and M edges in all, the density is

        D = 2/M Σ mᶜ (mᶜ − nᶜ + 1) / ((nᶜ − 2)(nᶜ − 1)),

    in which a community of two nodes counts 0.

    >>> graph = np.zeros((5, 5))
    >>> for a, b in [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (2, 4)]:
    ...     graph[a, b] = graph[b, a] = 1
    >>> found = LinkCommunities()(graph)
    >>> [nodes.tolist() for nodes in found.nodes()], found.density
    ([[0, 1, 2], [2, 3, 4]], 1.0)
    """

    kind: ClassVar[str] = "clustering"
    weighted: bool = False

    def __post_init__(self) -> None:
        check_options(self)

    def __call__(self, graph: Any) -> EdgeCommunities:
        """The communities, numbered in the order of the edges."""
        given = as_undirected(graph)
        edges = np.stack(_edges(given), axis=1) if given.nnz else np.zeros((0, 2), np.intp)
        merges, similarity = spanning_tree_of_links(given, weighted=self.weighted)
        densities, levels = partition_densities(edges, merges, similarity)
        best = int(np.argmax(densities))
        taken = merges[similarity >= levels[best]]
        return EdgeCommunities(edges, _community_labels(len(edges), taken), float(densities[best]), float(levels[best]))


def spanning_tree_of_links(graph: sp.csr_array[Any], *, weighted: bool = False) -> tuple[Ints, Floats]:
    """The spanning tree: pairs of edges, by their numbers, that join communities, and how similar each pair is."""
    from polyseme.graphs._loops import merge_links

    first, second, similar = _node_similarities(graph, weighted=weighted)
    order = np.argsort(-similar, kind="stable")
    found = merge_links(graph.indptr, graph.indices, _edge_numbers(graph), first[order], second[order])
    return found[:, :2].astype(np.intp), similar[order][found[:, 2]]


def _edges(graph: sp.csr_array[Any]) -> tuple[Ints, Ints]:
    """The edges, each once, as two columns."""
    rows = np.repeat(np.arange(graph.shape[0]), degrees(graph))
    kept = rows < graph.indices
    return rows[kept], graph.indices[kept].astype(np.intp)


def _edge_numbers(graph: sp.csr_array[Any]) -> Ints:
    """The number of the edge at each entry; both directions have the same."""
    rows = np.repeat(np.arange(graph.shape[0]), degrees(graph))
    low, high = np.minimum(rows, graph.indices), np.maximum(rows, graph.indices)
    _, numbers = np.unique(low.astype(np.int64) * graph.shape[0] + high, return_inverse=True)
    return np.asarray(numbers, np.intp)


def _node_similarities(graph: sp.csr_array[Any], *, weighted: bool) -> tuple[Any, Any, Floats]:
    """The similarity of each two nodes that share a neighbour, or are neighbours: first < second."""
    vectors = _node_vectors(graph, weighted=weighted)
    norms = np.asarray(vectors.multiply(vectors).sum(axis=1)).ravel()
    turned = vectors.T.tocsr()
    firsts, seconds, values = [np.zeros(0, np.int32)], [np.zeros(0, np.int32)], [np.zeros(0)]
    for start in range(0, graph.shape[0], BLOCK_ROWS):
        product = (vectors[start : start + BLOCK_ROWS] @ turned).tocoo()
        row = (product.row + start).astype(np.int32)
        kept = row < product.col
        one, other, shared = row[kept], product.col[kept].astype(np.int32), product.data[kept]
        firsts.append(one)
        seconds.append(other)
        values.append(shared / (norms[one] + norms[other] - shared))
    return np.concatenate(firsts), np.concatenate(seconds), np.concatenate(values)


def _node_vectors(graph: sp.csr_array[Any], *, weighted: bool) -> sp.csr_array[Any]:
    """The weights of each node's edges, with that to itself."""
    import scipy.sparse as sp

    degree = degrees(graph)
    if not weighted:
        ones = graph.copy()
        ones.data = np.ones(len(graph.data))
        return (ones + sp.eye_array(graph.shape[0], format="csr")).tocsr()
    mean = np.asarray(graph.sum(axis=1)).ravel() / np.maximum(degree, 1)
    return (graph + sp.diags_array(mean, format="csr")).tocsr()


def partition_densities(edges: Ints, merges: Ints, similarity: Floats) -> tuple[Floats, Floats]:
    """The density after all merges of each similarity, from the highest down, and these; before all of them it is 0."""
    parent = list(range(len(edges)))
    nodes: list[set[int]] = [set(pair) for pair in edges.tolist()]
    sizes = [1] * len(edges)
    total, densities, levels = 0.0, [0.0], [np.inf]
    ends = np.flatnonzero(np.diff(similarity, append=-1.0)).tolist()
    done = 0
    for end in ends:
        for one, other in merges[done : end + 1].tolist():
            a, b = _find_root(parent, one), _find_root(parent, other)
            total -= _community_density(sizes[a], len(nodes[a])) + _community_density(sizes[b], len(nodes[b]))
            if len(nodes[a]) < len(nodes[b]):
                a, b = b, a
            parent[b] = a
            nodes[a] |= nodes[b]
            nodes[b] = set()
            sizes[a] += sizes[b]
            total += _community_density(sizes[a], len(nodes[a]))
        done = end + 1
        densities.append(2 * total / len(edges))
        levels.append(float(similarity[end]))
    return np.array(densities), np.array(levels)


def _community_density(edges: int, nodes: int) -> float:
    """What a community adds to the partition density, but for 2/M."""
    return edges * (edges - nodes + 1) / ((nodes - 2) * (nodes - 1)) if nodes > 2 else 0.0


def _find_root(parent: list[int], node: int) -> int:
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node


def _community_labels(size: int, merges: Ints) -> Ints:
    """The communities of edges after some merges."""
    import scipy.sparse as sp
    from scipy.sparse.csgraph import connected_components

    if not size:
        return np.zeros(0, np.intp)
    links = sp.csr_array((np.ones(len(merges), np.int8), (merges[:, 0], merges[:, 1])), shape=(size, size))
    return renumber(connected_components(links, directed=False)[1])

"""Link communities: clusters of edges, so that a node can be in several.

Two edges that share a node are as similar as their other ends. Single linkage of so many pairs of edges is a spanning
tree of them. Pairs of nodes are taken from the most similar on, and each merges the edges to every neighbour that both
have. This needs no matrix of edges × edges.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from polyseme.arrays import Floats, Ints, number_by_first_appearance, positions_by_value
from polyseme.graphs.adjacency import as_undirected, degrees, entry_rows, find_root, with_ones
from polyseme.matrices import squared_lengths
from polyseme.parts import CheckedOptions

if TYPE_CHECKING:
    import scipy.sparse as sp

BLOCK_ROWS = 256
"""The number of rows of a product that are in memory at a time."""


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
class LinkCommunities(CheckedOptions):
    """Communities of edges by single linkage, cut where the partition density is greatest. (Ahn, Bagrow & Lehmann 2010)

    With mᶜ edges and nᶜ nodes in the community c, and M edges in all, the density is

        D = 2/M Σ mᶜ (mᶜ − nᶜ + 1) / ((nᶜ − 2)(nᶜ − 1)),

    where a community of two nodes counts 0.

    Args:
        weighted: The similarity of the edges (i, k) and (j, k). Without weights, it is |n(i) ∩ n(j)| / |n(i) ∪ n(j)|,
            where n(i) is i with its neighbours. With weights, it is the Tanimoto coefficient
            aᵢ·aⱼ / (|aᵢ|² + |aⱼ|² − aᵢ·aⱼ) of the weights of their edges, where aᵢᵢ is the mean weight of i's edges.

    >>> graph = np.zeros((5, 5))
    >>> for a, b in [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (2, 4)]:
    ...     graph[a, b] = graph[b, a] = 1
    >>> communities = LinkCommunities()(graph)
    >>> [nodes.tolist() for nodes in communities.nodes()], communities.density
    ([[0, 1, 2], [2, 3, 4]], 1.0)
    """

    kind: ClassVar[str] = "clustering"
    weighted: bool = False

    def __call__(self, graph: Any) -> EdgeCommunities:
        """The communities, numbered in the order of the edges."""
        matrix = as_undirected(graph)
        rows = entry_rows(matrix)
        upper = rows < matrix.indices
        edges = np.stack([rows[upper], matrix.indices[upper].astype(np.intp)], axis=1)
        merges, similarity = spanning_tree_of_links(matrix, weighted=self.weighted)
        densities, levels = partition_densities(edges, merges, similarity)
        best = int(np.argmax(densities))
        labels = _community_labels(len(edges), merges[similarity >= levels[best]])
        return EdgeCommunities(edges, labels, float(densities[best]), float(levels[best]))


def spanning_tree_of_links(graph: sp.csr_array[Any], *, weighted: bool = False) -> tuple[Ints, Floats]:
    """Compute the spanning tree: pairs of edges, by number, that merge communities, and the similarity of each pair."""
    from polyseme.graphs._loops import merge_links

    first, second, similarities = _node_similarities(graph, weighted=weighted)
    order = np.argsort(-similarities, kind="stable")
    merges = merge_links(graph.indptr, graph.indices, _edge_numbers(graph), first[order], second[order])
    return merges[:, :2].astype(np.intp), similarities[order][merges[:, 2]]


def _edge_numbers(graph: sp.csr_array[Any]) -> Ints:
    """The number of the edge at each entry; both directions have the same."""
    rows = entry_rows(graph)
    low, high = np.minimum(rows, graph.indices), np.maximum(rows, graph.indices)
    _, numbers = np.unique(low.astype(np.int64) * graph.shape[0] + high, return_inverse=True)
    return np.asarray(numbers, np.intp)


def _node_similarities(graph: sp.csr_array[Any], *, weighted: bool) -> tuple[Any, Any, Floats]:
    """The similarity of each two nodes that share a neighbour, or are neighbours: first < second."""
    vectors = _node_vectors(graph, weighted=weighted)
    norms = squared_lengths(vectors)
    transposed = vectors.T.tocsr()
    firsts, seconds, values = [np.zeros(0, np.int32)], [np.zeros(0, np.int32)], [np.zeros(0)]
    for start in range(0, graph.shape[0], BLOCK_ROWS):
        product = (vectors[start : start + BLOCK_ROWS] @ transposed).tocoo()
        row = (product.row + start).astype(np.int32)
        upper = row < product.col
        first, second, shared = row[upper], product.col[upper].astype(np.int32), product.data[upper]
        firsts.append(first)
        seconds.append(second)
        values.append(shared / (norms[first] + norms[second] - shared))
    return np.concatenate(firsts), np.concatenate(seconds), np.concatenate(values)


def _node_vectors(graph: sp.csr_array[Any], *, weighted: bool) -> sp.csr_array[Any]:
    """The weights of each node's edges, with that to itself."""
    import scipy.sparse as sp

    if not weighted:
        return (with_ones(graph, np.float64) + sp.eye_array(graph.shape[0], format="csr")).tocsr()
    mean = np.asarray(graph.sum(axis=1)).ravel() / np.maximum(degrees(graph), 1)
    return (graph + sp.diags_array(mean, format="csr")).tocsr()


def partition_densities(edges: Ints, merges: Ints, similarity: Floats) -> tuple[Floats, Floats]:
    """Compute the density after all merges of each similarity, the highest first; before all merges it is 0.

    Returns:
        The densities, and the similarity of each.
    """
    parent = list(range(len(edges)))
    nodes: list[set[int]] = [set(pair) for pair in edges.tolist()]
    sizes = [1] * len(edges)
    total, densities, levels = 0.0, [0.0], [np.inf]
    start = 0
    for end in np.flatnonzero(np.diff(similarity, append=-1.0)).tolist():
        for one, other in merges[start : end + 1].tolist():
            a, b = find_root(parent, one), find_root(parent, other)
            total -= _community_density(sizes[a], len(nodes[a])) + _community_density(sizes[b], len(nodes[b]))
            if len(nodes[a]) < len(nodes[b]):
                a, b = b, a
            parent[b] = a
            nodes[a] |= nodes[b]
            nodes[b] = set()
            sizes[a] += sizes[b]
            total += _community_density(sizes[a], len(nodes[a]))
        start = end + 1
        densities.append(2 * total / len(edges))
        levels.append(float(similarity[end]))
    return np.array(densities), np.array(levels)


def _community_density(edges: int, nodes: int) -> float:
    """The term of a community in the partition density, without 2/M."""
    return edges * (edges - nodes + 1) / ((nodes - 2) * (nodes - 1)) if nodes > 2 else 0.0


def _community_labels(size: int, merges: Ints) -> Ints:
    """The communities of edges after these merges."""
    import scipy.sparse as sp
    from scipy.sparse.csgraph import connected_components

    if not size:
        return np.zeros(0, np.intp)
    links = sp.csr_array((np.ones(len(merges), np.int8), (merges[:, 0], merges[:, 1])), shape=(size, size))
    return number_by_first_appearance(connected_components(links, directed=False)[1])[1]

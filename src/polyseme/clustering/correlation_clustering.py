"""Correlation clustering: the partition of a graph that agrees best with the signed weights of its edges.

The loss of a partition is the weight of positive edges between clusters plus that of negative ones within. (Bansal,
Blum & Chawla 2004) Clusters need not go beyond what positive edges connect, so each such component is solved
separately. Components of up to 12 nodes are solved by dynamic programming. Larger ones are joined greedily (Keuper et
al. 2015), and a linear programme finds the optimum or bounds it. If that is not enough, a local search follows.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from polyseme.arrays import Floats, Ints, count_at, positions_by_value
from polyseme.clustering._cutting_planes import CutProgramme
from polyseme.clustering._local_search import search_partition

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MAX_EXACT_NODES = 12
"""Components of up to this many nodes are solved exactly; n nodes take 3ⁿ steps."""

MAX_PROGRAMME_EDGES = 2000
"""Components of up to this many edges are solved as linear programmes."""

MAX_OPEN_EDGES = 100
"""If a linear programme leaves up to this many edges open, an integral one decides them."""

LOSS_TOLERANCE = 1e-6
"""Losses that differ by less are equal."""


class SignedEdges(NamedTuple):
    """The pairs of a graph's nodes with a weight; a pair that occurs twice has the sum."""

    first: Ints
    second: Ints
    weight: Floats
    nodes: int


def partition_loss(edges: SignedEdges, labels: Ints) -> float:
    """Compute the weight of positive edges between clusters and of negative ones within.

    >>> edges = SignedEdges(np.array([0, 1, 0]), np.array([1, 2, 2]), np.array([2.0, 1.0, -0.5]), 3)
    >>> partition_loss(edges, np.array([0, 0, 0])), partition_loss(edges, np.array([0, 0, 1]))
    (0.5, 1.0)
    """
    within = labels[edges.first] == labels[edges.second]
    return float(np.abs(edges.weight[within != (edges.weight > 0)]).sum())


class SignedPartition(NamedTuple):
    """The cluster of each node, the loss, and a bound: no partition has a smaller loss."""

    labels: Ints
    loss: float
    bound: float

    @property
    def proven(self) -> bool:
        """Whether no partition can be better."""
        return self.loss <= self.bound + LOSS_TOLERANCE


def cluster_by_correlation(edges: SignedEdges, rounds: int = 5, seed: int = 0) -> SignedPartition:
    """Find a partition with a small loss; clusters are numbered by size, equal ones by their first nodes.

    Args:
        edges: The edges.
        rounds: How long components that cannot be solved exactly are searched, for each node.
        seed: The random seed of this search.

    >>> edges = SignedEdges(np.array([0, 1, 2]), np.array([1, 2, 3]), np.array([1.0, -1.0, 1.0]), 4)
    >>> partition = cluster_by_correlation(edges)
    >>> partition.labels.tolist(), partition.loss, partition.proven
    ([0, 0, 1, 1], 0.0, True)
    """
    from scipy.sparse.csgraph import connected_components

    weights = _weight_matrix(edges)
    component = connected_components(weights > 0, directed=False)[1].astype(np.intp)
    labels, bound = np.zeros(edges.nodes, np.intp), 0.0
    for number, nodes in enumerate(positions_by_value(component, int(component.max(initial=-1)) + 1)):
        partition = _solve_component(weights[nodes][:, nodes].tocsr(), rounds, Random(f"{seed} {number}"))
        labels[nodes] = partition.labels * edges.nodes + number
        bound += partition.bound
    total = partition_loss(_list_edges(weights), labels)
    return SignedPartition(number_by_size(labels), total, min(bound, total))


def _solve_component(weights: csr_array, rounds: int, random: Random) -> SignedPartition:
    """Cluster a component: exactly if it is small, or if a linear programme proves the result; otherwise by search."""
    if weights.shape[0] <= MAX_EXACT_NODES:
        return _evaluate_labels(weights, solve_exactly(weights.toarray()))
    start = _evaluate_labels(weights, search_partition(weights, 0, random), bound=0.0)
    if start.proven:
        return start
    if weights.nnz > 2 * MAX_PROGRAMME_EDGES:
        return _evaluate_labels(weights, search_partition(weights, rounds, random), bound=0.0)
    programme = CutProgramme(_list_edges(weights))
    relaxed = programme.solve(integral=False)
    if relaxed.labels is not None:
        return _evaluate_labels(weights, relaxed.labels)
    start = _evaluate_labels(weights, search_partition(weights, rounds, random), relaxed.bound)
    if start.proven or relaxed.open_edges > MAX_OPEN_EDGES:
        return start
    integral = programme.solve(integral=True)
    if integral.labels is not None:
        return _evaluate_labels(weights, integral.labels)
    return start._replace(bound=min(start.loss, max(relaxed.bound, integral.bound)))


def _evaluate_labels(weights: csr_array, labels: Ints, bound: float | None = None) -> SignedPartition:
    """Compute the loss of a partition, which is optimal unless there is a bound."""
    loss = partition_loss(_list_edges(weights), labels)
    return SignedPartition(labels, loss, loss if bound is None else bound)


def _weight_matrix(edges: SignedEdges) -> csr_array:
    """Return the weights as a symmetric matrix, without pairs of a node with itself."""
    from scipy.sparse import coo_array

    differ = edges.first != edges.second
    first, second, weight = edges.first[differ], edges.second[differ], edges.weight[differ]
    ends = (np.concatenate([first, second]), np.concatenate([second, first]))
    matrix = coo_array((np.concatenate([weight, weight]), ends), shape=(edges.nodes,) * 2).tocsr()
    matrix.eliminate_zeros()
    return matrix


def _list_edges(weights: csr_array) -> SignedEdges:
    from scipy.sparse import triu

    upper = triu(weights, k=1).tocoo()
    return SignedEdges(upper.row.astype(np.intp), upper.col.astype(np.intp), upper.data, weights.shape[0])


def number_by_size(labels: Ints) -> Ints:
    """Number clusters from the largest; of equal ones, the one whose first node comes first.

    >>> number_by_size(np.array([7, 3, 3])).tolist()
    [1, 0, 0]
    """
    _, first, cluster = np.unique(labels, return_index=True, return_inverse=True)
    order = np.lexsort((first, -count_at(cluster.astype(np.intp), len(first))))
    return np.argsort(order)[cluster]


def solve_exactly(weights: Floats) -> Ints:
    """Find the best partition of a few nodes: best(S) = max within(T) + best(S − T), over T ⊆ S with S's last node."""
    nodes = len(weights)
    within = _within(weights)
    best, part = np.zeros(1 << nodes), np.zeros(1 << nodes, np.intp)
    for whole in [*range(1, 1 << (nodes - 1)), (1 << nodes) - 1]:
        last = 1 << (whole.bit_length() - 1)
        remainder = whole - last
        others = _subsets(remainder)
        value = within[others + last] + best[remainder - others]
        chosen = int(value.argmax())
        best[whole], part[whole] = value[chosen], others[chosen] + last
    labels, left, number = np.zeros(nodes, np.intp), (1 << nodes) - 1, 0
    while left:
        labels[(part[left] >> np.arange(nodes)) & 1 == 1] = number
        left, number = left - int(part[left]), number + 1
    return labels


def _within(weights: Floats) -> Floats:
    """Compute the weight within every set of nodes; the bits of a set's number are its nodes."""
    within = np.zeros(1)
    for node in range(len(weights)):
        to_others = np.zeros(1)
        for other in range(node):
            to_others = np.concatenate([to_others, to_others + weights[node, other]])
        within = np.concatenate([within, within + to_others])
    return within


def _subsets(whole: int) -> Ints:
    """Return all subsets of a set, the empty one first."""
    subsets = np.zeros(1, np.intp)
    while whole:
        bit = whole & -whole
        subsets = np.concatenate([subsets, subsets + bit])
        whole -= bit
    return subsets

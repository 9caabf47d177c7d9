"""Correlation clustering: parts of a graph with signed weights that agree with them as well as can be.

The loss of a partition is the weight of positive edges between clusters plus that of negative ones within. (Bansal,
Blum & Chawla 2004) Clusters need not reach beyond what positive edges connect, so that each such component is solved on
its own: those of up to 12 nodes by dynamic programming; larger ones by joining greedily (Keuper et al. 2015), with a
linear programme that finds the optimum or bounds it; and, where that is not enough, by an iterated local search.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from polyseme.arrays import Floats, Ints, count_at, positions_by_value
from polyseme.gold._cutting_planes import CutProgramme
from polyseme.gold._local_search import search_partition

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MAX_EXACT_NODES = 12
"""Components of so many nodes, or fewer, are solved exactly, in 3 to the power of them steps."""

MAX_PROGRAMME_EDGES = 2000
"""Components of so many edges, or fewer, are solved as linear programmes."""

MAX_OPEN_EDGES = 100
"""With so many edges, or fewer, that a linear programme leaves open, they are decided with whole numbers."""

LOSS_TOLERANCE = 1e-6
"""Losses that differ by less are the same."""


class SignedEdges(NamedTuple):
    """The pairs of a graph's nodes with a weight; a pair that comes twice has the sum."""

    first: Ints
    second: Ints
    weight: Floats
    nodes: int


def partition_loss(edges: SignedEdges, labels: Ints) -> float:
    """The weight of positive edges between clusters and of negative ones within.

    >>> edges = SignedEdges(np.array([0, 1, 0]), np.array([1, 2, 2]), np.array([2.0, 1.0, -0.5]), 3)
    >>> partition_loss(edges, np.array([0, 0, 0])), partition_loss(edges, np.array([0, 0, 1]))
    (0.5, 1.0)
    """
    within = labels[edges.first] == labels[edges.second]
    return float(np.abs(edges.weight[within != (edges.weight > 0)]).sum())


class SignedPartition(NamedTuple):
    """The cluster of each node, its loss, and a bound: no partition has a smaller loss than that."""

    labels: Ints
    loss: float
    bound: float

    @property
    def proven(self) -> bool:
        """Whether it is known that no partition is better."""
        return self.loss <= self.bound + LOSS_TOLERANCE


def cluster_by_correlation(edges: SignedEdges, rounds: int = 5, seed: int = 0) -> SignedPartition:
    """The partition with the smallest loss that was found; clusters are numbered by size, equals by their first nodes.

    ``rounds`` say how long components that cannot be solved exactly are searched, for every node of theirs.

    >>> edges = SignedEdges(np.array([0, 1, 2]), np.array([1, 2, 3]), np.array([1.0, -1.0, 1.0]), 4)
    >>> found = cluster_by_correlation(edges)
    >>> found.labels.tolist(), found.loss, found.proven
    ([0, 0, 1, 1], 0.0, True)
    """
    from scipy.sparse.csgraph import connected_components

    weights = _weight_matrix(edges)
    component = connected_components(weights > 0, directed=False)[1].astype(np.intp)
    labels, bound = np.zeros(edges.nodes, np.intp), 0.0
    for number, nodes in enumerate(positions_by_value(component, int(component.max(initial=-1)) + 1)):
        found = _solve_component(weights[nodes][:, nodes].tocsr(), rounds, Random(f"{seed} {number}"))
        labels[nodes] = found.labels * edges.nodes + number
        bound += found.bound
    total = partition_loss(_list_edges(weights), labels)
    return SignedPartition(number_by_size(labels), total, min(bound, total))


def _solve_component(weights: csr_array, rounds: int, dice: Random) -> SignedPartition:
    """The clusters of a component: exactly if it is small, or if a linear programme proves them; else by search."""
    if weights.shape[0] <= MAX_EXACT_NODES:
        return _evaluate_labels(weights, solve_exactly(weights.toarray()))
    start = _evaluate_labels(weights, search_partition(weights, 0, dice), bound=0.0)
    if start.proven or weights.nnz > 2 * MAX_PROGRAMME_EDGES:
        return start if start.proven else _evaluate_labels(weights, search_partition(weights, rounds, dice), bound=0.0)
    programme = CutProgramme(weights)
    relaxed = programme.relaxed()
    if relaxed.labels is not None:
        return _evaluate_labels(weights, relaxed.labels)
    start = _evaluate_labels(weights, search_partition(weights, rounds, dice), relaxed.bound)
    if start.proven or relaxed.broken > MAX_OPEN_EDGES:
        return start
    whole = programme.whole()
    if whole.labels is not None:
        return _evaluate_labels(weights, whole.labels)
    return start._replace(bound=min(start.loss, max(relaxed.bound, whole.bound)))


def _evaluate_labels(weights: csr_array, labels: Ints, bound: float | None = None) -> SignedPartition:
    """With its loss; the best one unless a bound is given."""
    found = partition_loss(_list_edges(weights), labels)
    return SignedPartition(labels, found, found if bound is None else bound)


def _weight_matrix(edges: SignedEdges) -> csr_array:
    """The weights as a symmetric matrix; pairs of a node with itself are left out."""
    from scipy.sparse import coo_array

    apart = edges.first != edges.second
    first, second, weight = edges.first[apart], edges.second[apart], edges.weight[apart]
    ends = (np.concatenate([first, second]), np.concatenate([second, first]))
    made = coo_array((np.concatenate([weight, weight]), ends), shape=(edges.nodes,) * 2).tocsr()
    made.eliminate_zeros()
    return made


def _list_edges(weights: csr_array) -> SignedEdges:
    from scipy.sparse import triu

    upper = triu(weights, k=1).tocoo()
    return SignedEdges(upper.row.astype(np.intp), upper.col.astype(np.intp), upper.data, weights.shape[0])


def number_by_size(labels: Ints) -> Ints:
    """The clusters numbered from the largest; of equals, the one whose first node comes first.

    >>> number_by_size(np.array([7, 3, 3])).tolist()
    [1, 0, 0]
    """
    _, first, again = np.unique(labels, return_index=True, return_inverse=True)
    order = np.lexsort((first, -count_at(again.astype(np.intp), len(first))))
    number = np.empty(len(first), np.intp)
    number[order] = np.arange(len(first))
    return number[again]


def solve_exactly(weights: Floats) -> Ints:
    """The best partition of a few nodes: best(S) = max within(T) + best(S − T), over T ⊆ S with the last node of S."""
    nodes = len(weights)
    within = _within(weights)
    best, part = np.zeros(1 << nodes), np.zeros(1 << nodes, np.intp)
    for whole in [*range(1, 1 << (nodes - 1)), (1 << nodes) - 1]:
        last = 1 << (whole.bit_length() - 1)
        rest = whole - last
        others = _subsets(rest)
        value = within[others + last] + best[rest - others]
        chosen = int(value.argmax())
        best[whole], part[whole] = value[chosen], others[chosen] + last
    labels, left, number = np.zeros(nodes, np.intp), (1 << nodes) - 1, 0
    while left:
        labels[(part[left] >> np.arange(nodes)) & 1 == 1] = number
        left, number = left - int(part[left]), number + 1
    return labels


def _within(weights: Floats) -> Floats:
    """The weight within every set of nodes, a set being the sum of the powers of two of its nodes."""
    within = np.zeros(1)
    for node in range(len(weights)):
        to_others = np.zeros(1)
        for other in range(node):
            to_others = np.concatenate([to_others, to_others + weights[node, other]])
        within = np.concatenate([within, within + to_others])
    return within


def _subsets(whole: int) -> Ints:
    """All subsets of a set, the empty one first."""
    found = np.zeros(1, np.intp)
    while whole:
        bit = whole & -whole
        found = np.concatenate([found, found + bit])
        whole -= bit
    return found

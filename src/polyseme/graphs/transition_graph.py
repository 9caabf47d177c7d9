"""Weighted graphs and the transition probabilities of random walks on them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from polyseme.arrays import Floats, Ints

if TYPE_CHECKING:
    import scipy.sparse as sp


@dataclass(frozen=True, eq=False)
class TransitionGraph:
    """A graph for random walks.

    Args:
        edges: Nodes × nodes: ``edges[i, j]`` is the weight of the edge from i to j.
        undirected: Whether each edge exists in both directions, with the same weight.
    """

    edges: sp.csr_array[Any]
    undirected: bool = True

    def __len__(self) -> int:
        return int(self.edges.shape[0])

    @cached_property
    def strength(self) -> NDArray[np.float32]:
        """The sum of the weights of each node's outgoing edges."""
        return np.asarray(self.edges.sum(axis=1), np.float32).ravel()

    @cached_property
    def divisors(self) -> NDArray[np.float32]:
        """The strength of each node, or 1 if it has no edge."""
        divisors = self.strength.copy()
        divisors[divisors == 0] = 1
        return divisors

    @cached_property
    def transitions(self) -> sp.csr_array[Any]:
        """M, one step of a walk: the probability to move from the column's node to the row's."""
        if not self.undirected:
            return _to_single_precision(self.backward_transitions.T.tocsr())
        return self._divide(self.divisors[self.edges.indices])  # M = (D⁻¹·A)ᵀ = A·D⁻¹, since A is symmetric

    @cached_property
    def backward_transitions(self) -> sp.csr_array[Any]:
        """Mᵀ."""
        return self._divide(np.repeat(self.divisors, np.diff(self.edges.indptr)))

    def _divide(self, divisors: NDArray[np.float32]) -> sp.csr_array[Any]:
        matrix = _to_single_precision(self.edges)
        matrix.data = matrix.data / divisors
        return matrix


def _to_single_precision(matrix: sp.csr_array[Any]) -> sp.csr_array[Any]:
    """Copy a matrix to small numbers, so that fewer bytes must be read at each step."""
    import scipy.sparse as sp

    parts = (matrix.data.astype(np.float32), matrix.indices.astype(np.int32), matrix.indptr.astype(np.int32))
    return sp.csr_array(parts, shape=matrix.shape)


def undirected_edges(size: int, sources: Ints, targets: Ints, weights: Floats) -> sp.csr_array[Any]:
    """Build a matrix of edges in both directions; of parallel edges the heaviest counts, and loops are dropped.

    >>> undirected_edges(3, np.array([0, 1, 2]), np.array([1, 0, 2]), np.array([0.5, 2.0, 1.0])).toarray().tolist()
    [[0.0, 2.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    half = directed_edges(size, np.minimum(sources, targets), np.maximum(sources, targets), weights)
    edges: sp.csr_array[Any] = (half + half.T).tocsr()
    return edges


def directed_edges(size: int, sources: Ints, targets: Ints, weights: Floats) -> sp.csr_array[Any]:
    """Build a matrix of edges in one direction; of parallel edges the heaviest counts, and loops are dropped.

    >>> directed_edges(2, np.array([0, 0, 1]), np.array([1, 1, 1]), np.array([0.5, 2.0, 1.0])).toarray().tolist()
    [[0.0, 2.0], [0.0, 0.0]]
    """
    import scipy.sparse as sp

    valid = (sources != targets) & (weights > 0)
    pairs, weight = sources[valid].astype(np.int64) * size + targets[valid], weights[valid]
    if len(weight) and (weight != weight[0]).any():
        pairs = pairs[order := np.lexsort((-weight, pairs))]
        weight = weight[order]
    unique, first = np.unique(pairs, return_index=True)
    return sp.csr_array((weight[first].astype(np.float32), (unique // size, unique % size)), shape=(size, size))

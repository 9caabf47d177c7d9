"""Graphs to walk on: nodes, and the weights of the edges between them; WordNet's relations as one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from polyseme.arrays import Floats, Ints
from polyseme.errors import InputError, shown
from polyseme.wordnet.lexicon import WordNet
from polyseme.wordnet.relations import RELATIONS, numbers

if TYPE_CHECKING:
    import scipy.sparse as sp

_THERE_AND_BACK = (
    ("hypernym", "hyponym"),
    ("instance hypernym", "instance hyponym"),
    ("member holonym", "member meronym"),
    ("substance holonym", "substance meronym"),
    ("part holonym", "part meronym"),
    ("domain topic", "member of topic"),
    ("domain region", "member of region"),
    ("domain usage", "member of usage"),
)
BACK = {**dict(_THERE_AND_BACK), **{back: there for there, back in _THERE_AND_BACK}}
"""A relation → the one that leads back, where it has another name."""


@dataclass(frozen=True, eq=False)
class Graph:
    """Nodes and edges: ``edges[i, j]`` is the weight of the edge from i to j.

    A graph is ``undirected`` if each edge is there in both directions, with the same weight.
    """

    edges: sp.csr_array[Any]
    undirected: bool = True

    def __len__(self) -> int:
        return int(self.edges.shape[0])

    @cached_property
    def strength(self) -> NDArray[np.float32]:
        """The sum of the weights of the edges that lead away from each node."""
        return np.asarray(self.edges.sum(axis=1), np.float32).ravel()

    @cached_property
    def spread(self) -> NDArray[np.float32]:
        """By what a node's weights are divided to be probabilities: its strength, or 1 if it has no edge."""
        found = self.strength.copy()
        found[found == 0] = 1
        return found

    @cached_property
    def moves(self) -> sp.csr_array[Any]:
        """M, a step of a walk: with which probability it leads from the column's node to the row's."""
        if not self.undirected:
            return _compact(self.back.T.tocsr())
        return self._divided(self.spread[self.edges.indices])  # M = (D⁻¹·A)ᵀ = A·D⁻¹, since A is symmetric

    @cached_property
    def back(self) -> sp.csr_array[Any]:
        """Mᵀ."""
        return self._divided(np.repeat(self.spread, np.diff(self.edges.indptr)))

    def _divided(self, by: NDArray[np.float32]) -> sp.csr_array[Any]:
        found = _compact(self.edges)
        found.data = found.data / by
        return found


def _compact(matrix: sp.csr_array[Any]) -> sp.csr_array[Any]:
    """A matrix in small numbers, of which fewer bytes must be read at each step."""
    import scipy.sparse as sp

    parts = (matrix.data.astype(np.float32), matrix.indices.astype(np.int32), matrix.indptr.astype(np.int32))
    found: sp.csr_array[Any] = sp.csr_array(parts, shape=matrix.shape)
    return found


def joined(size: int, sources: Ints, targets: Ints, weights: Floats) -> sp.csr_array[Any]:
    """Nodes × nodes with edges in both directions; of several between two nodes the heaviest, of one node none.

    >>> joined(3, np.array([0, 1, 2]), np.array([1, 0, 2]), np.array([0.5, 2.0, 1.0])).toarray().tolist()
    [[0.0, 2.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    half = one_way(size, np.minimum(sources, targets), np.maximum(sources, targets), weights)
    found: sp.csr_array[Any] = (half + half.T).tocsr()
    return found


def one_way(size: int, sources: Ints, targets: Ints, weights: Floats) -> sp.csr_array[Any]:
    """Nodes × nodes with edges in one direction; of several between two nodes the heaviest, of one node none.

    >>> one_way(2, np.array([0, 0, 1]), np.array([1, 1, 1]), np.array([0.5, 2.0, 1.0])).toarray().tolist()
    [[0.0, 2.0], [0.0, 0.0]]
    """
    import scipy.sparse as sp

    kept = (sources != targets) & (weights > 0)
    pairs, weight = sources[kept].astype(np.int64) * size + targets[kept], weights[kept]
    if len(weight) and (weight != weight[0]).any():
        pairs = pairs[order := np.lexsort((-weight, pairs))]
        weight = weight[order]
    unique, first = np.unique(pairs, return_index=True)
    return sp.csr_array((weight[first].astype(np.float32), (unique // size, unique % size)), shape=(size, size))


def relation_edges(wordnet: WordNet, weights: Mapping[str, float] | None = None) -> sp.csr_array[Any]:
    """Synsets × synsets: 1 where a relation joins two, in whichever direction, or the weight that is given for it.

    What is given for a relation holds for the one that leads back too (hypernym and hyponym), unless that has its own.
    A weight of 0 leaves a relation out.
    """
    each = _weights(weights or {})
    columns = wordnet.columns
    sources, targets = columns.pointer_source.astype(np.intp), columns.pointer_target.astype(np.intp)
    return joined(len(columns.gloss), sources, targets, each[columns.pointer_relation])


def _weights(given: Mapping[str, float]) -> Floats:
    """The weight of every relation."""
    numbers(given)
    for name, weight in given.items():
        if not 0 <= weight < np.inf:
            raise InputError(f"the weight of {name!r} is {shown(weight)}; it must be 0 or more")
    return np.array([given.get(name, given.get(BACK.get(name, name), 1.0)) for name in RELATIONS], float)

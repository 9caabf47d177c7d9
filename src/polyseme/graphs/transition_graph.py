"""Graphs to walk on: nodes, and the weights of the edges between them; WordNet's relations as one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from polyseme.arrays import Floats, Ints
from polyseme.errors import InputError, quote_value
from polyseme.wordnet.lexicon import WordNet
from polyseme.wordnet.relations import RELATIONS, relation_numbers

if TYPE_CHECKING:
    import scipy.sparse as sp

_INVERSE_PAIRS = (
    ("hypernym", "hyponym"),
    ("instance hypernym", "instance hyponym"),
    ("member holonym", "member meronym"),
    ("substance holonym", "substance meronym"),
    ("part holonym", "part meronym"),
    ("domain topic", "member of topic"),
    ("domain region", "member of region"),
    ("domain usage", "member of usage"),
)
INVERSE_RELATIONS = {**dict(_INVERSE_PAIRS), **{back: there for there, back in _INVERSE_PAIRS}}
"""A relation → the one that leads back, where it has another name."""


@dataclass(frozen=True, eq=False)
class TransitionGraph:
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
            return _to_single_precision(self.back.T.tocsr())
        return self._divided(self.spread[self.edges.indices])  # M = (D⁻¹·A)ᵀ = A·D⁻¹, since A is symmetric

    @cached_property
    def back(self) -> sp.csr_array[Any]:
        """Mᵀ."""
        return self._divided(np.repeat(self.spread, np.diff(self.edges.indptr)))

    def _divided(self, by: NDArray[np.float32]) -> sp.csr_array[Any]:
        found = _to_single_precision(self.edges)
        found.data = found.data / by
        return found


def _to_single_precision(matrix: sp.csr_array[Any]) -> sp.csr_array[Any]:
    """A matrix in small numbers, of which fewer bytes must be read at each step."""
    import scipy.sparse as sp

    parts = (matrix.data.astype(np.float32), matrix.indices.astype(np.int32), matrix.indptr.astype(np.int32))
    found: sp.csr_array[Any] = sp.csr_array(parts, shape=matrix.shape)
    return found


def undirected_edges(size: int, sources: Ints, targets: Ints, weights: Floats) -> sp.csr_array[Any]:
    """Nodes × nodes with edges in both directions; of several between two nodes the heaviest, of one node none.

    >>> undirected_edges(3, np.array([0, 1, 2]), np.array([1, 0, 2]), np.array([0.5, 2.0, 1.0])).toarray().tolist()
    [[0.0, 2.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    half = directed_edges(size, np.minimum(sources, targets), np.maximum(sources, targets), weights)
    found: sp.csr_array[Any] = (half + half.T).tocsr()
    return found


def directed_edges(size: int, sources: Ints, targets: Ints, weights: Floats) -> sp.csr_array[Any]:
    """Nodes × nodes with edges in one direction; of several between two nodes the heaviest, of one node none.

    >>> directed_edges(2, np.array([0, 0, 1]), np.array([1, 1, 1]), np.array([0.5, 2.0, 1.0])).toarray().tolist()
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
    each = _relation_weights(weights or {})
    columns = wordnet.columns
    sources, targets = columns.pointer_source.astype(np.intp), columns.pointer_target.astype(np.intp)
    return undirected_edges(len(columns.gloss), sources, targets, each[columns.pointer_relation])


def _relation_weights(given: Mapping[str, float]) -> Floats:
    """The weight of every relation."""
    relation_numbers(given)
    for name, weight in given.items():
        if not 0 <= weight < np.inf:
            raise InputError(f"the weight of {name!r} is {quote_value(weight)}; it must be 0 or more")
    return np.array([given.get(name, given.get(INVERSE_RELATIONS.get(name, name), 1.0)) for name in RELATIONS], float)

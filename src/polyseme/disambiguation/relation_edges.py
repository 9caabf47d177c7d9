"""WordNet's relations as edges between synsets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from polyseme.errors import InputError, quote_value
from polyseme.graphs.transition_graph import undirected_edges
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
INVERSE_RELATIONS = {**dict(_INVERSE_PAIRS), **{second: first for first, second in _INVERSE_PAIRS}}
"""A relation → its inverse, where that has another name."""


def build_relation_edges(wordnet: WordNet, weights: Mapping[str, float] | None = None) -> sp.csr_array[Any]:
    """Build synsets × synsets: the weight of the relation that joins two, in either direction.

    Args:
        wordnet: The dictionary.
        weights: The weights of relations. Default: 1. A weight holds for the inverse relation too (hypernym and
            hyponym), unless that has its own. A weight of 0 drops a relation.
    """
    weights = weights or {}
    relation_numbers(weights)  # an error if there is no such relation
    for name, weight in weights.items():
        if not 0 <= weight < np.inf:
            raise InputError(f"the weight of {name!r} is {quote_value(weight)}; it must be 0 or more")
    inverse = INVERSE_RELATIONS.get
    by_relation = np.array([weights.get(name, weights.get(inverse(name, name), 1.0)) for name in RELATIONS], float)
    columns = wordnet.columns
    sources, targets = columns.pointer_source.astype(np.intp), columns.pointer_target.astype(np.intp)
    return undirected_edges(len(columns.gloss), sources, targets, by_relation[columns.pointer_relation])

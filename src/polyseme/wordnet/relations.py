"""The relations of WordNet by name and as sparse graphs."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING

import numpy as np

from polyseme.errors import InputError, quote_value
from polyseme.wordnet.columns import Array, WordNetColumns

if TYPE_CHECKING:
    from scipy.sparse import csr_array

RELATION_BY_SYMBOL: dict[str, str] = {
    "!": "antonym",
    "@": "hypernym",
    "@i": "instance hypernym",
    "~": "hyponym",
    "~i": "instance hyponym",
    "#m": "member holonym",
    "#s": "substance holonym",
    "#p": "part holonym",
    "%m": "member meronym",
    "%s": "substance meronym",
    "%p": "part meronym",
    "=": "attribute",
    "+": "derivation",
    "*": "entailment",
    ">": "cause",
    "^": "also see",
    "$": "verb group",
    "&": "similar to",
    "<": "participle",
    "\\": "pertainym",
    ";c": "domain topic",
    "-c": "member of topic",
    ";r": "domain region",
    "-r": "member of region",
    ";u": "domain usage",
    "-u": "member of usage",
}
"""Symbol in the database files → relation; a backslash of an adverb, "derived from adjective", is a pertainym too."""

RELATIONS: tuple[str, ...] = tuple(RELATION_BY_SYMBOL.values())
"""The names of all relations; columns hold indices into this list."""


def relation_numbers(names: str | Iterable[str] | None) -> Array:
    """Return the numbers of relations by name, all of them for ``None``.

    >>> relation_numbers(["antonym", "hypernym"]).tolist()
    [0, 1]
    """
    if names is None:
        return np.arange(len(RELATIONS))
    names = [names] if isinstance(names, str) else list(names)
    for name in names:
        if name not in RELATIONS:
            suggestions = get_close_matches(name, RELATIONS, 1)
            hint = f"did you mean {suggestions[0]!r}? " if suggestions else ""
            raise InputError(f"there is no relation {quote_value(name)}; {hint}allowed are {', '.join(RELATIONS)}")
    return np.array([RELATIONS.index(name) for name in names], np.intp)


def select_pointers(columns: WordNetColumns, relations: Array, start: int, end: int) -> Array:
    """Return the pointers of these relations from the synsets ``start`` to ``end``."""
    first, last = np.searchsorted(columns.pointer_source, [start, end]).tolist()
    selected: Array = np.flatnonzero(np.isin(columns.pointer_relation[first:last], relations)) + first
    return selected


def synset_relation_graph(columns: WordNetColumns, relations: Array) -> csr_array:
    """Return synsets × synsets, 1 where a pointer leads from row to column; pointers between words count too."""
    chosen = np.isin(columns.pointer_relation, relations)
    return _adjacency_matrix(columns.pointer_source[chosen], columns.pointer_target[chosen], len(columns.synset_offset))


def sense_relation_graph(columns: WordNetColumns, relations: Array) -> csr_array:
    """Return senses × senses, 1 where a pointer between words leads from row to column."""
    chosen = np.isin(columns.pointer_relation, relations) & (columns.pointer_from >= 0) & (columns.pointer_to >= 0)
    return _adjacency_matrix(columns.pointer_from[chosen], columns.pointer_to[chosen], len(columns.sense_synset))


def _adjacency_matrix(rows: Array, targets: Array, size: int) -> csr_array:
    from scipy.sparse import csr_array

    pairs = np.unique(rows.astype(np.int64) * size + targets)
    starts = np.searchsorted(pairs, np.arange(size + 1, dtype=np.int64) * size)
    return csr_array((np.ones(len(pairs)), pairs % size, starts), shape=(size, size))

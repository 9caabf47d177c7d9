"""Where walks start: contexts as vectors over the senses of their words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.disambiguation.contexts import Context
from polyseme.disambiguation.dictionary_words import wordnet_pos
from polyseme.disambiguation.networks import SenseNetwork
from polyseme.errors import InputError, quote_value

if TYPE_CHECKING:
    import scipy.sparse as sp

FIXED_SENSES = "fixed"
"""What a usage's ``meta`` calls the known senses of the words around it."""

WordSenses = tuple[str, tuple[str, ...]]
"""An entry, and the senses that it is known to have."""
WordBag = tuple[tuple[WordSenses, int], ...]
"""Words, and how often each is there."""


class StartVectors:
    """What makes vectors of contexts: each word has an equal part, which its senses share.

    They share by (count + ``smoothing``) / Σ, or evenly if not by ``counts``; where senses are known, these alone do.
    """

    def __init__(self, network: SenseNetwork, *, counts: bool = True, smoothing: float = 1.0) -> None:
        self.network = network
        self.counts = counts
        self.smoothing = smoothing
        self._known: dict[WordSenses, tuple[Ints, Floats]] = {}

    def of(self, contexts: Sequence[Context], *, with_target: bool) -> tuple[sp.csc_array[Any], Ints]:
        """Nodes × different contexts, columns that sum to 1; and the column of each context.

        A context of which no word has a node is everywhere: all nodes have the same part.
        """
        numbers: dict[WordBag, int] = {}
        bags = [self._bag(each, with_target=with_target) for each in contexts]
        column = [numbers.setdefault(bag, len(numbers)) for bag in bags]
        return self._matrix(list(numbers)), np.array(column, np.intp)

    def _bag(self, context: Context, *, with_target: bool) -> WordBag:
        """The words of a context that have a node, in an order that is always the same."""
        fixed = _read_fixed_senses(context)
        words = ((word, fixed.get(word, ())) for word in (context.words if with_target else context.others))
        return tuple(sorted(Counter(word for word in words if len(self._shares(word)[0])).items()))

    def _shares(self, word: WordSenses) -> tuple[Ints, Floats]:
        """The nodes of a word's senses and their shares of it."""
        if word not in self._known:
            self._known[word] = self._fixed_shares(word) if word[1] else self._usual_shares(word[0])
        return self._known[word]

    def _usual_shares(self, entry: str) -> tuple[Ints, Floats]:
        senses = self.network.senses(entry)
        counted = senses if self.counts else senses._replace(counts=np.zeros(len(senses.counts)))
        return senses.nodes, counted.shares(self.smoothing)

    def _fixed_shares(self, word: WordSenses) -> tuple[Ints, Floats]:
        entry, keys = word
        nodes = np.array([self._node(entry, key) for key in keys], np.intp)
        return nodes, np.full(len(nodes), 1 / len(nodes))

    def _node(self, entry: str, key: str) -> int:
        """The node of a sense of an entry; an error if it is not one of its senses."""
        senses = self.network.senses(entry)
        try:
            node = self.network.node(key)
        except KeyError:
            node = -1
        if node in senses.nodes:
            return node
        allowed = ", ".join(senses.keys) or "none"
        raise InputError(
            f"{entry!r} is fixed to {quote_value(key)}, which is no sense of it; those of {entry!r} are {allowed}"
        )

    def _matrix(self, bags: Sequence[WordBag]) -> sp.csc_array[Any]:
        import scipy.sparse as sp

        numbers: dict[WordSenses, int] = {}
        entries = [
            (numbers.setdefault(word, len(numbers)), column, count)
            for column, bag in enumerate(bags)
            for word, count in bag
        ]
        rows, columns, counts = np.array(entries, np.intp).reshape(-1, 3).T
        words = sp.csc_array((counts.astype(np.float32), (rows, columns)), shape=(len(numbers), len(bags)))
        found = (self._senses(list(numbers)) @ words).tocsc()
        total = np.asarray(found.sum(axis=0)).ravel()
        found.data /= np.repeat(total, np.diff(found.indptr))
        return _fill_columns(found, np.flatnonzero(total == 0))

    def _senses(self, words: Sequence[WordSenses]) -> sp.csc_array[Any]:
        """Nodes × words: the shares of the senses of each word."""
        import scipy.sparse as sp

        each = [self._shares(word) for word in words]
        nodes, shares = (np.concatenate([np.zeros(0), *(part[place] for part in each)]) for place in (0, 1))
        starts = np.cumsum([0, *(len(nodes) for nodes, _ in each)])
        shape = (len(self.network.graph), len(words))
        return sp.csc_array((shares.astype(np.float32), nodes.astype(np.int32), starts.astype(np.int32)), shape=shape)


def _read_fixed_senses(context: Context) -> Mapping[str, tuple[str, ...]]:
    """The known senses of words, by entry."""
    given = context.usage.meta.get(FIXED_SENSES, {})
    found: dict[str, tuple[str, ...]] = {}
    for word, keys in (given if isinstance(given, Mapping) else {"": given}).items():
        name, _, letter = str(word).lower().replace(" ", "_").rpartition(".")
        part, listed = wordnet_pos(letter), (keys,) if isinstance(keys, str) else keys
        if not (part and isinstance(listed, Sequence) and all(isinstance(key, str) for key in listed)):
            problem = f"usage {context.usage.id!r}: {FIXED_SENSES!r} is {quote_value(given)}"
            raise InputError(f"{problem}; write {{'river.n': 'river%1:17:00::'}}")
        found[f"{name}.{part}"] = tuple(listed)
    return found


def _fill_columns(given: sp.csc_array[Any], columns: Ints) -> sp.csc_array[Any]:
    """The matrix with these columns, which are empty, full instead."""
    import scipy.sparse as sp

    if not len(columns):
        return given
    size = given.shape[0]
    rows, repeated = np.tile(np.arange(size), len(columns)), np.repeat(columns, size)
    full = sp.csc_array((np.full(len(rows), 1 / size, np.float32), (rows, repeated)), shape=given.shape)
    return (given + full).tocsc()

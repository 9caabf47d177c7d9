"""Start vectors of walks: contexts as distributions over the senses of their words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.disambiguation.contexts import Context
from polyseme.disambiguation.networks import SenseNetwork
from polyseme.errors import InputError, quote_value
from polyseme.lemma import wordnet_pos

if TYPE_CHECKING:
    import scipy.sparse as sp

FIXED_SENSES = "fixed"
"""The field of a usage's ``meta`` with the known senses of the words in its context."""

WordSenses = tuple[str, tuple[str, ...]]
"""An entry, and the senses that it is known to have."""
WordBag = tuple[tuple[WordSenses, int], ...]
"""Words, and how often each occurs."""


class StartVectors:
    """Builds vectors of contexts: each word has an equal part, which its senses share.

    If the senses of a word are known, only these have a share.

    Args:
        network: The graph of senses.
        counts: Whether senses share by (count + smoothing) / Σ, or equally.
        smoothing: What is added to the counts.
    """

    def __init__(self, network: SenseNetwork, *, counts: bool = True, smoothing: float = 1.0) -> None:
        self.network = network
        self.counts = counts
        self.smoothing = smoothing
        self._cache: dict[WordSenses, tuple[Ints, Floats]] = {}

    def build(self, contexts: Sequence[Context], *, with_target: bool) -> tuple[sp.csc_array[Any], Ints]:
        """Build nodes × different contexts, whose columns sum to 1, and the column of each context.

        If no word of a context has a node, all nodes have the same part.
        """
        numbers: dict[WordBag, int] = {}
        bags = [self._bag(context, with_target=with_target) for context in contexts]
        column = [numbers.setdefault(bag, len(numbers)) for bag in bags]
        return self._build_matrix(list(numbers)), np.array(column, np.intp)

    def _bag(self, context: Context, *, with_target: bool) -> WordBag:
        """Return the words of a context that have a node, sorted."""
        fixed = _read_fixed_senses(context)
        words = ((word, fixed.get(word, ())) for word in (context.words if with_target else context.others))
        return tuple(sorted(Counter(word for word in words if len(self._shares(word)[0])).items()))

    def _shares(self, word: WordSenses) -> tuple[Ints, Floats]:
        """Return the nodes of a word's senses and their shares."""
        if word not in self._cache:
            entry, keys = word
            senses = self.network.senses(entry)
            if keys:
                nodes = np.array([self._fixed_node(entry, key) for key in keys], np.intp)
                self._cache[word] = nodes, np.full(len(nodes), 1 / len(nodes))
            else:
                counted = senses if self.counts else senses._replace(counts=np.zeros(len(senses.counts)))
                self._cache[word] = senses.nodes, counted.shares(self.smoothing)
        return self._cache[word]

    def _fixed_node(self, entry: str, key: str) -> int:
        """Return the node of a sense of an entry; raise an error if it is not one of its senses."""
        senses = self.network.senses(entry)
        try:
            node = self.network.node(key)
        except KeyError:
            node = -1
        if node in senses.nodes:
            return node
        problem = f"{entry!r} is fixed to {quote_value(key)}, which is not one of its senses"
        raise InputError(f"{problem}; the senses of {entry!r} are {', '.join(senses.keys) or 'none'}")

    def _build_matrix(self, bags: Sequence[WordBag]) -> sp.csc_array[Any]:
        import scipy.sparse as sp

        numbers: dict[WordSenses, int] = {}
        entries = [
            (numbers.setdefault(word, len(numbers)), column, count)
            for column, bag in enumerate(bags)
            for word, count in bag
        ]
        rows, columns, counts = np.array(entries, np.intp).reshape(-1, 3).T
        words = sp.csc_array((counts.astype(np.float32), (rows, columns)), shape=(len(numbers), len(bags)))
        matrix = (self._sense_matrix(list(numbers)) @ words).tocsc()
        total = np.asarray(matrix.sum(axis=0)).ravel()
        matrix.data /= np.repeat(total, np.diff(matrix.indptr))
        return _fill_columns(matrix, np.flatnonzero(total == 0))

    def _sense_matrix(self, words: Sequence[WordSenses]) -> sp.csc_array[Any]:
        """Return nodes × words: the shares of the senses of each word."""
        import scipy.sparse as sp

        columns = [self._shares(word) for word in words]
        nodes, shares = (np.concatenate([np.zeros(0), *(part[n] for part in columns)]) for n in (0, 1))
        starts = np.cumsum([0, *(len(nodes) for nodes, _ in columns)])
        shape = (len(self.network.graph), len(words))
        return sp.csc_array((shares.astype(np.float32), nodes.astype(np.int32), starts.astype(np.int32)), shape=shape)


def _read_fixed_senses(context: Context) -> Mapping[str, tuple[str, ...]]:
    """Return the known senses of words, by entry."""
    fixed = context.usage.meta.get(FIXED_SENSES, {})
    senses: dict[str, tuple[str, ...]] = {}
    for word, keys in (fixed if isinstance(fixed, Mapping) else {"": fixed}).items():
        name, _, letter = str(word).lower().replace(" ", "_").rpartition(".")
        pos, listed = wordnet_pos(letter), (keys,) if isinstance(keys, str) else keys
        if not (pos and isinstance(listed, Sequence) and all(isinstance(key, str) for key in listed)):
            problem = f"usage {context.usage.id!r}: {FIXED_SENSES!r} is {quote_value(fixed)}"
            raise InputError(f"{problem}; write {{'river.n': 'river%1:17:00::'}}")
        senses[f"{name}.{pos}"] = tuple(listed)
    return senses


def _fill_columns(matrix: sp.csc_array[Any], columns: Ints) -> sp.csc_array[Any]:
    """Fill empty columns with equal parts of all nodes."""
    import scipy.sparse as sp

    if not len(columns):
        return matrix
    size = matrix.shape[0]
    rows, repeated = np.tile(np.arange(size), len(columns)), np.repeat(columns, size)
    full = sp.csc_array((np.full(len(rows), 1 / size, np.float32), (rows, repeated)), shape=matrix.shape)
    return (matrix + full).tocsc()

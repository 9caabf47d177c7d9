"""Words as vectors of the words that they go together with, in glosses and tagged sentences or in any corpus."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from polyseme.arrays import Floats
from polyseme.corpus.association import PMI, associated
from polyseme.corpus.cooccurrence import cooccurrences
from polyseme.corpus.counts import Counts
from polyseme.corpus.index import Index
from polyseme.corpus.passages import joined
from polyseme.corpus.vocabulary import Vocabulary, part_of
from polyseme.disambiguate._words import STOP, gathered, glosses, plain
from polyseme.disambiguate.sources import Sources
from polyseme.induce.fitting import TooLittle, content_words
from polyseme.induce.vectors.words import Bag, FittedBag, unit_rows

if TYPE_CHECKING:
    import scipy.sparse as sp

RAREST = 5
"""In so many texts a word must be to have a vector."""

LEAST = 2
"""So often two words must be together to be associated."""

DIMENSIONS = 2000
"""Of so many words, the most frequent, it is counted which words they go with. (Mitchell & Lapata 2008)"""


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Words, and a row for each: how much more often than by chance other words are near it, of length 1."""

    bag: FittedBag
    rows: sp.csr_array[Any]

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The row of each word."""
        return {name: number for number, name in enumerate(self.bag.names)}

    def of(self, words: Any) -> Floats:
        """Bags of words, with a column for each that has a vector, as the sums of these, of length 1 or of zeros."""
        return np.asarray(unit_rows((words @ self.rows).toarray()))


def word_vectors(sources: Sources, corpus: str) -> WordVectors:
    """Vectors of words from an index of any text or, without one, from the glosses and the sense-tagged sentences.

    A vector has the positive pointwise mutual information with each word that is in the same sentence, or gloss, twice
    or more. (Bullinaria & Levy 2007)
    """
    name = f"word vectors of {corpus}"
    if name not in sources.made:
        sources.made[name] = _vectors(_in_corpus(Index.open(corpus), sources) if corpus else _in_sources(sources))
    found: WordVectors = sources.made[name]
    return found


def _vectors(counts: Counts) -> WordVectors:
    rare = np.log(counts.total / np.maximum(counts.row_totals, 1))
    bag = FittedBag(Bag(weighting="tfidf"), tuple(counts.rows), np.maximum(rare, 0.0))
    frequent = np.sort(np.argsort(-counts.row_totals, kind="stable")[:DIMENSIONS])
    return WordVectors(bag, unit_rows(associated(PMI(), counts, minimum=0.0)[:, frequent]))


def _in_sources(sources: Sources) -> Counts:
    """How many glosses and sentences have two words."""
    words = plain(sources)
    sentences = dict.fromkeys(usage.text for usage, _ in sources.tagged)
    every = joined([glosses(sources), gathered([words.words(text) for text in sentences])])
    try:
        bag = Bag(minimum=RAREST, weighting="binary", stop=STOP).fit(every)
    except TooLittle:  # of a dictionary with a few entries; no word has a vector then
        bag = FittedBag(Bag(weighting="binary"), (), np.zeros(0))
    there = bag(every).astype(np.int64)
    return _counts(there.T @ there, bag.names, np.asarray(there.sum(axis=0)).ravel(), len(every))


def _in_corpus(index: Index, sources: Sources) -> Counts:
    """How many sentences of a corpus have two words; of words that differ only in part of speech, the sum."""
    import scipy.sparse as sp

    found = cooccurrences(index, words=content_words(index.vocabulary, "nvar", RAREST), least=LEAST)
    words, numbers = plain(sources), dict[str, int]()
    names = [words[name[:-2] if part_of(name) else name] for name in found.rows]
    columns = [numbers.setdefault(name, len(numbers)) for name in names]
    merge = sp.csr_array((np.ones(len(names), np.int64), (np.arange(len(names)), columns)))
    return _counts(merge.T @ found.matrix @ merge, tuple(numbers), merge.T @ found.row_totals, found.total)


def _counts(together: Any, names: tuple[str, ...], each: Any, total: int) -> Counts:
    import scipy.sparse as sp

    pairs = sp.csr_array(sp.triu(together, 1))
    pairs.data[pairs.data < LEAST] = 0
    pairs.eliminate_zeros()
    vocabulary = Vocabulary(names, each)
    return Counts(pairs, vocabulary, vocabulary, each, each, total, symmetric=True)

"""Words as vectors of the words that they go together with, in glosses and tagged sentences or in any corpus."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from polyseme.arrays import Floats
from polyseme.corpus.association import PMI, association_matrix
from polyseme.corpus.content_words import select_content_words
from polyseme.corpus.cooccurrence import count_cooccurrences
from polyseme.corpus.counts import CooccurrenceCounts
from polyseme.corpus.index import Index
from polyseme.corpus.passages import concatenate_passages
from polyseme.corpus.vocabulary import Vocabulary
from polyseme.disambiguation.plain_words import STOP_WORD_COUNT, build_passages, get_plain_words, gloss_passages
from polyseme.disambiguation.sources import Sources
from polyseme.errors import TooLittleData
from polyseme.lemma import strip_pos
from polyseme.matrices import unit_rows
from polyseme.vectors.bag_of_words import Bag, FittedBag

if TYPE_CHECKING:
    import scipy.sparse as sp

MINIMUM_TEXTS = 5
"""In so many texts a word must be to have a vector."""

MINIMUM_PAIRS = 2
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


def build_word_vectors(sources: Sources, corpus: str) -> WordVectors:
    """Vectors of words from an index of any text or, without one, from the glosses and the sense-tagged sentences.

    A vector has the positive pointwise mutual information with each word that is in the same sentence, or gloss, twice
    or more. (Bullinaria & Levy 2007)
    """
    name = f"word vectors of {corpus}"
    if name not in sources.made:
        sources.made[name] = _associate(
            _count_in_corpus(Index.open(corpus), sources) if corpus else _count_in_sources(sources)
        )
    found: WordVectors = sources.made[name]
    return found


def _associate(counts: CooccurrenceCounts) -> WordVectors:
    rare = np.log(counts.total / np.maximum(counts.row_totals, 1))
    bag = FittedBag(Bag(weighting="tfidf"), tuple(counts.rows), np.maximum(rare, 0.0))
    frequent = np.sort(np.argsort(-counts.row_totals, kind="stable")[:DIMENSIONS])
    return WordVectors(bag, unit_rows(association_matrix(PMI(), counts, minimum=0.0)[:, frequent]))


def _count_in_sources(sources: Sources) -> CooccurrenceCounts:
    """How many glosses and sentences have two words."""
    words = get_plain_words(sources)
    sentences = dict.fromkeys(usage.text for usage, _ in sources.tagged)
    every = concatenate_passages([gloss_passages(sources), build_passages([words.words(text) for text in sentences])])
    try:
        bag = Bag(minimum=MINIMUM_TEXTS, weighting="binary", stop=STOP_WORD_COUNT).fit(every)
    except TooLittleData:  # of a dictionary with a few entries; no word has a vector then
        bag = FittedBag(Bag(weighting="binary"), (), np.zeros(0))
    there = bag(every).astype(np.int64)
    return _make_counts(there.T @ there, bag.names, np.asarray(there.sum(axis=0)).ravel(), len(every))


def _count_in_corpus(index: Index, sources: Sources) -> CooccurrenceCounts:
    """How many sentences of a corpus have two words; of words that differ only in part of speech, the sum."""
    import scipy.sparse as sp

    found = count_cooccurrences(
        index, words=select_content_words(index.vocabulary, "nvar", MINIMUM_TEXTS), least=MINIMUM_PAIRS
    )
    words, numbers = get_plain_words(sources), dict[str, int]()
    names = [words[strip_pos(name)] for name in found.rows]
    columns = [numbers.setdefault(name, len(numbers)) for name in names]
    merge = sp.csr_array((np.ones(len(names), np.int64), (np.arange(len(names)), columns)))
    return _make_counts(merge.T @ found.matrix @ merge, tuple(numbers), merge.T @ found.row_totals, found.total)


def _make_counts(together: Any, names: tuple[str, ...], each: Any, total: int) -> CooccurrenceCounts:
    import scipy.sparse as sp

    pairs = sp.csr_array(sp.triu(together, 1))
    pairs.data[pairs.data < MINIMUM_PAIRS] = 0
    pairs.eliminate_zeros()
    vocabulary = Vocabulary(names, each)
    return CooccurrenceCounts(pairs, vocabulary, vocabulary, each, each, total, symmetric=True)

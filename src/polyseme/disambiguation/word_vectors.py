"""Words as vectors of the words that they occur with, in glosses and tagged sentences or in any corpus."""

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
"""In how many texts a word must occur to have a vector."""

MINIMUM_PAIRS = 2
"""How often two words must occur together to be associated."""

DIMENSIONS = 2000
"""The number of dimensions, which are the most frequent words. (Mitchell & Lapata 2008)"""


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Vectors of words, of length 1, of how much more often than by chance other words occur near them.

    Args:
        bag: The words.
        rows: A row for each word.
    """

    bag: FittedBag
    rows: sp.csr_array[Any]

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The row of each word."""
        return {name: number for number, name in enumerate(self.bag.names)}

    def sum(self, words: Any) -> Floats:
        """Sum the vectors of bags of words, with a column for each word; the sums have length 1 or 0."""
        return np.asarray(unit_rows((words @ self.rows).toarray()))


def build_word_vectors(sources: Sources, corpus: str) -> WordVectors:
    """Build vectors of words from an index or, without one, from glosses and sense-tagged sentences.

    A vector has the positive pointwise mutual information with each word that occurs twice or more in the same sentence
    or gloss. (Bullinaria & Levy 2007)
    """

    def build() -> WordVectors:
        counts = _count_in_corpus(Index.open(corpus), sources) if corpus else _count_in_sources(sources)
        rarity = np.log(counts.total / np.maximum(counts.row_totals, 1))
        bag = FittedBag(Bag(weighting="tfidf"), tuple(counts.rows), np.maximum(rarity, 0.0))
        frequent = np.sort(np.argsort(-counts.row_totals, kind="stable")[:DIMENSIONS])
        return WordVectors(bag, unit_rows(association_matrix(PMI(), counts, minimum=0.0)[:, frequent]))

    return sources.cached(f"word vectors of {corpus}", build)


def _count_in_sources(sources: Sources) -> CooccurrenceCounts:
    """Count how many glosses and sentences have two words."""
    words = get_plain_words(sources)
    sentences = dict.fromkeys(usage.text for usage, _ in sources.tagged)
    passages = concatenate_passages([gloss_passages(sources), build_passages(list(map(words.words, sentences)))])
    try:
        bag = Bag(minimum=MINIMUM_TEXTS, weighting="binary", stop=STOP_WORD_COUNT).fit(passages)
    except TooLittleData:  # in a dictionary with few entries no word has a vector
        bag = FittedBag(Bag(weighting="binary"), (), np.zeros(0))
    matrix = bag(passages).astype(np.int64)
    return _make_counts(matrix.T @ matrix, bag.names, np.asarray(matrix.sum(axis=0)).ravel(), len(passages))


def _count_in_corpus(index: Index, sources: Sources) -> CooccurrenceCounts:
    """Count how many sentences of a corpus have two words; parts of speech are merged."""
    import scipy.sparse as sp

    content_words = select_content_words(index.vocabulary, "nvar", MINIMUM_TEXTS)
    counts = count_cooccurrences(index, words=content_words, least=MINIMUM_PAIRS)
    words, numbers = get_plain_words(sources), dict[str, int]()
    names = [words[strip_pos(name)] for name in counts.rows]
    columns = [numbers.setdefault(name, len(numbers)) for name in names]
    merge = sp.csr_array((np.ones(len(names), np.int64), (np.arange(len(names)), columns)))
    return _make_counts(merge.T @ counts.matrix @ merge, tuple(numbers), merge.T @ counts.row_totals, counts.total)


def _make_counts(pair_counts: Any, names: tuple[str, ...], totals: Any, total: int) -> CooccurrenceCounts:
    import scipy.sparse as sp

    pairs = sp.csr_array(sp.triu(pair_counts, 1))
    pairs.data[pairs.data < MINIMUM_PAIRS] = 0
    pairs.eliminate_zeros()
    vocabulary = Vocabulary(names, totals)
    return CooccurrenceCounts(pairs, vocabulary, vocabulary, totals, totals, total, symmetric=True)

"""The graph of associated words of a whole corpus, in one pass over it, or in several that need less memory."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from polyseme.arrays import Ints
from polyseme.corpus.association import Association, association_matrix
from polyseme.corpus.cooccurrence import ALL_WORDS, count_cooccurrences
from polyseme.corpus.counts import ArrayEquality, mirror_upper
from polyseme.corpus.engine import Engine
from polyseme.corpus.index import Index
from polyseme.corpus.vocabulary import Vocabulary
from polyseme.corpus.windows import DependencyWindow, SentenceWindow, Window
from polyseme.corpus.word_selection import WordSelection
from polyseme.errors import InputError, count_noun

if TYPE_CHECKING:
    import scipy.sparse as sp


@dataclass(frozen=True, eq=False)
class WordGraph(ArrayEquality):
    """Words, and the association of each two of them: ``matrix``, words × words."""

    words: Vocabulary
    matrix: sp.csr_array[Any]

    def __getitem__(self, pair: tuple[str, str]) -> float:
        row, column = map(self.words.number, pair)
        return float(self.matrix[row, column])

    def __repr__(self) -> str:
        entries = count_noun(self.matrix.nnz, "entry", "entries")
        return f"<WordGraph of {count_noun(len(self.words), 'word')}, {entries}>"


def build_word_graph(
    index: Index,
    association: Association,
    minimum: float,
    *,
    window: Window = SentenceWindow(),  # noqa: B008 (a value that does not change)
    words: WordSelection = ALL_WORDS,
    least: int = 1,
    passes: int = 1,
    engine: Engine | None = None,
) -> WordGraph:
    """Build the graph of all pairs of selected words that are associated strongly enough.

    Args:
        index: The index.
        association: The association of two words.
        minimum: The least association of an edge.
        window: The window in which words co-occur.
        words: The words of the graph.
        least: The least number of contexts of an edge.
        passes: How often to go over the corpus, each time for a share of the pairs. Counting all pairs takes much more
            memory than the result; with several passes it takes that of the largest share. The result is the same.
        engine: Where to count; by default in this process.
    """
    import scipy.sparse as sp

    if passes < 1:
        raise InputError(f"passes is {passes}; it must be at least 1")
    vocabulary = index.vocabulary
    numbers = words.numbers(vocabulary)
    if passes == 1 or len(numbers) < 2:
        counts = count_cooccurrences(index, window, words, least=least, engine=engine)
        return WordGraph(counts.columns, association_matrix(association, counts, minimum))
    symmetric = association.symmetric and not isinstance(window, DependencyWindow)
    names = [vocabulary[number] for number in numbers.tolist()]
    shares: list[sp.csr_array[Any]] = []
    for start, stop in pairwise(_split_by_work(vocabulary.counts[numbers], passes)):
        first = start if symmetric else 0
        columns = WordSelection(among=names[first:])
        counts = count_cooccurrences(index, window, columns, rows=names[start:stop], least=least, engine=engine)
        share = association_matrix(association, counts, minimum)
        shares.append(_shift_columns(sp.triu(share, format="csr") if symmetric else share, first))
    matrix: sp.csr_array[Any] = sp.vstack(shares, format="csr")
    shares.clear()
    return WordGraph(Vocabulary(names, vocabulary.counts[numbers]), mirror_upper(matrix) if symmetric else matrix)


def _split_by_work(masses: Ints, count: int) -> list[int]:
    """Split rows into shares of about equal work, and return their bounds.

    >>> _split_by_work(np.array([4, 1, 1, 1, 1]), 2)
    [0, 1, 5]
    """
    total = np.cumsum(masses)
    inner = np.searchsorted(total, np.linspace(0, total[-1], count + 1)[1:-1]) + 1
    return sorted({0, *np.minimum(inner, len(masses)).tolist(), len(masses)})


def _shift_columns(share: sp.csr_array[Any], columns: int) -> sp.csr_array[Any]:
    """Insert this many empty columns before a matrix."""
    import scipy.sparse as sp

    shape = (share.shape[0], share.shape[1] + columns)
    return sp.csr_array((share.data, share.indices + share.indices.dtype.type(columns), share.indptr), shape=shape)

"""The graph of associated words of a whole corpus, in one pass over it or in several that need less memory."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from polyseme.arrays import Ints
from polyseme.corpus.association import Association, association_matrix
from polyseme.corpus.cooccurrence import ALL_WORDS, count_cooccurrences
from polyseme.corpus.counts import equal_matrices, mirror_upper
from polyseme.corpus.engine import Engine
from polyseme.corpus.index import Index
from polyseme.corpus.vocabulary import Vocabulary
from polyseme.corpus.windows import DependencyWindow, SentenceWindow, Window
from polyseme.corpus.word_selection import WordSelection
from polyseme.errors import InputError, count_noun

if TYPE_CHECKING:
    import scipy.sparse as sp


@dataclass(frozen=True, eq=False)
class WordGraph:
    """Words, and how strongly each two of them are associated: ``matrix``, words × words."""

    words: Vocabulary
    matrix: sp.csr_array[Any]

    def __getitem__(self, pair: tuple[str, str]) -> float:
        row, column = map(self.words.number, pair)
        return float(self.matrix[row, column])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WordGraph):
            return NotImplemented
        return self.words == other.words and equal_matrices(self.matrix, other.matrix)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f"<WordGraph of {count_noun(len(self.words), 'word')}, {count_noun(self.matrix.nnz, 'entry', 'entries')}>"
        )


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
    """All pairs of the selected words that are associated at least so strongly, and co-occur in ``least`` contexts.

    Counting all pairs takes much more memory than those that are kept. With ``passes``, the corpus is gone through so
    often, each time for some of the pairs: memory is that of the largest share, and of the result, which is the same.
    """
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
        shares.append(_shift_columns(_upper_half(share) if symmetric else share, first))
    matrix = _stack_rows(shares)
    shares.clear()
    return WordGraph(Vocabulary(names, vocabulary.counts[numbers]), mirror_upper(matrix) if symmetric else matrix)


def _split_by_work(masses: Ints, count: int) -> list[int]:
    """Where to cut rows into so many shares of about equal work.

    >>> _split_by_work(np.array([4, 1, 1, 1, 1]), 2)
    [0, 1, 5]
    """
    spent = np.cumsum(masses)
    inner = np.searchsorted(spent, np.linspace(0, spent[-1], count + 1)[1:-1]) + 1
    return sorted({0, *np.minimum(inner, len(masses)).tolist(), len(masses)})


def _upper_half(share: sp.csr_array[Any]) -> sp.csr_array[Any]:
    """A share without what lies below the diagonal: that is in another place the other way round."""
    import scipy.sparse as sp

    found: sp.csr_array[Any] = sp.triu(share, format="csr")
    return found


def _shift_columns(share: sp.csr_array[Any], columns: int) -> sp.csr_array[Any]:
    """The same, with so many empty columns before it."""
    import scipy.sparse as sp

    shape = (share.shape[0], share.shape[1] + columns)
    return sp.csr_array((share.data, share.indices + share.indices.dtype.type(columns), share.indptr), shape=shape)


def _stack_rows(shares: list[sp.csr_array[Any]]) -> sp.csr_array[Any]:
    """Shares one below the other."""
    import scipy.sparse as sp

    found: sp.csr_array[Any] = sp.vstack(shares, format="csr")
    return found

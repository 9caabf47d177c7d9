"""The neighbourhood of a word in the graph of associated words, without building the whole graph."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from polyseme.arrays import Bools, Ints
from polyseme.corpus.association import Association, association_matrix
from polyseme.corpus.cooccurrence import ALL_WORDS, count_cooccurrences
from polyseme.corpus.counts import equal_matrices
from polyseme.corpus.engine import Engine
from polyseme.corpus.index import Index
from polyseme.corpus.vocabulary import Vocabulary
from polyseme.corpus.windows import DependencyWindow, SentenceWindow, Window
from polyseme.corpus.word_selection import WordSelection, get_word_numbers
from polyseme.errors import InputError, count_noun

if TYPE_CHECKING:
    import scipy.sparse as sp


@dataclass(frozen=True, eq=False)
class Neighbourhood:
    """Words within some steps of the first one, and how strongly they are associated: ``matrix``, words × words.

    ``steps`` says how far each word is from the first.
    """

    words: tuple[str, ...]
    steps: Ints
    matrix: sp.csr_array[Any]

    def __len__(self) -> int:
        """How many words there are."""
        return len(self.words)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Neighbourhood):
            return NotImplemented
        named = self.words == other.words and np.array_equal(self.steps, other.steps)
        return named and equal_matrices(self.matrix, other.matrix)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        entries = count_noun(self.matrix.nnz, "entry", "entries")
        return f"<Neighbourhood of {self.words[0]}: {count_noun(len(self), 'word')}, {entries}>"


def get_neighbourhood(
    index: Index, word: str, association: Association, minimum: float, **options: Any
) -> Neighbourhood:
    """The neighbourhood of one word; options as for :func:`neighbourhoods`."""
    return get_neighbourhoods(index, [word], association, minimum, **options)[word]


def get_neighbourhoods(
    index: Index,
    words: Iterable[str],
    association: Association,
    minimum: float,
    *,
    depth: int = 2,
    mutual: bool = True,
    window: Window = SentenceWindow(),  # noqa: B008 (a value that does not change)
    among: WordSelection = ALL_WORDS,
    engine: Engine | None = None,
) -> dict[str, Neighbourhood]:
    """For each word those that are associated with it at least so strongly, those associated with these, and so on.

    ``depth`` says how many steps are taken, among which words, and ``mutual`` whether associations between the words of
    the last step are wanted too; Navigli & Crisafulli (2010) add none. The corpus is counted once for each step (and
    once more for mutual ones) however many words there are, and only rows of words that were reached are computed.
    """
    if depth < 1:
        raise InputError(f"depth is {depth}; it must be at least 1")
    first = list(dict.fromkeys(words))
    graph = _PartialGraph.empty(index.vocabulary)
    count = partial(graph.more, index, window, association, minimum, engine)
    fresh = get_word_numbers(first, index.vocabulary)
    for _ in range(depth):
        count(fresh, among)
        fresh = graph.reached(fresh)
    if mutual:
        reached = np.union1d(fresh, np.flatnonzero(graph.known))
        count(fresh, WordSelection(among=graph.named(reached)))
    symmetric = association.symmetric and not isinstance(window, DependencyWindow)
    return {word: graph.around(word, depth, mutual=mutual, symmetric=symmetric) for word in first}


@dataclass(eq=False)
class _PartialGraph:
    """The rows of the graph of all words that are known so far."""

    vocabulary: Vocabulary
    known: Bools
    matrix: sp.csr_array[Any]

    @classmethod
    def empty(cls, vocabulary: Vocabulary) -> _PartialGraph:
        import scipy.sparse as sp

        size = len(vocabulary)
        return cls(vocabulary, np.zeros(size, np.bool_), sp.csr_array((size, size), dtype=np.float64))

    def named(self, numbers: Ints) -> list[str]:
        """Words by their numbers."""
        return [self.vocabulary[number] for number in numbers.tolist()]

    def more(
        self,
        index: Index,
        window: Window,
        association: Association,
        minimum: float,
        engine: Engine | None,
        rows: Ints,
        among: WordSelection,
    ) -> None:
        """Count the rows of words that are not known yet."""
        import scipy.sparse as sp

        rows = rows[~self.known[rows]]
        if not len(rows):
            return
        counts = count_cooccurrences(index, window, among, rows=self.named(rows), engine=engine)
        found = association_matrix(association, counts, minimum).tocoo()
        columns = self.vocabulary.numbers(list(counts.columns))
        self.matrix = self.matrix + sp.csr_array(
            (found.data, (rows[found.row], columns[found.col])), shape=self.matrix.shape
        )
        self.known[rows] = True

    def reached(self, numbers: Ints) -> Ints:
        """The words that are associated with one of these."""
        return np.unique(self.matrix[numbers].indices).astype(np.intp)

    def around(self, word: str, depth: int, *, mutual: bool, symmetric: bool) -> Neighbourhood:
        """The words within some steps of one, and their edges."""
        start = self.vocabulary.number(word)
        found, fresh, steps = np.array([start]), np.array([start]), np.zeros(1, np.intp)
        for step in range(1, depth + 1):
            fresh = np.setdiff1d(self.reached(fresh), found)
            found, steps = np.append(found, fresh), np.append(steps, np.full(len(fresh), step))
        matrix = self.matrix[found][:, found]
        if not mutual:
            matrix = matrix.multiply((steps < depth)[:, None]).tocsr()
            matrix.eliminate_zeros()
        return Neighbourhood(tuple(self.named(found)), steps, _symmetrise(matrix) if symmetric else matrix)


def _symmetrise(matrix: sp.csr_array[Any]) -> sp.csr_array[Any]:
    """The same, with the edges that were counted one way only the other way too."""
    turned = matrix.T.tocsr()
    pattern = matrix.copy()
    pattern.data[:] = 1
    whole: sp.csr_array[Any] = (matrix + turned - turned.multiply(pattern)).tocsr()
    return whole

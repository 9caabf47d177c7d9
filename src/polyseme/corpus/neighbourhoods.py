"""The neighbourhood of a word in the graph of associated words, without the whole graph."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from polyseme.arrays import Ints
from polyseme.corpus.association import Association, association_matrix
from polyseme.corpus.cooccurrence import ALL_WORDS, count_cooccurrences
from polyseme.corpus.counts import ArrayEquality
from polyseme.corpus.engine import Engine
from polyseme.corpus.index import Index
from polyseme.corpus.windows import DependencyWindow, SentenceWindow, Window
from polyseme.corpus.word_selection import WordSelection, get_word_numbers
from polyseme.errors import InputError, count_noun

if TYPE_CHECKING:
    import scipy.sparse as sp


@dataclass(frozen=True, eq=False)
class Neighbourhood(ArrayEquality):
    """The words within a few steps of the first one, and their association.

    Args:
        words: The words.
        steps: The distance of each word from the first, in steps.
        matrix: The association, words × words.
    """

    words: tuple[str, ...]
    steps: Ints
    matrix: sp.csr_array[Any]

    def __len__(self) -> int:
        """The number of words."""
        return len(self.words)

    def __repr__(self) -> str:
        entries = count_noun(self.matrix.nnz, "entry", "entries")
        return f"<Neighbourhood of {self.words[0]}: {count_noun(len(self), 'word')}, {entries}>"


def get_neighbourhood(
    index: Index, word: str, association: Association, minimum: float, **options: Any
) -> Neighbourhood:
    """Get the neighbourhood of one word; the options are those of :func:`get_neighbourhoods`."""
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
    """Get for each word the words that are associated with it, those associated with these, and so on.

    The corpus is counted once for each step (and once more for mutual associations), however many words there are. Only
    the rows of words that are reached are computed.

    Args:
        index: The index.
        words: The words.
        association: The association of two words.
        minimum: The least association of an edge.
        depth: The number of steps.
        mutual: Whether associations between the words of the last step are included; Navigli & Crisafulli (2010) leave
            them out.
        window: The window in which words co-occur.
        among: The words that can be neighbours.
        engine: Where to count; by default in this process.
    """
    if depth < 1:
        raise InputError(f"depth is {depth}; it must be at least 1")
    words = list(dict.fromkeys(words))
    graph = _PartialGraph(index, window, association, minimum, engine)
    reached = get_word_numbers(words, index.vocabulary)
    for _ in range(depth):
        graph.count_rows(reached, among)
        reached = graph.neighbours(reached)
    if mutual:
        all_words = np.union1d(reached, np.flatnonzero(graph.is_counted))
        graph.count_rows(reached, WordSelection(among=graph.names(all_words)))
    symmetric = association.symmetric and not isinstance(window, DependencyWindow)
    return {word: graph.neighbourhood(word, depth, mutual=mutual, symmetric=symmetric) for word in words}


class _PartialGraph:
    """The rows of the graph of all words that are counted so far."""

    def __init__(
        self, index: Index, window: Window, association: Association, minimum: float, engine: Engine | None
    ) -> None:
        import scipy.sparse as sp

        self._index, self._window, self._engine = index, window, engine
        self._association, self._minimum = association, minimum
        size = len(index.vocabulary)
        self.is_counted = np.zeros(size, np.bool_)
        self._matrix = sp.csr_array((size, size), dtype=np.float64)

    def names(self, numbers: Ints) -> list[str]:
        """The names of words."""
        return [self._index.vocabulary[number] for number in numbers.tolist()]

    def count_rows(self, rows: Ints, among: WordSelection) -> None:
        """Count the rows of words that are not counted yet."""
        import scipy.sparse as sp

        rows = rows[~self.is_counted[rows]]
        if not len(rows):
            return
        counts = count_cooccurrences(self._index, self._window, among, rows=self.names(rows), engine=self._engine)
        edges = association_matrix(self._association, counts, self._minimum).tocoo()
        columns = self._index.vocabulary.numbers(list(counts.columns))
        entries = (edges.data, (rows[edges.row], columns[edges.col]))
        self._matrix = self._matrix + sp.csr_array(entries, shape=self._matrix.shape)
        self.is_counted[rows] = True

    def neighbours(self, numbers: Ints) -> Ints:
        """The words that are associated with one of these."""
        return np.unique(self._matrix[numbers].indices).astype(np.intp)

    def neighbourhood(self, word: str, depth: int, *, mutual: bool, symmetric: bool) -> Neighbourhood:
        """The words within a number of steps of one, and their edges."""
        last = numbers = np.array([self._index.vocabulary.number(word)])
        steps = np.zeros(1, np.intp)
        for step in range(1, depth + 1):
            last = np.setdiff1d(self.neighbours(last), numbers)
            numbers, steps = np.append(numbers, last), np.append(steps, np.full(len(last), step))
        matrix = self._matrix[numbers][:, numbers]
        if not mutual:
            matrix = matrix.multiply((steps < depth)[:, None]).tocsr()
            matrix.eliminate_zeros()
        return Neighbourhood(tuple(self.names(numbers)), steps, _symmetrise(matrix) if symmetric else matrix)


def _symmetrise(matrix: sp.csr_array[Any]) -> sp.csr_array[Any]:
    """Add the reverse of edges that were counted in one direction only."""
    reverse = matrix.T.tocsr()
    pattern = matrix.copy()
    pattern.data[:] = 1
    whole: sp.csr_array[Any] = (matrix + reverse - reverse.multiply(pattern)).tocsr()
    return whole

"""The results of counting: frequencies, co-occurrences and the contexts of usages, as matrices or as tables."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from polyseme.arrays import Ints, expand_runs
from polyseme.column_table import ColumnTable, NumberColumn, TextColumn
from polyseme.corpus.vocabulary import Vocabulary
from polyseme.errors import count_noun
from polyseme.matrices import is_sparse

if TYPE_CHECKING:
    import scipy.sparse as sp


BLOCK_ROWS = 4096
"""The number of rows that are copied at a time."""


class ArrayEquality:
    """Equality of dataclasses with arrays or sparse matrices among their fields."""

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        names = [field.name for field in dataclasses.fields(self)]  # type: ignore[arg-type]
        return all(_equal_values(getattr(self, name), getattr(other, name)) for name in names)

    __hash__ = None  # type: ignore[assignment]


def _equal_values(one: Any, other: Any) -> bool:
    if is_sparse(one):
        return equal_matrices(one, other)
    return np.array_equal(one, other) if isinstance(one, np.ndarray) else bool(one == other)


def equal_matrices(one: sp.csr_array[Any], other: sp.csr_array[Any]) -> bool:
    """Whether two sparse matrices have the same entries."""
    different: Any = one != other
    return one.shape == other.shape and different.nnz == 0


def _make_table(**columns: Any) -> ColumnTable:
    """A table of arrays of integers and of columns of texts."""
    return ColumnTable(
        {name: NumberColumn(cells) if isinstance(cells, np.ndarray) else cells for name, cells in columns.items()}
    )


def mirror_upper(upper: sp.csr_array[Any]) -> sp.csr_array[Any]:
    """Complete a symmetric matrix from its upper half.

    >>> import scipy.sparse as sp
    >>> mirror_upper(sp.csr_array([[7, 1], [0, 0]])).toarray().tolist()
    [[7, 1], [1, 0]]
    """
    import scipy.sparse as sp

    if not upper.has_sorted_indices:
        upper = upper.sorted_indices()
    lower = sp.tril(upper.T, -1, format="csr") if upper.diagonal().any() else upper.T.tocsr()
    return _interleave_rows(lower, upper)


def _interleave_rows(left: sp.csr_array[Any], right: sp.csr_array[Any]) -> sp.csr_array[Any]:
    """Add two matrices whose entries of the first precede those of the second in each row, a few rows at a time."""
    import scipy.sparse as sp

    left_sizes, right_sizes = np.diff(left.indptr), np.diff(right.indptr)
    ends = np.concatenate([[0], np.cumsum(left_sizes + right_sizes)])
    data, indices = np.empty(ends[-1], right.dtype), np.empty(ends[-1], right.indices.dtype)
    for matrix, sizes, begin in ((left, left_sizes, ends[:-1]), (right, right_sizes, ends[:-1] + left_sizes)):
        for start in range(0, matrix.shape[0], BLOCK_ROWS):
            rows = slice(start, start + BLOCK_ROWS)
            entries = slice(matrix.indptr[start], matrix.indptr[min(start + BLOCK_ROWS, matrix.shape[0])])
            positions = expand_runs(begin[rows], sizes[rows])
            data[positions], indices[positions] = matrix.data[entries], matrix.indices[entries]
    return sp.csr_array((data, indices, ends), shape=right.shape)


@dataclass(frozen=True, eq=False)
class WordFrequencies(ArrayEquality):
    """How many tokens, sentences and documents have each word.

    Args:
        vocabulary: The words; its counts are the tokens.
        sentences: The number of sentences of each word.
        documents: The number of documents of each word.

    >>> words = Vocabulary(["bank.n", "lend.v"], [3, 1])
    >>> WordFrequencies(words, np.array([2, 1]), np.array([1, 1])).table().to_pylist()[0]
    {'word': 'bank.n', 'tokens': 3, 'sentences': 2, 'documents': 1}
    """

    vocabulary: Vocabulary
    sentences: Ints
    documents: Ints

    @property
    def tokens(self) -> Ints:
        """The number of tokens of each word."""
        return self.vocabulary.counts

    def table(self) -> ColumnTable:
        """A row for each word: word, tokens, sentences, documents."""
        words = TextColumn(list(self.vocabulary), np.arange(len(self.vocabulary)))
        return _make_table(word=words, tokens=self.tokens, sentences=self.sentences, documents=self.documents)


@dataclass(frozen=True, eq=False)
class CooccurrenceCounts(ArrayEquality):
    """How often two words co-occur: ``matrix``, rows × columns, of type int64.

    The totals make a 2×2 table of each pair. What is counted is contexts, pairs of tokens or arcs; see
    :func:`~polyseme.corpus.cooccurrence.count_cooccurrences`.

    Args:
        pairs: The entries of the matrix. A symmetric matrix has only those of its upper half, which suffice for counts
            and for most associations.
        rows: The words of the rows.
        columns: The words of the columns.
        row_totals: The total of each word of the rows.
        column_totals: The total of each word of the columns.
        total: The total of all.
        symmetric: Whether the matrix is symmetric.

    >>> import scipy.sparse as sp
    >>> words = Vocabulary(["bank.n", "lend.v"], [3, 1])
    >>> totals = np.array([2, 1])
    >>> counts = CooccurrenceCounts(sp.csr_array([[0, 1], [0, 0]]), words, words, totals, totals, 5, symmetric=True)
    >>> counts["lend.v", "bank.n"], counts.matrix.toarray().tolist()
    (1, [[0, 1], [1, 0]])
    """

    pairs: sp.csr_array[Any]
    rows: Vocabulary
    columns: Vocabulary
    row_totals: Ints
    column_totals: Ints
    total: int
    symmetric: bool = False

    @cached_property
    def matrix(self) -> sp.csr_array[Any]:
        """Rows × columns."""
        return mirror_upper(self.pairs) if self.symmetric else self.pairs

    @property
    def vocabulary(self) -> Vocabulary:
        """The words of the columns, and of the rows unless these were selected."""
        return self.columns

    def __getitem__(self, pair: tuple[str, str]) -> int:
        row, column = pair
        return int(self.matrix[self.rows.number(row), self.columns.number(column)])

    def table(self) -> ColumnTable:
        """A row for each of the pairs: first, second, count."""
        entries = self.pairs.tocoo()
        first, second = TextColumn(list(self.rows), entries.row), TextColumn(list(self.columns), entries.col)
        return _make_table(first=first, second=second, count=entries.data)

    def __repr__(self) -> str:
        pairs = f"{count_noun(self.pairs.nnz, 'pair')} of {len(self.rows)} × {len(self.columns)} words"
        return f"<CooccurrenceCounts of {pairs}, {self.total} in all>"


@dataclass(frozen=True, eq=False)
class UsageContexts(ArrayEquality):
    """The usages of a word, in the order of the text, and how many tokens of other words co-occur with each.

    Args:
        word: The word.
        matrix: Usages × words.
        vocabulary: The words of the columns.
        sentence: The number of the sentence of each usage, as in the token table.
        position: The position of each usage in its sentence.
    """

    word: str
    matrix: sp.csr_array[Any]
    vocabulary: Vocabulary
    sentence: Ints
    position: Ints

    def __len__(self) -> int:
        """The number of usages."""
        return len(self.sentence)

    def table(self) -> ColumnTable:
        """A row for each entry: sentence, position, word, count."""
        entries = self.matrix.tocoo()
        words = TextColumn(list(self.vocabulary), entries.col)
        usages = {"sentence": self.sentence[entries.row], "position": self.position[entries.row]}
        return _make_table(**usages, word=words, count=entries.data)

    def __repr__(self) -> str:
        usages = f"{count_noun(len(self), 'usage')} of {self.word}"
        return f"<UsageContexts of {usages}, {count_noun(len(self.vocabulary), 'word')}>"

"""What counting gives: frequencies, co-occurrences, and the contexts of a word's usages, as matrices or as tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from polyseme.arrays import Ints, expand_runs
from polyseme.corpus.vocabulary import Vocabulary
from polyseme.errors import count_noun

if TYPE_CHECKING:
    import pyarrow as pa
    import scipy.sparse as sp


BLOCK_ROWS = 4096
"""How many rows are copied at a time."""


def _word_column(numbers: Any, words: Vocabulary) -> Any:
    """Words by their numbers, as a column that has each word once."""
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(pa.array(numbers), pa.array(list(words), pa.string()))


def equal_matrices(one: sp.csr_array[Any], other: sp.csr_array[Any]) -> bool:
    """Whether two matrices have the same entries."""
    different: Any = one != other
    return one.shape == other.shape and different.nnz == 0


def mirror_upper(upper: sp.csr_array[Any]) -> sp.csr_array[Any]:
    """Both halves of a symmetric matrix of which there is the upper one.

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
    """Two matrices whose entries in a row of the first all come before those of the second; a few rows at a time."""
    import scipy.sparse as sp

    widths = [np.diff(each.indptr) for each in (left, right)]
    ends = np.concatenate([[0], np.cumsum(widths[0] + widths[1])])
    data, indices = np.empty(ends[-1], right.dtype), np.empty(ends[-1], right.indices.dtype)
    for each, width, begin in ((left, widths[0], ends[:-1]), (right, widths[1], ends[:-1] + widths[0])):
        for start in range(0, each.shape[0], BLOCK_ROWS):
            rows = slice(start, start + BLOCK_ROWS)
            entries = slice(each.indptr[start], each.indptr[min(start + BLOCK_ROWS, each.shape[0])])
            places = expand_runs(begin[rows], width[rows])
            data[places], indices[places] = each.data[entries], each.indices[entries]
    return sp.csr_array((data, indices, ends), shape=right.shape)


@dataclass(frozen=True, eq=False)
class WordFrequencies:
    """Words with how many tokens, sentences and documents have each; ``vocabulary.counts`` are the tokens.

    >>> words = Vocabulary(["bank.n", "lend.v"], [3, 1])
    >>> WordFrequencies(words, np.array([2, 1]), np.array([1, 1])).table().to_pylist()[0]
    {'word': 'bank.n', 'tokens': 3, 'sentences': 2, 'documents': 1}
    """

    vocabulary: Vocabulary
    sentences: Ints
    documents: Ints

    @property
    def tokens(self) -> Ints:
        """How often each word occurs."""
        return self.vocabulary.counts

    def table(self) -> pa.Table:
        """A row for each word: word, tokens, sentences, documents."""
        import pyarrow as pa

        words = pa.array(list(self.vocabulary), pa.string())
        return pa.table(
            {"word": words, "tokens": self.tokens, "sentences": self.sentences, "documents": self.documents}
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WordFrequencies):
            return NotImplemented
        arrays = [(each.sentences, each.documents) for each in (self, other)]
        return self.vocabulary == other.vocabulary and all(map(np.array_equal, *arrays))

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, eq=False)
class CooccurrenceCounts:
    """How often two words co-occur: ``matrix``, rows × columns, of type int64.

    ``pairs`` are the entries of the matrix; if it is ``symmetric``, those of its upper half, which is all that counting
    and most associations need. The whole is made when it is asked for.

    ``row_totals`` and ``column_totals`` say how often each word is there at all, ``total`` how often anything is; with
    them each pair is a 2×2 table. What is counted is contexts, pairs of tokens or arcs; see
    :func:`~polyseme.corpus.cooccurrence.count_cooccurrences`.

    >>> import scipy.sparse as sp
    >>> words = Vocabulary(["bank.n", "lend.v"], [3, 1])
    >>> each = np.array([2, 1])
    >>> counts = CooccurrenceCounts(sp.csr_array([[0, 1], [0, 0]]), words, words, each, each, 5, symmetric=True)
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
        """The words of the columns; those of the rows too unless some were asked for."""
        return self.columns

    def __getitem__(self, pair: tuple[str, str]) -> int:
        row, column = pair
        return int(self.matrix[self.rows.number(row), self.columns.number(column)])

    def table(self) -> pa.Table:
        """A row for each of the pairs: first, second, count."""
        import pyarrow as pa

        entries = self.pairs.tocoo()
        first, second = _word_column(entries.row, self.rows), _word_column(entries.col, self.columns)
        return pa.table({"first": first, "second": second, "count": entries.data})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CooccurrenceCounts):
            return NotImplemented
        arrays = [(each.row_totals, each.column_totals) for each in (self, other)]
        return (
            (self.rows, self.columns, self.total) == (other.rows, other.columns, other.total)
            and self.symmetric == other.symmetric
            and all(map(np.array_equal, *arrays))
            and equal_matrices(self.pairs, other.pairs)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        pairs = f"{count_noun(self.pairs.nnz, 'pair')} of {len(self.rows)} × {len(self.columns)} words"
        return f"<Counts of {pairs}, {self.total} in all>"


@dataclass(frozen=True, eq=False)
class UsageContexts:
    """The usages of a word and how many tokens of each other word co-occur with each: ``matrix``, usages × words.

    A usage is told by its ``sentence`` and ``position``, as in the token table; usages are in the order of the text.
    """

    word: str
    matrix: sp.csr_array[Any]
    vocabulary: Vocabulary
    sentence: Ints
    position: Ints

    def __len__(self) -> int:
        """How many usages there are."""
        return len(self.sentence)

    def table(self) -> pa.Table:
        """A row for each entry: sentence, position, word, count."""
        import pyarrow as pa

        entries = self.matrix.tocoo()
        places = {"sentence": self.sentence[entries.row], "position": self.position[entries.row]}
        return pa.table({**places, "word": _word_column(entries.col, self.vocabulary), "count": entries.data})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, UsageContexts):
            return NotImplemented
        arrays = [(each.sentence, each.position) for each in (self, other)]
        return (
            (self.word, self.vocabulary) == (other.word, other.vocabulary)
            and all(map(np.array_equal, *arrays))
            and equal_matrices(self.matrix, other.matrix)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f"<Contexts of {count_noun(len(self), 'usage')} of {self.word}, {count_noun(len(self.vocabulary), 'word')}>"
        )

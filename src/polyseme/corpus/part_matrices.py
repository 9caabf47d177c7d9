"""A part of an index as sparse matrices, whose products are the counts of :mod:`polyseme.corpus.ibis_counts`.

With P the matrix of places × words of a part (how often each place has each word) and W that of contexts × places, the
contexts × words are X = [WP > 0], and the contexts that two words share are XᵀX. With A the places × places that are
less than a window's span apart, the pairs of tokens are PᵀAP, less the pairs of a token with itself. As no document
goes on in another part, what is counted in each part only has to be added up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from polyseme.arrays import Bools, Ints, expand_runs
from polyseme.corpus.index import Index
from polyseme.corpus.windows import DependencyWindow, SlidingWindow

if TYPE_CHECKING:
    import pyarrow as pa
    import scipy.sparse as sp

IntegerArray = NDArray[np.integer[Any]]


@dataclass(frozen=True)
class WordColumns:
    """The words that take part, by their number in the index, and the columns that they have in a matrix."""

    counted: Ints
    size: int

    @cached_property
    def columns(self) -> NDArray[np.int32]:
        """The column of each word of the index; −1 if it takes no part."""
        found = np.full(self.size, -1, np.int32)
        found[self.counted] = np.arange(len(self.counted), dtype=np.int32)
        return found

    def of(self, words: IntegerArray) -> NDArray[np.int32]:
        """The columns of words."""
        found: NDArray[np.int32] = self.columns[words]
        return found


@dataclass(frozen=True)
class PlaceMatrices:
    """The tokens of one part of an index as a window sees them: P, W and A as above, and what is needed for them."""

    window: SlidingWindow
    numbers: WordColumns
    unit: IntegerArray
    place: IntegerArray
    word: IntegerArray
    sentence: IntegerArray
    position: IntegerArray

    @classmethod
    def from_part(cls, part: pa.Table, window: SlidingWindow, numbers: WordColumns) -> PlaceMatrices:
        """Those of a part with the columns document, sentence, position and word."""
        columns = {name: part.column(name).to_numpy() for name in ("document", "sentence", "position", "word")}
        place = np.arange(part.num_rows) if window.place is None else columns[window.place]
        rest = (columns["sentence"], columns["position"])
        return cls(window, numbers, columns[window.unit], place, columns["word"], *rest)

    @cached_property
    def starts(self) -> Ints:
        """Where in the part each unit begins."""
        return np.flatnonzero(np.diff(self.unit, prepend=-1))

    @cached_property
    def sizes(self) -> Ints:
        """How many places each unit has, from its first to its last."""
        if not len(self.starts):
            return self.starts
        ends = np.append(self.starts[1:], len(self.unit)) - 1
        found: Ints = self.place[ends].astype(np.intp) - self.place[self.starts] + 1
        return found

    @cached_property
    def begin(self) -> Ints:
        """The number of each unit's first place."""
        return np.cumsum(self.sizes) - self.sizes

    @cached_property
    def rows(self) -> Ints:
        """The number of each token's place: places are numbered through the part."""
        first = self.begin - self.place[self.starts]
        lengths = np.diff(np.append(self.starts, len(self.unit)))
        return np.repeat(first, lengths) + self.place.astype(np.intp)

    @cached_property
    def matrix(self) -> sp.csr_array[Any]:
        """P: places × words that are counted."""
        columns = self.numbers.of(self.word)
        kept = columns >= 0
        found = _indicator_matrix(self.rows[kept], columns[kept], (int(self.sizes.sum()), len(self.numbers.counted)))
        found.sum_duplicates()
        return found

    @cached_property
    def windows(self) -> Ints:
        """How many contexts each unit has."""
        return np.maximum(self.sizes - self.window.span + 1, 1)

    def contexts(self) -> sp.csr_array[Any]:
        """X: contexts × words that are counted, with ones."""
        found = self.matrix
        if self.window.span > 1:
            size = np.minimum(self.sizes, self.window.span)
            first = expand_runs(self.begin, self.windows)
            found = _span_matrix(first, np.repeat(size, self.windows), found.shape[0]) @ found
        return _binarise(found)

    def around(self, rows: Ints | None = None) -> sp.csr_array[Any]:
        """AP: for each place, or these, how often the places near it, and itself, have each word."""
        if self.window.span == 1:
            return self.matrix if rows is None else self.matrix[rows]
        rows = np.arange(self.matrix.shape[0]) if rows is None else rows
        unit = np.searchsorted(self.begin, rows, "right") - 1
        first = np.maximum(rows - self.window.span + 1, self.begin[unit])
        last = np.minimum(rows + self.window.span - 1, self.begin[unit] + self.sizes[unit] - 1)
        found: sp.csr_array[Any] = _span_matrix(first, last - first + 1, self.matrix.shape[0]) @ self.matrix
        return found

    def usages(self, word: int) -> tuple[Ints, Ints, sp.csr_array[Any]]:
        """Sentence and position of each usage of a word, and how often each word co-occurs with it."""
        at = np.flatnonzero(self.word == word)
        found = self.around(self.rows[at]) - _target_entries(
            len(at), int(self.numbers.columns[word]), self.matrix.shape[1]
        )
        found.eliminate_zeros()
        return self.sentence[at].astype(np.intp), self.position[at].astype(np.intp), found


def _binarise(matrix: sp.csr_array[Any]) -> sp.csr_array[Any]:
    """The same with a one for every entry."""
    import scipy.sparse as sp

    return sp.csr_array((np.ones_like(matrix.data), matrix.indices, matrix.indptr), shape=matrix.shape)


def _target_entries(rows: int, column: int, columns: int) -> sp.csr_array[Any]:
    """A one in each row, in the column of the word itself."""
    return _indicator_matrix(np.arange(rows), np.full(rows, column, np.int32), (rows, columns))


def _indicator_matrix(rows: Ints, columns: NDArray[np.int32], shape: tuple[int, int]) -> sp.csr_array[Any]:
    """A matrix with ones, whose entries are given row by row."""
    import scipy.sparse as sp

    ends = np.zeros(shape[0] + 1, np.int32)
    np.cumsum(np.bincount(rows, minlength=shape[0]), out=ends[1:])
    return sp.csr_array((np.ones(len(columns), np.int32), columns, ends), shape=shape)


def count_rows_with_word(rows: IntegerArray, words: IntegerArray, size: int) -> Ints:
    """How many rows (sentences or documents, which come in order) have each word.

    >>> count_rows_with_word(np.array([5, 5, 6]), np.array([0, 0, 0]), 2).tolist()
    [2, 0]
    """
    if not len(rows):
        return np.zeros(size, np.intp)
    found = _indicator_matrix(
        (rows - rows[0]).astype(np.intp), words.astype(np.int32), (int(rows[-1] - rows[0]) + 1, size)
    )
    found.sum_duplicates()
    return np.bincount(found.indices, minlength=size)


def _span_matrix(first: Ints, sizes: Ints, columns: int) -> sp.csr_array[Any]:
    """A matrix with a run of ones in each row."""
    import scipy.sparse as sp

    ends = np.zeros(len(first) + 1, np.int32)
    np.cumsum(sizes, out=ends[1:])
    indices = expand_runs(first, sizes).astype(np.int32)
    return sp.csr_array((np.ones(len(indices), np.int32), indices, ends), shape=(len(first), columns))


@dataclass(frozen=True)
class ArcMatrices:
    """The arcs of one part, from ``head`` to ``dependent``: places in the part, whose words are ``words``."""

    words: IntegerArray
    head: Ints
    dependent: Ints
    sentence: IntegerArray
    position: IntegerArray

    @classmethod
    def from_part(cls, part: pa.Table, window: DependencyWindow) -> ArcMatrices:
        """Those of a part with the columns sentence, position, word, head and relation."""
        sentence, position, word = (part.column(name).to_numpy() for name in ("sentence", "position", "word"))
        head = _read_heads(part)
        dependent = np.flatnonzero((head > 0) & _has_relation(part, window))
        at = dependent - position[dependent] + head[dependent] - 1
        inside = at < len(sentence)
        inside[inside] = sentence[at[inside]] == sentence[dependent[inside]]
        return cls(word, at[inside], dependent[inside], sentence, position)

    def pairs(self, numbers: WordColumns) -> sp.csr_array[Any]:
        """Heads × dependents among the words that are counted."""
        import scipy.sparse as sp

        rows, columns = numbers.of(self.words[self.head]), numbers.of(self.words[self.dependent])
        kept = (rows >= 0) & (columns >= 0)
        size = len(numbers.counted)
        return sp.csr_array((np.ones(kept.sum(), np.int64), (rows[kept], columns[kept])), shape=(size, size))

    def usages(self, word: int, numbers: WordColumns) -> tuple[Ints, Ints, sp.csr_array[Any]]:
        """Sentence and position of each usage of a word, and how often each word is its head or dependent."""
        import scipy.sparse as sp

        at = np.flatnonzero(self.words == word)
        row = np.full(len(self.words), -1)
        row[at] = np.arange(len(at))
        rows = row[np.concatenate([self.head, self.dependent])]
        columns = numbers.of(self.words[np.concatenate([self.dependent, self.head])])
        kept = (rows >= 0) & (columns >= 0)
        shape = (len(at), len(numbers.counted))
        matrix = sp.csr_array((np.ones(kept.sum(), np.int64), (rows[kept], columns[kept])), shape=shape)
        return self.sentence[at].astype(np.intp), self.position[at].astype(np.intp), matrix


def _read_heads(part: pa.Table) -> Ints:
    """The heads of tokens, 0 where there is none."""
    import pyarrow.compute as pc

    column: Any = part.column("head")
    found: Any = pc.fill_null(column, 0)
    return np.asarray(found.to_numpy(), np.intp)


def _has_relation(part: pa.Table, window: DependencyWindow) -> Bools:
    """Which tokens depend on their head by one of the relations."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not window.named:
        return np.ones(part.num_rows, np.bool_)
    found: Bools = pc.is_in(part.column("relation"), value_set=pa.array(window.named)).to_numpy()
    return found


# -- over all parts ------------------------------------------------------------------------------------------------


def iterate_places(index: Index, window: SlidingWindow, numbers: WordColumns) -> Iterator[PlaceMatrices]:
    """The tokens of each part, as a window sees them."""
    for part in index.parts("tokens", ["document", "sentence", "position", "word"]):
        yield PlaceMatrices.from_part(part, window, numbers)


def iterate_arcs(index: Index, window: DependencyWindow) -> Iterator[ArcMatrices]:
    """The heads and dependents of each part."""
    for part in index.parts("tokens", ["sentence", "position", "word", "head", "relation"]):
        yield ArcMatrices.from_part(part, window)

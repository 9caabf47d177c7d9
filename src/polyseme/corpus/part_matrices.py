"""A part of an index as sparse matrices, whose products are the counts of :mod:`polyseme.corpus.ibis_counts`.

Let P be the matrix of places × words of a part (how often each place has each word), and W that of contexts × places.
The contexts × words are X = [WP > 0], and the contexts that two words share are XᵀX. Let A mark the pairs of places
that are closer than the span of a window. Then the pairs of tokens are PᵀAP, minus the pairs of a token with itself.
No document extends into another part, so the counts of the parts add up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from polyseme.arrays import Bools, Ints, expand_runs, run_starts
from polyseme.column_table import ColumnTable
from polyseme.compilation import IntegerArray
from polyseme.corpus.index import Index
from polyseme.corpus.windows import DependencyWindow, SlidingWindow

if TYPE_CHECKING:
    import scipy.sparse as sp

UsageCounts = tuple[Ints, Ints, "sp.csr_array[Any]"]
"""Sentence and position of each usage of a word, and usages × words."""


@dataclass(frozen=True)
class WordColumns:
    """The words that are counted, and their columns in a matrix.

    Args:
        counted: The numbers of the words in the index.
        size: The number of words of the index.
    """

    counted: Ints
    size: int

    @cached_property
    def columns(self) -> NDArray[np.int32]:
        """The column of each word of the index; −1 if it is not counted."""
        columns = np.full(self.size, -1, np.int32)
        columns[self.counted] = np.arange(len(self.counted), dtype=np.int32)
        return columns

    def __getitem__(self, words: IntegerArray) -> NDArray[np.int32]:
        """The columns of words."""
        columns: NDArray[np.int32] = self.columns[words]
        return columns


@dataclass(frozen=True)
class PlaceMatrices:
    """The tokens of one part of an index in a sliding window: P, W and A as above."""

    window: SlidingWindow
    columns: WordColumns
    unit: IntegerArray
    place: IntegerArray
    word: IntegerArray
    sentence: IntegerArray
    position: IntegerArray

    @classmethod
    def from_part(cls, part: ColumnTable, window: SlidingWindow, columns: WordColumns) -> PlaceMatrices:
        """The matrices of a part with the columns document, sentence, position and word."""
        arrays = {name: part.numbers(name) for name in ("document", "sentence", "position", "word")}
        place = np.arange(part.num_rows) if window.place is None else arrays[window.place]
        return cls(window, columns, arrays[window.unit], place, arrays["word"], arrays["sentence"], arrays["position"])

    @cached_property
    def starts(self) -> Ints:
        """Where each unit starts in the part."""
        return np.flatnonzero(np.diff(self.unit, prepend=-1))

    @cached_property
    def sizes(self) -> Ints:
        """The number of places of each unit, from its first to its last."""
        if not len(self.starts):
            return self.starts
        ends = np.append(self.starts[1:], len(self.unit)) - 1
        sizes: Ints = self.place[ends].astype(np.intp) - self.place[self.starts] + 1
        return sizes

    @cached_property
    def begin(self) -> Ints:
        """The number of the first place of each unit."""
        return run_starts(self.sizes)

    @cached_property
    def rows(self) -> Ints:
        """The number of the place of each token; places are numbered through the part."""
        first = self.begin - self.place[self.starts]
        lengths = np.diff(np.append(self.starts, len(self.unit)))
        return np.repeat(first, lengths) + self.place.astype(np.intp)

    @cached_property
    def matrix(self) -> sp.csr_array[Any]:
        """P: places × counted words."""
        columns = self.columns[self.word]
        is_counted = columns >= 0
        shape = (int(self.sizes.sum()), len(self.columns.counted))
        matrix = _indicator_matrix(self.rows[is_counted], columns[is_counted], shape)
        matrix.sum_duplicates()
        return matrix

    @cached_property
    def windows(self) -> Ints:
        """The number of contexts of each unit."""
        return np.maximum(self.sizes - self.window.span + 1, 1)

    def contexts(self) -> sp.csr_array[Any]:
        """X: contexts × counted words, with ones."""
        import scipy.sparse as sp

        matrix = self.matrix
        if self.window.span > 1:
            size = np.minimum(self.sizes, self.window.span)
            first = expand_runs(self.begin, self.windows)
            matrix = _span_matrix(first, np.repeat(size, self.windows), matrix.shape[0]) @ matrix
        return sp.csr_array((np.ones_like(matrix.data), matrix.indices, matrix.indptr), shape=matrix.shape)

    def sum_neighbours(self, rows: Ints | None = None) -> sp.csr_array[Any]:
        """AP: how often the places near each place, and the place itself, have each word; for all places or rows."""
        if self.window.span == 1:
            return self.matrix if rows is None else self.matrix[rows]
        rows = np.arange(self.matrix.shape[0]) if rows is None else rows
        unit = np.searchsorted(self.begin, rows, "right") - 1
        first = np.maximum(rows - self.window.span + 1, self.begin[unit])
        last = np.minimum(rows + self.window.span - 1, self.begin[unit] + self.sizes[unit] - 1)
        sums: sp.csr_array[Any] = _span_matrix(first, last - first + 1, self.matrix.shape[0]) @ self.matrix
        return sums

    def usages(self, word: int, columns: WordColumns) -> UsageCounts:
        """Sentence and position of each usage of a word, and how often each word co-occurs with it."""
        at = np.flatnonzero(self.word == word)
        own_column = np.full(len(at), int(columns.columns[word]), np.int32)
        itself = _indicator_matrix(np.arange(len(at)), own_column, (len(at), self.matrix.shape[1]))
        matrix = self.sum_neighbours(self.rows[at]) - itself
        matrix.eliminate_zeros()
        return self.sentence[at].astype(np.intp), self.position[at].astype(np.intp), matrix


def _indicator_matrix(rows: Ints, columns: NDArray[np.int32], shape: tuple[int, int]) -> sp.csr_array[Any]:
    """A matrix with ones, whose entries are in the order of the rows."""
    import scipy.sparse as sp

    ends = np.zeros(shape[0] + 1, np.int32)
    np.cumsum(np.bincount(rows, minlength=shape[0]), out=ends[1:])
    return sp.csr_array((np.ones(len(columns), np.int32), columns, ends), shape=shape)


def count_rows_with_word(rows: IntegerArray, words: IntegerArray, size: int) -> Ints:
    """Count the rows (sentences or documents, in order) that have each word.

    >>> count_rows_with_word(np.array([5, 5, 6]), np.array([0, 0, 0]), 2).tolist()
    [2, 0]
    """
    if not len(rows):
        return np.zeros(size, np.intp)
    shape = (int(rows[-1] - rows[0]) + 1, size)
    matrix = _indicator_matrix((rows - rows[0]).astype(np.intp), words.astype(np.int32), shape)
    matrix.sum_duplicates()
    return np.bincount(matrix.indices, minlength=size)


def _span_matrix(first: Ints, sizes: Ints, columns: int) -> sp.csr_array[Any]:
    """A matrix with a run of ones in each row."""
    import scipy.sparse as sp

    ends = np.zeros(len(first) + 1, np.int32)
    np.cumsum(sizes, out=ends[1:])
    indices = expand_runs(first, sizes).astype(np.int32)
    return sp.csr_array((np.ones(len(indices), np.int32), indices, ends), shape=(len(first), columns))


@dataclass(frozen=True)
class ArcMatrices:
    """The arcs of one part, from ``head`` to ``dependent``: positions in the part, whose words are ``words``."""

    words: IntegerArray
    head: Ints
    dependent: Ints
    sentence: IntegerArray
    position: IntegerArray

    @classmethod
    def from_part(cls, part: ColumnTable, window: DependencyWindow) -> ArcMatrices:
        """The arcs of a part with the columns sentence, position, word, head and relation."""
        sentence, position, word = (part.numbers(name) for name in ("sentence", "position", "word"))
        head = part.numbers("head").astype(np.intp)
        dependent = np.flatnonzero((head > 0) & _has_relation(part, window))
        at = dependent - position[dependent] + head[dependent] - 1
        inside = at < len(sentence)
        inside[inside] = sentence[at[inside]] == sentence[dependent[inside]]
        return cls(word, at[inside], dependent[inside], sentence, position)

    def pairs(self, columns: WordColumns) -> sp.csr_array[Any]:
        """Heads × dependents among the counted words."""
        size = len(columns.counted)
        return _count_entries(columns[self.words[self.head]], columns[self.words[self.dependent]], (size, size))

    def usages(self, word: int, columns: WordColumns) -> UsageCounts:
        """Sentence and position of each usage of a word, and how often each word is its head or dependent."""
        at = np.flatnonzero(self.words == word)
        row = np.full(len(self.words), -1)
        row[at] = np.arange(len(at))
        rows = row[np.concatenate([self.head, self.dependent])]
        others = columns[self.words[np.concatenate([self.dependent, self.head])]]
        matrix = _count_entries(rows, others, (len(at), len(columns.counted)))
        return self.sentence[at].astype(np.intp), self.position[at].astype(np.intp), matrix


def _count_entries(rows: IntegerArray, columns: IntegerArray, shape: tuple[int, int]) -> sp.csr_array[Any]:
    """A matrix of counts; entries with a negative row or column are left out."""
    import scipy.sparse as sp

    inside = (rows >= 0) & (columns >= 0)
    return sp.csr_array((np.ones(inside.sum(), np.int64), (rows[inside], columns[inside])), shape=shape)


def _has_relation(part: ColumnTable, window: DependencyWindow) -> Bools:
    """Which tokens depend on their head by one of the relations."""
    if not window.relation_names:
        return np.ones(part.num_rows, np.bool_)
    relations = part.texts("relation")
    is_listed = np.array([*(entry in window.relation_names for entry in relations.entries), False], np.bool_)
    mask: Bools = is_listed[relations.codes]
    return mask


# -- over all parts ------------------------------------------------------------------------------------------------


def iterate_places(index: Index, window: SlidingWindow, columns: WordColumns) -> Iterator[PlaceMatrices]:
    """Yield the matrices of each part in a sliding window."""
    for part in index.parts("tokens", ["document", "sentence", "position", "word"]):
        yield PlaceMatrices.from_part(part, window, columns)


def iterate_arcs(index: Index, window: DependencyWindow) -> Iterator[ArcMatrices]:
    """Yield the heads and dependents of each part."""
    for part in index.parts("tokens", ["sentence", "position", "word", "head", "relation"]):
        yield ArcMatrices.from_part(part, window)

"""Counts as sums of sparse products over the parts of an index: what the embedded engine computes itself.

With the matrices of :mod:`polyseme.corpus.part_matrices`, the contexts that two words share are XᵀX, and the pairs of
tokens are PᵀAP less those of a token with itself. No document extends into another part, so the counts of the parts add
up. Such a product is symmetric, so only half of it is computed, a block of rows at a time: this takes less time than
the whole XᵀX, and less memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.arrays import Ints
from polyseme.corpus.index import Index
from polyseme.corpus.part_matrices import (
    PlaceMatrices,
    WordColumns,
    count_rows_with_word,
    iterate_arcs,
    iterate_places,
)
from polyseme.corpus.windows import DependencyWindow, Window

if TYPE_CHECKING:
    import scipy.sparse as sp

CountUnit = Literal["context", "token"]
MatrixPair = tuple["sp.csr_array[Any]", "sp.csr_array[Any]"]

PRODUCT_BLOCKS = 12
"""The number of blocks of rows in which a product is computed."""

GROUP_ENTRIES = 16_000_000
"""Parts are multiplied together up to this number of entries."""

GROUP_ENTRIES_FOR_ROWS = 4_000_000
"""The same for selected rows, which are perhaps selected because memory is short."""


class PairCounts(NamedTuple):
    """The counts of pairs, rows × words (the upper half if all words are rows), and the totals of words and of all."""

    pairs: sp.csr_array[Any]
    first: Ints
    second: Ints
    total: int


def count_pairs(index: Index, window: Window, columns: WordColumns, by: CountUnit, rows: Ints | None) -> PairCounts:
    """Count pairs of words; ``rows`` are positions among the words that are counted, by default all."""
    if isinstance(window, DependencyWindow):
        return _count_arcs(index, window, columns, rows)
    counter = (_ContextCounter if by == "context" else _TokenCounter)(len(columns.counted))
    pairs = counter.pairs(iterate_places(index, window, columns))
    product: UpperHalfProduct | RowProduct = (
        RowProduct(rows) if rows is not None else UpperHalfProduct(index.vocabulary.counts[columns.counted])
    )
    for left, right in _group_pairs(pairs, GROUP_ENTRIES if rows is None else GROUP_ENTRIES_FOR_ROWS):
        product.add(left, right)
    total = counter.total if by == "context" else int(counter.totals.sum())
    return PairCounts(product.result(counter.diagonal), counter.totals, counter.totals, total)


class _ContextCounter:
    """Counts the contexts that two words share; a word does not co-occur with itself."""

    def __init__(self, size: int) -> None:
        self.totals: Ints = np.zeros(size, np.int64)
        self.diagonal: Ints = np.zeros(size, np.int64)
        self.total = 0

    def pairs(self, parts: Iterable[PlaceMatrices]) -> Iterator[MatrixPair]:
        """Yield X and X of each part."""
        for part in parts:
            contexts = part.contexts()
            self.totals += np.bincount(contexts.indices, minlength=len(self.totals))
            self.total += int(part.windows.sum())
            yield contexts, contexts


class _TokenCounter(_ContextCounter):
    """Counts the pairs of tokens, in both orders; two tokens of one word are a pair too."""

    def pairs(self, parts: Iterable[PlaceMatrices]) -> Iterator[MatrixPair]:
        """Yield P and AP of each part."""
        for part in parts:
            matrix = part.matrix.astype(np.int64)
            neighbour_counts = part.sum_neighbours().astype(np.int64)
            tokens = matrix.sum(axis=0)
            self.totals += matrix.T @ neighbour_counts.sum(axis=1) - tokens
            self.diagonal += matrix.multiply(neighbour_counts).sum(axis=0) - tokens
            yield matrix, neighbour_counts


def _count_arcs(index: Index, window: DependencyWindow, columns: WordColumns, rows: Ints | None) -> PairCounts:
    """Count the arcs from heads to dependents."""
    import scipy.sparse as sp

    size = len(columns.counted)
    pairs = sp.csr_array((size, size), dtype=np.int64)
    first: Ints = np.zeros(columns.size, np.int64)
    second: Ints = np.zeros(columns.size, np.int64)
    for part in iterate_arcs(index, window):
        pairs = pairs + part.pairs(columns)
        first += np.bincount(part.words[part.head], minlength=columns.size)
        second += np.bincount(part.words[part.dependent], minlength=columns.size)
    pairs = pairs if rows is None else pairs[rows]
    return PairCounts(pairs, first[columns.counted], second[columns.counted], int(first.sum()))


# -- products ------------------------------------------------------------------------------------------------------


def _group_pairs(pairs: Iterable[MatrixPair], size: int) -> Iterator[MatrixPair]:
    """Stack pairs of matrices up to about this number of entries."""
    group: list[MatrixPair] = []
    for pair in pairs:
        group.append(pair)
        if sum(right.nnz for _, right in group) > size:
            yield _stack_pairs(group)
            group = []
    if group:
        yield _stack_pairs(group)


def _stack_pairs(pairs: list[MatrixPair]) -> MatrixPair:
    """Stack the left matrices, and the right ones; they may be the same."""
    import scipy.sparse as sp

    left = sp.vstack([one for one, _ in pairs], format="csr")
    symmetric = all(one is other for one, other in pairs)
    return left, left if symmetric else sp.vstack([other for _, other in pairs], format="csr")


class _BlockSum:
    """A sum of matrices in blocks of rows, so that little is in memory twice while they are added."""

    def __init__(self, count: int, shape: tuple[int, int]) -> None:
        self._blocks: list[Any] = [None] * count
        self._shape = shape

    def _add_block(self, number: int, block: sp.csr_array[Any]) -> None:
        self._blocks[number] = block if self._blocks[number] is None else self._blocks[number] + block

    def _stack(self) -> sp.csr_array[Any]:
        """Stack all blocks, and release them."""
        import scipy.sparse as sp

        if not self._blocks or self._blocks[0] is None:
            return sp.csr_array(self._shape, dtype=np.int64)
        whole: sp.csr_array[Any] = sp.vstack(self._blocks, format="csr")
        self._blocks = []
        return whole


class UpperHalfProduct(_BlockSum):
    """The upper half of a sum of symmetric products LᵀR, in blocks of rows.

    Args:
        masses: The work of each row; blocks have equal work.

    >>> import scipy.sparse as sp
    >>> matrix = sp.csr_array(np.array([[1, 1, 0], [0, 1, 1], [1, 1, 0]]))
    >>> half = UpperHalfProduct(np.array([2, 3, 1]))
    >>> half.add(matrix, matrix)
    >>> half.result(np.array([0, 0, 7])).toarray().tolist()
    [[0, 2, 0], [0, 0, 1], [0, 0, 7]]
    """

    def __init__(self, masses: NDArray[np.int64]) -> None:
        total = np.cumsum(masses)
        shares = np.searchsorted(total, np.linspace(0, total[-1] if len(total) else 0, PRODUCT_BLOCKS + 1)[1:-1])
        self._bounds: list[int] = np.unique([0, *shares.tolist(), len(masses)]).tolist()
        super().__init__(len(self._bounds) - 1, (len(masses), len(masses)))

    def add(self, left: sp.csr_array[Any], right: sp.csr_array[Any]) -> None:
        """Add a product."""
        transposed = left.T.tocsr()
        for number, (start, stop) in enumerate(pairwise(self._bounds)):
            self._add_block(number, transposed[start:stop] @ right)
            right = right[:, stop - start :]

    def result(self, diagonal: Ints) -> sp.csr_array[Any]:
        """The upper half of the sum, with this diagonal."""
        if self._blocks and self._blocks[0] is not None:
            for number, start in enumerate(self._bounds[:-1]):
                self._blocks[number] = _upper_block(self._blocks[number], start, diagonal)
        return self._stack()


def _upper_block(block: sp.csr_array[Any], start: int, diagonal: Ints) -> sp.csr_array[Any]:
    """A block of rows and columns from ``start`` on, without the entries below the diagonal, as wide as the whole."""
    import scipy.sparse as sp

    rows = np.repeat(np.arange(block.shape[0], dtype=np.int32), np.diff(block.indptr))
    block.data[block.indices < rows] = 0
    on_diagonal = np.flatnonzero(block.indices == rows)
    block.data[on_diagonal] = diagonal[rows[on_diagonal] + start]
    block.eliminate_zeros()
    shape = (block.shape[0], block.shape[1] + start)
    return sp.csr_array((block.data.astype(np.int64), block.indices + np.int32(start), block.indptr), shape=shape)


class RowProduct(_BlockSum):
    """Selected rows of a sum of symmetric products LᵀR, in blocks.

    Args:
        rows: The rows.
    """

    def __init__(self, rows: Ints) -> None:
        self._rows = rows
        sizes = [len(part) for part in np.array_split(rows, PRODUCT_BLOCKS) if len(part)]
        self._bounds = np.cumsum([0, *sizes]).tolist()
        super().__init__(len(sizes), (len(rows), 0))

    def add(self, left: sp.csr_array[Any], right: sp.csr_array[Any]) -> None:
        """Add a product."""
        transposed = left[:, self._rows].T.tocsr()
        for number, (start, stop) in enumerate(pairwise(self._bounds)):
            self._add_block(number, transposed[start:stop] @ right)

    def result(self, diagonal: Ints) -> sp.csr_array[Any]:
        """The rows of the sum, with this diagonal."""
        self._shape = (len(self._rows), len(diagonal))
        whole = self._stack()
        rows = np.repeat(self._rows, np.diff(whole.indptr))
        on_diagonal = np.flatnonzero(rows == whole.indices)
        whole.data[on_diagonal] = diagonal[whole.indices[on_diagonal]]
        whole.eliminate_zeros()
        return whole.astype(np.int64)


# -- frequencies and usages ----------------------------------------------------------------------------------------


def count_rows_by_word(index: Index) -> dict[str, Ints]:
    """Count the sentences and documents that have each word."""
    size = len(index.vocabulary)
    counts: dict[str, Ints] = {name: np.zeros(size, np.int64) for name in ("sentence", "document")}
    for part in index.parts("tokens", ["document", "sentence", "word"]):
        words = part.numbers("word")
        for name, totals in counts.items():
            totals += count_rows_with_word(part.numbers(name), words, size)
    return counts


class UsageNeighbours(NamedTuple):
    """Sentence and position of each usage of a word, and usages × words: how often each co-occurs with it."""

    sentence: Ints
    position: Ints
    matrix: sp.csr_array[Any]


def count_neighbours(index: Index, window: Window, columns: WordColumns, words: Sequence[int]) -> list[UsageNeighbours]:
    """Count the neighbours of the usages of words, which are among those that are counted, in one pass."""
    neighbours: list[list[UsageNeighbours]] = [[] for _ in words]
    parts = (
        iterate_arcs(index, window) if isinstance(window, DependencyWindow) else iterate_places(index, window, columns)
    )
    for part in parts:
        for word, usages in zip(words, neighbours, strict=True):
            usages.append(UsageNeighbours(*part.usages(word, columns)))
    return [_concatenate_neighbours(usages) for usages in neighbours]


def _concatenate_neighbours(parts: list[UsageNeighbours]) -> UsageNeighbours:
    """The usages of all parts."""
    import scipy.sparse as sp

    sentence, position = (np.concatenate(column) for column in list(zip(*parts, strict=True))[:2])
    matrix = sp.vstack([part.matrix for part in parts], format="csr").astype(np.int64)
    return UsageNeighbours(sentence, position, matrix)

"""Counts as sums of sparse products over the parts of an index: what the embedded engine does itself.

With the matrices of :mod:`polyseme.corpus.part_matrices`, the contexts that two words share are XᵀX, and the pairs of tokens
PᵀAP less those of a token with itself. As no document goes on in another part, what is counted in each part only has to
be added up. Such a product is symmetric, so only half of it is computed, a block of rows at a time: that takes less
time than the whole XᵀX, and less memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.arrays import Ints
from polyseme.corpus.index import Index
from polyseme.corpus.part_matrices import PlaceMatrices, WordColumns, count_rows_with_word, iterate_arcs, iterate_places
from polyseme.corpus.windows import DependencyWindow, Window

if TYPE_CHECKING:
    import scipy.sparse as sp

CountUnit = Literal["context", "token"]
MatrixPair = tuple["sp.csr_array[Any]", "sp.csr_array[Any]"]

PRODUCT_BLOCKS = 12
"""How many blocks of rows a symmetric product is computed in."""

GROUP_ENTRIES = 16_000_000
"""Parts are multiplied together up to so many entries."""

GROUP_ENTRIES_FOR_ROWS = 4_000_000
"""The same where only some rows are wanted, perhaps because memory is short."""


class PairCounts(NamedTuple):
    """Pairs (rows × words counted; the upper half if all words are rows), the totals of each word, and of all."""

    pairs: sp.csr_array[Any]
    first: Ints
    second: Ints
    total: int


def count_pairs(index: Index, window: Window, numbers: WordColumns, by: CountUnit, rows: Ints | None) -> PairCounts:
    """Count; ``rows`` are places among the words that are counted, and ``None`` stands for all of them."""
    if isinstance(window, DependencyWindow):
        return _count_arcs(index, window, numbers, rows)
    counting = (_ContextCounter if by == "context" else _TokenCounter)(len(numbers.counted))
    pairs = counting.pairs(iterate_places(index, window, numbers))
    product: UpperHalfProduct | RowProduct = (
        RowProduct(rows) if rows is not None else UpperHalfProduct(index.vocabulary.counts[numbers.counted])
    )
    for left, right in _group_pairs(pairs, GROUP_ENTRIES if rows is None else GROUP_ENTRIES_FOR_ROWS):
        product.add(left, right)
    total = counting.total if by == "context" else int(counting.totals.sum())
    return PairCounts(product.found(counting.diagonal), counting.totals, counting.totals, total)


class _ContextCounter:
    """Counting the contexts that two words share; a word does not co-occur with itself."""

    def __init__(self, size: int) -> None:
        self.totals: Ints = np.zeros(size, np.int64)
        self.diagonal: Ints = np.zeros(size, np.int64)
        self.total = 0

    def pairs(self, parts: Iterable[PlaceMatrices]) -> Iterator[MatrixPair]:
        """X and X of each part."""
        for part in parts:
            contexts = part.contexts()
            self.totals += np.bincount(contexts.indices, minlength=len(self.totals))
            self.total += int(part.windows.sum())
            yield contexts, contexts


class _TokenCounter(_ContextCounter):
    """Counting the pairs of tokens, in both orders; two tokens of one word are a pair too."""

    def pairs(self, parts: Iterable[PlaceMatrices]) -> Iterator[MatrixPair]:
        """P and AP of each part."""
        for part in parts:
            matrix = part.matrix.astype(np.int64)
            near = part.around().astype(np.int64)
            tokens = matrix.sum(axis=0)
            self.totals += matrix.T @ near.sum(axis=1) - tokens
            self.diagonal += matrix.multiply(near).sum(axis=0) - tokens
            yield matrix, near


def _count_arcs(index: Index, window: DependencyWindow, numbers: WordColumns, rows: Ints | None) -> PairCounts:
    """Arcs from heads to dependents."""
    import scipy.sparse as sp

    size = len(numbers.counted)
    pairs = sp.csr_array((size, size), dtype=np.int64)
    first: Ints = np.zeros(numbers.size, np.int64)
    second: Ints = np.zeros(numbers.size, np.int64)
    for part in iterate_arcs(index, window):
        pairs = pairs + part.pairs(numbers)
        first += np.bincount(part.words[part.head], minlength=numbers.size)
        second += np.bincount(part.words[part.dependent], minlength=numbers.size)
    pairs = pairs if rows is None else pairs[rows]
    return PairCounts(pairs, first[numbers.counted], second[numbers.counted], int(first.sum()))


# -- products ------------------------------------------------------------------------------------------------------


def _group_pairs(pairs: Iterable[MatrixPair], size: int) -> Iterator[MatrixPair]:
    """Pairs of matrices, stacked up to about so many entries."""
    waiting: list[MatrixPair] = []
    for pair in pairs:
        waiting.append(pair)
        if sum(right.nnz for _, right in waiting) > size:
            yield _stack_pairs(waiting)
            waiting = []
    if waiting:
        yield _stack_pairs(waiting)


def _stack_pairs(pairs: list[MatrixPair]) -> MatrixPair:
    """Matrices one below the other: each left and right one; they may be the same."""
    import scipy.sparse as sp

    left = sp.vstack([each for each, _ in pairs], format="csr")
    same = all(one is other for one, other in pairs)
    return left, left if same else sp.vstack([each for _, each in pairs], format="csr")


class UpperHalfProduct:
    """The upper half of a sum of symmetric products LᵀR, in blocks of rows.

    >>> import scipy.sparse as sp
    >>> matrix = sp.csr_array(np.array([[1, 1, 0], [0, 1, 1], [1, 1, 0]]))
    >>> half = UpperHalfProduct(np.array([2, 3, 1]))
    >>> half.add(matrix, matrix)
    >>> half.found(np.array([0, 0, 7])).toarray().tolist()
    [[0, 2, 0], [0, 0, 1], [0, 0, 7]]
    """

    def __init__(self, masses: NDArray[np.int64]) -> None:
        """``masses`` say how much work each row is; blocks are of equal work."""
        spent = np.cumsum(masses)
        shares = np.searchsorted(spent, np.linspace(0, spent[-1] if len(spent) else 0, PRODUCT_BLOCKS + 1)[1:-1])
        self.bounds: list[int] = np.unique([0, *shares.tolist(), len(masses)]).tolist()
        self.blocks: list[Any] = [None] * (len(self.bounds) - 1)

    def add(self, left: sp.csr_array[Any], right: sp.csr_array[Any]) -> None:
        """Add a product."""
        turned = left.T.tocsr()
        for number, (start, stop) in enumerate(pairwise(self.bounds)):
            new = turned[start:stop] @ right
            self.blocks[number] = new if self.blocks[number] is None else self.blocks[number] + new
            right = right[:, stop - start :]

    def found(self, diagonal: Ints) -> sp.csr_array[Any]:
        """The upper half of the sum, with this diagonal."""
        import scipy.sparse as sp

        size = self.bounds[-1]
        if not self.blocks or self.blocks[0] is None:
            return sp.csr_array((size, size), dtype=np.int64)
        for number, start in enumerate(self.bounds[:-1]):
            self.blocks[number] = _upper_block(self.blocks[number], start, diagonal)
        whole: sp.csr_array[Any] = sp.vstack(self.blocks, format="csr")
        self.blocks = []
        return whole


def _upper_block(block: sp.csr_array[Any], start: int, diagonal: Ints) -> sp.csr_array[Any]:
    """A block of rows and columns from ``start`` on, without what lies below the diagonal, as wide as the whole."""
    import scipy.sparse as sp

    rows = np.repeat(np.arange(block.shape[0], dtype=np.int32), np.diff(block.indptr))
    block.data[block.indices < rows] = 0
    on = np.flatnonzero(block.indices == rows)
    block.data[on] = diagonal[rows[on] + start]
    block.eliminate_zeros()
    shape = (block.shape[0], block.shape[1] + start)
    return sp.csr_array((block.data.astype(np.int64), block.indices + np.int32(start), block.indptr), shape=shape)


class RowProduct:
    """Some rows of a sum of symmetric products LᵀR, in blocks, so that little is there twice while it is added up."""

    def __init__(self, rows: Ints) -> None:
        self.rows = rows
        self.parts = [part for part in np.array_split(rows, PRODUCT_BLOCKS) if len(part)]
        self.blocks: list[Any] = [None] * len(self.parts)

    def add(self, left: sp.csr_array[Any], right: sp.csr_array[Any]) -> None:
        """Add a product."""
        turned = left[:, self.rows].T.tocsr()
        start = 0
        for number, part in enumerate(self.parts):
            new = turned[start : start + len(part)] @ right
            self.blocks[number] = new if self.blocks[number] is None else self.blocks[number] + new
            start += len(part)

    def found(self, diagonal: Ints) -> sp.csr_array[Any]:
        """The rows of the sum, with this diagonal."""
        import scipy.sparse as sp

        if not self.blocks or self.blocks[0] is None:
            return sp.csr_array((len(self.rows), len(diagonal)), dtype=np.int64)
        whole: sp.csr_array[Any] = sp.vstack(self.blocks, format="csr")
        self.blocks = []
        rows = np.repeat(self.rows, np.diff(whole.indptr))
        on = np.flatnonzero(rows == whole.indices)
        whole.data[on] = diagonal[whole.indices[on]]
        whole.eliminate_zeros()
        return whole.astype(np.int64)


# -- frequencies and usages ----------------------------------------------------------------------------------------


def count_rows_by_word(index: Index) -> dict[str, Ints]:
    """How many sentences and documents have each word."""
    size = len(index.vocabulary)
    found: dict[str, Ints] = {name: np.zeros(size, np.int64) for name in ("sentence", "document")}
    for part in index.parts("tokens", ["document", "sentence", "word"]):
        word = part.column("word").to_numpy()
        for name, counts in found.items():
            counts += count_rows_with_word(part.column(name).to_numpy(), word, size)
    return found


class UsageNeighbours(NamedTuple):
    """Sentence and position of each usage of a word, and usages × words: how often each co-occurs with it."""

    sentence: Ints
    position: Ints
    matrix: sp.csr_array[Any]


def count_neighbours(index: Index, window: Window, numbers: WordColumns, words: Sequence[int]) -> list[UsageNeighbours]:
    """The usages of words, which are among those that are counted, in one pass."""
    found: list[list[UsageNeighbours]] = [[] for _ in words]
    if isinstance(window, DependencyWindow):
        for arcs_of_part in iterate_arcs(index, window):
            for word, usages in zip(words, found, strict=True):
                usages.append(UsageNeighbours(*arcs_of_part.usages(word, numbers)))
    else:
        for part in iterate_places(index, window, numbers):
            for word, usages in zip(words, found, strict=True):
                usages.append(UsageNeighbours(*part.usages(word)))
    return [_concatenate_neighbours(usages) for usages in found]


def _concatenate_neighbours(found: list[UsageNeighbours]) -> UsageNeighbours:
    """The usages of all parts."""
    import scipy.sparse as sp

    sentence = np.concatenate([each.sentence for each in found])
    matrix = sp.vstack([each.matrix for each in found], format="csr").astype(np.int64)
    return UsageNeighbours(sentence, np.concatenate([each.position for each in found]), matrix)

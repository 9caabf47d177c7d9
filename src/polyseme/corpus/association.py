"""Association: how much more often two words co-occur than they would by chance.

Two words a and b co-occur k = c(a, b) times; each has its own count, c(a) and c(b), and N is the count of all. These
counts make a 2×2 table::

             b             not b
    a        k             c(a) − k
    not a    c(b) − k      N − c(a) − c(b) + k

An association is a matrix like that of the counts, with a value for each counted pair. Pairs that never co-occur have
no entry, whatever their value would be: minus infinity for PMI, a small number for G².
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from polyseme.arrays import Floats, Ints
from polyseme.corpus.counts import CooccurrenceCounts, mirror_upper

if TYPE_CHECKING:
    import scipy.sparse as sp

IntegerArray = NDArray[np.integer[Any]]

CHUNK_PAIRS = 1 << 18
"""The number of pairs that are computed at a time: their data should stay in the cache of the processor."""


class Association(Protocol):
    """Measures how strongly two words are associated."""

    @property
    def symmetric(self) -> bool:
        """Whether the association of a with b is that of b with a."""
        ...

    def compute(self, joint: Floats, first: Floats, second: Floats, total: float) -> Floats:
        """The value of each pair from c(a, b), c(a), c(b) and N."""
        ...


def association_matrix(
    association: Association, counts: CooccurrenceCounts, minimum: float | None = None
) -> sp.csr_array[Any]:
    """Compute the association of each counted pair; with a ``minimum``, of those that reach it.

    >>> import scipy.sparse as sp
    >>> from polyseme.corpus.vocabulary import Vocabulary
    >>> words, totals = Vocabulary(["bank.n", "lend.v"], [4, 2]), np.array([4, 2])
    >>> counts = CooccurrenceCounts(sp.csr_array([[0, 2], [0, 0]]), words, words, totals, totals, 8, symmetric=True)
    >>> association_matrix(Dice(), counts).toarray().tolist()
    [[0.0, 0.6666666666666666], [0.6666666666666666, 0.0]]
    """
    import scipy.sparse as sp

    whole = counts.symmetric and not association.symmetric
    matrix = counts.matrix if whole else counts.pairs
    rows, columns, values = zip(*_iterate_values(association, counts, matrix, minimum), strict=True)
    entries = np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))
    result = sp.csr_array(entries, shape=matrix.shape)
    return mirror_upper(result) if counts.symmetric and association.symmetric else result


def _iterate_values(
    association: Association, counts: CooccurrenceCounts, matrix: sp.csr_array[Any], minimum: float | None
) -> Iterator[tuple[IntegerArray, IntegerArray, Floats]]:
    """Yield row, column and value of the entries, chunk by chunk."""
    for start in range(0, max(matrix.nnz, 1), CHUNK_PAIRS):
        part = slice(start, start + CHUNK_PAIRS)
        column = matrix.indices[part]
        row = _entry_rows(matrix.indptr, start, len(column))
        first, second = counts.row_totals[row].astype(float), counts.column_totals[column].astype(float)
        if association.symmetric:  # to the last bit
            first, second = np.minimum(first, second), np.maximum(first, second)
        value = association.compute(matrix.data[part].astype(float), first, second, float(counts.total))
        if minimum is not None:
            is_strong = value >= minimum
            row, column, value = row[is_strong], column[is_strong], value[is_strong]
        yield row, column, value


def _entry_rows(ends: IntegerArray, start: int, size: int) -> IntegerArray:
    """The rows of consecutive entries of a sparse matrix, from the ends of its rows."""
    first = int(np.searchsorted(ends, start, "right")) - 1
    last = int(np.searchsorted(ends, start + size, "left"))
    bounds: Ints = np.clip(ends[first : last + 1].astype(np.intp), start, start + size)
    return np.repeat(np.arange(first, last, dtype=np.int32), np.diff(bounds))


class _AssociationMeasure:
    """A part that measures association."""

    kind: ClassVar[str] = "association"
    symmetric: ClassVar[bool] = True


@dataclass(frozen=True)
class Dice(_AssociationMeasure):
    """The Dice coefficient, 2 c(a, b) / (c(a) + c(b)), between 0 and 1. (Dice 1945; Jurgens 2012, §2)

    >>> Dice().compute(np.array([2.0]), np.array([4.0]), np.array([2.0]), 8.0).round(4).tolist()
    [0.6667]
    """

    def compute(self, joint: Floats, first: Floats, second: Floats, total: float) -> Floats:
        """The value of each pair."""
        return 2 * joint / (first + second)


@dataclass(frozen=True)
class G2(_AssociationMeasure):
    """The log-likelihood ratio of independence, 2 Σ O ln(O / E) over the four cells. (Dunning 1993)

    O is the count of a cell, E the expected count of independent words: the product of the row and column sums over N.
    It is 0 for independent words and grows with the evidence; above 10.83, p < .001 by the χ² distribution.

    Args:
        signed: Whether it is negative for words that co-occur less than expected; otherwise it is positive for them,
            too, as Dunning's is.

    >>> G2().compute(np.array([2.0]), np.array([4.0]), np.array([2.0]), 8.0).round(4).tolist()
    [3.4522]
    """

    signed: bool = False

    def compute(self, joint: Floats, first: Floats, second: Floats, total: float) -> Floats:
        """The value of each pair."""
        from scipy.special import xlog1py

        excess = joint - first * (second / total)  # O − E, which has the same size in all cells
        value: Any = xlog1py(joint, excess / (first * (second / total)))
        value += xlog1py(first - joint, -excess / _expected(first, total - second, total))
        value += xlog1py(second - joint, -excess / _expected(total - first, second, total))
        value += xlog1py(total - first - second + joint, excess / _expected(total - first, total - second, total))
        ratio: Floats = np.maximum(2 * value, 0.0)
        return np.copysign(ratio, excess) if self.signed else ratio


def _expected(row: Floats, column: Floats, total: float) -> Floats:
    """The expected count of a cell, or 1 if it is 0 and so does not matter."""
    expected = row * (column / total)
    expected[expected == 0] = 1.0
    return expected


@dataclass(frozen=True)
class PMI(_AssociationMeasure):
    """Pointwise mutual information, log2(c(a, b) N / (c(a) c(b))): 0 for independent words. (Church & Hanks 1990)

    Args:
        positive: Whether values below 0 become 0. (Bullinaria & Levy 2007)

    >>> PMI().compute(np.array([2.0]), np.array([4.0]), np.array([2.0]), 8.0).tolist()
    [1.0]
    """

    positive: bool = False

    def compute(self, joint: Floats, first: Floats, second: Floats, total: float) -> Floats:
        """The value of each pair."""
        value = np.log2((joint / first) * (total / second))
        return np.maximum(value, 0.0) if self.positive else value


@dataclass(frozen=True)
class NPMI(_AssociationMeasure):
    """PMI divided by −log2(c(a, b) / N): 1 for words that only occur together, 0 for independent ones. (Bouma 2009)

    Words that occur in every context get 1.

    >>> NPMI().compute(np.array([2.0]), np.array([4.0]), np.array([2.0]), 8.0).tolist()
    [0.5]
    """

    def compute(self, joint: Floats, first: Floats, second: Floats, total: float) -> Floats:
        """The value of each pair."""
        surprise = -np.log2(joint / total)
        pmi = PMI().compute(joint, first, second, total)
        value = np.divide(pmi, surprise, out=np.ones_like(joint), where=surprise > 0)
        return np.minimum(value, 1.0)  # rounding can exceed it


@dataclass(frozen=True)
class ConditionalProbability(_AssociationMeasure):
    """P(column | row) = c(a, b) / c(a), as in Korkontzelos & Manandhar (2010).

    >>> ConditionalProbability().compute(np.array([2.0]), np.array([4.0]), np.array([2.0]), 8.0).tolist()
    [0.5]
    """

    symmetric: ClassVar[bool] = False

    def compute(self, joint: Floats, first: Floats, second: Floats, total: float) -> Floats:
        """The value of each pair."""
        return joint / first

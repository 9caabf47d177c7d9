"""A figure for each pair of annotators, and the means that follow from it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np

from polyseme.agreement.bootstrap import Estimate
from polyseme.arrays import Floats, Ints


class AnnotatorPair(NamedTuple):
    """The figure of two annotators.

    Args:
        first: The first annotator.
        second: The second annotator.
        value: The figure; NaN if it is undefined.
        p: Its p-value; NaN if it is undefined.
        items: The number of items that both judged.
        reason: Why the figure or the p-value is undefined.
    """

    first: str
    second: str
    value: float
    p: float
    items: int
    reason: str


@dataclass(frozen=True, eq=False)
class AnnotatorPairs:
    """A figure for each pair of annotators, as a symmetric matrix.

    Args:
        annotators: The names of the annotators.
        value: The figures; NaN where undefined, as on the diagonal.
        items: How many items both annotators judged.
        why: Explains an undefined pair, given the numbers of its annotators.
        test: Computes p-values from figures and numbers of items; none if there is no test.
    """

    annotators: tuple[str, ...]
    value: Floats
    items: Ints
    why: Callable[[int, int], str]
    test: Callable[[Floats, Ints], Floats] | None = None

    @cached_property
    def p(self) -> Floats:
        """The p-values of all pairs; NaN if there is no test."""
        return self.test(self.value, self.items) if self.test else np.full(self.value.shape, math.nan)

    def __iter__(self) -> Iterator[AnnotatorPair]:
        """Iterate over the pairs, each once."""
        return (self._pair(*numbers) for numbers in combinations(range(len(self.annotators)), 2))

    def __len__(self) -> int:
        return math.comb(len(self.annotators), 2)

    def pair(self, first: str, second: str) -> AnnotatorPair:
        """Return the pair of two annotators by name."""
        return self._pair(self.annotators.index(first), self.annotators.index(second))

    def _pair(self, first: int, second: int) -> AnnotatorPair:
        value, p, items = (matrix[first, second].item() for matrix in (self.value, self.p, self.items))
        return AnnotatorPair(self.annotators[first], self.annotators[second], value, p, items, self.why(first, second))

    @property
    def defined(self) -> int:
        """The number of pairs that have a figure."""
        return int(self._row_sums[1].sum()) // 2

    @cached_property
    def mean(self) -> Estimate:
        """The mean of the pairs that have a figure."""
        if len(self.annotators) < 2:
            return Estimate.undefined("there are no two annotators to compare")
        if not self.defined:
            reason = next(iter(self)).reason
            return Estimate.undefined(f"no two annotators can be compared, as {reason}" if len(self) > 1 else reason)
        return Estimate(float(self._row_sums[0].sum() / self._row_sums[1].sum()))

    def annotator_means(self) -> Floats:
        """Return the mean of each annotator's pairs; NaN if none has a figure."""
        return divide_or_nan(*self._row_sums)

    def means_without_annotators(self) -> Floats:
        """Return the mean of all pairs without each annotator in turn."""
        value, pairs = self._row_sums
        return divide_or_nan(value.sum() - 2 * value, pairs.sum() - 2 * pairs)

    @cached_property
    def _row_sums(self) -> tuple[Floats, Floats]:
        """The sum over each annotator's defined pairs, and their number."""
        defined = ~np.isnan(self.value)
        return np.where(defined, self.value, 0.0).sum(axis=1), defined.sum(axis=1).astype(float)


def divide_or_nan(numerator: Floats, denominator: Floats) -> Floats:
    """Divide; NaN where the denominator is not positive."""
    return np.where(denominator > 0, numerator / np.where(denominator > 0, denominator, 1), np.nan)

"""A figure for each pair of annotators, and what follows for all of them and for each."""

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
    """Two annotators, their figure, its p-value, on how many items in common, and why something is undefined."""

    first: str
    second: str
    value: float
    p: float
    items: int
    reason: str


@dataclass(frozen=True, eq=False)
class AnnotatorPairs:
    """A figure for each pair of annotators, as a matrix; not a number where it is undefined, as on the diagonal.

    ``items`` says how many both judged, ``why`` explains an undefined pair, given by its numbers; ``p`` are p-values,
    where there is a test.
    """

    annotators: tuple[str, ...]
    value: Floats
    items: Ints
    why: Callable[[int, int], str]
    test: Callable[[Floats, Ints], Floats] | None = None

    @cached_property
    def p(self) -> Floats:
        """The p-values of all pairs; not numbers if there is no test."""
        return self.test(self.value, self.items) if self.test else np.full(self.value.shape, math.nan)

    def __iter__(self) -> Iterator[AnnotatorPair]:
        """Each pair once."""
        return (self._pair(*places) for places in combinations(range(len(self.annotators)), 2))

    def __len__(self) -> int:
        return math.comb(len(self.annotators), 2)

    def pair(self, first: str, second: str) -> AnnotatorPair:
        """Two annotators by name."""
        return self._pair(self.annotators.index(first), self.annotators.index(second))

    def _pair(self, first: int, second: int) -> AnnotatorPair:
        value, p, items = (each[first, second].item() for each in (self.value, self.p, self.items))
        return AnnotatorPair(self.annotators[first], self.annotators[second], value, p, items, self.why(first, second))

    @property
    def defined(self) -> int:
        """For how many pairs there is a figure."""
        return int(self._theirs[1].sum()) // 2

    @cached_property
    def mean(self) -> Estimate:
        """The mean of the pairs that have a figure."""
        if len(self.annotators) < 2:
            return Estimate.undefined("there are no two annotators to compare")
        if not self.defined:
            reason = next(iter(self)).reason
            return Estimate.undefined(f"no two annotators can be compared, as {reason}" if len(self) > 1 else reason)
        return Estimate(float(self._theirs[0].sum() / self._theirs[1].sum()))

    def of_each(self) -> Floats:
        """For each annotator the mean of their pairs; not a number if none of these has a figure."""
        return divide_or_nan(*self._theirs)

    def without_each(self) -> Floats:
        """The mean of the pairs without each annotator in turn."""
        value, pairs = self._theirs
        return divide_or_nan(value.sum() - 2 * value, pairs.sum() - 2 * pairs)

    @cached_property
    def _theirs(self) -> tuple[Floats, Floats]:
        """For each annotator the sum over their pairs, and how many these are."""
        there = ~np.isnan(self.value)
        return np.where(there, self.value, 0.0).sum(axis=1), there.sum(axis=1).astype(float)


def divide_or_nan(above: Floats, below: Floats) -> Floats:
    """The quotients; not a number where there is nothing to divide by."""
    return np.where(below > 0, above / np.where(below > 0, below, 1), np.nan)

"""Estimates with bootstrap intervals, for which whole usages are resampled."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.errors import InputError
from polyseme.rating import Item

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MAX_RESAMPLE_CELLS = 1 << 22
"""How many numbers of resamples are in memory at a time."""


class Estimate(NamedTuple):
    """A figure with the bounds of its confidence interval.

    Args:
        value: The figure; NaN if it is undefined.
        low: The lower bound of the interval; NaN if there is none.
        high: The upper bound of the interval; NaN if there is none.
        reason: Why the figure or its interval is undefined.
    """

    value: float
    low: float = math.nan
    high: float = math.nan
    reason: str = ""

    @classmethod
    def undefined(cls, reason: str) -> Estimate:
        """Return an undefined estimate with the reason."""
        return cls(math.nan, reason=reason)

    @property
    def defined(self) -> bool:
        """Whether the figure is a number."""
        return not math.isnan(self.value)


class Bootstrap(NamedTuple):
    """How confidence intervals are computed.

    The bootstrap resamples *usages* with all their judgements, not single judgements. The senses of a usage are rated
    together, so their ratings depend on one another.

    Args:
        resamples: The number of resamples; 0 computes no intervals.
        seed: The random seed.
        confidence: The confidence level of the intervals.
    """

    resamples: int = 1000
    seed: int = 0
    confidence: float = 0.95

    def check(self) -> None:
        """Raise an error if a value is out of range."""
        if self.resamples < 0:
            raise InputError(f"resamples is {self.resamples}; it must be 0, for no intervals, or more")
        if not 0 < self.confidence < 1:
            raise InputError(f"confidence is {self.confidence:g}; it must lie between 0 and 1")

    def intervals(
        self, rows: Floats | csr_array, items: Sequence[Item], figures: Mapping[str, Callable[[Floats], Floats]]
    ) -> dict[str, tuple[float, float, str]]:
        """Compute percentile intervals of figures, from the resamples in which they are defined.

        Args:
            rows: A matrix of items × columns.
            items: The items.
            figures: Functions that compute a figure from the sums of the rows in each resample.

        Returns:
            The lower and the upper bound of each figure, and why there are none.
        """
        if not self.resamples:
            return dict.fromkeys(figures, (math.nan, math.nan, "no interval was requested"))
        usages = number_item_usages(items)
        if usages.size < (2 if usages.second is None else 4):
            return dict.fromkeys(figures, (math.nan, math.nan, "too few usages for an interval"))
        values: dict[str, list[Floats]] = {name: [] for name in figures}
        for sums in resample_sums(rows, usages, self):
            for name, compute in figures.items():
                values[name].append(compute(sums))
        return {name: (*self._percentiles(np.concatenate(parts)), "") for name, parts in values.items()}

    def _percentiles(self, values: Floats) -> tuple[float, float]:
        defined = values[~np.isnan(values)]
        tail = (1 - self.confidence) / 2
        low, high = np.quantile(defined, [tail, 1 - tail]).tolist() if len(defined) else (math.nan, math.nan)
        return low, high


class ItemUsages(NamedTuple):
    """The usages that items are about, by number.

    Args:
        first: The usage of each item.
        second: The second usage of each item, for tasks that compare two usages.
        size: The number of different usages.
    """

    first: Ints
    second: Ints | None
    size: int


def number_item_usages(items: Sequence[Item]) -> ItemUsages:
    """Number the usages of items; usages of different lemmas are different.

    >>> number_item_usages([Item("WSsim", "win.v", "u", "a"), Item("WSsim", "win.v", "u", "b")]).first.tolist()
    [0, 0]
    """
    numbers: defaultdict[tuple[str, str], int] = defaultdict(itertools.count().__next__)

    def number(key: Callable[[Item], tuple[str, str]]) -> Ints:
        # Without a loop in Python, because there are many items.
        return np.fromiter(map(numbers.__getitem__, map(key, items)), np.intp, len(items))

    first = number(attrgetter("lemma", "usage"))
    second = number(attrgetter("lemma", "target")) if items and items[0].task == "Usim" else None
    return ItemUsages(first, second, len(numbers))


def resample_sums(rows: Floats | csr_array, usages: ItemUsages, bootstrap: Bootstrap) -> Iterator[Floats]:
    """Draw usages with replacement and sum the rows of their items.

    An item counts as often as its usage was drawn. A pair of usages counts as often as both were drawn together: the
    product of the two counts (Owen 2007). The intervals are then rather too wide than too narrow.

    Args:
        rows: A matrix of items × columns.
        usages: The usages of the items.
        bootstrap: The number of resamples and the random seed.

    Yields:
        Batches of resamples × columns.
    """
    from scipy.sparse import csr_array

    rng = np.random.default_rng(bootstrap.seed)
    if usages.second is None:
        positions = (usages.first, np.arange(len(usages.first)))
        summing = csr_array((np.ones(len(usages.first)), positions), shape=(usages.size, len(usages.first)))
        rows = cast("Floats | csr_array", summing @ rows)
    step = max(1, MAX_RESAMPLE_CELLS // max(usages.size, *rows.shape))
    for start in range(0, bootstrap.resamples, step):
        counts = _draw_counts(rng, usages.size, min(step, bootstrap.resamples - start))
        item_counts = counts if usages.second is None else counts[:, usages.first] * counts[:, usages.second]
        yield np.asarray(item_counts @ rows)


def _draw_counts(rng: np.random.Generator, size: int, resamples: int) -> Floats:
    """Return resamples × usages: how often each usage is drawn when ``size`` usages are drawn."""
    draws = rng.integers(0, size, (resamples, size), np.int32)
    draws += size * np.arange(resamples, dtype=np.int32)[:, None]  # at most MAX_RESAMPLE_CELLS
    return np.bincount(draws.ravel(), minlength=resamples * size).reshape(resamples, size).astype(float)

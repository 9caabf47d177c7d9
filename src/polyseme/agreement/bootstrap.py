"""A figure says why it is not there, and how sure it is: resamples of usages give its interval."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.errors import InputError
from polyseme.rating import Item

if TYPE_CHECKING:
    from scipy.sparse import csr_array

PAIR_TASKS = frozenset({"Usim"})
"""The tasks whose targets are usages, too."""
MAX_RESAMPLE_CELLS = 1 << 22
"""How many numbers of resamples are held at a time."""


class Estimate(NamedTuple):
    """A number with the bounds of its interval; where one of them is not a number, the reason says why."""

    value: float
    low: float = math.nan
    high: float = math.nan
    reason: str = ""

    @classmethod
    def undefined(cls, reason: str) -> Estimate:
        """No number, and why."""
        return cls(math.nan, reason=reason)

    @property
    def defined(self) -> bool:
        """Whether there is a number."""
        return not math.isnan(self.value)


class Bootstrap(NamedTuple):
    """How intervals are made: how many resamples, from which random numbers, and how sure the intervals are.

    *Usages* are drawn again, with all that was said of each, not single judgements: the senses of a usage are rated
    together, so that their ratings depend on one another. With no resamples there are no intervals.
    """

    resamples: int = 1000
    seed: int = 0
    confidence: float = 0.95

    def check(self) -> None:
        """An error if there are no such resamples or intervals."""
        if self.resamples < 0:
            raise InputError(f"resamples is {self.resamples}; allowed is 0, for no intervals, or more")
        if not 0 < self.confidence < 1:
            raise InputError(f"confidence is {self.confidence:g}; allowed is what lies between 0 and 1")

    def interval(self, values: Floats) -> tuple[float, float]:
        """The percentiles of the resamples whose value is defined."""
        there = values[~np.isnan(values)]
        if not len(there):
            return math.nan, math.nan
        outside = (1 - self.confidence) / 2
        low, high = np.quantile(there, [outside, 1 - outside]).tolist()
        return low, high


class ItemUsages(NamedTuple):
    """The usage of each item by its number; of pairs of usages also the second."""

    first: Ints
    second: Ints | None
    size: int


def number_item_usages(items: Sequence[Item]) -> ItemUsages:
    """The usages that items are about; a name belongs to a lemma.

    >>> number_item_usages([Item("WSsim", "win.v", "u", "a"), Item("WSsim", "win.v", "u", "b")]).first.tolist()
    [0, 0]
    """
    number: defaultdict[tuple[str, str], int] = defaultdict(itertools.count().__next__)
    first = _number_keys(number, attrgetter("lemma", "usage"), items)
    second = (
        _number_keys(number, attrgetter("lemma", "target"), items) if items and items[0].task in PAIR_TASKS else None
    )
    return ItemUsages(first, second, len(number))


def _number_keys(
    number: dict[tuple[str, str], int], key: Callable[[Item], tuple[str, str]], items: Sequence[Item]
) -> Ints:
    """The number of each item's key, which gets one if it has none; without a loop in Python, as there are many."""
    return np.fromiter(map(number.__getitem__, map(key, items)), np.intp, len(items))


def resample_sums(rows: Floats | csr_array, usages: ItemUsages, how: Bootstrap) -> Iterator[Floats]:
    """Sums of the items' rows when usages are drawn with replacement, some resamples × columns at a time.

    An item counts as often as its usage was drawn. A pair of usages counts as often as both were drawn together, the
    product of how often each was (Owen 2007): that gives intervals that are rather too wide than too narrow.
    """
    from scipy.sparse import csr_array

    rng = np.random.default_rng(how.seed)
    if usages.second is None:
        place = (usages.first, np.arange(len(usages.first)))
        summing = csr_array((np.ones(len(usages.first)), place), shape=(usages.size, len(usages.first)))
        rows = cast("Floats | csr_array", summing @ rows)
    step = max(1, MAX_RESAMPLE_CELLS // max(usages.size, *rows.shape))
    for start in range(0, how.resamples, step):
        size = min(step, how.resamples - start)
        drawn = _draw_counts(rng, usages.size, size)
        times = drawn if usages.second is None else drawn[:, usages.first] * drawn[:, usages.second]
        yield np.asarray(times @ rows)


def _draw_counts(rng: np.random.Generator, count: int, resamples: int) -> Floats:
    """Resamples × so many: how often each of them is drawn when as many are drawn as there are."""
    drawn = rng.integers(0, count, (resamples, count), np.int32)
    drawn += count * np.arange(resamples, dtype=np.int32)[:, None]  # up to ROOM, as that is how many there are
    return np.bincount(drawn.ravel(), minlength=resamples * count).reshape(resamples, count).astype(float)

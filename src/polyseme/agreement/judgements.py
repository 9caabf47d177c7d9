"""Ratings as columns of numbers, the input of all analyses."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress, count
from typing import NamedTuple

import numpy as np

from polyseme.arrays import Bools, Floats, Ints, count_at, positions_by_value
from polyseme.errors import InputError
from polyseme.rating import Item, Ratings

RATING_TOLERANCE = 1e-9
"""The rounding error of means of ratings: 10/3 + 5/3 is not exactly 5 in floating point."""


class ExcludedJudgements(NamedTuple):
    """How many judgements are excluded from the comparison, by cause.

    Args:
        undecided: The annotator could not decide.
        repeats: Hidden repeats, control items and training.
        changed: The same annotator judged the item again later; the last judgement counts.
    """

    undecided: int = 0
    repeats: int = 0
    changed: int = 0


@dataclass(frozen=True, eq=False)
class Judgements:
    """The judgements of one task, at most one for each item and annotator.

    ``item``, ``annotator`` and ``value`` are columns of the same length, sorted by item and then by annotator. Hidden
    repeats, control items and training are excluded.

    Args:
        items: All items, also those that no annotator could decide.
        annotators: The names of the annotators.
        item: The number of the item of each judgement.
        annotator: The number of the annotator of each judgement.
        value: The value of each judgement.
        left_out: How many judgements are excluded.

    >>> from polyseme.rating import UNDECIDED, Rating
    >>> rows = [("ann", "a", 5), ("bob", "a", 4), ("ann", "b", UNDECIDED), ("bob", "b", 2)]
    >>> ratings = Ratings(Rating(who, "WSsim", "win.v", "u", sense, value) for who, sense, value in rows)
    >>> judgements = collect_judgements(ratings)
    >>> judgements.item.tolist(), judgements.annotator.tolist(), judgements.value.tolist()
    ([0, 0, 1], [0, 1, 1], [5.0, 4.0, 2.0])
    >>> judgements.left_out.undecided
    1
    """

    items: tuple[Item, ...]
    annotators: tuple[str, ...]
    item: Ints
    annotator: Ints
    value: Floats
    left_out: ExcludedJudgements = ExcludedJudgements()

    def __len__(self) -> int:
        return len(self.value)

    @cached_property
    def levels(self) -> Floats:
        """The values that occur, in ascending order."""
        return np.unique(self.value)

    @cached_property
    def level(self) -> Ints:
        """The number of each judgement's value among the levels."""
        return np.searchsorted(self.levels, self.value).astype(np.intp)

    @cached_property
    def judged(self) -> Ints:
        """How many annotators judged each item."""
        return count_at(self.item, len(self.items))

    @cached_property
    def means(self) -> Floats:
        """The mean value of each item; NaN for an item that no annotator decided."""
        with np.errstate(invalid="ignore"):
            return np.bincount(self.item, self.value, len(self.items)) / self.judged

    def matrix(self) -> Floats:
        """Return items × annotators; NaN where an annotator did not judge or could not decide."""
        matrix = np.full((len(self.items), len(self.annotators)), math.nan)
        matrix[self.item, self.annotator] = self.value
        return matrix

    def select_rows(self, rows: Ints | Bools) -> Judgements:
        """Select judgements; items and annotators keep their numbers. The excluded judgements are not counted."""
        columns = {name: getattr(self, name)[rows] for name in ("item", "annotator", "value")}
        return replace(self, **columns, left_out=ExcludedJudgements())

    def of_items(self, mask: Bools) -> Judgements:
        """Select items; annotators keep their numbers, even those without a judgement left."""
        return self._select(np.flatnonzero(mask), np.flatnonzero(mask[self.item]))

    def _select(self, items: Ints, rows: Ints) -> Judgements:
        """Select items together with their rows, which must be all rows of these items."""
        part = self.select_rows(rows)
        names = tuple(self.items[number] for number in items.tolist())
        return replace(part, items=names, item=np.searchsorted(items, part.item).astype(np.intp))

    def by_annotators(self, mask: Bools) -> Judgements:
        """Select annotators and number them anew; items keep their numbers."""
        part = self.select_rows(mask[self.annotator])
        names = tuple(compress(self.annotators, mask.tolist()))
        return replace(part, annotators=names, annotator=(np.cumsum(mask) - 1).astype(np.intp)[part.annotator])

    def broken_down(self, key: Callable[[Item], str]) -> dict[str, Judgements]:
        """Group the judgements by a key of their items, in the order of the first items.

        >>> from polyseme.rating import Rating
        >>> rows = [Rating("ann", "Usim", lemma, "1", "2", 3) for lemma in ("win.v", "bar.n")]
        >>> list(collect_judgements(Ratings(rows)).broken_down(lambda item: item.pos))
        ['v', 'n']
        """
        names = [key(item) for item in self.items]
        numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
        group = np.array([numbers[name] for name in names], np.intp)
        items, rows = (positions_by_value(column, len(numbers)) for column in (group, group[self.item]))
        return {name: self._select(items[number], rows[number]) for name, number in numbers.items()}


def collect_judgements(ratings: Ratings) -> Judgements:
    """Collect the judgements of one task.

    If an annotator judged an item several times, the last judgement counts. A pair of usages is the same item in
    either order: Usim of (a, b) is that of (b, a).

    Raises:
        InputError: The ratings are of several tasks.
    """
    ordinary = [row for row in ratings if not row.role]
    items: defaultdict[tuple[str, str, str, str], int] = defaultdict(count().__next__)
    people: defaultdict[str, int] = defaultdict(count().__next__)
    item = np.fromiter((items[_item_key(row[1:5])] for row in ordinary), np.intp, len(ordinary))
    annotator = np.fromiter((people[row.annotator] for row in ordinary), np.intp, len(ordinary))
    value = np.fromiter((row.value for row in ordinary), float, len(ordinary))
    if len(tasks := sorted({key[0] for key in items})) > 1:
        problem = f"the ratings are of several tasks ({', '.join(tasks)}), whose values cannot be compared"
        raise InputError(f"{problem}; select one with ratings.filter(lambda row: row.task == {tasks[0]!r})")
    judgements = Judgements(tuple(map(Item._make, items)), tuple(people), item, annotator, value)
    position = item * max(1, len(people)) + annotator
    order = np.argsort(position, kind="stable")
    last = order[np.append(np.diff(position[order]) > 0, np.ones(min(1, len(order)), bool))]
    decided = last[~np.isnan(value[last])]
    excluded = ExcludedJudgements(len(last) - len(decided), len(ratings) - len(ordinary), len(order) - len(last))
    return replace(judgements.select_rows(decided), left_out=excluded)


def _item_key(item: tuple[str, str, str, str]) -> tuple[str, str, str, str]:
    task, lemma, usage, target = item
    return item if task != "Usim" or usage <= target else (task, lemma, target, usage)


def find_undecided(ratings: Ratings, judgements: Judgements) -> Judgements:
    """Find the judgements whose last answer is "cannot decide".

    Args:
        ratings: The ratings.
        judgements: The judgements of these ratings. Items and annotators keep their numbers.

    >>> from polyseme.rating import UNDECIDED, Rating
    >>> rows = [("ann", "a", UNDECIDED), ("bob", "a", 4), ("ann", "b", UNDECIDED), ("ann", "b", 2)]
    >>> ratings = Ratings(Rating(who, "WSsim", "win.v", "u", sense, value) for who, sense, value in rows)
    >>> undecided = find_undecided(ratings, collect_judgements(ratings))
    >>> undecided.items[undecided.item[0]].target, undecided.annotators[undecided.annotator[0]], len(undecided)
    ('a', 'ann', 1)
    """
    if not judgements.left_out.undecided:
        return judgements.select_rows(np.empty(0, np.intp))
    marked = collect_judgements(
        Ratings(row._replace(value=math.inf) if math.isnan(row.value) else row for row in ratings)
    )
    undecided = marked.select_rows(np.isinf(marked.value))
    return replace(undecided, value=np.full(len(undecided), math.nan))

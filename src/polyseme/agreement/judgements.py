"""Ratings as columns of numbers: what all analyses count with."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.arrays import Floats, Ints
from polyseme.errors import InputError
from polyseme.rating import Item, Ratings


class ExcludedJudgements(NamedTuple):
    """Judgements that are not compared, counted: nothing is left out in silence."""

    undecided: int = 0
    """Of annotators who could not decide."""
    repeats: int = 0
    """Hidden repeats, control items and training."""
    changed: int = 0
    """Given again later by the same annotator: the last counts."""


@dataclass(frozen=True, eq=False)
class Judgements:
    """Judgements of one task: the value that an annotator gave an item, at most one, by their numbers.

    ``item``, ``annotator`` and ``value`` are columns of the same length, sorted by item and then by annotator. An item
    that nobody could decide is still one of ``items``. Hidden repeats, control items and training are left out.

    >>> from polyseme.rating import UNDECIDED, Rating
    >>> rows = [("ann", "a", 5), ("bob", "a", 4), ("ann", "b", UNDECIDED), ("bob", "b", 2)]
    >>> found = collect_judgements(Ratings(Rating(who, "WSsim", "win.v", "u", sense, value) for who, sense, value in rows))
    >>> found.item.tolist(), found.annotator.tolist(), found.value.tolist(), found.left_out.undecided
    ([0, 0, 1], [0, 1, 1], [5.0, 4.0, 2.0], 1)
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
        """The values that occur, from the lowest."""
        return np.unique(self.value)

    @cached_property
    def level(self) -> Ints:
        """The place of each value among the levels."""
        return np.searchsorted(self.levels, self.value).astype(np.intp)

    @cached_property
    def judged(self) -> Ints:
        """How many annotators judged each item."""
        return np.bincount(self.item, minlength=len(self.items)).astype(np.intp)

    @cached_property
    def means(self) -> Floats:
        """The mean value of each item; not a number for an item that nobody decided."""
        with np.errstate(invalid="ignore"):
            return np.bincount(self.item, self.value, len(self.items)) / self.judged

    def matrix(self) -> Floats:
        """Items × annotators; not a number where someone did not judge or could not decide."""
        made = np.full((len(self.items), len(self.annotators)), math.nan)
        made[self.item, self.annotator] = self.value
        return made

    def of_items(self, wanted: NDArray[np.bool_]) -> Judgements:
        """Those of some items; annotators keep their numbers, so that one may have no judgement left."""
        return self._of(np.flatnonzero(wanted), np.flatnonzero(wanted[self.item]))

    def _of(self, items: Ints, rows: Ints) -> Judgements:
        """These items and these of the rows, which are all of them."""
        return replace(
            self,
            items=tuple(self.items[number] for number in items.tolist()),
            item=np.searchsorted(items, self.item[rows]).astype(np.intp),
            annotator=self.annotator[rows],
            value=self.value[rows],
            left_out=ExcludedJudgements(),
        )

    def by_annotators(self, wanted: NDArray[np.bool_]) -> Judgements:
        """Those of some annotators, who are numbered anew; items keep their numbers."""
        kept = wanted[self.annotator]
        number = (np.cumsum(wanted) - 1).astype(np.intp)
        return replace(
            self,
            annotators=tuple(name for name, keep in zip(self.annotators, wanted.tolist(), strict=True) if keep),
            item=self.item[kept],
            annotator=number[self.annotator[kept]],
            value=self.value[kept],
            left_out=ExcludedJudgements(),
        )

    def broken_down(self, by: Callable[[Item], str]) -> dict[str, Judgements]:
        """The judgements of each group of items, as those of a lemma, in the order of their first items.

        >>> from polyseme.rating import Rating
        >>> rows = [Rating("ann", "Usim", lemma, "1", "2", 3) for lemma in ("win.v", "bar.n")]
        >>> list(collect_judgements(Ratings(rows)).broken_down(lambda item: item.pos))
        ['v', 'n']
        """
        names = [by(item) for item in self.items]
        code = {name: number for number, name in enumerate(dict.fromkeys(names))}
        of_item = np.array([code[name] for name in names], np.intp)
        items, rows = (_group_positions(of, len(code)) for of in (of_item, of_item[self.item]))
        return {name: self._of(items[number], rows[number]) for name, number in code.items()}


def _group_positions(group: Ints, count: int) -> list[Ints]:
    """The places of each group, sorted."""
    order = np.argsort(group, kind="stable")
    return np.split(order, np.cumsum(np.bincount(group, minlength=count))[:-1])


def collect_judgements(ratings: Ratings) -> Judgements:
    """The columns of ratings of one task; of several judgements of an item by one annotator the last counts.

    A pair of usages is the same item in either order: Usim of (a, b) is that of (b, a).
    """
    ordinary = [row for row in ratings if not row.role]
    items: defaultdict[tuple[str, str, str, str], int] = defaultdict(count().__next__)
    people: defaultdict[str, int] = defaultdict(count().__next__)
    item = np.fromiter((items[_item_key(row[1:5])] for row in ordinary), np.intp, len(ordinary))
    annotator = np.fromiter((people[row.annotator] for row in ordinary), np.intp, len(ordinary))
    value = np.fromiter((row.value for row in ordinary), float, len(ordinary))
    if len(tasks := sorted({key[0] for key in items})) > 1:
        problem = f"the ratings are of several tasks ({', '.join(tasks)}), whose values do not mean the same"
        raise InputError(f"{problem}; take one with ratings.where(lambda row: row.task == {tasks[0]!r})")
    made = Judgements(tuple(map(Item._make, items)), tuple(people), item, annotator, value)
    return _keep_last_values(made, len(ratings) - len(ordinary))


def _item_key(item: tuple[str, str, str, str]) -> tuple[str, str, str, str]:
    task, lemma, usage, target = item
    return item if task != "Usim" or usage <= target else (task, lemma, target, usage)


def _keep_last_values(given: Judgements, special: int) -> Judgements:
    """One value for each item and annotator, sorted; without those who could not decide."""
    place = given.item * max(1, len(given.annotators)) + given.annotator
    order = np.argsort(place, kind="stable")
    last = np.append(np.diff(place[order]) > 0, np.ones(min(1, len(order)), bool))
    chosen = order[last]
    decided = chosen[~np.isnan(given.value[chosen])]
    left_out = ExcludedJudgements(len(chosen) - len(decided), special, len(order) - len(chosen))
    item, annotator, value = given.item[decided], given.annotator[decided], given.value[decided]
    return replace(given, item=item, annotator=annotator, value=value, left_out=left_out)

"""What lies before an annotator, and how far they have come: what is kept in memory of both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from polyseme.studio.assignment.blocks import (
    Block,
    PageEntry,
    expected_page_count,
    judgement_limit,
    plan_blocks,
    select_double_judged,
)
from polyseme.studio.store.annotators import Annotator
from polyseme.studio.study.settings import Study


class Assignment(NamedTuple):
    """A page that was given to an annotator."""

    id: int
    number: int
    page: int
    role: str


@dataclass(frozen=True, eq=False)
class Schedule:
    """What lies before an annotator: the blocks, and how many may judge a page; ``place`` says in which block it is."""

    blocks: tuple[Block, ...]
    limit: int | None
    place: dict[int, int]


def build_schedule(study: Study, cards: Sequence[PageEntry], annotator: Annotator, is_first: bool) -> Schedule:
    """The plan of an annotator; ``is_first`` is said of who judges everything where a second judges a share."""
    part = study.overlap.design == "second" and not is_first
    mine = select_double_judged(study, cards) if part else cards
    found = tuple(plan_blocks(study, mine, annotator.name, annotator.group))
    place = {
        page: number
        for number, block in enumerate(found)
        for page in (*block.ordinary, *block.controls, *block.training)
    }
    return Schedule(found, judgement_limit(study, is_first), place)


@dataclass(frozen=True, eq=False)
class AssignmentHistory:
    """All that an annotator was given, also block by block, and of each block how many in which role."""

    plan: Schedule
    given: tuple[Assignment, ...] = ()
    split: tuple[tuple[Assignment, ...], ...] = ()
    counts: tuple[Counter[str], ...] = ()

    @classmethod
    def of(cls, plan: Schedule, given: Iterable[Assignment] = ()) -> AssignmentHistory:
        """That of an annotator with this plan."""
        size = len(plan.blocks)
        return cls(plan, (), ((),) * size, tuple(Counter[str]() for _ in range(size))).extended(given)

    def extended(self, given: Iterable[Assignment]) -> AssignmentHistory:
        """With what was given since."""
        new = tuple(given)
        if not new:
            return self
        split, counts = list(self.split), list(self.counts)
        for each in new:
            place = self.plan.place.get(each.page)
            if place is not None:
                split[place] = (*split[place], each)
                counts[place] = counts[place] + Counter([each.role])
        return AssignmentHistory(self.plan, (*self.given, *new), tuple(split), tuple(counts))

    @property
    def last(self) -> Assignment | None:
        """What was given last."""
        return self.given[-1] if self.given else None

    @property
    def current_block(self) -> int:
        """The last block in which something was given."""
        return max((place for place, seen in enumerate(self.split) if seen), default=0)

    def ahead(self, full: frozenset[int]) -> int:
        """How many pages are still to come, if nobody else takes any; ``full`` are those that others have taken."""
        return sum(self._ahead(place, full) for place in range(self.current_block, len(self.split)))

    def _ahead(self, place: int, full: frozenset[int]) -> int:
        block, counts = self.plan.blocks[place], self.counts[place]
        ordinary = len(block.ordinary)
        if full:
            mine = {each.page for each in self.split[place] if each.role == ""}
            ordinary = len(mine) + sum(page not in mine and page not in full for page in block.ordinary)
        shown, size, trained = counts.total() - counts["training"], len(block.training), counts["training"]
        training = 0 if shown or not size or (trained and trained % size == 0) else size - trained % size
        return max(0, expected_page_count(block, ordinary) - shown) + training

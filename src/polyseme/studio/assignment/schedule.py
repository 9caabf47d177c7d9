"""The schedule of an annotator, and the history of their assignments: both are cached in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from polyseme.studio.assignment.blocks import (
    Assignment,
    Block,
    PageEntry,
    expected_page_count,
    judgement_limit,
    plan_blocks,
    select_double_judged,
)
from polyseme.studio.store.annotators import Annotator
from polyseme.studio.study.settings import Study


@dataclass(frozen=True, eq=False)
class Schedule:
    """The pages that an annotator is expected to judge.

    Args:
        blocks: The blocks, in their order.
        limit: The maximum number of annotators for a page; ``None`` for all.
        block_by_page: The number of the block of each page.
    """

    blocks: tuple[Block, ...]
    limit: int | None
    block_by_page: dict[int, int]


def build_schedule(study: Study, entries: Sequence[PageEntry], annotator: Annotator, is_first: bool) -> Schedule:
    """Build the schedule of an annotator.

    Args:
        study: The study.
        entries: All pages.
        annotator: The annotator.
        is_first: Whether this annotator judges everything in the design "second".
    """
    if study.overlap.design == "second" and not is_first:
        entries = select_double_judged(study, entries)
    blocks = tuple(plan_blocks(study, entries, annotator.name, annotator.group))
    block_by_page = {
        page: number
        for number, block in enumerate(blocks)
        for page in (*block.ordinary, *block.controls, *block.training)
    }
    return Schedule(blocks, judgement_limit(study, is_first), block_by_page)


@dataclass(frozen=True, eq=False)
class AssignmentHistory:
    """The assignments of an annotator so far.

    Args:
        schedule: The annotator's schedule.
        assignments: All assignments, in their order.
        by_block: The assignments of each block.
        counts: For each block, the number of assignments by role.
    """

    schedule: Schedule
    assignments: tuple[Assignment, ...]
    by_block: tuple[tuple[Assignment, ...], ...]
    counts: tuple[Counter[str], ...]

    @classmethod
    def start(cls, schedule: Schedule) -> AssignmentHistory:
        """Return a history without assignments."""
        size = len(schedule.blocks)
        return cls(schedule, (), ((),) * size, tuple(Counter[str]() for _ in range(size)))

    def extend(self, assignments: Iterable[Assignment]) -> AssignmentHistory:
        """Return the history with further assignments."""
        new = tuple(assignments)
        if not new:
            return self
        by_block, counts = list(self.by_block), list(self.counts)
        for assignment in new:
            block = self.schedule.block_by_page.get(assignment.page)
            if block is not None:
                by_block[block] = (*by_block[block], assignment)
                counts[block] = counts[block] + Counter([assignment.role])
        return AssignmentHistory(self.schedule, (*self.assignments, *new), tuple(by_block), tuple(counts))

    @property
    def last(self) -> Assignment | None:
        """The last assignment."""
        return self.assignments[-1] if self.assignments else None

    @property
    def current_block(self) -> int:
        """The number of the last block with an assignment."""
        return max((block for block, assigned in enumerate(self.by_block) if assigned), default=0)

    def count_remaining(self, full: frozenset[int]) -> int:
        """Count the remaining pages, without the full ones."""
        return sum(self._count_in_block(block, full) for block in range(self.current_block, len(self.by_block)))

    def _count_in_block(self, number: int, full: frozenset[int]) -> int:
        block, counts = self.schedule.blocks[number], self.counts[number]
        ordinary = len(block.ordinary)
        if full:
            assigned = {assignment.page for assignment in self.by_block[number] if assignment.role == ""}
            ordinary = len(assigned) + sum(page not in assigned and page not in full for page in block.ordinary)
        size, trained = len(block.training), counts["training"]
        done = counts.total() - trained
        training = 0 if done or not size or (trained and trained % size == 0) else size - trained % size
        return max(0, expected_page_count(block, ordinary) - done) + training

"""The queue: assigns the next page to an annotator; no page gets more annotators than the study asks for."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import islice
from typing import TypeVar

from sqlalchemy import Connection, func, select, update
from sqlalchemy.exc import IntegrityError

from polyseme.agreement.implied_pairs import Close, find_implied_pairs
from polyseme.studio.assignment.blocks import (
    Assignment,
    Block,
    PageEntry,
    ScheduledPage,
    TrainingMarks,
    has_failed_training,
    iter_next_pages,
    next_training_page,
    skips_implied_pairs,
)
from polyseme.studio.assignment.schedule import AssignmentHistory, build_schedule
from polyseme.studio.assignment.slots import find_free_slots
from polyseme.studio.store.annotators import Annotator
from polyseme.studio.store.schema import ANNOTATOR, ANSWER, ASSIGNMENT, PAGE
from polyseme.studio.store.statements import ASSIGNMENTS_FROM_NUMBER, insert_assignment
from polyseme.studio.store.submissions import first_complete_answers, page_from_row
from polyseme.studio.study.settings import Study
from polyseme.usage import UsagePair

FIRST_BATCH, LATER_BATCH = 5, 500
"""The number of pages that are checked for free slots at once; usually one of the first few has one."""
MAX_CACHED = 1000
"""Annotators whose history is cached in memory."""
CACHE_SECONDS = 10.0
"""The time for which the queue caches the full pages, and the number of remaining pages of each annotator."""

T = TypeVar("T")
TimedCache = dict[int, tuple[float, T]]
"""Key → the time at which a value was computed, and the value."""


class PageQueue:
    """The pages of a study, in the order in which each annotator gets them.

    Caches only save reads: the database alone decides on assignments.

    Args:
        study: The study.
        entries: All its pages.
    """

    def __init__(self, study: Study, entries: Sequence[PageEntry]) -> None:
        self._study = study
        self._entries = {entry.page: entry for entry in entries}
        self._histories: dict[int, AssignmentHistory] = {}
        self._full: TimedCache[frozenset[int]] = {}
        self._page_counts: TimedCache[int] = {}

    def history(self, connection: Connection, annotator: Annotator) -> AssignmentHistory:
        """Return the assignments of an annotator; only new ones are read from the database."""
        history = self._histories.get(annotator.id)
        if history is None:
            is_first = self._is_first(connection, annotator)
            entries = list(self._entries.values())
            history = AssignmentHistory.start(build_schedule(self._study, entries, annotator, is_first))
        last = history.last
        new = _read_assignments(connection, annotator, last.number if last else 0)
        if last is not None and new[:1] != [last]:  # another transaction was rolled back: read everything again
            new = _read_assignments(connection, annotator, 0)
            history = AssignmentHistory.start(history.schedule).extend(new)
        else:
            history = history.extend(new[1:] if last else new)
        if len(self._histories) >= MAX_CACHED:
            self._histories.clear()
        self._histories[annotator.id] = history
        return history

    def assign_next(self, connection: Connection, annotator: Annotator) -> Assignment | None:
        """Assign the next page; ``None`` if no page is left, or if the annotator failed the training.

        The caller holds the lock of the annotator.
        """
        history = self.history(connection, annotator)
        full = self._find_full_pages(connection, history.schedule.limit)
        assignment = self._assign(connection, annotator.id, history, full)
        if assignment is None and full:  # an annotator may have released a page since
            assignment = self._assign(connection, annotator.id, history, frozenset())
        if assignment is not None:
            self._histories[annotator.id] = history.extend([assignment])
        return assignment

    def _assign(
        self, connection: Connection, annotator: int, history: AssignmentHistory, full: frozenset[int]
    ) -> Assignment | None:
        """Assign the first page that has a free slot; full pages are skipped."""
        number = history.last.number + 1 if history.last else 1
        pages = self._iter_candidates(connection, annotator, history)
        pages = (page for page in pages if page.role or page.page not in full)
        for page, slots in _iter_free_slots(connection, pages, history.schedule.limit):
            for slot in slots:
                row = {"annotator": annotator, "page": page.page, "number": number, "role": page.role}
                if (assignment := insert_assignment(connection, **row, slot=slot)) is not None:
                    return Assignment(assignment, number, *page)
        return None

    def reclaim_slots(self, connection: Connection, annotator: Annotator) -> None:
        """Take free slots for the incomplete pages that an annotator released.

        The caller holds the lock of the annotator.
        """
        limit = None if annotator.is_manager else self.history(connection, annotator).schedule.limit
        if limit is None:
            return
        is_open = (ASSIGNMENT.c.annotator == annotator.id) & ~ASSIGNMENT.c.complete & (ASSIGNMENT.c.role == "")
        rows = connection.execute(
            select(ASSIGNMENT.c.id, ASSIGNMENT.c.page).where(is_open, ASSIGNMENT.c.slot.is_(None))
        )
        for assignment, page in rows.all():
            for slot in find_free_slots(connection, [page], limit)[page][:1]:
                try:
                    with connection.begin_nested():
                        connection.execute(update(ASSIGNMENT).where(ASSIGNMENT.c.id == assignment).values(slot=slot))
                except IntegrityError:  # another annotator got the slot at the same moment
                    continue

    def has_failed_training(self, connection: Connection, annotator: Annotator) -> bool:
        """Whether an annotator has used all attempts without passing the training."""
        history = self.history(connection, annotator)
        block, assigned = history.schedule.blocks[history.current_block], history.by_block[history.current_block]
        return self._find_training_page(connection, block, assigned) == []

    def count_pages(self, connection: Connection, annotator: Annotator, assignment: int | None = None) -> int:
        """Estimate the total number of pages of an annotator.

        Args:
            connection: The connection to the database.
            annotator: The annotator.
            assignment: One of their assignments; if it is among the last cached ones, the database is not read.
        """
        history = self._histories.get(annotator.id)
        if history is None or all(each.id != assignment for each in history.assignments[-2:]):
            history = self.history(connection, annotator)
        done = len(history.assignments)
        if annotator.state == "finished":
            return done
        full = self._find_full_pages(connection, history.schedule.limit)
        if not full:
            return done + history.count_remaining(full)
        # it changes slowly, as other annotators take pages, and is slow to compute
        return max(_recall(self._page_counts, annotator.id, lambda: done + history.count_remaining(full)), done)

    # -- what comes next ---------------------------------------------------------------------------------------------

    def _iter_candidates(
        self, connection: Connection, annotator: int, history: AssignmentHistory
    ) -> Iterator[ScheduledPage]:
        """Iterate over the pages that can come next, from the current block, later blocks and earlier blocks."""
        current, blocks = history.current_block, list(zip(history.schedule.blocks, history.by_block, strict=True))
        for block, assigned in blocks[current:]:
            training = self._find_training_page(connection, block, assigned)
            if training is not None:
                yield from training
                return
            yield from self._skip_implied_pairs(connection, annotator, block, iter_next_pages(block, assigned))
        for block, assigned in blocks[:current]:
            done = {assignment.page for assignment in assigned}
            left = (ScheduledPage(page, "") for page in block.ordinary if page not in done)  # released by others
            yield from self._skip_implied_pairs(connection, annotator, block, left)

    def _skip_implied_pairs(
        self, connection: Connection, annotator: int, block: Block, pages: Iterator[ScheduledPage]
    ) -> Iterator[ScheduledPage]:
        """Skip the pairs that the annotator's other answers imply, if the round asks for it."""
        if not skips_implied_pairs(self._study, block.round, block.task):
            yield from pages
            return
        find_implied = cache(partial(self._find_implied_pairs, connection, annotator, block.round))
        for page in pages:
            entry = self._entries[page.page]
            if page.role or frozenset((entry.usage, entry.other)) not in find_implied(entry.lemma):
                yield page

    def _find_implied_pairs(
        self, connection: Connection, annotator: int, round_name: str, lemma: str
    ) -> set[frozenset[str]]:
        """Find the pairs of a lemma that need no answer because other pairs imply it."""
        columns = select(PAGE.c.usage, PAGE.c.other, ANSWER.c.value)
        answers = columns.join_from(ANSWER, ASSIGNMENT, ANSWER.c.assignment == ASSIGNMENT.c.id)
        has_rating = (ASSIGNMENT.c.annotator == annotator) & (ANSWER.c.kind == "rating") & ANSWER.c.value.is_not(None)
        in_block = (PAGE.c.lemma == lemma) & (PAGE.c.round == round_name) & (PAGE.c.other != "")
        rows = connection.execute(answers.join(PAGE, ASSIGNMENT.c.page == PAGE.c.id).where(has_rating & in_block))
        judged, scale = [UsagePair(lemma, *row) for row in rows], self._study.scale
        implied = find_implied_pairs(judged, Close(scale.highest - 1), scale)
        return {frozenset((pair.first, pair.second)) for pair in implied}

    def _find_training_page(
        self, connection: Connection, block: Block, assigned: Sequence[Assignment]
    ) -> list[ScheduledPage] | None:
        """Find the next training page; empty after too many attempts, ``None`` if the training is over."""
        training = self._study.training
        if training is None or not block.training or any(each.role != "training" for each in assigned):
            return None
        marks = self._read_marks(connection, assigned)
        if has_failed_training(block, marks, training.pass_mark, training.attempts):
            return []
        page = next_training_page(block, marks, training.pass_mark)
        return None if page is None else [page]

    def _read_marks(self, connection: Connection, assigned: Sequence[Assignment]) -> list[TrainingMarks]:
        """Mark the training pages of an annotator, in their order."""
        rows = connection.execute(select(PAGE).where(PAGE.c.id.in_({each.page for each in assigned})))
        pages = {row.id: page_from_row(row) for row in rows}
        marks = []
        for assignment in assigned:
            page = pages[assignment.page]
            feedback = page.feedback(first_complete_answers(connection, assignment.id, page))
            marks.append(TrainingMarks(sum(each.good for each in feedback), len(feedback)))
        return marks

    def _find_full_pages(self, connection: Connection, limit: int | None) -> frozenset[int]:
        """Find the pages that have enough annotators, as of a few seconds ago."""
        if limit is None:
            return frozenset()
        held = select(ASSIGNMENT.c.page).where(ASSIGNMENT.c.slot.is_not(None)).group_by(ASSIGNMENT.c.page)
        full = held.having(func.count() >= limit)
        return _recall(self._full, limit, lambda: frozenset(connection.execute(full).scalars()))

    def _is_first(self, connection: Connection, annotator: Annotator) -> bool:
        """Whether this annotator judges all pages in the design "second": by name, or as the first one added."""
        overlap = self._study.overlap
        if overlap.design != "second":
            return False
        if overlap.first:
            return annotator.name == overlap.first
        first = select(func.min(ANNOTATOR.c.id)).where(ANNOTATOR.c.kind == "annotator")
        return connection.execute(first).scalar() == annotator.id


def _recall(values: TimedCache[T], key: int, compute: Callable[[], T]) -> T:
    """Return a cached value, or compute it again if it is too old."""
    cached = values.get(key)
    if cached is None or time.monotonic() - cached[0] > CACHE_SECONDS:
        value = compute()
        if len(values) >= MAX_CACHED:
            values.clear()
        values[key] = cached = time.monotonic(), value
    return cached[1]


def _read_assignments(connection: Connection, annotator: Annotator, number: int) -> list[Assignment]:
    """Read the assignments of an annotator that begin at a number."""
    rows = connection.execute(ASSIGNMENTS_FROM_NUMBER, {"annotator": annotator.id, "number": number})
    return [Assignment(row.id, row.number, row.page, row.role) for row in rows]


def _iter_free_slots(
    connection: Connection, pages: Iterator[ScheduledPage], limit: int | None
) -> Iterator[tuple[ScheduledPage, Sequence[int | None]]]:
    """Iterate over the pages with their free slots; the slot is ``None`` for pages without a limit."""
    size = FIRST_BATCH
    while batch := list(islice(pages, size)):
        size = LATER_BATCH
        free = find_free_slots(connection, [page.page for page in batch if not page.role], limit) if limit else {}
        for page in batch:
            slots = [None] if limit is None or page.role else free[page.page]
            if slots:
                yield page, slots

"""Giving out pages: which comes next for an annotator, so that no page is given to more people than are wanted."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import islice

from sqlalchemy import Connection, func, select, update
from sqlalchemy.exc import IntegrityError

from polyseme.agreement.implied_pairs import Close, find_implied_pairs
from polyseme.studio.assignment.blocks import (
    Block,
    PageEntry,
    ScheduledPage,
    TrainingMarks,
    has_failed_training,
    iter_next_pages,
    next_training_page,
    skips_implied_pairs,
)
from polyseme.studio.assignment.schedule import Assignment, AssignmentHistory, build_schedule
from polyseme.studio.store.annotators import Annotator
from polyseme.studio.store.schema import ANNOTATOR, ANSWER, ASSIGNMENT, PAGE
from polyseme.studio.store.statements import ASSIGNMENTS_FROM_NUMBER, insert_assignment
from polyseme.studio.store.submissions import first_complete_answers, page_from_row
from polyseme.studio.study.settings import Study
from polyseme.usage import UsagePair

FIRST_BATCH, LATER_BATCH = 5, 500
"""Pages whose judges are counted at once: at first, and if none of these had room."""
MAX_HISTORIES = 1000
"""Annotators whose order is kept in memory."""
CACHE_SECONDS = 10.0
"""Seconds for which it is remembered which pages have all the judges that are wanted, and what follows from it."""


class PageQueue:
    """The pages of a study, in the order in which each annotator gets them.

    What is kept in memory only saves reading it again: the database alone says what was given to whom.
    """

    def __init__(self, study: Study, cards: Sequence[PageEntry]) -> None:
        self._study = study
        self._cards = cards
        self._trails: dict[int, AssignmentHistory] = {}
        self._by_page = {card.page: card for card in cards}
        self._full: dict[int, tuple[float, frozenset[int]]] = {}
        self._lengths: dict[int, tuple[float, int]] = {}

    def trail(self, connection: Connection, annotator: Annotator) -> AssignmentHistory:
        """All that an annotator was given, of which only what is new is read."""
        known = self._trails.get(annotator.id)
        if known is None:
            known = AssignmentHistory.of(
                build_schedule(self._study, self._cards, annotator, self._is_first(connection, annotator))
            )
        last = known.last
        new = connection.execute(
            ASSIGNMENTS_FROM_NUMBER, {"annotator": annotator.id, "number": last.number if last else 0}
        )
        rows = [Assignment(row.id, row.number, row.page, row.role) for row in new]
        if last is not None and rows[:1] != [last]:  # another transaction did not come to its end: read all again
            everything = connection.execute(ASSIGNMENTS_FROM_NUMBER, {"annotator": annotator.id, "number": 0})
            found = AssignmentHistory.of(
                known.plan, (Assignment(row.id, row.number, row.page, row.role) for row in everything)
            )
        else:
            found = known.extended(rows[1:] if last else rows)
        if len(self._trails) >= MAX_HISTORIES:
            self._trails.clear()
        self._trails[annotator.id] = found
        return found

    def give(self, connection: Connection, annotator: Annotator) -> Assignment | None:
        """Give an annotator the next page; nothing if none is left, or if the training was not passed.

        Whoever calls this holds the lock of the annotator.
        """
        trail = self.trail(connection, annotator)
        full = self._without_room(connection, trail.plan.limit)
        given = self._given(connection, annotator.id, trail, full)
        if given is None and full:  # somebody may have given a page back since
            given = self._given(connection, annotator.id, trail, frozenset())
        if given is not None:
            self._trails[annotator.id] = trail.extended([given])
        return given

    def _given(
        self, connection: Connection, who: int, trail: AssignmentHistory, full: frozenset[int]
    ) -> Assignment | None:
        """The next page but for those that are full, now given to an annotator."""
        number = trail.last.number + 1 if trail.last else 1
        steps = (step for step in self._steps(connection, who, trail) if step.role or step.page not in full)
        for step, slots in _iter_free_slots(connection, steps, trail.plan.limit):
            for slot in slots:
                row = {"annotator": who, "page": step.page, "number": number, "role": step.role}
                if (made := insert_assignment(connection, **row, slot=slot)) is not None:
                    return Assignment(made, number, *step)
        return None

    def reclaim_slots(self, connection: Connection, annotator: Annotator) -> None:
        """Count an annotator again among the judges of incomplete pages that were given back, if there is room.

        Whoever calls this holds the lock of the annotator.
        """
        limit = None if annotator.is_manager else self.trail(connection, annotator).plan.limit
        if limit is None:
            return
        mine = (ASSIGNMENT.c.annotator == annotator.id) & ~ASSIGNMENT.c.complete & (ASSIGNMENT.c.role == "")
        rows = connection.execute(select(ASSIGNMENT.c.id, ASSIGNMENT.c.page).where(mine, ASSIGNMENT.c.slot.is_(None)))
        for assignment, page in rows.all():
            held = select(ASSIGNMENT.c.slot).where(ASSIGNMENT.c.page == page, ASSIGNMENT.c.slot.is_not(None))
            taken = set(connection.execute(held).scalars())
            free = next((slot for slot in range(1, limit + 1) if slot not in taken), None)
            if free is not None:
                try:
                    with connection.begin_nested():
                        connection.execute(update(ASSIGNMENT).where(ASSIGNMENT.c.id == assignment).values(slot=free))
                except IntegrityError:  # somebody else was given it at the same moment
                    continue

    def has_failed_training(self, connection: Connection, annotator: Annotator) -> bool:
        """Whether someone has not passed the training as often as one may try."""
        training = self._study.training
        if training is None:
            return False
        trail = self.trail(connection, annotator)
        block, seen = trail.plan.blocks[trail.current_block], trail.split[trail.current_block]
        trying = bool(seen) and all(each.role == "training" for each in seen)
        return trying and has_failed_training(
            block, self._marks(connection, seen), training.pass_mark, training.attempts
        )

    def length(self, connection: Connection, annotator: Annotator, assignment: int | None = None) -> int:
        """How many pages an annotator will have seen in the end, as far as can be known now.

        ``assignment`` is one that is known to be theirs: if it is among the last that are remembered, nothing is read.
        """
        known = self._trails.get(annotator.id)
        fresh = known is not None and any(each.id == assignment for each in known.given[-2:])
        trail = known if known is not None and fresh else self.trail(connection, annotator)
        if annotator.state == "finished":
            return len(trail.given)
        full = self._without_room(connection, trail.plan.limit)
        if not full:
            return len(trail.given) + trail.ahead(full)
        return max(self._remembered_length(annotator.id, trail, full), len(trail.given))

    def _remembered_length(self, who: int, trail: AssignmentHistory, full: frozenset[int]) -> int:
        """The length as it was some seconds ago at most: it changes only by what others take, and takes a while."""
        when, found = self._lengths.get(who, (-CACHE_SECONDS, 0))
        if time.monotonic() - when > CACHE_SECONDS:
            if len(self._lengths) >= MAX_HISTORIES:
                self._lengths.clear()
            found = len(trail.given) + trail.ahead(full)
            self._lengths[who] = time.monotonic(), found
        return found

    # -- what comes next ---------------------------------------------------------------------------------------------

    def _steps(self, connection: Connection, who: int, trail: AssignmentHistory) -> Iterator[ScheduledPage]:
        """What may come next, the best first: of the block that was reached, of those after it, of those before."""
        furthest, all_ = trail.current_block, list(zip(trail.plan.blocks, trail.split, strict=True))
        for block, seen in all_[furthest:]:
            training = self._training(connection, block, seen)
            if training is not None:
                yield from training
                return
            yield from self._asked(connection, who, block, iter_next_pages(block, seen))
        for block, seen in all_[:furthest]:
            done = {each.page for each in seen}
            left = (ScheduledPage(page, "") for page in block.ordinary if page not in done)  # someone gave these up
            yield from self._asked(connection, who, block, left)

    def _asked(
        self, connection: Connection, who: int, block: Block, steps: Iterator[ScheduledPage]
    ) -> Iterator[ScheduledPage]:
        """Without the pairs that what the annotator said of others implies, where the round leaves these out."""
        if not skips_implied_pairs(self._study, block.round, block.task):
            return steps
        known: dict[str, set[frozenset[str]]] = {}

        def is_asked(step: ScheduledPage) -> bool:
            card = self._by_page[step.page]
            if card.lemma not in known:
                known[card.lemma] = self._implied(connection, who, block.round, card.lemma)
            return bool(step.role) or frozenset((card.usage, card.other)) not in known[card.lemma]

        return filter(is_asked, steps)

    def _implied(self, connection: Connection, who: int, round: str, lemma: str) -> set[frozenset[str]]:
        """The pairs of a lemma that an annotator need not be asked about, two others being identical."""
        joined = select(PAGE.c.usage, PAGE.c.other, ANSWER.c.value).join_from(
            ANSWER, ASSIGNMENT, ANSWER.c.assignment == ASSIGNMENT.c.id
        )
        mine = (ASSIGNMENT.c.annotator == who) & (ANSWER.c.kind == "rating") & ANSWER.c.value.is_not(None)
        these = (PAGE.c.lemma == lemma) & (PAGE.c.round == round) & (PAGE.c.other != "")
        rows = connection.execute(joined.join(PAGE, ASSIGNMENT.c.page == PAGE.c.id).where(mine & these))
        judged = [UsagePair(lemma, *row) for row in rows]
        scale = self._study.scale
        return {
            frozenset((each.first, each.second)) for each in find_implied_pairs(judged, Close(scale.highest - 1), scale)
        }

    def _training(self, connection: Connection, block: Block, seen: Sequence[Assignment]) -> list[ScheduledPage] | None:
        """The next training page, none at all after too many attempts; ``None`` if the training is over."""
        training = self._study.training
        if training is None or not block.training or any(each.role != "training" for each in seen):
            return None
        marks = self._marks(connection, seen)
        if has_failed_training(block, marks, training.pass_mark, training.attempts):
            return []
        step = next_training_page(block, marks, training.pass_mark)
        return None if step is None else [step]

    def _marks(self, connection: Connection, seen: Sequence[Assignment]) -> list[TrainingMarks]:
        """What was right on training pages, in the order in which they were shown."""
        numbers = {each.page for each in seen}
        rows = connection.execute(select(PAGE).where(PAGE.c.id.in_(numbers)))
        pages = {row.id: page_from_row(row) for row in rows}
        answers = ((pages[each.page], first_complete_answers(connection, each.id, pages[each.page])) for each in seen)
        told = [page.feedback(answered) for page, answered in answers]
        return [TrainingMarks(sum(each.good for each in page), len(page)) for page in told]

    def _without_room(self, connection: Connection, limit: int | None) -> frozenset[int]:
        """The pages that have all the judges that are wanted, as they were some seconds ago."""
        if limit is None:
            return frozenset()
        when, found = self._full.get(limit, (0.0, frozenset()))
        if time.monotonic() - when > CACHE_SECONDS:
            held = select(ASSIGNMENT.c.page).where(ASSIGNMENT.c.slot.is_not(None)).group_by(ASSIGNMENT.c.page)
            found = frozenset(connection.execute(held.having(func.count() >= limit)).scalars())
            self._full[limit] = time.monotonic(), found
        return found

    def _is_first(self, connection: Connection, annotator: Annotator) -> bool:
        """Whether this is who judges everything where a second judges a share: who is named, or was added first."""
        overlap = self._study.overlap
        if overlap.design != "second":
            return False
        if overlap.first:
            return annotator.name == overlap.first
        first = select(func.min(ANNOTATOR.c.id)).where(ANNOTATOR.c.kind == "annotator")
        return connection.execute(first).scalar() == annotator.id


def _iter_free_slots(
    connection: Connection, steps: Iterator[ScheduledPage], limit: int | None
) -> Iterator[tuple[ScheduledPage, Sequence[int | None]]]:
    """Of pages that may come next, those with room, and which places are free: ``None`` where there is no limit.

    They are looked at in batches, the first a small one, because mostly one of the first has room.
    """
    size = FIRST_BATCH
    while batch := list(islice(steps, size)):
        size = LATER_BATCH
        ordinary = [step.page for step in batch if not step.role] if limit is not None else []
        taken: dict[int, set[int]] = {}
        if ordinary:
            held = select(ASSIGNMENT.c.page, ASSIGNMENT.c.slot)
            rows = held.where(ASSIGNMENT.c.page.in_(ordinary), ASSIGNMENT.c.slot.is_not(None))
            for page, slot in connection.execute(rows):
                taken.setdefault(page, set()).add(slot)
        for step in batch:
            limited = limit is not None and not step.role
            free = [slot for slot in range(1, (limit or 0) + 1) if slot not in taken.get(step.page, ())]
            if free or not limited:
                yield step, free if limited else [None]

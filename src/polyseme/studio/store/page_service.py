"""The page service: within a transaction, it returns pages, saves answers and assigns the next page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Connection, Row, Select, select

from polyseme.errors import InputError
from polyseme.studio.assignment.queue import PageQueue
from polyseme.studio.store import annotators, submissions
from polyseme.studio.store.annotators import Annotator
from polyseme.studio.store.assigned_page import AssignedPage
from polyseme.studio.store.page_rows import read_page_entries
from polyseme.studio.store.schema import PAGE
from polyseme.studio.store.statements import (
    ASSIGNMENTS_AT_NUMBERS,
    CURRENT_ASSIGNMENT,
    LOCKED_ASSIGNMENTS_AT_NUMBERS,
)
from polyseme.studio.store.submissions import Submission, page_from_row
from polyseme.studio.study.pages import Page, PageAnswers
from polyseme.studio.study.settings import Study

MAX_CACHED_PAGES = 256
"""Pages that are cached in memory."""
WORKING_STATES = ("invited", "active")
"""The states in which an annotator gets pages."""
MAX_PAGE_NUMBER = 2**31 - 1
"""The largest page number that a column of the database can hold."""

SubmissionBuilder: TypeAlias = Callable[[AssignedPage], Submission | None]
"""Computes a submission from a page with its current answers; ``None`` saves nothing."""


class AnswerRequest(NamedTuple):
    """An answer to save.

    Args:
        annotator: The id of the annotator.
        number: The position of the page in the annotator's order, from 1.
        build: Computes the submission.
    """

    annotator: int
    number: int
    build: SubmissionBuilder


class PageNotOpen(KeyError):
    """No page has this number, or an earlier page is incomplete."""


class AnnotatorPaused(InputError):
    """The annotator is paused, so nothing is saved."""


class AnswerOutcome(NamedTuple):
    """A saved answer: the assignment before it, and the page after it."""

    row: Row[Any]
    page: AssignedPage

    @property
    def completes(self) -> bool:
        """Whether the answer completed the page."""
        return self.page.complete and not self.row.complete


class PageService:
    """The pages of a study and the queue that assigns them; its caches only save reading.

    Args:
        study: The study.
    """

    def __init__(self, study: Study) -> None:
        self._study = study
        self._queue: PageQueue | None = None
        self._pages: dict[int, Page] = {}

    def queue(self, connection: Connection) -> PageQueue:
        """Return the queue that assigns pages."""
        if self._queue is None:
            self._queue = PageQueue(self._study, read_page_entries(connection))
        return self._queue

    def page(self, connection: Connection, id: int) -> Page:
        """Return a page by its id in the database."""
        page = self._pages.get(id)
        if page is None:
            if len(self._pages) >= MAX_CACHED_PAGES:
                self._pages.clear()
            page = self._pages[id] = page_from_row(connection.execute(select(PAGE).where(PAGE.c.id == id)).one())
        return page

    def page_at(self, connection: Connection, annotator: int, number: int) -> AssignedPage:
        """Return the page at a position of an annotator's order.

        Raises:
            PageNotOpen: No page has this number, or an earlier page is incomplete.
        """
        rows = _read_rows(connection, ASSIGNMENTS_AT_NUMBERS, [(annotator, number)])
        return self.assigned_page(connection, _check_open(rows.get((annotator, number)), number))

    def assigned_page(self, connection: Connection, row: Row[Any]) -> AssignedPage:
        """Return the page of an assignment with its current answers."""
        answers = submissions.read_answers(connection, row.assignment)
        return self._build_page(connection, row, answers, row.complete)

    def _build_page(self, connection: Connection, row: Row[Any], answers: PageAnswers, complete: bool) -> AssignedPage:
        page, annotator = self.page(connection, row.page), annotators.annotator_from_row(row)
        total = self.queue(connection).count_pages(connection, annotator, row.assignment)
        return AssignedPage(row.assignment, row.number, total, page, row.role, answers, complete)

    def save_answers(
        self, connection: Connection, requests: Sequence[AnswerRequest]
    ) -> list[AnswerOutcome | InputError | PageNotOpen]:
        """Append answers of different annotators, in few statements; the annotators are locked.

        A refused request writes nothing and does not affect the others.

        Returns:
            For each request, its outcome or the error that refused it.
        """
        rows = _read_rows(connection, LOCKED_ASSIGNMENTS_AT_NUMBERS, [request[:2] for request in requests])
        histories = submissions.read_histories(connection, [row.assignment for row in rows.values()])
        events: list[dict[str, Any]] = []
        outcomes: list[AnswerOutcome | InputError | PageNotOpen] = []
        for request in requests:
            try:
                row = _check_open(rows.get(request[:2]), request.number)
                new_events, outcome = self._apply(connection, request.build, row, histories[row.assignment])
            except (InputError, PageNotOpen) as error:
                outcomes.append(error)
            else:
                events += new_events
                outcomes.append(outcome)
        submissions.write_events(connection, events)
        for saved in outcomes:
            if isinstance(saved, AnswerOutcome) and saved.page.complete != saved.row.complete:
                submissions.mark_completeness(connection, saved.row.assignment, saved.page.complete)
        return outcomes

    def _apply(
        self, connection: Connection, build: SubmissionBuilder, row: Row[Any], history: Sequence[Row[Any]]
    ) -> tuple[list[dict[str, Any]], AnswerOutcome]:
        """Return the events to append, and the page with them."""
        current = self._build_page(connection, row, submissions.replay_events(history), row.complete)
        submission = build(current)
        if submission is None:
            return [], AnswerOutcome(row, current)
        if row.state == "paused":
            raise AnnotatorPaused("your work is paused, so this is not saved; ask the person who invited you")
        events, answers = submissions.build_events(row.id, row.assignment, current.page, submission, history)
        complete = not current.page.missing(answers)
        return events, AnswerOutcome(row, self._build_page(connection, row, answers, complete))

    def assign_next_page(self, connection: Connection, outcome: AnswerOutcome) -> AssignedPage:
        """Assign the next page if the answer completed this one, so that showing it needs no write."""
        row, page = outcome
        if not outcome.completes:
            return page
        annotator = self.advance(connection, annotators.annotator_from_row(row))
        return replace(page, total=self.queue(connection).count_pages(connection, annotator, row.assignment))

    def advance(self, connection: Connection, annotator: Annotator) -> Annotator:
        """Assign the next page if all others are complete.

        Returns:
            The annotator with the resulting state: active, finished, or paused after a failed training.
        """
        if annotator.state not in WORKING_STATES:
            return annotator
        queue = self.queue(connection)
        state = "active"
        current = connection.execute(CURRENT_ASSIGNMENT, {"annotator": annotator.id}).one()
        if current.assignment is None and queue.assign_next(connection, annotator) is None:
            state = "paused" if queue.has_failed_training(connection, annotator) else "finished"
        if state != annotator.state:
            annotators.set_state(connection, annotator.name, state, "")
        return replace(annotator, state=state)


def _read_rows(
    connection: Connection, statement: Select[Any], positions: Sequence[tuple[int, int]]
) -> dict[tuple[int, int], Row[Any]]:
    """Read the assignments at pairs of annotator and page number."""
    possible = [position for position in positions if 0 < position[1] <= MAX_PAGE_NUMBER]
    rows = connection.execute(statement, {"positions": possible}) if possible else ()
    return {(row.id, row.number): row for row in rows}


def _check_open(row: Row[Any] | None, number: int) -> Row[Any]:
    """Return the assignment, or raise :class:`PageNotOpen`."""
    if row is None or (row.first_incomplete is not None and number > row.first_incomplete):
        raise PageNotOpen(number)
    return row

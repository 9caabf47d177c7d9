"""The desk of a study: what is done inside a transaction to show a page, to take what is said of it, and to go on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, select

from polyseme.errors import InputError
from polyseme.studio.assignment.queue import PageQueue
from polyseme.studio.store import annotators, submissions
from polyseme.studio.store.annotators import Annotator
from polyseme.studio.store.assigned_page import AssignedPage
from polyseme.studio.store.page_rows import read_page_entries
from polyseme.studio.store.schema import PAGE
from polyseme.studio.store.statements import (
    ASSIGNMENT_AT_NUMBER,
    FIRST_INCOMPLETE_ASSIGNMENT,
    LOCKED_ASSIGNMENT,
    LOCKED_ASSIGNMENT_AT_NUMBER,
    LOCKED_ASSIGNMENTS_AT_NUMBERS,
    PreparedStatement,
)
from polyseme.studio.store.submissions import Submission, page_from_row
from polyseme.studio.study.pages import Page, PageAnswers
from polyseme.studio.study.settings import Study

MAX_CACHED_PAGES = 256
"""Pages that are kept in memory."""
WORKING_STATES = ("invited", "active")
"""The states in which an annotator is given pages."""


class AnswerRequest(NamedTuple):
    """An annotator says something of the page at a place of their order: what ``say`` makes of it as it stands."""

    annotator: int
    number: int
    say: Callable[[AssignedPage], Submission | None]


class PageNotOpen(KeyError):
    """There is no page at this place, or it is beyond the first that is not complete."""


class AnnotatorPaused(InputError):
    """Nothing is taken from an annotator whose work is paused."""


class AnswerOutcome(NamedTuple):
    """What came of it: the page as it now is, and the assignment as it was."""

    row: Row[Any]
    shown: AssignedPage

    @property
    def completes(self) -> bool:
        """Whether the page became complete by it."""
        return self.shown.complete and not self.row.complete


class PageService:
    """Pages, and the queue in which they are given out; what it remembers only saves reading it again."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._queue: PageQueue | None = None
        self._pages: dict[int, Page] = {}

    def queue(self, connection: Connection) -> PageQueue:
        """The order in which pages are given out."""
        if self._queue is None:
            self._queue = PageQueue(self._study, read_page_entries(connection))
        return self._queue

    def page(self, connection: Connection, number: int) -> Page:
        """A page by its number in the database."""
        found = self._pages.get(number)
        if found is None:
            if len(self._pages) >= MAX_CACHED_PAGES:
                self._pages.clear()
            found = self._pages[number] = page_from_row(
                connection.execute(select(PAGE).where(PAGE.c.id == number)).one()
            )
        return found

    def at(self, connection: Connection, annotator: int, number: int) -> AssignedPage:
        """The page at a place of an annotator's order; ``KeyError`` if it is none, or beyond the current one."""
        return self.shown(connection, _at(connection, ASSIGNMENT_AT_NUMBER, annotator, number))

    def shown(self, connection: Connection, row: Row[Any], who: Annotator | None = None) -> AssignedPage:
        """The page of an assignment as it stands."""
        return self._seen(
            connection, row, submissions.read_answers(connection, row.assignment), bool(row.complete), who
        )

    def _seen(
        self, connection: Connection, row: Row[Any], stands: PageAnswers, complete: bool, who: Annotator | None = None
    ) -> AssignedPage:
        page = self.page(connection, row.page)
        length = self.queue(connection).length(connection, who or annotators.annotator_from_row(row), row.assignment)
        return AssignedPage(row.assignment, row.number, length, page, row.role, stands, complete)

    def take(self, connection: Connection, asked: AnswerRequest) -> AnswerOutcome:
        """Append what is made of a page as it stands; the annotator is locked until the transaction ends.

        Whatever is wrong with it is found out before anything is written.
        """
        row = _at(connection, LOCKED_ASSIGNMENT_AT_NUMBER, asked.annotator, asked.number)
        rows, taken = self._made(connection, asked, row, submissions.read_history(connection, row.assignment))
        self._write(connection, rows, [taken])
        return taken

    def take_all(
        self, connection: Connection, asked: Sequence[AnswerRequest]
    ) -> list[AnswerOutcome | InputError | PageNotOpen]:
        """:meth:`take` of several, of which no two are one annotator's; in few statements, however many they are."""
        places = [(each.annotator, each.number) for each in asked if 0 < each.number < 2**31]
        found = connection.execute(LOCKED_ASSIGNMENTS_AT_NUMBERS, {"places": places}) if places else ()
        given = {(row.id, row.number): row for row in found}
        histories = submissions.read_histories(connection, [row.assignment for row in given.values()])
        rows: list[dict[str, Any]] = []
        done: list[AnswerOutcome | InputError | PageNotOpen] = []
        for each in asked:
            try:
                row = _open(given.get((each.annotator, each.number)), each.number)
                new, taken = self._made(connection, each, row, histories[row.assignment])
            except (InputError, PageNotOpen) as error:
                done.append(error)
            else:
                rows += new
                done.append(taken)
        self._write(connection, rows, [each for each in done if isinstance(each, AnswerOutcome)])
        return done

    def _made(
        self, connection: Connection, asked: AnswerRequest, row: Row[Any], history: Sequence[Row[Any]]
    ) -> tuple[list[dict[str, Any]], AnswerOutcome]:
        """What is to be appended of what is said, and the page as it then is."""
        shown = self._seen(connection, row, submissions.replay_events(history), bool(row.complete))
        said = asked.say(shown)
        return ([], AnswerOutcome(row, shown)) if said is None else self._fresh(connection, row, said, history)

    def _fresh(
        self, connection: Connection, row: Row[Any], said: Submission, history: Sequence[Row[Any]]
    ) -> tuple[list[dict[str, Any]], AnswerOutcome]:
        if row.state == "paused":
            raise AnnotatorPaused("your work is paused, so that nothing can be saved; ask who invited you")
        page = self.page(connection, row.page)
        rows, stands = submissions.build_events(row.id, row.assignment, page, said, history)
        return rows, AnswerOutcome(row, self._seen(connection, row, stands, not page.missing(stands)))

    def _write(self, connection: Connection, rows: Sequence[Mapping[str, Any]], taken: Sequence[AnswerOutcome]) -> None:
        submissions.write_events(connection, rows)
        for row, shown in taken:
            if shown.complete != bool(row.complete):
                submissions.mark_completeness(connection, row.assignment, shown.complete)

    def record(self, connection: Connection, annotator: int, assignment: int, said: Submission) -> AnswerOutcome:
        """Append what is said of an assignment; ``PermissionError`` if it is not this annotator's."""
        row = LOCKED_ASSIGNMENT(connection, who=annotator, assignment=assignment).first()
        if row is None:
            raise PermissionError("there is no such page")
        rows, taken = self._fresh(connection, row, said, submissions.read_history(connection, assignment))
        self._write(connection, rows, [taken])
        return taken

    def assign_next_page(self, connection: Connection, taken: AnswerOutcome) -> AssignedPage:
        """Give out the next page after one that is now complete, so that to ask for it writes nothing."""
        row, shown = taken
        if not taken.completes:
            return shown
        who = self.reach(connection, annotators.annotator_from_row(row))
        return replace(shown, of=self.queue(connection).length(connection, who, row.assignment))

    def reach(self, connection: Connection, who: Annotator) -> Annotator:
        """Give out the next page, if all others are complete; the annotator in the state that this leaves them in."""
        if who.state not in WORKING_STATES:
            return who
        queue = self.queue(connection)
        state = "active"
        if FIRST_INCOMPLETE_ASSIGNMENT(connection, who=who.id).first() is None and queue.give(connection, who) is None:
            state = "paused" if queue.has_failed_training(connection, who) else "finished"
        if state != who.state:
            annotators.set_state(connection, who.name, state, "")
        return replace(who, state=state)


def _at(connection: Connection, statement: PreparedStatement, annotator: int, number: int) -> Row[Any]:
    return _open(statement(connection, who=annotator, number=number).first() if 0 < number < 2**31 else None, number)


def _open(row: Row[Any] | None, number: int) -> Row[Any]:
    """The assignment at a place; :class:`NotOpen` if there is none, or if it is beyond the first not complete."""
    if row is None or (row.first is not None and number > row.first):
        raise PageNotOpen(number)
    return row

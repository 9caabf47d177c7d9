"""The desk of a study: what is done inside a transaction to show a page, to take what is said of it, and to go on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, select

from polyseme.annotate import answers, people
from polyseme.annotate.answers import Said, page_of
from polyseme.annotate.items import Answered, Page
from polyseme.annotate.people import Annotator
from polyseme.annotate.prepared import (
    AT_NUMBER,
    FIRST_INCOMPLETE,
    GIVEN_AT_NUMBER,
    GIVEN_AT_NUMBERS,
    GIVEN_TO,
    Prepared,
)
from polyseme.annotate.queue import Queue
from polyseme.annotate.rows import cards
from polyseme.annotate.schema import PAGE
from polyseme.annotate.showing import Shown
from polyseme.annotate.study import Study
from polyseme.errors import InputError

KEPT = 256
"""Pages that are kept in memory."""
GETTING = ("invited", "active")
"""The states in which an annotator is given pages."""


class Asked(NamedTuple):
    """An annotator says something of the page at a place of their order: what ``say`` makes of it as it stands."""

    annotator: int
    number: int
    say: Callable[[Shown], Said | None]


class NotOpen(KeyError):
    """There is no page at this place, or it is beyond the first that is not complete."""


class Paused(InputError):
    """Nothing is taken from an annotator whose work is paused."""


class Taken(NamedTuple):
    """What came of it: the page as it now is, and the assignment as it was."""

    row: Row[Any]
    shown: Shown

    @property
    def completes(self) -> bool:
        """Whether the page became complete by it."""
        return self.shown.complete and not self.row.complete


class Desk:
    """Pages, and the queue in which they are given out; what it remembers only saves reading it again."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._queue: Queue | None = None
        self._pages: dict[int, Page] = {}

    def queue(self, connection: Connection) -> Queue:
        """The order in which pages are given out."""
        if self._queue is None:
            self._queue = Queue(self._study, cards(connection))
        return self._queue

    def page(self, connection: Connection, number: int) -> Page:
        """A page by its number in the database."""
        found = self._pages.get(number)
        if found is None:
            if len(self._pages) >= KEPT:
                self._pages.clear()
            found = self._pages[number] = page_of(connection.execute(select(PAGE).where(PAGE.c.id == number)).one())
        return found

    def at(self, connection: Connection, annotator: int, number: int) -> Shown:
        """The page at a place of an annotator's order; ``KeyError`` if it is none, or beyond the current one."""
        return self.shown(connection, _at(connection, AT_NUMBER, annotator, number))

    def shown(self, connection: Connection, row: Row[Any], who: Annotator | None = None) -> Shown:
        """The page of an assignment as it stands."""
        return self._seen(connection, row, answers.answered(connection, row.assignment), bool(row.complete), who)

    def _seen(
        self, connection: Connection, row: Row[Any], stands: Answered, complete: bool, who: Annotator | None = None
    ) -> Shown:
        page = self.page(connection, row.page)
        length = self.queue(connection).length(connection, who or people.person(row), row.assignment)
        return Shown(row.assignment, row.number, length, page, row.role, stands, complete)

    def take(self, connection: Connection, asked: Asked) -> Taken:
        """Append what is made of a page as it stands; the annotator is locked until the transaction ends.

        Whatever is wrong with it is found out before anything is written.
        """
        row = _at(connection, GIVEN_AT_NUMBER, asked.annotator, asked.number)
        rows, taken = self._made(connection, asked, row, answers.history_of(connection, row.assignment))
        self._write(connection, rows, [taken])
        return taken

    def take_all(self, connection: Connection, asked: Sequence[Asked]) -> list[Taken | InputError | NotOpen]:
        """:meth:`take` of several, of which no two are one annotator's; in few statements, however many they are."""
        places = [(each.annotator, each.number) for each in asked if 0 < each.number < 2**31]
        found = connection.execute(GIVEN_AT_NUMBERS, {"places": places}) if places else ()
        given = {(row.id, row.number): row for row in found}
        histories = answers.histories_of(connection, [row.assignment for row in given.values()])
        rows: list[dict[str, Any]] = []
        done: list[Taken | InputError | NotOpen] = []
        for each in asked:
            try:
                row = _open(given.get((each.annotator, each.number)), each.number)
                new, taken = self._made(connection, each, row, histories[row.assignment])
            except (InputError, NotOpen) as error:
                done.append(error)
            else:
                rows += new
                done.append(taken)
        self._write(connection, rows, [each for each in done if isinstance(each, Taken)])
        return done

    def _made(
        self, connection: Connection, asked: Asked, row: Row[Any], history: Sequence[Row[Any]]
    ) -> tuple[list[dict[str, Any]], Taken]:
        """What is to be appended of what is said, and the page as it then is."""
        shown = self._seen(connection, row, answers.summed(history), bool(row.complete))
        said = asked.say(shown)
        return ([], Taken(row, shown)) if said is None else self._fresh(connection, row, said, history)

    def _fresh(
        self, connection: Connection, row: Row[Any], said: Said, history: Sequence[Row[Any]]
    ) -> tuple[list[dict[str, Any]], Taken]:
        if row.state == "paused":
            raise Paused("your work is paused, so that nothing can be saved; ask who invited you")
        page = self.page(connection, row.page)
        rows, stands = answers.fresh(row.id, row.assignment, page, said, history)
        return rows, Taken(row, self._seen(connection, row, stands, not page.missing(stands)))

    def _write(self, connection: Connection, rows: Sequence[Mapping[str, Any]], taken: Sequence[Taken]) -> None:
        answers.write(connection, rows)
        for row, shown in taken:
            if shown.complete != bool(row.complete):
                answers.mark(connection, row.assignment, shown.complete)

    def record(self, connection: Connection, annotator: int, assignment: int, said: Said) -> Taken:
        """Append what is said of an assignment; ``PermissionError`` if it is not this annotator's."""
        row = GIVEN_TO(connection, who=annotator, assignment=assignment).first()
        if row is None:
            raise PermissionError("there is no such page")
        rows, taken = self._fresh(connection, row, said, answers.history_of(connection, assignment))
        self._write(connection, rows, [taken])
        return taken

    def went_on(self, connection: Connection, taken: Taken) -> Shown:
        """Give out the next page after one that is now complete, so that to ask for it writes nothing."""
        row, shown = taken
        if not taken.completes:
            return shown
        who = self.reach(connection, people.person(row))
        return replace(shown, of=self.queue(connection).length(connection, who, row.assignment))

    def reach(self, connection: Connection, who: Annotator) -> Annotator:
        """Give out the next page, if all others are complete; the annotator in the state that this leaves them in."""
        if who.state not in GETTING:
            return who
        queue = self.queue(connection)
        state = "active"
        if FIRST_INCOMPLETE(connection, who=who.id).first() is None and queue.give(connection, who) is None:
            state = "paused" if queue.has_failed(connection, who) else "finished"
        if state != who.state:
            people.set_state(connection, who.name, state, "")
        return replace(who, state=state)


def _at(connection: Connection, statement: Prepared, annotator: int, number: int) -> Row[Any]:
    return _open(statement(connection, who=annotator, number=number).first() if 0 < number < 2**31 else None, number)


def _open(row: Row[Any] | None, number: int) -> Row[Any]:
    """The assignment at a place; :class:`NotOpen` if there is none, or if it is beyond the first not complete."""
    if row is None or (row.first is not None and number > row.first):
        raise NotOpen(number)
    return row

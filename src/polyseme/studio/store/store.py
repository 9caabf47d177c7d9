"""The store: everything that is read and written while a study runs, in SQLite or PostgreSQL.

Every method is one transaction: when it returns, what it wrote is on disk. Any number of threads may use one store, and
any number of processes one database.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, insert, select, update

from polyseme.errors import InputError
from polyseme.rating import Ratings
from polyseme.studio.store import annotators, backup, records, submissions
from polyseme.studio.store.annotators import Annotator
from polyseme.studio.store.assigned_page import AssignedPage
from polyseme.studio.store.database import Database, utc_timestamp
from polyseme.studio.store.migrations import migrate
from polyseme.studio.store.page_rows import find_page_id, get_adjudication_assignment, page_row, study_digest
from polyseme.studio.store.page_service import WORKING_STATES, AnswerOutcome, AnswerRequest, PageNotOpen, PageService
from polyseme.studio.store.records import AnnotatorProgress, AuditEntry, InvalidUsage, StudyEvent
from polyseme.studio.store.schema import PAGE, STUDY
from polyseme.studio.store.statements import CURRENT_ASSIGNMENT
from polyseme.studio.store.submissions import Submission, page_from_row
from polyseme.studio.study.pages import Judgement, Page, PageAnswers
from polyseme.studio.study.settings import Study, parse_study

__all__ = [
    "Annotator",
    "AnnotatorProgress",
    "AssignedPage",
    "AuditEntry",
    "InvalidUsage",
    "Judgement",
    "Page",
    "PageAnswers",
    "Store",
    "StudyEvent",
]


class Store:
    """A study with its annotators and their judgements; :meth:`open` makes one."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._study: Study | None = None
        self._known_desk: PageService | None = None

    @classmethod
    def open(cls, url: str, *, create: bool = False) -> Store:
        """Open a store, ``sqlite:///study.db`` or ``postgresql://…``; an older schema is brought up to date.

        A path alone is that of a SQLite file. Without ``create`` there must be a store already.
        """
        database = Database(url)
        if not create and database.file is not None and not database.file.is_file():
            raise InputError("there is no such store. Type: polyseme annotate serve STUDY.toml", path=database.file)
        try:
            database.check()
            with database.write() as connection:
                migrate(connection, database, create=create)
        except BaseException:
            database.close()
            raise
        return cls(database)

    def close(self) -> None:
        """Close all connections."""
        self.database.close()

    # -- the study ---------------------------------------------------------------------------------------------------

    def begin(self, study: Study, pages: Sequence[Page]) -> None:
        """Begin a study, once; the same again changes nothing but its title and instructions, another is an error."""
        text = {"toml": study.source, "instructions": study.instructions}
        with self.database.write() as connection:
            found = connection.execute(select(STUDY)).first()
            if found is None:
                made = {"id": 1, "digest": study_digest(study, pages), "created": utc_timestamp()}
                connection.execute(insert(STUDY).values(**made, **text))
                connection.execute(insert(PAGE), [page_row(number, page) for number, page in enumerate(pages, start=1)])
            elif found.digest != study_digest(study, pages):
                problem = "another study has begun here, or this one was changed since"
                advice = "what is judged cannot change; name another store, as --store new.db"
                raise InputError(f"{problem}; {advice}", path=self.database)
            elif (found.toml, found.instructions) != tuple(text.values()):
                connection.execute(update(STUDY).values(**text))
                annotators.write_audit_entry(connection, "", "the text of the study was changed", found.toml)
        self._study = self._known_desk = None

    @property
    def begun(self) -> bool:
        """Whether a study has begun here."""
        with self.database.read() as connection:
            return connection.execute(select(STUDY.c.id)).first() is not None

    @property
    def study(self) -> Study:
        """The study that :meth:`begin` began; an error if none has."""
        if self._study is None:
            with self.database.read() as connection:
                found = connection.execute(select(STUDY)).first()
            if found is None:
                problem = "no study has begun here"
                raise InputError(f"{problem}. Type: polyseme annotate serve STUDY.toml", path=self.database)
            self._study = replace(parse_study(found.toml, self.database), instructions=found.instructions)
        return self._study

    @cached_property
    def study_created(self) -> str:
        """When the study began here: what does not change when its words do."""
        with self.database.read() as connection:
            return str(connection.execute(select(STUDY.c.created)).scalar_one())

    @property
    def _desk(self) -> PageService:
        if self._known_desk is None:
            self._known_desk = PageService(self.study)
        return self._known_desk

    # -- people ------------------------------------------------------------------------------------------------------

    def add_annotator(self, name: str, *, group: str = "", kind: str = "annotator", email: str = "") -> str:
        """Add an annotator or a manager; the invitation token, which is shown this once.

        Without a group the one with the fewest annotators is taken. A name that is taken is an ``InputError``.
        """
        study = self.study
        with self.database.write() as connection:
            connection.execute(select(STUDY.c.id).with_for_update())  # groups are balanced one after the other
            token = annotators.insert_annotator(connection, study, name, group, kind, email)
            annotators.write_audit_entry(connection, "", f"{name} was added", kind)
        return token

    def annotators(self) -> list[Annotator]:
        """All annotators and managers, in the order in which they were added."""
        with self.database.read() as connection:
            return annotators.read_annotators(connection)

    def annotator(self, id: int) -> Annotator:
        """One of them by number; ``KeyError`` if there is none."""
        with self.database.read() as connection:
            return _require_annotator(annotators.find_annotator(connection, id), id)

    def set_state(self, name: str, state: str, by: str) -> None:
        """Pause an annotator, let one go on (``active``), or end their work (``finished``).

        Who is not active gives back the page that is not complete, where pages are given out on demand; who goes on
        has it again, as one of those wanted if there is still room.
        """
        desk = self._desk
        with self.database.write() as connection:
            annotators.set_state(connection, name, state, by)
            if state == "active":
                desk.queue(connection).reclaim_slots(connection, annotators.get_annotator(connection, name))

    # -- what an annotator sees and says -----------------------------------------------------------------------------

    def current(self, annotator: int) -> AssignedPage | None:
        """The first page that is not complete, or the next one, which is then assigned; ``None``: nothing is left.

        ``None`` also if the training was not passed; the annotator is then paused. Managers have no pages.
        """
        with self.database.read() as connection:
            row = CURRENT_ASSIGNMENT(connection, who=annotator).first()
            if row is None:
                raise KeyError(annotator)
            who = annotators.annotator_from_row(row)
            if row.assignment is not None and who.state != "invited":
                return self._desk.shown(connection, row)
            if who.is_manager or who.state not in WORKING_STATES:
                return None
            self._desk.queue(connection).trail(connection, who)  # worked out here, where nobody waits for it
        with self.database.write() as connection:
            who = _require_annotator(annotators.find_annotator(connection, annotator, lock=True), annotator)
            self._desk.reach(connection, who)
            row = CURRENT_ASSIGNMENT(connection, who=annotator).first()
            return None if row is None or row.assignment is None else self._desk.shown(connection, row, who)

    def shown(self, annotator: int, number: int) -> AssignedPage:
        """The page at this place of the annotator's order; ``KeyError`` if it is none, or beyond the current one."""
        with self.database.read() as connection:
            return self._desk.at(connection, annotator, number)

    def answer(self, annotator: int, number: int, say: Callable[[AssignedPage], Submission | None]) -> AssignedPage:
        """Append what is made of the page at this place as it stands; the page as it then is.

        All is one transaction, where :meth:`shown` and :meth:`record` are two. ``say`` may return ``None``, and nothing
        is recorded. ``KeyError`` as of :meth:`shown`, ``InputError`` as of :meth:`record`.
        """
        found = self.answer_all([AnswerRequest(annotator, number, say)])[0]
        if isinstance(found, Exception):
            raise found
        return found

    def answer_all(self, asked: Sequence[AnswerRequest]) -> list[AssignedPage | Exception]:
        """:meth:`answer` of many at once, in one transaction; the error of one is no other's."""
        try:
            return self._answer_all(asked)
        except Exception as error:
            if len(asked) == 1:
                return [error]
            logging.getLogger(__name__).exception("%d clicks could not be saved together; one by one", len(asked))
        return [found for each in asked for found in self.answer_all([each])]

    def _answer_all(self, asked: Sequence[AnswerRequest]) -> list[AssignedPage | Exception]:
        """Annotators are locked in one order, and pages given out after that, so that two never wait for each other."""
        desk, order = self._desk, sorted(range(len(asked)), key=lambda place: asked[place].annotator)
        with self.database.write() as connection:
            found = dict(zip(order, self._taken(connection, [asked[place] for place in order]), strict=True))
            if sum(isinstance(each, AnswerOutcome) and each.completes for each in found.values()) > 1:
                self.database.serialise(connection)
            return [
                desk.assign_next_page(connection, each) if isinstance(each, AnswerOutcome) else each
                for each in map(found.__getitem__, range(len(asked)))
            ]

    def _taken(
        self, connection: Connection, asked: Sequence[AnswerRequest]
    ) -> list[AnswerOutcome | InputError | PageNotOpen]:
        """What annotators say, who come in their order: together, but for what one says after something else."""
        again = [each.annotator == before.annotator for each, before in zip(asked[1:], asked, strict=False)]
        if len(asked) > 1 and not any(again):
            return self._desk.take_all(connection, asked)
        return [self._taken_alone(connection, each) for each in asked]

    def _taken_alone(self, connection: Connection, asked: AnswerRequest) -> AnswerOutcome | InputError | PageNotOpen:
        try:
            return self._desk.take(connection, asked)
        except (InputError, PageNotOpen) as error:
            return error

    def record(
        self,
        annotator: int,
        assignment: int,
        judgements: Sequence[Judgement],
        *,
        request: str,
        comment: str | None = None,
        invalid: str | None = None,
        milliseconds: int | None = None,
        client_time: str = "",
    ) -> AssignedPage:
        """Append what an annotator says of a page; the page as it now stands.

        ``request`` names what the client sends: sent again, it changes nothing. ``comment`` and ``invalid`` replace
        those that were there, ``None`` leaves them; an ``invalid`` of ``""`` says that the usage is valid after all.
        ``milliseconds`` is the time since the page was shown, or since what was last sent from it.
        ``PermissionError`` if the page is not this annotator's; ``InputError`` if a target is not of the page, a value
        not on the scale or a text too long, or if the annotator is paused: then nothing is recorded.
        """
        said = Submission(tuple(judgements), request, comment, invalid, milliseconds, client_time)
        with self.database.write() as connection:
            return self._desk.assign_next_page(connection, self._desk.record(connection, annotator, assignment, said))

    def adjudicate(
        self, manager: int, page: str, judgements: Sequence[Judgement], *, request: str, comment: str | None = None
    ) -> PageAnswers:
        """Append a manager's judgement of a page, beside those of the annotators, which stay; what is adjudicated.

        ``PermissionError`` if this is no manager, ``KeyError`` if there is no such page.
        """
        said = Submission(tuple(judgements), request, comment)
        with self.database.write() as connection:
            who = annotators.find_annotator(connection, manager, lock=True)
            if who is None or not who.is_manager:
                raise PermissionError("only managers adjudicate")
            number = find_page_id(connection, page)
            assignment = get_adjudication_assignment(connection, manager, number)
            history = submissions.read_history(connection, assignment)
            seen = self._desk.page(connection, number)
            found = submissions.append_submission(connection, manager, assignment, seen, said, history, "adjudication")
            annotators.write_audit_entry(connection, who.name, "adjudicated", page)
            return found

    # -- what came of it ---------------------------------------------------------------------------------------------

    def page(self, name: str) -> Page:
        """A page by its name; ``KeyError`` if there is none."""
        with self.database.read() as connection:
            return self._desk.page(connection, find_page_id(connection, name))

    def pages(self) -> Iterator[Page]:
        """All pages."""
        with (
            self.database.read() as connection,
            connection.execution_options(yield_per=500).execute(select(PAGE).order_by(PAGE.c.id)) as rows,
        ):
            yield from map(page_from_row, rows)

    def progress(self) -> list[AnnotatorProgress]:
        """How far each annotator is."""
        with self.database.read() as connection:
            queue = self._desk.queue(connection)
            who = [each for each in annotators.read_annotators(connection) if not each.is_manager]
            return records.read_progress(connection, {each.id: queue.length(connection, each) for each in who})

    def ratings(self, *, all_events: bool = False) -> Ratings:
        """The current judgements, in the order in which they were given; with ``all_events`` those changed later, too.

        Those of usages that their annotator calls invalid, and choices withdrawn, are only among ``all_events``.
        """
        with self.database.read() as connection:
            return records.read_stored_ratings(connection, all_events=all_events)

    def adjudications(self) -> Ratings:
        """What managers decided, as ratings by them."""
        with self.database.read() as connection:
            return records.read_stored_ratings(connection, kind="adjudication")

    def invalid(self) -> list[InvalidUsage]:
        """The usages that annotators call invalid, and why."""
        with self.database.read() as connection:
            return records.read_invalid_usages(connection)

    def events(self) -> Iterator[StudyEvent]:
        """Everything that was ever said, in order."""
        with self.database.read() as connection:
            yield from records.iter_events(connection)

    def audit(self, who: str, what: str, detail: str = "") -> None:
        """Note in the audit log who did what."""
        with self.database.write() as connection:
            annotators.write_audit_entry(connection, who, what, detail)

    def audited(self, limit: int = 1000) -> list[AuditEntry]:
        """The audit log, the latest first."""
        with self.database.read() as connection:
            return records.read_audit_log(connection, limit)

    # -- copies ------------------------------------------------------------------------------------------------------

    def backup(self, path: str | os.PathLike[str]) -> None:
        """Copy a running SQLite store to a new file, as it is at one moment; of PostgreSQL, ``pg_dump`` does it."""
        backup.write_backup(self.database, path)

    def contents(self) -> dict[str, list[dict[str, Any]]]:
        """Everything but secrets, as rows by table, as it is at one moment: what :meth:`restore` takes."""
        with self.database.read() as connection:
            return backup.dump_tables(connection)

    def restore(self, contents: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        """Put what :meth:`contents` gave into an empty store; an error if a study has begun here."""
        with self.database.write() as connection:
            backup.restore_tables(connection, contents, self.database)
        self._study = self._known_desk = None


def _require_annotator(found: Annotator | None, id: int) -> Annotator:
    if found is None:
        raise KeyError(id)
    return found

"""The store: all data that a running study reads and writes, in SQLite or PostgreSQL.

Every method is one transaction: its changes are on disk when it returns. Any number of threads can share one store,
and any number of processes one database.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property
from typing import Any

from sqlalchemy import insert, select, update

from polyseme.errors import InputError
from polyseme.rating import Ratings
from polyseme.studio.store import annotators, backup, records, submissions
from polyseme.studio.store.annotators import Annotator
from polyseme.studio.store.assigned_page import AssignedPage
from polyseme.studio.store.database import Database, utc_timestamp
from polyseme.studio.store.migrations import migrate
from polyseme.studio.store.page_rows import find_page_id, get_adjudication_assignment, page_row, study_digest
from polyseme.studio.store.page_service import (
    WORKING_STATES,
    AnswerOutcome,
    AnswerRequest,
    PageNotOpen,
    PageService,
    SubmissionBuilder,
)
from polyseme.studio.store.records import AnnotatorProgress, AuditEntry, StudyEvent
from polyseme.studio.store.schema import PAGE, STUDY
from polyseme.studio.store.statements import CURRENT_ASSIGNMENT
from polyseme.studio.store.submissions import Submission, page_from_row
from polyseme.studio.study.pages import Judgement, Page, PageAnswers
from polyseme.studio.study.settings import Study, parse_study

SERVE_COMMAND = "Type: polyseme annotate serve STUDY.toml"


class Store:
    """A study with its annotators and their judgements; :meth:`open` returns one.

    Args:
        database: The database of the study.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self._study: Study | None = None
        self._service: PageService | None = None

    @classmethod
    def open(cls, url: str, *, create: bool = False) -> Store:
        """Open a store and update an older schema.

        Args:
            url: ``sqlite:///study.db``, ``postgresql://…``, or the path of a SQLite file.
            create: Create the store if there is none.

        Raises:
            InputError: The store does not exist and ``create`` is false, or it cannot be opened.
        """
        database = Database(url)
        if not create and database.file is not None and not database.file.is_file():
            raise InputError(f"this store does not exist. {SERVE_COMMAND}", path=database.file)
        with ExitStack() as cleanup:
            cleanup.callback(database.close)
            database.check()
            with database.write() as connection:
                migrate(connection, database, create=create)
            cleanup.pop_all()
        return cls(database)

    def close(self) -> None:
        """Close all connections."""
        self.database.close()

    # -- the study ---------------------------------------------------------------------------------------------------

    def begin(self, study: Study, pages: Sequence[Page]) -> None:
        """Begin a study; if the same study has begun already, update its title and instructions.

        Raises:
            InputError: Another study has begun in this store.
        """
        wording = {"toml": study.source, "instructions": study.instructions}
        digest = study_digest(study, pages)
        with self.database.write() as connection:
            row = connection.execute(select(STUDY)).first()
            if row is None:
                created = {"id": 1, "digest": digest, "created": utc_timestamp()}
                connection.execute(insert(STUDY).values(**created, **wording))
                connection.execute(insert(PAGE), [page_row(id, page) for id, page in enumerate(pages, start=1)])
            elif row.digest != digest:
                problem = "another study has begun here, or this one has changed since"
                advice = "Items cannot change once a study has begun; name a new store: --store new.db"
                raise InputError(f"{problem}. {advice}", path=self.database)
            elif (row.toml, row.instructions) != tuple(wording.values()):
                connection.execute(update(STUDY).values(**wording))
                annotators.write_audit_entry(connection, "", "the text of the study was changed", row.toml)
        self._study = self._service = None

    @property
    def has_study(self) -> bool:
        """Whether a study has begun here."""
        with self.database.read() as connection:
            return connection.execute(select(STUDY.c.id)).first() is not None

    @property
    def study(self) -> Study:
        """The study of this store; ``InputError`` if none has begun."""
        if self._study is None:
            with self.database.read() as connection:
                row = connection.execute(select(STUDY)).first()
            if row is None:
                raise InputError(f"no study has begun here. {SERVE_COMMAND}", path=self.database)
            self._study = replace(parse_study(row.toml, self.database), instructions=row.instructions)
        return self._study

    @cached_property
    def study_created(self) -> str:
        """The time at which the study began here, which a change of its wording does not affect."""
        with self.database.read() as connection:
            return str(connection.execute(select(STUDY.c.created)).scalar_one())

    @property
    def _pages(self) -> PageService:
        if self._service is None:
            self._service = PageService(self.study)
        return self._service

    # -- annotators --------------------------------------------------------------------------------------------------

    def add_annotator(self, name: str, *, group: str = "", kind: str = "annotator", email: str = "") -> str:
        """Add an annotator or a manager.

        Args:
            name: The name, which must be new.
            group: The group; default: the one with the fewest annotators.
            kind: ``annotator`` or ``manager``.
            email: An e-mail address.

        Returns:
            The invitation token, which is stored only as a hash.
        """
        study = self.study
        with self.database.write() as connection:
            connection.execute(select(STUDY.c.id).with_for_update())  # one at a time, so that groups stay balanced
            token = annotators.insert_annotator(connection, study, name, group, kind, email)
            annotators.write_audit_entry(connection, "", f"{name} was added", kind)
        return token

    def annotators(self) -> list[Annotator]:
        """Return all annotators and managers, in the order in which they were added."""
        with self.database.read() as connection:
            return annotators.read_annotators(connection)

    def set_state(self, name: str, state: str, by: str) -> None:
        """Pause (``paused``), resume (``active``) or end (``finished``) the work of an annotator.

        If pages are assigned on demand, an annotator who stops releases the incomplete page. An annotator who resumes
        gets it back if a slot is free.
        """
        service = self._pages
        with self.database.write() as connection:
            annotators.set_state(connection, name, state, by)
            if state == "active":
                annotator = annotators.get_annotator(connection, name)
                service.queue(connection).reclaim_slots(connection, annotator)

    # -- pages and answers -------------------------------------------------------------------------------------------

    def current_page(self, annotator: int) -> AssignedPage | None:
        """Return the first incomplete page; assign the next one if all are complete.

        Returns:
            ``None`` if no page is left, for managers, and after a failed training, which pauses the annotator.

        Raises:
            KeyError: No annotator has this id.
        """
        with self.database.read() as connection:
            row = connection.execute(CURRENT_ASSIGNMENT, {"annotator": annotator}).first()
            if row is None:
                raise KeyError(annotator)
            user = annotators.annotator_from_row(row)
            if row.assignment is not None and user.state != "invited":
                return self._pages.assigned_page(connection, row)
            if user.is_manager or user.state not in WORKING_STATES:
                return None
            self._pages.queue(connection).history(connection, user)  # computed before the write transaction begins
        with self.database.write() as connection:
            self._pages.advance(connection, annotators.lock_annotator(connection, annotator))
            row = connection.execute(CURRENT_ASSIGNMENT, {"annotator": annotator}).one()
            return None if row.assignment is None else self._pages.assigned_page(connection, row)

    def page_at(self, annotator: int, number: int) -> AssignedPage:
        """Return the page at a position of the annotator's order, from 1.

        Raises:
            PageNotOpen: No page has this number, or an earlier page is incomplete.
        """
        with self.database.read() as connection:
            return self._pages.page_at(connection, annotator, number)

    def answer(self, annotator: int, number: int, build: SubmissionBuilder) -> AssignedPage:
        """Save an answer that depends on the current answers of its page.

        Args:
            annotator: The id of the annotator.
            number: The position of the page in the annotator's order.
            build: Computes the submission from the page; ``None`` saves nothing.

        Returns:
            The page with its new answers.

        Raises:
            PageNotOpen: No page has this number, or an earlier page is incomplete.
            InputError: The submission is invalid or the annotator is paused; nothing is saved.
        """
        (outcome,) = self.answer_all([AnswerRequest(annotator, number, build)])
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def answer_all(self, requests: Sequence[AnswerRequest]) -> list[AssignedPage | InputError | PageNotOpen]:
        """Save many answers in one transaction.

        A refused request does not affect the others. Several requests of one annotator are saved in their order.
        Annotators are locked in the order of their ids, and pages are assigned after that, so no deadlock can occur.

        Returns:
            For each request, the page with its new answers, or the error that refused it.
        """
        waves: defaultdict[int, list[int]] = defaultdict(list)
        counts: Counter[int] = Counter()
        for position, request in enumerate(requests):
            waves[counts[request.annotator]].append(position)
            counts[request.annotator] += 1
        outcomes: dict[int, AnswerOutcome | InputError | PageNotOpen] = {}
        with self.database.write() as connection:
            for wave in waves.values():
                saved = self._pages.save_answers(connection, [requests[position] for position in wave])
                outcomes |= zip(wave, saved, strict=True)
            if sum(isinstance(outcome, AnswerOutcome) and outcome.completes for outcome in outcomes.values()) > 1:
                self.database.serialise(connection)
            return [
                self._pages.assign_next_page(connection, outcome) if isinstance(outcome, AnswerOutcome) else outcome
                for _, outcome in sorted(outcomes.items())
            ]

    def record(
        self,
        annotator: int,
        number: int,
        judgements: Sequence[Judgement],
        *,
        request: str,
        comment: str | None = None,
        invalid: str | None = None,
        milliseconds: int | None = None,
        client_time: str = "",
    ) -> AssignedPage:
        """Save an annotator's answers to a page.

        Args:
            annotator: The id of the annotator.
            number: The position of the page in the annotator's order.
            judgements: The judgements.
            request: The id of the submission; sending the same one again changes nothing.
            comment: Replaces the comment; ``None`` leaves it.
            invalid: Why the usage is invalid; ``""`` makes it valid again, ``None`` leaves it.
            milliseconds: The time since the page was opened or since the previous submission.
            client_time: The time by the clock of the client.

        Returns:
            The page with its new answers.

        Raises:
            PageNotOpen: No page has this number, or an earlier page is incomplete.
            InputError: A target, a value or a text is not allowed, or the annotator is paused; nothing is saved.
        """
        submission = Submission(tuple(judgements), request, comment, invalid, milliseconds, client_time)
        return self.answer(annotator, number, lambda _: submission)

    def adjudicate(
        self, manager: int, page: str, judgements: Sequence[Judgement], *, request: str, comment: str | None = None
    ) -> PageAnswers:
        """Save a manager's judgements of a page; those of the annotators stay.

        Returns:
            All judgements of the manager for this page.

        Raises:
            PermissionError: The user is not a manager.
            KeyError: No page has this name.
        """
        submission = Submission(tuple(judgements), request, comment)
        with self.database.write() as connection:
            user = annotators.lock_annotator(connection, manager)
            if not user.is_manager:
                raise PermissionError("only managers adjudicate")
            id = find_page_id(connection, page)
            assignment = get_adjudication_assignment(connection, manager, id)
            history = submissions.read_history(connection, assignment)
            content = self._pages.page(connection, id)
            events, answers = submissions.build_events(
                manager, assignment, content, submission, history, "adjudication"
            )
            submissions.write_events(connection, events)
            annotators.write_audit_entry(connection, user.name, "adjudicated", page)
            return answers

    # -- results -----------------------------------------------------------------------------------------------------

    def page(self, name: str) -> Page:
        """Return a page by its name; ``KeyError`` if there is none."""
        with self.database.read() as connection:
            return self._pages.page(connection, find_page_id(connection, name))

    def pages(self) -> Iterator[Page]:
        """Iterate over all pages."""
        with (
            self.database.read() as connection,
            connection.execution_options(yield_per=500).execute(select(PAGE).order_by(PAGE.c.id)) as rows,
        ):
            yield from map(page_from_row, rows)

    def progress(self) -> list[AnnotatorProgress]:
        """Return the progress of each annotator."""
        with self.database.read() as connection:
            queue = self._pages.queue(connection)
            users = [user for user in annotators.read_annotators(connection) if not user.is_manager]
            return records.read_progress(connection, {user.id: queue.count_pages(connection, user) for user in users})

    def ratings(self, *, all_events: bool = False, adjudicated: bool = False, of_invalid: bool = False) -> Ratings:
        """Return the current judgements, in the order of their times.

        Args:
            all_events: Include judgements that were changed later, withdrawn choices, and judgements of usages that
                their annotator marked as invalid.
            adjudicated: Add the decisions of managers, with the role ``adjudication``.
            of_invalid: Return the judgements of usages that their annotator marked as invalid instead.
        """
        with self.database.read() as connection:
            ratings = records.read_stored_ratings(connection, all_events=all_events, of_invalid=of_invalid)
            decisions = records.read_stored_ratings(connection, kind="adjudication") if adjudicated else ()
            return Ratings([*ratings, *decisions])

    def adjudications(self) -> Ratings:
        """Return the managers' judgements as ratings with the role ``adjudication``."""
        with self.database.read() as connection:
            return records.read_stored_ratings(connection, kind="adjudication")

    def invalid_usages(self) -> list[StudyEvent]:
        """Return the usages that annotators marked as invalid, with their reasons."""
        with self.database.read() as connection:
            return records.read_invalid_usages(connection)

    def events(self) -> Iterator[StudyEvent]:
        """Iterate over all events, in order."""
        with self.database.read() as connection:
            yield from records.iter_events(connection)

    def audit(self, user: str, action: str, detail: str = "") -> None:
        """Write an entry to the audit log."""
        with self.database.write() as connection:
            annotators.write_audit_entry(connection, user, action, detail)

    def audit_log(self, limit: int = 1000) -> list[AuditEntry]:
        """Return the latest entries of the audit log, the latest first."""
        with self.database.read() as connection:
            return records.read_audit_log(connection, limit)

    # -- backups -----------------------------------------------------------------------------------------------------

    def backup(self, path: str | os.PathLike[str]) -> None:
        """Copy a running SQLite store to a new file; use ``pg_dump`` for PostgreSQL."""
        backup.write_backup(self.database, path)

    def contents(self) -> dict[str, list[dict[str, Any]]]:
        """Return the rows of all tables, without secrets, as :meth:`restore` takes them."""
        with self.database.read() as connection:
            return backup.dump_tables(connection)

    def restore(self, contents: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        """Insert the rows of :meth:`contents` into an empty store; ``InputError`` if a study has begun here."""
        with self.database.write() as connection:
            backup.restore_tables(connection, contents, self.database)
        self._study = self._service = None

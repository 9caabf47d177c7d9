"""Submissions: the answers of annotators are appended as events, which are replayed and never change."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, select

from polyseme.errors import InputError
from polyseme.studio.store.database import utc_timestamp
from polyseme.studio.store.schema import ASSIGNMENT, PAGE
from polyseme.studio.store.statements import APPEND_EVENTS, EVENTS_OF_ASSIGNMENTS, SET_COMPLETE
from polyseme.studio.study.pages import Judgement, Page, PageAnswers, check_text

MAX_REQUEST_LENGTH = 100
MAX_TIME_LENGTH = 64
MAX_MILLISECONDS = 2**31 - 1
"""About 24 days; longer times are recorded as this limit."""


@dataclass(frozen=True)
class Submission:
    """One submission of a client.

    Args:
        judgements: The judgements.
        request: The id of the submission, which the client chooses; sending it again changes nothing.
        comment: The new comment; ``None`` leaves it unchanged.
        invalid: Why the usage is invalid, empty if it is valid; ``None`` leaves it unchanged.
        milliseconds: The time since the page was opened, or since the last submission from it.
        client_time: The time by the clock of the client.

    Raises:
        InputError: A text is too long, the request has no id, or the time is negative.
    """

    judgements: tuple[Judgement, ...]
    request: str
    comment: str | None = None
    invalid: str | None = None
    milliseconds: int | None = None
    client_time: str = ""

    def __post_init__(self) -> None:
        if not self.request:
            raise InputError("the request has no id; send a new one with every click, such as a UUID")
        check_text(self.request, "request", MAX_REQUEST_LENGTH)
        check_text(self.client_time, "client's time", MAX_TIME_LENGTH)
        check_text(self.comment or "", "comment")
        check_text(self.invalid or "", "reason")
        if self.milliseconds is not None and self.milliseconds < 0:
            raise InputError(f"milliseconds is {self.milliseconds}; it must be 0 or more")

    @property
    def key(self) -> str:
        """The id of the request with a digest of its content.

        A submission that is sent again has the same key. A form that was edited and sent under the same id has a new
        key.
        """
        content = [[(each.target, each.value) for each in self.judgements], self.comment, self.invalid]
        digest = sha256(json.dumps(content).encode()).hexdigest()[:16]
        return f"{self.request}#{digest}"


def page_from_row(row: Row[Any]) -> Page:
    """Build a page from its row."""
    return Page.from_content(row.name, row.task, row.round, row.lemma, row.role, json.loads(row.content))


# -- events ----------------------------------------------------------------------------------------------------------


class _NewEvent(NamedTuple):
    """The content of a new event."""

    kind: str
    target: str
    value: float | None
    text: str


def read_histories(connection: Connection, assignments: Sequence[int]) -> dict[int, list[Any]]:
    """Read all events of assignments, in their order."""
    histories: dict[int, list[Any]] = {assignment: [] for assignment in assignments}
    for row in connection.execute(EVENTS_OF_ASSIGNMENTS, {"assignments": list(assignments)}):
        histories[row.assignment].append(row)
    return histories


def read_history(connection: Connection, assignment: int) -> list[Any]:
    """Read all events of an assignment, in their order."""
    return read_histories(connection, [assignment])[assignment]


def read_answers(connection: Connection, assignment: int) -> PageAnswers:
    """Read the current answers of an assignment."""
    return replay_events(read_history(connection, assignment))


def replay_events(events: Iterable[Any], kind: str = "rating") -> PageAnswers:
    """Compute the answers that follow from events in their order: the last value of each target.

    Args:
        events: The events of one assignment.
        kind: The kind of events that have values: ``rating`` or ``adjudication``.
    """
    values: dict[str, float | None] = {}
    texts = {"comment": "", "invalid": ""}
    for event in events:
        if event.kind == kind:
            values[event.target] = event.value
        elif event.kind in texts:
            texts[event.kind] = event.text
    return PageAnswers(values, **texts)


def build_events(
    annotator: int, assignment: int, page: Page, submission: Submission, history: Sequence[Any], kind: str = "rating"
) -> tuple[list[dict[str, Any]], PageAnswers]:
    """Build the events that a submission adds to an assignment.

    Args:
        annotator: The id of the annotator.
        assignment: The id of the assignment.
        page: Its page.
        submission: The submission.
        history: The events of the assignment so far.
        kind: The kind of events that have values: ``rating`` or ``adjudication``.

    Returns:
        The events, which are empty if the submission is in the history already, and the answers after them.

    Raises:
        InputError: The page does not accept the judgements.
    """
    earlier, key = replay_events(history, kind), submission.key
    if any(event.request == key for event in history):
        return [], earlier
    judgements = page.accept(submission.judgements, earlier)
    new = [_NewEvent(kind, judgement.target, judgement.value, "") for judgement in judgements]
    for name in ("comment", "invalid"):
        text = getattr(submission, name)
        if text is not None and (text or getattr(earlier, name)):  # an empty text that replaces none changes nothing
            new.append(_NewEvent(name, "", None, text))
    milliseconds = None if submission.milliseconds is None else min(submission.milliseconds, MAX_MILLISECONDS)
    shared = {"annotator": annotator, "assignment": assignment, "request": key, "time": utc_timestamp()}
    shared |= {"milliseconds": milliseconds, "client_time": submission.client_time}
    return [{**event._asdict(), **shared} for event in new], replay_events([*history, *new], kind)


def write_events(connection: Connection, events: Sequence[Mapping[str, Any]]) -> None:
    """Append events."""
    if events:
        connection.execute(APPEND_EVENTS, events)


# -- completeness ----------------------------------------------------------------------------------------------------


def mark_completeness(connection: Connection, assignment: int, complete: bool) -> None:
    """Record whether an assignment is complete."""
    connection.execute(SET_COMPLETE, {"assignment": assignment, "is_complete": complete})


def recompute_completeness(connection: Connection) -> None:
    """Compute again which assignments are complete."""
    assignments = select(ASSIGNMENT.c.id.label("assignment"), PAGE).join(PAGE, ASSIGNMENT.c.page == PAGE.c.id)
    for row in connection.execute(assignments).all():
        missing = page_from_row(row).missing(read_answers(connection, row.assignment))
        mark_completeness(connection, row.assignment, not missing)


def first_complete_answers(connection: Connection, assignment: int, page: Page) -> PageAnswers:
    """Read the answers that first completed a page; the current answers if it is incomplete.

    These count in training; later changes, after the feedback, do not.
    """
    events = read_history(connection, assignment)
    for _, request in groupby(enumerate(events, start=1), lambda numbered: numbered[1].request):
        answers = replay_events(events[: list(request)[-1][0]])
        if not page.missing(answers):
            return answers
    return replay_events(events)

"""What annotators say of their pages: appended, read back as it stands, and never changed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, select

from polyseme.errors import InputError, quote_value
from polyseme.studio.store.database import utc_timestamp
from polyseme.studio.store.schema import ASSIGNMENT, PAGE
from polyseme.studio.store.statements import APPEND_EVENTS, EVENTS_OF_ASSIGNMENTS, SET_COMPLETE
from polyseme.studio.study.pages import Judgement, Page, PageAnswers, check_text

MAX_REQUEST_LENGTH = 100
MAX_TIME_LENGTH = 64
MAX_MILLISECONDS = 2**31 - 1
"""Some 24 days: a page left open for longer took no longer."""


@dataclass(frozen=True)
class Submission:
    """What a client sends at once, checked in itself; ``request`` names it, and ``None`` leaves things as they are."""

    judgements: tuple[Judgement, ...]
    request: str
    comment: str | None = None
    invalid: str | None = None
    milliseconds: int | None = None
    client_time: str = ""

    def __post_init__(self) -> None:
        if not self.request:
            raise InputError("the request has no name; send one that is new with every click, as a UUID")
        check_text(self.request, "request", MAX_REQUEST_LENGTH)
        check_text(self.client_time, "client's time", MAX_TIME_LENGTH)
        check_text(self.comment or "", "comment")
        check_text(self.invalid or "", "reason")
        if self.milliseconds is not None and self.milliseconds < 0:
            raise InputError(f"milliseconds is {quote_value(self.milliseconds)}; it must be 0 or more")

    @property
    def key(self) -> str:
        """The request with a digest of what it says.

        Sent again it is the same, and changes nothing; a form that was edited and sent once more under the same name
        is not.
        """
        content = [[(each.target, each.value) for each in self.judgements], self.comment, self.invalid]
        digest = sha256(json.dumps(content).encode()).hexdigest()[:16]
        return f"{self.request}#{digest}"


def page_from_row(row: Row[Any]) -> Page:
    """The page that a row of the table holds."""
    return Page.from_content(row.name, row.task, row.round, row.lemma, row.role, json.loads(row.content))


def read_answers(connection: Connection, assignment: int, kind: str = "rating") -> PageAnswers:
    """The current answers of an assignment."""
    return replay_events(read_history(connection, assignment), kind)


def replay_events(rows: Iterable[Any], kind: str = "rating") -> PageAnswers:
    """What events, in their order, amount to: of each target the last value, as in the view of the database."""
    values: dict[str, float | None] = {}
    texts = {"comment": "", "invalid": ""}
    for row in rows:
        if row.kind == kind:
            values[row.target] = row.value
        elif row.kind in texts:
            texts[row.kind] = row.text
    return PageAnswers(values, **texts)


def read_history(connection: Connection, assignment: int) -> Sequence[Row[Any]]:
    """All that was ever said of an assignment, in its order."""
    return read_histories(connection, [assignment])[assignment]


def read_histories(connection: Connection, assignments: Sequence[int]) -> dict[int, list[Any]]:
    """The same of several."""
    found: dict[int, list[Any]] = {assignment: [] for assignment in assignments}
    for row in connection.execute(EVENTS_OF_ASSIGNMENTS, {"assignments": list(assignments)}):
        found[row.assignment].append(row)
    return found


def append_submission(
    connection: Connection,
    annotator: int,
    assignment: int,
    page: Page,
    said: Submission,
    history: Sequence[Row[Any]],
    kind: str = "rating",
) -> PageAnswers:
    """Append what is said of a page, unless it is in its history already; what its answers now are."""
    rows, stands = build_events(annotator, assignment, page, said, history, kind)
    write_events(connection, rows)
    return stands


def build_events(
    annotator: int, assignment: int, page: Page, said: Submission, history: Sequence[Row[Any]], kind: str = "rating"
) -> tuple[list[dict[str, Any]], PageAnswers]:
    """What is to be appended, nothing if it is in the history already, and what the page's answers then are."""
    before, key = replay_events(history, kind), said.key
    if any(row.request == key for row in history):
        return [], before
    new = _new_events(page, said, before, kind)
    took = None if said.milliseconds is None else min(said.milliseconds, MAX_MILLISECONDS)
    shared = {"annotator": annotator, "assignment": assignment, "request": key, "time": utc_timestamp()}
    shared |= {"milliseconds": took, "client_time": said.client_time}
    return [{**each._asdict(), **shared} for each in new], replay_events([*history, *new], kind)


def write_events(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Append rows to what was said."""
    if rows:
        connection.execute(APPEND_EVENTS, rows)


class _NewEvent(NamedTuple):
    """What is to be appended."""

    kind: str
    target: str
    value: float | None
    text: str


def _new_events(page: Page, said: Submission, before: PageAnswers, kind: str) -> list[_NewEvent]:
    found = [_NewEvent(kind, each.target, each.value, "") for each in page.accept(said.judgements, before)]
    texts = {"comment": (said.comment, before.comment), "invalid": (said.invalid, before.invalid)}
    for name, (text, current) in texts.items():
        if text is not None and (text or current):  # an empty comment where there is none says nothing
            found.append(_NewEvent(name, "", None, text))
    return found


def mark_completeness(connection: Connection, assignment: int, complete: bool) -> None:
    """Note whether an assignment is complete."""
    connection.execute(SET_COMPLETE, {"assignment": assignment, "is_complete": complete})


def recompute_completeness(connection: Connection) -> None:
    """Find out again of all assignments whether they are complete."""
    joined = select(ASSIGNMENT.c.id.label("assignment"), PAGE).join(PAGE, ASSIGNMENT.c.page == PAGE.c.id)
    for row in connection.execute(joined).all():
        mark_completeness(
            connection, row.assignment, not page_from_row(row).missing(read_answers(connection, row.assignment))
        )


def first_complete_answers(connection: Connection, assignment: int, page: Page) -> PageAnswers:
    """The answers with which a page was complete for the first time: in training those count, not what feedback made.

    If it is not complete, the current ones.
    """
    rows = read_history(connection, assignment)
    for end, row in enumerate(rows, start=1):
        together = end < len(rows) and rows[end].request == row.request
        if not together and not page.missing(found := replay_events(rows[:end])):
            return found
    return replay_events(rows)

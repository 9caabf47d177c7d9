"""What annotators say of their pages: appended, read back as it stands, and never changed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, select

from polyseme.annotate.database import now
from polyseme.annotate.items import Answered, Judgement, Page, check_text
from polyseme.annotate.prepared import APPEND, HISTORIES, HISTORY, MARK
from polyseme.annotate.schema import ASSIGNMENT, PAGE
from polyseme.errors import InputError, shown

LONGEST_REQUEST = 100
LONGEST_TIME = 64
MOST_MILLISECONDS = 2**31 - 1
"""Some 24 days: a page left open for longer took no longer."""


@dataclass(frozen=True)
class Said:
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
        check_text(self.request, "request", LONGEST_REQUEST)
        check_text(self.client_time, "client's time", LONGEST_TIME)
        check_text(self.comment or "", "comment")
        check_text(self.invalid or "", "reason")
        if self.milliseconds is not None and self.milliseconds < 0:
            raise InputError(f"milliseconds is {shown(self.milliseconds)}; it must be 0 or more")

    @property
    def key(self) -> str:
        """The request with a digest of what it says.

        Sent again it is the same, and changes nothing; a form that was edited and sent once more under the same name
        is not.
        """
        content = [[(each.target, each.value) for each in self.judgements], self.comment, self.invalid]
        digest = sha256(json.dumps(content).encode()).hexdigest()[:16]
        return f"{self.request}#{digest}"


def page_of(row: Row[Any]) -> Page:
    """The page that a row of the table holds."""
    return Page.from_content(row.name, row.task, row.round, row.lemma, row.role, json.loads(row.content))


def answered(connection: Connection, assignment: int, kind: str = "rating") -> Answered:
    """The current answers of an assignment."""
    return summed(history_of(connection, assignment), kind)


def summed(rows: Iterable[Any], kind: str = "rating") -> Answered:
    """What events, in their order, amount to: of each target the last value, as in the view of the database."""
    values: dict[str, float | None] = {}
    texts = {"comment": "", "invalid": ""}
    for row in rows:
        if row.kind == kind:
            values[row.target] = row.value
        elif row.kind in texts:
            texts[row.kind] = row.text
    return Answered(values, **texts)


def history_of(connection: Connection, assignment: int) -> Sequence[Row[Any]]:
    """All that was ever said of an assignment, in its order."""
    return HISTORY(connection, assignment=assignment).all()


def histories_of(connection: Connection, assignments: Sequence[int]) -> dict[int, list[Any]]:
    """The same of several."""
    found: dict[int, list[Any]] = {assignment: [] for assignment in assignments}
    for row in connection.execute(HISTORIES, {"assignments": list(assignments)}):
        found[row.assignment].append(row)
    return found


def append(
    connection: Connection,
    annotator: int,
    assignment: int,
    page: Page,
    said: Said,
    history: Sequence[Row[Any]],
    kind: str = "rating",
) -> Answered:
    """Append what is said of a page, unless it is in its history already; what its answers now are."""
    rows, stands = fresh(annotator, assignment, page, said, history, kind)
    write(connection, rows)
    return stands


def fresh(
    annotator: int, assignment: int, page: Page, said: Said, history: Sequence[Row[Any]], kind: str = "rating"
) -> tuple[list[dict[str, Any]], Answered]:
    """What is to be appended, nothing if it is in the history already, and what the page's answers then are."""
    before, key = summed(history, kind), said.key
    if any(row.request == key for row in history):
        return [], before
    new = _new(page, said, before, kind)
    took = None if said.milliseconds is None else min(said.milliseconds, MOST_MILLISECONDS)
    shared = {"annotator": annotator, "assignment": assignment, "request": key, "time": now()}
    shared |= {"milliseconds": took, "client_time": said.client_time}
    return [{**each._asdict(), **shared} for each in new], summed([*history, *new], kind)


def write(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Append rows to what was said."""
    if len(rows) == 1:
        APPEND(connection, **rows[0])
    elif rows:
        APPEND.many(connection, rows)


class _New(NamedTuple):
    """What is to be appended."""

    kind: str
    target: str
    value: float | None
    text: str


def _new(page: Page, said: Said, before: Answered, kind: str) -> list[_New]:
    found = [_New(kind, each.target, each.value, "") for each in page.taken(said.judgements, before)]
    texts = {"comment": (said.comment, before.comment), "invalid": (said.invalid, before.invalid)}
    for name, (text, current) in texts.items():
        if text is not None and (text or current):  # an empty comment where there is none says nothing
            found.append(_New(name, "", None, text))
    return found


def mark(connection: Connection, assignment: int, complete: bool) -> None:
    """Note whether an assignment is complete."""
    MARK(connection, assignment=assignment, done=complete)


def recount(connection: Connection) -> None:
    """Find out again of all assignments whether they are complete."""
    joined = select(ASSIGNMENT.c.id.label("assignment"), PAGE).join(PAGE, ASSIGNMENT.c.page == PAGE.c.id)
    for row in connection.execute(joined).all():
        mark(connection, row.assignment, not page_of(row).missing(answered(connection, row.assignment)))


def when_completed(connection: Connection, assignment: int, page: Page) -> Answered:
    """The answers with which a page was complete for the first time: in training those count, not what feedback made.

    If it is not complete, the current ones.
    """
    rows = history_of(connection, assignment)
    for end, row in enumerate(rows, start=1):
        together = end < len(rows) and rows[end].request == row.request
        if not together and not page.missing(found := summed(rows[:end])):
            return found
    return summed(rows)

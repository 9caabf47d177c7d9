"""What came of a study so far: progress, judgements, events, the audit log."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any

from sqlalchemy import Connection, FromClause, Row, Select, case, func, select

from polyseme.rating import UNDECIDED, Rating, Ratings
from polyseme.studio.store.schema import ANNOTATOR, ANSWER, ASSIGNMENT, AUDIT, EVENT, PAGE
from polyseme.studio.study.tasks import TASKS


@dataclass(frozen=True)
class AnnotatorProgress:
    """How far an annotator is. Times are ISO 8601 in UTC, empty if there are none yet."""

    annotator: str
    group: str
    state: str
    complete: int
    total: int
    judgements: int
    comments: int
    invalid: int
    started: str
    last: str
    seconds: float
    """The median time that a page took; not a number before the first."""


@dataclass(frozen=True)
class StudyEvent:
    """Something that was said, as it was said; ``kind`` is rating, comment, invalid or adjudication."""

    id: int
    annotator: str
    group: str
    assignment: int
    number: int
    role: str
    page: str
    task: str
    round: str
    lemma: str
    usage: str
    kind: str
    target: str
    value: float | None
    text: str
    request: str
    milliseconds: int | None
    client_time: str
    time: str


@dataclass(frozen=True)
class AuditEntry:
    """Who did what, and when."""

    time: str
    who: str
    what: str
    detail: str


def select_events(events: FromClause) -> Select[Any]:
    """Events with who said them of what, in their order."""
    return (
        select(
            events.c.id,
            ANNOTATOR.c.name.label("annotator"),
            ANNOTATOR.c.group,
            events.c.assignment,
            ASSIGNMENT.c.number,
            ASSIGNMENT.c.role,
            PAGE.c.name.label("page"),
            PAGE.c.task,
            PAGE.c.round,
            PAGE.c.lemma,
            PAGE.c.usage,
            events.c.kind,
            events.c.target,
            events.c.value,
            events.c.text,
            events.c.request,
            events.c.milliseconds,
            events.c.client_time,
            events.c.time,
        )
        .join_from(events, ASSIGNMENT, events.c.assignment == ASSIGNMENT.c.id)
        .join(ANNOTATOR, events.c.annotator == ANNOTATOR.c.id)
        .join(PAGE, ASSIGNMENT.c.page == PAGE.c.id)
        .order_by(events.c.id)
    )


def iter_events(connection: Connection) -> Iterator[StudyEvent]:
    """Everything that was ever said, in order."""
    with connection.execution_options(yield_per=1000).execute(select_events(EVENT)) as rows:
        yield from (StudyEvent(*row) for row in rows)


def read_stored_ratings(connection: Connection, *, kind: str = "rating", all_events: bool = False) -> Ratings:
    """Judgements; without ``all_events`` only the current ones of usages that are not called invalid."""
    comments, invalid = (_read_texts(connection, name) for name in ("comment", "invalid"))
    source = EVENT if all_events else ANSWER
    rows = connection.execute(select_events(source).where(source.c.kind == kind))
    return Ratings(
        _rating_from_row(row, comments.get(row.assignment, ""))
        for row in rows
        if all_events or (row.assignment not in invalid and not (TASKS[row.task].is_choice and row.value == 0))
    )


def _read_texts(connection: Connection, kind: str) -> dict[int, str]:
    """The comments, or the reasons why usages are invalid, by assignment."""
    rows = select(ANSWER.c.assignment, ANSWER.c.text).where(ANSWER.c.kind == kind, ANSWER.c.text != "")
    return {row.assignment: row.text for row in connection.execute(rows)}


def _rating_from_row(row: Row[Any], comment: str) -> Rating:
    value = UNDECIDED if row.value is None else row.value
    role = "" if row.role == "adjudication" else row.role
    return Rating(
        row.annotator,
        row.task,
        row.lemma,
        row.usage,
        row.target,
        value,
        comment,
        row.time,
        row.round,
        row.group,
        role,
        row.number,
        row.milliseconds,
    )


@dataclass(frozen=True)
class InvalidUsage:
    """A usage that an annotator calls invalid, and why."""

    annotator: str
    page: str
    task: str
    lemma: str
    usage: str
    reason: str


def read_invalid_usages(connection: Connection) -> list[InvalidUsage]:
    """What annotators call invalid, and still do."""
    rows = connection.execute(select_events(ANSWER).where(ANSWER.c.kind == "invalid", ANSWER.c.text != ""))
    return [InvalidUsage(row.annotator, row.page, row.task, row.lemma, row.usage, row.text) for row in rows]


def read_progress(connection: Connection, lengths: dict[int, int]) -> list[AnnotatorProgress]:
    """How far each annotator is; ``lengths`` says how many pages each will have."""
    pages = select(ASSIGNMENT.c.annotator, func.sum(case((ASSIGNMENT.c.complete, 1), else_=0)))
    complete = {who: int(count) for who, count in connection.execute(pages.group_by(ASSIGNMENT.c.annotator))}
    kinds = _count_answers(connection)
    spans = select(EVENT.c.annotator, func.min(EVENT.c.time), func.max(EVENT.c.time)).group_by(EVENT.c.annotator)
    times = {who: (first, last) for who, first, last in connection.execute(spans)}
    seconds = _median_seconds(connection)
    people = select(ANNOTATOR).where(ANNOTATOR.c.kind == "annotator").order_by(ANNOTATOR.c.id)
    found = []
    for row in connection.execute(people):
        judgements, comments, invalid_ = (kinds.get((row.id, kind), 0) for kind in ("rating", "comment", "invalid"))
        started, last = times.get(row.id, ("", ""))
        pages_done, length = complete.get(row.id, 0), lengths.get(row.id, 0)
        said = (judgements, comments, invalid_, started, last, seconds.get(row.id, math.nan))
        found.append(AnnotatorProgress(row.name, row.group, row.state, pages_done, length, *said))
    return found


def _count_answers(connection: Connection) -> dict[tuple[int, str], int]:
    """How many current answers of each kind an annotator has given, not counting empty texts."""
    says = (ANSWER.c.kind == "rating") | (ANSWER.c.text != "")
    grouped = select(ANSWER.c.annotator, ANSWER.c.kind, func.count()).where(says)
    rows = connection.execute(grouped.group_by(ANSWER.c.annotator, ANSWER.c.kind))
    return {(who, kind): count for who, kind, count in rows}


def _median_seconds(connection: Connection) -> dict[int, float]:
    """The median time that a complete page took each annotator."""
    one = select(EVENT.c.assignment, EVENT.c.request, func.max(EVENT.c.milliseconds).label("took"))
    once = one.group_by(EVENT.c.assignment, EVENT.c.request).subquery()  # events of one request took one time
    page = select(ASSIGNMENT.c.annotator, func.sum(once.c.took)).join(once, once.c.assignment == ASSIGNMENT.c.id)
    found: dict[int, list[float]] = {}
    for who, took in connection.execute(page.where(ASSIGNMENT.c.complete).group_by(ASSIGNMENT.c.id)):
        if took is not None:
            found.setdefault(who, []).append(float(took) / 1000)
    return {who: median(times) for who, times in found.items()}


def read_audit_log(connection: Connection, limit: int) -> list[AuditEntry]:
    """The audit log, the latest first."""
    rows = select(AUDIT.c.time, AUDIT.c.who, AUDIT.c.what, AUDIT.c.detail).order_by(AUDIT.c.id.desc()).limit(limit)
    return [AuditEntry(*row) for row in connection.execute(rows)]

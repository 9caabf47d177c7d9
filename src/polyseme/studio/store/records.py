"""Records of a study at one moment: progress, judgements, events and the audit log."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from statistics import median
from typing import Any

from sqlalchemy import Connection, FromClause, Row, Select, case, func, select

from polyseme.agreement.grouping import group_by
from polyseme.rating import UNDECIDED, Rating, Ratings
from polyseme.studio.store.schema import ANNOTATOR, ANSWER, ASSIGNMENT, AUDIT, EVENT, PAGE
from polyseme.studio.study.tasks import TASKS


@dataclass(frozen=True)
class AnnotatorProgress:
    """The progress of an annotator.

    Args:
        annotator: The name of the annotator.
        group: Their group.
        state: Their state.
        complete: The number of complete pages.
        total: The expected number of pages.
        judgements: The number of judgements.
        comments: The number of comments.
        invalid: The number of usages marked as invalid.
        started: The time of the first answer, as ISO 8601 in UTC; empty before.
        last: The time of the last answer.
        seconds: The median time for a page; NaN before the first.
    """

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


@dataclass(frozen=True)
class StudyEvent:
    """An answer of an annotator, or a decision of a manager.

    Args:
        id: The number of the event.
        annotator: The name of the annotator or manager.
        group: The group of the annotator.
        assignment: The assignment.
        number: The position of the page in the annotator's order.
        role: The role in which the annotator saw the page.
        page: The name of the page.
        task: The task.
        round: The round.
        lemma: The lemma.
        usage: The usage.
        kind: ``rating``, ``comment``, ``invalid`` or ``adjudication``.
        target: The sense, the other usage or the substitute.
        value: The value; ``None`` for "cannot decide".
        text: The comment, or the reason why the usage is invalid.
        request: The id of the submission.
        milliseconds: The time that the answer took.
        client_time: The time by the clock of the client.
        time: The time by the clock of the server, as ISO 8601 in UTC.
    """

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
    """An entry of the audit log.

    Args:
        time: The time, as ISO 8601 in UTC.
        user: The name of the user; empty for the studio itself and the command line.
        action: The action of the user.
        detail: Details.
    """

    time: str
    user: str
    action: str
    detail: str


def select_events(events: FromClause) -> Select[Any]:
    """Select events with their annotator and page, as the columns of :class:`StudyEvent`, in order.

    Args:
        events: The table of events, the view of current answers, or a selection of their rows.
    """
    names = {"annotator": ANNOTATOR.c.name, "group": ANNOTATOR.c.group, "page": PAGE.c.name}
    columns = {**events.c, **{name: ASSIGNMENT.c[name] for name in ("number", "role")}}
    columns |= {name: PAGE.c[name] for name in ("task", "round", "lemma", "usage")} | names
    return (
        select(*(columns[field.name].label(field.name) for field in fields(StudyEvent)))
        .join_from(events, ASSIGNMENT, events.c.assignment == ASSIGNMENT.c.id)
        .join(ANNOTATOR, events.c.annotator == ANNOTATOR.c.id)
        .join(PAGE, ASSIGNMENT.c.page == PAGE.c.id)
        .order_by(events.c.id)
    )


def iter_events(connection: Connection) -> Iterator[StudyEvent]:
    """Iterate over all events, in order."""
    with connection.execution_options(yield_per=1000).execute(select_events(EVENT)) as rows:
        yield from (StudyEvent(*row) for row in rows)


def read_stored_ratings(
    connection: Connection, *, kind: str = "rating", all_events: bool = False, of_invalid: bool = False
) -> Ratings:
    """Read judgements.

    Args:
        connection: The connection to the database.
        kind: ``rating``, or ``adjudication`` for the decisions of managers.
        all_events: Whether to include changed and withdrawn judgements, and judgements of invalid usages.
        of_invalid: Whether to read the judgements of invalid usages instead of those of valid ones.
    """
    comments, invalid = (_read_texts(connection, name) for name in ("comment", "invalid"))
    source = EVENT if all_events else ANSWER
    rows = connection.execute(select_events(source).where(source.c.kind == kind))
    return Ratings(
        _rating_from_row(row, comments.get(row.assignment, ""))
        for row in rows
        if all_events
        or ((row.assignment in invalid) is of_invalid and not (TASKS[row.task].is_choice and row.value == 0))
    )


def _read_texts(connection: Connection, kind: str) -> dict[int, str]:
    """Read the comments, or the reasons why usages are invalid, by assignment."""
    rows = select(ANSWER.c.assignment, ANSWER.c.text).where(ANSWER.c.kind == kind, ANSWER.c.text != "")
    return {row.assignment: row.text for row in connection.execute(rows)}


def _rating_from_row(row: Row[Any], comment: str) -> Rating:
    changes = {
        "value": UNDECIDED if row.value is None else row.value,
        "comment": comment,
        "order": row.number,
    }
    return Rating(*(changes[name] if name in changes else getattr(row, name) for name in Rating._fields))


def read_invalid_usages(connection: Connection) -> list[StudyEvent]:
    """Read the current answers that mark a usage as invalid; their text is the reason."""
    rows = connection.execute(select_events(ANSWER).where(ANSWER.c.kind == "invalid", ANSWER.c.text != ""))
    return [StudyEvent(*row) for row in rows]


def read_progress(connection: Connection, totals: Mapping[int, int]) -> list[AnnotatorProgress]:
    """Read the progress of all annotators.

    Args:
        connection: The connection to the database.
        totals: The expected number of pages of each annotator.
    """
    pages = select(ASSIGNMENT.c.annotator, func.sum(case((ASSIGNMENT.c.complete, 1), else_=0)))
    rows = connection.execute(pages.group_by(ASSIGNMENT.c.annotator))
    complete = {annotator: int(count) for annotator, count in rows}
    counts, seconds = _count_answers(connection), _median_seconds(connection)
    spans = select(EVENT.c.annotator, func.min(EVENT.c.time), func.max(EVENT.c.time)).group_by(EVENT.c.annotator)
    times = {annotator: (first, last) for annotator, first, last in connection.execute(spans)}
    annotators = select(ANNOTATOR).where(ANNOTATOR.c.kind == "annotator").order_by(ANNOTATOR.c.id)
    progress = []
    for row in connection.execute(annotators):
        judgements, comments, invalid = (counts.get((row.id, kind), 0) for kind in ("rating", "comment", "invalid"))
        answers = (judgements, comments, invalid, *times.get(row.id, ("", "")), seconds.get(row.id, math.nan))
        pages_done, total = complete.get(row.id, 0), totals.get(row.id, 0)
        progress.append(AnnotatorProgress(row.name, row.group, row.state, pages_done, total, *answers))
    return progress


def _count_answers(connection: Connection) -> dict[tuple[int, str], int]:
    """Count the current answers of each annotator and kind, without empty texts."""
    has_content = (ANSWER.c.kind == "rating") | (ANSWER.c.text != "")
    counts = select(ANSWER.c.annotator, ANSWER.c.kind, func.count()).where(has_content)
    rows = connection.execute(counts.group_by(ANSWER.c.annotator, ANSWER.c.kind))
    return {(annotator, kind): count for annotator, kind, count in rows}


def _median_seconds(connection: Connection) -> dict[int, float]:
    """Compute each annotator's median time for a complete page."""
    times = select(EVENT.c.assignment, EVENT.c.request, func.max(EVENT.c.milliseconds).label("milliseconds"))
    submissions = times.group_by(EVENT.c.assignment, EVENT.c.request).subquery()  # its events share one time
    pages = select(ASSIGNMENT.c.annotator, func.sum(submissions.c.milliseconds))
    pages = pages.join(submissions, submissions.c.assignment == ASSIGNMENT.c.id)
    rows = connection.execute(pages.where(ASSIGNMENT.c.complete).group_by(ASSIGNMENT.c.id))
    timed = group_by((row for row in rows if row[1] is not None), lambda row: row[0])
    return {annotator: median(float(time) / 1000 for _, time in rows) for annotator, rows in timed.items()}


def read_audit_log(connection: Connection, limit: int) -> list[AuditEntry]:
    """Read the audit log, the latest entry first."""
    rows = select(AUDIT.c.time, AUDIT.c.who, AUDIT.c.what, AUDIT.c.detail).order_by(AUDIT.c.id.desc()).limit(limit)
    return [AuditEntry(*row) for row in connection.execute(rows)]

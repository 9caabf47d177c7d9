"""The SQL statements that the studio runs with every page and every answer."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, Insert, Select, bindparam, insert, select, tuple_, update
from sqlalchemy.dialects import postgresql, sqlite

from polyseme.studio.store.schema import ANNOTATOR, ASSIGNMENT, EVENT, SESSION

_NOT_ADJUDICATION = ASSIGNMENT.c.role != "adjudication"
_ASSIGNMENT_COLUMNS = (
    ASSIGNMENT.c.id.label("assignment"),
    ASSIGNMENT.c.page,
    ASSIGNMENT.c.number,
    ASSIGNMENT.c.role,
    ASSIGNMENT.c.complete,
)
_EARLIER = ASSIGNMENT.alias("earlier")
_FIRST_INCOMPLETE_NUMBER = (
    select(_EARLIER.c.number)
    .where(_EARLIER.c.annotator == ANNOTATOR.c.id, ~_EARLIER.c.complete, _EARLIER.c.role != "adjudication")
    .order_by(_EARLIER.c.number)
    .limit(1)
    .correlate(ANNOTATOR)
    .scalar_subquery()
)
_IS_OWN: ColumnElement[bool] = ANNOTATOR.c.id == ASSIGNMENT.c.annotator

ASSIGNMENTS_AT_NUMBERS: Select[Any] = (
    select(ANNOTATOR, *_ASSIGNMENT_COLUMNS, _FIRST_INCOMPLETE_NUMBER.label("first_incomplete"))
    .join_from(ANNOTATOR, ASSIGNMENT, _IS_OWN)
    .where(tuple_(ANNOTATOR.c.id, ASSIGNMENT.c.number).in_(bindparam("positions", expanding=True)), _NOT_ADJUDICATION)
    .order_by(ANNOTATOR.c.id)
)
"""For pairs of annotator and page number: the annotator, the assignment, and the first incomplete page number."""

LOCKED_ASSIGNMENTS_AT_NUMBERS = ASSIGNMENTS_AT_NUMBERS.with_for_update()
"""The same, with the annotators locked in the order of their ids until the transaction ends."""

CURRENT_ASSIGNMENT: Select[Any] = (
    select(ANNOTATOR, *_ASSIGNMENT_COLUMNS)
    .outerjoin_from(ANNOTATOR, ASSIGNMENT, _IS_OWN & (ASSIGNMENT.c.number == _FIRST_INCOMPLETE_NUMBER))
    .where(ANNOTATOR.c.id == bindparam("annotator"))
)
"""An annotator and their first incomplete assignment, if there is one."""

ASSIGNMENTS_FROM_NUMBER = (
    select(ASSIGNMENT.c.id, ASSIGNMENT.c.number, ASSIGNMENT.c.page, ASSIGNMENT.c.role)
    .where(ASSIGNMENT.c.annotator == bindparam("annotator"), ASSIGNMENT.c.number >= bindparam("number"))
    .order_by(ASSIGNMENT.c.number)
)
"""The assignments of an annotator that begin at a page number."""

EVENTS_OF_ASSIGNMENTS = (
    select(EVENT.c.assignment, EVENT.c.kind, EVENT.c.target, EVENT.c.value, EVENT.c.text, EVENT.c.request)
    .where(EVENT.c.assignment.in_(bindparam("assignments", expanding=True)))
    .order_by(EVENT.c.id)
)
"""All events of assignments, in order."""

APPEND_EVENTS = insert(EVENT)

SET_COMPLETE = (
    update(ASSIGNMENT).where(ASSIGNMENT.c.id == bindparam("assignment")).values(complete=bindparam("is_complete"))
)

ACTIVE_SESSIONS: Select[Any] = (
    select(SESSION.c.token, ANNOTATOR, SESSION.c.csrf, SESSION.c.expires)
    .join_from(SESSION, ANNOTATOR, SESSION.c.annotator == ANNOTATOR.c.id)
    .where(
        SESSION.c.token.in_(bindparam("tokens", expanding=True)),
        SESSION.c.expires > bindparam("now"),
        SESSION.c.purpose == bindparam("purpose"),
    )
)
"""The sessions of tokens that have not expired, with their annotators."""

_ASSIGN_PAGE: dict[str, Insert] = {
    name: dialect.insert(ASSIGNMENT).on_conflict_do_nothing(index_elements=["page", "slot"]).returning(ASSIGNMENT.c.id)
    for name, dialect in (("sqlite", sqlite), ("postgresql", postgresql))
}


def insert_assignment(connection: Connection, **values: object) -> int | None:
    """Assign a page to an annotator.

    Returns:
        The id of the assignment; ``None`` if another annotator holds the same slot of the page.
    """
    return connection.execute(_ASSIGN_PAGE[connection.dialect.name], values).scalar()

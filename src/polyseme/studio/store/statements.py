"""Statements that are run with every click: put into words once for each kind of database, and not every time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import BindParameter, Connection, CursorResult, bindparam, insert, select, tuple_, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql import ClauseElement

from polyseme.studio.store.schema import ANNOTATOR, ASSIGNMENT, EVENT, SESSION


class PreparedStatement:
    """A statement with named parameters; called with a connection and these, it gives the result.

    Values come as the driver gives them, so that SQLite has 0 and 1 for false and true.
    """

    def __init__(self, *statements: ClauseElement, columns: Sequence[str] = ()) -> None:
        self._statements = statements
        self._columns = list(columns) or None
        self._known: dict[str, tuple[str, Mapping[str, Any], Sequence[str] | None]] = {}

    def __call__(self, connection: Connection, **values: object) -> CursorResult[Any]:
        """Run it with these values."""
        text, fixed, places = self._of(connection)
        return connection.exec_driver_sql(text, _bound({**fixed, **values}, places))

    def many(self, connection: Connection, rows: Sequence[Mapping[str, object]]) -> None:
        """Run it once for each row of values."""
        text, fixed, places = self._of(connection)
        connection.exec_driver_sql(text, [_bound({**fixed, **row}, places) for row in rows])

    def _of(self, connection: Connection) -> tuple[str, Mapping[str, Any], Sequence[str] | None]:
        dialect = connection.dialect
        if dialect.name not in self._known:
            statement = self._statements[-1 if dialect.name == "postgresql" else 0]
            compiled: Any = statement.compile(dialect=dialect, column_keys=self._columns)
            self._known[dialect.name] = str(compiled), compiled.params, compiled.positiontup
        return self._known[dialect.name]


def _bound(values: dict[str, object], places: Sequence[str] | None) -> Any:
    return values if places is None else tuple(values[name] for name in places)


_WHO: BindParameter[int] = bindparam("who")
_ASSIGNMENT_COLUMNS = (
    ASSIGNMENT.c.id.label("assignment"),
    ASSIGNMENT.c.page,
    ASSIGNMENT.c.number,
    ASSIGNMENT.c.role,
    ASSIGNMENT.c.complete,
)
_NOT_ADJUDICATION = ASSIGNMENT.c.role != "adjudication"
_OTHER = ASSIGNMENT.alias("earlier")
_FIRST_NUMBER = (
    select(_OTHER.c.number)
    .where(_OTHER.c.annotator == _WHO, ~_OTHER.c.complete, _OTHER.c.role != "adjudication")
    .order_by(_OTHER.c.number)
    .limit(1)
    .scalar_subquery()
)

LOCKED_ASSIGNMENT = PreparedStatement(
    select(ANNOTATOR, *_ASSIGNMENT_COLUMNS)
    .join_from(ANNOTATOR, ASSIGNMENT, ANNOTATOR.c.id == ASSIGNMENT.c.annotator)
    .where(ANNOTATOR.c.id == _WHO, ASSIGNMENT.c.id == bindparam("assignment"), _NOT_ADJUDICATION)
    .with_for_update()
)
"""An annotator and one of their assignments; nobody else writes for them until the transaction ends."""

_AT_NUMBER = (
    select(ANNOTATOR, *_ASSIGNMENT_COLUMNS, _FIRST_NUMBER.label("first"))
    .join_from(ANNOTATOR, ASSIGNMENT, ANNOTATOR.c.id == ASSIGNMENT.c.annotator)
    .where(ANNOTATOR.c.id == _WHO, ASSIGNMENT.c.number == bindparam("number"), _NOT_ADJUDICATION)
)
ASSIGNMENT_AT_NUMBER = PreparedStatement(_AT_NUMBER)
"""An annotator, the assignment at a place of their order, and the place of the first that is not complete."""

LOCKED_ASSIGNMENT_AT_NUMBER = PreparedStatement(_AT_NUMBER.with_for_update())
"""The same; nobody else writes for them until the transaction ends."""

_FIRST_OF_EACH = (
    select(_OTHER.c.number)
    .where(_OTHER.c.annotator == ANNOTATOR.c.id, ~_OTHER.c.complete, _OTHER.c.role != "adjudication")
    .order_by(_OTHER.c.number)
    .limit(1)
    .correlate(ANNOTATOR)
    .scalar_subquery()
)
LOCKED_ASSIGNMENTS_AT_NUMBERS = (
    select(ANNOTATOR, *_ASSIGNMENT_COLUMNS, _FIRST_OF_EACH.label("first"))
    .join_from(ANNOTATOR, ASSIGNMENT, ANNOTATOR.c.id == ASSIGNMENT.c.annotator)
    .where(tuple_(ANNOTATOR.c.id, ASSIGNMENT.c.number).in_(bindparam("places", expanding=True)), _NOT_ADJUDICATION)
    .order_by(ANNOTATOR.c.id)
    .with_for_update()
)
"""The same for many annotators at once, who are locked in their order."""

CURRENT_ASSIGNMENT = PreparedStatement(
    select(ANNOTATOR, *_ASSIGNMENT_COLUMNS)
    .outerjoin_from(
        ANNOTATOR, ASSIGNMENT, (ANNOTATOR.c.id == ASSIGNMENT.c.annotator) & (ASSIGNMENT.c.number == _FIRST_NUMBER)
    )
    .where(ANNOTATOR.c.id == _WHO)
)
"""An annotator, and the first assignment that is not complete, if there is one."""

FIRST_INCOMPLETE_ASSIGNMENT = PreparedStatement(
    select(*_ASSIGNMENT_COLUMNS)
    .where(ASSIGNMENT.c.annotator == _WHO, ~ASSIGNMENT.c.complete, _NOT_ADJUDICATION)
    .order_by(ASSIGNMENT.c.number)
    .limit(1)
)

ASSIGNMENTS_FROM_NUMBER = PreparedStatement(
    select(ASSIGNMENT.c.id, ASSIGNMENT.c.number, ASSIGNMENT.c.page, ASSIGNMENT.c.role)
    .where(ASSIGNMENT.c.annotator == _WHO, ASSIGNMENT.c.number >= bindparam("number"))
    .order_by(ASSIGNMENT.c.number)
)

ASSIGNMENT_EVENTS = PreparedStatement(
    select(EVENT.c.kind, EVENT.c.target, EVENT.c.value, EVENT.c.text, EVENT.c.request)
    .where(EVENT.c.assignment == bindparam("assignment"))
    .order_by(EVENT.c.id)
)
"""All that was ever said of an assignment."""

EVENTS_OF_ASSIGNMENTS = (
    select(EVENT.c.assignment, EVENT.c.kind, EVENT.c.target, EVENT.c.value, EVENT.c.text, EVENT.c.request)
    .where(EVENT.c.assignment.in_(bindparam("assignments", expanding=True)))
    .order_by(EVENT.c.id)
)
"""All that was ever said of several."""

APPEND_EVENTS = PreparedStatement(
    insert(EVENT), columns=[column.name for column in EVENT.columns if column.name != "id"]
)

SET_COMPLETE = PreparedStatement(
    update(ASSIGNMENT).where(ASSIGNMENT.c.id == bindparam("assignment")).values(complete=bindparam("done"))
)

_GIVE: dict[str, BindParameter[Any]] = {
    name: bindparam(name) for name in ("annotator", "page", "number", "role", "slot")
}
ASSIGN_PAGE = PreparedStatement(
    *(
        dialect.insert(ASSIGNMENT)
        .values(_GIVE)
        .on_conflict_do_nothing(index_elements=["page", "slot"])
        .returning(ASSIGNMENT.c.id)
        for dialect in (sqlite, postgresql)
    )
)
"""Gives a page to an annotator, unless another has the same slot of it."""

ACTIVE_SESSION = PreparedStatement(
    select(ANNOTATOR, SESSION.c.csrf, SESSION.c.expires)
    .join_from(SESSION, ANNOTATOR, SESSION.c.annotator == ANNOTATOR.c.id)
    .where(
        SESSION.c.token == bindparam("token"),
        SESSION.c.expires > bindparam("now"),
        SESSION.c.purpose == bindparam("purpose"),
    )
)

ACTIVE_SESSIONS = (
    select(SESSION.c.token, ANNOTATOR, SESSION.c.csrf, SESSION.c.expires)
    .join_from(SESSION, ANNOTATOR, SESSION.c.annotator == ANNOTATOR.c.id)
    .where(
        SESSION.c.token.in_(bindparam("tokens", expanding=True)),
        SESSION.c.expires > bindparam("now"),
        SESSION.c.purpose == bindparam("purpose"),
    )
)
"""The same of several tokens."""

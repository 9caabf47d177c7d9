"""The tables of the store, the view of current answers, and the triggers that protect events.

Events, pages and the audit log are append-only: triggers refuse to change or delete their rows.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

METADATA = MetaData()


def _text(name: str, **options: Any) -> Column[str]:
    return Column(name, Text, nullable=False, **options)


def _reference(table: str) -> Column[int]:
    return Column(table, Integer, ForeignKey(f"{table}.id"), nullable=False)


SCHEMA_VERSION = Table("schema_version", METADATA, Column("version", Integer, primary_key=True))

STUDY = Table(
    "study",
    METADATA,
    Column("id", Integer, primary_key=True),
    *map(_text, ("toml", "digest", "created")),
    _text("instructions", server_default=""),
)

PAGE = Table(
    "page",
    METADATA,
    Column("id", Integer, primary_key=True),
    _text("name", unique=True),
    *map(_text, ("task", "round", "lemma", "usage", "other", "role", "content")),
)

ANNOTATOR = Table(
    "annotator",
    METADATA,
    Column("id", Integer, primary_key=True),
    _text("name", unique=True),
    *map(_text, ("email", "group", "kind", "state", "password", "invitation", "invitation_expires", "created")),
    Index("annotator_invitation", "invitation"),
)

ASSIGNMENT = Table(
    "assignment",
    METADATA,
    Column("id", Integer, primary_key=True),
    _reference("annotator"),
    _reference("page"),
    Column("number", Integer, nullable=False),
    _text("role"),
    Column("slot", Integer),
    Column("complete", Boolean, nullable=False, server_default=false()),
    UniqueConstraint("annotator", "number"),
    Index("assignment_slot", "page", "slot", unique=True),
    Index("assignment_complete", "annotator", "complete", "number"),
)
"""A page that is assigned to an annotator. If a page needs a number of judgements, ``slot`` counts them: two
annotators cannot take the same slot. ``complete`` follows from the rules of the page and its answers."""

EVENT = Table(
    "event",
    METADATA,
    Column("id", Integer, primary_key=True),
    _reference("annotator"),
    _reference("assignment"),
    *map(_text, ("kind", "target")),
    Column("value", Float),
    *map(_text, ("text", "request")),
    Column("milliseconds", Integer),
    *map(_text, ("client_time", "time")),
    UniqueConstraint("assignment", "request", "kind", "target"),
    Index("event_latest", "assignment", "kind", "target", "id"),
)

SESSION = Table(
    "session",
    METADATA,
    Column("token", Text, primary_key=True),
    _reference("annotator"),
    *map(_text, ("csrf", "created", "expires")),
    _text("purpose", server_default="browser"),
)

ATTEMPT = Table(
    "attempt",
    METADATA,
    Column("id", Integer, primary_key=True),
    *map(_text, ("key", "time")),
    Index("attempt_key", "key", "time"),
)

AUDIT = Table(
    "audit",
    METADATA,
    Column("id", Integer, primary_key=True),
    *map(_text, ("time", "who", "what", "detail")),
)

APPEND_ONLY = ("event", "page", "audit")

ANSWER_VIEW = """
CREATE VIEW answer AS SELECT event.* FROM event WHERE event.id = (
    SELECT max(later.id) FROM event AS later
    WHERE later.assignment = event.assignment AND later.kind = event.kind AND later.target = event.target
)
"""

ANSWER = Table("answer", MetaData(), *(Column(column.name, column.type) for column in EVENT.columns))
"""The view of current answers: the last event of each assignment, kind and target."""

SQLITE_TRIGGER = """
CREATE TRIGGER {table}_{change} BEFORE {change} ON {table}
BEGIN SELECT RAISE(ABORT, '{table} is append-only; its rows never change'); END
"""

POSTGRESQL_FUNCTION = """
CREATE FUNCTION never_changed() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '% is append-only; its rows never change', TG_TABLE_NAME; END $$
"""

POSTGRESQL_TRIGGER = """
CREATE TRIGGER {table}_{change} BEFORE {change} ON {table} FOR EACH STATEMENT EXECUTE FUNCTION never_changed()
"""


def create_schema(connection: Connection) -> None:
    """Create the tables of the latest version, the view and the triggers in an empty database."""
    METADATA.create_all(connection)
    connection.execute(text(ANSWER_VIEW))
    create_triggers(connection)


def create_triggers(connection: Connection) -> None:
    """Forbid changes of append-only tables."""
    is_postgresql = connection.dialect.name == "postgresql"
    if is_postgresql:
        connection.execute(text(POSTGRESQL_FUNCTION))
    trigger = POSTGRESQL_TRIGGER if is_postgresql else SQLITE_TRIGGER
    changes = ("UPDATE", "DELETE", "TRUNCATE") if is_postgresql else ("UPDATE", "DELETE")
    for table in APPEND_ONLY:
        for change in changes:
            connection.execute(text(trigger.format(table=table, change=change)))

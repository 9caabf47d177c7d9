"""The tables of the store, the view of current answers, and what forbids changes of what was said.

Events are only ever appended: triggers refuse to change or delete them, as they do pages and the audit log.
"""

from __future__ import annotations

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

SCHEMA_VERSION = Table("schema_version", METADATA, Column("version", Integer, primary_key=True))

STUDY = Table(
    "study",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("toml", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("created", Text, nullable=False),
    Column("instructions", Text, nullable=False, server_default=""),
)

PAGE = Table(
    "page",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("task", Text, nullable=False),
    Column("round", Text, nullable=False),
    Column("lemma", Text, nullable=False),
    Column("usage", Text, nullable=False),
    Column("other", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("content", Text, nullable=False),
)

ANNOTATOR = Table(
    "annotator",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("email", Text, nullable=False),
    Column("group", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("password", Text, nullable=False),
    Column("invitation", Text, nullable=False),
    Column("invitation_expires", Text, nullable=False),
    Column("created", Text, nullable=False),
    Index("annotator_invitation", "invitation"),
)

ASSIGNMENT = Table(
    "assignment",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("annotator", Integer, ForeignKey("annotator.id"), nullable=False),
    Column("page", Integer, ForeignKey("page.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("role", Text, nullable=False),
    Column("slot", Integer),
    Column("complete", Boolean, nullable=False, server_default=false()),
    UniqueConstraint("annotator", "number"),
    Index("assignment_slot", "page", "slot", unique=True),
    Index("assignment_complete", "annotator", "complete", "number"),
)
"""A page given to an annotator. ``slot`` is which of the judgements wanted of the page it is, where so many are wanted:
two annotators at once cannot take the same one. ``complete`` is what the page's own rules say of its answers."""

EVENT = Table(
    "event",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("annotator", Integer, ForeignKey("annotator.id"), nullable=False),
    Column("assignment", Integer, ForeignKey("assignment.id"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("target", Text, nullable=False),
    Column("value", Float),
    Column("text", Text, nullable=False),
    Column("request", Text, nullable=False),
    Column("milliseconds", Integer),
    Column("client_time", Text, nullable=False),
    Column("time", Text, nullable=False),
    UniqueConstraint("assignment", "request", "kind", "target"),
    Index("event_latest", "assignment", "kind", "target", "id"),
)

SESSION = Table(
    "session",
    METADATA,
    Column("token", Text, primary_key=True),
    Column("annotator", Integer, ForeignKey("annotator.id"), nullable=False),
    Column("csrf", Text, nullable=False),
    Column("created", Text, nullable=False),
    Column("expires", Text, nullable=False),
    Column("purpose", Text, nullable=False, server_default="browser"),
)

ATTEMPT = Table(
    "attempt",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("key", Text, nullable=False),
    Column("time", Text, nullable=False),
    Index("attempt_key", "key", "time"),
)

AUDIT = Table(
    "audit",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("time", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("what", Text, nullable=False),
    Column("detail", Text, nullable=False),
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
BEGIN SELECT RAISE(ABORT, '{table}: nothing that was said is ever changed'); END
"""

POSTGRESQL_FUNCTION = """
CREATE FUNCTION never_changed() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '%: nothing that was said is ever changed', TG_TABLE_NAME; END $$
"""

POSTGRESQL_TRIGGER = """
CREATE TRIGGER {table}_{change} BEFORE {change} ON {table} FOR EACH STATEMENT EXECUTE FUNCTION never_changed()
"""


def create_schema(connection: Connection) -> None:
    """Make the tables of the latest version, the view and the triggers, in an empty database."""
    METADATA.create_all(connection)
    connection.execute(text(ANSWER_VIEW))
    create_triggers(connection)


def create_triggers(connection: Connection) -> None:
    """Forbid changes of what is only ever appended."""
    on_server = connection.dialect.name == "postgresql"
    if on_server:
        connection.execute(text(POSTGRESQL_FUNCTION))
    trigger = POSTGRESQL_TRIGGER if on_server else SQLITE_TRIGGER
    changes = ("UPDATE", "DELETE", "TRUNCATE") if on_server else ("UPDATE", "DELETE")
    for table in APPEND_ONLY:
        for change in changes:
            connection.execute(text(trigger.format(table=table, change=change)))

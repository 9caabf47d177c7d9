"""Migrations of the schema: numbered steps that run when a store is opened, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlalchemy import Connection, func, insert, inspect, select, text, update

from polyseme.errors import InputError
from polyseme.studio.store import schema
from polyseme.studio.store.submissions import recompute_completeness

VERSION_2_STATEMENTS = (
    "ALTER TABLE assignment ADD COLUMN slot INTEGER",
    "ALTER TABLE assignment ADD COLUMN complete BOOLEAN DEFAULT {false} NOT NULL",
    "CREATE UNIQUE INDEX assignment_slot ON assignment (page, slot)",
    "CREATE INDEX assignment_complete ON assignment (annotator, complete, number)",
    "ALTER TABLE study ADD COLUMN instructions TEXT DEFAULT '' NOT NULL",
    "ALTER TABLE session ADD COLUMN purpose TEXT DEFAULT 'browser' NOT NULL",
)


def _migrate_to_version_2(connection: Connection) -> None:
    """Add columns for the slot and the completeness of an assignment, the instructions and the session's purpose."""
    false = "false" if connection.dialect.name == "postgresql" else "0"
    for statement in VERSION_2_STATEMENTS:
        connection.exec_driver_sql(statement.format(false=false))
    recompute_completeness(connection)


MIGRATIONS: Mapping[int, Callable[[Connection], None]] = {2: _migrate_to_version_2}
"""Version → the step from the version before it."""

LATEST_VERSION = max(MIGRATIONS)

MIGRATION_LOCK = 7063952
"""The advisory lock under which one process at a time changes the schema of a PostgreSQL database."""


def read_schema_version(connection: Connection) -> int:
    """Return the version of the schema; 0 in an empty database."""
    if not inspect(connection).has_table("schema_version"):
        return 0
    return connection.execute(select(func.max(schema.SCHEMA_VERSION.c.version))).scalar() or 0


def migrate(connection: Connection, store: object, *, create: bool) -> None:
    """Create the schema, or update it to the latest version.

    Args:
        connection: A write transaction.
        store: The store, for error messages.
        create: Create the schema in an empty database.

    Raises:
        InputError: The database is empty and ``create`` is false, or a newer polyseme wrote it.
    """
    if connection.dialect.name == "postgresql":  # several workers may open it at once
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
    version = read_schema_version(connection)
    if version > LATEST_VERSION:
        problem = f"this store has version {version}, but this polyseme reads up to version {LATEST_VERSION}"
        raise InputError(f"{problem}. Type: pip install --upgrade 'polyseme[annotate]'", path=store)
    if not version:
        if not create:
            raise InputError("no study has begun here. Type: polyseme annotate serve STUDY.toml", path=store)
        schema.create_schema(connection)
        connection.execute(insert(schema.SCHEMA_VERSION).values(version=LATEST_VERSION))
        return
    for number in range(version + 1, LATEST_VERSION + 1):
        MIGRATIONS[number](connection)
    if version < LATEST_VERSION:
        connection.execute(update(schema.SCHEMA_VERSION).values(version=LATEST_VERSION))

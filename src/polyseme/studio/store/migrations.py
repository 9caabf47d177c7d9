"""From the tables of one version to those of the next: numbered steps, done on opening, all in one transaction."""

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
    """Version 2: an assignment knows whether it is complete, and which of the judgements wanted of its page it is."""
    false = "false" if connection.dialect.name == "postgresql" else "0"
    for statement in VERSION_2_STATEMENTS:
        connection.exec_driver_sql(statement.format(false=false))
    recompute_completeness(connection)


MIGRATIONS: Mapping[int, Callable[[Connection], None]] = {2: _migrate_to_version_2}
"""Version → what makes the tables of the one before into its own."""

LATEST_VERSION = max(MIGRATIONS)

MIGRATION_LOCK = 7063952
"""Under this number one process at a time makes or changes tables of PostgreSQL."""


def read_schema_version(connection: Connection) -> int:
    """The version of the tables; 0 where there are none."""
    if not inspect(connection).has_table("schema_version"):
        return 0
    return connection.execute(select(func.max(schema.SCHEMA_VERSION.c.version))).scalar() or 0


def migrate(connection: Connection, where: object, *, create: bool) -> None:
    """Make the tables, or bring them up to date; an error if there are none and none may be made."""
    if connection.dialect.name == "postgresql":  # several workers may open it at once
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
    found = read_schema_version(connection)
    if found > LATEST_VERSION:
        problem = f"this store is of version {found}, and this polyseme knows up to {LATEST_VERSION}"
        raise InputError(f"{problem}. Type: pip install --upgrade 'polyseme[annotate]'", path=where)
    if not found:
        if not create:
            raise InputError("there is no study here. Type: polyseme annotate serve STUDY.toml", path=where)
        schema.create_schema(connection)
        connection.execute(insert(schema.SCHEMA_VERSION).values(version=LATEST_VERSION))
        return
    for number in range(found + 1, LATEST_VERSION + 1):
        MIGRATIONS[number](connection)
    if found < LATEST_VERSION:
        connection.execute(update(schema.SCHEMA_VERSION).values(version=LATEST_VERSION))

"""Backups of a store: a copy of its file, and its rows."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select, text

from polyseme.errors import InputError
from polyseme.studio.store.database import Database
from polyseme.studio.store.schema import ANNOTATOR, ASSIGNMENT, AUDIT, EVENT, PAGE, STUDY

BACKUP_TABLES = {table.name: table for table in (STUDY, PAGE, ANNOTATOR, ASSIGNMENT, EVENT, AUDIT)}
"""The tables of a backup, in the order that foreign keys need; sessions and login attempts are left out."""

SECRET_COLUMNS = {"annotator": ("password", "invitation", "invitation_expires")}
"""The columns that are left out, by table."""


def write_backup(database: Database, path: str | os.PathLike[str]) -> None:
    """Copy a SQLite store to a new file while it is in use.

    Raises:
        InputError: The store is in PostgreSQL, or the file exists.
    """
    if database.is_postgresql:
        raise InputError(f"this store is in PostgreSQL. Type: pg_dump --format=custom {database} > study.dump")
    if Path(path).exists():
        raise InputError("this file exists already; choose a new name", path=path)
    with database.autocommit() as connection:
        connection.execute(text("VACUUM INTO :path"), {"path": str(path)})


def dump_tables(connection: Connection) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of all tables, without secrets."""
    tables = {}
    for name, table in BACKUP_TABLES.items():
        columns = [column for column in table.columns if column.name not in SECRET_COLUMNS.get(name, ())]
        rows = connection.execute(select(*columns).order_by(table.c.id))
        tables[name] = [dict(row._mapping) for row in rows]
    return tables


def restore_tables(connection: Connection, tables: Mapping[str, Sequence[Mapping[str, Any]]], store: object) -> None:
    """Insert rows, with their ids, into an empty store.

    Args:
        connection: A write transaction.
        tables: Rows by table, as :func:`dump_tables` returns them.
        store: The store, for error messages.

    Raises:
        InputError: A study has begun in the store.
    """
    if connection.execute(select(STUDY.c.id)).first() is not None:
        raise InputError("a study has begun in this store; name a new store", path=store)
    for name, table in BACKUP_TABLES.items():
        blank = dict.fromkeys(SECRET_COLUMNS.get(name, ()), "")
        rows = [{**blank, **row} for row in tables.get(name, ())]
        if rows:
            connection.execute(insert(table), rows)
        if rows and connection.dialect.name == "postgresql":
            last = f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), (SELECT max(id) FROM {name}))"
            connection.execute(text(last))

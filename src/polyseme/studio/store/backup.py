"""Copies of a store: a backup while it runs, and its contents as rows."""

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
"""What a copy holds, in the order in which it can be put back; sessions and tries to log in are nobody's business."""

SECRET_COLUMNS = {"annotator": ("password", "invitation", "invitation_expires")}
"""The columns that are not copied."""


def write_backup(database: Database, path: str | os.PathLike[str]) -> None:
    """Copy a SQLite store to a new file, as it is at one moment, while it is used."""
    if database.is_postgresql:
        raise InputError(f"this is a database of PostgreSQL; type: pg_dump --format=custom {database} > study.dump")
    if Path(path).exists():
        raise InputError("there is a file already; name a new one", path=path)
    with database.alone() as connection:
        connection.execute(text("VACUUM INTO :path"), {"path": str(path)})


def dump_tables(connection: Connection) -> dict[str, list[dict[str, Any]]]:
    """Everything but secrets, as rows by table."""
    found = {}
    for name, table in BACKUP_TABLES.items():
        columns = [column for column in table.columns if column.name not in SECRET_COLUMNS.get(name, ())]
        rows = connection.execute(select(*columns).order_by(table.c.id))
        found[name] = [dict(row._mapping) for row in rows]
    return found


def restore_tables(connection: Connection, given: Mapping[str, Sequence[Mapping[str, Any]]], where: object) -> None:
    """Put rows back, under their numbers, into an empty store."""
    if connection.execute(select(STUDY.c.id)).first() is not None:
        raise InputError("a study has begun here; name a new store", path=where)
    for name, table in BACKUP_TABLES.items():
        blank = dict.fromkeys(SECRET_COLUMNS.get(name, ()), "")
        rows = [{**blank, **row} for row in given.get(name, ())]
        if rows:
            connection.execute(insert(table), rows)
        if rows and connection.dialect.name == "postgresql":
            last = f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), (SELECT max(id) FROM {name}))"
            connection.execute(text(last))

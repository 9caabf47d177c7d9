"""A database: SQLite or PostgreSQL, and transactions that are on disk when they end."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DBAPIError, DisconnectionError, NoSuchModuleError, OperationalError

from polyseme.errors import InputError, MissingExtra, quote_value
from polyseme.studio.store.group_commit import GroupCommit

DIALECTS = ("sqlite", "postgresql")
PRAGMAS = {
    "journal_mode": "WAL",  # readers do not wait for a writer
    "synchronous": "FULL",  # what is committed is on disk, even if the power goes
    "busy_timeout": "30000",
    "foreign_keys": "ON",
    "recursive_triggers": "ON",  # without it, INSERT OR REPLACE would delete past the triggers
    "cache_size": "-500",  # KiB of each connection: the system keeps the file in memory, and need not do so ten times
}
IDLE_SECONDS = 5.0
"""Seconds after which a connection to a server is tried before it is used."""
MAX_CONNECTIONS = 40
"""The most at once: more than there are threads of a worker."""

ALONE = {"alone": True}
"""The option of a connection to SQLite that begins no transaction."""
POSTGRESQL_TIMEOUTS = {"lock_timeout": "10s", "idle_in_transaction_session_timeout": "300s"}
"""How long a connection to PostgreSQL waits for others, and may keep them waiting: a process may be cut off."""
SERIAL_LOCK = 0x706F6C79
"""The lock in PostgreSQL that transactions take which go on one after the other."""


def utc_timestamp(seconds: float = 0.0) -> str:
    """The time, or that so many seconds later, as ISO 8601 in UTC."""
    return datetime.fromtimestamp(datetime.now(UTC).timestamp() + seconds, UTC).isoformat(timespec="milliseconds")


class Database:
    """An engine with two kinds of transactions: those that read one state, and those that write."""

    def __init__(self, url: str) -> None:
        self.url = _parse_url(url)
        self.is_postgresql = self.url.get_backend_name() == "postgresql"
        self._engine = _create_postgresql_engine(self.url) if self.is_postgresql else _create_sqlite_engine(self.url)
        self._writing = self._engine.execution_options(writes=True)
        steady = {"isolation_level": "REPEATABLE READ"} if self.is_postgresql else {}
        self._reading = self._engine.execution_options(**steady)
        self._alone = self._engine.execution_options(
            **{"isolation_level": "AUTOCOMMIT"} if self.is_postgresql else ALONE
        )
        self._together = None if self.is_postgresql else GroupCommit(self._writing)

    def __str__(self) -> str:
        return self.url.render_as_string(hide_password=True)

    @property
    def file(self) -> Path | None:
        """The file, of SQLite."""
        return None if self.is_postgresql else Path(str(self.url.database))

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that sees the state at one moment, and changes nothing."""
        with self._reading.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that is either on disk as a whole when it ends, or never was."""
        if self._together is None:
            with self._writing.connect() as connection, connection.begin():
                yield connection
        else:
            with self._together.write() as connection:
                yield connection

    def serialise(self, connection: Connection) -> None:
        """Let no other transaction that calls this go on before this one ends; in SQLite one alone writes anyway."""
        if self.is_postgresql:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({SERIAL_LOCK})")

    @contextmanager
    def alone(self) -> Iterator[Connection]:
        """A connection outside any transaction: each statement is one of its own."""
        with self._alone.connect() as connection:
            yield connection

    def check(self) -> None:
        """An error in words if the database cannot be reached."""
        try:
            with self._engine.connect():
                pass
        except (OperationalError, DBAPIError) as error:
            reason = str(error.orig).strip().splitlines()
            raise InputError(f"the database cannot be opened: {reason[0] if reason else error}", path=self) from None

    def close(self) -> None:
        """Close all connections."""
        if self._together is not None:
            self._together.close()
        self._engine.dispose()


def _parse_url(given: str) -> URL:
    """The URL; a path is that of a SQLite file."""
    text = given if "://" in given else f"sqlite:///{given}"
    text = text.replace("postgresql://", "postgresql+psycopg://", 1).replace("postgres://", "postgresql+psycopg://", 1)
    try:
        url = make_url(text)
        backend = url.get_backend_name()
    except (ArgumentError, NoSuchModuleError, ValueError):
        backend, url = "", URL.create("sqlite")
    if backend not in DIALECTS or not url.database or url.database == ":memory:":
        problem = f"{quote_value(given)} names no store; allowed are a file, as sqlite:///study.db,"
        raise InputError(f"{problem} and PostgreSQL, as postgresql://USER@HOST/DATABASE")
    return url


def _create_sqlite_engine(url: URL) -> Engine:
    folder = Path(str(url.database)).parent
    if not folder.is_dir():
        raise InputError("there is no such folder; make it first", path=folder)
    engine = create_engine(url, pool_size=MAX_CONNECTIONS, max_overflow=1, pool_use_lifo=True)  # one more to write with
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = None  # the driver must not begin transactions by itself
    for name, value in PRAGMAS.items():
        connection.execute(f"PRAGMA {name} = {value}")


def _begin_sqlite(connection: Connection) -> None:
    options = connection.get_execution_options()
    if not options.get("alone"):
        connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes") else "BEGIN")


def _create_postgresql_engine(url: URL) -> Engine:
    try:
        import psycopg  # noqa: F401 - only whether it is there
    except ImportError:
        raise MissingExtra("annotate", "psycopg") from None
    engine = create_engine(url, pool_size=MAX_CONNECTIONS, max_overflow=0, pool_use_lifo=True)
    event.listen(engine, "connect", _prepare_postgresql)
    event.listen(engine, "checkin", _record_use)
    event.listen(engine, "checkout", _check_idle_connection)
    return engine


def _prepare_postgresql(connection: Any, _: object) -> None:
    """Where a server is set to acknowledge before it has written, it must not do so to us; nobody waits for ever."""
    connection.execute(
        "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
    )
    for name, value in POSTGRESQL_TIMEOUTS.items():
        connection.execute("SELECT set_config(%s, %s, false)", (name, value))
    connection.commit()


def _record_use(_: object, record: Any) -> None:
    record.info["used"] = time.monotonic()


def _check_idle_connection(connection: Any, record: Any, _: object) -> None:
    """A connection that nobody has used for a while may be gone: then another takes its place."""
    if time.monotonic() - record.info.get("used", math.inf) > IDLE_SECONDS:
        try:
            connection.execute("SELECT 1")
            connection.rollback()
        except connection.OperationalError as error:
            raise DisconnectionError(str(error)) from None

"""The database of a study: SQLite or PostgreSQL, with transactions that are on disk when they end."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from polyseme.errors import InputError, MissingExtra, quote_value

DIALECTS = ("sqlite", "postgresql")
PRAGMAS = {
    "journal_mode": "WAL",  # readers do not wait for a writer
    "synchronous": "FULL",  # a commit survives a power failure
    "busy_timeout": "30000",
    "foreign_keys": "ON",
    "wal_autocheckpoint": "0",  # a thread does it, see Database._checkpoint
    "recursive_triggers": "ON",  # otherwise INSERT OR REPLACE would delete rows without firing the triggers
    "cache_size": "-500",  # KiB per connection; the operating system caches the file anyway
}
MAX_CONNECTIONS = 40
"""The connection limit: more than the threads of one worker."""
POSTGRESQL_TIMEOUTS = {"lock_timeout": "10s", "idle_in_transaction_session_timeout": "300s"}
"""The time that a connection waits for a lock, and the time that an interrupted process can hold one."""
COMMITS_PER_CHECKPOINT = 200
"""Commits after which the write-ahead log of SQLite is moved into the file: some thousand pages."""
CHECKPOINT = "PRAGMA wal_checkpoint(PASSIVE)"
"""Moves the pages that no transaction uses, without waiting."""
SERIAL_LOCK = 0x706F6C79
"""The advisory lock of :meth:`Database.serialise`."""


def utc_timestamp(seconds: float = 0.0) -> str:
    """Return the current time, plus ``seconds``, as ISO 8601 in UTC."""
    return datetime.fromtimestamp(datetime.now(UTC).timestamp() + seconds, UTC).isoformat(timespec="milliseconds")


class Database:
    """An engine with read transactions, write transactions and single statements.

    SQLite admits one writer at a time. The threads of a process queue for a lock; processes wait for the file.

    Args:
        url: ``sqlite:///study.db``, ``postgresql://USER@HOST/DATABASE``, or the path of a SQLite file.

    Raises:
        InputError: The URL names neither a file nor a PostgreSQL database, or the folder does not exist.
    """

    def __init__(self, url: str) -> None:
        self.url = _parse_url(url)
        self.is_postgresql = self.url.get_backend_name() == "postgresql"
        self._engine = _create_postgresql_engine(self.url) if self.is_postgresql else _create_sqlite_engine(self.url)
        self._write_lock = nullcontext() if self.is_postgresql else threading.Lock()
        self._checkpoints = None if self.is_postgresql else ThreadPoolExecutor(1, "checkpoints")
        self._commits = 0
        options = self._engine.execution_options
        self._writing = options(writes=True)
        self._reading = options(isolation_level="REPEATABLE READ") if self.is_postgresql else self._engine
        self._autocommit = options(isolation_level="AUTOCOMMIT") if self.is_postgresql else options(autocommit=True)

    def __str__(self) -> str:
        return self.url.render_as_string(hide_password=True)

    @property
    def file(self) -> Path | None:
        """The SQLite file; ``None`` for PostgreSQL."""
        return None if self.is_postgresql else Path(str(self.url.database))

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a transaction that sees the state at one moment and changes nothing."""
        with self._reading.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Open a transaction: it is on disk as a whole when the block ends, or has no effect if the block fails."""
        with self._write_lock, self._writing.connect() as connection, connection.begin():
            yield connection
        self._commits += 1
        if self._checkpoints is not None and self._commits % COMMITS_PER_CHECKPOINT == 0:
            with suppress(RuntimeError):  # without a thread the log grows, but the commit has succeeded
                self._checkpoints.submit(self._checkpoint)

    def _checkpoint(self) -> None:
        """Move the log of SQLite into its file; commits wait only for a small part of this work.

        The second statement runs while no transaction writes, so it completes, and the log starts again. If a
        statement fails, nothing is lost: the data stay in the log.
        """
        with suppress(SQLAlchemyError), self.autocommit() as connection:
            connection.exec_driver_sql(CHECKPOINT).fetchall()
            with self._write_lock:
                connection.exec_driver_sql(CHECKPOINT).fetchall()

    def serialise(self, connection: Connection) -> None:
        """Let PostgreSQL transactions that call this wait for one another; SQLite has only one writer anyway."""
        if self.is_postgresql:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({SERIAL_LOCK})")

    @contextmanager
    def autocommit(self) -> Iterator[Connection]:
        """Open a connection without a transaction: each statement takes effect by itself."""
        with self._autocommit.connect() as connection:
            yield connection

    def check(self) -> None:
        """Raise ``InputError`` if the database cannot be reached."""
        try:
            with self._engine.connect():
                pass
        except DBAPIError as error:
            reason = str(error.orig).strip().splitlines()
            problem = f"the database cannot be opened: {reason[0] if reason else error}"
            raise InputError(f"{problem}. Name the store of a study, or restore a copy of it", path=self) from None

    def close(self) -> None:
        """Close all connections."""
        if self._checkpoints is not None:
            self._checkpoints.shutdown()
        self._engine.dispose()


def _parse_url(text: str) -> URL:
    """Parse the URL of a store; a path means a SQLite file."""
    url_text = text if "://" in text else f"sqlite:///{text}"
    url_text = re.sub("^postgres(ql)?://", "postgresql+psycopg://", url_text)
    try:
        url = make_url(url_text)
        backend = url.get_backend_name()
    except (ArgumentError, NoSuchModuleError, ValueError):
        backend, url = "", URL.create("sqlite")
    if backend not in DIALECTS or not url.database or url.database == ":memory:":
        raise InputError(
            f"{quote_value(text)} is not a store. Name a file, as in sqlite:///study.db, "
            "or a PostgreSQL database, as in postgresql://USER@HOST/DATABASE"
        )
    return url


def _create_sqlite_engine(url: URL) -> Engine:
    folder = Path(str(url.database)).parent
    if not folder.is_dir():
        raise InputError("the folder does not exist; create it first", path=folder)
    engine = create_engine(url, pool_size=MAX_CONNECTIONS, max_overflow=1, pool_use_lifo=True)  # one to write with
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = None  # SQLAlchemy begins the transactions
    for name, value in PRAGMAS.items():
        connection.execute(f"PRAGMA {name} = {value}")


def _begin_sqlite(connection: Connection) -> None:
    options = connection.get_execution_options()
    if not options.get("autocommit"):
        connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes") else "BEGIN")


def _create_postgresql_engine(url: URL) -> Engine:
    try:
        import psycopg  # noqa: F401 - checks that it is installed
    except ImportError:
        raise MissingExtra("annotate", "psycopg") from None
    engine = create_engine(url, pool_size=MAX_CONNECTIONS, max_overflow=0, pool_use_lifo=True, pool_pre_ping=True)
    event.listen(engine, "connect", _prepare_postgresql)
    return engine


def _prepare_postgresql(connection: Any, _: object) -> None:
    """Make commits durable even where the server acknowledges them early, and limit waiting."""
    connection.execute(
        "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
    )
    for name, value in POSTGRESQL_TIMEOUTS.items():
        connection.execute("SELECT set_config(%s, %s, false)", (name, value))
    connection.commit()

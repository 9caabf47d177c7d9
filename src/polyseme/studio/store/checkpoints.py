"""Moving what SQLite has in its log into the file itself, without anybody waiting for it.

SQLite does so by itself, in the commit that makes the log longer than a thousand pages: who waits for that commit then
waits until these are in the file, and so do all behind it. Here another thread moves the bulk; the writer, once that is
done, moves only what was written meanwhile, so that the log can begin anew.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

COMMITS_PER_CHECKPOINT = 200
"""Commits after which the log is moved: some thousand pages of it."""

CHECKPOINT = "PRAGMA wal_checkpoint(PASSIVE)"
"""Moves what nobody reads or writes; it waits for nobody."""


class Checkpoints:
    """What moves the log of a file, told of each commit by the one connection that writes to it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._commits = 0
        self._thread: threading.Thread | None = None

    def take_over(self, connection: Connection) -> None:
        """From now on SQLite does not do it by itself, as far as this connection writes."""
        _driver(connection).execute("PRAGMA wal_autocheckpoint = 0")

    def after_commit(self, connection: Connection) -> None:
        """Begin to move a log that is long; or, where that is done, move the little that came meanwhile."""
        self._commits += 1
        if self._thread is None:
            if self._commits >= COMMITS_PER_CHECKPOINT:
                self._commits = 0
                self._thread = _started(self._move)
        elif not self._thread.is_alive():
            self._thread = None
            _move(_driver(connection))

    def close(self) -> None:
        """Wait until nothing is moved."""
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _move(self) -> None:
        with suppress(SQLAlchemyError):  # all connections are taken: the next time will do
            connection = self._engine.raw_connection()
            try:
                _move(connection.dbapi_connection)
            finally:
                connection.close()


def _started(work: Callable[[], None]) -> threading.Thread | None:
    """A thread; none where no more can be started, which must not look as if nothing had been saved."""
    thread = threading.Thread(target=work, name="checkpoint", daemon=True)
    try:
        thread.start()
    except RuntimeError:
        return None
    return thread


def _move(driver: Any) -> None:
    """Move what can be moved; if that fails, nothing is lost, as it is in the log, and the next time will do."""
    with suppress(sqlite3.Error):
        driver.execute(CHECKPOINT).fetchall()


def _driver(connection: Connection) -> Any:
    """The connection of SQLite's driver, which begins no transaction by itself."""
    return connection.connection.dbapi_connection

"""Writing together: those who wait for the disk at the same time wait for it once."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, RootTransaction

from polyseme.studio.store.checkpoints import Checkpoints


class FairLock:
    """A lock that those who wait for it get in the order in which they came."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._held = False

    def __enter__(self) -> None:
        with self._guard:
            if not self._held:
                self._held = True
                return
            mine = threading.Lock()
            mine.acquire()
            self._waiting.append(mine)
        mine.acquire()  # released by whoever has the lock before

    def __exit__(self, *_: object) -> None:
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._held = False


@dataclass
class _Group:
    """A transaction that several threads write in, one after the other, and end together."""

    transaction: RootTransaction
    over: bool = False
    error: BaseException | None = None


class GroupCommit:
    """Transactions of threads on one connection to SQLite, where each would wait for the disk by itself.

    A thread writes between two savepoints, and queues up again to commit. Those that came meanwhile write before it is
    its turn, so that its commit is theirs as well. Whoever fails takes back no more than their own.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._turns = FairLock()
        self._checkpoints = Checkpoints(engine)
        self._connection: Connection | None = None
        self._group: _Group | None = None

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that is either on disk as a whole when it ends, or never was."""
        with self._turns:
            connection, group = self._begun()
            try:
                with _savepoint(connection):
                    yield connection
            except BaseException:
                if group is self._group:
                    self._end(group)  # those who wrote before are not kept waiting, nor is the file locked
                raise
        with self._turns:
            if not group.over:
                self._end(group)
        if group.error is not None:
            raise group.error

    def _begun(self) -> tuple[Connection, _Group]:
        if self._connection is None:
            self._connection = self._engine.connect()
            self._checkpoints.take_over(self._connection)
        if self._group is None:
            self._group = _Group(self._connection.begin())
        return self._connection, self._group

    def _end(self, group: _Group) -> None:
        """Commit what all of a group wrote; if that fails, it is an error of all, and the connection is given up."""
        self._group, group.over = None, True
        try:
            connection = self._check()
            group.transaction.commit()
            self._checkpoints.after_commit(connection)
        except BaseException as error:  # noqa: BLE001 - all who wrote in it must hear of it, whatever it is
            group.error = error
            self._discard()

    def _check(self) -> Connection:
        """An error if SQLite has ended the transaction by itself, as it does when the disk is full.

        The driver would not say so: to commit where there is nothing to commit is no error to it.
        """
        if self._connection is None or not _is_open(self._connection):
            raise OSError("the database took back what was written, as when the disk is full; nothing was saved")
        return self._connection

    def _discard(self) -> None:
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None

    def close(self) -> None:
        """Give the connection back."""
        with self._turns:
            self._checkpoints.close()
            if self._connection is not None:
                self._connection.close()
                self._connection = None


def _is_open(connection: Connection) -> bool:
    """Whether SQLite itself is in a transaction."""
    driver = connection.connection.dbapi_connection
    return driver is not None and bool(driver.in_transaction)


@contextmanager
def _savepoint(connection: Connection) -> Iterator[None]:
    connection.exec_driver_sql("SAVEPOINT mine")
    try:
        yield
    except BaseException:
        if _is_open(connection):
            connection.exec_driver_sql("ROLLBACK TO mine")
            connection.exec_driver_sql("RELEASE mine")
        raise
    connection.exec_driver_sql("RELEASE mine")

"""Writing together: one commit for many, and nobody's failure is another's."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from polyseme.studio.store import checkpoints
from polyseme.studio.store.database import Database
from polyseme.studio.store.group_commit import FairLock


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    found = Database(str(tmp_path / "x.db"))
    with found.write() as connection:
        connection.execute(text("CREATE TABLE t (n INTEGER PRIMARY KEY)"))
    yield found
    found.close()


def numbers(database: Database) -> set[int]:
    with database.read() as connection:
        return set(connection.execute(text("SELECT n FROM t")).scalars())


def test_turns_come_in_order() -> None:
    turns, seen = FairLock(), []
    waiting = [threading.Event() for _ in range(5)]

    def work(number: int) -> None:
        waiting[number].set()
        with turns:
            seen.append(number)

    with turns:
        threads = [threading.Thread(target=work, args=(number,)) for number in range(5)]
        for number, thread in enumerate(threads):
            thread.start()
            waiting[number].wait()
            while len(turns._waiting) <= number:
                pass
    for thread in threads:
        thread.join()
    assert seen == list(range(5))


def test_who_fails_takes_back_only_their_own(database: Database) -> None:
    def work(number: int) -> int:
        with database.write() as connection:
            connection.execute(text("INSERT INTO t VALUES (:n)"), {"n": number})
            if number % 3 == 0:
                raise ValueError(number)
        assert number in numbers(database)  # another connection sees it: it is committed
        return number

    with ThreadPoolExecutor(20) as pool:
        working = [pool.submit(work, number) for number in range(200)]
    failed = {number for number, each in enumerate(working) if each.exception() is not None}
    assert failed == set(range(0, 200, 3))
    assert numbers(database) == set(range(200)) - failed


def test_commits_are_shared(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    together = database._together
    assert together is not None
    commits, end, ready = list[object](), together._end, threading.Event()

    def counted(group: Any) -> None:
        commits.append(group)
        end(group)

    monkeypatch.setattr(together, "_end", counted)

    def work(number: int) -> None:
        with database.write() as connection:
            connection.execute(text("INSERT INTO t VALUES (:n)"), {"n": number})
            ready.wait()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(10)]
    for thread in threads:
        thread.start()
    while len(together._turns._waiting) < 9:
        pass
    ready.set()
    for thread in threads:
        thread.join()
    assert len(commits) == 1
    assert numbers(database) == set(range(10))


def test_a_commit_that_fails_is_everyones(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    together = database._together
    assert together is not None
    ready = threading.Event()

    def work(number: int) -> None:
        with database.write() as connection:
            connection.execute(text("INSERT INTO t VALUES (:n)"), {"n": number})
            ready.wait()

    def broken(_: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patch, ThreadPoolExecutor(4) as pool:
        patch.setattr("sqlalchemy.engine.default.DefaultDialect.do_commit", lambda *_: broken(_))
        working = [pool.submit(work, number) for number in range(4)]
        while len(together._turns._waiting) < 3:
            pass
        ready.set()
        assert all(isinstance(each.exception(), OSError) for each in working)
    assert numbers(database) == set()
    work(7)
    assert numbers(database) == {7}


def test_a_failure_leaves_the_file_open_to_others(database: Database) -> None:
    with pytest.raises(ValueError, match="mine"), database.write():
        raise ValueError("mine")
    other = Database(str(database.file))
    with other.write() as connection:
        connection.execute(text("INSERT INTO t VALUES (1)"))
    other.close()
    assert numbers(database) == {1}


def test_what_the_database_takes_back_is_not_acknowledged(database: Database) -> None:
    """As SQLite does when the disk is full, in the middle of what another writes."""
    together = database._together
    assert together is not None
    ready = threading.Event()

    def good() -> None:
        with database.write() as connection:
            connection.execute(text("INSERT INTO t VALUES (1)"))
            ready.wait()

    def bad() -> None:
        with database.write() as connection:
            connection.exec_driver_sql("ROLLBACK")
            raise ValueError("the disk is full")

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(good)
        while not together._turns._held:
            pass
        second = pool.submit(bad)
        while not together._turns._waiting:
            pass
        ready.set()
        assert "nothing was saved" in str(first.exception())
        assert isinstance(second.exception(), ValueError)
    assert numbers(database) == set()
    with database.write() as connection:
        connection.execute(text("INSERT INTO t VALUES (2)"))
    assert numbers(database) == {2}


def test_the_log_is_moved_into_the_file_and_begins_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "COMMITS_PER_CHECKPOINT", 20)
    database = Database(str(tmp_path / "x.db"))
    with database.write() as connection:
        connection.execute(text("CREATE TABLE t (n INTEGER PRIMARY KEY, what TEXT)"))
    sizes = []
    for number in range(400):
        with database.write() as connection:
            connection.execute(text("INSERT INTO t VALUES (:n, :w)"), {"n": number, "w": "x" * 2000})
        sizes.append((tmp_path / "x.db-wal").stat().st_size)
        if number % 20 == 5:
            time.sleep(0.01)  # others write now and then, too
    assert numbers(database) == set(range(400))
    assert max(sizes) < 400 * 3 * 4096 / 2, "the log was never begun anew"
    assert (tmp_path / "x.db").stat().st_size > 400 * 2000 / 2
    database.close()


def test_a_checkpoint_that_fails_takes_nothing_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "COMMITS_PER_CHECKPOINT", 1)
    monkeypatch.setattr(checkpoints, "CHECKPOINT", "SELECT nothing")
    database = Database(str(tmp_path / "x.db"))
    with database.write() as connection:
        connection.execute(text("CREATE TABLE t (n INTEGER PRIMARY KEY)"))
    for number in range(20):
        with database.write() as connection:
            connection.execute(text("INSERT INTO t VALUES (:n)"), {"n": number})
    assert numbers(database) == set(range(20))
    database.close()

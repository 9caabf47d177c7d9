"""Write transactions on SQLite: one writer at a time, and a failure affects nobody else."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from polyseme.studio.store import database as database_module
from polyseme.studio.store.database import Database


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(str(tmp_path / "x.db"))
    with opened.write() as connection:
        connection.execute(text("CREATE TABLE t (n INTEGER PRIMARY KEY, padding TEXT)"))
    yield opened
    opened.close()


def insert(database: Database, number: int, padding: str = "") -> None:
    with database.write() as connection:
        connection.execute(text("INSERT INTO t VALUES (:n, :padding)"), {"n": number, "padding": padding})


def numbers(database: Database) -> set[int]:
    with database.read() as connection:
        return set(connection.execute(text("SELECT n FROM t")).scalars())


def test_threads_write_one_after_another_and_a_failure_rolls_back_only_its_own_rows(database: Database) -> None:
    def work(number: int) -> None:
        with database.write() as connection:
            connection.execute(text("INSERT INTO t VALUES (:n, '')"), {"n": number})
            if number % 3 == 0:
                raise ValueError(number)
        assert number in numbers(database)  # another connection sees it: it is committed

    with ThreadPoolExecutor(20) as pool:
        jobs = [pool.submit(work, number) for number in range(200)]
    failures = {number for number, job in enumerate(jobs) if job.exception() is not None}
    assert failures == set(range(0, 200, 3))
    assert numbers(database) == set(range(200)) - failures


def test_a_writer_waits_until_the_one_before_it_has_committed(database: Database) -> None:
    inside, release = threading.Event(), threading.Event()

    def hold() -> None:
        with database.write() as connection:
            connection.execute(text("INSERT INTO t VALUES (1, '')"))
            inside.set()
            assert release.wait(10)

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(hold)
        assert inside.wait(10)
        second = pool.submit(insert, database, 2)
        assert not second.done()
        assert numbers(database) == set()
        release.set()
        first.result()
        second.result()
    assert numbers(database) == {1, 2}


def test_a_commit_that_fails_is_an_error_and_the_next_one_succeeds(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("sqlalchemy.engine.default.DefaultDialect.do_commit", fail)
        with pytest.raises(OSError, match="disk is full"):
            insert(database, 1)
    assert numbers(database) == set()
    insert(database, 7)
    assert numbers(database) == {7}


def test_a_failure_leaves_the_file_open_to_other_processes(database: Database) -> None:
    with pytest.raises(ValueError, match="mine"), database.write():
        raise ValueError("mine")
    other = Database(str(database.file))
    insert(other, 1)
    other.close()
    assert numbers(database) == {1}


def test_a_transaction_that_the_database_rolls_back_is_not_acknowledged(database: Database) -> None:
    """SQLite rolls back by itself when the disk is full."""

    def fail() -> None:
        with database.write() as connection:
            connection.execute(text("INSERT INTO t VALUES (1, '')"))
            connection.exec_driver_sql("ROLLBACK")
            raise ValueError("the disk is full")

    with pytest.raises(ValueError, match="the disk is full"):
        fail()
    assert numbers(database) == set()
    insert(database, 2)
    assert numbers(database) == {2}


def fill(database: Database) -> None:
    for number in range(20, 60):
        insert(database, number, "x" * 4000)


def test_a_full_disk_is_an_error_and_loses_nothing_that_was_acknowledged(database: Database) -> None:
    for number in range(20):
        insert(database, number)
    with database.write() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(OperationalError, match="full"):
        fill(database)
    acknowledged = numbers(database)
    assert acknowledged >= set(range(20))
    with database.write() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
    insert(database, 99)
    assert numbers(database) == acknowledged | {99}


def test_the_write_ahead_log_is_checkpointed_and_starts_again(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert database.file is not None
    monkeypatch.setattr(database_module, "COMMITS_PER_CHECKPOINT", 20)
    sizes = []
    for number in range(400):
        insert(database, number, "x" * 2000)
        sizes.append(Path(f"{database.file}-wal").stat().st_size)
        if number % 20 == 5:
            time.sleep(0.01)  # other work happens between answers
    assert numbers(database) == set(range(400))
    assert max(sizes) < 400 * 3 * 4096 / 2, "the log never started again"
    assert database.file.stat().st_size > 400 * 2000 / 2


def test_a_checkpoint_that_fails_loses_nothing(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_module, "COMMITS_PER_CHECKPOINT", 1)
    monkeypatch.setattr(database_module, "CHECKPOINT", "SELECT nothing")
    for number in range(20):
        insert(database, number)
    assert numbers(database) == set(range(20))


def test_a_checkpoint_that_cannot_start_is_not_an_error_of_the_commit(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(database_module, "COMMITS_PER_CHECKPOINT", 1)
    monkeypatch.setattr(ThreadPoolExecutor, "submit", fail)
    insert(database, 1)
    assert numbers(database) == {1}

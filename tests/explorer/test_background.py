from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from polyseme.corpus.index import Index
from polyseme.errors import InputError, PolysemeError
from polyseme.explorer.background import MAX_WAITING, BackgroundWorkers, TaskFailed, WorkersBusy


@dataclass(frozen=True)
class Sleep:
    seconds: float
    file: Path

    def done(self, index: Index) -> None:
        time.sleep(self.seconds)
        with self.file.open("a") as file:
            file.write("done\n")


@dataclass(frozen=True)
class Fail:
    how: str

    def done(self, index: Index) -> None:
        if self.how.startswith("input"):
            raise InputError("this is no good")
        if self.how == "bug":
            raise ZeroDivisionError("a bug")
        os._exit(3)


@dataclass(frozen=True)
class Count:
    file: Path

    def done(self, index: Index) -> None:
        with self.file.open("a") as file:
            file.write("begun\n")
        raise ZeroDivisionError("a bug")


@pytest.fixture(scope="module")
def working(index: Index) -> Iterator[BackgroundWorkers]:
    """One for all, as its process takes seconds to start; what a test asks of it, no other asks."""
    made = BackgroundWorkers(index.folder, processes=1, limit=30)
    yield made
    made.end()


def test_work_is_done_once_and_nobody_waits_for_longer_than_they_want(
    working: BackgroundWorkers, tmp_path: Path
) -> None:
    task = Sleep(0.5, tmp_path / "said")
    assert not working.ask(task, 0)
    assert not working.ask(task, 0)
    assert working.ask(task, 60)
    assert (tmp_path / "said").read_text() == "done\n"


def test_what_goes_wrong_is_said_and_the_next_task_is_done(working: BackgroundWorkers, tmp_path: Path) -> None:
    for how, said in (("input", "this is no good"), ("bug", "ZeroDivisionError"), ("exit", "ended")):
        with pytest.raises(PolysemeError, match=said):
            working.ask(Fail(how), 60)
    assert working.ask(Sleep(0, tmp_path / "said"), 60)


def test_all_who_wait_are_told_that_work_failed(
    working: BackgroundWorkers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = Count(tmp_path / "said")
    for _ in range(3):
        with pytest.raises(TaskFailed, match="ZeroDivisionError"):
            working.ask(task, 60)
    assert (tmp_path / "said").read_text() == "begun\n"
    with pytest.raises(PolysemeError) as told:
        working.ask(Fail("input, of another"), 60)
    assert not isinstance(told.value, TaskFailed)
    monkeypatch.setattr("polyseme.explorer.background.FAILURE_MEMORY", 0.0)
    with pytest.raises(TaskFailed):
        working.ask(task, 60)
    assert (tmp_path / "said").read_text() == "begun\n" * 2


def test_too_much_at_once_is_refused(working: BackgroundWorkers, tmp_path: Path) -> None:
    file = tmp_path / "said"
    working.ask(Sleep(0, file), 60)  # the process is there
    working.ask(Sleep(2, file), 0.5)
    tasks = [Sleep(number / 1000, file) for number in range(1, MAX_WAITING + 1)]
    assert not any(working.ask(task, 0) for task in tasks)
    with pytest.raises(WorkersBusy, match="8 words"):
        working.ask(Sleep(0.5, file), 0)
    assert not working.ask(tasks[-1], 0)  # what waits already is not refused
    assert working.ask(tasks[-1], 60)
    assert working.ask(Sleep(0.5, file), 60)


def test_what_takes_too_long_is_given_up(index: Index, tmp_path: Path) -> None:
    working = BackgroundWorkers(index.folder, processes=1, limit=1)
    try:
        with pytest.raises(TaskFailed, match=r"took too long.*given up after 1 second"):
            working.ask(Sleep(60, tmp_path / "said"), 60)
    finally:
        working.end()

"""Tasks in background processes."""

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
    topic: str = ""

    def run(self, index: Index) -> None:
        time.sleep(self.seconds)
        with self.file.open("a") as file:
            file.write("done\n")


@dataclass(frozen=True)
class Fail:
    kind: str
    topic: str = ""

    def run(self, index: Index) -> None:
        if self.kind.startswith("input"):
            raise InputError("this is no good")
        if self.kind == "bug":
            raise ZeroDivisionError("a bug")
        os._exit(3)


@dataclass(frozen=True)
class Count:
    file: Path
    topic: str = ""

    def run(self, index: Index) -> None:
        with self.file.open("a") as file:
            file.write("begun\n")
        raise ZeroDivisionError("a bug")


@dataclass(frozen=True)
class WriteProcess:
    seconds: float
    file: Path
    topic: str

    def run(self, index: Index) -> None:
        time.sleep(self.seconds)
        self.file.write_text(str(os.getpid()))


@pytest.fixture(scope="module")
def workers(index: Index) -> Iterator[BackgroundWorkers]:
    """One for all tests, as its process takes seconds to start; no two tests use equal tasks."""
    shared = BackgroundWorkers(index.folder, workers=1, time_limit=30)
    yield shared
    shared.stop()


def test_a_task_runs_once_and_callers_wait_as_long_as_they_like(workers: BackgroundWorkers, tmp_path: Path) -> None:
    task = Sleep(0.5, tmp_path / "log")
    assert not workers.wait_for(task, 0)
    assert not workers.wait_for(task, 0)
    assert workers.wait_for(task, 60)
    assert (tmp_path / "log").read_text() == "done\n"


def test_errors_are_reported_and_the_next_task_runs(workers: BackgroundWorkers, tmp_path: Path) -> None:
    for kind, problem in (("input", "this is no good"), ("bug", "ZeroDivisionError"), ("exit", "ended")):
        with pytest.raises(PolysemeError, match=problem):
            workers.wait_for(Fail(kind), 60)
    assert workers.wait_for(Sleep(0, tmp_path / "log"), 60)


def test_a_failure_is_remembered_for_some_time(
    workers: BackgroundWorkers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = Count(tmp_path / "log")
    for _ in range(3):
        with pytest.raises(TaskFailed, match="ZeroDivisionError"):
            workers.wait_for(task, 60)
    assert (tmp_path / "log").read_text() == "begun\n"
    with pytest.raises(PolysemeError) as failure:
        workers.wait_for(Fail("input, of another"), 60)
    assert not isinstance(failure.value, TaskFailed)
    monkeypatch.setattr("polyseme.explorer.background.FAILURE_MEMORY", 0.0)
    with pytest.raises(TaskFailed):
        workers.wait_for(task, 60)
    assert (tmp_path / "log").read_text() == "begun\n" * 2


def test_too_many_waiting_tasks_are_refused(workers: BackgroundWorkers, tmp_path: Path) -> None:
    file = tmp_path / "log"
    workers.wait_for(Sleep(0, file), 60)  # the process has started
    workers.wait_for(Sleep(2, file), 0.5)
    tasks = [Sleep(number / 1000, file) for number in range(1, MAX_WAITING + 1)]
    assert not any(workers.wait_for(task, 0) for task in tasks)
    with pytest.raises(WorkersBusy, match="8 words"):
        workers.wait_for(Sleep(0.5, file), 0)
    assert not workers.wait_for(tasks[-1], 0)  # a waiting task is not refused
    assert workers.wait_for(tasks[-1], 60)
    assert workers.wait_for(Sleep(0.5, file), 60)


def test_a_task_that_takes_too_long_is_stopped(index: Index, tmp_path: Path) -> None:
    workers = BackgroundWorkers(index.folder, workers=1, time_limit=1)
    try:
        with pytest.raises(TaskFailed, match=r"took too long.*stopped after 1 second"):
            workers.wait_for(Sleep(60, tmp_path / "log"), 60)
    finally:
        workers.stop()


def test_tasks_of_one_topic_have_one_process(index: Index, tmp_path: Path) -> None:
    workers = BackgroundWorkers(index.folder, workers=2, time_limit=60)
    try:
        first = [WriteProcess(1.5, tmp_path / topic, topic) for topic in ("bank", "table")]
        assert not workers.wait_for(first[0], 0)
        assert all(workers.wait_for(task, 60) for task in reversed(first))
        topics = ("table", "table", "bank", "bank", "table")
        again = [WriteProcess(0, tmp_path / f"{topic}-{number}", topic) for number, topic in enumerate(topics)]
        assert all(workers.wait_for(task, 60) for task in again)
    finally:
        workers.stop()
    processes = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert processes["bank"] != processes["table"]
    assert all(process == processes[name.partition("-")[0]] for name, process in processes.items())

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from polyseme.corpus.index import Index
from polyseme.errors import InputError, PolysemeError
from polyseme.explore.working import Working


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
        if self.how == "input":
            raise InputError("this is no good")
        if self.how == "bug":
            raise ZeroDivisionError("a bug")
        os._exit(3)


@pytest.fixture
def working(index: Index) -> Iterator[Working]:
    made = Working(index.folder, processes=1, limit=30)
    yield made
    made.end()


def test_work_is_done_once_and_nobody_waits_for_longer_than_they_want(working: Working, tmp_path: Path) -> None:
    task = Sleep(0.5, tmp_path / "said")
    assert not working.ask(task, 0)
    assert not working.ask(task, 0)
    assert working.ask(task, 60)
    assert (tmp_path / "said").read_text() == "done\n"


def test_what_goes_wrong_is_said_and_the_next_task_is_done(working: Working, tmp_path: Path) -> None:
    for how, said in (("input", "this is no good"), ("bug", "ZeroDivisionError"), ("exit", "ended")):
        with pytest.raises(PolysemeError, match=said):
            working.ask(Fail(how), 60)
    assert working.ask(Sleep(0, tmp_path / "said"), 60)


def test_what_takes_too_long_is_given_up(index: Index, tmp_path: Path) -> None:
    working = Working(index.folder, processes=1, limit=1)
    try:
        with pytest.raises(PolysemeError, match="given up after 1 second"):
            working.ask(Sleep(60, tmp_path / "said"), 60)
    finally:
        working.end()

"""Nothing that was acknowledged is lost when the server is killed; the long form is ``python bench/studio_kill.py``."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("fastapi", reason="the studio needs polyseme[annotate]")

from polyseme.errors import InputError
from polyseme.studio.store.assigned_page import AssignedPage
from polyseme.studio.store.submissions import Submission
from polyseme.studio.study.pages import Judgement
from studio.conftest import Begin, add, page, study_of

if TYPE_CHECKING:
    from polyseme.studio.store.store import Store

NO_SERVER = 3
"""The status of a benchmark that finds no PostgreSQL."""


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_what_is_acknowledged_survives_kills(root: Path, kind: str) -> None:
    """One kill, then a copy and another, and work goes on: eight annotators leave no moment without a request."""
    few = ["--kills", "2", "--annotators", "8"]
    command = [sys.executable, "-W", "error", str(root / "bench" / "studio_kill.py"), kind, *few]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=500)
    if ran.returncode == NO_SERVER:
        pytest.skip(ran.stderr.strip())
    assert ran.returncode == 0, ran.stdout + ran.stderr
    acknowledged = re.search(r"([\d,]+) requests with ([\d,]+) judgements were acknowledged", ran.stdout)
    assert acknowledged, ran.stdout
    assert int(acknowledged[1].replace(",", "")) >= 20
    assert "all are there, once, and the view is right" in ran.stdout
    assert re.search(r"a copy made while all worked: [\d,]+ acknowledged before it", ran.stdout)


WORKERS = """
import sys, asyncio
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from served_studio import Serving, invited, write_study

async def main():
    study = write_study(Path(sys.argv[2]), 3, {"a": ["WSsim"]})
    url = f"sqlite:///{Path(sys.argv[2]) / 'study.db'}"
    invited(study, url, 1)
    serving = Serving(study, url, workers=2)
    await serving.start()
    print(*serving.pids(), flush=True)
    sys.stdin.readline()

asyncio.run(main())
"""


def test_workers_end_with_who_started_them(root: Path, tmp_path: Path) -> None:
    """Else they would keep the port, and answer beside those that are started then."""
    command = [sys.executable, "-c", WORKERS, str(root / "bench"), str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as started:
        assert started.stdout
        pids = [int(pid) for pid in started.stdout.readline().split()]
        assert len(pids) > 2
        os.kill(pids[0], signal.SIGKILL)
        until = time.monotonic() + 60
        while (left := [pid for pid in pids[1:] if Path(f"/proc/{pid}").exists()]) and time.monotonic() < until:
            time.sleep(0.1)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        started.communicate("\n", timeout=60)
    assert not left


# -- reading and writing in one transaction --------------------------------------------------------------------------


@pytest.fixture
def store(begin: Begin) -> Store:
    return begin(study_of(), [page(1), page(2)])


def _rated(value: float, request: str) -> Submission:
    return Submission((Judgement("win.v%a", value),), request)


def test_an_answer_depends_on_what_stands_when_it_is_written(store: Store) -> None:
    who, seen = add(store, "ann"), []

    def said(shown: AssignedPage) -> Submission:
        seen.append(dict(shown.answers.values))
        return _rated(len(seen), f"r{len(seen)}")

    store.current_page(who)
    assert store.answer(who, 1, said).answers.values == {"win.v%a": 1}
    assert store.answer(who, 1, said).answers.values == {"win.v%a": 2}
    assert seen == [{}, {"win.v%a": 1}]


def test_an_answer_that_comes_twice_is_there_once(store: Store) -> None:
    who = add(store, "ann")
    store.current_page(who)
    for _ in range(2):
        store.answer(who, 1, lambda _: _rated(3, "same"))
    assert len(list(store.events())) == 1


def test_to_say_nothing_records_nothing(store: Store) -> None:
    who = add(store, "ann")
    current = store.current_page(who)
    assert store.answer(who, 1, lambda _: None) == current
    assert not list(store.events())


@pytest.mark.parametrize("number", [0, -1, 2, 2**31, 2**70])
def test_no_answer_to_a_page_that_is_not_open(store: Store, number: int) -> None:
    who = add(store, "ann")
    store.current_page(who)
    with pytest.raises(KeyError):
        store.answer(who, number, lambda _: _rated(3, "r"))
    assert not list(store.events())


def test_a_refused_answer_leaves_nothing(store: Store) -> None:
    who = add(store, "ann")
    store.current_page(who)
    with pytest.raises(InputError, match="not on the scale"):
        store.answer(who, 1, lambda _: _rated(9, "r"))
    store.set_state("ann", "paused", "")
    with pytest.raises(InputError, match="paused"):
        store.answer(who, 1, lambda _: _rated(3, "r"))
    assert not list(store.events())

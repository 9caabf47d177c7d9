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
from studio.conftest import Begin, add, make_study, page

if TYPE_CHECKING:
    from polyseme.studio.store.store import Store

NO_SERVER = 3
"""The status of a benchmark that finds no PostgreSQL."""


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_acknowledged_judgements_survive_kills(root: Path, kind: str) -> None:
    """Kill, copy and kill again while work continues: eight annotators send requests all the time."""
    few = ["--kills", "2", "--annotators", "8"]
    command = [sys.executable, "-W", "error", str(root / "bench" / "studio_kill.py"), kind, *few]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=500)
    if run.returncode == NO_SERVER:
        pytest.skip(run.stderr.strip())
    assert run.returncode == 0, run.stdout + run.stderr
    acknowledged = re.search(r"([\d,]+) requests with ([\d,]+) judgements were acknowledged", run.stdout)
    assert acknowledged, run.stdout
    assert int(acknowledged[1].replace(",", "")) >= 20
    assert "all are there, once, and the view is right" in run.stdout
    assert re.search(r"a copy made while all worked: [\d,]+ acknowledged before it", run.stdout)


WORKERS = """
import sys, asyncio
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from served_studio import ServedStudio, invite_annotators, write_study

async def main():
    study = write_study(Path(sys.argv[2]), 3, {"a": ["WSsim"]})
    url = f"sqlite:///{Path(sys.argv[2]) / 'study.db'}"
    invite_annotators(study, url, 1)
    serving = ServedStudio(study, url, workers=2)
    await serving.start()
    print(*serving.pids(), flush=True)
    sys.stdin.readline()

asyncio.run(main())
"""


def test_workers_end_with_their_parent(root: Path, tmp_path: Path) -> None:
    """Otherwise they would hold the port and answer beside new workers."""
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
    return begin(make_study(), [page(1), page(2)])


def _rate(value: float, request: str) -> Submission:
    return Submission((Judgement("win.v%a", value),), request)


def test_an_answer_is_built_from_the_current_answers(store: Store) -> None:
    annotator, answers = add(store, "ann"), []

    def build(assigned: AssignedPage) -> Submission:
        answers.append(dict(assigned.answers.values))
        return _rate(len(answers), f"r{len(answers)}")

    store.current_page(annotator)
    assert store.answer(annotator, 1, build).answers.values == {"win.v%a": 1}
    assert store.answer(annotator, 1, build).answers.values == {"win.v%a": 2}
    assert answers == [{}, {"win.v%a": 1}]


def test_an_answer_that_arrives_twice_is_stored_once(store: Store) -> None:
    annotator = add(store, "ann")
    store.current_page(annotator)
    for _ in range(2):
        store.answer(annotator, 1, lambda _: _rate(3, "same"))
    assert len(list(store.events())) == 1


def test_an_empty_submission_stores_nothing(store: Store) -> None:
    annotator = add(store, "ann")
    current = store.current_page(annotator)
    assert store.answer(annotator, 1, lambda _: None) == current
    assert not list(store.events())


@pytest.mark.parametrize("number", [0, -1, 2, 2**31, 2**70])
def test_a_page_that_is_not_open_accepts_no_answer(store: Store, number: int) -> None:
    annotator = add(store, "ann")
    store.current_page(annotator)
    with pytest.raises(KeyError):
        store.answer(annotator, number, lambda _: _rate(3, "r"))
    assert not list(store.events())


def test_a_refused_answer_stores_nothing(store: Store) -> None:
    annotator = add(store, "ann")
    store.current_page(annotator)
    with pytest.raises(InputError, match="not on the scale"):
        store.answer(annotator, 1, lambda _: _rate(9, "r"))
    store.set_state("ann", "paused", "")
    with pytest.raises(InputError, match="paused"):
        store.answer(annotator, 1, lambda _: _rate(3, "r"))
    assert not list(store.events())

"""Acknowledged judgements are stored once, even after a crash."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from polyseme.studio.store.store import Store
from polyseme.studio.store.submissions import read_answers
from studio.conftest import Begin, add, answer, make_study, page

WORKER = """
import os, sys, threading, uuid
from polyseme.studio.study.pages import Judgement
from polyseme.studio.store.store import Store

store = Store.open(sys.argv[1])

def work(who):
    while (shown := store.current_page(who)) is not None:
        for target in shown.page.targets:
            request = uuid.uuid4().hex
            store.record(who, shown.number, [Judgement(target, 3)], request=request)
            os.write(1, f"{request}\\n".encode())

for who in map(int, sys.argv[2:]):
    threading.Thread(target=work, args=(who,)).start()
"""


def run_until_killed(database: str, annotators: list[int], after: int, out: Path) -> list[str]:
    """Run a process of several annotators, kill it, and return the requests that it acknowledged."""
    with out.open("wb") as file:
        process = subprocess.Popen([sys.executable, "-c", WORKER, database, *map(str, annotators)], stdout=file)
        try:
            until = time.monotonic() + 60
            while out.read_bytes().count(b"\n") < after and process.poll() is None and time.monotonic() < until:
                time.sleep(0.005)
        finally:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
    return [line for line in out.read_text().split("\n")[:-1] if len(line) == 32]


def test_every_acknowledged_judgement_is_stored_once_after_a_crash(begin: Begin, database: str, tmp_path: Path) -> None:
    overlap = '[overlap]\ndesign = "per item"\njudgements = 3'
    store = begin(make_study(overlap=overlap), [page(number) for number in range(1, 401)])
    annotators = [add(store, f"ann{number}") for number in range(6)]
    store.close()
    acknowledged: list[str] = []
    for turn in range(3):
        acknowledged += run_until_killed(database, annotators, 20 + 20 * turn, tmp_path / f"{turn}.out")
    store = Store.open(database)
    requests = Counter(event.request.partition("#")[0] for event in store.events())
    assert len(acknowledged) >= 100
    assert not [request for request in acknowledged if requests[request] != 1]
    assert set(requests.values()) == {1}
    _check_state(store)
    assert answer(store, annotators[0])
    store.close()


def _check_state(store: Store) -> None:
    """Check that completeness is right, the view has the last events, and no annotator has two open pages."""
    from sqlalchemy import text

    with store.database.read() as connection:
        rows = connection.execute(
            text("SELECT assignment.*, page.name FROM assignment JOIN page ON page.id = assignment.page")
        ).all()
        for row in rows:
            answers = read_answers(connection, row.id)
            assert bool(row.complete) == (not store.page(row.name).missing(answers))
            view = text("SELECT target, value FROM answer WHERE assignment = :id")
            assert {each.target: each.value for each in connection.execute(view, {"id": row.id})} == answers.values
    assert max(Counter(row.annotator for row in rows if not row.complete).values()) == 1
    assert max(Counter(row.page for row in rows).values()) <= 3

"""What was acknowledged is there after a crash, once."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from polyseme.studio.store.store import Store
from polyseme.studio.store.submissions import read_answers
from studio.conftest import Begin, add, answer, page, study_of

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


def killed(database: str, people: list[int], after: int, out: Path) -> list[str]:
    """What a process of several annotators acknowledged before it was killed."""
    with out.open("wb") as file:
        process = subprocess.Popen([sys.executable, "-c", WORKER, database, *map(str, people)], stdout=file)
        try:
            until = time.monotonic() + 60
            while out.read_bytes().count(b"\n") < after and process.poll() is None and time.monotonic() < until:
                time.sleep(0.005)
        finally:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
    return [line for line in out.read_text().split("\n")[:-1] if len(line) == 32]


def test_every_acknowledged_judgement_is_there_once(begin: Begin, database: str, tmp_path: Path) -> None:
    overlap = '[overlap]\ndesign = "per item"\njudgements = 3'
    store = begin(study_of(overlap=overlap), [page(number) for number in range(1, 401)])
    people = [add(store, f"ann{number}") for number in range(6)]
    store.close()
    acknowledged: list[str] = []
    for turn in range(3):
        acknowledged += killed(database, people, 20 + 20 * turn, tmp_path / f"{turn}.out")
    store = Store.open(database)
    requests = Counter(event.request.partition("#")[0] for event in store.events())
    assert len(acknowledged) >= 100
    assert not [request for request in acknowledged if requests[request] != 1]
    assert set(requests.values()) == {1}
    _check_state(store)
    assert answer(store, people[0])
    store.close()


def _check_state(store: Store) -> None:
    """That what is noted as complete is, that the view has the last event, and that nobody has two open pages."""
    from sqlalchemy import text

    with store.database.read() as connection:
        rows = connection.execute(
            text("SELECT assignment.*, page.name FROM assignment JOIN page ON page.id = assignment.page")
        ).all()
        for row in rows:
            stands = read_answers(connection, row.id)
            assert bool(row.complete) == (not store.page(row.name).missing(stands))
            view = text("SELECT target, value FROM answer WHERE assignment = :id")
            assert {each.target: each.value for each in connection.execute(view, {"id": row.id})} == stands.values
    assert max(Counter(row.annotator for row in rows if not row.complete).values()) == 1
    assert max(Counter(row.page for row in rows).values()) <= 3

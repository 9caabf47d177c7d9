"""The studio is killed at random moments while 20 simulated annotators work, and nothing is lost.

Run with ``python bench/studio_kill.py [sqlite] [postgresql] [--kills 50] [--annotators 20] [--workers 2]``; PostgreSQL
is started for it, or is that of POLYSEME_TEST_POSTGRES, and is served by several workers. All processes of
``polyseme annotate serve`` are ended at once by SIGKILL, and it is started again. Annotators rate senses, choose the
best, write comments and change what they said before, and send what was not acknowledged again, under the same name. At
the end the events in the store must be those that they sent, each once, and the view of current answers what they said
last. Halfway the store is copied while all work: the copy must open, hold all that had been acknowledged, and go on.
Status 1: something was lost or is there twice.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from served_studio import (
    PATIENCE,
    STARTING,
    Missing,
    Refused,
    Serving,
    Visitor,
    binary,
    database,
    invited,
    new_database,
    visitors,
    write_study,
)

USAGES = 60
TASKS = {"a": ["WSsim", "WSbest"], "b": ["WSbest", "WSsim"]}
"""Everybody is given all usages, once a task; who has done all goes back and changes answers."""
THOUGHT = 0.03
"""Seconds that an annotator thinks at most."""
LIFE = 1.5
"""Seconds that the server lives at most after someone's work was saved."""
EVERYTHING = """
SELECT annotator.name, assignment.number, page.name AS page, said.kind, said.target, said.value, said.text, said.request
FROM {table} AS said JOIN assignment ON assignment.id = said.assignment JOIN page ON page.id = assignment.page
JOIN annotator ON annotator.id = said.annotator ORDER BY said.id
"""


class Row(NamedTuple):
    """One judgement or comment, as a client expects it and as the store has it."""

    name: str
    number: int
    request: str
    kind: str
    question: str
    value: float | None
    text: str


@dataclass
class Annotator:
    """A visitor who remembers everything: what stands, and what each request must have left in the store."""

    visitor: Visitor
    chance: random.Random
    stands: dict[tuple[int, str], str] = field(default_factory=dict)
    chosen: dict[int, list[str]] = field(default_factory=dict)
    sent: list[Row] = field(default_factory=list)
    acknowledged: set[str] = field(default_factory=set)
    again: dict[str, float] = field(default_factory=dict)
    pages: dict[int, dict[str, list[str]]] = field(default_factory=dict)
    finished: bool = False

    async def work(self, stop: asyncio.Event) -> None:
        """Answer page after page, or change what was answered, until it is enough."""
        await self._insist(self.visitor.enter)
        self._noted()
        while not stop.is_set():
            number, name, value = self._click()
            await self._send(number, name, value)
            await asyncio.sleep(self.chance.random() * THOUGHT)

    def _noted(self) -> None:
        self.pages[self.visitor.number] = self.visitor.questions

    def _open(self) -> list[str]:
        """The questions of the latest page that are not answered."""
        number = self.visitor.number
        return [name for name in self.pages[number] if (number, name) not in self.stands]

    def _click(self) -> tuple[int, str, str]:
        """Where, what, and which answer: mostly the next question, at times a comment, or a change of mind."""
        wanted, what = self._open(), self.chance.random()
        if what < 0.1:
            return self.visitor.number, "comment", f"{uuid.uuid4().hex} é 🦉"
        if wanted and what < 0.8:
            return self.visitor.number, wanted[0], self.chance.choice(self.pages[self.visitor.number][wanted[0]])
        number = self.chance.choice(sorted(self.pages))
        name = self.chance.choice(sorted(self.pages[number]))
        others = [value for value in self.pages[number][name] if value != self.stands.get((number, name))]
        return number, name, self.chance.choice(others)

    async def _send(self, number: int, name: str, value: str) -> None:
        request, before = uuid.uuid4().hex, self.stands.get((number, name))
        body: dict[str, object] = {"fields": {name: [value]}, "request": request, "milliseconds": 7}
        if before is not None:
            body["before"] = {name: [before]}
        self.sent += self._expected(request, number, name, value, before)
        said = await self._insist(lambda: self.visitor.answer(number, body), request)
        self.acknowledged.add(request)
        self.stands[number, name] = value
        if not self._open() and not self.finished:
            assert said["complete"] or number != self.visitor.number
            self.finished = not await self._insist(self.visitor.go_on)
            self._noted()

    def _expected(self, request: str, number: int, name: str, value: str, before: str | None) -> Iterator[Row]:
        """What is in the store when this is saved: the answer, and of a choice that the one before is withdrawn."""
        who = self.visitor.name
        if name == "comment":
            yield Row(who, number, request, "comment", "", None, value)
        elif name == "best":
            yield Row(who, number, request, "rating", value, 1.0, "")
            if before is not None:
                yield Row(who, number, request, "rating", before, 0.0, "")
        else:
            yield Row(who, number, request, "rating", name, float(value), "")

    async def _insist(self, ask: Any, request: str = "") -> Any:
        """Ask until there is an answer, as long as nobody is there to give one; when something was last sent again."""
        until = time.monotonic() + STARTING + PATIENCE
        while True:
            try:
                async with asyncio.timeout(PATIENCE):
                    return await ask()
            except (OSError, EOFError, TimeoutError):
                self.again[request] = time.time()
                if time.monotonic() > until:
                    raise
                await asyncio.sleep(0.02 + 0.05 * self.chance.random())


# -- what is in the store --------------------------------------------------------------------------------------------


def rows(url: str, table: str = "event") -> list[Row]:
    """What a store holds, with ratings named by their questions."""
    from sqlalchemy import text

    from polyseme.studio.store.store import Store

    with closing(Store.open(url)) as store:
        targets = {page.name: page.targets if page.task == "WSsim" else () for page in store.pages()}
        with store.database.read() as connection:
            return [_row(each, targets[each.page]) for each in connection.execute(text(EVERYTHING.format(table=table)))]


def _row(found: Any, targets: tuple[str, ...]) -> Row:
    question = f"rating{targets.index(found.target) + 1}" if found.target in targets else found.target
    request = found.request.partition("#")[0]
    return Row(found.name, found.number, request, found.kind, question, found.value, found.text)


def saved_unanswered(url: str, people: list[Annotator]) -> tuple[int, int]:
    """How many were sent again, and how many of these had been saved before, by a server that was killed then."""
    from polyseme.studio.store.store import Store

    again = {request: when for who in people for request, when in who.again.items() if request}
    with closing(Store.open(url)) as store:
        times = {event.request.partition("#")[0]: datetime.fromisoformat(event.time) for event in store.events()}
    return len(again), sum(request in times and times[request].timestamp() < when for request, when in again.items())


def wrong(url: str, people: list[Annotator]) -> Iterator[str]:
    """What is not as the annotators know it."""
    sent = [row for who in people for row in who.sent]
    wanted, found = Counter(sent), Counter(rows(url))
    acknowledged = {request for who in people for request in who.acknowledged}
    if lost := [row for row in wanted if row.request in acknowledged and not found[row]]:
        yield f"{len(lost)} that were acknowledged are lost, as {lost[0]}"
    if twice := [row for row, count in found.items() if count > 1]:
        yield f"{len(twice)} are there more than once, as {twice[0]}"
    if strange := [row for row in found if row not in wanted]:
        yield f"{len(strange)} were never sent, as {strange[0]}"
    last = {(row.name, row.number, row.kind, row.question): row for row in sent}
    seen = {(row.name, row.number, row.kind, row.question): row for row in rows(url, "answer")}
    if differing := [key for key in last.keys() | seen.keys() if last.get(key) != seen.get(key)]:
        yield f"the view of current answers differs in {len(differing)}, as {differing[0]}"
    yield from _wrong_pages(url)


def _wrong_pages(url: str) -> Iterator[str]:
    """Pages noted as complete that are not, or the other way round; gaps in somebody's order."""
    from polyseme.studio.store.store import Store

    with closing(Store.open(url)) as store:
        for who in store.annotators():
            number = 1
            while not who.is_manager:
                try:
                    shown = store.page_at(who.id, number)
                except KeyError:
                    break
                if shown.complete == bool(shown.missing):
                    yield f"page {number} of {who.name} is noted as {'' if shown.complete else 'not '}complete"
                number += 1
            current = None if who.is_manager else store.current_page(who.id)
            if current is not None and current.number != number - 1:
                yield f"{who.name} was given page {number - 1}, and page {current.number} is the first to be answered"


# -- a copy while it runs --------------------------------------------------------------------------------------------


@contextmanager
def copied(url: str, folder: Path) -> Iterator[str]:
    """The URL of a copy of a store that is made while it is used."""
    from polyseme.studio.store.store import Store

    if url.startswith("sqlite"):
        with closing(Store.open(url)) as store:
            store.backup(folder / "copy.db")
        yield f"sqlite:///{folder / 'copy.db'}"
        return
    dump = folder / "study.dump"
    subprocess.run([binary("pg_dump"), "--format=custom", f"--file={dump}", url], check=True, timeout=PATIENCE * 4)
    with new_database(url) as made:
        restore = [binary("pg_restore"), "--no-owner", "--exit-on-error", f"--dbname={made}", str(dump)]
        subprocess.run(restore, check=True, timeout=PATIENCE * 4)
        yield made


def wrong_copy(url: str, folder: Path, people: list[Annotator]) -> list[str]:
    """Copy a store, and say what is wrong with the copy; called while all others work."""
    from polyseme.studio.store.store import Store
    from polyseme.studio.study.pages import Judgement

    before = {request for who in people for request in who.acknowledged}
    wanted = {row for who in people for row in list(who.sent) if row.request in before}
    with copied(url, folder) as copy:
        found = Counter(rows(copy))
        problems = [f"{each} is not in the copy, once" for each in wanted if found[each] != 1][:3]
        with closing(Store.open(copy)) as store:
            who = store.annotators()[0]
            shown = store.current_page(who.id) or store.page_at(who.id, 1)
            given = Judgement(shown.page.targets[0], 1)
            went_on = store.record(who.id, shown.number, [given], request=uuid.uuid4().hex)
            problems += [] if went_on.answers.values[given.target] == 1 else ["nothing can be saved in the copy"]
    print(f"  a copy made while all worked: {len(wanted):,} acknowledged before it, {found.total():,} in it")
    return problems


# -- killing ---------------------------------------------------------------------------------------------------------


async def saved(people: list[Annotator], since: int, workers: list[asyncio.Task[None]]) -> None:
    """Wait until somebody's work was saved; what went wrong with one of them is raised."""
    until = time.monotonic() + STARTING
    while sum(len(who.acknowledged) for who in people) <= since and time.monotonic() < until:
        for worker in workers:
            if worker.done():
                worker.result()
        await asyncio.sleep(0.01)


async def work(serving: Serving, people: list[Annotator], kills: int, chance: random.Random, folder: Path) -> list[str]:
    """Kill the server so often while all annotate; what is wrong with the copy that is made meanwhile."""
    stop, problems = asyncio.Event(), []
    await serving.start()
    workers = [asyncio.create_task(who.work(stop)) for who in people]
    for kill in range(kills):
        known = sum(len(who.acknowledged) for who in people)
        await saved(people, known, workers)
        if kill == kills // 2:
            problems = await asyncio.to_thread(wrong_copy, serving.store, folder, people)
        await asyncio.sleep(chance.random() * LIFE)
        serving.kill()
        await serving.start()
    await saved(people, sum(len(who.acknowledged) for who in people), workers)
    stop.set()
    async with asyncio.timeout(STARTING):
        await asyncio.gather(*workers)
    return problems


def survived(kind: str, kills: int, annotators: int, workers: int, seed: int) -> bool:
    """Kill a server on one kind of database; whether nothing was lost."""
    begin, chance = time.monotonic(), random.Random(seed)
    print(f"{kind}: {kills} kills of {workers} workers, {annotators} annotators, seed {seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="polyseme-bench-") as name, database(kind, Path(name)) as url:
        folder = Path(name)
        study = write_study(folder, USAGES, TASKS)
        tokens = invited(study, url, annotators)
        with closing(Serving(study, url, workers)) as serving:
            people = [Annotator(who, random.Random(chance.random())) for who in visitors(tokens, serving.port)]
            try:
                problems = asyncio.run(work(serving, people, kills, chance, folder))
            except Refused as error:
                problems = [f"the server refused: {error}\n{serving.said()}"]
        problems += wrong(url, people)
        again, known = saved_unanswered(url, people)
    for problem in problems:
        print(f"  {problem}")
    sent, events = sum(len(who.acknowledged) for who in people), sum(len(who.sent) for who in people)
    said = "NOT " if problems else ""
    print(f"  {sent:,} requests with {events:,} judgements were acknowledged, {again:,} of them after", end=" ")
    print(f"they were sent again, {known:,} of which had been saved before")
    print(f"  all are {said}there, once, and the view is {said}right ({time.monotonic() - begin:.0f} s)\n", flush=True)
    return not problems


def main() -> int:
    """Kill servers on one kind of database after another; 1 if something was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", default=["sqlite", "postgresql"], metavar="sqlite|postgresql")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--annotators", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2, help="of PostgreSQL; SQLite has one")
    parser.add_argument("--seed", type=int, default=random.randrange(10_000))
    given = parser.parse_args()
    try:
        good = [
            survived(kind, given.kills, given.annotators, given.workers if kind == "postgresql" else 1, given.seed)
            for kind in given.kinds
        ]
    except Missing as error:
        print(error, file=sys.stderr)
        return 3
    return int(not all(good))


if __name__ == "__main__":
    sys.exit(main())

"""Kill the studio at random moments while 20 simulated annotators work, and check that nothing is lost.

Run ``python bench/studio_kill.py [sqlite] [postgresql] [--kills 50] [--annotators 20] [--workers 2]``. PostgreSQL is
started for the benchmark, or is that of POLYSEME_TEST_POSTGRES, and is served by several workers. SIGKILL ends all
processes of ``polyseme annotate serve`` at once, and it is started again. Annotators rate senses, choose the best,
write comments and change earlier answers. They send unacknowledged answers again, under the same id. At the end the
store must contain every event that they sent, once, and the view of current answers their last answers. Halfway the
store is copied while all work: the copy must open, contain all acknowledged answers, and accept new ones.
Exit code 1: an answer is lost or stored twice.
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
    START_TIMEOUT,
    TIMEOUT,
    MissingProgram,
    ServedStudio,
    UnexpectedReply,
    Visitor,
    binary,
    create_visitors,
    database,
    invite_annotators,
    new_database,
    write_study,
)

USAGES = 60
TASKS = {"a": ["WSsim", "WSbest"], "b": ["WSbest", "WSsim"]}
"""All annotators judge all usages, once per task; those who have finished change earlier answers."""
MAX_PAUSE = 0.03
"""The longest pause of an annotator, in seconds."""
MAX_LIFE = 1.5
"""The longest life of the server after an answer was saved, in seconds."""
EVENTS_QUERY = """
SELECT annotator.name, assignment.number, page.name AS page,
       entry.kind, entry.target, entry.value, entry.text, entry.request
FROM {table} AS entry JOIN assignment ON assignment.id = entry.assignment JOIN page ON page.id = assignment.page
JOIN annotator ON annotator.id = entry.annotator ORDER BY entry.id
"""


class SentRow(NamedTuple):
    """One judgement or comment, as a client expects it and as the store has it."""

    name: str
    number: int
    request: str
    kind: str
    question: str
    value: float | None
    text: str


@dataclass
class SimulatedAnnotator:
    """A visitor who remembers the current answers, and which rows each request must have stored."""

    visitor: Visitor
    chance: random.Random
    stands: dict[tuple[int, str], str] = field(default_factory=dict)
    chosen: dict[int, list[str]] = field(default_factory=dict)
    sent: list[SentRow] = field(default_factory=list)
    acknowledged: set[str] = field(default_factory=set)
    again: dict[str, float] = field(default_factory=dict)
    pages: dict[int, dict[str, list[str]]] = field(default_factory=dict)
    finished: bool = False

    async def work(self, stop: asyncio.Event) -> None:
        """Answer page after page, or change earlier answers, until ``stop`` is set."""
        await self._insist(self.visitor.enter)
        self._remember_page()
        while not stop.is_set():
            number, name, value = self._click()
            await self._send(number, name, value)
            await asyncio.sleep(self.chance.random() * MAX_PAUSE)

    def _remember_page(self) -> None:
        self.pages[self.visitor.number] = self.visitor.questions

    def _open(self) -> list[str]:
        """Return the unanswered questions of the latest page."""
        number = self.visitor.number
        return [name for name in self.pages[number] if (number, name) not in self.stands]

    def _click(self) -> tuple[int, str, str]:
        """Choose page, field and value: mostly the next question, at times a comment or a changed answer."""
        unanswered, draw = self._open(), self.chance.random()
        if draw < 0.1:
            return self.visitor.number, "comment", f"{uuid.uuid4().hex} é 🦉"
        if unanswered and draw < 0.8:
            return (
                self.visitor.number,
                unanswered[0],
                self.chance.choice(self.pages[self.visitor.number][unanswered[0]]),
            )
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
        reply = await self._insist(lambda: self.visitor.answer(number, body), request)
        self.acknowledged.add(request)
        self.stands[number, name] = value
        if not self._open() and not self.finished:
            assert reply["complete"] or number != self.visitor.number
            self.finished = not await self._insist(self.visitor.open_current_page)
            self._remember_page()

    def _expected(self, request: str, number: int, name: str, value: str, before: str | None) -> Iterator[SentRow]:
        """Yield the rows that an answer stores: the answer, and the withdrawal of the previous choice."""
        who = self.visitor.name
        if name == "comment":
            yield SentRow(who, number, request, "comment", "", None, value)
        elif name == "best":
            yield SentRow(who, number, request, "rating", value, 1.0, "")
            if before is not None:
                yield SentRow(who, number, request, "rating", before, 0.0, "")
        else:
            yield SentRow(who, number, request, "rating", name, float(value), "")

    async def _insist(self, ask: Any, request: str = "") -> Any:
        """Repeat a request until the server answers; note when an answer was last sent again."""
        until = time.monotonic() + START_TIMEOUT + TIMEOUT
        while True:
            try:
                async with asyncio.timeout(TIMEOUT):
                    return await ask()
            except (OSError, EOFError, TimeoutError):
                self.again[request] = time.time()
                if time.monotonic() > until:
                    raise
                await asyncio.sleep(0.02 + 0.05 * self.chance.random())


# -- the store -------------------------------------------------------------------------------------------------------


def rows(url: str, table: str = "event") -> list[SentRow]:
    """Return the events of a store, with ratings named by their questions."""
    from sqlalchemy import text

    from polyseme.studio.store.store import Store

    with closing(Store.open(url)) as store:
        targets = {page.name: page.targets if page.task == "WSsim" else () for page in store.pages()}
        with store.database.read() as connection:
            return [_row(row, targets[row.page]) for row in connection.execute(text(EVENTS_QUERY.format(table=table)))]


def _row(row: Any, targets: tuple[str, ...]) -> SentRow:
    question = f"rating{targets.index(row.target) + 1}" if row.target in targets else row.target
    request = row.request.partition("#")[0]
    return SentRow(row.name, row.number, request, row.kind, question, row.value, row.text)


def count_resent(url: str, people: list[SimulatedAnnotator]) -> tuple[int, int]:
    """Count the answers that were sent again, and those of them that a killed server had saved."""
    from polyseme.studio.store.store import Store

    again = {request: when for who in people for request, when in who.again.items() if request}
    with closing(Store.open(url)) as store:
        times = {event.request.partition("#")[0]: datetime.fromisoformat(event.time) for event in store.events()}
    return len(again), sum(request in times and times[request].timestamp() < when for request, when in again.items())


def find_problems(url: str, people: list[SimulatedAnnotator]) -> Iterator[str]:
    """Yield the differences between the store and the memory of the annotators."""
    sent = [row for who in people for row in who.sent]
    expected, stored = Counter(sent), Counter(rows(url))
    acknowledged = {request for who in people for request in who.acknowledged}
    if lost := [row for row in expected if row.request in acknowledged and not stored[row]]:
        yield f"{len(lost)} acknowledged rows are lost, such as {lost[0]}"
    if twice := [row for row, count in stored.items() if count > 1]:
        yield f"{len(twice)} rows are stored more than once, such as {twice[0]}"
    if strange := [row for row in stored if row not in expected]:
        yield f"{len(strange)} rows were never sent, such as {strange[0]}"
    last = {(row.name, row.number, row.kind, row.question): row for row in sent}
    current = {(row.name, row.number, row.kind, row.question): row for row in rows(url, "answer")}
    if differing := [key for key in last.keys() | current.keys() if last.get(key) != current.get(key)]:
        yield f"the view of current answers differs in {len(differing)} rows, such as {differing[0]}"
    yield from _find_page_problems(url)


def _find_page_problems(url: str) -> Iterator[str]:
    """Yield pages whose completeness is wrong, and gaps in an annotator's order."""
    from polyseme.studio.store.store import Store

    with closing(Store.open(url)) as store:
        for annotator in store.annotators():
            number = 1
            while not annotator.is_manager:
                try:
                    page = store.page_at(annotator.id, number)
                except KeyError:
                    break
                if page.complete == bool(page.missing):
                    yield f"page {number} of {annotator.name} is marked as {'' if page.complete else 'not '}complete"
                number += 1
            current = None if annotator.is_manager else store.current_page(annotator.id)
            if current is not None and current.number != number - 1:
                last = f"{annotator.name} was assigned page {number - 1}"
                yield f"{last}, but page {current.number} is the first incomplete one"


# -- a copy while it runs --------------------------------------------------------------------------------------------


@contextmanager
def copy_store(url: str, folder: Path) -> Iterator[str]:
    """Copy a store while it is in use; yield the URL of the copy."""
    from polyseme.studio.store.store import Store

    if url.startswith("sqlite"):
        with closing(Store.open(url)) as store:
            store.backup(folder / "copy.db")
        yield f"sqlite:///{folder / 'copy.db'}"
        return
    dump = folder / "study.dump"
    subprocess.run([binary("pg_dump"), "--format=custom", f"--file={dump}", url], check=True, timeout=TIMEOUT * 4)
    with new_database(url) as copy_url:
        restore = [binary("pg_restore"), "--no-owner", "--exit-on-error", f"--dbname={copy_url}", str(dump)]
        subprocess.run(restore, check=True, timeout=TIMEOUT * 4)
        yield copy_url


def find_copy_problems(url: str, folder: Path, people: list[SimulatedAnnotator]) -> list[str]:
    """Copy a store while all annotators work; return the problems of the copy."""
    from polyseme.studio.store.store import Store
    from polyseme.studio.study.pages import Judgement

    before = {request for annotator in people for request in annotator.acknowledged}
    expected = {row for annotator in people for row in list(annotator.sent) if row.request in before}
    with copy_store(url, folder) as copy:
        stored = Counter(rows(copy))
        problems = [f"{each} is not in the copy, once" for each in expected if stored[each] != 1][:3]
        with closing(Store.open(copy)) as store:
            annotator = store.annotators()[0]
            page = store.current_page(annotator.id) or store.page_at(annotator.id, 1)
            judgement = Judgement(page.page.targets[0], 1)
            answer = store.record(annotator.id, page.number, [judgement], request=uuid.uuid4().hex)
            problems += [] if answer.answers.values[judgement.target] == 1 else ["nothing can be saved in the copy"]
    print(f"  a copy made while all worked: {len(expected):,} acknowledged before it, {stored.total():,} in it")
    return problems


# -- killing ---------------------------------------------------------------------------------------------------------


async def wait_until_saved(people: list[SimulatedAnnotator], since: int, workers: list[asyncio.Task[None]]) -> None:
    """Wait until an answer was saved; raise the error of an annotator that failed."""
    until = time.monotonic() + START_TIMEOUT
    while sum(len(who.acknowledged) for who in people) <= since and time.monotonic() < until:
        for worker in workers:
            if worker.done():
                worker.result()
        await asyncio.sleep(0.01)


async def work(
    serving: ServedStudio, people: list[SimulatedAnnotator], kills: int, chance: random.Random, folder: Path
) -> list[str]:
    """Kill the server so often while all annotate; return the problems of the copy that is made meanwhile."""
    stop, problems = asyncio.Event(), []
    await serving.start()
    workers = [asyncio.create_task(who.work(stop)) for who in people]
    for kill in range(kills):
        count = sum(len(who.acknowledged) for who in people)
        await wait_until_saved(people, count, workers)
        if kill == kills // 2:
            problems = await asyncio.to_thread(find_copy_problems, serving.store, folder, people)
        await asyncio.sleep(chance.random() * MAX_LIFE)
        serving.kill()
        await serving.start()
    await wait_until_saved(people, sum(len(who.acknowledged) for who in people), workers)
    stop.set()
    async with asyncio.timeout(START_TIMEOUT):
        await asyncio.gather(*workers)
    return problems


def survives_kills(kind: str, kills: int, annotators: int, workers: int, seed: int) -> bool:
    """Kill a server on one kind of database; return whether nothing was lost."""
    begin, chance = time.monotonic(), random.Random(seed)
    print(f"{kind}: {kills} kills of {workers} workers, {annotators} annotators, seed {seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="polyseme-bench-") as name, database(kind, Path(name)) as url:
        folder = Path(name)
        study = write_study(folder, USAGES, TASKS)
        tokens = invite_annotators(study, url, annotators)
        with closing(ServedStudio(study, url, workers)) as serving:
            people = [
                SimulatedAnnotator(who, random.Random(chance.random())) for who in create_visitors(tokens, serving.port)
            ]
            try:
                problems = asyncio.run(work(serving, people, kills, chance, folder))
            except UnexpectedReply as error:
                problems = [f"the server refused: {error}\n{serving.last_output()}"]
        problems += find_problems(url, people)
        again, saved_before = count_resent(url, people)
    for problem in problems:
        print(f"  {problem}")
    sent, events = sum(len(who.acknowledged) for who in people), sum(len(who.sent) for who in people)
    negation = "NOT " if problems else ""
    print(f"  {sent:,} requests with {events:,} judgements were acknowledged, {again:,} of them after", end=" ")
    print(f"they were sent again, {saved_before:,} of which had been saved before")
    print(
        f"  all are {negation}there, once, and the view is {negation}right ({time.monotonic() - begin:.0f} s)\n",
        flush=True,
    )
    return not problems


def main() -> int:
    """Kill servers on one kind of database after another; return 1 if something was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", default=["sqlite", "postgresql"], metavar="sqlite|postgresql")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--annotators", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2, help="of PostgreSQL; SQLite has one")
    parser.add_argument("--seed", type=int, default=random.randrange(10_000))
    options = parser.parse_args()
    try:
        good = [
            survives_kills(
                kind, options.kills, options.annotators, options.workers if kind == "postgresql" else 1, options.seed
            )
            for kind in options.kinds
        ]
    except MissingProgram as error:
        print(error, file=sys.stderr)
        return 3
    return int(not all(good))


if __name__ == "__main__":
    sys.exit(main())

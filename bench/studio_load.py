"""How the studio bears many at once: 200 simulated annotators, each with a judgement a second, on two cores.

Run with ``python bench/studio_load.py [sqlite] [postgresql] [--seconds 300] [--annotators 200] [--workers 2]``;
``--tries 3`` is for the best of three, where something else may be running on the machine. PostgreSQL is started
for it, or is that of POLYSEME_TEST_POSTGRES, and is served by several workers. The annotators, who share the two cores
with the server and the database, follow their invitations, look at a page, rate one sense after another and go on. A
judgement's time counts from the moment when it was due, so that who waits for one answer waits with the next, too.
Status 1: a limit was missed; status 3: something failed, or what was acknowledged is not in the store, once.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from served_studio import PATIENCE, SENSES, Missing, Refused, Serving, Visitor, database, invited, visitors, write_study

LIMIT = 0.250
"""Seconds that 99 of 100 requests may take at most."""
GROWTH = 1.0
"""MiB a minute that a process of the server may grow by, when all is warm."""
LONG = 120.0
"""Seconds that a run must last for its memory to be judged."""
WARM = 0.4
"""The share of the time after which all is warm."""
JUDGES = 3
"""Judgements wanted of each page, so that pages are given out on demand."""


@dataclass
class Tally:
    """What happened."""

    judgements: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    """When the judgements were due that took longer than the limit."""
    acknowledged: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    memory: list[tuple[float, float]] = field(default_factory=list)


def judgement(visitor: Visitor, name: str) -> dict[str, object]:
    """A click on one of the answers to a question."""
    value = random.choice(visitor.questions[name])
    return {"fields": {name: [value]}, "request": uuid.uuid4().hex, "milliseconds": 1000}


async def settle(visitor: Visitor) -> None:
    """Come in, and answer some of the first page, so that not all go on to the next page at the same time."""
    await visitor.enter()
    for name in random.sample(sorted(visitor.questions), random.randrange(len(visitor.questions))):
        await visitor.answer(visitor.number, judgement(visitor, name))
        del visitor.questions[name]


async def annotate(visitor: Visitor, begin: float, seconds: float, tally: Tally) -> None:
    """Judge something every second until the time is over."""
    left = list(visitor.questions)
    due = begin + random.random()
    while due < begin + seconds:
        await asyncio.sleep(due - time.monotonic())
        body = judgement(visitor, left.pop(0))
        said = await visitor.answer(visitor.number, body)
        tally.judgements.append(time.monotonic() - due)
        if tally.judgements[-1] > LIMIT:
            tally.late.append(due - begin)
        tally.acknowledged.append(str(body["request"]))
        if said["complete"]:
            asked = time.monotonic()
            await visitor.look(str(said["next"]))
            tally.pages.append(time.monotonic() - asked)
            left = list(visitor.questions)
        due += 1.0


async def bounded(visitor: Visitor, begin: float, seconds: float, tally: Tally) -> None:
    """Annotate; what goes wrong is a problem, and not the end of all others."""
    try:
        async with asyncio.timeout(begin - time.monotonic() + seconds + PATIENCE):
            await annotate(visitor, begin, seconds, tally)
    except (OSError, EOFError, TimeoutError, Refused) as error:
        tally.problems.append(f"{visitor.name}: {type(error).__name__} {error}")


async def watch(serving: Serving, begin: float, seconds: float, tally: Tally) -> None:
    """Note the memory of the server every second."""
    while (now := time.monotonic()) < begin + seconds:
        tally.memory.append((now - begin, serving.memory()))
        await asyncio.sleep(1.0)


async def work(serving: Serving, people: list[Visitor], seconds: float) -> tuple[Tally, float, float]:
    """Let them all annotate at once; what happened, and the seconds of processors of the server and of these people."""
    await serving.start()
    for visitor in people:
        async with asyncio.timeout(PATIENCE):
            await settle(visitor)
    tally, begin = Tally(), time.monotonic() + 0.5
    server, own = serving.seconds(), time.process_time()
    tasks = [bounded(visitor, begin, seconds, tally) for visitor in people]
    await asyncio.gather(watch(serving, begin, seconds, tally), *tasks)
    return tally, serving.seconds() - server, time.process_time() - own


def stolen() -> tuple[float, float]:
    """Seconds of this machine's processors that its host gave to other machines, and all seconds, since it began."""
    every = [int(value) for value in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    return every[7] / os.sysconf("SC_CLK_TCK"), sum(every) / os.sysconf("SC_CLK_TCK")


def in_store(url: str) -> Counter[str]:
    """How many judgements there are of each request."""
    from polyseme.studio.store.store import Store

    with closing(Store.open(url)) as store:
        return Counter(event.request.partition("#")[0] for event in store.events())


def slope(memory: list[tuple[float, float]]) -> float:
    """MiB a minute, by least squares, after all is warm."""
    times, sizes = np.array(memory).T
    warm = times >= WARM * times[-1]
    return float(np.polyfit(times[warm], sizes[warm], 1)[0] * 60) if warm.sum() > 2 else 0.0


def figures(tally: Tally) -> Iterator[tuple[str, bool]]:
    """Lines to print, and whether each is within its limit."""
    for what, times in (("judgements", tally.judgements), ("pages", tally.pages)):
        if times:
            middle, most, nearly_all = np.quantile(times, (0.5, 0.95, 0.99))
            said = f"p50 {middle:.3f} s, p95 {most:.3f} s, p99 {nearly_all:.3f} s, longest {max(times):.3f} s"
            yield f"{what:12}{len(times):8,}  {said}", bool(nearly_all < LIMIT)


def report(tally: Tally, seconds: float, server: float, own: float, processes: int) -> bool:
    """Print what happened; whether all is within its limits."""
    good = True
    for line, within in figures(tally):
        print(f"  {line}{'' if within else f'  MORE THAN {LIMIT} s'}")
        good = good and within
    requests = len(tally.judgements) + len(tally.pages)
    print(f"  {requests / seconds:.1f} requests a second, {len(tally.judgements) / seconds:.1f} judgements;", end=" ")
    used = f"server {server / requests * 1000:.2f} ms of processor a request, annotators {own / requests * 1000:.2f} ms"
    print(f"{used}; {(server + own) / seconds:.2f} cores with them, without the database")
    if tally.late:
        worst = Counter(int(when) for when in tally.late).most_common(5)
        print(f"  {len(tally.late):,} late; " + ", ".join(f"{count} at {second} s" for second, count in worst))
    growth = slope(tally.memory)
    flat = growth < GROWTH * processes or seconds < LONG
    first, last = tally.memory[0][1], tally.memory[-1][1]
    said = f"{first:.1f} MiB at the start, {last:.1f} MiB at the end, {growth:+.2f} MiB a minute when warm"
    print(f"  memory {said}{'' if flat else f'  MORE THAN {GROWTH * processes}'}")
    return good and flat


def measured(kind: str, seconds: float, annotators: int, workers: int) -> int:
    """Serve a study from one kind of database; the status."""
    print(f"{kind}: {annotators} annotators for {seconds:g} s, workers: {workers}", flush=True)
    usages = int(annotators * (seconds + 60) / len(SENSES) / JUDGES) + annotators
    with tempfile.TemporaryDirectory(prefix="polyseme-bench-") as folder, database(kind, Path(folder)) as url:
        study = write_study(Path(folder), usages, {"a": ["WSsim"]}, JUDGES)
        tokens = invited(study, url, annotators)
        before = stolen()
        with closing(Serving(study, url, workers)) as serving:
            tally, server, own = asyncio.run(work(serving, visitors(tokens, serving.port), seconds))
            processes = len(serving.pids())
        lent, every = (now - then for now, then in zip(stolen(), before, strict=True))
        good = report(tally, seconds, server, own, processes)
        print(f"  {lent / every:.0%} of the processors' time went to other machines on the same host")
        found = in_store(url)
    lost = [request for request in tally.acknowledged if found[request] != 1]
    problems = tally.problems + [f"{len(lost)} judgements were acknowledged and are not there once"] * bool(lost)
    for problem in problems[:10]:
        print(f"  {problem}")
    print(f"  errors: {len(tally.problems)}; acknowledged: {len(tally.acknowledged):,}, of these lost: {len(lost)}\n")
    return 3 if problems else int(not good)


def best(kind: str, tries: int, seconds: float, annotators: int, workers: int) -> int:
    """Measure until all is within its limits, or so often; what fails is not tried again."""
    status = 1
    for _ in range(tries):
        if status == 1:
            status = measured(kind, seconds, annotators, workers)
    return status


def main() -> int:
    """Measure one kind of database after another; the worst status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", default=["sqlite", "postgresql"], metavar="sqlite|postgresql")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--annotators", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2, help="of PostgreSQL; SQLite has one")
    parser.add_argument("--tries", type=int, default=1, help="how often to try until all is within its limits")
    given = parser.parse_args()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])  # two cores for all of it
    random.seed(9)
    try:
        return max(
            best(kind, given.tries, given.seconds, given.annotators, given.workers if kind == "postgresql" else 1)
            for kind in given.kinds
        )
    except Missing as error:
        print(error, file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())

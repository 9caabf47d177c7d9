"""Measure the studio under load: 200 simulated annotators, each with a judgement a second, on two cores.

Run ``python bench/studio_load.py [sqlite] [postgresql] [--seconds 300] [--annotators 200] [--workers 2]``. Add
``--tries 3`` for the best of three, where other programs may run on the machine. PostgreSQL is started for the
benchmark, or is that of POLYSEME_TEST_POSTGRES, and is served by several workers. The annotators share the two cores
with the server and the database. They accept their invitations, open a page, rate one sense after another, and
continue. The time of a judgement counts from the moment when it was due, so that one delayed reply delays the next
judgement as well.
Exit code 1: a limit is exceeded. Exit code 3: a request failed, or an acknowledged judgement is not stored once.
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

from served_studio import (
    SENSES,
    TIMEOUT,
    MissingProgram,
    ServedStudio,
    UnexpectedReply,
    Visitor,
    create_visitors,
    database,
    invite_annotators,
    write_study,
)

MAX_P99 = 0.250
"""The limit of the 99th percentile of response times, in seconds."""
MAX_GROWTH = 1.0
"""The limit of the growth of a server process, in MiB per minute, after the warm-up."""
MIN_MEMORY_SECONDS = 120.0
"""The shortest run for which the memory limit counts, in seconds."""
WARM_SHARE = 0.4
"""The share of the time that is warm-up."""
JUDGEMENTS_PER_PAGE = 3
"""The number of judgements per page, so that pages are assigned on demand."""


@dataclass
class LoadResult:
    """The measurements."""

    judgements: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    """When those judgements were due that took longer than the limit."""
    acknowledged: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    memory: list[tuple[float, float]] = field(default_factory=list)


def create_click(visitor: Visitor, name: str) -> dict[str, object]:
    """Return a click on a random answer to a question."""
    value = random.choice(visitor.questions[name])
    return {"fields": {name: [value]}, "request": uuid.uuid4().hex, "milliseconds": 1000}


async def answer_part_of_first_page(visitor: Visitor) -> None:
    """Log in and answer part of the first page, so that not all open the next page at the same time."""
    await visitor.enter()
    for name in random.sample(sorted(visitor.questions), random.randrange(len(visitor.questions))):
        await visitor.answer(visitor.number, create_click(visitor, name))
        del visitor.questions[name]


async def annotate(visitor: Visitor, begin: float, seconds: float, result: LoadResult) -> None:
    """Judge one item every second until the time is over."""
    questions = list(visitor.questions)
    due = begin + random.random()
    while due < begin + seconds:
        await asyncio.sleep(due - time.monotonic())
        body = create_click(visitor, questions.pop(0))
        reply = await visitor.answer(visitor.number, body)
        result.judgements.append(time.monotonic() - due)
        if result.judgements[-1] > MAX_P99:
            result.late.append(due - begin)
        result.acknowledged.append(str(body["request"]))
        if reply["complete"]:
            start = time.monotonic()
            await visitor.open_page(str(reply["next"]))
            result.pages.append(time.monotonic() - start)
            questions = list(visitor.questions)
        due += 1.0


async def annotate_safely(visitor: Visitor, begin: float, seconds: float, result: LoadResult) -> None:
    """Annotate; an error becomes a problem of the result and does not stop the others."""
    try:
        async with asyncio.timeout(begin - time.monotonic() + seconds + TIMEOUT):
            await annotate(visitor, begin, seconds, result)
    except (OSError, EOFError, TimeoutError, UnexpectedReply) as error:
        result.problems.append(f"{visitor.name}: {type(error).__name__} {error}")


async def record_memory(serving: ServedStudio, begin: float, seconds: float, result: LoadResult) -> None:
    """Record the memory of the server every second."""
    while (now := time.monotonic()) < begin + seconds:
        result.memory.append((now - begin, serving.memory()))
        await asyncio.sleep(1.0)


async def work(serving: ServedStudio, visitors: list[Visitor], seconds: float) -> tuple[LoadResult, float, float]:
    """Let all annotate at once; return the result and the processor time of the server and of the annotators."""
    await serving.start()
    for visitor in visitors:
        async with asyncio.timeout(TIMEOUT):
            await answer_part_of_first_page(visitor)
    result, begin = LoadResult(), time.monotonic() + 0.5
    server, own = serving.seconds(), time.process_time()
    tasks = [annotate_safely(visitor, begin, seconds, result) for visitor in visitors]
    await asyncio.gather(record_memory(serving, begin, seconds, result), *tasks)
    return result, serving.seconds() - server, time.process_time() - own


def read_stolen_seconds() -> tuple[float, float]:
    """Return the processor time since the start that the host gave to other machines, and the total."""
    every = [int(value) for value in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    return every[7] / os.sysconf("SC_CLK_TCK"), sum(every) / os.sysconf("SC_CLK_TCK")


def count_requests(url: str) -> Counter[str]:
    """Count the stored judgements of each request."""
    from polyseme.studio.store.store import Store

    with closing(Store.open(url)) as store:
        return Counter(event.request.partition("#")[0] for event in store.events())


def memory_growth(memory: list[tuple[float, float]]) -> float:
    """Return the growth in MiB per minute, by least squares, after the warm-up."""
    times, sizes = np.array(memory).T
    warm = times >= WARM_SHARE * times[-1]
    return float(np.polyfit(times[warm], sizes[warm], 1)[0] * 60) if warm.sum() > 2 else 0.0


def format_figures(result: LoadResult) -> Iterator[tuple[str, bool]]:
    """Yield lines to print, and whether each is within its limit."""
    for label, times in (("judgements", result.judgements), ("pages", result.pages)):
        if times:
            median, p95, p99 = np.quantile(times, (0.5, 0.95, 0.99))
            times_text = f"p50 {median:.3f} s, p95 {p95:.3f} s, p99 {p99:.3f} s, longest {max(times):.3f} s"
            yield f"{label:12}{len(times):8,}  {times_text}", bool(p99 < MAX_P99)


def report(result: LoadResult, seconds: float, server: float, own: float, processes: int) -> bool:
    """Print the result; return whether all is within the limits."""
    good = True
    for line, within in format_figures(result):
        print(f"  {line}{'' if within else f'  MORE THAN {MAX_P99} s'}")
        good = good and within
    requests = len(result.judgements) + len(result.pages)
    print(f"  {requests / seconds:.1f} requests a second, {len(result.judgements) / seconds:.1f} judgements;", end=" ")
    used = f"server {server / requests * 1000:.2f} ms of processor a request, annotators {own / requests * 1000:.2f} ms"
    print(f"{used}; {(server + own) / seconds:.2f} cores with them, without the database")
    if result.late:
        latest = Counter(int(when) for when in result.late).most_common(5)
        print(f"  {len(result.late):,} late; " + ", ".join(f"{count} at {second} s" for second, count in latest))
    growth = memory_growth(result.memory)
    flat = growth < MAX_GROWTH * processes or seconds < MIN_MEMORY_SECONDS
    first, last = result.memory[0][1], result.memory[-1][1]
    growth_text = f"{first:.1f} MiB at the start, {last:.1f} MiB at the end, {growth:+.2f} MiB a minute when warm"
    print(f"  memory {growth_text}{'' if flat else f'  MORE THAN {MAX_GROWTH * processes}'}")
    return good and flat


def measure(kind: str, seconds: float, annotators: int, workers: int) -> int:
    """Serve a study from one kind of database; return the exit code."""
    print(f"{kind}: {annotators} annotators for {seconds:g} s, workers: {workers}", flush=True)
    usages = int(annotators * (seconds + 60) / len(SENSES) / JUDGEMENTS_PER_PAGE) + annotators
    with tempfile.TemporaryDirectory(prefix="polyseme-bench-") as folder, database(kind, Path(folder)) as url:
        study = write_study(Path(folder), usages, {"a": ["WSsim"]}, JUDGEMENTS_PER_PAGE)
        tokens = invite_annotators(study, url, annotators)
        before = read_stolen_seconds()
        with closing(ServedStudio(study, url, workers)) as serving:
            result, server, own = asyncio.run(work(serving, create_visitors(tokens, serving.port), seconds))
            processes = len(serving.pids())
        stolen_seconds, all_seconds = (now - then for now, then in zip(read_stolen_seconds(), before, strict=True))
        good = report(result, seconds, server, own, processes)
        print(f"  {stolen_seconds / all_seconds:.0%} of the processors' time went to other machines on the same host")
        stored = count_requests(url)
    lost = [request for request in result.acknowledged if stored[request] != 1]
    problems = result.problems + [f"{len(lost)} judgements were acknowledged and are not there once"] * bool(lost)
    for problem in problems[:10]:
        print(f"  {problem}")
    print(f"  errors: {len(result.problems)}; acknowledged: {len(result.acknowledged):,}, of these lost: {len(lost)}\n")
    return 3 if problems else int(not good)


def measure_until_within_limits(kind: str, tries: int, seconds: float, annotators: int, workers: int) -> int:
    """Measure until all is within the limits, at most so often; failures are not tried again."""
    status = 1
    for _ in range(tries):
        if status == 1:
            status = measure(kind, seconds, annotators, workers)
    return status


def main() -> int:
    """Measure one kind of database after another; return the worst exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", default=["sqlite", "postgresql"], metavar="sqlite|postgresql")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--annotators", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2, help="of PostgreSQL; SQLite has one")
    parser.add_argument("--tries", type=int, default=1, help="how often to try until all is within its limits")
    options = parser.parse_args()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])  # two cores for all of it
    random.seed(9)
    try:
        return max(
            measure_until_within_limits(
                kind, options.tries, options.seconds, options.annotators, options.workers if kind == "postgresql" else 1
            )
            for kind in options.kinds
        )
    except MissingProgram as error:
        print(error, file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())

"""Work done together: what comes meanwhile waits for the next round, and each hears of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

import pytest

pytest.importorskip("fastapi", reason="the studio needs polyseme[annotate]")

from finished import finished
from polyseme.studio.web.batch_executor import MAX_BATCH, BatchExecutor


def test_what_comes_meanwhile_is_done_together() -> None:
    seen: list[list[int]] = []
    go = threading.Event()

    def work(pieces: Sequence[int]) -> list[int | Exception]:
        seen.append(list(pieces))
        assert go.wait(10)
        return [piece * 10 for piece in pieces]

    async def everybody() -> list[int]:
        rounds = BatchExecutor(work)
        tasks = [asyncio.create_task(rounds.do(0))]
        while not seen:
            await asyncio.sleep(0.001)
        tasks += [asyncio.create_task(rounds.do(number)) for number in range(1, MAX_BATCH + 3)]
        await asyncio.sleep(0)
        go.set()
        return await asyncio.gather(*tasks)

    assert finished(everybody()) == [number * 10 for number in range(MAX_BATCH + 3)]
    assert list(map(len, seen)) == [1, MAX_BATCH, 2]


def test_an_error_is_told_to_whom_it_belongs() -> None:
    def work(pieces: Sequence[int]) -> list[int | Exception]:
        return [ValueError(piece) if piece % 2 else piece for piece in pieces]

    async def everybody() -> list[int | BaseException]:
        rounds = BatchExecutor(work)
        return await asyncio.gather(*(rounds.do(number) for number in range(4)), return_exceptions=True)

    found = finished(everybody())
    assert [str(each) for each in found] == ["0", "1", "2", "3"]
    assert [isinstance(each, ValueError) for each in found] == [False, True, False, True]


def test_work_that_fails_is_told_to_all_and_the_next_goes_on() -> None:
    def work(pieces: Sequence[int]) -> list[int | Exception]:
        if 0 in pieces:
            raise RuntimeError("the disk is full")
        return list(pieces)

    async def everybody() -> tuple[Sequence[int | BaseException], int]:
        rounds = BatchExecutor(work)
        first = await asyncio.gather(rounds.do(0), rounds.do(1), return_exceptions=True)
        return first, await rounds.do(2)

    first, then = finished(everybody())
    assert [str(each) for each in first] == ["the disk is full"] * 2
    assert then == 2


def test_work_without_its_results_is_told_too() -> None:
    async def everybody() -> Sequence[int | BaseException]:
        rounds: BatchExecutor[int, int] = BatchExecutor(lambda _: [])
        return await asyncio.gather(rounds.do(0), rounds.do(1), return_exceptions=True)

    assert [type(each) for each in finished(everybody())] == [RuntimeError] * 2


def test_who_is_gone_keeps_nobody_waiting() -> None:
    begun, go = threading.Event(), threading.Event()

    def work(pieces: Sequence[int]) -> list[int | Exception]:
        begun.set()
        assert go.wait(10)
        return list(pieces)

    async def everybody() -> int:
        rounds = BatchExecutor(work)
        gone = asyncio.create_task(rounds.do(1))
        while not begun.is_set():
            await asyncio.sleep(0.001)
        gone.cancel()
        stays = asyncio.create_task(rounds.do(2))
        await asyncio.sleep(0)
        go.set()
        return await stays

    assert finished(everybody()) == 2

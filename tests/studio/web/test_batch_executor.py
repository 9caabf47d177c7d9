"""Batches of requests: those that arrive meanwhile form the next batch, and each gets its own result."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

import pytest

pytest.importorskip("fastapi", reason="the studio needs polyseme[annotate]")

from coroutines import run_coroutine
from polyseme.studio.web.batch_executor import MAX_BATCH, BatchExecutor


def test_requests_that_arrive_meanwhile_form_the_next_batch() -> None:
    batches: list[list[int]] = []
    go = threading.Event()

    def work(requests: Sequence[int]) -> list[int | Exception]:
        batches.append(list(requests))
        assert go.wait(10)
        return [request * 10 for request in requests]

    async def run_all() -> list[int]:
        executor = BatchExecutor(work)
        tasks = [asyncio.create_task(executor.run(0))]
        while not batches:
            await asyncio.sleep(0.001)
        tasks += [asyncio.create_task(executor.run(number)) for number in range(1, MAX_BATCH + 3)]
        await asyncio.sleep(0)
        go.set()
        return await asyncio.gather(*tasks)

    assert run_coroutine(run_all()) == [number * 10 for number in range(MAX_BATCH + 3)]
    assert list(map(len, batches)) == [1, MAX_BATCH, 2]


def test_each_request_gets_its_own_error() -> None:
    def work(requests: Sequence[int]) -> list[int | Exception]:
        return [ValueError(request) if request % 2 else request for request in requests]

    async def run_all() -> list[int | BaseException]:
        executor = BatchExecutor(work)
        return await asyncio.gather(*(executor.run(number) for number in range(4)), return_exceptions=True)

    results = run_coroutine(run_all())
    assert [str(result) for result in results] == ["0", "1", "2", "3"]
    assert [isinstance(result, ValueError) for result in results] == [False, True, False, True]


def test_a_batch_that_fails_runs_again_one_by_one() -> None:
    batches: list[list[int]] = []

    def work(requests: Sequence[int]) -> list[int | Exception]:
        batches.append(list(requests))
        if 1 in requests:
            raise RuntimeError("after it was written")
        return list(requests)

    async def run_all() -> tuple[Sequence[int | BaseException], int]:
        executor = BatchExecutor(work)
        first = await asyncio.gather(*(executor.run(number) for number in range(3)), return_exceptions=True)
        return first, await executor.run(3)

    first, last = run_coroutine(run_all())
    assert [str(result) for result in first] == ["0", "after it was written", "2"]
    assert [isinstance(result, RuntimeError) for result in first] == [False, True, False]
    assert last == 3
    assert batches == [[0, 1, 2], [0], [1], [2], [3]]


def test_a_missing_result_is_an_error_of_each_request() -> None:
    async def run_all() -> Sequence[int | BaseException]:
        executor: BatchExecutor[int, int] = BatchExecutor(lambda _: [])
        return await asyncio.gather(executor.run(0), executor.run(1), return_exceptions=True)

    assert [type(result) for result in run_coroutine(run_all())] == [RuntimeError] * 2


def test_a_client_that_is_gone_does_not_delay_the_others() -> None:
    running, go = threading.Event(), threading.Event()

    def work(requests: Sequence[int]) -> list[int | Exception]:
        running.set()
        assert go.wait(10)
        return list(requests)

    async def run_all() -> int:
        executor = BatchExecutor(work)
        gone = asyncio.create_task(executor.run(1))
        while not running.is_set():
            await asyncio.sleep(0.001)
        gone.cancel()
        waiting = asyncio.create_task(executor.run(2))
        await asyncio.sleep(0)
        go.set()
        return await waiting

    assert run_coroutine(run_all()) == 2

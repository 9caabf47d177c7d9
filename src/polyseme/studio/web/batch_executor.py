"""Run the requests of one moment as a batch in one thread; requests that arrive meanwhile form the next batch."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

Request = TypeVar("Request")
Result = TypeVar("Result")

MAX_BATCH = 50
"""Requests in one batch."""


class BatchExecutor(Generic[Request, Result]):
    """Collects requests into batches, so that all of a batch wait for the disk once.

    If a batch fails as a whole, its requests are run one by one, and each gets its own result or error.

    Args:
        work: Takes a batch; returns, for each request in order, its result or the error that refused it.
    """

    def __init__(self, work: Callable[[Sequence[Request]], Sequence[Result | Exception]]) -> None:
        self._work = work
        self._thread = ThreadPoolExecutor(1, "batches")
        self._waiting: list[tuple[Request, asyncio.Future[Result]]] = []
        self._task: asyncio.Task[None] | None = None

    async def run(self, request: Request) -> Result:
        """Run a request with the next batch; return its result or raise its error."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        self._waiting.append((request, future))
        if self._task is None or self._task.done():
            self._task = loop.create_task(self._run_batches())
        return await future

    async def _run_batches(self) -> None:
        """Run batches until no request waits."""
        while batch := self._waiting[:MAX_BATCH]:
            del self._waiting[:MAX_BATCH]
            results = await self._run_batch([request for request, _ in batch])
            for (_, future), result in zip(batch, results, strict=True):
                if future.done():  # the client is gone, but its request was run
                    continue
                if isinstance(result, BaseException):
                    future.set_exception(result)
                else:
                    future.set_result(result)

    def _checked_work(self, requests: Sequence[Request]) -> Sequence[Result | Exception]:
        results = self._work(requests)
        if len(results) != len(requests):
            raise RuntimeError(f"{len(requests)} requests have {len(results)} results")
        return results

    async def _run_batch(self, requests: Sequence[Request]) -> Sequence[Result | BaseException]:
        job = asyncio.wrap_future(self._thread.submit(self._checked_work, requests))
        await asyncio.wait([job])
        error = job.exception()
        if error is None:
            return job.result()
        if len(requests) == 1:
            return [error]
        logging.getLogger(__name__).error("a batch of %d failed; it runs one by one", len(requests), exc_info=error)
        return [result for request in requests for result in await self._run_batch([request])]

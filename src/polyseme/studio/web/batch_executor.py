"""Work of many requests that one thread does together: what comes while it works waits for its next round."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

Request = TypeVar("Request")
Result = TypeVar("Result")

MAX_BATCH = 50
"""Pieces of work that are done in one round."""


class BatchExecutor(Generic[Request, Result]):
    """Does pieces of work by a function that takes several at once, and gives of each the result or an error.

    A thread for each would wait for the disk alone, and for the interpreter with all others.
    """

    def __init__(self, work: Callable[[Sequence[Request]], Sequence[Result | Exception]]) -> None:
        self._work = work
        self._thread = ThreadPoolExecutor(1, "rounds")
        self._waiting: list[tuple[Request, asyncio.Future[Result]]] = []
        self._task: asyncio.Task[None] | None = None

    async def do(self, piece: Request) -> Result:
        """Do a piece of work with those that others wait for; its result, or its error."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        self._waiting.append((piece, future))
        if self._task is None or self._task.done():
            self._task = loop.create_task(self._work_off())
        return await future

    def _done(self, pieces: Sequence[Request]) -> Sequence[Result | Exception]:
        results = self._work(pieces)
        if len(results) != len(pieces):
            raise RuntimeError(f"{len(pieces)} pieces of work have {len(results)} results")
        return results

    async def _work_off(self) -> None:
        """Work until nobody waits."""
        while now := self._waiting[:MAX_BATCH]:
            del self._waiting[:MAX_BATCH]
            pieces = [piece for piece, _ in now]
            try:
                results = await asyncio.get_running_loop().run_in_executor(self._thread, self._done, pieces)
            except Exception as error:  # noqa: BLE001 - each that waits must hear of it, whatever it is
                results = [error] * len(now)
            for (_, future), result in zip(now, results, strict=True):
                _resolve(future, result)


def _resolve(future: asyncio.Future[Result], result: Result | Exception) -> None:
    if future.done():  # whoever asked is gone; the work is done all the same
        return
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)

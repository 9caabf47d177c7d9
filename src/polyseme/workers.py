"""A function on many things by several processes: the results in order, as one process would give them.

The workers are programs of their own, which are told by pipes what to do. They need nothing of the script that calls
them (no ``if __name__ == "__main__"``), and end when it ends, however it ends.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import IO, Any, TypeVar

from polyseme.errors import InputError, PolysemeError

Item = TypeVar("Item")
Result = TypeVar("Result")

WORKER = "import sys; sys.path[:] = {path!r}; from polyseme.workers import serve; serve()"

THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""What says to libraries of linear algebra how many threads to use: one in a worker, since each has its processor."""


def parallel_map(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    processes: int | None = None,
    size: Callable[[Item], float] = lambda _: 1.0,
    chunk: float = 1.0,
    called: str = "polyseme",
) -> Iterator[Result]:
    """What a function makes of each item, in order; it must be defined in a module.

    ``processes`` are as many as the machine has for us, unless said; with 1, all is done here. Items are taken as they
    are needed, and given to a worker together up to the ``size`` of a ``chunk``.

    >>> list(parallel_map(abs, [-1, 2, -3], processes=1))
    [1, 2, 3]
    """
    count = available_processors() if processes is None else processes
    if count < 1:
        raise InputError(f"{processes} processes; give 1 or more, or None for as many as the machine has")
    if count == 1:
        return map(function, items)
    return _shared(function, _chunks(items, size, chunk), count, called)


def available_processors() -> int:
    """How many processors this process may use."""
    with contextlib.suppress(AttributeError):  # macOS and Windows do not say
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _shared(
    function: Callable[[Item], Result], chunks: Iterable[list[Item]], count: int, called: str
) -> Iterator[Result]:
    """The results of several workers; a few chunks are always waiting, no more."""
    try:
        work = pickle.dumps(function, pickle.HIGHEST_PROTOCOL)
    except (AttributeError, pickle.PicklingError) as error:
        raise InputError(f"{error}; define it in a module, or say processes=1") from None
    idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
    workers: list[_Worker] = []
    waiting: deque[Future[list[Result]]] = deque()
    threads = ThreadPoolExecutor(count)
    try:
        for chunk in chunks:
            if len(workers) < count:
                workers.append(_Worker(work, called))
                idle.put(workers[-1])
            if len(waiting) > 2 * count:
                yield from waiting.popleft().result()
            waiting.append(threads.submit(_asked, idle, chunk))
        while waiting:
            yield from waiting.popleft().result()
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.end()
        threads.shutdown()


def _chunks(items: Iterable[Item], size: Callable[[Item], float], most: float) -> Iterator[list[Item]]:
    chunk, total = [], 0.0
    for item in items:
        chunk.append(item)
        total += size(item)
        if total >= most:
            yield chunk
            chunk, total = [], 0.0
    if chunk:
        yield chunk


def _asked(idle: queue.SimpleQueue[_Worker], chunk: list[Any]) -> list[Any]:
    worker = idle.get()
    try:
        return worker.ask(chunk)
    finally:
        idle.put(worker)


class _Worker:
    """A process that works; seen from here."""

    def __init__(self, work: bytes, called: str) -> None:
        command = [sys.executable, "-c", WORKER.format(path=sys.path)]
        settings = {**dict.fromkeys(THREAD_VARIABLES, "1"), **os.environ}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=settings)
        self.unsent = pickle.dumps(work)
        self.called = called

    def ask(self, chunk: list[Any]) -> list[Any]:
        """Send a chunk of items, and wait for the results."""
        sent, self.unsent = self.unsent, b""
        try:
            answer = self.exchange(sent + pickle.dumps(pickle.dumps(chunk, pickle.HIGHEST_PROTOCOL)))
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            raise PolysemeError(
                f"a process of {self.called} ended with code {self.process.wait()} in the middle of its work, as"
                " happens when memory runs out; try again with fewer processes"
            ) from None
        if isinstance(answer, Exception):
            raise answer
        results: list[Any] = answer
        return results

    def exchange(self, message: bytes) -> Any:
        """Write a message and read the answer."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(message)
        self.process.stdin.flush()
        return pickle.load(self.process.stdout)

    def end(self) -> None:
        """Stop it, whatever it is doing."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                if pipe:
                    pipe.close()


def serve_chunks() -> None:
    """What a worker does: for each chunk of items that comes in, write the results, until nothing comes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started it, ends it
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    work = _received(sys.stdin.buffer)
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            pipe.write(_answer(work, _received(sys.stdin.buffer)))
            pipe.flush()


def _received(pipe: IO[bytes]) -> Any:
    """What a worker is to do, and on what; if it does not know that here, the error to answer with."""
    sent = pickle.load(pipe)  # in two steps: what follows can be read in any case
    try:
        return pickle.loads(sent)
    except (AttributeError, ImportError) as error:
        return InputError(
            f"another process cannot find what it needs ({error}); define it in a module, or say processes=1"
        )


def _answer(function: Callable[[Any], Any] | InputError, chunk: list[Any] | InputError) -> bytes:
    if isinstance(function, InputError) or isinstance(chunk, InputError):
        return pickle.dumps(function if isinstance(function, InputError) else chunk)
    try:
        return pickle.dumps([function(item) for item in chunk], pickle.HIGHEST_PROTOCOL)
    except PolysemeError as error:
        return pickle.dumps(PolysemeError(str(error)))
    except Exception as error:  # noqa: BLE001 - it is raised where the work was asked for
        return pickle.dumps(RuntimeError("".join(traceback.format_exception(error))))

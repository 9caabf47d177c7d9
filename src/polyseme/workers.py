"""Parallel work: a function applied to many items by several processes, with the results in order.

Each worker is a program of its own that receives its work through a pipe. It needs nothing of the script that starts it
(no ``if __name__ == "__main__"``), and it ends when that script ends, even if the script is killed. The pools of joblib
do not guarantee this, and they read their input without limit while the caller is busy.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, islice
from typing import IO, Any, TypeVar

from polyseme.errors import InputError, PolysemeError

Item = TypeVar("Item")
Result = TypeVar("Result")

WORKER = "import sys; sys.path[:] = {path!r}; from polyseme.workers import serve_chunks; serve_chunks()"

THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""The variables that limit the threads of linear algebra: one thread a worker, unless the environment sets another."""

MAIN_MODULE = b"__main__"
"""The module of classes and functions that are defined in a script or a notebook."""


def parallel_map(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    processes: int | None = None,
    size: Callable[[Item], float] = lambda _: 1.0,
    chunk: float = 1.0,
    name: str = "polyseme",
) -> Iterator[Result]:
    """Apply a function to items in several processes.

    Args:
        function: The function; it must be defined in a module.
        items: The items. They are read only as they are needed.
        processes: How many processes work; by default as many as there are processors. With 1, this process works. By
            default, this process also works alone if others could not import what is defined in a script or a notebook.
        size: The size of an item.
        chunk: Items are sent to a worker together up to this size.
        name: What error messages call the workers.

    Returns:
        The results, in the order of the items.

    Raises:
        InputError: ``processes`` is less than 1, or another process cannot import the function.
        PolysemeError: A worker ended before its work was done.

    >>> list(parallel_map(abs, [-1, 2, -3], processes=1))
    [1, 2, 3]
    """
    count = available_processors() if processes is None else processes
    if count < 1:
        raise InputError(f"{processes} processes; give 1 or more, or None for as many as there are processors")
    if count == 1:
        return map(function, items)
    chunks = _split_into_chunks(items, size, chunk)
    if processes is None:
        return _map_where_importable(function, chunks, count, name)
    return _map_in_processes(function, chunks, count, name)


def available_processors() -> int:
    """The number of processors that this process may use."""
    with contextlib.suppress(AttributeError):  # macOS and Windows have no affinity
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _map_where_importable(
    function: Callable[[Item], Result], chunks: Iterator[list[Item]], count: int, name: str
) -> Iterator[Result]:
    """Yield the results of several workers; or of this process, if workers cannot import the function or the items."""
    first = list(islice(chunks, 1))
    if _is_importable((function, first)):
        yield from _map_in_processes(function, chain(first, chunks), count, name)
    else:
        yield from map(function, chain.from_iterable(chain(first, chunks)))


def _is_importable(value: object) -> bool:
    """Whether another process can import all that a value needs: nothing is defined in a script or a function."""
    try:
        return MAIN_MODULE not in pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    except (AttributeError, TypeError, pickle.PicklingError):
        return False


def _map_in_processes(
    function: Callable[[Item], Result], chunks: Iterable[list[Item]], count: int, name: str
) -> Iterator[Result]:
    """Yield the results of several workers; at most ``2 * count + 1`` chunks wait at any time."""
    idle: queue.SimpleQueue[WorkerProcess] = queue.SimpleQueue()
    workers: list[WorkerProcess] = []
    pending: deque[Future[list[Result]]] = deque()
    threads = ThreadPoolExecutor(count)

    def run(chunk: list[Item]) -> list[Result]:
        worker = idle.get()
        try:
            return worker.run(chunk)
        finally:
            idle.put(worker)

    try:
        for chunk in chunks:
            if len(workers) < count:
                workers.append(WorkerProcess(function, name))
                idle.put(workers[-1])
            if len(pending) > 2 * count:
                yield from pending.popleft().result()
            pending.append(threads.submit(run, chunk))
        while pending:
            yield from pending.popleft().result()
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.stop()
        threads.shutdown()


def _split_into_chunks(items: Iterable[Item], size: Callable[[Item], float], limit: float) -> Iterator[list[Item]]:
    chunk, total = [], 0.0
    for item in items:
        chunk.append(item)
        total += size(item)
        if total >= limit:
            yield chunk
            chunk, total = [], 0.0
    if chunk:
        yield chunk


class WorkerProcess:
    """A process that applies one function to the items it receives.

    Args:
        function: The function; it must be defined in a module.
        name: What error messages call the process.

    Raises:
        InputError: The function cannot be sent to another process.
    """

    def __init__(self, function: Callable[[Any], Any], name: str = "polyseme") -> None:
        try:
            self._unsent: bytes | None = pickle.dumps(function, pickle.HIGHEST_PROTOCOL)
        except (AttributeError, pickle.PicklingError) as error:
            raise InputError(f"{error}; define it in a module, or use processes=1") from None
        command = [sys.executable, "-c", WORKER.format(path=sys.path)]
        variables = {**dict.fromkeys(THREAD_VARIABLES, "1"), **os.environ}
        self._name = name
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=variables)

    @property
    def is_alive(self) -> bool:
        """Whether the process can still work."""
        return self._process.poll() is None

    def run(self, items: Sequence[Any], timeout: float | None = None) -> list[Any]:
        """Apply the function to each item, and wait for the results.

        Args:
            items: The items.
            timeout: Stop the process after this many seconds.

        Raises:
            TimeoutError: The work took longer than ``timeout``; the process is stopped.
            PolysemeError: The function raised one, or the process ended before its work was done.
            RuntimeError: The function raised another error; the message holds the traceback.
        """
        limit = threading.TIMEOUT_MAX if timeout is None else timeout
        deadline, timer = time.monotonic() + limit, threading.Timer(limit, self._process.kill)
        if timeout is not None:
            timer.start()
        try:
            answer = self._exchange(pickle.dumps(items, pickle.HIGHEST_PROTOCOL))
        except (EOFError, OSError, ValueError):
            if time.monotonic() >= deadline:
                raise TimeoutError(f"the work took longer than {limit:g} seconds") from None
            raise PolysemeError(
                f"a process of {self._name} ended with code {self._process.wait()} before its work was done, as happens"
                " when memory runs out; try again with fewer processes"
            ) from None
        finally:
            timer.cancel()
        if isinstance(answer, Exception):
            raise answer
        results: list[Any] = answer
        return results

    def _exchange(self, message: bytes) -> Any:
        """Send a message, the function before the first one, and receive the answer."""
        assert self._process.stdin
        assert self._process.stdout
        if self._unsent is not None:
            _send(self._process.stdin, self._unsent)
            self._unsent = None
        _send(self._process.stdin, message)
        return pickle.loads(_receive(self._process.stdout))

    def stop(self) -> None:
        """Stop the process, even in the middle of its work."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                if pipe:
                    pipe.close()


def _send(pipe: IO[bytes], message: bytes) -> None:
    pipe.write(len(message).to_bytes(8, "big"))
    pipe.write(message)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> bytes:
    length = pipe.read(8)
    if not length:
        raise EOFError
    return pipe.read(int.from_bytes(length, "big"))


# -- in the worker -------------------------------------------------------------------------------------------------


def serve_chunks() -> None:
    """Answer each chunk of items with the results, until no more chunks arrive: the main function of a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one stops it
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    with contextlib.suppress(EOFError, OSError):  # what a closed pipe raises differs from system to system
        function = _load(_receive(sys.stdin.buffer))
        while True:
            _send(answers, _answer(function, _load(_receive(sys.stdin.buffer))))


def _load(message: bytes) -> Any:
    """What a message holds; an error if this process cannot import it."""
    try:
        return pickle.loads(message)
    except (AttributeError, ImportError) as error:
        problem = f"another process cannot find what it needs ({error}); define it in a module, or use processes=1"
        return InputError(problem)


def _answer(function: Callable[[Any], Any] | InputError, items: list[Any] | InputError) -> bytes:
    """The pickled results of a chunk, or the error that the caller raises."""
    if isinstance(function, InputError) or isinstance(items, InputError):
        return pickle.dumps(function if isinstance(function, InputError) else items)
    try:
        return pickle.dumps([function(item) for item in items], pickle.HIGHEST_PROTOCOL)
    except PolysemeError as error:
        return pickle.dumps(PolysemeError(str(error)))
    except Exception as error:  # noqa: BLE001 - the caller raises it
        return pickle.dumps(RuntimeError("".join(traceback.format_exception(error))))

"""Background work: tasks that take seconds run in other processes, so that pages that are ready need not wait."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
import warnings
from collections.abc import Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotFinished
from functools import cache, partial
from pathlib import Path
from typing import Protocol

from polyseme.corpus.index import Index
from polyseme.errors import InputWarning, PolysemeError
from polyseme.workers import WorkerProcess

WORKERS = 2
"""The number of tasks that run at once."""

TIME_LIMIT = 900.0
"""The number of seconds after which a task is stopped."""

MAX_WAITING = 8
"""The number of tasks that wait; more are refused."""

FAILURE_MEMORY = 300.0
"""The number of seconds for which a failed task is not tried again."""


class TaskFailed(PolysemeError):
    """A task was not completed: it took too long, its process ended, or the model has a bug."""


class WorkersBusy(Exception):
    """Too many tasks are waiting."""


class BackgroundTask(Hashable, Protocol):
    """A task for another process; it is sent there, and writes its results into files."""

    @property
    def topic(self) -> str:
        """What the process reads for the task, such as a word; it remembers that for the next task of this topic."""
        ...

    def run(self, index: Index) -> None:
        """Do the work."""
        ...


class BackgroundWorkers:
    """Runs tasks in worker processes; equal tasks run once.

    Args:
        folder: The folder of the index.
        workers: The number of processes.
        time_limit: The number of seconds after which a task is stopped.
    """

    def __init__(self, folder: Path, workers: int = WORKERS, time_limit: float = TIME_LIMIT) -> None:
        self._function, self._time_limit = partial(_run_task, folder), time_limit
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="explore")
        self._futures: dict[Hashable, Future[None]] = {}
        self._failures: dict[Hashable, tuple[float, PolysemeError]] = {}
        self._processes: list[WorkerProcess] = []
        self._idle: list[WorkerProcess] = []
        self._last_process: dict[str, WorkerProcess] = {}  # by topic
        self._stopped = False
        self._lock = threading.RLock()  # a task may finish before its callback is added
        self._threads.submit(self._run, None)  # the first process is ready when it is needed

    def wait_for(self, task: BackgroundTask, patience: float) -> bool:
        """Start a task if necessary, and wait for it.

        Args:
            task: The task.
            patience: The number of seconds to wait, at most.

        Returns:
            Whether the task is completed.

        Raises:
            PolysemeError: The task failed within the last minutes; after that it is tried again.
            WorkersBusy: Too many tasks are waiting.
        """
        with self._lock:
            self._raise_recent_failure(task)
            future = self._futures.get(task) or self._start(task)
        try:
            future.result(patience)
        except NotFinished:
            return False
        return True

    def _raise_recent_failure(self, task: BackgroundTask) -> None:
        earliest = time.monotonic() - FAILURE_MEMORY
        self._failures = {other: failure for other, failure in self._failures.items() if failure[0] > earliest}
        if task in self._failures:
            error = self._failures[task][1]
            raise type(error)(str(error))

    def _start(self, task: BackgroundTask) -> Future[None]:
        waiting = sum(not (future.running() or future.done()) for future in self._futures.values())
        if waiting >= MAX_WAITING:
            raise WorkersBusy(f"{waiting} words and models are waiting to be processed; try again in a few minutes")
        future = self._futures[task] = self._threads.submit(self._run, task)
        future.add_done_callback(lambda finished: self._finish(task, finished))
        return future

    def _finish(self, task: BackgroundTask, future: Future[None]) -> None:
        """Forget a completed task, and remember the error of a failed one."""
        with self._lock:
            self._futures.pop(task, None)
            error = None if future.cancelled() else future.exception()
            if error is not None:
                failure = error if isinstance(error, PolysemeError) else TaskFailed(str(error))
                self._failures[task] = time.monotonic(), failure

    def _run(self, task: BackgroundTask | None) -> None:
        """Run a task in an idle process; there is one for each thread at most."""
        process = self._take_process("" if task is None else task.topic)
        try:
            process.run([task], None if task is None else self._time_limit)
        except TimeoutError:
            process.stop()
            limit = f"it took too long and was stopped after {self._time_limit:.0f} seconds"
            raise TaskFailed(f"{limit}; choose a faster model") from None
        except PolysemeError:
            if process.is_alive:
                raise
            process.stop()
            problem = "its process ended before the work was done, perhaps because memory ran out"
            raise TaskFailed(f"{problem}; choose another model") from None
        except RuntimeError as error:  # any other error of a part
            print(error, file=sys.stderr)  # the traceback, for the author of the part
            raise TaskFailed(f"the model has a bug, {str(error).strip().splitlines()[-1]}"[:500]) from None
        finally:
            with self._lock:
                self._idle.append(process)

    def _take_process(self, topic: str) -> WorkerProcess:
        """Take the idle process that had the last task of this topic; otherwise any; otherwise start one."""
        with self._lock:
            if self._stopped:
                raise TaskFailed("the explorer is being stopped")
            self._idle = [process for process in self._idle if process.is_alive]
            if self._idle:
                last = self._last_process.get(topic)
                process = last if last in self._idle else self._idle[-1]
                self._idle.remove(process)
            else:
                process = WorkerProcess(self._function, "the explorer")
                self._processes.append(process)
            self._last_process[topic] = process
            return process

    def stop(self) -> None:
        """Stop all tasks and processes."""
        with self._lock:
            self._stopped = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        for process in self._processes:
            process.stop()


# -- in the worker -------------------------------------------------------------------------------------------------


def _run_task(folder: Path, task: BackgroundTask | None) -> None:
    """Run a task on the index, which is opened once; without a task, only get ready."""
    index = _open_index(folder)
    if task is not None:
        task.run(index)


@cache
def _open_index(folder: Path) -> Index:
    """Open the index, and load what the first task would have to wait for."""
    import sklearn.cluster
    import sklearn.decomposition  # noqa: F401

    from polyseme.induction.defaults import SUBSTITUTE_INDUCER, default_inducer
    from polyseme.lm.language_model import SMALL_MODEL, load_masked_model
    from polyseme.parts import parts_by_name

    warnings.simplefilter("ignore", InputWarning)
    index = Index.open(folder, unfinished=True)
    if len(index.vocabulary):
        index.vocabulary.numbers([index.vocabulary[0]])
    parts_by_name()
    if default_inducer(index) == SUBSTITUTE_INDUCER:
        with contextlib.suppress(PolysemeError):  # the first task that needs the model reports the problem
            load_masked_model(SMALL_MODEL)
    return index

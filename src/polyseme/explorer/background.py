"""Work that takes seconds is done by other processes, so that nobody waits for a page that is ready."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import threading
import time
import traceback
import warnings
from collections.abc import Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Protocol

from polyseme.corpus.index import Index
from polyseme.errors import InputWarning, PolysemeError

WORKERS = 2
"""How many words can be worked on at once."""

TIME_LIMIT = 900.0
"""Seconds after which work is given up."""


MAX_WAITING = 8
"""So many tasks may wait for a process; more are refused."""

FAILURE_MEMORY = 300.0
"""Seconds for which all who ask are told that a task failed; after that it is tried again."""


class TaskFailed(PolysemeError):
    """A task was not done: it took too long, its process ended, or there is a mistake in the model."""


class WorkersBusy(Exception):
    """There is so much to do that nothing more is taken on."""


class BackgroundTask(Hashable, Protocol):
    """Something to be done with an index, in another process; it is sent there, and what it finds it writes."""

    def done(self, index: Index) -> None:
        """Do it."""
        ...


class BackgroundWorkers:
    """Does tasks in processes of its own; what is asked for twice is done once."""

    def __init__(self, folder: Path, processes: int = WORKERS, limit: float = TIME_LIMIT) -> None:
        self._folder, self._limit = folder, limit
        self._threads = ThreadPoolExecutor(processes, thread_name_prefix="explore")
        self._local = threading.local()
        self._begun: dict[Hashable, Future[None]] = {}
        self._failed: dict[Hashable, tuple[float, PolysemeError]] = {}
        self._processes: list[_WorkerProcess] = []
        self._lock = threading.RLock()  # work may be done before its end is listened for
        self._threads.submit(self._process)  # the first is ready when it is needed

    def ask(self, task: BackgroundTask, patience: float) -> bool:
        """Whether a task is done, after waiting for so many seconds at most; an error if it failed.

        A task that failed is tried again after some minutes, and until then all who ask are told why.
        """
        with self._lock:
            self._tell(task)
            work = self._begun.get(task) or self._begin(task)
        try:
            work.result(patience)
        except NotYet:
            return False
        return True

    def _tell(self, task: BackgroundTask) -> None:
        """An error if the task failed some minutes ago or less."""
        now = time.monotonic()
        self._failed = {
            each: (then, error) for each, (then, error) in self._failed.items() if now - then < FAILURE_MEMORY
        }
        if task in self._failed:
            error = self._failed[task][1]
            raise type(error)(str(error))

    def _begin(self, task: BackgroundTask) -> Future[None]:
        waiting = sum(not (work.running() or work.done()) for work in self._begun.values())
        if waiting >= MAX_WAITING:
            raise WorkersBusy(f"{waiting} words and models are waiting to be worked on; ask again in some minutes")
        work = self._begun[task] = self._threads.submit(self._do, task)
        work.add_done_callback(lambda done: self._ended(task, done))
        return work

    def _ended(self, task: BackgroundTask, work: Future[None]) -> None:
        """Forget a task that was done; remember what went wrong with one that was not."""
        with self._lock:
            if self._begun.get(task) is not work:
                return
            del self._begun[task]
            error = None if work.cancelled() else work.exception()
            if error is not None:
                told = error if isinstance(error, PolysemeError) else TaskFailed(str(error))
                self._failed[task] = time.monotonic(), told

    def _process(self) -> _WorkerProcess:
        """The process of this thread; a new one, if the last has ended."""
        found: _WorkerProcess | None = getattr(self._local, "process", None)
        if found is None or not found.alive:
            found = self._local.process = _WorkerProcess(self._folder)
            self._processes.append(found)
        return found

    def _do(self, task: BackgroundTask) -> None:
        self._process().do(task, self._limit)

    def end(self) -> None:
        """Stop all that is being done."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for process in self._processes:
            process.end()


class _WorkerProcess:
    """A process that does tasks, seen from here."""

    def __init__(self, folder: Path) -> None:
        context = multiprocessing.get_context("spawn")
        self._here, there = context.Pipe()
        self._process = context.Process(target=_serve, args=(folder, there), daemon=True, name="polyseme explore")
        self._process.start()
        there.close()

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return self._process.is_alive()

    def do(self, task: BackgroundTask, limit: float) -> None:
        """Have a task done, and wait for it."""
        try:
            self._here.send(task)
            if not self._here.poll(limit):
                self.end()
                raise TaskFailed(
                    f"it took too long, and was given up after {limit:.0f} seconds; choose a quicker model"
                )
            problem: PolysemeError | None = self._here.recv()
        except (EOFError, OSError):
            self.end()
            problem = TaskFailed(
                "the process that worked on it ended, as happens when memory runs out; choose another model"
            )
        if problem is not None:
            raise problem

    def end(self) -> None:
        """Stop it, whatever it is doing."""
        self._process.kill()
        self._process.join()
        self._here.close()


def _serve(folder: Path, connection: Connection) -> None:
    """What such a process does: one task after the other, until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started it, ends it
    warnings.simplefilter("ignore", InputWarning)
    index = Index.open(folder, unfinished=True)
    _preload(index)
    with contextlib.suppress(EOFError, OSError):
        while True:
            connection.send(_run_task(connection.recv(), index))


def _preload(index: Index) -> None:
    """Load what the first task would wait for."""
    import sklearn.cluster
    import sklearn.decomposition  # noqa: F401

    from polyseme.induction.defaults import SUBSTITUTE_INDUCER, default_inducer
    from polyseme.lm.language_model import SMALL_MODEL, load_masked_model
    from polyseme.parts import parts_by_name

    if len(index.vocabulary):
        index.vocabulary.numbers([index.vocabulary[0]])
    parts_by_name()
    if default_inducer(index) == SUBSTITUTE_INDUCER:
        with contextlib.suppress(PolysemeError):  # the first who asks for it is told what is wrong with it
            load_masked_model(SMALL_MODEL)


def _run_task(task: BackgroundTask, index: Index) -> PolysemeError | None:
    """Do a task; what went wrong, as an error with nothing but words, if something did."""
    try:
        task.done(index)
    except PolysemeError as error:
        return PolysemeError(str(error))
    except Exception as error:  # noqa: BLE001 - a part of somebody else may raise anything; the server goes on
        traceback.print_exc()
        return TaskFailed(f"there is a mistake in it, {type(error).__name__}: {error}"[:500])
    return None

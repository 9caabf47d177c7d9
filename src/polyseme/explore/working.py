"""Work that takes seconds is done by other processes, so that nobody waits for a page that is ready."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import threading
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

PROCESSES = 2
"""How many words can be worked on at once."""

LIMIT = 900.0
"""Seconds after which work is given up."""


class Task(Hashable, Protocol):
    """Something to be done with an index, in another process; it is sent there, and what it finds it writes."""

    def done(self, index: Index) -> None:
        """Do it."""
        ...


class Working:
    """Does tasks in processes of its own; what is asked for twice is done once."""

    def __init__(self, folder: Path, processes: int = PROCESSES, limit: float = LIMIT) -> None:
        self._folder, self._limit = folder, limit
        self._threads = ThreadPoolExecutor(processes, thread_name_prefix="explore")
        self._local = threading.local()
        self._begun: dict[Hashable, Future[None]] = {}
        self._processes: list[_Process] = []
        self._lock = threading.Lock()
        self._threads.submit(self._process)  # the first is ready when it is needed

    def ask(self, task: Task, patience: float) -> bool:
        """Whether a task is done, after waiting for so many seconds at most; an error if it failed.

        A task that failed is tried again the next time.
        """
        with self._lock:
            work = self._begun.get(task)
            if work is None:
                work = self._begun[task] = self._threads.submit(self._do, task)
        try:
            work.result(patience)
        except NotYet:
            return False
        except Exception:
            self._forget(task)
            raise
        self._forget(task)
        return True

    def _forget(self, task: Task) -> None:
        with self._lock:
            self._begun.pop(task, None)

    def _process(self) -> _Process:
        """The process of this thread; a new one, if the last has ended."""
        found: _Process | None = getattr(self._local, "process", None)
        if found is None or not found.alive:
            found = self._local.process = _Process(self._folder)
            self._processes.append(found)
        return found

    def _do(self, task: Task) -> None:
        self._process().do(task, self._limit)

    def end(self) -> None:
        """Stop all that is being done."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for process in self._processes:
            process.end()


class _Process:
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

    def do(self, task: Task, limit: float) -> None:
        """Have a task done, and wait for it."""
        try:
            self._here.send(task)
            if not self._here.poll(limit):
                self.end()
                raise PolysemeError(f"this was given up after {limit:.0f} seconds; choose a quicker model")
            problem = self._here.recv()
        except (EOFError, OSError):
            self.end()
            problem = "the process that worked on it ended, as happens when memory runs out; choose another model"
        if problem is not None:
            raise PolysemeError(problem)

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
    _make_ready(index)
    with contextlib.suppress(EOFError, OSError):
        while True:
            connection.send(_problem(connection.recv(), index))


def _make_ready(index: Index) -> None:
    """Load what the first task would wait for."""
    import sklearn.cluster
    import sklearn.decomposition  # noqa: F401

    from polyseme.parts import found

    if len(index.vocabulary):
        index.vocabulary.numbers([index.vocabulary[0]])
    found()


def _problem(task: Task, index: Index) -> str | None:
    """Do a task; what went wrong, in words, if something did."""
    try:
        task.done(index)
    except PolysemeError as error:
        return str(error)
    except Exception as error:  # noqa: BLE001 - a part of somebody else may raise anything; the server goes on
        traceback.print_exc()
        return f"this model failed: {type(error).__name__}: {error}"[:500]
    return None

"""Many documents analysed by several processes, in order, with the answer that one process gives.

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

from polyseme.corpus.analysers import Analyser
from polyseme.errors import InputError, PolysemeError
from polyseme.sentence import Sentence, Token

Placed = tuple[int, Sentence]
Document = tuple[str, str]
"""A name and a text."""

Result = TypeVar("Result")
Then = Callable[[str, Iterator[Placed]], Result]
"""What is made of a document: from its name and its sentences, with their places."""

CHARACTERS = 200_000
"""So much text, if documents are short, is given to a worker at once."""

WORKER = "import sys; sys.path[:] = {path!r}; from polyseme.corpus.processes import serve; serve()"


def analysed(
    analyser: Analyser, documents: Iterable[Document], *, processes: int | None = None
) -> Iterator[tuple[str, list[Placed]]]:
    """The documents' names and sentences, with their places, in the order of the documents.

    >>> from polyseme.corpus.simple import Simple
    >>> for name, sentences in analysed(Simple(lemmatise=False), [("a", "One. Two."), ("b", "Three.")], processes=1):
    ...     print(name, [(start, sentence.id, sentence.text) for start, sentence in sentences])
    a [(0, 'a.1', 'One.'), (5, 'a.2', 'Two.')]
    b [(0, 'b.1', 'Three.')]
    """
    count = available() if processes is None else processes
    if count == 1:
        return mapped(_listed, analyser, documents, processes=1)
    return map(_unpacked, mapped(_packed, analyser, documents, processes=count))


def mapped(
    then: Then[Result], analyser: Analyser, documents: Iterable[Document], *, processes: int | None = None
) -> Iterator[Result]:
    """What ``then`` makes of each analysed document, in order; it is called where the analysis is made.

    ``processes`` are as many as the machine has for us, unless said; with 1, all is done here. Documents are read as
    they are needed. A larger answer is cheaper to send if it is made of plain values.
    """
    count = available() if processes is None else processes
    if count < 1:
        raise InputError(f"{processes} processes; give 1 or more, or None for as many as the machine has")
    if count == 1:
        return (then(name, analyser.analyse(text, name)) for name, text in documents)
    return _shared(then, analyser, documents, count)


def available() -> int:
    """How many processors this process may use."""
    with contextlib.suppress(AttributeError):  # macOS and Windows do not say
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _shared(then: Then[Result], analyser: Analyser, documents: Iterable[Document], count: int) -> Iterator[Result]:
    """The results of several workers; a few chunks are always waiting, no more."""
    try:
        work = pickle.dumps((then, analyser), pickle.HIGHEST_PROTOCOL)
    except (AttributeError, pickle.PicklingError) as error:
        raise InputError(f"{error}; define it in a module, or say processes=1") from None
    idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
    workers: list[_Worker] = []
    waiting: deque[Future[list[Result]]] = deque()
    threads = ThreadPoolExecutor(count)
    try:
        for chunk in _chunks(documents):
            if len(workers) < count:
                workers.append(_Worker(work, repr(analyser)))
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


def _chunks(documents: Iterable[Document]) -> Iterator[list[Document]]:
    chunk, size = [], 0
    for document in documents:
        chunk.append(document)
        size += len(document[1])
        if size >= CHARACTERS:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _asked(idle: queue.SimpleQueue[_Worker], chunk: list[Document]) -> list[Any]:
    worker = idle.get()
    try:
        return worker.ask(chunk)
    finally:
        idle.put(worker)


# -- workers -------------------------------------------------------------------------------------------------------


class _Worker:
    """A process that analyses; seen from here."""

    def __init__(self, work: bytes, called: str) -> None:
        command = [sys.executable, "-c", WORKER.format(path=sys.path)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.unsent = pickle.dumps(work)
        self.called = called

    def ask(self, chunk: list[Document]) -> list[Any]:
        """Send a chunk of documents, and wait for the results."""
        sent, self.unsent = self.unsent, b""
        try:
            answer = self.exchange(sent + pickle.dumps(chunk, pickle.HIGHEST_PROTOCOL))
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


def serve() -> None:
    """What a worker does: for each chunk of documents that comes in, write the results, until nothing comes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started it, ends it
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    work = _received(sys.stdin.buffer)
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            chunk = pickle.load(sys.stdin.buffer)
            pipe.write(work if isinstance(work, bytes) else _answer(*work, chunk))
            pipe.flush()


def _received(pipe: IO[bytes]) -> tuple[Then[Any], Analyser] | bytes:
    """What a worker is to do; if it does not know that here, the answer to whatever it will be asked."""
    try:
        then, analyser = pickle.loads(pickle.load(pipe))  # two steps, so that what follows can be read in any case
    except (AttributeError, ImportError) as error:
        problem = f"another process cannot find what it needs ({error}); define it in a module, or say processes=1"
        return pickle.dumps(InputError(problem))
    return then, analyser


def _answer(then: Then[Any], analyser: Analyser, chunk: list[Document]) -> bytes:
    try:
        return pickle.dumps([then(name, analyser.analyse(text, name)) for name, text in chunk], pickle.HIGHEST_PROTOCOL)
    except PolysemeError as error:
        return pickle.dumps(PolysemeError(str(error)))
    except Exception as error:  # noqa: BLE001 - it is raised where the work was asked for
        return pickle.dumps(RuntimeError("".join(traceback.format_exception(error))))


# -- sentences as plain values, which are faster to send -----------------------------------------------------------


def _listed(name: str, sentences: Iterator[Placed]) -> tuple[str, list[Placed]]:
    return name, list(sentences)


def _packed(name: str, sentences: Iterator[Placed]) -> tuple[str, list[Any]]:
    return name, [
        (start, given.id, given.text, [_fields(token) for token in given.tokens], dict(given.meta))
        for start, given in sentences
    ]


def _fields(token: Token) -> tuple[Any, ...]:
    plain = (token.form, token.start, token.end, token.lemma, token.pos, token.tag, token.head, token.relation)
    return (*plain, token.senses, dict(token.features)) if token.senses or token.features else plain


def _unpacked(document: tuple[str, list[Any]]) -> tuple[str, list[Placed]]:
    name, sentences = document
    return name, [
        (start, Sentence(id, text, tuple([Token(*fields) for fields in tokens]), meta))
        for start, id, text, tokens, meta in sentences
    ]

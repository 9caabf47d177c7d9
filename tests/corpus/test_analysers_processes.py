"""Several processes: the same answer in the same order, whatever happens to them."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from polyseme.corpus import parallel_analysis
from polyseme.corpus.parallel_analysis import analyse_documents, map_documents
from polyseme.corpus.simple_analyser import Simple
from polyseme.corpus.spacy_analyser import Spacy
from polyseme.errors import InputError, PolysemeError
from polyseme.sentence import Sentence
from polyseme.workers import available_processors

PLAIN = Simple(lemmatise=False)
DOCUMENTS = [(f"d{number}", f"This is document {number}. It is short.\n\n" * (number % 7)) for number in range(60)]


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel_analysis, "CHUNK_CHARACTERS", 300)


def test_the_same_answer_as_one_process() -> None:
    one = list(analyse_documents(PLAIN, DOCUMENTS, processes=1))
    assert [name for name, _ in one] == [name for name, _ in DOCUMENTS]
    assert list(analyse_documents(PLAIN, DOCUMENTS, processes=3)) == one


def test_documents_are_read_as_they_are_needed() -> None:
    read = []

    def documents() -> Iterator[tuple[str, str]]:
        for document in DOCUMENTS * 10:
            read.append(document)
            yield document

    found = analyse_documents(PLAIN, documents(), processes=2)
    next(found)
    assert len(read) < 200
    del found


def test_no_documents() -> None:
    assert list(analyse_documents(PLAIN, [], processes=2)) == []


def test_no_processes() -> None:
    with pytest.raises(InputError, match="0 processes; give 1 or more"):
        map_documents(_name, PLAIN, DOCUMENTS, processes=0)


def test_what_is_made_of_a_document() -> None:
    assert list(map_documents(_name, PLAIN, DOCUMENTS, processes=1)) == [name for name, _ in DOCUMENTS]


def test_as_many_as_the_machine_has() -> None:
    assert available_processors() >= 1
    assert len(list(analyse_documents(PLAIN, DOCUMENTS))) == len(DOCUMENTS)


def _name(name: str, _found: Iterator[tuple[int, Sentence]]) -> str:
    return name


# -- errors --------------------------------------------------------------------------------------------------------


def test_an_error_of_ours_comes_back() -> None:
    with pytest.raises(PolysemeError, match=r"spaCy has no model 'nowhere'|'spacy' is not installed"):
        list(analyse_documents(Spacy("nowhere"), [("a", "Text.")], processes=2))


def test_what_another_process_cannot_find() -> None:
    with pytest.raises(InputError, match="say processes=1"):
        list(map_documents(lambda name, _found: name, PLAIN, DOCUMENTS, processes=2))


SCRIPT = """
import signal
from polyseme.corpus import processes
from polyseme.corpus.parallel_analysis import analysed
from polyseme.corpus.simple_analyser import Simple

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets its background jobs ignore it
processes.CHARACTERS = 10
def documents():
    number = 0
    while True:
        number += 1
        yield str(number), "This is a document. " * 50
for name, sentences in analysed(Simple(lemmatise=False), documents(), processes=2):
    print(name, flush=True)
"""


def started(tmp_path: Path) -> subprocess.Popen[str]:
    """A script without ``if __name__ == "__main__"`` that goes on for ever."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout
    assert process.stdout.readline() == "1\n"
    return process


def children(of: int) -> list[int]:
    listing = subprocess.run(["ps", "-eo", "pid,ppid"], capture_output=True, text=True, check=True).stdout
    pairs = [line.split() for line in listing.splitlines()[1:]]
    return [int(pid) for pid, parent in pairs if int(parent) == of]


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


linux_only = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="processes are listed in /proc only on Linux"
)


@linux_only
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_who_started_them(tmp_path: Path, how: signal.Signals) -> None:
    process = started(tmp_path)
    workers = children(process.pid)
    assert len(workers) == 2
    process.send_signal(how)
    process.communicate(timeout=20)
    assert process.returncode != 0
    until = time.monotonic() + 20
    while any(map(is_running, workers)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(is_running, workers))


@linux_only
def test_a_killed_worker_is_an_error(tmp_path: Path) -> None:
    process = started(tmp_path)
    os.kill(children(process.pid)[0], signal.SIGKILL)
    _, errors = process.communicate(timeout=20)
    assert "ended with code -9 in the middle of its work" in errors
    assert "try again with fewer processes" in errors

"""Analysis by several processes: the same result in the same order, and no process left behind."""

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


def test_several_processes_give_the_result_of_one() -> None:
    serial = list(analyse_documents(PLAIN, DOCUMENTS, processes=1))
    assert [name for name, _ in serial] == [name for name, _ in DOCUMENTS]
    assert list(analyse_documents(PLAIN, DOCUMENTS, processes=3)) == serial


def test_documents_are_read_as_they_are_needed() -> None:
    read = []

    def documents() -> Iterator[tuple[str, str]]:
        for document in DOCUMENTS * 10:
            read.append(document)
            yield document

    results = analyse_documents(PLAIN, documents(), processes=2)
    next(results)
    assert len(read) < 200
    del results


def test_no_documents_give_no_results() -> None:
    assert list(analyse_documents(PLAIN, [], processes=2)) == []


def test_zero_processes_are_refused() -> None:
    with pytest.raises(InputError, match="0 processes; give 1 or more"):
        map_documents(_name, PLAIN, DOCUMENTS, processes=0)


def test_a_function_is_applied_to_each_document() -> None:
    assert list(map_documents(_name, PLAIN, DOCUMENTS, processes=1)) == [name for name, _ in DOCUMENTS]


def test_all_processors_work_by_default() -> None:
    assert available_processors() >= 1
    assert len(list(analyse_documents(PLAIN, DOCUMENTS))) == len(DOCUMENTS)


def _name(name: str, _sentences: Iterator[tuple[int, Sentence]]) -> str:
    return name


# -- errors --------------------------------------------------------------------------------------------------------


def test_an_error_of_the_analyser_reaches_the_caller() -> None:
    with pytest.raises(PolysemeError, match=r"'nowhere' is neither a spaCy model|'spacy' is not installed"):
        list(analyse_documents(Spacy("nowhere"), [("a", "Text.")], processes=2))


def test_a_function_that_another_process_cannot_import_is_refused() -> None:
    with pytest.raises(InputError, match="use processes=1"):
        list(map_documents(lambda name, _sentences: name, PLAIN, DOCUMENTS, processes=2))


SCRIPT = """
import signal
from polyseme.corpus import parallel_analysis
from polyseme.corpus.parallel_analysis import analyse_documents
from polyseme.corpus.simple_analyser import Simple

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets its background jobs ignore it
parallel_analysis.CHUNK_CHARACTERS = 10
def documents():
    number = 0
    while True:
        number += 1
        yield str(number), "This is a document. " * 50
for name, sentences in analyse_documents(Simple(lemmatise=False), documents(), processes=2):
    print(name, flush=True)
"""


def start_endless_script(tmp_path: Path) -> subprocess.Popen[str]:
    """Start a script without ``if __name__ == "__main__"`` that never ends."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout
    assert process.stdout.readline() == "1\n"
    return process


def list_children(parent: int) -> list[int]:
    listing = subprocess.run(["ps", "-eo", "pid,ppid"], capture_output=True, text=True, check=True).stdout
    pairs = [line.split() for line in listing.splitlines()[1:]]
    return [int(pid) for pid, its_parent in pairs if int(its_parent) == parent]


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


linux_only = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="processes are listed in /proc only on Linux"
)


@linux_only
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_the_script_that_started_them(tmp_path: Path, ending: signal.Signals) -> None:
    process = start_endless_script(tmp_path)
    workers = list_children(process.pid)
    assert len(workers) == 2
    process.send_signal(ending)
    process.communicate(timeout=20)
    assert process.returncode != 0
    deadline = time.monotonic() + 20
    while any(map(is_running, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_running, workers))


@linux_only
def test_a_killed_worker_is_an_error(tmp_path: Path) -> None:
    process = start_endless_script(tmp_path)
    os.kill(list_children(process.pid)[0], signal.SIGKILL)
    _, errors = process.communicate(timeout=20)
    assert "ended with code -9 before its work was done" in errors
    assert "try again with fewer processes" in errors

"""Loading data sets by name, beside minimal readers with the standard library.

Run with ``python bench/loading.py [NAME …]``; needs the data sets (environment variable POLYSEME_DATA) and WordNet 3.1.
Limits, best of three on a quiet machine with 2 cores: Task 13 completely 1 s, Task 14's test data 2 s, SemCor 15 s. The
plain readers check nothing, hold whole trees in memory, and do not search for the targets of Task 14.
"""

from __future__ import annotations

import os
import sys
import tarfile
import time
import tracemalloc
import warnings
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

from polyseme import load
from polyseme.errors import InputWarning, PolysemeError

DATA = Path(os.environ.get("POLYSEME_DATA", "../shared/data"))


def task_13() -> object:
    """Usages, gold, dictionary, and the keys of all systems and baselines."""
    data = load("semeval-2013-task-13", DATA)
    keys = [labellings[name] for labellings in (data.systems, data.baselines, data.golds) for name in labellings]
    return data.usages, data.gold, data.inventory["add.v"], keys


def plain_13() -> object:
    """The texts and the keys, without the dictionary."""
    place = DATA / "semeval-2013-task-13"
    texts = [ElementTree.parse(path).getroot() for path in place.glob("contexts/xml-format/*.xml")]
    keys = [
        {words[1]: dict.fromkeys(words[2:], 1.0) for words in map(str.split, path.read_text().splitlines())}
        for path in place.glob("keys/**/*.key")
    ]
    return texts, keys


def task_14() -> object:
    """The test usages with their targets found, and gold."""
    data = load("semeval-2010-task-14", DATA)
    return data.usages, data.gold


def plain_14() -> object:
    """The test texts and the gold key."""
    place = DATA / "semeval-2010-task-14"
    texts = [ElementTree.parse(path).getroot() for path in place.glob("test_data/*/*.xml")]
    return texts, (place / "evaluation/unsup_eval/keys/all.key").read_text().split("\n")


def semcor() -> object:
    """All sentences, straight from the archive."""
    return sum(len(sentence.tokens) for sentence in load("semcor-3.0", DATA).sentences())


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[object] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))


def plain_semcor() -> object:
    """The tags of all files, by the standard library's reader of such markup."""
    count = 0
    with tarfile.open(DATA / "semcor-3.0.tar.xz") as archive:
        for member in archive:
            file = archive.extractfile(member) if "/br-" in member.name else None
            if file is not None:
                parser = _Tags()
                parser.feed(file.read().decode())
                count += len(parser.tags)
    return count


WORK: dict[str, tuple[Callable[[], object], Callable[[], object], float]] = {
    "task-13": (task_13, plain_13, 1.0),
    "task-14": (task_14, plain_14, 2.0),
    "semcor": (semcor, plain_semcor, 15.0),
}


def best_of_three(work: Callable[[], object]) -> float:
    """Return the shortest of three runs, in seconds."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def peak(work: Callable[[], object]) -> float:
    """Return the peak memory of Python, in MiB."""
    tracemalloc.start()
    work()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / 2**20


def main(*names: str) -> int:
    """Print times, memory and ratios; 1 if one is over its limit."""
    warnings.simplefilter("ignore", InputWarning)
    print(f"{'':12}{'polyseme s':>12}{'limit s':>9}{'plain s':>9}{'ratio':>7}{'peak MiB':>10}")
    slow = 0
    for name in names or WORK:
        work, plain_work, limit = WORK[name]
        seconds, plain_seconds = best_of_three(work), best_of_three(plain_work)
        slow += seconds > limit
        ratio = plain_seconds / seconds
        print(f"{name:12}{seconds:12.2f}{limit:9.0f}{plain_seconds:9.2f}{ratio:7.2f}{peak(work):10.0f}")
    return int(slow > 0)


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except PolysemeError as error:
        print(error)
        sys.exit(2)

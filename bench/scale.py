"""How indexing and counting grow: time and memory for 1, 4, 16 and 64 million tokens, and what that means for more.

Run with ``python bench/scale.py [MILLIONS …]``; needs the training data of SemEval-2010 Task 14 (environment variable
POLYSEME_DATA), about 20 million words, which are repeated to get there. Each step runs in a process of its own, whose
peak memory is measured with that of its workers. The largest is done again, index and graph, by processes that are
allowed 1.5 GiB each, the graph in several passes.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

DATA = Path(os.environ.get("POLYSEME_DATA", "../shared/data"))
MILLION = 1_000_000
MEMORY = 3 * 2**29
PASSES = (8,)
FRUGAL = {"ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_ARENA_MAX": "2"}
"""A limit is one of addresses, of which the usual allocators reserve many more than they use."""


def write_corpus(path: Path, tokens: int) -> None:
    """About so many tokens as JSON Lines, a document for each hundred usages."""
    from polyseme import load

    usages = load("semeval-2010-task-14", DATA)
    written, number = 0, 0
    with path.open("w", encoding="utf-8") as file:
        while written < tokens:
            batch: list[str] = []
            for usage in usages.training():
                batch.append(usage.text)
                if len(batch) == 100:
                    text = "\n\n".join(batch)
                    file.write(json.dumps({"id": number, "text": text}) + "\n")
                    written, number, batch = written + len(text.split()), number + 1, []
                    if written >= tokens:
                        return


def index(source: str, folder: str) -> None:
    """The step of indexing."""
    from polyseme.corpus.indexing import build_index
    from polyseme.corpus.simple_analyser import Simple

    build_index([source], folder, Simple(lemmatise=False))


def count(folder: str, passes: str = "1") -> None:
    """The step of counting: the G² graph of all words that occur ten times, by sentence."""
    from polyseme.corpus.association import G2
    from polyseme.corpus.index import Index
    from polyseme.corpus.word_graph import build_word_graph
    from polyseme.corpus.word_selection import WordSelection

    build_word_graph(Index.open(folder), G2(), 10.83, words=WordSelection(minimum=10), least=2, passes=int(passes))


STEPS: dict[str, Callable[..., None]] = {"index": index, "count": count}


def measured(step: str, *arguments: str, limit: int = 0) -> tuple[float, float]:
    """Seconds and MiB of a step, in a process of its own; it may have so many bytes of memory."""
    start = time.perf_counter()
    command = [sys.executable, __file__, step, str(limit), *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env={**os.environ, **FRUGAL})
    if done.returncode:
        raise RuntimeError(done.stderr)
    return time.perf_counter() - start, float(done.stdout.split()[-1])


def run_step(step: str, limit: str, *arguments: str) -> None:
    """Do a step, and print the most memory that this process and its largest worker had, in MiB."""
    if int(limit):
        resource.setrlimit(resource.RLIMIT_DATA, (int(limit), int(limit)))  # workers inherit it
    STEPS[step](*arguments)
    most = sum(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(most / 1024)


def main(*millions: float) -> None:
    """Print the table and the growth."""
    print(f"{'million tokens':>14}{'index s':>10}{'MiB':>8}{'count s':>10}{'MiB':>8}{'folder MiB':>12}", flush=True)
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for size in millions:
            corpus, folder = Path(scratch, "corpus.jsonl"), Path(scratch, f"index-{size}")
            write_corpus(corpus, int(size * MILLION))
            indexing = measured("index", str(corpus), str(folder))
            counting = measured("count", str(folder))
            tokens = json.loads((folder / "manifest.json").read_text())["tokens"] / MILLION
            disk = sum(path.stat().st_size for path in folder.rglob("*")) / 2**20
            rows.append((tokens, indexing[0], counting[0]))
            cells = (*indexing, *counting, disk)
            print(
                f"{tokens:14.1f}"
                + "".join(f"{cell:{width}.1f}" for cell, width in zip(cells, (10, 8, 10, 8, 12), strict=True)),
                flush=True,
            )
        limited(corpus, folder)
    if len(rows) > 1:
        tokens, *times = np.log(np.array(rows)).T
        for name, taken in zip(STEPS, times, strict=True):
            power, constant = np.polyfit(tokens, taken, 1)
            print(f"{name}: {np.exp(constant):.2f} s × (million tokens)^{power:.2f}")


def limited(corpus: Path, folder: Path) -> None:
    """Print how the last corpus fares in little memory."""
    again = folder.with_name("limited")
    figures = [measured("index", str(corpus), str(again), limit=MEMORY)]
    figures += [measured("count", str(again), str(passes), limit=MEMORY) for passes in PASSES]
    same = (again / "manifest.json").read_bytes() == (folder / "manifest.json").read_bytes()
    print(f"with {MEMORY / 2**30:.1f} GiB: index {figures[0][0]:.1f} s, {figures[0][1]:.0f} MiB; same bytes: {same}")
    for passes, (seconds, most) in zip(PASSES, figures[1:], strict=True):
        print(f"  graph in {passes} passes {seconds:.1f} s, {most:.0f} MiB", flush=True)


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] in STEPS:
        run_step(*sys.argv[1:])
    else:
        main(*(float(size) for size in sys.argv[1:] or (1, 4, 16, 64)))

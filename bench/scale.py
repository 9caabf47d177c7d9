"""How indexing and counting grow: time and memory for 1, 4, 16 and 64 million tokens, and what that means for more.

Run with ``python bench/scale.py [MILLIONS …]``; needs the training data of SemEval-2010 Task 14 (environment variable
POLYSEME_DATA), about 20 million words, which are repeated to get there. Each step runs in a process of its own, whose
peak memory is measured with that of its workers.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

DATA = Path(os.environ.get("POLYSEME_DATA", "../shared/data"))
MILLION = 1_000_000


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
    from polyseme.corpus.simple import Simple

    build_index([source], folder, Simple(lemmatise=False))


def count(folder: str, memory: str) -> None:
    """The step of counting: the G² graph of all words that occur ten times, by sentence; perhaps in little memory."""
    from polyseme.corpus.association import G2, associated
    from polyseme.corpus.cooccurrence import cooccurrences
    from polyseme.corpus.index import Index
    from polyseme.corpus.selection import Selection

    if memory:
        resource.setrlimit(resource.RLIMIT_AS, (int(float(memory) * 2**30),) * 2)
    associated(G2(), cooccurrences(Index.open(folder), words=Selection(minimum=10), least=2), minimum=10.83)


STEPS = {"index": index, "count": count}


def measured(step: str, *arguments: str) -> tuple[float, float]:
    """Seconds and MiB of a step, in a process of its own."""
    start = time.perf_counter()
    done = subprocess.run([sys.executable, __file__, step, *arguments], check=True, capture_output=True, text=True)
    return time.perf_counter() - start, float(done.stdout.split()[-1])


def run_step(step: str, *arguments: str) -> None:
    """Do a step, and print the most memory that this process and its workers had, in MiB."""
    STEPS[step](*arguments)
    most = sum(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(most / 1024)


def main(*millions: int) -> None:
    """Print the table and the growth."""
    print(f"{'million tokens':>14}{'index s':>10}{'MiB':>8}{'count s':>10}{'MiB':>8}{'folder MiB':>12}", flush=True)
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for size in millions:
            corpus, folder = Path(scratch, "corpus.jsonl"), Path(scratch, f"index-{size}")
            write_corpus(corpus, size * MILLION)
            indexing = measured("index", str(corpus), str(folder))
            counting = measured("count", str(folder), "")
            tokens = json.loads((folder / "manifest.json").read_text())["tokens"] / MILLION
            disk = sum(path.stat().st_size for path in folder.rglob("*")) / 2**20
            rows.append((tokens, indexing[0], counting[0]))
            cells = (*indexing, *counting, disk)
            print(
                f"{tokens:14.1f}"
                + "".join(f"{cell:{width}.1f}" for cell, width in zip(cells, (10, 8, 10, 8, 12), strict=True)),
                flush=True,
            )
    if len(rows) > 1:
        tokens, *times = np.log(np.array(rows)).T
        for name, taken in zip(STEPS, times, strict=True):
            power, constant = np.polyfit(tokens, taken, 1)
            print(f"{name}: {np.exp(constant):.2f} s × (million tokens)^{power:.2f}")


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] in STEPS:
        run_step(*sys.argv[1:])
    else:
        main(*(int(size) for size in sys.argv[1:] or (1, 4, 16, 64)))

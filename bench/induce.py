"""Inducing the senses of the 50 lemmas of SemEval-2013 Task 13 from an index of 20 million words.

Run with ``python bench/induce.py INDEX [MODEL …]``; the index is one of the training text of SemEval-2010 Task 14, as
``polyseme run examples/task-13.toml`` makes it. How many words it has is printed, and said if they are fewer. Each
model is fitted in a process of its own. The exit code is 1 if Squares and UoY together take more than ten minutes.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

DATA = Path(os.environ.get("POLYSEME_DATA", "../shared/data"))
MODELS = ("Squares", "UoY", "Link", "UoS")
LIMITED, SECONDS = ("Squares", "UoY"), 600.0
WORDS = 20_000_000


def run(folder: str, model: str) -> None:
    """Fit one model, and print what that took."""
    from polyseme import load
    from polyseme.corpus.index import Index
    from polyseme.parts import build

    lemmas = sorted({usage.lemma for usage in load("semeval-2013-task-13", DATA).usages})
    start = time.perf_counter()
    fitted = build(model, "inducer").fit(Index.open(folder), lemmas)
    seconds = time.perf_counter() - start
    peak = sum(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1000
    print(json.dumps([seconds, peak, len(fitted.inventory), sum(map(len, fitted.inventory.values()))]))


def main(folder: str, *models: str) -> int:
    """Print times, memory and numbers of senses."""
    from polyseme.corpus.index import Index

    words = Index.open(folder).manifest["tokens"]
    fewer = f": fewer than the {WORDS:,} that the limit is for" if words < WORDS else ""
    print(f"{words:,} words in {folder}{fewer}")
    print(f"{'':30}{'seconds':>9}{'MB':>7}{'lemmas':>8}{'senses':>8}")
    taken: dict[str, float] = {}
    for model in models or MODELS:
        ran = subprocess.run(
            [sys.executable, __file__, "--run", folder, model], capture_output=True, text=True, check=False
        )
        if ran.returncode:
            raise RuntimeError(ran.stderr)
        seconds, peak, lemmas, senses = json.loads(ran.stdout)
        taken[model] = seconds
        print(f"{model:30}{seconds:9.1f}{peak:7.0f}{lemmas:8}{senses:8}", flush=True)
    return int(sum(taken.get(name, 0.0) for name in LIMITED) > SECONDS)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        run(*sys.argv[2:4])
    elif len(sys.argv) < 2:
        print("name an index: python bench/induce.py INDEX [MODEL …]", file=sys.stderr)
        sys.exit(2)
    else:
        sys.exit(main(*sys.argv[1:]))

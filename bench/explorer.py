"""How long the explorer takes for a word: the first time, and when it is kept in memory or on disk.

Run with ``python bench/explorer.py [INDEX] [WORD …]``. Without an index, that of the training paragraphs of
SemEval-2010 Task 14 is used, some 20 million words, as ``polyseme run examples/task-14.toml`` makes it; it is made
in the user's cache if it is not there, which takes long. The limits are 10 s for the first answer, and .3 s for
one that is kept. The first answer is counted from the request to the page with the senses, through all pages that
say that it is not ready; the server has been started some seconds before, as it is when somebody types a word.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from polyseme import home
from polyseme.corpus.index import Index
from polyseme.datasets import load
from polyseme.experiments.corpora import build_corpus_index
from polyseme.explorer.app import create_explorer_app
from polyseme.explorer.explorer import Explorer
from polyseme.explorer.lexicon import Lexicon
from polyseme.explorer.models import build_inducer
from polyseme.parts import short_specification

FIRST, KEPT = 10.0, 0.3
START = 10.0
"""Seconds that the server has to start."""
PAGES = ("/word", "/time", "/edit", "/export", "/usages.jsonl")
"""What is asked for once a word is known."""


def training_index() -> Index:
    """The index of the training paragraphs."""
    return build_corpus_index(["semeval-2010-task-14:training"], "english", home.user_cache_folder() / "bench", load)


def frequent(index: Index, count: int = 3) -> list[str]:
    """The most frequent words that somebody may want to look at."""
    return [each.word for each in Lexicon(index).to_try[:count]]


def ready(client: Any, path: str, word: str) -> float:
    """Seconds until a page is there, asked for as a browser would."""
    start = time.perf_counter()
    while (answer := client.get(path, params={"word": word})).status_code == 202:
        time.sleep(1)  # what the header says
    assert answer.status_code == 200, answer.text
    return time.perf_counter() - start


def measured(index: Index, words: list[str], folder: Path) -> bool:
    """Print the model that is taken if none is named, and the seconds of each word; whether all are within limits."""
    explorer = Explorer(index, folder)
    client = TestClient(create_explorer_app(explorer), base_url="http://localhost")
    client.get("/")
    time.sleep(START)
    firsts, kept = [], []
    print(short_specification(build_inducer(explorer.named(""))))
    print(f"{'word':16} {'usages':>8} {'first':>7} {'memory':>7} {'disk':>7}   others: {' '.join(PAGES[1:])}")
    for word in words:
        firsts.append(ready(client, "/word", word))
        again = statistics.median(ready(client, "/word", word) for _ in range(5))
        fresh = Explorer(index, folder)  # which has nothing in memory but the words
        other = TestClient(create_explorer_app(fresh), base_url="http://localhost")
        other.get("/")
        from_disk = ready(other, "/word", word)
        fresh.end()
        ready(client, "/time", word)
        rest = [ready(client, page, word) for page in PAGES[1:]]
        kept += [again, from_disk]
        known, times = explorer.lexicon.counted(word), " ".join(f"{each:.3f}" for each in rest)
        print(f"{word:16} {known.count:8,} {firsts[-1]:7.2f} {again:7.3f} {from_disk:7.3f}   {times}")
    explorer.end()
    print(f"limits: {FIRST:.0f} s the first time, {KEPT} s when it is kept")
    return max(firsts) < FIRST and max(kept) < KEPT


def main(arguments: list[str]) -> int:
    """Measure; 1 if something is over its limit."""
    index = Index.open(arguments[0]) if arguments else training_index()
    print(f"{index.folder.name}: {len(index):,} tokens in {index.manifest['documents']:,} documents")
    with tempfile.TemporaryDirectory() as folder:
        return not measured(index, arguments[1:] or frequent(index), Path(folder))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

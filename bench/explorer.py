"""The response times of the explorer: for a new word, and for words in memory and on disk.

Run with ``python bench/explorer.py [INDEX] [WORD …]``. The default index is that of the training paragraphs of
SemEval-2010 Task 14, some 20 million words, as ``polyseme run examples/task-14.toml`` builds it. It is built in the
user's cache if necessary, which takes long. The limits are 10 s for a new word and .3 s for a cached one. The time of a
new word runs from the request to the page with the senses, through all pages that reload themselves; the server starts
some seconds before, as it does for a user.
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

NEW_LIMIT, CACHED_LIMIT = 10.0, 0.3
START = 10.0
"""The seconds that the server has to start."""
PAGES = ("/word", "/time", "/edit", "/export", "/usages.jsonl")
"""The pages of a cached word."""


def training_index() -> Index:
    """The index of the training paragraphs."""
    return build_corpus_index(["semeval-2010-task-14:training"], "english", home.user_cache_folder() / "bench", load)


def frequent_words(index: Index, count: int = 3) -> list[str]:
    """The most frequent content words."""
    return [word.lemma for word in Lexicon(index).frequent_words[:count]]


def time_page(client: Any, path: str, word: str) -> float:
    """The seconds until a page is ready for a browser."""
    start = time.perf_counter()
    while (response := client.get(path, params={"word": word})).status_code == 202:
        time.sleep(1)  # as the Refresh header says
    assert response.status_code == 200, response.text
    return time.perf_counter() - start


def time_words(index: Index, words: list[str], folder: Path) -> bool:
    """Print the default model and the seconds of each word; whether all are within the limits."""
    explorer = Explorer(index, folder)
    client = TestClient(create_explorer_app(explorer), base_url="http://localhost")
    client.get("/")
    time.sleep(START)
    new, cached = [], []
    print(short_specification(build_inducer(explorer.model_or_default(""))))
    print(f"{'word':16} {'usages':>8} {'first':>7} {'memory':>7} {'disk':>7}   others: {' '.join(PAGES[1:])}")
    for word in words:
        new.append(time_page(client, "/word", word))
        in_memory = statistics.median(time_page(client, "/word", word) for _ in range(5))
        fresh = Explorer(index, folder)  # only the vocabulary is in memory
        fresh_client = TestClient(create_explorer_app(fresh), base_url="http://localhost")
        fresh_client.get("/")
        on_disk = time_page(fresh_client, "/word", word)
        fresh.stop()
        time_page(client, "/time", word)
        others = " ".join(f"{time_page(client, page, word):.3f}" for page in PAGES[1:])
        cached += [in_memory, on_disk]
        count = explorer.lexicon.get(word).count
        print(f"{word:16} {count:8,} {new[-1]:7.2f} {in_memory:7.3f} {on_disk:7.3f}   {others}")
    explorer.stop()
    print(f"limits: {NEW_LIMIT:.0f} s for a new word, {CACHED_LIMIT} s for a cached one")
    return max(new) < NEW_LIMIT and max(cached) < CACHED_LIMIT


def main(arguments: list[str]) -> int:
    """Measure; 1 if a limit is exceeded."""
    index = Index.open(arguments[0]) if arguments else training_index()
    print(f"{index.folder.name}: {len(index):,} tokens in {index.manifest['documents']:,} documents")
    with tempfile.TemporaryDirectory() as folder:
        return not time_words(index, arguments[1:] or frequent_words(index), Path(folder))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

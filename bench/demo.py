"""The seconds that each step of ``polyseme demo`` takes, from nothing to the page.

Run with ``python bench/demo.py [LEMMA …]``; it needs ``pip install 'polyseme[demo,plots,small]'``, and WordNet 3.1 if
the page is to have it; without our language model it takes another one, and says so. The exit code is 1 if the whole
takes more than three minutes, or the page is larger than 5 MB.
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
from polyseme.reports.demo import TITLE, WORDS, build_speech_index, write_introduction
from polyseme.reports.words_page import words_page
from polyseme.words.word_reports import add_dictionary, make_word_reports

SECONDS, BYTES = 180.0, 5_000_000
Made = TypeVar("Made")


def timed(what: str, work: Callable[[], Made], taken: list[float]) -> Made:
    """Do it, and print how long it took."""
    start = time.perf_counter()
    made = work()
    taken.append(time.perf_counter() - start)
    print(f"{what:32}{taken[-1]:8.1f} s", flush=True)
    return made


def main(*lemmas: str) -> int:
    """Print the steps, and what finds the senses."""
    taken: list[float] = []
    words = lemmas or WORDS
    with tempfile.TemporaryDirectory() as folder:
        index = timed("index", lambda: build_speech_index(Path(folder)), taken)
        inducer = build(default_inducer(index), "inducer")
        print(short_specification(inducer))
        most = default_usage_limit(inducer)
        found = timed(
            "senses, labels, maps", lambda: make_word_reports(index, words, inducer, most=most, wordnet=""), taken
        )
        found = timed("WordNet", lambda: add_dictionary(found), taken)
        page = timed("page", lambda: words_page(TITLE, write_introduction(index, found, inducer), found), taken)
    size = len(page.encode())
    print(f"{'all':32}{sum(taken):8.1f} s  (limit {SECONDS:.0f})")
    print(f"{'size of the page':32}{size / 1e6:8.1f} MB (limit {BYTES / 1e6:.0f})")
    return int(sum(taken) > SECONDS or size > BYTES)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

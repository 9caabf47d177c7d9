"""Optional, after stage 2: pairs of a word in an example of a sense and the same word before its definition.

Run with ``python -m training.pairs SHARDS``, where WordNet 3.1 is installed. The two usages of a pair have one sense,
those of other pairs of the word have others. ``training.train --pairs pairs.npz --contrast 0.2`` learns vectors that
are similar within pairs and different between them. (After Blevins & Zettlemoyer 2020, without tagged text.)

With ``--several`` there are all senses of the words that have several, and no other words; a sense without an example
then has its definition before the word instead. Definitions and examples that share 13 words in a row with a test
context are left out, as in ``training.dictionary``.

The folder then has ``pairs.npz``:

- ``pieces``: pairs × 2 × places, with ``[PAD]`` at the end of what is shorter;
- ``spans``: pairs × 2 × 2, the first piece of the word and the one after its last;
- ``senses``, ``words``: numbers that say which pairs are of one sense, and of one word.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from training.cleaning import read_held_out_contexts
from training.dictionary import Entry, find_usage, list_originals, read_entries
from training.overlap import HeldOutContexts, RemovalCounts, drop_overlapping
from training.shards import SPECIAL, load_tokeniser

from polyseme import wordnet
from polyseme.lm.language_model import trim_to_window
from polyseme.usage import Usage

PLACES = 64
"""The most pieces of a usage, with the marks at both ends; longer ones are trimmed around the word."""


class SensePair(NamedTuple):
    """Two usages of a word in one sense, and the number of the sense."""

    example: Usage
    definition: Usage
    sense: int


def put_before_definition(usage: Usage, definition: str) -> Usage:
    """Put the word of a usage before a definition.

    >>> put_before_definition(Usage("", "bank.n", "Two banks.", 4, 9), "sloping land").text
    'bank: sloping land'
    """
    word = usage.lemma.rpartition(".")[0]
    return Usage("", usage.lemma, f"{word}: {definition}", 0, len(word))


def put_after_definition(usage: Usage, definition: str) -> Usage:
    """Put the word of a usage after a definition.

    >>> put_after_definition(Usage("", "bank.n", "Two banks.", 4, 9), "sloping land").text
    'sloping land, that is, bank'
    """
    word = usage.lemma.rpartition(".")[0]
    text = f"{definition}, that is, {word}"
    return Usage("", usage.lemma, text, len(text) - len(word), len(text))


def pair_examples(entries: Sequence[Entry], allowed: frozenset[str]) -> Iterator[SensePair]:
    """Pair every example of an entry with the word before the entry's definition."""
    for number, entry in enumerate(entries):
        for example in filter(allowed.__contains__, entry.examples if entry.definition in allowed else ()):
            if usage := find_usage(example, entry):
                yield SensePair(usage, put_before_definition(usage, entry.definition), number)


def pair_senses(entries: Sequence[Entry], allowed: frozenset[str]) -> Iterator[SensePair]:
    """Pair the examples of all senses of polysemous words; without an example, the word after the definition."""
    senses = Counter((word, entry.pos) for entry in entries for word in entry.words)
    for number, entry in enumerate(entries):
        words = entry.words if entry.definition in allowed else ()
        for word in (word for word in words if senses[word, entry.pos] > 1):
            first = put_before_definition(Usage("", f"{word}.{entry.pos}", word, 0, len(word)), entry.definition)
            matches = (find_usage(text, entry._replace(words=(word,))) for text in entry.examples if text in allowed)
            for usage in [match for match in matches if match] or [put_after_definition(first, entry.definition)]:
                yield SensePair(usage, first, number)


def encode_usage(usage: Usage, tokeniser: Any, places: int = PLACES) -> tuple[list[int], tuple[int, int]]:
    """Encode a usage: its pieces, with the marks at both ends, and the span of its word."""
    left, middle, right = (
        tokeniser.encode(text, add_special_tokens=False).ids for text in (usage.left, usage.target, usage.right)
    )
    left, middle, right = trim_to_window(left, middle, right, places - 2)
    start = 1 + len(left)
    marks = SPECIAL.index("[CLS]"), SPECIAL.index("[SEP]")
    return [marks[0], *left, *middle, *right, marks[1]], (start, start + len(middle))


def build_arrays(pairs: list[SensePair], tokeniser: Any) -> dict[str, NDArray[Any]]:
    """Build the arrays of pairs."""
    pieces = np.full((len(pairs), 2, PLACES), SPECIAL.index("[PAD]"), np.uint16)
    spans = np.zeros((len(pairs), 2, 2), np.uint8)
    words: dict[str, int] = {}
    for row, pair in enumerate(pairs):
        for side, usage in enumerate((pair.example, pair.definition)):
            numbers, spans[row, side] = encode_usage(usage, tokeniser)
            pieces[row, side, : len(numbers)] = numbers
    names = [words.setdefault(pair.example.lemma, len(words)) for pair in pairs]
    senses = [pair.sense for pair in pairs]
    return {"pieces": pieces, "spans": spans, "senses": np.array(senses, np.int32), "words": np.array(names, np.int32)}


def write_pairs(
    folder: Path, lexicon: wordnet.WordNet, contexts: HeldOutContexts, several: bool = False
) -> dict[str, int]:
    """Write the pairs; returns counts."""
    vocabulary = frozenset((folder / "vocab.txt").read_text("utf-8").splitlines())
    entries = list(read_entries(lexicon, vocabulary))
    allowed = frozenset(drop_overlapping(contexts.check_documents(list_originals(entries)), RemovalCounts()))
    pair = pair_senses if several else pair_examples
    arrays = build_arrays(list(pair(entries, allowed)), load_tokeniser(folder / "tokenizer.json"))
    np.savez_compressed(folder / "pairs.npz", **arrays)  # type: ignore[arg-type]
    counts = {name: len(np.unique(arrays[name])) for name in ("senses", "words")}
    return {"pairs": len(arrays["senses"]), **counts}


def main() -> None:
    """Write the pairs and print counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shards", type=Path, help="the folder that training.shards wrote")
    parser.add_argument("--several", action="store_true", help="all senses of words that have several")
    options = parser.parse_args()
    print(write_pairs(options.shards, wordnet.load("3.1"), read_held_out_contexts(), options.several))


if __name__ == "__main__":
    main()

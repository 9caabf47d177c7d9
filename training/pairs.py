"""After stage 2, if it is wanted: a word in an example of a sense and the same word before its definition, as pairs.

Run with ``python -m training.pairs SHARDS``, where WordNet 3.1 is installed. The two usages of a pair have one sense,
those of other pairs of the word have others: ``training.train --pairs pairs.npz --contrast 0.2`` draws the model's
vectors of the first together and those of the second apart. (After Blevins & Zettlemoyer 2020, without tagged text.)

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
from training.clean import test_contexts
from training.dictionary import Entry, entries, originals, usage_in
from training.shards import SPECIAL, tokeniser

from polyseme import wordnet
from polyseme.corpus.overlap import HeldOutContexts, RemovalCounts, drop_overlapping
from polyseme.lm.language_model import trim_to_window
from polyseme.usage import Usage

PLACES = 64
"""How many pieces a usage has at most, with the marks at both ends; others are cut around the word."""


class Pair(NamedTuple):
    """Two usages of a word in one sense, and which sense that is."""

    example: Usage
    defined: Usage
    sense: int


def defined(usage: Usage, definition: str) -> Usage:
    """The word of a usage before a definition.

    >>> defined(Usage("", "bank.n", "Two banks.", 4, 9), "sloping land").text
    'bank: sloping land'
    """
    word = usage.lemma.rpartition(".")[0]
    return Usage("", usage.lemma, f"{word}: {definition}", 0, len(word))


def after(usage: Usage, definition: str) -> Usage:
    """The same word after it.

    >>> after(Usage("", "bank.n", "Two banks.", 4, 9), "sloping land").text
    'sloping land, that is, bank'
    """
    word = usage.lemma.rpartition(".")[0]
    text = f"{definition}, that is, {word}"
    return Usage("", usage.lemma, text, len(text) - len(word), len(text))


def with_examples(found: Sequence[Entry], allowed: frozenset[str]) -> Iterator[Pair]:
    """Each example in which a word of its entry is found, with the word before the entry's definition."""
    for number, entry in enumerate(found):
        for example in filter(allowed.__contains__, entry.examples if entry.definition in allowed else ()):
            if usage := usage_in(example, entry):
                yield Pair(usage, defined(usage, entry.definition), number)


def of_several(found: Sequence[Entry], allowed: frozenset[str]) -> Iterator[Pair]:
    """All senses of the words that have several: their examples, or, without one, the word after the definition."""
    senses = Counter((word, entry.pos) for entry in found for word in entry.words)
    for number, entry in enumerate(found):
        words = entry.words if entry.definition in allowed else ()
        for word in (word for word in words if senses[word, entry.pos] > 1):
            first = defined(Usage("", f"{word}.{entry.pos}", word, 0, len(word)), entry.definition)
            tried = (usage_in(text, entry._replace(words=(word,))) for text in entry.examples if text in allowed)
            for usage in [each for each in tried if each] or [after(first, entry.definition)]:
                yield Pair(usage, first, number)


def pieces_of(usage: Usage, tokeniser_: Any, places: int = PLACES) -> tuple[list[int], tuple[int, int]]:
    """The pieces of a usage, with the marks at both ends, and where its word is among them."""
    left, middle, right = (
        tokeniser_.encode(text, add_special_tokens=False).ids for text in (usage.left, usage.target, usage.right)
    )
    left, middle, right = trim_to_window(left, middle, right, places - 2)
    start = 1 + len(left)
    marks = SPECIAL.index("[CLS]"), SPECIAL.index("[SEP]")
    return [marks[0], *left, *middle, *right, marks[1]], (start, start + len(middle))


def arrays(found: list[Pair], tokeniser_: Any) -> dict[str, NDArray[Any]]:
    """Pairs as arrays."""
    pieces = np.full((len(found), 2, PLACES), SPECIAL.index("[PAD]"), np.uint16)
    spans = np.zeros((len(found), 2, 2), np.uint8)
    words: dict[str, int] = {}
    for row, pair in enumerate(found):
        for side, usage in enumerate((pair.example, pair.defined)):
            some, spans[row, side] = pieces_of(usage, tokeniser_)
            pieces[row, side, : len(some)] = some
    names = [words.setdefault(pair.example.lemma, len(words)) for pair in found]
    senses = [pair.sense for pair in found]
    return {"pieces": pieces, "spans": spans, "senses": np.array(senses, np.int32), "words": np.array(names, np.int32)}


def write(folder: Path, lexicon: wordnet.WordNet, contexts: HeldOutContexts, several: bool = False) -> dict[str, int]:
    """Write the pairs; how many there are."""
    known = frozenset((folder / "vocab.txt").read_text("utf-8").splitlines())
    every = list(entries(lexicon, known))
    allowed = frozenset(drop_overlapping(contexts.check_documents(originals(every)), RemovalCounts()))
    pairs = of_several if several else with_examples
    made = arrays(list(pairs(every, allowed)), tokeniser(folder / "tokenizer.json"))
    np.savez_compressed(folder / "pairs.npz", **made)  # type: ignore[arg-type]
    counts = {name: len(np.unique(made[name])) for name in ("senses", "words")}
    return {"pairs": len(made["senses"]), **counts}


def main() -> None:
    """Write the pairs and say how many there are."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shards", type=Path, help="the folder that training.shards wrote")
    parser.add_argument("--several", action="store_true", help="all senses of words that have several")
    options = parser.parse_args()
    print(write(options.shards, wordnet.load("3.1"), test_contexts(), options.several))


if __name__ == "__main__":
    main()

"""After stage 2, if it is wanted: a dictionary as text, in the patterns by which a model is asked for substitutes.

Run with ``python -m training.dictionary SHARDS``, where WordNet 3.1 is installed. Each line is a document of its own:

- a word with its definition, ``bank: sloping land …``, and again with a synonym, ``bank (or even …): …``;
- an example as it is, with a synonym in its word's place, and with a synonym or a more general word beside it, as in
  ``T and _``: in all the patterns of :data:`polyseme.induction.substitution.ALL_PATTERNS`. These other words are such as a
  model can answer with, that is, one piece each.

Definitions and examples that share 13 words in a row with a test context are left out. The folder then has
``dictionary.bin``, in the form of ``train.bin`` and in the same pieces, and ``dictionary.json``, which says what is in
it; ``training.train --dictionary dictionary.bin --mix 0.1`` mixes it in.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain, cycle
from pathlib import Path
from typing import Any, NamedTuple

from training.clean import on_one_line, test_contexts
from training.shards import SPECIAL, Spelling, Words, joined, shuffled, tokeniser

from polyseme import wordnet
from polyseme.corpus.overlap import HeldOutContexts, RemovalCounts, drop_overlapping
from polyseme.induction.substitution import ALL_PATTERNS
from polyseme.lm.patterns import MASK_MARK, apply_pattern
from polyseme.morphology import possible_forms
from polyseme.usage import Usage

BESIDE = tuple(pattern for pattern in ALL_PATTERNS if MASK_MARK in pattern and pattern != MASK_MARK)
"""The patterns that ask for a word beside the target."""

MORE_GENERAL = ("hypernym", "similar to")
"""The relations that lead to words which may stand beside a word."""

MOST = 3
"""Words that stand beside another one in an example, at most: one for each pattern."""


class Entry(NamedTuple):
    """What a dictionary says of one sense, with known words that may stand for its words, or beside them."""

    words: tuple[str, ...]
    pos: str
    definition: str
    examples: tuple[str, ...]
    synonyms: tuple[str, ...]
    general: tuple[str, ...]


def entries(lexicon: wordnet.WordNet, known: frozenset[str]) -> Iterator[Entry]:
    """All synsets but those of names; known words are those that a model can answer with, being one piece."""
    for row in range(len(lexicon.columns.gloss)):
        synset = lexicon.synset(row)
        words = tuple(word for word in synset.words if word.islower())
        if not words:
            continue
        around = chain.from_iterable(each.words for each in lexicon.related(synset, MORE_GENERAL))
        pos = "a" if synset.pos == "s" else synset.pos
        texts = tuple(map(on_one_line, synset.examples))
        synonyms, general = (tuple(dict.fromkeys(filter(known.__contains__, some))) for some in (words, around))
        yield Entry(words, pos, on_one_line(synset.definition), texts, synonyms, general)


def usage_in(example: str, entry: Entry) -> Usage | None:
    """Where one of the entry's words, in any form, stands in an example."""
    for word in entry.words:
        some = "|".join(re.escape(form) for form in sorted(possible_forms(word, entry.pos), key=len, reverse=True))
        if found := re.search(rf"\b(?:{some})\b", example, re.IGNORECASE):
            return Usage("", f"{word}.{entry.pos}", example, *found.span())
    return None


def ending(form: str, lemma: str, pos: str) -> str:
    """A name for what a form has that its lemma has not.

    >>> [ending(form, "take", "v") for form in ("take", "takes", "took", "taking")]
    ['', 's', 'ed', 'ing']
    >>> ending("gave up", "give up", "v"), ending("geese", "goose", "n"), ending("best", "good", "a")
    ('ed', 's', 'est')
    """
    if pos == "v":
        form, lemma = form.split()[0], lemma.split()[0]
    if form == lemma:
        return ""
    if pos == "n":
        return "s"
    names = ("ing", "s") if pos == "v" else ("est",)
    other = "ed" if pos == "v" else "er"
    return next((name for name in names if form.endswith(name[-2:])), other)


def inflected(word: str, usage: Usage, known: frozenset[str]) -> str | None:
    """A word in the form that the target of a usage has; an adjective only if that form is known.

    >>> usage = Usage("", "swim.v", "They swam.", 5, 9)
    >>> inflected("float", usage, frozenset({"floated"})), inflected("run", usage, frozenset())
    ('floated', 'ran')
    >>> inflected("curious", Usage("", "odd.a", "The oddest.", 4, 10), frozenset())
    """
    lemma, _, pos = usage.lemma.rpartition(".")
    target = usage.target.lower()
    last = (target.split()[0] if pos == "v" else target)[-1]
    wanted = ending(target, lemma, pos)
    if not wanted:
        return word
    fits = [
        form
        for form in possible_forms(word, pos)
        if ending(form, word, pos) == wanted and (form in known or pos in "nv")
    ]
    return min(fits, key=lambda form: (form not in known, form[-1] != last, len(form), form), default=None)


def filled(pattern: str, usage: Usage, word: str) -> str:
    """A usage with a pattern in the place of its target, and a word where the pattern asks for one.

    >>> filled("T (or even _)", Usage("", "bank.n", "The bank lends.", 4, 8), "lender")
    'The bank (or even lender) lends.'
    """
    posed = apply_pattern(pattern, usage).usage
    return f"{posed.left}{word}{posed.right}"


def substituted(usage: Usage, entry: Entry, known: frozenset[str]) -> Iterator[str]:
    """An example with other words in the place of its word and beside it."""
    lemma = usage.lemma.rpartition(".")[0]
    own = possible_forms(lemma, entry.pos)
    some = ((word, inflected(word, usage, known)) for word in dict.fromkeys((*entry.synonyms, *entry.general)))
    fitting = {word: form for word, form in some if word != lemma and form and form not in own}
    if first := next((form for word, form in fitting.items() if word in entry.synonyms), None):
        yield filled(MASK_MARK, usage, first)
    if fitting:
        words = cycle(list(fitting.values())[:MOST])
        yield from (filled(pattern, usage, word) for pattern, word in zip(BESIDE, words, strict=False))


def lines(entry: Entry, allowed: frozenset[str], known: frozenset[str]) -> Iterator[str]:
    """All that is said of an entry, as far as its definition and its examples are allowed."""
    if entry.definition in allowed:
        yield f"{entry.words[0]}: {entry.definition}"
        if other := next((word for word in entry.synonyms if word != entry.words[0]), None):
            yield f"{entry.words[0]} (or even {other}): {entry.definition}"
    for example in filter(allowed.__contains__, entry.examples):
        yield example
        if usage := usage_in(example, entry):
            yield from substituted(usage, entry, known)


def originals(found: Iterable[Entry]) -> Iterator[str]:
    """The definitions and examples of entries, as they are."""
    return (text for entry in found for text in (entry.definition, *entry.examples) if text)


def write(folder: Path, lexicon: wordnet.WordNet, contexts: HeldOutContexts, seed: int) -> dict[str, Any]:
    """Write the pieces of the dictionary; what is in them."""
    vocabulary = (folder / "vocab.txt").read_text("utf-8").splitlines()
    known, removed = frozenset(vocabulary), RemovalCounts()
    found = list(entries(lexicon, known))
    allowed = frozenset(drop_overlapping(contexts.check_documents(originals(found)), removed))
    texts = dict.fromkeys(line for entry in found for line in lines(entry, allowed, known))
    words = Words.of(texts)
    spelling = Spelling.of(words.words, tokeniser(folder / "tokenizer.json"))
    pieces = joined(shuffled(words, 0.0, seed)[0], spelling, SPECIAL.index("[SEP]"))
    pieces.tofile(folder / "dictionary.bin")
    counts = {"documents": len(texts), "pieces": len(pieces) - len(texts)}
    return {"entries": len(found), **counts, "seed": seed, "texts": removed.as_json()}


def main() -> None:
    """Write the dictionary and say what is in it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shards", type=Path, help="the folder that training.shards wrote")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    report = write(options.shards, wordnet.load("3.1"), test_contexts(), options.seed)
    (options.shards / "dictionary.json").write_text(json.dumps(report, indent=2) + "\n")
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()

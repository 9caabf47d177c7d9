"""Optional, after stage 2: a dictionary as text, in the patterns of substitute queries.

Run with ``python -m training.dictionary SHARDS``, where WordNet 3.1 is installed. Each line is a document of its own:

- a word with its definition, ``bank: sloping land …``, and again with a synonym, ``bank (or even …): …``;
- an example as it is, with a synonym in its word's place, and with a synonym or a more general word beside it, as in
  ``T and _``: in all the patterns of :data:`polyseme.induction.substitution.ALL_PATTERNS`. These other words are
  single pieces, so that a model can predict them.

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

from training.cleaning import join_lines, read_held_out_contexts
from training.overlap import HeldOutContexts, RemovalCounts, drop_overlapping
from training.shards import SPECIAL, WordPieces, WordStream, join_pieces, load_tokeniser, shuffle_documents

from polyseme import wordnet
from polyseme.induction.substitution import ALL_PATTERNS
from polyseme.lm.patterns import MASK_MARK, apply_pattern
from polyseme.morphology import possible_forms
from polyseme.usage import Usage

COORDINATION_PATTERNS = tuple(pattern for pattern in ALL_PATTERNS if MASK_MARK in pattern and pattern != MASK_MARK)
"""The patterns that query a word beside the target."""

GENERAL_RELATIONS = ("hypernym", "similar to")
"""The relations from a word to more general ones."""

WORDS_PER_EXAMPLE = 3
"""The most words that are put beside the target of an example, one for each pattern."""


class Entry(NamedTuple):
    """The entry of a sense, with synonyms and more general words that are single pieces."""

    words: tuple[str, ...]
    pos: str
    definition: str
    examples: tuple[str, ...]
    synonyms: tuple[str, ...]
    general: tuple[str, ...]


def read_entries(lexicon: wordnet.WordNet, vocabulary: frozenset[str]) -> Iterator[Entry]:
    """Read all synsets but those of names; the vocabulary has the words that are single pieces."""
    for row in range(len(lexicon.columns.gloss)):
        synset = lexicon.synset(row)
        words = tuple(word for word in synset.words if word.islower())
        if not words:
            continue
        related = chain.from_iterable(other.words for other in lexicon.related(synset, GENERAL_RELATIONS))
        pos = "a" if synset.pos == "s" else synset.pos
        texts = tuple(map(join_lines, synset.examples))
        synonyms = tuple(dict.fromkeys(filter(vocabulary.__contains__, words)))
        general = tuple(dict.fromkeys(filter(vocabulary.__contains__, related)))
        yield Entry(words, pos, join_lines(synset.definition), texts, synonyms, general)


def find_usage(example: str, entry: Entry) -> Usage | None:
    """Find a word of the entry, in any form, in an example."""
    for word in entry.words:
        forms = "|".join(re.escape(form) for form in sorted(possible_forms(word, entry.pos), key=len, reverse=True))
        if match := re.search(rf"\b(?:{forms})\b", example, re.IGNORECASE):
            return Usage("", f"{word}.{entry.pos}", example, *match.span())
    return None


def find_ending(form: str, lemma: str, pos: str) -> str:
    """Name the inflection of a form.

    >>> [find_ending(form, "take", "v") for form in ("take", "takes", "took", "taking")]
    ['', 's', 'ed', 'ing']
    >>> find_ending("gave up", "give up", "v"), find_ending("geese", "goose", "n"), find_ending("best", "good", "a")
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


def inflect(word: str, usage: Usage, vocabulary: frozenset[str]) -> str | None:
    """Inflect a word like the target of a usage; an adjective only if the form is in the vocabulary.

    >>> usage = Usage("", "swim.v", "They swam.", 5, 9)
    >>> inflect("float", usage, frozenset({"floated"})), inflect("run", usage, frozenset())
    ('floated', 'ran')
    >>> inflect("curious", Usage("", "odd.a", "The oddest.", 4, 10), frozenset())
    """
    lemma, _, pos = usage.lemma.rpartition(".")
    target = usage.target.lower()
    last = (target.split()[0] if pos == "v" else target)[-1]
    ending = find_ending(target, lemma, pos)
    if not ending:
        return word
    fits = [
        form
        for form in possible_forms(word, pos)
        if find_ending(form, word, pos) == ending and (form in vocabulary or pos in "nv")
    ]
    return min(fits, key=lambda form: (form not in vocabulary, form[-1] != last, len(form), form), default=None)


def fill_pattern(pattern: str, usage: Usage, word: str) -> str:
    """Replace the target of a usage by a pattern, and the mask of the pattern by a word.

    >>> fill_pattern("T (or even _)", Usage("", "bank.n", "The bank lends.", 4, 8), "lender")
    'The bank (or even lender) lends.'
    """
    query = apply_pattern(pattern, usage).usage
    return f"{query.left}{word}{query.right}"


def substitute_synonyms(usage: Usage, entry: Entry, vocabulary: frozenset[str]) -> Iterator[str]:
    """Yield an example with a synonym as its target, and with words beside its target."""
    lemma = usage.lemma.rpartition(".")[0]
    own = possible_forms(lemma, entry.pos)
    forms = ((word, inflect(word, usage, vocabulary)) for word in dict.fromkeys((*entry.synonyms, *entry.general)))
    fitting = {word: form for word, form in forms if word != lemma and form and form not in own}
    if first := next((form for word, form in fitting.items() if word in entry.synonyms), None):
        yield fill_pattern(MASK_MARK, usage, first)
    if fitting:
        words = cycle(list(fitting.values())[:WORDS_PER_EXAMPLE])
        yield from (
            fill_pattern(pattern, usage, word) for pattern, word in zip(COORDINATION_PATTERNS, words, strict=False)
        )


def write_lines(entry: Entry, allowed: frozenset[str], vocabulary: frozenset[str]) -> Iterator[str]:
    """Yield the texts of an entry whose definition and examples are allowed."""
    if entry.definition in allowed:
        yield f"{entry.words[0]}: {entry.definition}"
        if other := next((word for word in entry.synonyms if word != entry.words[0]), None):
            yield f"{entry.words[0]} (or even {other}): {entry.definition}"
    for example in filter(allowed.__contains__, entry.examples):
        yield example
        if usage := find_usage(example, entry):
            yield from substitute_synonyms(usage, entry, vocabulary)


def list_originals(entries: Iterable[Entry]) -> Iterator[str]:
    """The definitions and examples of entries."""
    return (text for entry in entries for text in (entry.definition, *entry.examples) if text)


def write_dictionary(folder: Path, lexicon: wordnet.WordNet, contexts: HeldOutContexts, seed: int) -> dict[str, Any]:
    """Write the pieces of the dictionary; returns counts."""
    vocabulary, removed = frozenset((folder / "vocab.txt").read_text("utf-8").splitlines()), RemovalCounts()
    entries = list(read_entries(lexicon, vocabulary))
    allowed = frozenset(drop_overlapping(contexts.check_documents(list_originals(entries)), removed))
    texts = dict.fromkeys(line for entry in entries for line in write_lines(entry, allowed, vocabulary))
    words = WordStream.from_texts(texts)
    spelling = WordPieces.from_words(words.words, load_tokeniser(folder / "tokenizer.json"))
    pieces = join_pieces(shuffle_documents(words, 0.0, seed)[0], spelling, SPECIAL.index("[SEP]"))
    pieces.tofile(folder / "dictionary.bin")
    counts = {"documents": len(texts), "pieces": len(pieces) - len(texts)}
    return {"entries": len(entries), **counts, "seed": seed, "texts": removed.as_json()}


def main() -> None:
    """Write the dictionary and print counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shards", type=Path, help="the folder that training.shards wrote")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    report = write_dictionary(options.shards, wordnet.load("3.1"), read_held_out_contexts(), options.seed)
    (options.shards / "dictionary.json").write_text(json.dumps(report, indent=2) + "\n")
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()

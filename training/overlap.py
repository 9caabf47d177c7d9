"""Documents that share running words with test contexts, so that a model is not trained on them.

A document overlaps with a context if both have the same :data:`OVERLAP_WORDS` words in a row. Words must not depend on
the tokenisation of a text, so texts are compared in the form of :func:`normalise_text`. Runs of words are searched by
their hashes; where a hash matches, the words themselves are compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.arrays import Bools, Ints
from polyseme.errors import InputError

OVERLAP_WORDS = 13
"""The words in a row that make an overlap, as in Brown et al. (2020, Language Models are Few-Shot Learners)."""

BATCH_CHARACTERS = 1 << 22
"""The number of characters that are searched at a time."""

FILTER_BITS = 24
"""The bits of a hash that rule out most grams which are in no context."""

HashArray = NDArray[np.uint64]

_SPLIT_CLITIC = re.compile(r"\s+(?=(?:n't|'(?:s|re|ve|ll|d|m))\b)")
_NON_WORD = re.compile(r"[\W_]+")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "`": "'"})

_ODD = np.uint64(0x9E3779B97F4A7C15)
_FACTOR = np.uint64(0xD6E8FEB86659FD93)
_LETTER_HASHES = np.random.default_rng(13).integers(1 << 63, size=256, dtype=np.uint64)
_POWERS = np.cumprod(np.full(256, _ODD), dtype=np.uint64)


def normalise_text(text: str) -> str:
    """Reduce a text to its words in lower case, with a space between them.

    A word is a run of letters and digits; all other characters separate words. Apostrophes are dropped, and the endings
    that a tokeniser splits off with them are rejoined, so that *don't* and *do n't* are the same word.

    >>> normalise_text("They did n't e-mail Jones 's U.S. office — “never” .")
    'they didnt e mail joness u s office never'
    """
    text = text.lower().translate(_QUOTES)
    if "'" in text:
        text = _SPLIT_CLITIC.sub("", text).replace("'", "")
    return _NON_WORD.sub(" ", text).strip()


class _Grams(NamedTuple):
    """The grams of texts: the hash of each, the number of its text, and its position in ``data``."""

    data: bytes
    numbers: HashArray
    text: Ints
    starts: Ints
    ends: Ints
    words: Ints
    """The number of words of each text."""

    def spell(self, gram: int) -> bytes:
        """The words of a gram."""
        return self.data[self.starts[gram] : self.ends[gram]]


def _extract_grams(texts: Iterable[str], size: int) -> _Grams:
    """All runs of this many words; none extends from one text into the next."""
    lines = [normalise_text(text).encode() for text in texts]
    data = b"\n".join([*lines, b""])
    inside = np.frombuffer(data, np.uint8) > ord(" ")
    edges = np.flatnonzero(np.diff(inside, prepend=False, append=False))
    starts, ends = edges[::2], edges[1::2]
    limits = np.searchsorted(starts, np.cumsum([0, *(len(line) + 1 for line in lines)]))
    words = np.diff(limits)
    text = np.repeat(np.arange(len(lines)), words)
    count = max(len(starts) - size + 1, 0)
    whole = np.flatnonzero(text[:count] == text[size - 1 :][:count])
    numbers = _hash_grams(_hash_words(data, starts), size)[whole]
    return _Grams(data, numbers, text[whole], starts[whole], ends[whole + size - 1], words)


def _hash_words(data: bytes, starts: Ints) -> HashArray:
    """The hash of each word: Σ letter · powerⁱ, modulo 2⁶⁴, with a random number for each letter."""
    if not len(starts):
        return np.zeros(0, np.uint64)
    letters = np.frombuffer(data, np.uint8)
    first = np.concatenate([[0], starts])
    at = np.arange(len(data)) - np.repeat(first, np.diff(first, append=len(data)))
    values = _LETTER_HASHES[letters] * _POWERS[at & 255]
    values[letters <= ord(" ")] = 0
    return np.add.reduceat(values, starts)


def _hash_grams(numbers: HashArray, size: int) -> HashArray:
    """The hash of each run of this many words."""
    count = max(len(numbers) - size + 1, 0)
    hashes = np.zeros(count, np.uint64)
    for offset in range(size):
        hashes = hashes * _FACTOR + numbers[offset : offset + count]
    return hashes


class CheckedDocument(NamedTuple):
    """A document, its number of words, and the contexts that it overlaps with, each as (test set, number)."""

    text: str
    words: int
    contexts: frozenset[tuple[str, int]] = frozenset()

    @property
    def tests(self) -> frozenset[str]:
        """The test sets that it overlaps with."""
        return frozenset(test for test, _ in self.contexts)


class HeldOutContexts:
    """The contexts of test sets, prepared for the comparison with documents.

    Args:
        texts: The contexts of each test set, by its name.
        size: The number of words in a row that make an overlap.

    >>> contexts = HeldOutContexts({"trial": ["A word is known by the company it keeps."]}, size=5)
    >>> documents = ["Known by the company it kept", "known by the company, it…"]
    >>> [list(document.contexts) for document in contexts.check_documents(documents)]
    [[('trial', 0)], [('trial', 0)]]
    >>> [document.contexts for document in contexts.check_documents(["One knows a word by the company it is in."])]
    [frozenset()]
    """

    def __init__(self, texts: Mapping[str, Iterable[str]], size: int = OVERLAP_WORDS) -> None:
        if size < 1:
            raise InputError(f"{size} words in a row make no overlap; give 1 or more")
        contexts = {name: list(group) for name, group in texts.items()}
        self.size = size
        self._names = [(name, number) for name, group in contexts.items() for number in range(len(group))]
        self._grams = _extract_grams(chain.from_iterable(contexts.values()), size)
        self._order = np.argsort(self._grams.numbers, kind="stable")
        self._numbers = self._grams.numbers[self._order]
        self._filter = np.zeros(1 << FILTER_BITS, np.bool_)
        self._filter[self._coarse(self._numbers)] = True
        self.counts = {name: len(group) for name, group in contexts.items()}
        """The number of contexts of each test set."""
        self.too_short = self._too_short()
        """How many of them have fewer words than an overlap, and so cannot be recognised."""

    def check_documents(self, documents: Iterable[str]) -> Iterator[CheckedDocument]:
        """Yield each document, in order, with the contexts that it overlaps with; a few are in memory at a time."""
        for batch in _batch_documents(documents):
            grams = _extract_grams(batch, self.size)
            shared: dict[int, set[tuple[str, int]]] = {}
            for gram in np.flatnonzero(self._may_contain(grams.numbers)):
                if contexts := self._find_contexts(grams, int(gram)):
                    shared.setdefault(int(grams.text[gram]), set()).update(contexts)
            for number, (text, words) in enumerate(zip(batch, grams.words, strict=True)):
                yield CheckedDocument(text, int(words), frozenset(shared.get(number, ())))

    def _may_contain(self, numbers: HashArray) -> Bools:
        """Whether a context has a gram of the same hash."""
        matches: Bools = self._filter[self._coarse(numbers)]
        if not matches.any():
            return matches
        candidates = numbers[matches]
        positions = np.searchsorted(self._numbers, candidates)
        matches[matches] = self._numbers[np.minimum(positions, len(self._numbers) - 1)] == candidates
        return matches

    def _find_contexts(self, grams: _Grams, gram: int) -> set[tuple[str, int]]:
        """The contexts that have a gram, word for word."""
        number, words = grams.numbers[gram], grams.spell(gram)
        first, last = (int(np.searchsorted(self._numbers, number, side)) for side in ("left", "right"))
        entries = (int(entry) for entry in self._order[first:last])
        return {self._names[self._grams.text[entry]] for entry in entries if self._grams.spell(entry) == words}

    def _too_short(self) -> dict[str, int]:
        short = (name for (name, _), words in zip(self._names, self._grams.words, strict=True) if words < self.size)
        return _count_names(short, self.counts)

    @staticmethod
    def _coarse(numbers: HashArray) -> HashArray:
        """The top bits of a hash, which depend on all others."""
        return numbers >> np.uint64(64 - FILTER_BITS)


def _batch_documents(documents: Iterable[str]) -> Iterator[list[str]]:
    """Group documents until they have enough characters."""
    batch: list[str] = []
    characters = 0
    for document in documents:
        batch.append(document)
        characters += len(document)
        if characters >= BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _count_names(names: Iterable[str], all_names: Iterable[str]) -> dict[str, int]:
    counts = dict.fromkeys(all_names, 0)
    for name in names:
        counts[name] += 1
    return counts


@dataclass
class RemovalCounts:
    """How much text was left out, and because of which test sets; a document may count for several of them.

    >>> removed = RemovalCounts()
    >>> removed.add(CheckedDocument("a b", 2))
    >>> removed.add(CheckedDocument("c d e", 3, frozenset({("trial", 0)})))
    >>> removed.documents, removed.words, removed.removed_words, removed.by_test
    (2, 5, 3, {'trial': OverlapRemovals(documents=1, words=3, contexts=1)})
    """

    documents: int = 0
    words: int = 0
    removed_documents: int = 0
    removed_words: int = 0
    _tests: dict[str, list[int]] = field(default_factory=dict)
    _contexts: set[tuple[str, int]] = field(default_factory=set)

    def add(self, document: CheckedDocument) -> None:
        """Count a document, which is left out if it overlaps with a context."""
        self.documents += 1
        self.words += document.words
        if document.contexts:
            self.removed_documents += 1
            self.removed_words += document.words
            self._contexts |= document.contexts
        for test in document.tests:
            counts = self._tests.setdefault(test, [0, 0])
            counts[0] += 1
            counts[1] += document.words

    @property
    def by_test(self) -> dict[str, OverlapRemovals]:
        """The removals because of each test set."""
        contexts = _count_names((test for test, _ in self._contexts), self._tests)
        counts = sorted(self._tests.items())
        return {test: OverlapRemovals(documents, words, contexts[test]) for test, (documents, words) in counts}

    def as_json(self) -> dict[str, Any]:
        """The figures as a JSON object."""
        own = {name: getattr(self, name) for name in ("documents", "words", "removed_documents", "removed_words")}
        return {**own, "by_test": {test: count._asdict() for test, count in self.by_test.items()}}


class OverlapRemovals(NamedTuple):
    """The documents and words that were left out because of a test set, and how many of its contexts they had."""

    documents: int
    words: int
    contexts: int


def drop_overlapping(documents: Iterable[CheckedDocument], *counters: RemovalCounts) -> Iterator[str]:
    """Yield the documents that overlap with no context; each counter counts all documents."""
    for document in documents:
        for counter in counters:
            counter.add(document)
        if not document.contexts:
            yield document.text

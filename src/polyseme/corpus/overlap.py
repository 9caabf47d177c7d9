"""Documents that share running words with test contexts, so that they can be left out of what a model is trained on.

A document overlaps with a context where both have the same :data:`SIZE` words in a row. What a word is must not depend
on how a text was tokenised, so texts are compared in the form that :func:`plain` gives them. Where grams are looked
for, they are numbers; where one is found, the words themselves are compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.arrays import Bools, Ints
from polyseme.errors import InputError

OVERLAP_WORDS = 13
"""Words in a row that make an overlap, as usual since Brown et al. (2020, Language Models are Few-Shot Learners)."""

BATCH_CHARACTERS = 1 << 22
"""Documents are looked through so many characters at a time."""

FILTER_BITS = 24
"""Bits of a gram's number that tell most grams which are in no context."""

HashArray = NDArray[np.uint64]

_SPLIT_CLITIC = re.compile(r"\s+(?=(?:n't|'(?:s|re|ve|ll|d|m))\b)")
_NON_WORD = re.compile(r"[\W_]+")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "`": "'"})

_ODD = np.uint64(0x9E3779B97F4A7C15)
_FACTOR = np.uint64(0xD6E8FEB86659FD93)
_LETTER_HASHES = np.random.default_rng(13).integers(1 << 63, size=256, dtype=np.uint64)
_POWERS = np.cumprod(np.full(256, _ODD), dtype=np.uint64)


def normalise_text(text: str) -> str:
    """The words of a text in lower case, with a space between them and nothing else.

    A word is a run of letters and digits. What stands between words is dropped, and hyphens, full stops and commas
    stand between words everywhere. Apostrophes are dropped, and endings that a tokeniser has cut off with them are put
    back, so that *don't* and *do n't* are the same word.

    >>> normalise_text("They did n't e-mail Jones 's U.S. office — “never” .")
    'they didnt e mail joness u s office never'
    """
    text = text.lower().translate(_QUOTES)
    if "'" in text:
        text = _SPLIT_CLITIC.sub("", text).replace("'", "")
    return _NON_WORD.sub(" ", text).strip()


class _Grams(NamedTuple):
    """The grams of some texts: a number for each, which text it is of, and where it stands in ``data``."""

    data: bytes
    numbers: HashArray
    text: Ints
    starts: Ints
    ends: Ints
    words: Ints
    """How many words each text has."""

    def spelt(self, gram: int) -> bytes:
        """The words of a gram."""
        return self.data[self.starts[gram] : self.ends[gram]]


def _extract_grams(texts: Iterable[str], size: int) -> _Grams:
    """All runs of so many words; none of them goes from one text into the next."""
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
    """A number for each word: Σ letter · powerⁱ, modulo 2⁶⁴, with a random number for each letter."""
    if not len(starts):
        return np.zeros(0, np.uint64)
    letters = np.frombuffer(data, np.uint8)
    first = np.concatenate([[0], starts])
    at = np.arange(len(data)) - np.repeat(first, np.diff(first, append=len(data)))
    values = _LETTER_HASHES[letters] * _POWERS[at & 255]
    values[letters <= ord(" ")] = 0
    return np.add.reduceat(values, starts)


def _hash_grams(numbers: HashArray, size: int) -> HashArray:
    """A number for each run of so many words."""
    count = max(len(numbers) - size + 1, 0)
    rolled = np.zeros(count, np.uint64)
    for place in range(size):
        rolled = rolled * _FACTOR + numbers[place : place + count]
    return rolled


class CheckedDocument(NamedTuple):
    """A document, how many words it has, and the contexts that it shares words with, each as (test set, number)."""

    text: str
    words: int
    contexts: frozenset[tuple[str, int]] = frozenset()

    @property
    def tests(self) -> frozenset[str]:
        """The test sets that it shares words with."""
        return frozenset(test for test, _ in self.contexts)


class HeldOutContexts:
    """The contexts of test sets, by the name of the set, in the form in which documents are compared with them.

    >>> contexts = HeldOutContexts({"trial": ["A word is known by the company it keeps."]}, size=5)
    >>> [list(found.contexts) for found in contexts.check_documents(["Known by the company it kept", "known by the company, it…"])]
    [[('trial', 0)], [('trial', 0)]]
    >>> [found.contexts for found in contexts.check_documents(["One knows a word by the company it is in."])]
    [frozenset()]
    """

    def __init__(self, texts: Mapping[str, Iterable[str]], size: int = OVERLAP_WORDS) -> None:
        if size < 1:
            raise InputError(f"{size} words in a row make no overlap; give 1 or more")
        listed = {name: list(each) for name, each in texts.items()}
        self.size = size
        self._names = [
            pair for name, each in listed.items() for pair in zip(repeat(name), range(len(each)), strict=False)
        ]
        self._grams = _extract_grams(chain.from_iterable(listed.values()), size)
        self._order = np.argsort(self._grams.numbers, kind="stable")
        self._numbers = self._grams.numbers[self._order]
        self._filter = np.zeros(1 << FILTER_BITS, np.bool_)
        self._filter[self._coarse(self._numbers)] = True
        self.counts = {name: len(each) for name, each in listed.items()}
        """How many contexts each test set has."""
        self.too_short = self._too_short()
        """How many of them have fewer words than an overlap, and so cannot be found."""

    def check_documents(self, documents: Iterable[str]) -> Iterator[CheckedDocument]:
        """Every document, in order, with the contexts that it shares words with; a few are held at a time."""
        for some in _batch_documents(documents):
            grams = _extract_grams(some, self.size)
            shared: dict[int, set[tuple[str, int]]] = {}
            for gram in np.flatnonzero(self._maybe(grams.numbers)):
                if found := self._with(grams, int(gram)):
                    shared.setdefault(int(grams.text[gram]), set()).update(found)
            for number, (text, words) in enumerate(zip(some, grams.words, strict=True)):
                yield CheckedDocument(text, int(words), frozenset(shared.get(number, ())))

    def _maybe(self, numbers: HashArray) -> Bools:
        """Whether a context has a gram of the same number."""
        found: Bools = self._filter[self._coarse(numbers)]
        if not found.any():
            return found
        left = numbers[found]
        at = np.searchsorted(self._numbers, left)
        found[found] = self._numbers[np.minimum(at, len(self._numbers) - 1)] == left
        return found

    def _with(self, grams: _Grams, gram: int) -> set[tuple[str, int]]:
        """The contexts that have a gram, word for word."""
        number, spelt = grams.numbers[gram], grams.spelt(gram)
        first, last = (int(np.searchsorted(self._numbers, number, side)) for side in ("left", "right"))
        entries = (int(entry) for entry in self._order[first:last])
        return {self._names[self._grams.text[entry]] for entry in entries if self._grams.spelt(entry) == spelt}

    def _too_short(self) -> dict[str, int]:
        short = (name for (name, _), words in zip(self._names, self._grams.words, strict=True) if words < self.size)
        return _count_names(short, self.counts)

    @staticmethod
    def _coarse(numbers: HashArray) -> HashArray:
        """The topmost bits, which depend on all of a number's others."""
        return numbers >> np.uint64(64 - FILTER_BITS)


def _batch_documents(documents: Iterable[str]) -> Iterator[list[str]]:
    """Documents together until there are enough characters to be worth a look."""
    some: list[str] = []
    characters = 0
    for document in documents:
        some.append(document)
        characters += len(document)
        if characters >= BATCH_CHARACTERS:
            yield some
            some, characters = [], 0
    if some:
        yield some


def _count_names(names: Iterable[str], all_names: Iterable[str]) -> dict[str, int]:
    counts = dict.fromkeys(all_names, 0)
    for name in names:
        counts[name] += 1
    return counts


@dataclass
class RemovalCounts:
    """How much of a text was left out, and because of which test sets; a document may count for several of them.

    >>> removed = RemovalCounts()
    >>> removed.add(CheckedDocument("a b", 2))
    >>> removed.add(CheckedDocument("c d e", 3, frozenset({("trial", 0)})))
    >>> removed.documents, removed.words, removed.removed_words, removed.by_test
    (2, 5, 3, {'trial': Count(documents=1, words=3, contexts=1)})
    """

    documents: int = 0
    words: int = 0
    removed_documents: int = 0
    removed_words: int = 0
    _tests: dict[str, list[int]] = field(default_factory=dict)
    _contexts: set[tuple[str, int]] = field(default_factory=set)

    def add(self, found: CheckedDocument) -> None:
        """Count a document, which is left out if it shares words with a context."""
        self.documents += 1
        self.words += found.words
        if found.contexts:
            self.removed_documents += 1
            self.removed_words += found.words
            self._contexts |= found.contexts
        for test in found.tests:
            counts = self._tests.setdefault(test, [0, 0])
            counts[0] += 1
            counts[1] += found.words

    @property
    def by_test(self) -> dict[str, OverlapRemovals]:
        """What was left out because of each test set, and how many of its contexts were found."""
        contexts = _count_names((test for test, _ in self._contexts), self._tests)
        counts = sorted(self._tests.items())
        return {test: OverlapRemovals(documents, words, contexts[test]) for test, (documents, words) in counts}

    def as_json(self) -> dict[str, Any]:
        """The figures as a JSON object."""
        own = {name: getattr(self, name) for name in ("documents", "words", "removed_documents", "removed_words")}
        return {**own, "by_test": {test: count._asdict() for test, count in self.by_test.items()}}


class OverlapRemovals(NamedTuple):
    """Documents and words that were left out because of a test set, and how many of its contexts were in them."""

    documents: int
    words: int
    contexts: int


def drop_overlapping(found: Iterable[CheckedDocument], *removed: RemovalCounts) -> Iterator[str]:
    """The documents that share nothing with a context; all are counted, by each of the counts, as they pass."""
    for each in found:
        for counts in removed:
            counts.add(each)
        if not each.contexts:
            yield each.text

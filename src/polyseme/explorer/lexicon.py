"""Which word of an index somebody means."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from heapq import nlargest

import numpy as np

from polyseme.arrays import Ints
from polyseme.corpus.analysers import as_analyser
from polyseme.corpus.context_bags import TextWords, list_text_words
from polyseme.corpus.index import Index
from polyseme.corpus.vocabulary import POS_LETTERS, Vocabulary, pos_of_lemma
from polyseme.corpus.word_selection import suggest_words

MAX_SUGGESTIONS = 8
"""How many words are suggested."""

LEAST_SIMILARITY = 0.6
"""How like the word that was typed they must be."""

PART_NAMES = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}


@dataclass(frozen=True)
class CountedWord:
    """A word of an index, and how often it occurs."""

    word: str
    count: int

    @property
    def part(self) -> str:
        """What part of speech it is, in words; nothing if it has none."""
        return PART_NAMES.get(pos_of_lemma(self.word), "")

    @property
    def stem(self) -> str:
        """The word without its part of speech."""
        return self.word[:-2] if pos_of_lemma(self.word) else self.word


@dataclass(frozen=True)
class WordLookup:
    """The word that is meant, if there is one; others that it could be; and if there is none, words like it."""

    word: CountedWord | None
    others: tuple[CountedWord, ...] = ()
    near: tuple[CountedWord, ...] = ()


def analyse_words(index: Index, text: str) -> TextWords:
    """The words of a text, as the analyser of an index reads it; none, if the index does not say which that is."""
    made_by = index.manifest.get("analyser")
    return list_text_words("", as_analyser(str(made_by)).analyse(text)) if made_by else []


class Lexicon:
    """The words of an index, for looking them up."""

    def __init__(self, index: Index) -> None:
        self.index = index

    @property
    def words(self) -> Vocabulary:
        """All words."""
        return self.index.vocabulary

    def counted(self, word: str) -> CountedWord:
        """A word with its count."""
        return CountedWord(word, int(self.words.counts[self.words.number(word)]))

    def meant(self, typed: str) -> WordLookup:
        """The word itself, or the most frequent of those that are written so, or that it is a form of."""
        if typed in self.words:
            return WordLookup(self.counted(typed), tuple(self._beside(typed)))
        found = [self.counted(word) for word in dict.fromkeys(self._same(typed))]
        found.sort(key=lambda each: -each.count)
        if found:
            return WordLookup(found[0], tuple(found[1:]))
        return WordLookup(None, near=tuple(self._near(typed)))

    def _beside(self, word: str) -> Iterator[CountedWord]:
        """The same word as other parts of speech."""
        if self._has_parts:
            stem = word[:-2] if pos_of_lemma(word) else word
            same = (f"{stem}.{part}" if part else stem for part in (*POS_LETTERS, ""))
            yield from (self.counted(each) for each in same if each in self.words and each != word)

    def _same(self, typed: str) -> Iterator[str]:
        """Words that may be meant by what was typed: other parts of speech, small letters, the lemma of a form."""
        if not typed:
            return
        yield from suggest_words(typed, self.words, most=MAX_SUGGESTIONS)
        read = analyse_words(self.index, typed[:-2] if pos_of_lemma(typed) else typed)
        if len(read) == 1 and read[0][2] in self.words:
            yield read[0][2]

    def _near(self, typed: str) -> list[CountedWord]:
        """Words that are spelt like it, the most like it first, and of those the most frequent."""
        plain = (typed[:-2] if pos_of_lemma(typed) else typed).lower()
        if not plain or len(plain) > self._stems.dtype.itemsize // 4:
            return []
        lengths = np.char.str_len(self._stems)
        first = self._stems.astype("U1") == plain[0]
        rows = np.flatnonzero(first & (np.abs(lengths - len(plain)) <= 2))
        matcher = SequenceMatcher(autojunk=False)
        matcher.set_seq2(plain)
        scored = []
        for row in rows.tolist():
            matcher.set_seq1(str(self._stems[row]))
            if matcher.real_quick_ratio() >= LEAST_SIMILARITY and matcher.quick_ratio() >= LEAST_SIMILARITY:
                scored.append((round(matcher.ratio(), 2), int(self._counts[row]), row))
        best = nlargest(MAX_SUGGESTIONS, (each for each in scored if each[0] >= LEAST_SIMILARITY))
        return [self.counted(self.words[int(self._rows[row])]) for _, _, row in best]

    @cached_property
    def _has_parts(self) -> bool:
        return self.words.has_pos

    @cached_property
    def _rows(self) -> Ints:
        """The words that are worth suggesting: those that occur more than once, and are not too long."""
        short = np.fromiter((len(word) <= 32 for word in self.words), bool, len(self.words))
        more = np.flatnonzero((self.words.counts > 1) & short)
        return more if len(more) else np.flatnonzero(short)

    @cached_property
    def _stems(self) -> np.ndarray[tuple[int], np.dtype[np.str_]]:
        stems = [self.counted(self.words[row]).stem.lower() for row in self._rows.tolist()]
        return np.array(stems or [""], "U32")

    @cached_property
    def _counts(self) -> Ints:
        return self.words.counts[self._rows]

    @cached_property
    def to_try(self) -> tuple[CountedWord, ...]:
        """Frequent words with content, for somebody who has none in mind."""
        parts, counts = self.words.pos, self.words.counts
        order = np.argsort(-counts, kind="stable")
        if self._has_parts:
            good = (row for row in order.tolist() if parts[row] == "n" and len(self.words[row]) > 4)
        else:
            good = (row for row in order[150:].tolist() if self.words[row].isalpha() and len(self.words[row]) > 3)
        return tuple(CountedWord(self.words[row], int(counts[row])) for _, row in zip(range(12), good, strict=False))

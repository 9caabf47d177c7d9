"""The words of an index: finding the word that a user types, and suggesting others."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from heapq import nlargest

import numpy as np

from polyseme.arrays import Ints
from polyseme.corpus.analysers import as_analyser
from polyseme.corpus.index import Index
from polyseme.corpus.lemma_search import find_lemmas
from polyseme.corpus.parallel_analysis import TextWords, list_text_words
from polyseme.corpus.word_selection import suggest_words
from polyseme.lemma import POS_NAMES, pos_of_lemma, strip_pos

MAX_SUGGESTIONS = 8
"""The number of words that are suggested."""

LEAST_SIMILARITY = 0.6
"""The similarity of a suggestion to the typed word, at least."""

LONGEST_SUGGESTION = 32

LOOKUPS = 4096
"""The number of typed words whose lemmas are in memory."""


@dataclass(frozen=True)
class CountedWord:
    """A lemma of an index, and how often it occurs."""

    lemma: str
    count: int

    @property
    def pos_name(self) -> str:
        """The name of the part of speech; empty if the lemma has none."""
        return POS_NAMES.get(pos_of_lemma(self.lemma), "")

    @property
    def word(self) -> str:
        """The lemma without its part of speech."""
        return strip_pos(self.lemma)


@dataclass(frozen=True)
class WordLookup:
    """The result of looking up a typed word.

    Args:
        word: The word, if there is one.
        others: Other words that the user may mean.
        similar: Words with a similar spelling, if there is no such word.
    """

    word: CountedWord | None
    others: tuple[CountedWord, ...] = ()
    similar: tuple[CountedWord, ...] = ()


def analyse_words(index: Index, text: str) -> TextWords:
    """The words of a text by the analyser of an index; none if the index does not name its analyser."""
    specification = index.manifest.get("analyser")
    return list_text_words("", as_analyser(str(specification)).analyse(text)) if specification else []


class Lexicon:
    """The words of an index."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.words = index.vocabulary
        self._find = lru_cache(maxsize=LOOKUPS)(self._find_words)

    def get(self, lemma: str) -> CountedWord:
        """A lemma with its count."""
        return CountedWord(lemma, int(self.words.counts[self.words.number(lemma)]))

    def look_up(self, typed: str) -> WordLookup:
        """Find the word itself, or else the most frequent lemma that a bare word stands for."""
        matches = self._find(typed)
        if typed in self.words:
            others = self._find(strip_pos(typed)) if self.words.has_pos else ()
            return WordLookup(self.get(typed), tuple(word for word in others if word.lemma != typed))
        if matches:
            return WordLookup(matches[0], matches[1:])
        return WordLookup(None, similar=tuple(self._similar_words(typed)))

    def _find_words(self, typed: str) -> tuple[CountedWord, ...]:
        """The lemmas that a typed word stands for, the most frequent first."""
        return tuple(map(self.get, find_lemmas(self.index, typed) or suggest_words(typed, self.words)))

    def _similar_words(self, typed: str) -> list[CountedWord]:
        """Words with a similar spelling, most similar and then most frequent first."""
        word = strip_pos(typed).lower()
        if not word or len(word) > LONGEST_SUGGESTION:
            return []
        same_letter = self._spellings.astype("U1") == word[0]
        similar_length = np.abs(np.char.str_len(self._spellings) - len(word)) <= 2
        matcher = SequenceMatcher(autojunk=False)
        matcher.set_seq2(word)
        candidates = []
        for row in np.flatnonzero(same_letter & similar_length).tolist():
            matcher.set_seq1(str(self._spellings[row]))
            if matcher.real_quick_ratio() >= LEAST_SIMILARITY and matcher.quick_ratio() >= LEAST_SIMILARITY:
                number = int(self._suggestible[row])
                candidates.append((round(matcher.ratio(), 2), int(self.words.counts[number]), row, number))
        best = nlargest(MAX_SUGGESTIONS, (candidate for candidate in candidates if candidate[0] >= LEAST_SIMILARITY))
        return [self.get(self.words[number]) for *_, number in best]

    @cached_property
    def _has_pos(self) -> bool:
        return self.words.has_pos

    @cached_property
    def _suggestible(self) -> Ints:
        """The numbers of the words that can be suggested: not too long, and more frequent than once if possible."""
        short = np.fromiter((len(word) <= LONGEST_SUGGESTION for word in self.words), bool, len(self.words))
        repeated = np.flatnonzero((self.words.counts > 1) & short)
        return repeated if len(repeated) else np.flatnonzero(short)

    @cached_property
    def _spellings(self) -> np.ndarray[tuple[int], np.dtype[np.str_]]:
        spellings = [strip_pos(self.words[number]).lower() for number in self._suggestible.tolist()]
        return np.array(spellings or [""], f"U{LONGEST_SUGGESTION}")

    @cached_property
    def frequent_words(self) -> tuple[CountedWord, ...]:
        """Frequent content words to start with."""
        parts, counts = self.words.pos, self.words.counts
        order = np.argsort(-counts, kind="stable")
        if self._has_pos:
            content = (row for row in order.tolist() if parts[row] == "n" and len(self.words[row]) > 4)
        else:
            content = (row for row in order[150:].tolist() if self.words[row].isalpha() and len(self.words[row]) > 3)
        return tuple(CountedWord(self.words[row], int(counts[row])) for _, row in zip(range(12), content, strict=False))

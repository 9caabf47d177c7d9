"""The words of a text that WordNet has: inflected, capitalised, or several words that form one entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from polyseme.lemma import POS_LETTERS
from polyseme.sentence import Token
from polyseme.wordnet.lexicon import WordNet

LONGEST_ENTRY = 6
"""The largest number of words in an entry."""

ARTICLES_AND_CONJUNCTIONS = frozenset(("a", "an", "and", "or", "the"))
"""A noun of several words starts with one of these only if others are capitalised: *the City*, not *the city*."""

PERSON_MARK = "%1:18:"
"""A part of the sense keys of people, such as *Banks*."""


class DictionaryWord(NamedTuple):
    """A word of a text with its entry in WordNet.

    Args:
        lemma: The entry, such as ``bank.n``.
        start: Where the word starts in the text.
        end: Where the word ends in the text.
    """

    lemma: str
    start: int
    end: int

    def overlaps(self, other: DictionaryWord) -> bool:
        """Whether two words share a part of the text."""
        return self.end > other.start and self.start < other.end


class DictionaryReader:
    """Finds the entries of WordNet in analysed text; forms are looked up once.

    Args:
        wordnet: The dictionary.
    """

    def __init__(self, wordnet: WordNet) -> None:
        self.wordnet = wordnet
        self._entry_by_form: dict[tuple[str, str], str] = {}

    @cached_property
    def _entries(self) -> frozenset[str]:
        return frozenset(self.wordnet)

    @cached_property
    def _first_words(self) -> frozenset[str]:
        """The first words of entries of several words."""
        return frozenset(entry.partition("_")[0] for entry in self._entries if "_" in entry)

    def words(self, tokens: Sequence[Token], start: int = 0) -> Iterator[DictionaryWord]:
        """Find the entries among the tokens of a sentence, the longest first.

        Args:
            tokens: The tokens.
            start: Where the sentence starts in the text.
        """
        position = 0
        while position < len(tokens):
            size, lemma = self._longest_entry(tokens[position : position + LONGEST_ENTRY])
            if lemma:
                yield DictionaryWord(lemma, start + tokens[position].start, start + tokens[position + size - 1].end)
            position += size

    def _longest_entry(self, tokens: Sequence[Token]) -> tuple[int, str]:
        """Return how many of the first tokens form an entry, and the entry; 1 and nothing if there is none."""
        first = tokens[0]
        if first.form.lower() in self._first_words or first.lemma.lower() in self._first_words:
            for size in range(len(tokens), 1, -1):
                if lemma := self._compound(tokens[:size]):
                    return size, lemma
        return 1, self.lemma(first.form, first.pos, first.lemma) if first.pos else ""

    def _compound(self, tokens: Sequence[Token]) -> str:
        """Return the entry of several words, as they are or with the first or the last word as a lemma."""
        if not any(token.pos for token in tokens):
            return ""
        forms, lemmas = [token.form.lower() for token in tokens], [token.lemma.lower() for token in tokens]
        parts = [pos for pos in POS_LETTERS if pos != "n" or _may_be_noun(tokens)]
        for words in (forms, [*forms[:-1], lemmas[-1]], [lemmas[0], *forms[1:]]):
            entries = (f"{'_'.join(words)}.{pos}" for pos in parts)
            if entry := next((entry for entry in entries if entry in self._entries), ""):
                return entry
        return ""

    def lemma(self, form: str, pos: str = "", lemma: str = "") -> str:
        """Return the entry of a form, or nothing.

        The entry is looked up by the lemma or, if WordNet lacks it, by WordNet's morphology. A form without an entry of
        its part of speech gets one of another.
        """
        if pos == "n" and form.isupper() and (entry := self._uppercase_noun(form)):
            return entry
        entry = f"{lemma.lower().replace(' ', '_')}.{pos}"
        if entry in self._entries:
            return entry
        parts = dict.fromkeys([*pos, *POS_LETTERS])
        return next((entry for part in parts if (entry := self._look_up(form, part))), "")

    def _uppercase_noun(self, form: str) -> str:
        """Return a noun that is always in capitals, *AIDS*, or a plural that is otherwise only a name, *BANKS*."""
        name, *others = self.wordnet.lemmas(form, "n") or ("",)
        columns = self.wordnet.columns
        if any(columns.word[row] == form for row in self.wordnet.sense_rows(f"{name}.n").tolist()):
            return f"{name}.n"
        return f"{others[0]}.n" if others and self._is_person(name) and not self._is_person(others[0]) else ""

    def _is_person(self, name: str) -> bool:
        return all(PERSON_MARK in sense.id for sense in self.wordnet[f"{name}.n"])

    def _look_up(self, form: str, pos: str) -> str:
        key = (form, pos)
        if key not in self._entry_by_form:
            lemmas = self.wordnet.lemmas(form, pos)
            self._entry_by_form[key] = f"{lemmas[0]}.{pos}" if lemmas else ""
        return self._entry_by_form[key]


def _may_be_noun(tokens: Sequence[Token]) -> bool:
    """Whether several words can be one noun, and not an article or a conjunction with others: *the street*."""
    first, *others = (token.form for token in tokens)
    is_capitalised = any(form[:1].isupper() for form in others) or (len(first) > 1 and first.isupper())
    return is_capitalised or first.lower() not in ARTICLES_AND_CONJUNCTIONS

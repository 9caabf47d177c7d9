"""The words of a text that WordNet has: inflected, in capitals, or several words that are one entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from polyseme.sentence import Token
from polyseme.wordnet.lexicon import WordNet

PARTS_OF_SPEECH = "nvar"
"""In this order parts of speech are tried where an analyser says nothing."""

LONGEST_ENTRY = 6
"""So many words are one entry at most."""

ARTICLES_AND_CONJUNCTIONS = frozenset(("a", "an", "and", "or", "the"))
"""With one of these a noun of several words begins only where others have capitals: *the City*, not *the city*."""

PERSON_MARK = "%1:18:"
"""What is in the sense keys of people, such as *Banks*."""


def wordnet_pos(letter: str) -> str:
    """The letter that WordNet has for a part of speech, or nothing.

    >>> wordnet_pos("j"), wordnet_pos("N"), wordnet_pos("x"), wordnet_pos("")
    ('a', 'n', '', '')
    """
    found = letter.lower().replace("j", "a").replace("s", "a")
    return found if len(found) == 1 and found in PARTS_OF_SPEECH else ""


class DictionaryWord(NamedTuple):
    """A word of a text as WordNet has it, ``bank.n``, and its place in the text."""

    lemma: str
    start: int
    end: int


class DictionaryReader:
    """What finds the entries of WordNet in analysed text; it remembers the forms that it has seen."""

    def __init__(self, wordnet: WordNet) -> None:
        self.wordnet = wordnet
        self._known: dict[tuple[str, str], str] = {}

    @cached_property
    def _entries(self) -> frozenset[str]:
        return frozenset(self.wordnet)

    @cached_property
    def _starts(self) -> frozenset[str]:
        """The words that an entry of several words begins with."""
        return frozenset(entry.partition("_")[0] for entry in self._entries if "_" in entry)

    def words(self, tokens: Sequence[Token], start: int = 0) -> Iterator[DictionaryWord]:
        """The entries among the tokens of a sentence that begins at a place of the text; the longest first."""
        at = 0
        while at < len(tokens):
            size, lemma = self._longest(tokens[at : at + LONGEST_ENTRY])
            if lemma:
                yield DictionaryWord(lemma, start + tokens[at].start, start + tokens[at + size - 1].end)
            at += size

    def _longest(self, tokens: Sequence[Token]) -> tuple[int, str]:
        """How many of the first tokens are one entry, and which; one token and nothing, if none is."""
        first = tokens[0]
        if first.form.lower() in self._starts or first.lemma.lower() in self._starts:
            for size in range(len(tokens), 1, -1):
                if lemma := self._compound(tokens[:size]):
                    return size, lemma
        return 1, self.lemma(first.form, first.pos, first.lemma) if first.pos else ""

    def _compound(self, tokens: Sequence[Token]) -> str:
        """Several words as one entry, as they stand or with the first or the last of them as a lemma."""
        if not any(token.pos for token in tokens):
            return ""
        forms, lemmas = [token.form.lower() for token in tokens], [token.lemma.lower() for token in tokens]
        for written in (forms, [*forms[:-1], lemmas[-1]], [lemmas[0], *forms[1:]]):
            name = "_".join(written)
            for part in PARTS_OF_SPEECH if _may_be_noun(tokens) else PARTS_OF_SPEECH.replace("n", ""):
                if f"{name}.{part}" in self._entries:
                    return f"{name}.{part}"
        return ""

    def lemma(self, form: str, pos: str = "", lemma: str = "") -> str:
        """The entry that a form belongs to, or nothing: by its lemma, if one is known, else by WordNet's morphology.

        A form that has no entry of its part of speech gets one of another.
        """
        if pos == "n" and form.isupper() and (found := self._in_capitals(form)):
            return found
        named = f"{lemma.lower().replace(' ', '_')}.{pos}"
        if named in self._entries:
            return named
        parts = dict.fromkeys([*pos, *PARTS_OF_SPEECH])
        return next((found for part in parts if (found := self._looked_up(form, part))), "")

    def _in_capitals(self, form: str) -> str:
        """The noun that is always in capitals, *AIDS*, or is a plural, if as it stands it is but a name, *BANKS*."""
        name, *others = self.wordnet.lemmas(form, "n") or ("",)
        columns = self.wordnet.columns
        if any(columns.word[row] == form for row in self.wordnet.sense_rows(f"{name}.n").tolist()):
            return f"{name}.n"
        return f"{others[0]}.n" if others and self._is_person(name) and not self._is_person(others[0]) else ""

    def _is_person(self, name: str) -> bool:
        return all(PERSON_MARK in sense.id for sense in self.wordnet[f"{name}.n"])

    def _looked_up(self, form: str, part: str) -> str:
        key = (form, part)
        if key not in self._known:
            found = self.wordnet.lemmas(form, part)
            self._known[key] = f"{found[0]}.{part}" if found else ""
        return self._known[key]


def _may_be_noun(tokens: Sequence[Token]) -> bool:
    """Whether several words are one noun, and not an article or a conjunction and others: *the street*."""
    first, *others = (token.form for token in tokens)
    capital = any(form[:1].isupper() for form in others) or (len(first) > 1 and first.isupper())
    return capital or first.lower() not in ARTICLES_AND_CONJUNCTIONS

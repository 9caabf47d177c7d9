"""The selection of words to count."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Container, Iterable
from dataclasses import dataclass

import numpy as np

from polyseme.arrays import Ints
from polyseme.corpus.vocabulary import Vocabulary
from polyseme.errors import InputError
from polyseme.lemma import POS_LETTERS, split_lemma
from polyseme.morphology import possible_lemmas


@dataclass(frozen=True)
class WordSelection:
    """Words by part of speech, frequency and name.

    Args:
        pos: The parts of speech, such as ``nv``; by default all words.
        minimum: The least frequency.
        maximum: The greatest frequency.
        among: The words to select from; those that do not occur are left out.

    >>> words = Vocabulary(["the", "bank.n", "lend.v"], [9, 3, 1])
    >>> WordSelection(pos="nv", minimum=2).numbers(words).tolist()
    [1]
    """

    pos: str = ""
    minimum: int = 1
    maximum: int | None = None
    among: Collection[str] | None = None

    def __post_init__(self) -> None:
        if wrong := set(self.pos) - set(POS_LETTERS):
            raise InputError(f"{''.join(sorted(wrong))!r} is not a part of speech; allowed are n, v, a, r, as in 'nva'")

    def numbers(self, vocabulary: Vocabulary) -> Ints:
        """The numbers of the selected words, in order."""
        selected = vocabulary.counts >= self.minimum
        if self.maximum is not None:
            selected &= vocabulary.counts <= self.maximum
        if self.pos:
            selected &= np.isin(np.array(vocabulary.pos, "U1"), list(self.pos))
        if self.among is not None:
            listed = np.zeros(len(vocabulary), np.bool_)
            listed[vocabulary.numbers(list(self.among))] = True
            selected &= listed
        return np.flatnonzero(selected)


def get_word_numbers(words: Iterable[str], vocabulary: Vocabulary) -> Ints:
    """Return the numbers of words that must occur, in order and each once."""
    return np.array(sorted({_number(word, vocabulary) for word in words}), np.intp)


def suggest_words(word: str, vocabulary: Container[str], most: int = 3) -> list[str]:
    """Suggest words that occur for one that does not: with another part of speech, in lower case, singular.

    >>> suggest_words("Banks.n", Vocabulary(["bank.n", "bank.v", "the"], [3, 1, 9]))
    ['bank.n', 'bank.v']
    """
    stem, own_pos = split_lemma(word)
    lower = stem.lower()
    stems = dict.fromkeys([stem, lower, *(lemma for pos in own_pos or "nv" for lemma in possible_lemmas(lower, pos))])
    letters = dict.fromkeys([own_pos, *POS_LETTERS, ""])
    candidates = (f"{stem}.{pos}" if pos else stem for stem in stems for pos in letters)
    return [name for name in candidates if name in vocabulary][:most]


def _number(word: str, vocabulary: Vocabulary) -> int:
    if word in vocabulary:
        return vocabulary.number(word)
    suggestions = difflib.get_close_matches(word, vocabulary, n=3)
    hint = f"did you mean {' or '.join(suggestions)}?" if suggestions else "words are written as bank.n"
    raise InputError(f"{word!r} does not occur in this corpus; {hint}")

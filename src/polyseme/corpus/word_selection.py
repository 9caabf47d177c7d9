"""Which words are counted."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Container, Iterable
from dataclasses import dataclass

import numpy as np

from polyseme.arrays import Bools, Ints
from polyseme.corpus.vocabulary import Vocabulary
from polyseme.errors import InputError
from polyseme.lemma import POS_LETTERS, pos_of_lemma, split_lemma
from polyseme.morphology import possible_lemmas


@dataclass(frozen=True)
class WordSelection:
    """Words by part of speech, by how often they occur in the corpus, and by name; what is not said does not matter.

    Words ``among`` those named that do not occur are left out.

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
            raise InputError(f"{''.join(sorted(wrong))!r} is no part of speech; allowed are n, v, a, r, as in 'nva'")

    def numbers(self, vocabulary: Vocabulary) -> Ints:
        """The numbers of the words that are selected, in order."""
        kept = vocabulary.counts >= self.minimum
        if self.maximum is not None:
            kept &= vocabulary.counts <= self.maximum
        if self.pos:
            kept &= np.isin(np.array(vocabulary.pos, "U1"), list(self.pos))
        if self.among is not None:
            kept &= _mask(vocabulary.numbers(list(self.among)), len(vocabulary))
        return np.flatnonzero(kept)


def _mask(numbers: Ints, size: int) -> Bools:
    mask = np.zeros(size, np.bool_)
    mask[numbers] = True
    return mask


def get_word_numbers(words: Iterable[str], vocabulary: Vocabulary) -> Ints:
    """The numbers of words that must occur, in order and each once."""
    return np.array(sorted({_number(word, vocabulary) for word in words}), np.intp)


def suggest_words(word: str, vocabulary: Container[str], most: int = 3) -> list[str]:
    """Words that occur and may be meant by one that does not: of another part of speech, in small letters, singular.

    >>> suggest_words("Banks.n", Vocabulary(["bank.n", "bank.v", "the"], [3, 1, 9]))
    ['bank.n', 'bank.v']
    """
    plain, part = split_lemma(word)
    small = plain.lower()
    stems = dict.fromkeys([plain, small, *(lemma for pos in part or "nv" for lemma in possible_lemmas(small, pos))])
    named = (f"{stem}.{pos}" if pos else stem for stem in stems for pos in dict.fromkeys([part, *POS_LETTERS, ""]))
    return [name for name in named if name in vocabulary][:most]


def _number(word: str, vocabulary: Vocabulary) -> int:
    if word in vocabulary:
        return vocabulary.number(word)
    near = difflib.get_close_matches(word, vocabulary, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else "words are written as bank.n"
    raise InputError(f"{word!r} does not occur in this corpus; {hint}")

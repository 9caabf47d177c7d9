"""The vocabulary of an index: numbered lemmas with their parts of speech and frequencies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from polyseme.arrays import Ints
from polyseme.errors import count_noun
from polyseme.lemma import pos_of_lemma
from polyseme.sentence import Token

LEAST_POS_SHARE = 0.1
"""If a smaller share of words seems to have a part of speech, none has."""


def have_pos(letters: Sequence[str], counts: Sequence[int] | None = None) -> bool:
    """Whether words have parts of speech, from the letter of each word and its frequency.

    >>> have_pos(["n", "", "v", ""]), have_pos(["n"] + [""] * 20)
    (True, False)
    """
    weights = [1] * len(letters) if counts is None else counts
    with_pos = sum(weight for letter, weight in zip(letters, weights, strict=True) if letter)
    return with_pos > LEAST_POS_SHARE * sum(weights)


def token_word(token: Token) -> str:
    """The name of the word of a token in a vocabulary.

    >>> token_word(Token("Banks", 0, 5, "bank", "n")), token_word(Token(",", 5, 6))
    ('bank.n', ',')
    """
    lemma = token.lemma or token.form.lower()
    return f"{lemma}.{token.pos}" if token.pos else lemma


class Vocabulary(Sequence[str]):
    """Numbered words: ``lemma.pos``, or the lemma alone where there is no part of speech.

    Args:
        words: The words, by number.
        counts: The frequency of each word.
        has_pos: Whether the analysis has parts of speech; by default, the words decide.

    >>> words = Vocabulary(["bank.n", "lend.v"], [3, 1])
    >>> words[0], words.number("lend.v"), words.counts.tolist()
    ('bank.n', 1, [3, 1])
    """

    def __init__(self, words: Sequence[str], counts: Sequence[int] | Ints, *, has_pos: bool | None = None) -> None:
        self._words = tuple(words)
        self._has_pos = has_pos
        self.counts: Ints = np.asarray(counts, np.int64)
        if len(self._words) != len(self.counts):
            raise ValueError(f"{len(self._words)} words but {len(self.counts)} counts")

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self._words)}

    def __getitem__(self, number: int) -> str:  # type: ignore[override]
        return self._words[number]

    def __len__(self) -> int:
        return len(self._words)

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __contains__(self, word: object) -> bool:
        return word in self._numbers

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Vocabulary):
            return NotImplemented
        return self._words == other._words and np.array_equal(self.counts, other.counts)

    def __hash__(self) -> int:
        return hash(self._words)

    def __repr__(self) -> str:
        return f"<Vocabulary of {count_noun(len(self), 'word')}, {count_noun(int(self.counts.sum()), 'token')}>"

    def number(self, word: str) -> int:
        """The number of a word; ``KeyError`` if it does not occur."""
        return self._numbers[word]

    def numbers(self, words: Sequence[str]) -> Ints:
        """The numbers of the words that occur; the others are skipped."""
        return np.array([self._numbers[word] for word in words if word in self._numbers], np.int64)

    @cached_property
    def pos(self) -> tuple[str, ...]:
        """The part of speech of each word: n, v, a, r or nothing."""
        return tuple(map(pos_of_lemma, self._words))

    @property
    def has_pos(self) -> bool:
        """Whether words have parts of speech; otherwise *u.n* and the targets of usages only look as if they had."""
        return have_pos(self.pos, self.counts.tolist()) if self._has_pos is None else self._has_pos

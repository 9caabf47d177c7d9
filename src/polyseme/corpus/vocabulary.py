"""The words of an index: lemmas with their parts of speech, numbered, with how often each occurs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from polyseme.arrays import Ints
from polyseme.errors import count_noun
from polyseme.lemma import pos_of_lemma

LEAST_POS_SHARE = 0.1
"""If fewer words than that seem to have a part of speech, none has."""






def have_pos(parts: Sequence[str], counts: Sequence[int] | None = None) -> bool:
    """Whether these are the parts of speech of words that have some, perhaps counted.

    >>> have_pos(["n", "", "v", ""]), have_pos(["n"] + [""] * 20)
    (True, False)
    """
    weights = [1] * len(parts) if counts is None else counts
    return sum(weight for part, weight in zip(parts, weights, strict=True) if part) > LEAST_POS_SHARE * sum(weights)


class Vocabulary(Sequence[str]):
    """Word number → ``lemma.pos``, or the lemma alone where there is no part of speech; and back.

    >>> words = Vocabulary(["bank.n", "lend.v"], [3, 1])
    >>> words[0], words.number("lend.v"), words.counts.tolist()
    ('bank.n', 1, [3, 1])

    Args:
        words: The words, by number.
        counts: How often each occurs.
        has_parts: Whether the analysis has parts of speech; without it, the words decide.
    """

    def __init__(self, words: Sequence[str], counts: Sequence[int] | Ints, *, has_parts: bool | None = None) -> None:
        self._words = tuple(words)
        self._has_parts = has_parts
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
        """The numbers of those words that occur."""
        return np.array([self._numbers[word] for word in words if word in self._numbers], np.int64)

    @cached_property
    def pos(self) -> tuple[str, ...]:
        """The part of speech of each word: n, v, a, r or nothing."""
        return tuple(map(pos_of_lemma, self._words))

    @property
    def has_pos(self) -> bool:
        """Whether words have parts of speech; without, *u.n* and the targets of usages still look as if they had."""
        return have_pos(self.pos, self.counts.tolist()) if self._has_parts is None else self._has_parts

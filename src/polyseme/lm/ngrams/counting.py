"""Counts of n-grams by sorting numbers: no n-gram is a Python object, so many millions can be counted.

The n-grams of each length are numbered in the order of their words. An n-gram is then two numbers: that of its first
n − 1 words and that of its last word. Both fit into a 64-bit integer, however large the vocabulary is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.lm.ngrams.numbered_text import START, NumberedText, Numbers


class NGramLevel(NamedTuple):
    """The n-grams of one length, in order.

    Args:
        word: The last word of each.
        parent: The number of the n-gram without its last word, among those that are one word shorter.
        suffix: The number of the n-gram without its first word, among those that are one word shorter.
        times: How often each occurs.
        begins: Whether each begins a sentence.
    """

    word: Numbers
    parent: Numbers
    suffix: Numbers
    times: NDArray[np.int64]
    begins: NDArray[np.bool_]


def count_ngrams(text: NumberedText, order: int) -> Iterator[NGramLevel]:
    """Count the n-grams of a text, of each length up to ``order``.

    >>> text = NumberedText.from_source([["a", "b"], ["a"]])
    >>> [[text.words[last] for last in level.word] for level in count_ngrams(text, 3)][1:]
    [['a', '</s>', 'b', '</s>'], ['</s>', 'b', '</s>']]
    """
    size = len(text.words)
    nothing = np.zeros(size, np.int32)
    count = np.bincount(text.tokens, minlength=size)
    level = NGramLevel(np.arange(size, dtype=np.int32), nothing, nothing, count, np.arange(size) == START)
    yield level
    numbers = text.tokens
    for _ in range(1, order):
        level, numbers = _extend_level(text.tokens, numbers, level)
        yield level


def _extend_level(tokens: Numbers, shorter: Numbers, level: NGramLevel) -> tuple[NGramLevel, Numbers]:
    """Count the n-grams that are one word longer, and number the one that ends at each position of the text."""
    ends = np.flatnonzero((shorter[:-1] >= 0) & (tokens[1:] != START)) + 1
    keys = shorter[ends - 1].astype(np.int64) << 32 | tokens[ends]
    order = np.argsort(keys)
    keys, positions = keys[order], ends[order]
    is_first = mark_first_of_runs(keys)
    numbers = np.full(len(tokens), -1, np.int32)
    numbers[positions] = np.cumsum(is_first, dtype=np.int32) - 1
    starts = np.flatnonzero(is_first)
    count = np.diff(starts, append=len(keys))
    keys = keys[starts]
    parent, word = (keys >> 32).astype(np.int32), (keys & 0xFFFFFFFF).astype(np.int32)
    return NGramLevel(word, parent, shorter[positions[starts]], count, level.begins[parent]), numbers


def mark_first_of_runs(ordered: NDArray[Any]) -> NDArray[np.bool_]:
    """Mark the first of equal entries in an ordered array.

    >>> mark_first_of_runs(np.array([2, 2, 5])).tolist()
    [True, False, True]
    """
    is_first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
    return is_first

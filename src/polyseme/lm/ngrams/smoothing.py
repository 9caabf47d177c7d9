r"""Interpolated modified Kneser–Ney smoothing (Kneser & Ney 1995; Chen & Goodman 1998).

With :math:`h` a history, :math:`h'` the same without its first word, and :math:`c` the counts,

.. math::

    p(w|h) = \frac{c(hw) - D(c(hw))}{\sum_v c(hv)} + \gamma(h)\, p(w|h'),
    \qquad \gamma(h) = \frac{\sum_v D(c(hv))}{\sum_v c(hv)}

:math:`c` is how often an n-gram occurs, if it has full length or begins a sentence. For a shorter n-gram it is the
number of different words that precede it. Single words back off to the uniform distribution over the vocabulary. Each
length has three discounts, for n-grams that count 1, 2, and 3 or more; :math:`n_i` n-grams count :math:`i`:

.. math:: D_i = i - (i + 1) \frac{n_1}{n_1 + 2 n_2} \frac{n_{i+1}}{n_i}

A pruned n-gram leaves its whole count to :math:`\gamma`, so the probabilities after any history sum to 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.arrays import Floats
from polyseme.lm.ngrams.counting import NGramLevel
from polyseme.lm.ngrams.numbered_text import START

DEFAULT_DISCOUNTS = (0.5, 1.0, 1.5)
"""The discounts if the counts of counts give none, as in a text of a few sentences."""


class SmoothedLevel(NamedTuple):
    """The smoothed n-grams of one length, in the order of their :class:`NGramLevel`.

    Args:
        stays: Whether each n-gram is in the model; it is not if it was pruned.
        probability: The probability of the last word after the others.
        backoff: The weight of shorter histories after each n-gram; 1 if nothing follows it.
        discounts: The discounts of n-grams that count 1, 2, and 3 or more.
    """

    stays: NDArray[np.bool_]
    probability: Floats
    backoff: Floats
    discounts: tuple[float, float, float]


def smooth_levels(levels: Sequence[NGramLevel], *, prune: bool = False) -> list[SmoothedLevel]:
    """Compute probabilities and backoffs.

    Args:
        levels: The n-grams of each length.
        prune: Whether n-grams of three words or more that occur once are left out.
    """
    smoothed: list[SmoothedLevel] = []
    size = len(levels[0].word)
    shorter = np.full(size, 1 / (size - 1))  # all words but the beginning of a sentence, which nothing predicts
    shorter[START] = 0
    for number, (level, count) in enumerate(zip(levels, adjust_counts(levels), strict=True)):
        stays = (level.times > 1) if prune and number >= 2 else np.ones(len(count), np.bool_)
        discounts = estimate_discounts(count)
        discount = np.where(stays, np.array([0.0, *discounts])[np.minimum(count, 3)], count)
        histories = len(levels[number - 1].word) if number else 1
        total = np.bincount(level.parent, count, histories)
        share = np.bincount(level.parent, discount, histories)
        backoff = np.divide(share, total, out=np.ones(histories), where=total > 0)
        discounted = (count - discount) / np.maximum(total, 1)[level.parent]
        probability = discounted + backoff[level.parent] * shorter[level.suffix if number else level.word]
        if smoothed:
            smoothed[-1] = smoothed[-1]._replace(backoff=backoff)
        smoothed.append(SmoothedLevel(stays, probability, np.ones(len(count)), discounts))
        shorter = probability
    return smoothed


def adjust_counts(levels: Sequence[NGramLevel]) -> Iterator[NDArray[np.int64]]:
    """Yield the counts of each level that are smoothed: for shorter n-grams, the number of words that precede each."""
    for level, longer in pairwise(levels):
        preceding = np.bincount(longer.suffix, minlength=len(level.word))
        count = np.where(level.begins, level.times, preceding)
        if level is levels[0]:
            count[START] = 0
        yield count
    yield levels[-1].times


def estimate_discounts(counts: NDArray[Any]) -> tuple[float, float, float]:
    """Estimate the discounts of n-grams that count 1, 2, and 3 or more.

    >>> estimate_discounts(np.repeat([1, 2, 3, 4], [60, 20, 10, 5]))
    (0.6, 1.1, 1.8)
    >>> estimate_discounts(np.array([1, 1, 2]))
    (0.5, 1.0, 1.5)
    """
    n1, n2, n3, n4 = np.bincount(np.minimum(counts, 5), minlength=6)[1:5].tolist()
    if not (n1 and n2 and n3 and n4):
        return DEFAULT_DISCOUNTS
    share = n1 / (n1 + 2 * n2)
    one, two, three = (i - (i + 1) * share * next_n / n for i, next_n, n in ((1, n2, n1), (2, n3, n2), (3, n4, n3)))
    usable = 0 < one < 1 and 0 < two < 2 and 0 < three < 3
    return (one, two, three) if usable else DEFAULT_DISCOUNTS

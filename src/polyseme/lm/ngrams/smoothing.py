r"""Interpolated modified Kneser–Ney smoothing (Kneser & Ney 1995; Chen & Goodman 1998).

With :math:`h` a history, :math:`h'` the same without its first word, and :math:`c` the counts,

.. math::

    p(w|h) = \frac{c(hw) - D(c(hw))}{\sum_v c(hv)} + \gamma(h)\, p(w|h'),
    \qquad \gamma(h) = \frac{\sum_v D(c(hv))}{\sum_v c(hv)}

:math:`c` is how often an n-gram occurs, if it is of full length or begins a sentence; of a shorter one it is how many
different words precede it. Below single words lies the uniform distribution over the vocabulary. There are three
discounts for each length, of n-grams that count 1, 2, and 3 or more, by the numbers :math:`n_i` of n-grams that count
:math:`i`:

.. math:: D_i = i - (i + 1) \frac{n_1}{n_1 + 2 n_2} \frac{n_{i+1}}{n_i}

An n-gram that is pruned leaves its whole count to :math:`\gamma`; so the probabilities after any history sum to 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.lm.ngrams.counting import NGramLevel
from polyseme.lm.ngrams.numbered_text import START

Floats = NDArray[np.float64]

DEFAULT_DISCOUNTS = (0.5, 1.0, 1.5)
"""The discounts where the counts of counts give none, as in a text of a few sentences."""


class SmoothedLevel(NamedTuple):
    """What is known of the n-grams of one length, in the order of its :class:`Level`.

    ``backoff`` is the weight of shorter histories after each, 1 where nothing is known to follow.
    """

    kept: NDArray[np.bool_]
    probability: Floats
    backoff: Floats
    discounts: tuple[float, float, float]


def smooth_levels(levels: Sequence[NGramLevel], *, prune: bool = False) -> list[SmoothedLevel]:
    """Probabilities and backoffs; with ``prune``, without n-grams of three words or more that occur once."""
    found: list[SmoothedLevel] = []
    counts = list(adjust_counts(levels))
    shorter = _uniform_distribution(len(levels[0].word))
    for number, (level, count) in enumerate(zip(levels, counts, strict=True)):
        kept = (level.times > 1) if prune and number >= 2 else np.ones(len(count), np.bool_)
        discounts = estimate_discounts(count)
        taken = np.where(kept, np.array([0.0, *discounts])[np.minimum(count, 3)], count)
        size = len(levels[number - 1].word) if number else 1
        total = np.bincount(level.parent, count, size)
        backoff = np.divide(np.bincount(level.parent, taken, size), total, out=np.ones(size), where=total > 0)
        own = (count - taken) / np.maximum(total, 1)[level.parent]
        probability = own + backoff[level.parent] * shorter[level.suffix if number else level.word]
        if found:
            found[-1] = found[-1]._replace(backoff=backoff)
        found.append(SmoothedLevel(kept, probability, np.ones(len(count)), discounts))
        shorter = probability
    return found


def _uniform_distribution(size: int) -> Floats:
    """Every word but the beginning of a sentence, which nothing predicts."""
    found = np.full(size, 1 / (size - 1))
    found[START] = 0
    return found


def adjust_counts(levels: Sequence[NGramLevel]) -> Iterator[NDArray[np.int64]]:
    """The counts of each level that are smoothed: for shorter n-grams, the number of words that precede each."""
    for level, longer in pairwise(levels):
        preceding = np.bincount(longer.suffix, minlength=len(level.word))
        count = np.where(level.begins, level.times, preceding)
        if level is levels[0]:
            count[START] = 0
        yield count
    yield levels[-1].times


def estimate_discounts(counts: NDArray[Any]) -> tuple[float, float, float]:
    """The discounts of n-grams that count 1, 2, and 3 or more.

    >>> estimate_discounts(np.repeat([1, 2, 3, 4], [60, 20, 10, 5]))
    (0.6, 1.1, 1.8)
    >>> estimate_discounts(np.array([1, 1, 2]))
    (0.5, 1.0, 1.5)
    """
    n1, n2, n3, n4 = np.bincount(np.minimum(counts, 5), minlength=6)[1:5].tolist()
    if not (n1 and n2 and n3 and n4):
        return DEFAULT_DISCOUNTS
    share = n1 / (n1 + 2 * n2)
    found = tuple(i - (i + 1) * share * more / of for i, more, of in ((1, n2, n1), (2, n3, n2), (3, n4, n3)))
    usable = all(0 < discount < i for i, discount in enumerate(found, start=1))
    return (found[0], found[1], found[2]) if usable else DEFAULT_DISCOUNTS

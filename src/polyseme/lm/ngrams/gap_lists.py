r"""The words that can fill a gap, sorted by how well they fill it.

A word :math:`w` in a gap between :math:`… a_2 a_1` and :math:`b_1 b_2 …` has the score

.. math:: s(w) = \log p(w|…a_2 a_1) + \log p(b_1|…a_1 w) + \log p(b_2|…w b_1) + …

Let :math:`l` be the longest n-gram :math:`…a_1 w` and :math:`r` the longest n-gram :math:`w b_1…` that the model has.
If the model lacks :math:`a_1 w b_1`, it lacks all longer n-grams around :math:`w`. Then the words left of :math:`w`
affect :math:`b_1 b_2 …` only by backoffs, and the score is a sum of three terms,

.. math:: s(w) = L(l) + R(r) + C

- :math:`L(l)` is :math:`\log p(l)` + the backoffs of the n-grams of two words or more that end :math:`l`, including
  :math:`l`.
- :math:`R(r)` is the sum of :math:`\log p` of the n-grams that begin :math:`r`, without :math:`w`, + the backoff of
  :math:`r`.
- :math:`C` depends only on the lengths of :math:`l` and :math:`r`.

So :math:`L` and :math:`R` of every n-gram are computed once. They sort the words after each history and before each
continuation. A word with a known :math:`a_1 w b_1` is in the list of all words between these two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.arrays import Floats
from polyseme.lm.ngrams.counting import mark_first_of_runs
from polyseme.lm.ngrams.numbered_text import Numbers

if TYPE_CHECKING:
    from polyseme.lm.ngrams.model import NGrams

Bounds = NDArray[np.float32]


class GapLists(NamedTuple):
    r"""Lists of words for each side of a gap, the best first, and the words between two words.

    The first entries of ``after`` and ``before`` are those of no words: all words. The last entries of ``lift`` and
    ``most`` are those of all words. No bound is too low.

    Args:
        after: After node ``n`` come the words ``after[child[n]:child[n + 1]]``.
        after_bound: :math:`L`, by which they are sorted.
        lift: The maximum of :math:`L - \log p(w)` in a list.
        before: Before node ``n`` come the words ``before[tail[n]:tail[n + 1]]``.
        before_bound: :math:`R + \log p(w)`, by which they are sorted: a word's score if the left side is unknown.
        tail: The starts of the lists in ``before``.
        most: The maximum of :math:`R` in a list.
        pairs: Two words as one number.
        pair: Between the words of ``pairs[i]`` are the words ``between[pair[i]:pair[i + 1]]``.
        between: These words.
    """

    after: Numbers
    after_bound: Bounds
    lift: Bounds
    before: Numbers
    before_bound: Bounds
    tail: Numbers
    most: Bounds
    pairs: NDArray[np.int64]
    pair: Numbers
    between: Numbers


class _NodeLevel(NamedTuple):
    """Nodes of one length: their first words, shorter nodes, sums of backoffs and log probabilities, L and R."""

    first: Numbers
    parent: NDArray[Any]
    suffix: NDArray[Any]
    backoffs: Floats
    probabilities: Floats
    left: Floats
    right: Floats


def build_gap_lists(model: NGrams) -> GapLists:
    """Build the lists of a model."""
    trie, size = model.trie, model.ends[0]
    single, backoff = trie.logp[:size].astype(np.float64), trie.backoff[:size].astype(np.float64)
    no_words, zero = np.zeros(size, np.int32), np.zeros(size)
    level = _NodeLevel(np.arange(size, dtype=np.int32), no_words, no_words, zero, zero, single, backoff)
    after: list[tuple[Numbers, Bounds]] = []
    before: list[tuple[Numbers, Bounds]] = []
    lift, most = [np.zeros(1)], [np.array([trie.backoff[:size].max()])]
    pairs = (np.empty(0, np.int64), np.zeros(1, np.int32), np.empty(0, np.int32))
    start = 0
    for number, end in enumerate(model.ends):
        if number:
            level = _longer_level(model, level, start, end)
        last = trie.word[start:end]
        after.append(_sort_by_bound(level.parent, level.left, last))
        before.append(_sort_by_bound(level.suffix, level.right + single[level.first], level.first))
        if number:
            shorter = start - (model.ends[number - 2] if number > 1 else 0)
            lift.insert(-1, _group_maxima(level.parent, level.left - single[last], shorter))
            most.insert(-1, _group_maxima(level.suffix, level.right, shorter))
        if number == 2:
            pairs = _group_middle_words(level.first, trie.word[level.parent + size], last)
        start = end
    sizes = np.bincount(trie.suffix[size:], minlength=len(trie.backoff))
    after_words, after_bounds = map(np.concatenate, zip(*after, strict=True))
    before_words, before_bounds = map(np.concatenate, zip(*before, strict=True))
    lifts, maxima = (_round_up(np.concatenate(values)) for values in (lift, most))
    tail = (size + np.concatenate([[0], np.cumsum(sizes)])).astype(np.int32)
    lists = GapLists(after_words, after_bounds, lifts, before_words, before_bounds, tail, maxima, *pairs)
    for array in lists:
        array.flags.writeable = False
    return lists


def _longer_level(model: NGrams, shorter: _NodeLevel, start: int, end: int) -> _NodeLevel:
    """Return the nodes from ``start`` to ``end``, which are one word longer."""
    trie, first_shorter = model.trie, start - len(shorter.first)
    parent = np.repeat(np.arange(start - first_shorter), np.diff(trie.child[first_shorter : start + 1]))
    suffix = trie.suffix[start:end] - first_shorter
    backoff = trie.backoff[start:end].astype(np.float64) if end <= len(trie.backoff) else np.zeros(end - start)
    logp = trie.logp[start:end].astype(np.float64)
    backoffs, probabilities = backoff + shorter.backoffs[suffix], logp + shorter.probabilities[parent]
    left, right = logp + backoffs, probabilities + backoff
    return _NodeLevel(shorter.first[parent], parent, suffix, backoffs, probabilities, left, right)


def _sort_by_bound(group: NDArray[Any], value: Floats, word: Numbers) -> tuple[Numbers, Bounds]:
    """Sort the words of each group, the best first, and return the bounds that they are sorted by.

    >>> _sort_by_bound(np.array([0, 0, 1]), np.array([-2.0, -1.0, -0.5]), np.array([7, 8, 9], np.int32))
    (array([8, 7, 9], dtype=int32), array([-1. , -2. , -0.5], dtype=float32))
    """
    bound = _round_up(value)
    key = group.astype(np.int64) << 32 | np.abs(bound).view(np.int32)  # bits of floats that are not negative are sorted
    order = np.argsort(key)
    return word[order], bound[order]


def _round_up(value: Floats) -> Bounds:
    """Round values to single precision, none of them down."""
    rounded = value.astype(np.float32)
    return np.where(rounded < value, np.nextafter(rounded, np.float32(np.inf)), rounded)


def _group_maxima(group: NDArray[Any], value: Floats, size: int) -> Floats:
    maxima = np.full(size, -np.inf)
    np.maximum.at(maxima, group, value)
    return maxima


def _group_middle_words(first: Numbers, middle: Numbers, last: Numbers) -> tuple[NDArray[np.int64], Numbers, Numbers]:
    """Group the middle words of n-grams of three words by the words around them."""
    keys = first.astype(np.int64) << 32 | last
    order = np.argsort(keys)
    keys = keys[order]
    starts = np.flatnonzero(mark_first_of_runs(keys)) if len(keys) else np.empty(0, np.int64)
    return keys[starts], np.append(starts, len(keys)).astype(np.int32), middle[order]

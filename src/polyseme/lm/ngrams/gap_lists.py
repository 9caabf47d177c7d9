r"""The words around which a gap can be filled, sorted by how well they fill it.

A word :math:`w` in a gap between :math:`… a_2 a_1` and :math:`b_1 b_2 …` has the score

.. math:: s(w) = \log p(w|…a_2 a_1) + \log p(b_1|…a_1 w) + \log p(b_2|…w b_1) + …

Let :math:`l` be the longest n-gram :math:`…a_1 w` and :math:`r` the longest n-gram :math:`w b_1…` that the model has.
If :math:`a_1 w b_1` is not among its n-grams, neither is anything longer around :math:`w`, and what stands left of
:math:`w` does not matter to :math:`b_1 b_2 …` but for backoffs. The score is then a sum of three,

.. math:: s(w) = L(l) + R(r) + C

where :math:`L(l) = \log p(l)` + the backoffs of the n-grams of two words or more that end :math:`l`, itself included,
:math:`R(r)` the sum of :math:`\log p` of the n-grams that begin :math:`r` but for :math:`w` itself, + the backoff of
:math:`r`, and :math:`C` depends only on the lengths of :math:`l` and :math:`r`. So :math:`L` and :math:`R` of every
n-gram are worked out once, and the words after each history, and before each continuation, are sorted by them. A word
for which :math:`a_1 w b_1` is known is found in the list of all words between these two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.lm.ngrams.counting import mark_first_of_runs

if TYPE_CHECKING:
    from polyseme.lm.ngrams.model import NGrams

Floats = NDArray[np.float64]
Numbers = NDArray[np.int32]
Bounds = NDArray[np.float32]


class GapLists(NamedTuple):
    r"""Lists of words for each side of a gap, best first, and those between two words.

    *After* node ``n`` come the words ``after[child[n]:child[n + 1]]``, by :math:`L`; *before* it stand
    ``before[tail[n]:tail[n + 1]]``, by :math:`R + \log p(w)`, which is a word's score where nothing is known on the
    left. The first entries are those after, and before, nothing: all words. ``lift`` is the most that
    :math:`L - \log p(w)` is in a list, ``most`` the most that :math:`R` is; their last entries are those of all words.
    Between the words of ``pairs[i]``, two numbers in one, stand ``between[pair[i]:pair[i + 1]]``. No bound is less than
    it should be.
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

    @classmethod
    def of(cls, model: NGrams) -> GapLists:
        """The lists of a model."""
        found = _build_lists(model)
        for array in found:
            array.flags.writeable = False
        return found


class _NodeLevel(NamedTuple):
    """Nodes of one length: first and last words, what each is the sum of, and the lists that it is in."""

    first: Numbers
    parent: NDArray[Any]
    suffix: NDArray[Any]
    backoffs: Floats
    probabilities: Floats
    left: Floats
    right: Floats


def _build_lists(model: NGrams) -> GapLists:
    trie, size = model.trie, model.ends[0]
    single = trie.logp[:size].astype(np.float64)
    after: list[tuple[Numbers, Bounds]] = []
    before: list[tuple[Numbers, Bounds]] = []
    lift, most = [np.zeros(1)], [np.array([trie.backoff[:size].max()])]
    pairs = (np.empty(0, np.int64), np.zeros(1, np.int64), np.empty(0, np.int32))
    level, start = _word_level(model), 0
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
            middle = trie.word[level.parent + model.ends[0]]
            pairs = _group_middle_words(level.first, middle, last)
        start = end
    return GapLists(
        np.concatenate([words for words, _ in after]),
        np.concatenate([bounds for _, bounds in after]),
        _round_up(np.concatenate(lift)),
        np.concatenate([words for words, _ in before]),
        np.concatenate([bounds for _, bounds in before]),
        _list_starts(model),
        _round_up(np.concatenate(most)),
        pairs[0],
        pairs[1].astype(np.int32),
        pairs[2],
    )


def _word_level(model: NGrams) -> _NodeLevel:
    size = model.ends[0]
    nothing, zero = np.zeros(size, np.int32), np.zeros(size)
    single, backoff = model.trie.logp[:size].astype(np.float64), model.trie.backoff[:size].astype(np.float64)
    return _NodeLevel(np.arange(size, dtype=np.int32), nothing, nothing, zero, zero, single, backoff)


def _longer_level(model: NGrams, shorter: _NodeLevel, start: int, end: int) -> _NodeLevel:
    """The nodes from ``start`` to ``end``, which are one word longer."""
    trie, before = model.trie, start - len(shorter.first)
    parent = np.repeat(np.arange(start - before), np.diff(trie.child[before : start + 1]))
    suffix = trie.suffix[start:end] - before
    own = trie.backoff[start:end].astype(np.float64) if end <= len(trie.backoff) else np.zeros(end - start)
    logp = trie.logp[start:end].astype(np.float64)
    backoffs, probabilities = own + shorter.backoffs[suffix], logp + shorter.probabilities[parent]
    left, right = logp + backoffs, probabilities + own
    return _NodeLevel(shorter.first[parent], parent, suffix, backoffs, probabilities, left, right)


def _sort_by_bound(group: NDArray[Any], value: Floats, word: Numbers) -> tuple[Numbers, Bounds]:
    """The words of each group, best first, and the values that they are sorted by.

    >>> _sort_by_bound(np.array([0, 0, 1]), np.array([-2.0, -1.0, -0.5]), np.array([7, 8, 9], np.int32))
    (array([8, 7, 9], dtype=int32), array([-1. , -2. , -0.5], dtype=float32))
    """
    bound = _round_up(value)
    key = group.astype(np.int64) << 32 | np.abs(bound).view(np.int32)  # not negative, these are ordered as they are
    order = np.argsort(key)
    return word[order], bound[order]


def _round_up(value: Floats) -> Bounds:
    """The values with less precision, but none less than it was."""
    found = value.astype(np.float32)
    return np.where(found < value, np.nextafter(found, np.float32(np.inf)), found)


def _group_maxima(group: NDArray[Any], value: Floats, size: int) -> Floats:
    found = np.full(size, -np.inf)
    np.maximum.at(found, group, value)
    return found


def _list_starts(model: NGrams) -> Numbers:
    """Where the list of words before each node starts."""
    longer = model.trie.suffix[model.ends[0] :]
    sizes = np.bincount(longer, minlength=len(model.trie.backoff))
    return (model.ends[0] + np.concatenate([[0], np.cumsum(sizes)])).astype(np.int32)


def _group_middle_words(
    first: Numbers, middle: Numbers, last: Numbers
) -> tuple[NDArray[np.int64], NDArray[np.int64], Numbers]:
    """The words between each two."""
    keys = first.astype(np.int64) << 32 | last
    order = np.argsort(keys)
    keys = keys[order]
    starts = np.flatnonzero(mark_first_of_runs(keys)) if len(keys) else np.empty(0, np.int64)
    return keys[starts], np.append(starts, len(keys)), middle[order]

r"""The most likely words in a gap, exactly: FASTSUBS (Yuret 2012).

A word's score is the product of the probabilities of all n-grams that it takes part in,

.. math:: p(w|a_3 a_2 a_1) \, p(b_1|a_2 a_1 w) \, p(b_2|a_1 w b_1) \, p(b_3|w b_1 b_2)

for order 4. :func:`fastsubs` finds the best without scoring the whole vocabulary. It takes words from lists that are
sorted by parts of the score (:mod:`polyseme.lm.ngrams.gap_lists`), always from the list whose other words have the
highest bound. It stops when no other word can be among the best (the threshold algorithm of Fagin, Lotem & Naor 2003).
:func:`exhaustive` scores every word, and gives the same answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.arrays import Floats
from polyseme.lm.ngrams.model import NGrams, Nodes
from polyseme.lm.ngrams.numbered_text import END, SPECIAL_WORDS, START

if TYPE_CHECKING:
    from polyseme.lm.ngrams._fastsubs_loops import GapNodes

WordMask = NDArray[np.bool_]


class Gap(NamedTuple):
    """The words of a sentence before and after a gap; the nearest is the last on the left, the first on the right.

    >>> Gap(("the",), ("of", "england"))
    Gap(left=('the',), right=('of', 'england'))
    """

    left: Sequence[str]
    right: Sequence[str]


class BestWords(NamedTuple):
    """The best words in a gap, the best first: their numbers, log scores to base 10, and how many words were scored."""

    words: Nodes
    scores: Floats
    tried: int


def fastsubs(
    model: NGrams, gaps: Iterable[Gap], count: int = 100, allowed: WordMask | None = None
) -> Iterator[BestWords]:
    """Find the best words in each gap; of equal ones, the more frequent.

    Args:
        model: The model.
        gaps: The gaps.
        count: How many words to find.
        allowed: Which words may be found; by default all but ``<unk>`` and the marks of a sentence.

    >>> model = NGrams.train([["the", "bank", "lends"], ["the", "shop", "lends"], ["a", "bank", "pays"]])
    >>> [best] = fastsubs(model, [Gap(["the"], ["lends"])], 2)
    >>> [model.words[word] for word in best.words], best.scores.round(2).tolist()
    (['shop', 'bank'], [-0.49, -0.51])
    """
    from polyseme.lm.ngrams._fastsubs_loops import search_gap

    mask = ordinary_words(model) if allowed is None else allowed
    seen = np.zeros(len(model.words), np.int64)
    for stamp, gap in enumerate(gaps, start=1):
        nodes = locate_gap(model, gap)
        heap, tried = search_gap(model.trie, model.gaps, nodes, model.order, count, mask, seen, stamp)
        best = sorted((-score, -word) for score, word in heap)
        yield BestWords(np.array([word for _, word in best], np.int64), np.array([-score for score, _ in best]), tried)


def ordinary_words(model: NGrams) -> WordMask:
    """Mark all words but the special ones."""
    return np.arange(len(model.words)) >= len(SPECIAL_WORDS)


def locate_gap(model: NGrams, gap: Gap) -> GapNodes:
    """Find the nodes around a gap."""
    from polyseme.lm.ngrams._fastsubs_loops import find_gap_nodes

    reach = model.order - 1
    left = [START, *(model.number(word) for word in gap.left[-reach:])][-reach:]
    right = [*(model.number(word) for word in gap.right[:reach]), END][:reach]
    nodes: GapNodes = find_gap_nodes(model.trie, np.array(left, np.int64), np.array(right, np.int64))
    return nodes


def search_exhaustively(model: NGrams, gap: Gap, count: int = 100, allowed: WordMask | None = None) -> BestWords:
    """Find the best words by scoring every allowed word: the reference of :func:`fastsubs`."""
    words = np.flatnonzero(ordinary_words(model) if allowed is None else allowed)
    scores = score_words(model, gap, words)
    order = np.lexsort((words, -scores))[:count]
    return BestWords(words[order], scores[order], len(words))


def score_words(model: NGrams, gap: Gap, words: Nodes) -> Floats:
    """Compute the log score of words in a gap."""
    gap_nodes = locate_gap(model, gap)
    nodes = [words]
    total: Floats = model.trie.logp[words].astype(np.float64)
    for history in gap_nodes.left[1:].tolist():
        has_node, longer = nodes[-1] >= 0, np.full(len(words), -1)  # a longer n-gram needs the shorter one
        longer[has_node] = model.find_children(np.full(int(has_node.sum()), history), words[has_node])
        nodes.append(longer)
        total = model.back_off(total, np.full(len(words), history), longer)
    for number, following in enumerate(gap_nodes.words.tolist()):
        scores = np.full(len(words), gap_nodes.base[number])
        for size in range(min(len(nodes), model.order - 1 - number)):
            histories = nodes[size]
            nodes[size] = model.find_children(histories, np.full(len(words), following))
            scores = model.back_off(scores, histories, nodes[size])
        total = total + scores
    return total

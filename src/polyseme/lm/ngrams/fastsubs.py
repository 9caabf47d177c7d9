r"""The most likely words in a gap, exactly: FASTSUBS (Yuret 2012).

A word's score is the product of the probabilities of all n-grams that it takes part in,

.. math:: p(w|a_3 a_2 a_1) \, p(b_1|a_2 a_1 w) \, p(b_2|a_1 w b_1) \, p(b_3|w b_1 b_2)

for order 4. :func:`fastsubs` finds the best without scoring the whole vocabulary: it takes words from lists that are
sorted by parts of the score (:mod:`polyseme.lm.ngrams.gap_lists`), always from the one with the highest bound on
what has not been seen, until no such word can be among the best (the threshold algorithm of Fagin, Lotem & Naor 2003).
:func:`exhaustive` scores every word, and gives the same answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.lm.ngrams.model import NGrams
from polyseme.lm.ngrams.numbered_text import END, SPECIAL_WORDS, START

if TYPE_CHECKING:
    from polyseme.lm.ngrams._fastsubs_loops import GapNodes

Floats = NDArray[np.float64]
Nodes = NDArray[np.int64]
WordMask = NDArray[np.bool_]


class Gap(NamedTuple):
    """The words of a sentence before and after a gap, nearest to it last and first.

    >>> Gap(("the",), ("of", "england"))
    Gap(left=('the',), right=('of', 'england'))
    """

    left: Sequence[str]
    right: Sequence[str]


class BestWords(NamedTuple):
    """The best words in a gap, best first: their numbers, log scores to base 10, and how many words were scored."""

    words: Nodes
    scores: Floats
    tried: int


def fastsubs(
    model: NGrams, gaps: Iterable[Gap], count: int = 100, allowed: WordMask | None = None
) -> Iterator[BestWords]:
    """The ``count`` best words in each gap; of equal ones, those that are more frequent.

    ``allowed`` says which words may be found: by default all but ``<unk>`` and the marks of a sentence.

    >>> model = NGrams.train([["the", "bank", "lends"], ["the", "shop", "lends"], ["a", "bank", "pays"]])
    >>> [best] = fastsubs(model, [Gap(["the"], ["lends"])], 2)
    >>> [model.words[word] for word in best.words], best.scores.round(2).tolist()
    (['shop', 'bank'], [-0.49, -0.51])
    """
    from polyseme.lm.ngrams._fastsubs_loops import search_gap

    may = ordinary_words(model) if allowed is None else allowed
    seen = np.zeros(len(model.words), np.int64)
    for stamp, gap in enumerate(gaps, start=1):
        found, tried = search_gap(model.trie, model.gaps, locate_gap(model, gap), model.order, count, may, seen, stamp)
        best = sorted((-score, -word) for score, word in found)
        yield BestWords(np.array([word for _, word in best], np.int64), np.array([-score for score, _ in best]), tried)


def ordinary_words(model: NGrams) -> WordMask:
    """All words but the special ones."""
    return np.arange(len(model.words)) >= len(SPECIAL_WORDS)


def locate_gap(model: NGrams, gap: Gap) -> GapNodes:
    """What the search must know of a gap."""
    from polyseme.lm.ngrams._fastsubs_loops import find_gap_nodes as placed

    reach = model.order - 1
    left = [START, *(model.number(word) for word in gap.left[-reach:])][-reach:]
    right = [*(model.number(word) for word in gap.right[:reach]), END][:reach]
    found: GapNodes = placed(model.trie, np.array(left, np.int64), np.array(right, np.int64))
    return found


def search_exhaustively(model: NGrams, gap: Gap, count: int = 100, allowed: WordMask | None = None) -> BestWords:
    """The same by scoring every word that is allowed, all at once: what :func:`fastsubs` is compared with."""
    may = ordinary_words(model) if allowed is None else allowed
    words = np.flatnonzero(may)
    scores = score_words(model, gap, words)
    order = np.lexsort((words, -scores))[:count]
    return BestWords(words[order], scores[order], len(words))


def score_words(model: NGrams, gap: Gap, words: Nodes) -> Floats:
    """The log score of each of some words, were it in the gap."""
    given, trie = locate_gap(model, gap), model.trie
    nodes = [words]
    total: Floats = trie.logp[words].astype(np.float64)
    for history in given.left[1:].tolist():
        nodes.append(_extend_nodes(model, np.full(len(words), history), words, nodes[-1]))
        backed = total + (trie.backoff[history] if history >= 0 else 0)
        total = np.where(nodes[-1] >= 0, trie.logp[np.maximum(nodes[-1], 0)], backed)
    for number, following in enumerate(given.words.tolist()):
        value = np.full(len(words), given.base[number])
        for size in range(min(len(nodes), model.order - 1 - number)):
            history_of = nodes[size]
            nodes[size] = model.after(history_of, np.full(len(words), following))
            backed = value + np.where(history_of >= 0, trie.backoff[np.maximum(history_of, 0)], 0)
            value = np.where(nodes[size] >= 0, trie.logp[np.maximum(nodes[size], 0)], backed)
        total = total + value
    return total


def _extend_nodes(model: NGrams, histories: Nodes, words: Nodes, shorter: Nodes) -> Nodes:
    """The nodes of histories followed by words; only where there is one for the shorter history."""
    there = shorter >= 0
    found = np.full(len(words), -1)
    found[there] = model.after(histories[there], words[there])
    return found

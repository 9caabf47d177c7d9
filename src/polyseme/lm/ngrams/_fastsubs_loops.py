"""The loops of FASTSUBS, which numba compiles if it is installed.

Only :mod:`polyseme.lm.ngrams.fastsubs` imports this module, and only when it searches.
"""

from __future__ import annotations

import heapq
from typing import Any, NamedTuple

import numpy as np

from polyseme.compilation import compile_loop

SLACK = 1e-9
"""A margin that is larger than the rounding error of sums in another order."""

WORDS_PER_STEP = 16
"""How many words of a list are scored before the bounds are compared again."""


class GapNodes(NamedTuple):
    """The nodes around a gap.

    Args:
        left: The nodes of the last 0, 1, 2 … words before it; −1 for no words.
        right: The nodes of the first 0, 1, 2 … words after it; −1 for no words.
        words: The numbers of the words after it.
        base: The log probability of each of them after those between it and the gap.
        last: The word just before the gap.
    """

    left: Any
    right: Any
    words: Any
    base: Any
    last: int


@compile_loop
def find_child(trie: Any, node: int, word: int) -> int:
    """Find the node of a history followed by a word, or −1."""
    low, end = trie.child[node], trie.child[node + 1]
    high = end
    while low < high:
        middle = (low + high) // 2
        if trie.word[middle] < word:
            low = middle + 1
        else:
            high = middle
    return low if low < end and trie.word[low] == word else -1


@compile_loop
def find_node(trie: Any, words: Any) -> int:
    """Find the node of an n-gram, or −1."""
    node: int = words[0]
    for word in words[1:]:
        node = find_child(trie, node, word)
        if node < 0:
            break
    return node


@compile_loop
def log_probability(trie: Any, words: Any) -> float:
    """Compute the log probability of the last of some words after the others."""
    value = np.float64(trie.logp[words[-1]])
    for start in range(len(words) - 2, -1, -1):
        history = find_node(trie, words[start:-1])
        if history >= 0:
            node = find_child(trie, history, words[-1])
            value = np.float64(trie.logp[node]) if node >= 0 else value + trie.backoff[history]
    return value


@compile_loop
def find_gap_nodes(trie: Any, left: Any, right: Any) -> Any:
    """Find the nodes around a gap; the words are as many on each side as matter."""
    lefts, rights = np.full(len(left) + 1, -1), np.full(len(right) + 1, -1)
    base = np.zeros(len(right))
    for size in range(1, len(left) + 1):
        lefts[size] = find_node(trie, left[len(left) - size :])
    for size in range(1, len(right) + 1):
        rights[size] = find_node(trie, right[:size])
        base[size - 1] = log_probability(trie, right[:size])
    return GapNodes(lefts, rights, right, base, left[-1])


@compile_loop
def score_word(trie: Any, gap: Any, order: int, nodes: Any, word: int) -> float:
    """Compute the log probability of all n-grams that a word in the gap takes part in.

    ``nodes`` is memory for the nodes of the last 0, 1, 2 … words before the gap, the word, and those after it so far.
    """
    nodes[0] = word
    total = np.float64(trie.logp[word])
    for size in range(1, len(gap.left)):
        history = gap.left[size]
        nodes[size] = -1
        if history >= 0:
            if nodes[size - 1] >= 0:
                nodes[size] = find_child(trie, history, word)
            total = np.float64(trie.logp[nodes[size]]) if nodes[size] >= 0 else total + trie.backoff[history]
    for number in range(len(gap.words)):
        value = gap.base[number]
        for size in range(min(len(gap.left), order - 1 - number)):
            history = nodes[size]
            if history < 0:
                break
            has_shorter = size == 0 or nodes[size - 1] >= 0  # a longer n-gram needs the shorter one
            nodes[size] = find_child(trie, history, gap.words[number]) if has_shorter else -1
            value = np.float64(trie.logp[nodes[size]]) if nodes[size] >= 0 else value + trie.backoff[history]
        total += value
    return total


@compile_loop
def offer_word(heap: Any, count: int, score: float, word: int) -> None:
    """Add a word to the best so far; of two with the same score, the one with the lower number is better."""
    if len(heap) < count:
        heapq.heappush(heap, (score, -word))
    elif (score, -word) > heap[0]:
        heapq.heapreplace(heap, (score, -word))


@compile_loop
def prepare_lists(trie: Any, gaps: Any, gap: Any, at: Any, end: Any, offset: Any, best: Any) -> None:
    """Find the start and end of the list of each history, and then of each continuation, and what it adds to a score.

    ``offset`` is the sum that shorter histories, or the words further right, add; ``best`` is the most that a word of
    the list gains on this side.
    """
    lefts, size = len(gap.left), len(trie.backoff)
    total = 0.0
    for number in range(lefts - 1, -1, -1):
        node = gap.left[number] if number else size
        at[number], end[number], offset[number], best[number] = 0, 0, total, gaps.lift[node]
        if number == 0:
            end[number] = gaps.tail[0]
        elif node >= 0:
            at[number], end[number] = trie.child[node], trie.child[node + 1]
            total += trie.backoff[node]
    total = 0.0
    for number in range(len(gap.right) - 1, -1, -1):
        node, row = gap.right[number] if number else size, lefts + number
        at[row], end[row], offset[row], best[row] = 0, 0, total, gaps.most[node]
        if number == 0:
            end[row] = gaps.tail[0]
        elif node >= 0:
            at[row], end[row] = gaps.tail[node], gaps.tail[node + 1]
        if number:
            total += gap.base[number - 1]


@compile_loop
def count_above(bounds: Any, start: int, end: int, limit: float) -> int:
    """Count the entries of a part of a list that are not below a limit."""
    low, high = start, end
    while low < high:
        middle = (low + high) // 2
        if bounds[middle] >= limit:
            low = middle + 1
        else:
            high = middle
    return low - start


@compile_loop
def find_best_list(gaps: Any, lefts: int, at: Any, end: Any, offset: Any, best: Any, least: float) -> Any:
    """Find the highest score that an unseen word may have, and the list to search for it.

    A word is in a list of each side. Its score is bounded by the next entry of one and the best of the other, both
    ways. The list to continue with is the one with fewer words whose bound is not below ``least``.
    """
    top, one, other = -np.inf, -1, -1
    for left in range(lefts):
        if at[left] == end[left]:
            continue
        for right in range(lefts, len(at)):
            if at[right] == end[right]:
                continue
            by_left = gaps.after_bound[at[left]] + best[right]
            by_right = gaps.before_bound[at[right]] + best[left]
            bound = offset[left] + offset[right] + min(by_left, by_right)
            if bound > top:
                top, one, other = bound, left, right
    if one < 0 or top < least:
        return top, -1
    gap_limit = least - offset[one] - offset[other]
    by_left = count_above(gaps.after_bound, at[one], end[one], gap_limit - best[other])
    by_right = count_above(gaps.before_bound, at[other], end[other], gap_limit - best[one])
    return top, one if by_left < by_right else other


@compile_loop
def find_words_between(gaps: Any, last: int, following: int) -> Any:
    """Find the words between two words in the n-grams of the model."""
    key = np.int64(last) << 32 | np.int64(following)
    number = np.searchsorted(gaps.pairs, key)
    if number == len(gaps.pairs) or gaps.pairs[number] != key:
        return gaps.between[:0]
    return gaps.between[gaps.pair[number] : gaps.pair[number + 1]]


@compile_loop
def search_gap(trie: Any, gaps: Any, gap: Any, order: int, count: int, allowed: Any, seen: Any, stamp: int) -> Any:
    """Find the best words in a gap, as pairs of score and negative number in no order, and count the scored words.

    ``allowed`` says which words may be found; ``seen[word] == stamp`` marks those that were scored.
    """
    lefts, lists = len(gap.left), len(gap.left) + len(gap.right)
    at, end = np.zeros(lists, np.int64), np.zeros(lists, np.int64)
    offset, best = np.zeros(lists), np.zeros(lists)
    nodes = np.zeros(order + 1, np.int64)
    heap = [(0.0, 0) for _ in range(0)]
    tried = 0
    for word in find_words_between(gaps, gap.last, gap.words[0]):
        seen[word] = stamp
        if allowed[word]:
            offer_word(heap, count, score_word(trie, gap, order, nodes, word), word)
            tried += 1
    prepare_lists(trie, gaps, gap, at, end, offset, best)
    while True:
        least = heap[0][0] - SLACK if len(heap) == count else -np.inf
        _, chosen = find_best_list(gaps, lefts, at, end, offset, best, least)
        if chosen < 0:
            return heap, tried
        words = gaps.after if chosen < lefts else gaps.before
        stop = min(at[chosen] + WORDS_PER_STEP, end[chosen])
        for position in range(at[chosen], stop):
            word = words[position]
            if seen[word] != stamp and allowed[word]:
                offer_word(heap, count, score_word(trie, gap, order, nodes, word), word)
                tried += 1
            seen[word] = stamp
        at[chosen] = stop

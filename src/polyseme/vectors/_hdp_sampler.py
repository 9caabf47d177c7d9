"""Gibbs sampling of a hierarchical Dirichlet process by direct assignment (Teh et al. 2006, §5.3 and appendix A).

numba compiles the loops where it is installed. A correct sampler returns the prior where words carry no information,
and finds planted topics whatever their number: the tests require both. By contrast, tomotopy 0.14 seats each
document at one table, whatever α₀ is, and ends with as many topics as it starts with.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import lgamma
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.arrays import Floats, Ints
from polyseme.compilation import compile_loop

INITIAL_ROOM = 256
"""The number of topics for which there is room at first."""

LEAST_INITIAL_GAMMA = 10.0
"""The least γ of the first round: too many topics merge, but a topic is hardly ever split."""

FACTORS = 32
"""The number of factors of a product before its logarithm is taken."""


class TopicSample(NamedTuple):
    """Counts of topics × words, the total of each topic, and the concentrations γ and α₀."""

    words: NDArray[np.int32]
    total: NDArray[np.int64]
    gamma: float
    alpha: float


class _TopicCounts(NamedTuple):
    """Counts of documents × topics, words × topics and topics; the shares of topics, the last one for new topics."""

    by_document: Any
    by_word: Any
    total: Any
    beta: Any


def sample_topics(
    tokens: Ints, rows: Ints, size: int, means: tuple[float, float], eta: float, seed: int
) -> Iterator[TopicSample]:
    """Yield a sample of the topics of words, round after round; a sample is valid until the next.

    A round redraws the topic of each word. Then it redraws, in each document, the topic of several words of one topic
    together: without this, two topics of the same meaning take thousands of rounds to merge. γ and α₀ are redrawn in
    each round, with priors Gamma(1, 1/mean).

    Args:
        tokens: The words, as numbers below ``size``.
        rows: The document of each word.
        size: The number of distinct words.
        means: The prior means of γ and α₀.
        eta: The prior of each word in a topic.
        seed: The random seed.
    """
    rng = np.random.default_rng(seed)
    tokens = tokens[np.lexsort((tokens, rows))]  # equal words of a document are neighbours
    sizes = np.bincount(rows)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    topic, topics = np.full(len(tokens), -1), 0
    gamma, alpha, counts = max(means[0], LEAST_INITIAL_GAMMA), means[1], _empty_counts(len(sizes), size, INITIAL_ROOM)
    while True:
        while _sweep_words(tokens, rows, topic, counts, (gamma, alpha, eta), topics, rng) < 0:
            counts, topics = _double_room(counts), int(topic.max()) + 1
        counts, topics = _sort_topics(counts, topic)
        _move_blocks(tokens, starts, topic, counts, (alpha, eta), topics, rng)
        seats = _draw_tables(counts.by_document, counts.beta, alpha, topics, rng)
        gamma = _draw_gamma(gamma, means[0], topics, seats.sum(), rng)
        alpha = _draw_alpha(alpha, means[1], seats.sum(), sizes, rng)
        shares = rng.standard_gamma([*seats, gamma])
        counts.beta[:] = 0.0
        counts.beta[:topics], counts.beta[-1] = shares[:-1] / shares.sum(), shares[-1] / shares.sum()
        yield TopicSample(counts.by_word[:, :topics].T, counts.total[:topics], gamma, alpha)


def _empty_counts(documents: int, size: int, room: int) -> _TopicCounts:
    by_document, by_word = (np.zeros((length, room), np.int32) for length in (documents, size))
    beta = np.zeros(room + 1)
    beta[-1] = 1.0
    return _TopicCounts(by_document, by_word, np.zeros(room, np.int64), beta)


def _double_room(counts: _TopicCounts) -> _TopicCounts:
    """The same counts with room for twice as many topics."""
    room = len(counts.total)
    wider = _empty_counts(len(counts.by_document), len(counts.by_word), 2 * room)
    wider.by_document[:, :room], wider.by_word[:, :room] = counts.by_document, counts.by_word
    wider.total[:room] = counts.total
    wider.beta[:room], wider.beta[-1] = counts.beta[:-1], counts.beta[-1]
    return wider


def _sort_topics(counts: _TopicCounts, topic: Ints) -> tuple[_TopicCounts, int]:
    """The counts with the largest topics first, and the number of topics: empty ones would cost time for each word."""
    order = np.argsort(-counts.total, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    topic[:] = place[topic]
    beta = np.append(counts.beta[order], counts.beta[-1])
    ordered = _TopicCounts(counts.by_document[:, order], counts.by_word[:, order], counts.total[order], beta)
    return ordered, int((counts.total > 0).sum())


def _draw_alpha(alpha: float, mean: float, seats: float, sizes: Ints, rng: np.random.Generator) -> float:
    """Redraw α₀, given the number of tables."""
    log_left = np.log(rng.beta(alpha + 1, sizes)).sum()
    single = (rng.random(len(sizes)) * (sizes + alpha) < sizes).sum()
    return float(rng.gamma(1 + seats - single, 1 / (1 / mean - log_left)))


def _draw_gamma(gamma: float, mean: float, topics: int, seats: float, rng: np.random.Generator) -> float:
    """Redraw γ, given the number of topics and of tables. (Escobar & West 1995)"""
    rate = 1 / mean - np.log(rng.beta(gamma + 1, seats))
    odds = topics / (seats * rate)
    increment = rng.random() * (1 + odds) < odds
    return float(rng.gamma(topics + increment, 1 / rate))


@compile_loop
def _sweep_words(tokens: Any, rows: Any, topic: Any, counts: _TopicCounts, priors: Any, topics: int, rng: Any) -> int:
    """Redraw the topic of each word; return the number of topics, or −1 if there is no room for another.

    The last share of topics is left for new ones. ``priors`` are γ, α₀ and η. The first ``topics`` topics are in use;
    some may be empty. A word without a topic has −1.
    """
    by_document, by_word, total, beta = counts
    gamma, alpha, eta = priors
    size, room = by_word.shape
    sums = np.empty(room)
    share = alpha * beta[:room]
    per_word = 1 / (total + size * eta)  # divisions are slow, and few of these change
    for place in range(len(tokens)):
        word, row, old = tokens[place], rows[place], topic[place]
        if old >= 0:
            by_document[row, old] -= 1
            by_word[word, old] -= 1
            total[old] -= 1
            per_word[old] = 1 / (total[old] + size * eta)
            if total[old] == 0:
                beta[room] += beta[old]
                beta[old] = share[old] = 0.0
        summed = 0.0
        for other in range(topics):
            summed += (by_document[row, other] + share[other]) * (by_word[word, other] + eta) * per_word[other]
            sums[other] = summed
        threshold = rng.random() * (summed + alpha * beta[room] / size)
        new = 0
        while new < topics and sums[new] <= threshold:
            new += 1
        if new == topics:  # a new topic, at the first free position
            new = 0
            while new < topics and total[new] > 0:
                new += 1
            if new == room:
                topic[place] = -1
                return -1
            topics = max(topics, new + 1)
            beta[new] = (1 - rng.random() ** (1 / gamma)) * beta[room]  # a share from Beta(1, γ)
            beta[room] -= beta[new]
            share[new] = alpha * beta[new]
        topic[place] = new
        by_document[row, new] += 1
        by_word[word, new] += 1
        total[new] += 1
        per_word[new] = 1 / (total[new] + size * eta)
    return topics


@compile_loop
def _move_blocks(
    tokens: Any, starts: Any, topic: Any, counts: _TopicCounts, priors: Any, topics: int, rng: Any
) -> None:
    """Redraw, in each document, the topic of a word and all others of the same topic, among topics it does not have.

    A move must be reversible; otherwise the draws are not those of the model. So the document must have no words of the
    new topic, and the old topic must not become empty. For the same reason, words are not selected by their topic.
    """
    by_document, by_word, total, beta = counts
    alpha, eta = priors
    whole = len(by_word) * eta
    for row in range(len(by_document)):
        first, last = starts[row], starts[row + 1]
        old = topic[first + int(rng.random() * (last - first))]
        size = by_document[row, old]
        if size == total[old]:
            continue
        members = first + np.flatnonzero(topic[first:last] == old)
        _count_words(tokens, members, by_word, total, old, -1)
        weights = _log_likelihoods(tokens[members], by_word, eta, topics)
        for other in range(topics):
            if other == old or (total[other] > 0 and by_document[row, other] == 0):
                weights[other] += lgamma(total[other] + whole) - lgamma(total[other] + whole + size)
                weights[other] += lgamma(alpha * beta[other] + size) - lgamma(alpha * beta[other])
            else:
                weights[other] = -np.inf
        sums = np.cumsum(np.exp(weights - weights.max()))
        new = min(np.searchsorted(sums, rng.random() * sums[-1], side="right"), topics - 1)
        _count_words(tokens, members, by_word, total, new, 1)
        topic[members] = new
        by_document[row, old], by_document[row, new] = 0, size


@compile_loop
def _log_likelihoods(words: Any, by_word: Any, eta: float, topics: int) -> Floats:
    """Σ log (n_kw + η) over words for each topic k, while n_kw grows by these words; equal words are neighbours.

    Logarithms are slow: they are taken of products, with so few factors that these stay within bounds.
    """
    logs, product = np.zeros(topics), np.ones(topics)
    before = 0
    for at in range(len(words)):
        before = before + 1 if at and words[at] == words[at - 1] else 0
        for other in range(topics):
            product[other] *= by_word[words[at], other] + eta + before
        if at % FACTORS == FACTORS - 1:
            logs += np.log(product)
            product[:] = 1.0
    return logs + np.log(product)


@compile_loop
def _count_words(tokens: Any, members: Any, by_word: Any, total: Any, topic: int, step: int) -> None:
    """Add words to the counts of a topic (step 1), or remove them (step −1)."""
    for place in members:
        by_word[tokens[place], topic] += step
        total[topic] += step


@compile_loop
def _draw_tables(by_document: Any, beta: Any, alpha: float, topics: int, rng: Any) -> Floats:
    """Draw the number of tables of each topic."""
    tables = np.zeros(topics)
    for row in range(len(by_document)):
        for other in range(topics):
            weight = alpha * beta[other]
            for seated in range(by_document[row, other]):
                if rng.random() * (weight + seated) < weight:
                    tables[other] += 1
    return tables

"""Gibbs sampling of a hierarchical Dirichlet process by direct assignment (Teh et al. 2006, §5.3 and appendix A).

The loops are compiled where numba is installed; elsewhere they run as they are, with the same results. A sampler that
is right gives the prior back where words tell nothing, and finds planted topics whatever their number: tests hold ours
to both. (tomotopy 0.14 seats each document at one table, whatever α₀ is, and ends with as many topics as it has first.)
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
"""How many topics there is room for, to begin with."""

LEAST_INITIAL_GAMMA = 10.0
"""The least γ of the first round: topics that are too many become one, but one is hardly ever made two."""

FACTORS = 32
"""Of how many counts the product is taken before its logarithm."""


class TopicSample(NamedTuple):
    """Counts of topics × words, how many words each topic has in all, and the concentrations γ and α₀."""

    words: NDArray[np.int32]
    total: NDArray[np.int64]
    gamma: float
    alpha: float


class _TopicCounts(NamedTuple):
    """Documents × topics, words × topics and topics; and the shares of topics, the last of them for new ones."""

    of: Any
    by: Any
    total: Any
    beta: Any


def sample_topics(
    tokens: Ints, rows: Ints, size: int, means: tuple[float, float], eta: float, seed: int
) -> Iterator[TopicSample]:
    """Topics of words, given as numbers below ``size``, in documents, the ``rows`` of the words; round after round.

    In a round, the topic of each word is drawn anew, and then, in each document, that of several words of one topic
    together: without this it takes thousands of rounds until two topics that mean the same are one. γ and α₀ are drawn
    anew in each round, with priors Gamma(1, 1/mean). A sample is good until the next.
    """
    rng = np.random.default_rng(seed)
    tokens = tokens[np.lexsort((tokens, rows))]  # equal words of a document follow each other
    sizes = np.bincount(rows)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    topic, used = np.full(len(tokens), -1), 0
    gamma, alpha, counts = max(means[0], LEAST_INITIAL_GAMMA), means[1], _empty_counts(len(sizes), size, INITIAL_ROOM)
    while True:
        while _sweep_words(tokens, rows, topic, *counts, (gamma, alpha, eta), used, rng) < 0:
            counts, used = _double_room(counts), int(topic.max()) + 1
        counts, used = _sort_topics(counts, topic)
        _move_blocks(tokens, starts, topic, *counts, (alpha, eta), used, rng)
        seats = _draw_tables(counts.of, counts.beta, alpha, used, rng)
        gamma = _draw_gamma(gamma, means[0], used, seats.sum(), rng)
        alpha = _draw_alpha(alpha, means[1], seats.sum(), sizes, rng)
        shares = rng.standard_gamma([*seats, gamma])
        counts.beta[:] = 0.0
        counts.beta[:used], counts.beta[-1] = shares[:-1] / shares.sum(), shares[-1] / shares.sum()
        yield TopicSample(counts.by[:, :used].T, counts.total[:used], gamma, alpha)


def _empty_counts(documents: int, size: int, room: int) -> _TopicCounts:
    of, by = (np.zeros((length, room), np.int32) for length in (documents, size))
    beta = np.zeros(room + 1)
    beta[-1] = 1.0
    return _TopicCounts(of, by, np.zeros(room, np.int64), beta)


def _double_room(counts: _TopicCounts) -> _TopicCounts:
    """The same with room for twice as many topics."""
    room = len(counts.total)
    made = _empty_counts(len(counts.of), len(counts.by), 2 * room)
    made.of[:, :room], made.by[:, :room], made.total[:room] = counts.of, counts.by, counts.total
    made.beta[:room], made.beta[-1] = counts.beta[:-1], counts.beta[-1]
    return made


def _sort_topics(counts: _TopicCounts, topic: Ints) -> tuple[_TopicCounts, int]:
    """The largest topics first, and how many there are: empty ones would be looked at for each word."""
    order = np.argsort(-counts.total, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    topic[:] = place[topic]
    beta = np.append(counts.beta[order], counts.beta[-1])
    made = _TopicCounts(counts.of[:, order], counts.by[:, order], counts.total[order], beta)
    return made, int((counts.total > 0).sum())


def _draw_alpha(alpha: float, mean: float, seats: float, sizes: Ints, rng: np.random.Generator) -> float:
    """α₀ anew, given at how many tables the documents' words sit."""
    log_left = np.log(rng.beta(alpha + 1, sizes)).sum()
    single = (rng.random(len(sizes)) * (sizes + alpha) < sizes).sum()
    return float(rng.gamma(1 + seats - single, 1 / (1 / mean - log_left)))


def _draw_gamma(gamma: float, mean: float, topics: int, seats: float, rng: np.random.Generator) -> float:
    """γ anew, given how many topics are served at so many tables (Escobar & West 1995)."""
    rate = 1 / mean - np.log(rng.beta(gamma + 1, seats))
    odds = topics / (seats * rate)
    more = rng.random() * (1 + odds) < odds
    return float(rng.gamma(topics + more, 1 / rate))


@compile_loop
def _sweep_words(
    tokens: Any, rows: Any, topic: Any, of: Any, by: Any, total: Any, beta: Any, priors: Any, used: int, rng: Any
) -> int:
    """Draw the topic of each word anew; how many topics there are then, or −1 if there was no room for more.

    ``beta`` are the shares of topics in all documents, and last what is left for new ones; ``priors`` are γ, α₀ and η.
    Topics are the first ``used``, of which some may be empty. A word that has no topic has −1.
    """
    gamma, alpha, eta = priors
    size, room = by.shape
    sums = np.empty(room)
    share = alpha * beta[:room]
    per_word = 1 / (total + size * eta)  # divisions are slow, and few of these change
    for place in range(len(tokens)):
        word, row, old = tokens[place], rows[place], topic[place]
        if old >= 0:
            of[row, old] -= 1
            by[word, old] -= 1
            total[old] -= 1
            per_word[old] = 1 / (total[old] + size * eta)
            if total[old] == 0:
                beta[room] += beta[old]
                beta[old] = share[old] = 0.0
        summed = 0.0
        for each in range(used):
            summed += (of[row, each] + share[each]) * (by[word, each] + eta) * per_word[each]
            sums[each] = summed
        drawn = rng.random() * (summed + alpha * beta[room] / size)
        new = 0
        while new < used and sums[new] <= drawn:
            new += 1
        if new == used:  # a new topic, in the first place that is free
            new = 0
            while new < used and total[new] > 0:
                new += 1
            if new == room:
                topic[place] = -1
                return -1
            used = max(used, new + 1)
            beta[new] = (1 - rng.random() ** (1 / gamma)) * beta[room]  # a share from Beta(1, γ)
            beta[room] -= beta[new]
            share[new] = alpha * beta[new]
        topic[place] = new
        of[row, new] += 1
        by[word, new] += 1
        total[new] += 1
        per_word[new] = 1 / (total[new] + size * eta)
    return used


@compile_loop
def _move_blocks(
    tokens: Any, starts: Any, topic: Any, of: Any, by: Any, total: Any, beta: Any, priors: Any, used: int, rng: Any
) -> None:
    """Draw the topic anew, in each document, of a word and all others of the same topic, among topics it has not got.

    With other words of the new topic, or if the old one were empty then, one could not come back from it, and the draws
    would not be those of the model; nor if the words were chosen by their topic.
    """
    alpha, eta = priors
    whole = len(by) * eta
    for row in range(len(of)):
        first, last = starts[row], starts[row + 1]
        old = topic[first + int(rng.random() * (last - first))]
        many = of[row, old]
        if many == total[old]:
            continue
        members = first + np.flatnonzero(topic[first:last] == old)
        _count_words(tokens, members, by, total, old, -1)
        weights = _log_likelihoods(tokens[members], by, eta, used)
        for each in range(used):
            if each == old or (total[each] > 0 and of[row, each] == 0):
                weights[each] += lgamma(total[each] + whole) - lgamma(total[each] + whole + many)
                weights[each] += lgamma(alpha * beta[each] + many) - lgamma(alpha * beta[each])
            else:
                weights[each] = -np.inf
        sums = np.cumsum(np.exp(weights - weights.max()))
        new = min(np.searchsorted(sums, rng.random() * sums[-1], side="right"), used - 1)
        _count_words(tokens, members, by, total, new, 1)
        topic[members] = new
        of[row, old], of[row, new] = 0, many


@compile_loop
def _log_likelihoods(words: Any, by: Any, eta: float, used: int) -> Floats:
    """Σ log (n_kw + η) over words for each topic k, as n_kw grows by these; equal words follow each other.

    Logarithms are slow: they are taken of products, of so few factors that these stay within bounds.
    """
    found, product = np.zeros(used), np.ones(used)
    before = 0
    for at in range(len(words)):
        before = before + 1 if at and words[at] == words[at - 1] else 0
        for each in range(used):
            product[each] *= by[words[at], each] + eta + before
        if at % FACTORS == FACTORS - 1:
            found += np.log(product)
            product[:] = 1.0
    return found + np.log(product)


@compile_loop
def _count_words(tokens: Any, members: Any, by: Any, total: Any, topic: int, step: int) -> None:
    """Count the words as of a topic, or no longer."""
    for place in members:
        by[tokens[place], topic] += step
        total[topic] += step


@compile_loop
def _draw_tables(of: Any, beta: Any, alpha: float, used: int, rng: Any) -> Floats:
    """At how many tables each topic is served."""
    found = np.zeros(used)
    for row in range(len(of)):
        for each in range(used):
            weight = alpha * beta[each]
            for seated in range(of[row, each]):
                if rng.random() * (weight + seated) < weight:
                    found[each] += 1
    return found

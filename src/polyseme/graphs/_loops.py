"""The loops of graph clusterings, compiled where numba is installed.

Only the modules of this package import this one, and only when they run.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from polyseme.compilation import FloatArray, IntegerArray, compile_loop

PRIME = 2**31 - 1


@compile_loop
def _draw(state: Any, limit: int) -> int:
    """Draw a random number below a limit, the same on every machine and in every version. (Park & Miller 1988)"""
    state[0] = state[0] * 48271 % PRIME
    return int(state[0] % limit)


def initial_state(seed: int) -> int:
    """The initial state of the random numbers, for a seed of any size."""
    return (seed % (PRIME - 1) + 1) * 16807 % PRIME


@compile_loop
def whisper(ends: IntegerArray, neighbours: IntegerArray, weights: FloatArray, rounds: int, start: int) -> IntegerArray:
    """The labels of nodes after Chinese Whispers; ``start`` is the state of :func:`initial_state`."""
    size = len(ends) - 1
    state = np.array([start], np.int64)
    for _ in range(10):
        _draw(state, 2)
    labels = np.arange(size)
    order = np.arange(size)
    scores = np.zeros(size)
    for _ in range(rounds):
        for place in range(size - 1, 0, -1):
            other = _draw(state, place + 1)
            order[place], order[other] = order[other], order[place]
        changed = False
        for node in order:
            start, stop = ends[node], ends[node + 1]
            if start == stop:
                continue
            for edge in range(start, stop):
                scores[labels[neighbours[edge]]] += weights[edge]
            best, ties, chosen = -1.0, 0, labels[node]
            for edge in range(start, stop):
                label = labels[neighbours[edge]]
                score = scores[label]
                if score < 0:  # this label was compared before
                    continue
                if score > best:
                    best, ties, chosen = score, 1, label
                elif score == best:
                    ties += 1
                    if _draw(state, ties) == 0:
                        chosen = label
                scores[label] = -1.0
            for edge in range(start, stop):
                scores[labels[neighbours[edge]]] = 0.0
            if chosen != labels[node]:
                labels[node] = chosen
                changed = True
        if not changed:
            break
    return labels


@compile_loop
def _find_root(parent: IntegerArray, node: int) -> int:
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node


@compile_loop
def merge_links(
    ends: IntegerArray,
    neighbours: IntegerArray,
    edge_numbers: IntegerArray,
    first: IntegerArray,
    second: IntegerArray,
) -> Any:
    """The edges of a maximum spanning tree of links, from pairs of nodes, the most similar first.

    A pair of nodes merges the links to each neighbour that both have. A row of the result is two links and the pair
    that merged them; each row merges what was separate before.
    """
    size = len(neighbours) // 2
    parent = np.arange(size)
    merges = np.empty((max(size - 1, 0), 3), np.int64)
    count = 0
    for pair in range(len(first)):
        one, other = first[pair], second[pair]
        if ends[one + 1] - ends[one] > ends[other + 1] - ends[other]:
            one, other = other, one
        low = ends[other]
        for edge in range(ends[one], ends[one + 1]):
            node = neighbours[edge]
            high = ends[other + 1]
            while low < high:
                middle = (low + high) // 2
                if neighbours[middle] < node:
                    low = middle + 1
                else:
                    high = middle
            if low == ends[other + 1]:
                break
            if neighbours[low] == node:
                a, b = _find_root(parent, edge_numbers[edge]), _find_root(parent, edge_numbers[low])
                if a != b:
                    parent[b] = a
                    merges[count, 0], merges[count, 1], merges[count, 2] = edge_numbers[edge], edge_numbers[low], pair
                    count += 1
                    if count == size - 1:
                        return merges
    return merges[:count]

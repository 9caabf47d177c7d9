"""Local search for correlation clustering: join, move, disturb, and keep what is better."""

from __future__ import annotations

import heapq
from collections import defaultdict, deque
from collections.abc import Iterable
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from polyseme.arrays import Ints

if TYPE_CHECKING:
    from scipy.sparse import csr_array

SMALLEST_GAIN = 1e-9
"""A gain that is smaller is none, but the rounding of sums."""

MAX_TORN_NODES = 12
"""How many nodes at most are torn out of their clusters at once."""

MAX_DISTURBANCES = 20_000
"""How many disturbances at most are tried on one component."""

Neighbours = list[list[tuple[int, float]]]


def search_partition(weights: csr_array, rounds: int, dice: Random) -> Ints:
    """A partition of the nodes of a symmetric matrix that no small change makes better."""
    neighbours = _list_neighbours(weights)
    state = _Partition(neighbours, _join_greedily(neighbours))
    state.improve(range(len(neighbours)))
    for _ in range(min(MAX_DISTURBANCES, rounds * len(neighbours))):
        if state.disturb(dice):
            state.improve(range(len(neighbours)))
    return np.array(state.labels, np.intp)


def _list_neighbours(weights: csr_array) -> Neighbours:
    columns, values = weights.indices.tolist(), weights.data.tolist()
    ends = weights.indptr.tolist()
    return [
        [pair for pair in zip(columns[start:end], values[start:end], strict=True) if pair[1]]
        for start, end in pairwise(ends)
    ]


def _join_greedily(neighbours: Neighbours) -> list[int]:
    """Greedy joining: the two clusters with the greatest weight between them, as long as it is positive."""
    between = [dict(each) for each in neighbours]
    heap = [
        (-weight, one, two) for one, each in enumerate(neighbours) for two, weight in each if one < two and weight > 0
    ]
    heapq.heapify(heap)
    into = list(range(len(neighbours)))
    while heap:
        weight, one, two = heapq.heappop(heap)
        if between[one].get(two) != -weight:
            continue  # one of them has been joined to another, and the weight is no longer this
        if len(between[one]) < len(between[two]):
            one, two = two, one
        into[two] = one
        _join_clusters(between, one, two, heap)
    return [_find_root(into, node) for node in range(len(into))]


def _join_clusters(between: list[dict[int, float]], one: int, two: int, heap: list[tuple[float, int, int]]) -> None:
    """Give one cluster the edges of another."""
    del between[one][two]
    for other, weight in between[two].items():
        if other == one:
            continue
        del between[other][two]
        total = between[one].get(other, 0.0) + weight
        between[one][other] = between[other][one] = total
        if total > 0:
            heapq.heappush(heap, (-total, min(one, other), max(one, other)))
    between[two] = {}


def _find_root(into: list[int], node: int) -> int:
    while into[node] != node:
        into[node] = into[into[node]]
        node = into[node]
    return node


class _Partition:
    """Clusters that change, with a memory of what they were before the last disturbance."""

    def __init__(self, neighbours: Neighbours, labels: list[int]) -> None:
        self.neighbours = neighbours
        self.labels = labels
        self.members: dict[int, set[int]] = defaultdict(set)
        for node, label in enumerate(labels):
            self.members[label].add(node)
        self.fresh = max(labels) + 1
        self.gain = 0.0
        self.past: list[tuple[int, int]] = []

    def disturb(self, dice: Random) -> bool:
        """Tear neighbouring nodes out of their clusters and move nodes; go back if that made it worse.

        Whether it is better than before; what is as good is kept, too, for it may lead on.
        """
        self.gain, self.past = 0.0, []
        torn = self._some_neighbours(dice)
        together, alone = dice.random() < 0.5, self._new()
        own = {alone}
        for node in torn:
            self._move(node, alone)
            alone = alone if together else self._new()
            own.add(alone)
        self._moves(deque(torn))
        self._joins({label for label in own if label in self.members})
        if self.gain < -SMALLEST_GAIN:
            for node, label in reversed(self.past):
                self._put(node, label)
        return self.gain > SMALLEST_GAIN

    def _some_neighbours(self, dice: Random) -> list[int]:
        """A few nodes, each of which is a neighbour of one before."""
        found = [dice.randrange(len(self.labels))]
        for _ in range(dice.randrange(MAX_TORN_NODES)):
            around = self.neighbours[found[dice.randrange(len(found))]]
            found.append(around[dice.randrange(len(around))][0])
        return list(dict.fromkeys(found))

    def improve(self, nodes: Iterable[int]) -> None:
        """Move nodes, and then join clusters, as long as that is better."""
        waiting = deque(nodes)
        while waiting:
            self._moves(waiting)
            waiting = deque(self._joins(set(self.members)))

    def _moves(self, waiting: deque[int]) -> None:
        """Move each node to the cluster it agrees with most; its neighbours are then looked at again."""
        queued = set(waiting)
        while waiting:
            node = waiting.popleft()
            queued.discard(node)
            if (target := self._best(node)) is None:
                continue
            self._move(node, target)
            for other, _ in self.neighbours[node]:
                if other not in queued:
                    queued.add(other)
                    waiting.append(other)

    def _best(self, node: int) -> int | None:
        """The cluster to which a node had better move, a new one perhaps; none if it is well where it is."""
        own, sums = self.labels[node], self._sums(node)
        here = sums.pop(own, 0.0)
        target, there = max(sums.items(), key=lambda pair: (pair[1], -pair[0]), default=(-1, 0.0))
        if there <= 0:
            target, there = -1, 0.0
        if there <= here + SMALLEST_GAIN:
            return None
        return target if target >= 0 else self._new()

    def _joins(self, labels: set[int]) -> list[int]:
        """Join clusters to the one they agree with most; the nodes that changed."""
        changed: list[int] = []
        for label in sorted(labels):
            while label in self.members and (target := self._friend(label)) is not None:
                small, large = sorted((label, target), key=lambda each: (len(self.members[each]), each))
                moved = sorted(self.members[small])
                for node in moved:
                    self._move(node, large)
                changed += moved
                label = large
        return changed

    def _friend(self, label: int) -> int | None:
        """The other cluster that a cluster agrees with most, if the two had better be one."""
        sums: dict[int, float] = defaultdict(float)
        for node in sorted(self.members[label]):
            for other, weight in self.neighbours[node]:
                sums[self.labels[other]] += weight
        sums.pop(label, None)
        target, weight = max(sums.items(), key=lambda pair: (pair[1], -pair[0]), default=(-1, 0.0))
        return target if weight > SMALLEST_GAIN else None

    def _sums(self, node: int) -> dict[int, float]:
        """The weight between a node and each cluster of its neighbours."""
        sums: dict[int, float] = {}
        for other, weight in self.neighbours[node]:
            label = self.labels[other]
            sums[label] = sums.get(label, 0.0) + weight
        return sums

    def _move(self, node: int, target: int) -> None:
        sums = self._sums(node)
        self.gain += sums.get(target, 0.0) - sums.get(self.labels[node], 0.0)
        self.past.append((node, self.labels[node]))
        self._put(node, target)

    def _put(self, node: int, target: int) -> None:
        own = self.members[self.labels[node]]
        own.discard(node)
        if not own:
            del self.members[self.labels[node]]
        self.labels[node] = target
        self.members[target].add(node)

    def _new(self) -> int:
        self.fresh += 1
        return self.fresh

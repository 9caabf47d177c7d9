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
"""A smaller gain is a rounding error."""

MAX_TORN_NODES = 12
"""How many nodes are torn out of their clusters at once."""

MAX_DISTURBANCES = 20_000
"""How many disturbances of one component are tried."""

Neighbours = list[list[tuple[int, float]]]


def search_partition(weights: csr_array, rounds: int, random: Random) -> Ints:
    """Find a partition of the nodes of a symmetric matrix that no small change makes better.

    Args:
        weights: The weights of the edges, without zeros.
        rounds: How many disturbances are tried for each node.
        random: The source of random numbers.
    """
    columns, values = weights.indices.tolist(), weights.data.tolist()
    ends = pairwise(weights.indptr.tolist())
    neighbours = [list(zip(columns[start:end], values[start:end], strict=True)) for start, end in ends]
    partition = _Partition(neighbours, _join_greedily(neighbours))
    partition.improve()
    for _ in range(min(MAX_DISTURBANCES, rounds * len(neighbours))):
        if partition.disturb(random):
            partition.improve()
    return np.array(partition.labels, np.intp)


def _join_greedily(neighbours: Neighbours) -> list[int]:
    """Join the two clusters with the greatest weight between them, as long as it is positive."""
    between = [dict(others) for others in neighbours]
    edges = ((one, two, weight) for one, others in enumerate(neighbours) for two, weight in others)
    heap = [(-weight, one, two) for one, two, weight in edges if one < two and weight > 0]
    heapq.heapify(heap)
    members = {node: [node] for node in range(len(neighbours))}
    while heap:
        weight, one, two = heapq.heappop(heap)
        if between[one].get(two) != -weight:
            continue  # one of them was joined to another, which changed the weight
        if len(between[one]) < len(between[two]):
            one, two = two, one
        members[one] += members.pop(two)
        _join_clusters(between, one, two, heap)
    labels = {node: label for label, nodes in members.items() for node in nodes}
    return [labels[node] for node in range(len(neighbours))]


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


class _Partition:
    """Clusters that change, and what they were before the last disturbance."""

    def __init__(self, neighbours: Neighbours, labels: list[int]) -> None:
        self.neighbours, self.labels = neighbours, labels
        self.members: dict[int, set[int]] = defaultdict(set)
        for node, label in enumerate(labels):
            self.members[label].add(node)
        self.last_label = max(labels) + 1
        self.gain = 0.0
        self.history: list[tuple[int, int]] = []

    def disturb(self, random: Random) -> bool:
        """Tear neighbouring nodes out of their clusters and move nodes; undo it if that is worse.

        Returns:
            Whether it is better than before. An equal partition stays, too, as it may lead to a better one.
        """
        self.gain, self.history = 0.0, []
        torn = self._draw_neighbours(random)
        one_cluster, label = random.random() < 0.5, self._new_label()
        new_labels = {label}
        for node in torn:
            self._move(node, label)
            label = label if one_cluster else self._new_label()
            new_labels.add(label)
        self._move_nodes(deque(torn))
        self._join_to_best({label for label in new_labels if label in self.members})
        if self.gain < -SMALLEST_GAIN:
            for node, label in reversed(self.history):
                self._relabel(node, label)
        return self.gain > SMALLEST_GAIN

    def _draw_neighbours(self, random: Random) -> list[int]:
        """Draw a few nodes, each of them a neighbour of one before."""
        nodes = [random.randrange(len(self.labels))]
        for _ in range(random.randrange(MAX_TORN_NODES)):
            edges = self.neighbours[nodes[random.randrange(len(nodes))]]
            nodes.append(edges[random.randrange(len(edges))][0])
        return list(dict.fromkeys(nodes))

    def improve(self) -> None:
        """Move nodes, and then join clusters, as long as that is better."""
        waiting = deque(range(len(self.labels)))
        while waiting:
            self._move_nodes(waiting)
            waiting = deque(self._join_to_best(set(self.members)))

    def _move_nodes(self, waiting: deque[int]) -> None:
        """Move each node to the cluster it agrees with most; then its neighbours are examined again."""
        queued = set(waiting)
        while waiting:
            node = waiting.popleft()
            queued.discard(node)
            sums = self._sum_weights([node])
            current_weight = sums.pop(self.labels[node], 0.0)
            target, weight = _find_maximum(sums)
            if max(weight, 0.0) <= current_weight + SMALLEST_GAIN:
                continue
            self._move(node, target if weight > 0 else self._new_label())
            for other, _ in self.neighbours[node]:
                if other not in queued:
                    queued.add(other)
                    waiting.append(other)

    def _join_to_best(self, labels: set[int]) -> list[int]:
        """Join clusters to the one they agree with most, and return the nodes that changed."""
        changed: list[int] = []
        for label in sorted(labels):
            while label in self.members:
                sums = self._sum_weights(sorted(self.members[label]))
                sums.pop(label, None)
                target, weight = _find_maximum(sums)
                if weight <= SMALLEST_GAIN:
                    break
                small, large = sorted((label, target), key=lambda name: (len(self.members[name]), name))
                nodes = sorted(self.members[small])
                for node in nodes:
                    self._move(node, large)
                changed += nodes
                label = large
        return changed

    def _sum_weights(self, nodes: Iterable[int]) -> dict[int, float]:
        """Sum the weights between nodes and each cluster of their neighbours."""
        sums: dict[int, float] = {}
        for node in nodes:
            for other, weight in self.neighbours[node]:
                label = self.labels[other]
                sums[label] = sums.get(label, 0.0) + weight
        return sums

    def _move(self, node: int, target: int) -> None:
        """Move a node to another cluster, and record the move and its gain."""
        sums = self._sum_weights([node])
        self.gain += sums.get(target, 0.0) - sums.get(self.labels[node], 0.0)
        self.history.append((node, self.labels[node]))
        self._relabel(node, target)

    def _relabel(self, node: int, target: int) -> None:
        members = self.members[self.labels[node]]
        members.discard(node)
        if not members:
            del self.members[self.labels[node]]
        self.labels[node] = target
        self.members[target].add(node)

    def _new_label(self) -> int:
        self.last_label += 1
        return self.last_label


def _find_maximum(sums: dict[int, float]) -> tuple[int, float]:
    """Return the cluster with the greatest weight, and the weight; of equal ones, the lower number."""
    return max(sums.items(), key=lambda pair: (pair[1], -pair[0]), default=(-1, 0.0))

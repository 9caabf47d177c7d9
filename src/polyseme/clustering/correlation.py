"""Correlation clustering of rows: similar rows attract each other, dissimilar ones repel, whatever the number."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.clustering.agglomerative import Agglomerative
from polyseme.clustering.clusterer import refuse_weights
from polyseme.errors import InputError
from polyseme.matrices import dot_products, renumber_clusters, with_metric
from polyseme.parts import CheckedOptions, Ranges

ROW_LIMIT = 10_000
"""The greatest number of rows: all pairs are compared, and 10,000 rows take 1 GB."""

SWEEPS = 50
"""How often a search goes over all rows, at most."""

SMALLEST_GAIN = 1e-9
"""A smaller gain is a rounding error."""

HALVES_MINIMUM = 8
"""Fewer rows are not halved: halves of three rows say nothing about a cluster."""

OVERLAP = 0.5
"""A cluster recurs in a half if a cluster there shares this part of their union (Jaccard 1912; Hennig 2007)."""


@dataclass(frozen=True)
class CorrelationClusters(CheckedOptions):
    """Correlation clustering: rows with a cosine above a threshold attract each other, others repel each other.

    Among all partitions it looks for the one with the greatest Σ (cos − ``threshold``) over pairs in one cluster, so
    the pairs themselves decide how many clusters there are, one included. (Bansal, Blum & Chawla 2004) Each search
    starts from single rows, moves rows one by one and merges clusters, as long as that helps. Where a number is
    asked for, average linkage gives it.

    Args:
        threshold: The cosine that separates similar rows from dissimilar ones.
        restarts: How many searches, each with another order of rows, are made. The best result counts.
        seed: The random seed of these orders.

    >>> rows = np.repeat(np.eye(2), [3, 2], axis=0) + 0.2
    >>> CorrelationClusters(0.7)(rows).tolist(), CorrelationClusters(0.3)(rows).tolist()
    ([0, 0, 0, 1, 1], [0, 0, 0, 0, 0])
    """

    kind: ClassVar[str] = "clusterer"
    decides_number: ClassVar[bool] = True
    ranges: ClassVar[Ranges] = {"threshold": (-inf, inf), "restarts": (1, inf), "seed": (0, inf)}
    threshold: float = 0.5
    restarts: int = 5
    seed: int = 0

    def __call__(self, matrix: Any, number: int | None = None, weights: Floats | None = None) -> Ints:
        """The cluster of each row."""
        refuse_weights(self, weights)
        if number is not None:
            return Agglomerative("average", "cosine")(matrix, number)
        return cluster_signed_pairs(self.signed_pairs(matrix), self.restarts, self.seed)

    def signed_pairs(self, matrix: Any) -> Floats:
        """The weight of each pair of rows: its cosine less the threshold."""
        rows = with_metric(matrix, "cosine")
        if rows.shape[0] > ROW_LIMIT:
            problem = f"CorrelationClusters compares all pairs of {rows.shape[0]:,} rows"
            raise InputError(f"{problem}; {ROW_LIMIT:,} rows are the most it can take")
        pairs = dot_products(rows, rows)
        pairs -= self.threshold
        np.fill_diagonal(pairs, 0.0)
        return pairs


def cluster_signed_pairs(pairs: Floats, restarts: int = 5, seed: int = 0) -> Ints:
    """Find a partition with a great weight of the pairs within clusters.

    :func:`~polyseme.clustering.correlation_clustering.cluster_by_correlation` does the same for sparse graphs, and
    proves optima; this one is some 50 times as fast where all pairs have a weight.

    Args:
        pairs: The weights of all pairs: a symmetric matrix with zeros on the diagonal.
        restarts: How many searches are made.
        seed: The random seed of the orders of rows.

    >>> cluster_signed_pairs(np.array([[0, 2, -3], [2, 0, 1], [-3, 1, 0.0]])).tolist()
    [0, 0, 1]
    """
    rng, size = np.random.default_rng(seed), len(pairs)
    best, best_weight = np.zeros(size, np.intp), pairs.sum()
    for _ in range(restarts if size > 1 else 0):
        labels = _search(pairs, rng)
        weight = weight_within(pairs, labels)
        if weight > best_weight + SMALLEST_GAIN:
            best, best_weight = labels, weight
    return renumber_clusters(best)


def weight_within(pairs: Floats, labels: Ints) -> float:
    """Sum the weights of the ordered pairs within clusters: twice those of unordered ones.

    >>> weight_within(np.array([[0, 2, -3], [2, 0, 1], [-3, 1, 0.0]]), np.array([0, 0, 1]))
    4.0
    """
    return float((pairs * (labels[:, None] == labels)).sum())


def _search(pairs: Floats, rng: np.random.Generator) -> Ints:
    """Move rows and merge clusters, from single rows, until nothing helps."""
    labels = np.arange(len(pairs))
    for _ in range(SWEEPS):
        moved = _move_rows(pairs, labels, rng)
        merged = _merge_clusters(pairs, labels)
        if np.array_equal(merged, labels) and not moved:
            break
        labels = merged
    return labels


def _move_rows(pairs: Floats, labels: Ints, rng: np.random.Generator) -> bool:
    """Move each row, in a random order, to the cluster that it is most attracted to; or to one of its own."""
    size, moved = len(labels), False
    for row in rng.permutation(size).tolist():
        attraction = np.bincount(labels, pairs[row], size + 1)
        own = labels[row]
        best = int(attraction.argmax())
        if attraction[best] <= SMALLEST_GAIN and attraction[own] < -SMALLEST_GAIN:
            best = int(np.flatnonzero(np.bincount(labels, minlength=size + 1) == 0)[0])
        if attraction[best] > attraction[own] + SMALLEST_GAIN:
            labels[row], moved = best, True
    return moved


def _merge_clusters(pairs: Floats, labels: Ints) -> Ints:
    """Merge the two clusters that attract each other most, as long as two do."""
    numbers = np.unique(labels, return_inverse=True)[1].astype(np.intp)
    members = np.equal.outer(np.arange(numbers.max() + 1), numbers).astype(float)
    between = members @ pairs @ members.T
    np.fill_diagonal(between, -inf)
    while between.size > 1:
        one, two = np.unravel_index(int(between.argmax()), between.shape)
        if between[one, two] <= SMALLEST_GAIN:
            break
        between[one] += between[two]
        between[:, one] = between[one]
        between[one, one] = between[two] = between[:, two] = -inf
        numbers[numbers == two] = one
    return numbers


def merge_small_clusters(pairs: Floats, labels: Ints, smallest: float) -> Ints:
    """Merge clusters with too few rows into the large one that attracts them most; never all of them.

    >>> pairs = np.array([[0, 2, -1, -3], [2, 0, -1, -3], [-1, -1, 0, -3], [-3, -3, -3, 0.0]])
    >>> merge_small_clusters(pairs, np.array([0, 0, 1, 2]), 2).tolist()
    [0, 0, 0, 0]
    """
    sizes = np.bincount(labels)
    large = np.flatnonzero(sizes >= smallest)
    if len(large) in (0, len(sizes)):
        return labels
    members = np.equal.outer(np.arange(len(sizes)), labels).astype(float)
    attraction = (members @ pairs @ members[large].T) / sizes[large]
    target = np.where(sizes >= smallest, np.arange(len(sizes)), large[attraction.argmax(axis=1)])
    return renumber_clusters(target[labels])


def recurrence(pairs: Floats, labels: Ints, halves: int = 20, seed: int = 0) -> Floats:
    """Measure how often each cluster recurs if only a random half of the rows is clustered. (Hennig 2007)

    Clusters of a half that are smaller than a quarter of the smallest cluster of all rows are merged.

    Args:
        pairs: The weights of all pairs.
        labels: The cluster of each row.
        halves: The number of random halves.
        seed: The random seed of the halves.

    Returns:
        For each cluster the share of the halves in which a cluster covers half of its union with it; NaN for all if
        there are too few rows. A cluster without rows in a half does not count there.

    >>> pairs = np.where(np.equal.outer(np.arange(12) % 2, np.arange(12) % 2), 1.0, -1.0)
    >>> recurrence(pairs, np.arange(12) % 2).tolist()
    [1.0, 1.0]
    """
    size, number = len(labels), int(labels.max(initial=-1)) + 1
    if size < HALVES_MINIMUM or not halves:
        return np.full(number, np.nan)
    rng, hits, trials = np.random.default_rng(seed), np.zeros(number), np.zeros(number)
    smallest = np.bincount(labels).min() / 4
    for half in range(halves):
        rows = np.sort(rng.permutation(size)[: -(-size // 2)])
        inside = pairs[np.ix_(rows, rows)]
        clusters = merge_small_clusters(inside, cluster_signed_pairs(inside, 1, half), smallest)
        shared = np.zeros((number, int(clusters.max()) + 1))
        np.add.at(shared, (labels[rows], clusters), 1)
        union = shared.sum(axis=1, keepdims=True) + shared.sum(axis=0) - shared
        trials += shared.any(axis=1)
        hits += (shared / union).max(axis=1) >= OVERLAP
    shares: Floats = np.divide(hits, trials, out=np.full(number, np.nan), where=trials > 0)
    return shares

"""Agglomerative clustering: the two nearest clusters merge, again and again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, Literal

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.clustering.clusterer import refuse_weights, require_number
from polyseme.matrices import (
    Metric,
    count_distinct_rows,
    dot_products,
    is_sparse,
    renumber_clusters,
    squared_lengths,
    with_metric,
)
from polyseme.parts import check_options, check_ranges

Linkage = Literal["average", "complete", "single", "ward"]

BLOCK_ROWS = 256
"""The number of rows whose distances to the others are computed at a time."""


class TreeClusterer(ABC):
    """A clusterer that builds one tree of merges and cuts it at any number of clusters."""

    metric: Metric

    @abstractmethod
    def merges(self, matrix: Any) -> Floats:
        """The tree, in the form of :func:`scipy.cluster.hierarchy.linkage`.

        Each line is a merge, the nearest first: two clusters, their distance, and how many rows they have together.
        Clusters below n are rows; n and more are the earlier merges, in order.
        """

    def __call__(self, matrix: Any, number: int | None = None, weights: Floats | None = None) -> Ints:
        """The cluster of each row, for this number of clusters."""
        refuse_weights(self, weights)
        number = count_distinct_rows(with_metric(matrix, self.metric), require_number(self, number))
        return cut_tree(self.merges(matrix), number) if np.shape(matrix)[0] else np.zeros(0, np.intp)

    def solutions(self, matrix: Any, most: int, weights: Floats | None = None) -> Iterator[Ints]:
        """Yield the clusters for 1, 2, … clusters, up to ``most`` or the number of distinct rows."""
        refuse_weights(self, weights)
        tree = self.merges(matrix)
        for number in range(1, count_distinct_rows(with_metric(matrix, self.metric), most) + 1):
            yield cut_tree(tree, number)


@dataclass(frozen=True)
class Agglomerative(TreeClusterer):
    """Merge the two nearest clusters until there are enough, or the next two are too far apart. (Sokal & Michener 1958)

    Equal rows are never separated. scipy builds the tree. It needs 16 bytes for each pair of rows: 0.4 GB for 7,000
    rows, 3.2 GB for 20,000.

    Args:
        linkage: The distance of two clusters. ``average``, ``complete`` and ``single`` are the mean, the greatest and
            the least distance of a row of one to a row of the other. ``ward`` is √(2ab/(a+b)) |A − B|, with the means A
            and B of a and b rows (Ward 1963).
        metric: The distance of two rows: 1 − cos, which is 1 from a row of zeros, or the Euclidean one. With
            ``cosine``, ward takes the rows with length 1.
        threshold: Clusters that are farther apart than this do not merge. It counts where no number of clusters is
            given.

    >>> Agglomerative()([[5, 1], [0, 2], [3, 0], [1, 7]], 2).tolist()
    [0, 1, 0, 1]
    >>> Agglomerative("single", "euclidean", threshold=1.5)([[0], [1], [4], [2]]).tolist()
    [0, 0, 1, 0]
    >>> Agglomerative("ward", "euclidean").merges([[0], [1], [4]]).round(3).tolist()
    [[0.0, 1.0, 1.0, 2.0], [2.0, 3.0, 4.041, 3.0]]
    """

    kind: ClassVar[str] = "clusterer"
    linkage: Linkage = "average"
    metric: Metric = "cosine"
    threshold: float | int | None = None

    def __post_init__(self) -> None:
        check_options(self)
        if self.threshold is not None:
            check_ranges(self, threshold=(0, inf))

    def __call__(self, matrix: Any, number: int | None = None, weights: Floats | None = None) -> Ints:
        """The cluster of each row, for this number of clusters; without one, as the threshold decides."""
        if number is not None or self.threshold is None or not np.shape(matrix)[0]:
            return super().__call__(matrix, 1 if number is None and self.threshold is not None else number, weights)
        refuse_weights(self, weights)
        return cut_tree(self.merges(matrix), threshold=self.threshold)

    def merges(self, matrix: Any) -> Floats:
        """The tree, in the form of :func:`scipy.cluster.hierarchy.linkage`."""
        from scipy.cluster.hierarchy import linkage

        rows = with_metric(matrix, self.metric)
        if rows.shape[0] < 2:
            return np.zeros((0, 4))
        if self.metric == "euclidean" and not is_sparse(rows):
            rows = rows - rows.mean(axis=0)  # differences of small numbers are more precise
        metric: Metric = "euclidean" if self.linkage == "ward" else self.metric
        tree: Floats = linkage(_condensed_distances(rows, metric), self.linkage)
        return tree


def _condensed_distances(rows: Any, metric: Metric) -> Floats:
    """The distance of each pair of rows: those of the first row to later ones, then those of the second, …"""
    size, lengths = rows.shape[0], squared_lengths(rows)
    distances = np.empty(size * (size - 1) // 2)
    position = 0
    for start in range(0, size, BLOCK_ROWS):
        block = slice(start, start + BLOCK_ROWS)
        products = dot_products(rows[block], rows[start:])
        to_distances = _cosine_distances if metric == "cosine" else _euclidean_distances
        for row, values in enumerate(to_distances(products, lengths[block], lengths[start:])):
            count = size - start - row - 1
            distances[position : position + count] = values[row + 1 :]
            position += count
    return distances


def _cosine_distances(products: Floats, lengths: Floats, other_lengths: Floats) -> Floats:
    """1 − cos, from the products of unit rows; rows of zeros are equal."""
    np.subtract(1, products, out=products)
    products[np.flatnonzero(lengths == 0)[:, None], other_lengths == 0] = 0
    return np.maximum(products, 0, out=products)


def _euclidean_distances(products: Floats, lengths: Floats, other_lengths: Floats) -> Floats:
    """√(|x|² + |y|² − 2xy), from the products and squared lengths."""
    products *= -2
    products += lengths[:, None]
    products += other_lengths
    return np.sqrt(np.maximum(products, 0, out=products), out=products)


def cut_tree(merges: Floats, number: int | None = None, *, threshold: float = 0.0) -> Ints:
    """Cut a tree into this number of clusters, or at a distance, and return the cluster of each row.

    >>> tree = Agglomerative("single", "euclidean").merges([[0], [1], [4]])
    >>> cut_tree(tree, 2).tolist(), cut_tree(tree, threshold=0.5).tolist()
    ([0, 0, 1], [0, 1, 2])
    """
    size = len(merges) + 1
    count = int(np.searchsorted(merges[:, 2], threshold, "right")) if number is None else max(size - number, 0)
    roots = list(range(size + count))
    for merge in range(count - 1, -1, -1):
        roots[int(merges[merge, 0])] = roots[int(merges[merge, 1])] = roots[size + merge]
    return renumber_clusters(roots[:size])

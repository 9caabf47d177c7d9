"""Agglomerative clustering: the two nearest clusters are merged, again and again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, Literal

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.matrices import count_distinct_rows, refuse_weights, renumber_clusters, require_number, with_metric
from polyseme.parts import check_options, check_ranges

Linkage = Literal["average", "complete", "single", "ward"]


@dataclass(frozen=True)
class Agglomerative:
    """Merge the two nearest clusters until there are enough, or the next two are too far apart. (Sokal & Michener 1958)

    How far two clusters are apart is the mean, the greatest or the least distance of a row of one to a row of the other
    (``average``, ``complete``, ``single``), or √(2ab/(a+b)) |A − B|, with the means A and B of a and b rows (``ward``;
    Ward 1963). A distance is 1 − cos, and 1 from a row of zeros, or the Euclidean one; ward with ``cosine`` takes the
    rows with length 1. The tree is cut at a number of clusters; without one, at a ``threshold``: what is farther apart
    stays apart. Rows that are the same are never separated.

    Up to 8,192 rows scipy makes the tree. Above, numbers are in single precision: average link by cosine and ward of
    dense rows, and single link of all, need memory for the rows only; the others, n²/2 distances, which are 800 MB for
    20,000 rows.

    >>> Agglomerative()([[5, 1], [0, 2], [3, 0], [1, 7]], 2).tolist()
    [0, 1, 0, 1]
    >>> Agglomerative("single", "euclidean", threshold=1.5)([[0], [1], [4], [2]]).tolist()
    [0, 0, 1, 0]
    """

    kind: ClassVar[str] = "clusterer"
    linkage: Linkage = "average"
    metric: Literal["cosine", "euclidean"] = "cosine"
    threshold: float | int | None = None

    def __post_init__(self) -> None:
        check_options(self)
        if self.threshold is not None:
            check_ranges(self, threshold=(0, inf))

    def __call__(self, matrix: Any, number: int | None = None, weights: Floats | None = None) -> Ints:
        """The cluster of each row, of so many clusters or as the threshold says."""
        refuse_weights(self, weights)
        by_distance = number is None and self.threshold is not None
        most = 1 if by_distance else count_distinct_rows(with_metric(matrix, self.metric), require_number(self, number))
        if not np.shape(matrix)[0]:
            return np.zeros(0, np.intp)
        return cut_tree(self.merges(matrix), None if by_distance else most, threshold=self.threshold or 0.0)

    def solutions(self, matrix: Any, most: int, weights: Floats | None = None) -> Iterator[Ints]:
        """The clusters of each row for 1, 2, … clusters, up to so many or as many as there are different rows."""
        refuse_weights(self, weights)
        tree = self.merges(matrix)
        for number in range(1, count_distinct_rows(with_metric(matrix, self.metric), most) + 1):
            yield cut_tree(tree, number)

    def merges(self, matrix: Any) -> Floats:
        """The tree, as :func:`scipy.cluster.hierarchy.linkage` gives it.

        There is a line for each merge, the nearest first: two clusters, their distance, and how many rows they have
        together. Clusters below n are rows; n and more are those merged before, in order.

        >>> Agglomerative("ward", "euclidean").merges([[0], [1], [4]]).round(3).tolist()
        [[0.0, 1.0, 1.0, 2.0], [2.0, 3.0, 4.041, 3.0]]
        """
        from polyseme.clustering import _linkage

        rows = with_metric(matrix, self.metric)
        if rows.shape[0] < 2:
            return np.zeros((0, 4))
        if rows.shape[0] <= _linkage.SCIPY_LIMIT:
            return _linkage.scipy_linkage(rows, self.linkage, self.metric)
        return build_tree(*_linkage.merge_rows(rows.astype(np.float32), self.linkage, self.metric))


def build_tree(pairs: Ints, heights: Floats) -> Floats:
    """A tree from merges in any order, each named by a row of either cluster.

    >>> build_tree(np.array([[0, 2], [0, 1]]), np.array([4.0, 1.0])).tolist()
    [[0.0, 1.0, 1.0, 2.0], [2.0, 3.0, 4.0, 3.0]]
    """
    size = len(pairs) + 1
    parent, sizes = list(range(2 * size - 1)), [1] * (2 * size - 1)
    order = np.argsort(heights, kind="stable")
    found = np.empty((len(pairs), 4))
    for merge, (one, other) in enumerate(pairs[order].tolist()):
        low, high = sorted((_find_root(parent, one), _find_root(parent, other)))
        parent[low] = parent[high] = size + merge
        sizes[size + merge] = sizes[low] + sizes[high]
        found[merge] = low, high, heights[order[merge]], sizes[size + merge]
    return found


def _find_root(parent: list[int], node: int) -> int:
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node


def cut_tree(merges: Floats, number: int | None = None, *, threshold: float = 0.0) -> Ints:
    """The cluster of each row in a tree that is cut into so many clusters, or above a distance.

    >>> tree = Agglomerative("single", "euclidean").merges([[0], [1], [4]])
    >>> cut_tree(tree, 2).tolist(), cut_tree(tree, threshold=0.5).tolist()
    ([0, 0, 1], [0, 1, 2])
    """
    size = len(merges) + 1
    done = int(np.searchsorted(merges[:, 2], threshold, "right")) if number is None else max(size - number, 0)
    roots = list(range(size + done))
    for merge in range(done - 1, -1, -1):
        roots[int(merges[merge, 0])] = roots[int(merges[merge, 1])] = roots[size + merge]
    return renumber_clusters(roots[:size])

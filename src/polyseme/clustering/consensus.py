"""Clusters on which many clusterings agree."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.clustering.agglomerative import Agglomerative, TreeClusterer
from polyseme.clustering.clusterer import ClustererOption, as_clusterer
from polyseme.errors import InputError
from polyseme.matrices import (
    Metric,
    dot_products,
    hstack_blocks,
    is_sparse,
    number_distinct_rows,
    unit_rows,
    with_metric,
)
from polyseme.parts import check_options, check_ranges

ROW_LIMIT = 10_000
"""The greatest number of rows: all pairs are compared, and 10,000 rows take some 3 GB."""

COMPACTION_LIMIT = 2_000
"""Up to this number of rows, it pays to find fewer columns with the same cosines."""

TIE_WEIGHT = 1e-3
"""The weight of the cosine where the clusterings do not decide."""


@dataclass(frozen=True)
class Consensus(TreeClusterer):
    """Clusters of rows that are often together when a clusterer is run on many random samples of the rows.

    (Fred & Jain 2005; Monti et al. 2003)

    Each draw clusters a sample of the rows; then each row, drawn or not, goes to the nearest mean, by cosine. Two rows
    are as similar as the share of draws that put them together. Average linkage builds a tree from these similarities,
    which is cut at the number of clusters. Average linkage splits off single rows, but different ones in each draw, so
    here they rejoin the rest. The size of samples is limited, so more rows do not mean more rows that are split off.

    Args:
        of: The clusterer of each draw.
        draws: The number of draws.
        share: The share of rows that is drawn.
        sample: The greatest number of rows that is drawn, but no less than the number of clusters.
        fewest: The least number of clusters of a draw.
        most: The greatest number of clusters of a draw.
        seed: The random seed.

    >>> rows = np.repeat(np.eye(3, 20), 15, axis=0) + np.random.default_rng(0).random((45, 20)) / 5
    >>> Consensus(draws=20)(rows, 3).tolist()[::15]
    [0, 1, 2]
    """

    kind: ClassVar[str] = "clusterer"
    metric: ClassVar[Metric] = "cosine"  # type: ignore[misc]
    of: ClustererOption = Agglomerative()
    draws: int = 100
    share: float = 0.8
    sample: int = 80
    fewest: int = 5
    most: int = 8
    seed: int = 0

    def __post_init__(self) -> None:
        as_clusterer(self.of)
        check_options(self)
        check_ranges(self, draws=(1, inf), share=(1e-6, 1), sample=(1, inf), fewest=(1, inf), most=(self.fewest, inf))

    def merges(self, matrix: Any) -> Floats:
        """The tree, in the form of :func:`scipy.cluster.hierarchy.linkage`."""
        from scipy.cluster.hierarchy import linkage
        from scipy.spatial.distance import squareform

        rows = _compact(_add_empty_dimension(with_metric(matrix, "cosine")))
        if rows.shape[0] < 2:
            return np.zeros((0, 4))
        distances = dot_products(rows, rows)
        distances *= -TIE_WEIGHT
        distances += 1 + TIE_WEIGHT
        distances -= self.coassociation(rows)
        np.fill_diagonal(distances, 0)
        tree: Floats = linkage(squareform(distances, checks=False).clip(0), "average")
        return tree

    def coassociation(self, rows: Any) -> Floats:
        """The share of draws in which two rows are in one cluster, for each pair."""
        from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

        rng, clusterer, size = np.random.default_rng(self.seed), as_clusterer(self.of), rows.shape[0]
        counts = np.zeros((size, size), np.float32)
        with threadpool_limits(1):  # the products are small, and on a busy machine threads wait for each other
            for _ in range(self.draws):
                number = int(rng.integers(self.fewest, self.most + 1))
                count = max(min(round(self.share * size), self.sample), number)
                sample = rng.permutation(size)[:count]
                labels = _assign_to_nearest(rows, sample, np.asarray(clusterer(rows[sample], number)))
                counts += labels[:, None] == labels
        return counts / self.draws


def _add_empty_dimension(rows: Any) -> Any:
    """Give rows of zeros a dimension of their own: they are similar to each other, and to nothing else.

    >>> _add_empty_dimension(np.array([[0.0, 1.0], [0.0, 0.0]])).tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    empty = np.asarray(abs(rows).sum(axis=1)).reshape(-1, 1) == 0
    return hstack_blocks([rows, empty.astype(float)]) if empty.any() else rows


def _compact(rows: Any) -> Any:
    """Reduce the columns to as many as there are rows, with the same cosines, if that is quick: draws are faster."""
    size = rows.shape[0]
    if size > ROW_LIMIT:
        raise InputError(f"Consensus compares all pairs of {size:,} rows; {ROW_LIMIT:,} rows are the most it can take")
    if size > (COMPACTION_LIMIT if is_sparse(rows) else min(COMPACTION_LIMIT, rows.shape[1])):
        return rows
    values, vectors = np.linalg.eigh(dot_products(rows, rows))
    numbers = number_distinct_rows(rows)
    first = np.unique(numbers, return_index=True)[1][numbers]
    return np.asarray((vectors * np.sqrt(values.clip(0)))[first])  # equal rows stay equal to the last bit


def _assign_to_nearest(rows: Any, sample: Ints, labels: Ints) -> Ints:
    """Assign all rows to the nearest cluster of the drawn ones; the first of those that are equally near."""
    clustered = labels >= 0
    if not clustered.any():
        return np.zeros(rows.shape[0], np.intp)
    members = np.equal.outer(np.arange(labels.max() + 1), labels[clustered]).astype(float)
    nearest: Ints = dot_products(rows, unit_rows(members @ rows[sample[clustered]])).round(9).argmax(axis=1)
    return nearest

"""Clusters on which many clusterings agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.clustering.agglomerative import Agglomerative, cut_tree
from polyseme.clustering.clusterer import as_clusterer
from polyseme.errors import InputError
from polyseme.matrices import (
    count_distinct_rows,
    dot_products,
    is_sparse,
    number_distinct_rows,
    refuse_weights,
    require_number,
    unit_rows,
    with_metric,
)
from polyseme.parts import check_options, check_ranges

ROW_LIMIT = 10_000
"""How many rows there can be: each two of them are compared, and 10,000 take some 3 GB."""

COMPACTION_LIMIT = 2_000
"""Up to so many rows it is worth while to find fewer columns with the same cosines."""

TIE_WEIGHT = 1e-3
"""What the cosine counts for where clusterings do not decide."""


@dataclass(frozen=True)
class Consensus:
    """Rows that are in one cluster however often a clusterer is asked, each time about other rows.

    (Fred & Jain 2005; Monti et al. 2003)

    ``draws`` times a ``share`` of the rows is drawn, ``sample`` of them at most (but no fewer than there are to be
    clusters), and clustered by ``of`` into ``fewest`` to ``most`` clusters; then each row, drawn or not, goes to the
    nearest mean, by cosine. How often two rows were together is how similar they are; the tree of average link over
    this is cut at the number of clusters. A clusterer that sets single rows apart, as average link does, sets others
    apart each time, and what is left is what stays together. As the samples do not grow with the rows, it sets no more
    of them apart where there are more.

    >>> rows = np.repeat(np.eye(3, 20), 15, axis=0) + np.random.default_rng(0).random((45, 20)) / 5
    >>> Consensus(draws=20)(rows, 3).tolist()[::15]
    [0, 1, 2]
    """

    kind: ClassVar[str] = "clusterer"
    of: Any = Agglomerative()
    draws: int = 100
    share: float = 0.8
    sample: int = 80
    fewest: int = 5
    most: int = 8
    seed: int = 0

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, draws=(1, inf), share=(1e-6, 1), sample=(1, inf), fewest=(1, inf), most=(self.fewest, inf))
        as_clusterer(self.of)

    def __call__(self, matrix: Any, number: int | None = None, weights: Floats | None = None) -> Ints:
        """The cluster of each row, of so many clusters."""
        refuse_weights(self, weights)
        most = count_distinct_rows(with_metric(matrix, "cosine"), require_number(self, number))
        return cut_tree(self.merges(matrix), most) if np.shape(matrix)[0] else np.zeros(0, np.intp)

    def solutions(self, matrix: Any, most: int, weights: Floats | None = None) -> Iterator[Ints]:
        """The clusters of each row for 1, 2, … clusters, up to so many or as many as there are different rows."""
        refuse_weights(self, weights)
        tree = self.merges(matrix)
        for number in range(1, count_distinct_rows(with_metric(matrix, "cosine"), most) + 1):
            yield cut_tree(tree, number)

    def merges(self, matrix: Any) -> Floats:
        """The tree, as :meth:`~polyseme.clustering.agglomerative.Agglomerative.merges` gives it."""
        from scipy.cluster.hierarchy import linkage
        from scipy.spatial.distance import squareform

        rows = _compact(_add_empty_dimension(with_metric(matrix, "cosine")))
        if rows.shape[0] < 2:
            return np.zeros((0, 4))
        distances = dot_products(rows, rows)
        distances *= -TIE_WEIGHT
        distances += 1 + TIE_WEIGHT
        distances -= self.together(rows)
        np.fill_diagonal(distances, 0)
        found: Floats = linkage(squareform(distances, checks=False).clip(0), "average")
        return found

    def together(self, rows: Any) -> Floats:
        """How often each two rows are in one cluster, as a share of all draws."""
        from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

        draw, work, size = np.random.default_rng(self.seed), as_clusterer(self.of), rows.shape[0]
        found = np.zeros((size, size), np.float32)
        with threadpool_limits(1):  # products are small, and on a busy machine threads wait for each other
            for _ in range(self.draws):
                number = int(draw.integers(self.fewest, self.most + 1))
                many = max(min(round(self.share * size), self.sample), number)
                chosen = draw.permutation(size)[:many]
                labels = _assign_to_nearest(rows, chosen, np.asarray(work(rows[chosen], number)))
                found += labels[:, None] == labels
        return found / self.draws


def _add_empty_dimension(rows: Any) -> Any:
    """Rows of zeros with a dimension of their own: they are like nothing, but like each other.

    >>> _add_empty_dimension(np.array([[0.0, 1.0], [0.0, 0.0]])).tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    import scipy.sparse as sp

    nothing = np.asarray(abs(rows).sum(axis=1)).reshape(-1, 1) == 0
    if not nothing.any():
        return rows
    beside = [rows, nothing.astype(float)]
    return sp.csr_array(sp.hstack(beside)) if is_sparse(rows) else np.hstack(beside)


def _compact(rows: Any) -> Any:
    """Rows with the same cosines in as few columns as there are rows, if these are quickly found; for quicker draws."""
    size = rows.shape[0]
    if size > ROW_LIMIT:
        raise InputError(f"Consensus compares each two of {size:,} rows; {ROW_LIMIT:,} are the most that it can")
    if size > (COMPACTION_LIMIT if is_sparse(rows) else min(COMPACTION_LIMIT, rows.shape[1])):
        return rows
    values, vectors = np.linalg.eigh(dot_products(rows, rows))
    found = vectors * np.sqrt(values.clip(0))
    same = number_distinct_rows(rows)
    return np.asarray(found[np.unique(same, return_index=True)[1][same]])  # to the last bit


def _assign_to_nearest(rows: Any, chosen: Ints, labels: Ints) -> Ints:
    """The nearest of the clusters of some of the rows, for all; the first, of those that are equally near."""
    kept = labels >= 0
    if not kept.any():
        return np.zeros(rows.shape[0], np.intp)
    members = np.equal.outer(np.arange(labels.max() + 1), labels[kept]).astype(float)
    found: Ints = dot_products(rows, unit_rows(members @ rows[chosen[kept]])).round(9).argmax(axis=1)
    return found

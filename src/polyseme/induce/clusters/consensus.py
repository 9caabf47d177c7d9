"""Clusters on which many clusterings agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.errors import InputError
from polyseme.induce.clusters.agglomerative import Agglomerative, cut
from polyseme.induce.clusters.clusterer import clusterer
from polyseme.induce.clusters.rows import (
    apart,
    asked,
    each_apart,
    is_sparse,
    measured,
    product,
    unit,
    unweighted,
)
from polyseme.parts import check_options, check_ranges

MOST = 10_000
"""How many rows there can be: each two of them are compared, and 10,000 take some 3 GB."""

FEW = 2_000
"""Up to so many rows it is worth while to find fewer columns with the same cosines."""

TIE = 1e-3
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
        clusterer(self.of)

    def __call__(self, matrix: Any, number: int | None = None, weights: Floats | None = None) -> Ints:
        """The cluster of each row, of so many clusters."""
        unweighted(self, weights)
        most = apart(measured(matrix, "cosine"), asked(self, number))
        return cut(self.merges(matrix), most) if np.shape(matrix)[0] else np.zeros(0, np.intp)

    def solutions(self, matrix: Any, most: int, weights: Floats | None = None) -> Iterator[Ints]:
        """The clusters of each row for 1, 2, … clusters, up to so many or as many as there are different rows."""
        unweighted(self, weights)
        tree = self.merges(matrix)
        for number in range(1, apart(measured(matrix, "cosine"), most) + 1):
            yield cut(tree, number)

    def merges(self, matrix: Any) -> Floats:
        """The tree, as :meth:`~polyseme.induce.clusters.agglomerative.Agglomerative.merges` gives it."""
        from scipy.cluster.hierarchy import linkage
        from scipy.spatial.distance import squareform

        rows = _compact(_filled(measured(matrix, "cosine")))
        if rows.shape[0] < 2:
            return np.zeros((0, 4))
        distances = product(rows, rows)
        distances *= -TIE
        distances += 1 + TIE
        distances -= self.together(rows)
        np.fill_diagonal(distances, 0)
        found: Floats = linkage(squareform(distances, checks=False).clip(0), "average")
        return found

    def together(self, rows: Any) -> Floats:
        """How often each two rows are in one cluster, as a share of all draws."""
        from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

        draw, work, size = np.random.default_rng(self.seed), clusterer(self.of), rows.shape[0]
        found = np.zeros((size, size), np.float32)
        with threadpool_limits(1):  # products are small, and on a busy machine threads wait for each other
            for _ in range(self.draws):
                number = int(draw.integers(self.fewest, self.most + 1))
                many = max(min(round(self.share * size), self.sample), number)
                chosen = draw.permutation(size)[:many]
                labels = _nearest(rows, chosen, np.asarray(work(rows[chosen], number)))
                found += labels[:, None] == labels
        return found / self.draws


def _filled(rows: Any) -> Any:
    """Rows of zeros with a dimension of their own: they are like nothing, but like each other.

    >>> _filled(np.array([[0.0, 1.0], [0.0, 0.0]])).tolist()
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
    if size > MOST:
        raise InputError(f"Consensus compares each two of {size:,} rows; {MOST:,} are the most that it can")
    if size > (FEW if is_sparse(rows) else min(FEW, rows.shape[1])):
        return rows
    values, vectors = np.linalg.eigh(product(rows, rows))
    found = vectors * np.sqrt(values.clip(0))
    same = each_apart(rows)
    return np.asarray(found[np.unique(same, return_index=True)[1][same]])  # to the last bit


def _nearest(rows: Any, chosen: Ints, labels: Ints) -> Ints:
    """The nearest of the clusters of some of the rows, for all; the first, of those that are equally near."""
    kept = labels >= 0
    if not kept.any():
        return np.zeros(rows.shape[0], np.intp)
    members = np.equal.outer(np.arange(labels.max() + 1), labels[kept]).astype(float)
    found: Ints = product(rows, unit(members @ rows[chosen[kept]])).round(9).argmax(axis=1)
    return found

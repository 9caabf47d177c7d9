"""Clusterers that scikit-learn does the work of: k-means, spectral, by density, and mixtures."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, Literal

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.clustering.laplacian import laplacian_vectors
from polyseme.matrices import (
    check_weights,
    count_distinct_rows,
    refuse_weights,
    renumber_clusters,
    require_number,
    to_dense,
    unit_rows,
    with_metric,
)
from polyseme.parts import check_options, check_ranges

Metric = Literal["cosine", "euclidean"]


@dataclass(frozen=True)
class KMeans:
    """Clusters around means, with the least squared distance to them. (Lloyd 1957; Arthur & Vassilvitskii 2007)

    k-means++ chooses the first means; the best of so many ``restarts`` counts. By ``cosine``, rows have length 1. A row
    of weight 3 counts as three.

    >>> KMeans()([[0, 0], [9, 9], [1, 0], [8, 9]], 2).tolist()
    [0, 1, 0, 1]
    """

    kind: ClassVar[str] = "clusterer"
    restarts: int = 10
    seed: int = 0
    metric: Metric = "euclidean"

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, restarts=(1, inf), seed=(0, 2**32 - 1))

    def __call__(self, matrix: Any, number: int | None = None, weights: Floats | None = None) -> Ints:
        """The cluster of each row."""
        from sklearn.cluster import KMeans as Means

        wanted, rows = require_number(self, number), with_metric(matrix, self.metric)
        heavy = check_weights(weights, rows.shape[0])
        counted = rows[heavy > 0]
        if (found := count_distinct_rows(counted, wanted)) < 2:
            return np.zeros(rows.shape[0], np.intp)
        means = Means(found, n_init=self.restarts, random_state=self.seed)
        return renumber_clusters(means.fit(counted, sample_weight=heavy[heavy > 0]).predict(rows))


@dataclass(frozen=True)
class Spectral:
    """k-means on the first eigenvectors of the normalised Laplacian of the similarity graph. (Ng, Jordan & Weiss 2002)

    Two rows are as similar as their cosine, or not at all if that is negative. All similarities are in memory, 8n²
    bytes.

    >>> Spectral()([[5, 1], [0, 2], [3, 0], [0, 7]], 2).tolist()
    [0, 1, 0, 1]
    """

    kind: ClassVar[str] = "clusterer"
    seed: int = 0

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, seed=(0, 2**32 - 1))

    def __call__(self, matrix: Any, number: int | None = None, weights: Floats | None = None) -> Ints:
        """The cluster of each row."""
        refuse_weights(self, weights)
        rows = with_metric(matrix, "cosine")
        found = count_distinct_rows(rows, require_number(self, number))
        if found < 2:
            return np.zeros(rows.shape[0], np.intp)
        return KMeans(seed=self.seed)(unit_rows(laplacian_vectors(rows, found)[1]), found)


@dataclass(frozen=True)
class HDBSCAN:
    """Clusters of at least ``minimum`` rows where these are dense; the others are in none, −1. (Campello et al. 2013)

    Rows have length 1, so that near means a high cosine. It finds the number of clusters by itself; one that is given
    is not used. If all rows are the same, they are a cluster; else a single cluster is never found.

    >>> HDBSCAN(minimum=2)([[9, 0], [9, 1], [0, 8], [0, 9], [1, 9], [-5, -5]]).tolist()
    [0, 0, 1, 1, 1, -1]
    """

    kind: ClassVar[str] = "clusterer"
    decides_number: ClassVar[bool] = True
    minimum: int = 5

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, minimum=(2, inf))

    def __call__(self, matrix: Any, number: int | None = None, weights: Floats | None = None) -> Ints:
        """The cluster of each row, −1 for none."""
        from sklearn.cluster import HDBSCAN as Dense

        refuse_weights(self, weights)
        rows = with_metric(matrix, "cosine")
        if count_distinct_rows(rows, 2) < 2:
            return np.zeros(rows.shape[0], np.intp)
        if rows.shape[0] < self.minimum:
            return np.full(rows.shape[0], -1, np.intp)
        return renumber_clusters(Dense(min_cluster_size=self.minimum, copy=True).fit_predict(to_dense(rows)))


@dataclass(frozen=True)
class Mixture:
    """The likeliest component of a mixture of normal distributions, fitted by EM. (Dempster, Laird & Rubin 1977)

    Components have a variance in each dimension (``diag``) or one for all (``spherical``). By ``cosine``, rows have
    length 1. There may be fewer clusters than components, as some may be the likeliest of no row.

    >>> Mixture()([[5, 1], [0, 2], [3, 0], [0, 7]], 2).tolist()
    [0, 1, 0, 1]
    """

    kind: ClassVar[str] = "clusterer"
    covariance: Literal["diag", "spherical"] = "diag"
    seed: int = 0
    metric: Metric = "cosine"

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, seed=(0, 2**32 - 1))

    def __call__(self, matrix: Any, number: int | None = None, weights: Floats | None = None) -> Ints:
        """The cluster of each row."""
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.mixture import GaussianMixture

        refuse_weights(self, weights)
        rows = to_dense(with_metric(matrix, self.metric))
        found = count_distinct_rows(rows, require_number(self, number))
        if found < 2:
            return np.zeros(rows.shape[0], np.intp)
        mixture = GaussianMixture(found, covariance_type=self.covariance, random_state=self.seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            return renumber_clusters(mixture.fit_predict(rows))

"""Clusterers on the algorithms of scikit-learn: k-means, spectral clustering, density, mixtures, others by name."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, Literal

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.clustering.clusterer import EstimatorClusterer, refuse_weights, require_number
from polyseme.clustering.estimators import build_estimator, is_foreign
from polyseme.clustering.laplacian import laplacian_vectors
from polyseme.matrices import (
    Metric,
    check_weights,
    count_distinct_rows,
    renumber_clusters,
    to_dense,
    unit_rows,
    with_metric,
)
from polyseme.parts import CheckedOptions, Ranges

SEEDS = (0, 2**32 - 1)
"""The range of the random seeds of scikit-learn."""


@dataclass(frozen=True)
class KMeans(CheckedOptions):
    """Clusters with the least squared distance to their means. (Lloyd 1957; Arthur & Vassilvitskii 2007)

    k-means++ chooses the first means. A row of weight 3 counts as three rows.

    Args:
        restarts: The best of this many runs is taken.
        seed: The random seed.
        metric: With ``cosine``, rows are scaled to length 1.

    >>> KMeans()([[0, 0], [9, 9], [1, 0], [8, 9]], 2).tolist()
    [0, 1, 0, 1]
    """

    kind: ClassVar[str] = "clusterer"
    ranges: ClassVar[Ranges] = {"restarts": (1, inf), "seed": SEEDS}
    restarts: int = 10
    seed: int = 0
    metric: Metric = "euclidean"

    def __call__(self, matrix: Any, number: int | None = None, weights: Floats | None = None) -> Ints:
        """The cluster of each row."""
        from sklearn.cluster import KMeans as SklearnKMeans

        limit, rows = require_number(self, number), with_metric(matrix, self.metric)
        row_weights = check_weights(weights, rows.shape[0])
        weighted = rows[row_weights > 0]
        if (count := count_distinct_rows(weighted, limit)) < 2:
            return np.zeros(rows.shape[0], np.intp)
        means = SklearnKMeans(count, n_init=self.restarts, random_state=self.seed)
        return renumber_clusters(means.fit(weighted, sample_weight=row_weights[row_weights > 0]).predict(rows))


def _prepare(part: object, matrix: Any, metric: Metric, number: int | None, weights: Any) -> tuple[Any, int]:
    """The rows, and the number of clusters, which is at most that of distinct rows; weights are refused."""
    refuse_weights(part, weights)
    rows = with_metric(matrix, metric)
    return rows, count_distinct_rows(rows, require_number(part, number))


@dataclass(frozen=True)
class Spectral(CheckedOptions):
    """k-means on the first eigenvectors of the normalised Laplacian of the similarity graph. (Ng, Jordan & Weiss 2002)

    The similarity of two rows is their cosine, or 0 if it is negative. All similarities are in memory, 8n² bytes.

    Args:
        seed: The random seed.

    >>> Spectral()([[5, 1], [0, 2], [3, 0], [0, 7]], 2).tolist()
    [0, 1, 0, 1]
    """

    kind: ClassVar[str] = "clusterer"
    ranges: ClassVar[Ranges] = {"seed": SEEDS}
    seed: int = 0

    def __call__(self, matrix: Any, number: int | None = None, weights: Floats | None = None) -> Ints:
        """The cluster of each row."""
        rows, count = _prepare(self, matrix, "cosine", number, weights)
        if count < 2:
            return np.zeros(rows.shape[0], np.intp)
        return KMeans(seed=self.seed)(unit_rows(laplacian_vectors(rows, count)[1]), count)


@dataclass(frozen=True)
class HDBSCAN(CheckedOptions):
    """Dense regions of rows as clusters; rows outside all clusters get −1. (Campello et al. 2013)

    Rows are scaled to length 1, so rows with a high cosine are near each other. HDBSCAN determines the number of
    clusters itself, whatever number is given. If all rows are equal, they are one cluster; otherwise there is never a
    single cluster.

    Args:
        minimum: The least number of rows of a cluster.

    >>> HDBSCAN(minimum=2)([[9, 0], [9, 1], [0, 8], [0, 9], [1, 9], [-5, -5]]).tolist()
    [0, 0, 1, 1, 1, -1]
    """

    kind: ClassVar[str] = "clusterer"
    decides_number: ClassVar[bool] = True
    ranges: ClassVar[Ranges] = {"minimum": (2, inf)}
    minimum: int = 5

    def __call__(self, matrix: Any, number: int | None = None, weights: Floats | None = None) -> Ints:
        """The cluster of each row, −1 for none."""
        from sklearn.cluster import HDBSCAN as SklearnHDBSCAN

        refuse_weights(self, weights)
        rows = with_metric(matrix, "cosine")
        if count_distinct_rows(rows, 2) < 2:
            return np.zeros(rows.shape[0], np.intp)
        if rows.shape[0] < self.minimum:
            return np.full(rows.shape[0], -1, np.intp)
        return renumber_clusters(SklearnHDBSCAN(min_cluster_size=self.minimum, copy=True).fit_predict(to_dense(rows)))


@dataclass(frozen=True)
class Mixture(CheckedOptions):
    """The likeliest component of a mixture of normal distributions, fitted by EM. (Dempster, Laird & Rubin 1977)

    There may be fewer clusters than components, because a component may be the likeliest one for no row.

    Args:
        covariance: A component has a variance for each dimension (``diag``), or one for all (``spherical``).
        seed: The random seed.
        metric: With ``cosine``, rows are scaled to length 1.

    >>> Mixture()([[5, 1], [0, 2], [3, 0], [0, 7]], 2).tolist()
    [0, 1, 0, 1]
    """

    kind: ClassVar[str] = "clusterer"
    ranges: ClassVar[Ranges] = {"seed": SEEDS}
    covariance: Literal["diag", "spherical"] = "diag"
    seed: int = 0
    metric: Metric = "cosine"

    def __call__(self, matrix: Any, number: int | None = None, weights: Floats | None = None) -> Ints:
        """The cluster of each row."""
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.mixture import GaussianMixture

        rows, count = _prepare(self, matrix, self.metric, number, weights)
        if count < 2:
            return np.zeros(rows.shape[0], np.intp)
        mixture = GaussianMixture(count, covariance_type=self.covariance, random_state=self.seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            return renumber_clusters(mixture.fit_predict(to_dense(rows)))


@dataclass(frozen=True)
class SklearnClusterer(CheckedOptions):
    """Any clusterer of scikit-learn, by its name and options. (Pedregosa et al. 2011)

    The number of clusters is passed as ``n_clusters`` or ``n_components``. Without a number, the estimator uses its own
    or determines one. Mixtures give the degree to which each row belongs to each cluster. Options that are plain values
    can be set; in Python, a pipeline takes the estimator itself as well.

    Args:
        estimator: A clusterer of ``sklearn.cluster`` or ``sklearn.mixture``: ``Name`` or ``Name(option=value, …)``.
        seed: The random seed, if the estimator needs one and has no ``random_state`` among its options.

    >>> SklearnClusterer("Birch(threshold=0.3)")([[0, 0], [9, 9], [1, 0], [8, 9]], 2).tolist()
    [0, 1, 0, 1]
    """

    kind: ClassVar[str] = "clusterer"
    decides_number: ClassVar[bool] = True
    ranges: ClassVar[Ranges] = {"seed": SEEDS}
    estimator: str = "AgglomerativeClustering"
    seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not is_foreign(self.estimator):  # a saved model may name one, which it does not need
            build_estimator(self.estimator)

    def __call__(self, matrix: Any, number: int | None = None, weights: Floats | None = None) -> Ints:
        """The cluster of each row, −1 for none."""
        return self._adapt()(matrix, number, weights)

    def memberships(self, matrix: Any, number: int | None = None) -> Any:
        """Rows × clusters: how far each row belongs to each cluster."""
        return self._adapt().memberships(matrix, number)

    def _adapt(self) -> EstimatorClusterer:
        estimator = build_estimator(self.estimator)
        options = estimator.get_params()
        seeded = {"random_state": self.seed} if options.get("random_state", 0) is None else {}
        return EstimatorClusterer(estimator.set_params(**seeded))

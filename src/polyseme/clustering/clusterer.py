"""What clusters rows: parts of polyseme, their specifications, and estimators of scikit-learn."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.errors import InputError, TooLittleData
from polyseme.matrices import as_matrix, count_distinct_rows, is_sparse, renumber_clusters, to_dense
from polyseme.parts import build, check_ranges

COUNT_OPTIONS = ("n_clusters", "n_components")
"""The names that estimators give to the number of clusters."""

GREATEST_NUMBER = 1000
"""The greatest number of clusters that options take: no word has as many senses."""


@runtime_checkable
class Clusterer(Protocol):
    """Clusters the rows of a matrix, dense or sparse."""

    def __call__(self, matrix: Any, number: int | None = None, weights: Floats | None = None) -> Ints:
        """The cluster of each row, numbered in the order in which they appear; −1 for none.

        Args:
            matrix: The rows to cluster, dense or sparse.
            number: The number of clusters; by default the clusterer chooses it, or raises an error.
            weights: How much each row counts; by default all count alike. A clusterer that cannot weigh rows raises an
                error.
        """
        ...


@runtime_checkable
class SklearnEstimator(Protocol):
    """An estimator of scikit-learn that clusters, or one with the same methods."""

    def fit_predict(self, X: Any) -> Any:
        """The cluster of each row."""
        ...


ClustererOption = Clusterer | SklearnEstimator | str
"""What an option that names a clusterer may be."""


def as_clusterer(option: object) -> Clusterer:
    """Return a clusterer: a part of polyseme, the part of a specification, or an adapted estimator.

    An estimator gets the number of clusters as its ``n_clusters`` or ``n_components``; without a number it uses its
    own, or finds one. It is cloned before it is fitted.

    Raises:
        InputError: The option is none of these.

    >>> as_clusterer("RepeatedBisections(criterion='H2')").criterion
    'H2'
    >>> from sklearn.cluster import AgglomerativeClustering
    >>> as_clusterer(AgglomerativeClustering())([[0, 0], [9, 9], [5, 5]], 3).tolist()
    [0, 1, 2]
    >>> as_clusterer(AgglomerativeClustering(n_clusters=2))([[0, 0], [9, 9], [5, 4]]).tolist()
    [0, 1, 0]
    """
    if isinstance(option, str):
        part: Clusterer = build(option, "clusterer")
        return part
    if isinstance(option, SklearnEstimator):
        return EstimatorClusterer(option)
    if isinstance(option, Clusterer) and not isinstance(option, type):
        return option
    raise InputError(
        f"{option!r} cannot cluster: give a part such as KMeans(), its specification, or an estimator with fit_predict"
    )


def decides_number(clusterer: Clusterer) -> bool:
    """Whether a clusterer needs no number of clusters: it has one, or finds one.

    >>> from sklearn.cluster import DBSCAN
    >>> decides_number(as_clusterer(DBSCAN())), decides_number(as_clusterer("HDBSCAN"))
    (True, True)
    >>> decides_number(as_clusterer("KMeans"))
    False
    """
    return bool(getattr(clusterer, "decides_number", False))


def refuse_weights(part: object, weights: Any) -> None:
    """Raise an error if there are weights, for clusterers that cannot use them."""
    if weights is not None:
        name = type(part).__name__
        raise InputError(f"{name} cannot weigh rows; KMeans and RepeatedBisections can")


def require_number(part: object, number: int | None) -> int:
    """Return the number of clusters, for clusterers that need one; raise an error if it is missing or less than 1."""
    if number is None:
        hint = "give a number, or choose one by a part such as Fixed(7) or PK2()"
        raise InputError(f"{type(part).__name__} needs the number of clusters; {hint}")
    if not 1 <= number <= GREATEST_NUMBER:
        raise InputError(f"the number of clusters is {number}; it must be from 1 to {GREATEST_NUMBER}")
    return int(number)


def check_number(part: object, option: str = "number") -> None:
    """Check that an option is from 1 to :data:`GREATEST_NUMBER`, if it is a number; a criterion or ``None`` is none."""
    if isinstance(getattr(part, option), Real):
        check_ranges(part, **{option: (1, GREATEST_NUMBER)})


@dataclass(frozen=True)
class EstimatorClusterer:
    """An estimator of scikit-learn as a clusterer.

    Args:
        estimator: The estimator, which is cloned before it is fitted.
    """

    estimator: Any
    decides_number: ClassVar[bool] = True

    def __call__(self, matrix: Any, number: int | None = None, weights: Floats | None = None) -> Ints:
        """The cluster of each row."""
        return renumber_clusters(self._fit_predict(as_matrix(matrix), number, weights)[1])

    def memberships(self, matrix: Any, number: int | None = None) -> Any:
        """Rows × clusters: the probabilities of an estimator with ``predict_proba``; otherwise 1 for the row's cluster.

        >>> from sklearn.mixture import GaussianMixture
        >>> mixture = EstimatorClusterer(GaussianMixture(2, random_state=0, reg_covar=4))
        >>> mixture.memberships([[0.0], [1], [4], [8], [9]]).shape
        (5, 2)
        """
        rows = as_matrix(matrix)
        estimator, labels = self._fit_predict(rows, number, None)
        if not hasattr(estimator, "predict_proba"):
            return one_hot_memberships(renumber_clusters(labels))
        try:
            return np.asarray(estimator.predict_proba(rows))
        except TypeError:
            return np.asarray(estimator.predict_proba(to_dense(rows)))

    def _fit_predict(self, rows: Any, number: int | None, weights: Floats | None) -> tuple[Any, Any]:
        """Return a fitted clone and the cluster of each row; rows that are all equal are one cluster without it."""
        from sklearn.base import clone
        from sklearn.exceptions import ConvergenceWarning

        estimator = clone(self.estimator, safe=False)
        if hasattr(estimator, "get_params"):
            estimator.set_params(**_count_options(estimator.get_params(), rows, number))
        if count_distinct_rows(rows, 2) < 2:
            return None, np.zeros(rows.shape[0], np.intp)
        options = {} if weights is None else {"sample_weight": weights}
        if options and "sample_weight" not in inspect.signature(estimator.fit_predict).parameters:
            raise InputError(f"{estimator!r} cannot weigh rows")
        with warnings.catch_warnings():
            for category in (ConvergenceWarning, FutureWarning):
                warnings.simplefilter("ignore", category)
            try:
                return estimator, estimator.fit_predict(rows, **options)
            except (TypeError, ValueError) as error:
                return estimator, _fit_dense(estimator, rows, options, error)


def _fit_dense(estimator: Any, rows: Any, options: dict[str, Any], error: Exception) -> Any:
    """Try dense rows instead of sparse ones; otherwise say what the estimator does not accept."""
    if isinstance(error, ValueError) and isinstance(error, TypeError):  # as scikit-learn says of options
        raise InputError(f"{estimator!r} of scikit-learn: {error}") from None
    if is_sparse(rows):
        try:
            return estimator.fit_predict(to_dense(rows), **options)
        except ValueError as problem:
            error = problem
    if isinstance(error, ValueError):
        raise TooLittleData(f"{type(estimator).__name__} cannot cluster {rows.shape[0]} usages: {error}") from None
    raise error


def one_hot_memberships(labels: Ints) -> Any:
    """Return rows × clusters with 1 for the cluster of each row; a row with the label -1 is in none.

    >>> one_hot_memberships(np.array([1, -1, 0, 1])).toarray().tolist()
    [[0.0, 1.0], [0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    """
    import scipy.sparse as sp

    rows = np.flatnonzero(labels >= 0)
    clusters, numbers = np.unique(labels[rows], return_inverse=True)
    return sp.csr_array((np.ones(len(rows)), (rows, numbers)), shape=(len(labels), len(clusters)))


def cluster_memberships(clusterer: Clusterer, matrix: Any, number: int | None = None) -> Any:
    """Return rows × clusters: how far each row belongs to each cluster.

    It is 1 for the cluster of a row, unless the clusterer has a method ``memberships``, as mixtures of scikit-learn do.
    """
    if hasattr(clusterer, "memberships"):
        return clusterer.memberships(matrix, number)
    return one_hot_memberships(np.asarray(clusterer(matrix, number)))


def _count_options(options: dict[str, Any], rows: Any, number: int | None) -> dict[str, Any]:
    """The options of an estimator that set the number of clusters: at most as many as there are distinct rows."""
    name = next((name for name in COUNT_OPTIONS if name in options), None)
    if name is None:
        return {}
    count = options[name] if number is None else number
    if not isinstance(count, Integral):
        return {}
    threshold = {"distance_threshold": None} if "distance_threshold" in options else {}
    return {name: count_distinct_rows(rows, int(count)), **threshold}


def solutions(clusterer: Clusterer, matrix: Any, most: int, weights: Floats | None = None) -> Iterator[Ints]:
    """Yield the clusters for 1, 2, … clusters, up to ``most`` or the number of distinct rows.

    A clusterer with a method ``solutions``, which makes all of them in one go, does this itself.

    >>> [labels.tolist() for labels in solutions(as_clusterer("KMeans"), [[0], [1], [9], [9]], 5)]
    [[0, 0, 0, 0], [0, 0, 1, 1], [0, 1, 2, 2]]
    """
    if hasattr(clusterer, "solutions"):
        yield from clusterer.solutions(matrix, most, weights)
    else:
        for number in range(1, count_distinct_rows(as_matrix(matrix), most) + 1):
            yield clusterer(matrix, number, weights)

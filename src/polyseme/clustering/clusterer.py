"""What clusters rows: parts of polyseme, their specifications, and estimators of scikit-learn."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Integral
from typing import Any, ClassVar, Protocol, runtime_checkable

from polyseme.arrays import Floats, Ints
from polyseme.errors import InputError
from polyseme.matrices import as_matrix, count_distinct_rows, is_sparse, renumber_clusters, to_dense
from polyseme.parts import build

COUNT_OPTIONS = ("n_clusters", "n_components")
"""The names that estimators give to the number of clusters."""


@runtime_checkable
class Clusterer(Protocol):
    """Clusters the rows of a matrix, dense or sparse."""

    def __call__(self, matrix: Any, number: int | None = None, weights: Floats | None = None) -> Ints:
        """The cluster of each row, numbered in the order in which they appear; −1 for none."""
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
        return _EstimatorClusterer(option)
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
    if number < 1:
        raise InputError(f"the number of clusters is {number}; it must be 1 or more")
    return int(number)


@dataclass(frozen=True)
class _EstimatorClusterer:
    """An estimator of scikit-learn as a clusterer."""

    estimator: Any
    decides_number: ClassVar[bool] = True

    def __call__(self, matrix: Any, number: int | None = None, weights: Floats | None = None) -> Ints:
        from sklearn.base import clone

        rows, estimator = as_matrix(matrix), clone(self.estimator)
        estimator.set_params(**_count_options(estimator.get_params(), rows, number))
        options = {} if weights is None else {"sample_weight": weights}
        if options and "sample_weight" not in inspect.signature(estimator.fit_predict).parameters:
            raise InputError(f"{estimator!r} cannot weigh rows")
        try:
            return renumber_clusters(estimator.fit_predict(rows, **options))
        except TypeError:
            if not is_sparse(rows):
                raise
            return renumber_clusters(estimator.fit_predict(to_dense(rows), **options))  # many take no sparse rows


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

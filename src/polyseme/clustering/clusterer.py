"""What can cluster: our parts, their specifications, and the estimators of scikit-learn."""

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
"""What estimators call the number of clusters."""


@runtime_checkable
class Clusterer(Protocol):
    """Clusters rows of a matrix, dense or sparse."""

    def __call__(self, matrix: Any, number: int | None = None, weights: Floats | None = None) -> Ints:
        """The cluster of each row, numbered in the order in which they appear; −1 for none."""
        ...


def as_clusterer(given: Any) -> Clusterer:
    """A clusterer: one of ours, one that is specified, or an estimator that has ``fit_predict``.

    An estimator gets the number of clusters, if one is given, as its ``n_clusters`` or ``n_components``; otherwise it
    keeps its own, or finds it. It is cloned: the one that was given is never fitted.

    >>> as_clusterer("RepeatedBisections(criterion='H2')").criterion
    'H2'
    >>> from sklearn.cluster import AgglomerativeClustering
    >>> as_clusterer(AgglomerativeClustering())([[0, 0], [9, 9], [5, 5]], 3).tolist()
    [0, 1, 2]
    >>> as_clusterer(AgglomerativeClustering(n_clusters=2))([[0, 0], [9, 9], [5, 4]]).tolist()
    [0, 1, 0]
    """
    if isinstance(given, str):
        made: Clusterer = build(given, "clusterer")
        return made
    if hasattr(given, "fit_predict"):
        return _EstimatorClusterer(given)
    if callable(given) and not isinstance(given, type):
        found: Clusterer = given
        return found
    raise InputError(
        f"{given!r} cannot cluster: give a part such as KMeans(), its specification, or an estimator with fit_predict"
    )


def decides_number(work: Clusterer) -> bool:
    """Whether a clusterer has a number of clusters, or finds one, without being asked for it.

    >>> from sklearn.cluster import DBSCAN
    >>> decides_number(as_clusterer(DBSCAN())), decides_number(as_clusterer("HDBSCAN")), decides_number(as_clusterer("KMeans"))
    (True, True, False)
    """
    return bool(getattr(work, "decides_number", False))


@dataclass(frozen=True)
class _EstimatorClusterer:
    """An estimator of scikit-learn, or one like these, as a clusterer."""

    estimator: Any
    decides_number: ClassVar[bool] = True

    def __call__(self, matrix: Any, number: int | None = None, weights: Floats | None = None) -> Ints:
        from sklearn.base import clone

        rows, made = as_matrix(matrix), clone(self.estimator)
        made.set_params(**_count_options(made.get_params(), rows, number))
        options = {} if weights is None else {"sample_weight": weights}
        if options and "sample_weight" not in inspect.signature(made.fit_predict).parameters:
            raise InputError(f"{made!r} knows no weights of rows")
        try:
            return renumber_clusters(made.fit_predict(rows, **options))
        except TypeError:
            if not is_sparse(rows):
                raise
            return renumber_clusters(made.fit_predict(to_dense(rows), **options))  # many take no sparse rows


def _count_options(options: dict[str, Any], rows: Any, number: int | None) -> dict[str, Any]:
    """The options of an estimator that say how many clusters: no more than there are different rows."""
    counts = [name for name in COUNT_OPTIONS if name in options]
    count = options[counts[0]] if counts and number is None else number
    if not counts or not isinstance(count, Integral):
        return {}
    threshold = {"distance_threshold": None} if "distance_threshold" in options else {}
    return {counts[0]: count_distinct_rows(rows, int(count)), **threshold}


def solutions(clustering: Clusterer, matrix: Any, most: int, weights: Floats | None = None) -> Iterator[Ints]:
    """What a clusterer finds for 1, 2, … clusters, up to so many or as many as there are different rows.

    Those that have ``solutions`` of their own, as they make all on one way, are asked for these.

    >>> [found.tolist() for found in solutions(as_clusterer("KMeans"), [[0], [1], [9], [9]], 5)]
    [[0, 0, 0, 0], [0, 0, 1, 1], [0, 1, 2, 2]]
    """
    if hasattr(clustering, "solutions"):
        yield from clustering.solutions(matrix, most, weights)
    else:
        for number in range(1, count_distinct_rows(as_matrix(matrix), most) + 1):
            yield clustering(matrix, number, weights)

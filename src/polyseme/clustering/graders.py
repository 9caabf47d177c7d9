"""Graders: the weight of each row in each cluster, the greater the better it fits.

Each grader takes a matrix of rows × dimensions and one of clusters × dimensions, dense or sparse, and returns rows ×
clusters, without negative weights. In induction, rows are usages and clusters are senses. A row that fits no cluster
has only zeros: by cosine, a row that shares nothing with any cluster.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from polyseme.arrays import Floats
from polyseme.errors import InputError
from polyseme.matrices import Metric, as_matrix, dot_products, with_metric
from polyseme.parts import CheckedOptions, Ranges


@runtime_checkable
class VectorGrader(Protocol):
    """Weighs the clusters of rows."""

    def __call__(self, usages: Any, senses: Any) -> Floats:
        """The weights, rows × clusters."""
        ...


def row_similarities(rows: Any, clusters: Any, metric: Metric) -> Floats:
    """Compute the cosine of each row and each cluster, or minus their Euclidean distance.

    >>> row_similarities([[3, 4]], [[0, 4], [3, 0]], "euclidean").tolist()
    [[-3.0, -4.0]]
    """
    left, right = with_metric(rows, metric), with_metric(clusters, metric)
    products = dot_products(left, right)
    if metric == "cosine":
        return products
    return -np.sqrt(np.maximum(_sum_squares(left)[:, None] + _sum_squares(right) - 2 * products, 0))


def _sum_squares(rows: Any) -> Floats:
    return np.asarray((rows * rows).sum(axis=1), np.float64).ravel()


def _rows_with_match(similarities: Floats, metric: Metric) -> Any:
    """Which rows fit any cluster."""
    return similarities.any(axis=1) if metric == "cosine" else np.ones(len(similarities), np.bool_)


def _normalise(weights: Floats) -> Floats:
    """Weights that sum to 1 in each row, or to 0."""
    totals = weights.sum(axis=1, keepdims=True)
    shares: Floats = weights / np.where(totals, totals, 1)
    return shares


@dataclass(frozen=True)
class Nearest(CheckedOptions):
    """Weight 1 for the nearest cluster; if several are equally near, for the first of them. (Rocchio 1971)

    Args:
        metric: The similarity: the cosine, or minus the Euclidean distance.

    >>> Nearest()([[3, 1], [0, 0]], [[1, 0], [0, 1]]).tolist()
    [[1.0, 0.0], [0.0, 0.0]]
    """

    kind: ClassVar[str] = "grader"
    metric: Metric = "cosine"

    def __call__(self, usages: Any, senses: Any) -> Floats:
        """The weights, rows × clusters."""
        similarities = row_similarities(usages, senses, self.metric)
        weights = np.zeros(similarities.shape)
        if similarities.size:
            nearest = np.argmax(similarities, axis=1)
            weights[np.arange(len(weights)), nearest] = _rows_with_match(similarities, self.metric)
        return weights


@dataclass(frozen=True)
class Softmax(CheckedOptions):
    """Weights exp(s/T) / Σ exp(s/T), with the similarity s and the temperature T. (Bridle 1990)

    Args:
        temperature: T. The lower it is, the more weight the nearest cluster has.
        metric: The similarity: the cosine, or minus the Euclidean distance.

    >>> Softmax(temperature=0.5)([[3, 0]], [[1, 0], [0, 1]]).round(2).tolist()
    [[0.88, 0.12]]
    """

    kind: ClassVar[str] = "grader"
    ranges: ClassVar[Ranges] = {"temperature": (1e-6, inf)}
    temperature: float = 0.1
    metric: Metric = "cosine"

    def __call__(self, usages: Any, senses: Any) -> Floats:
        """The weights, rows × clusters."""
        similarities = row_similarities(usages, senses, self.metric)
        best = similarities.max(axis=1, keepdims=True, initial=-inf)
        weights = np.exp((similarities - best) / self.temperature)
        return _normalise(weights * _rows_with_match(similarities, self.metric)[:, None])


@dataclass(frozen=True)
class PositiveCosine(CheckedOptions):
    """Weights max(cos, 0)^p / Σ max(cos, 0)^p with the power p. (Salton 1971)

    If the mean is subtracted from vectors, about half of the cosines are negative, so a row has few clusters.

    Args:
        power: p.

    >>> PositiveCosine()([[3, 4]], [[1, 0], [0, 1], [-1, 0]]).round(2).tolist()
    [[0.43, 0.57, 0.0]]
    """

    kind: ClassVar[str] = "grader"
    ranges: ClassVar[Ranges] = {"power": (0, inf)}
    power: float = 1.0

    def __call__(self, usages: Any, senses: Any) -> Floats:
        """The weights, rows × clusters."""
        cosines = np.maximum(row_similarities(usages, senses, "cosine"), 0)
        return _normalise(np.where(cosines > 0, cosines**self.power, 0.0))


@dataclass(frozen=True)
class InverseDistance(CheckedOptions):
    """Weights d^−p / Σ d^−p, with distance d and power p; clusters at distance 0 get all weight. (Shepard 1968)

    It is the membership of fuzzy c-means (Bezdek 1981) with the exponent m = 1 + 2/p.

    Args:
        power: p.
        metric: The distance: the Euclidean one, or 1 − cos.

    >>> InverseDistance()([[1, 0], [0, 0]], [[0, 0], [3, 0]]).tolist()
    [[0.8, 0.2], [1.0, 0.0]]
    """

    kind: ClassVar[str] = "grader"
    ranges: ClassVar[Ranges] = {"power": (0, inf)}
    power: float = 2.0
    metric: Metric = "euclidean"

    def __call__(self, usages: Any, senses: Any) -> Floats:
        """The weights, rows × clusters."""
        similarities = row_similarities(usages, senses, self.metric)
        distances = np.maximum(1 - similarities, 0) if self.metric == "cosine" else -similarities
        least = distances.min(axis=1, keepdims=True, initial=inf)
        ratios = np.divide(least, distances, out=np.ones_like(distances), where=distances > 0)
        return _normalise(ratios**self.power * _rows_with_match(similarities, self.metric)[:, None])


@dataclass(frozen=True)
class Votes(CheckedOptions):
    """The votes for each cluster: how many counted features of a row belong to it. (Baskaya et al. 2013)

    A usage with seven substitutes of the first cluster and three of the second has the weights 7 and 3.

    Args:
        remove: A cluster with this many votes or fewer gets none.
        add: Votes that each other cluster gets in addition, so that all weigh nearly the same.

    >>> Votes()([[4, 3, 3]], [[1, 1, 0], [0, 0, 1]]).tolist()
    [[7.0, 3.0]]
    >>> Votes(remove=3, add=1000)([[4, 3, 3]], [[1, 1, 0], [0, 0, 1]]).tolist()
    [[1007.0, 0.0]]
    """

    kind: ClassVar[str] = "grader"
    ranges: ClassVar[Ranges] = {"remove": (0, inf), "add": (0, inf)}
    remove: float = 0.0
    add: float = 0.0

    def __call__(self, usages: Any, senses: Any) -> Floats:
        """The weights, rows × clusters."""
        votes = dot_products(as_matrix(usages), as_matrix(senses))
        return np.where(votes > self.remove, votes + self.add, 0.0)


@dataclass(frozen=True)
class Proportions(CheckedOptions):
    """The unchanged dot product, for topic proportions. (Lau et al. 2012)

    Args:
        minimum: Smaller weights become 0.

    >>> Proportions(minimum=0.1)([[0.75, 0.2, 0.05]], np.eye(3)).tolist()
    [[0.75, 0.2, 0.0]]
    """

    kind: ClassVar[str] = "grader"
    ranges: ClassVar[Ranges] = {"minimum": (0, inf)}
    minimum: float = 0.0

    def __call__(self, usages: Any, senses: Any) -> Floats:
        """The weights, rows × clusters."""
        weights = dot_products(as_matrix(usages), as_matrix(senses))
        return np.where((weights >= self.minimum) & (weights > 0), weights, 0.0)


@dataclass(frozen=True)
class _Filter(CheckedOptions):
    """A grader that leaves out some of the weights of another one."""

    kind: ClassVar[str] = "grader"
    grader: VectorGrader = Softmax()

    def __post_init__(self) -> None:
        super().__post_init__()
        if getattr(self.grader, "kind", "grader") != "grader":
            raise InputError(f"{type(self).__name__}: grader is {self.grader!r}, which is not a grader")


@dataclass(frozen=True)
class Top(_Filter):
    """The greatest weights of another grader; ties go to the first clusters. (Jurgens & Klapaftis 2013)

    Args:
        grader: The other grader.
        count: How many weights of each row stay.

    >>> Top(Votes(), 2)([[4, 3, 3]], np.eye(3)).tolist()
    [[4.0, 3.0, 0.0]]
    """

    ranges: ClassVar[Ranges] = {"count": (1, inf)}
    count: int = 3

    def __call__(self, usages: Any, senses: Any) -> Floats:
        """The weights, rows × clusters."""
        weights = self.grader(usages, senses)
        rank = np.argsort(np.argsort(-weights, axis=1, kind="stable"), axis=1, kind="stable")
        return np.where(rank < self.count, weights, 0.0)


@dataclass(frozen=True)
class Within(_Filter):
    """The weights of another grader that are close to the greatest weight of the row.

    Annotators, too, give few usages many senses if they need not rate each sense. (Erk, McCarthy & Gaylord 2013)

    Args:
        grader: The other grader.
        share: Weights of at least this share of the greatest one stay.

    >>> Within(Votes(), 0.5)([[4, 3, 1]], np.eye(3)).tolist()
    [[4.0, 3.0, 0.0]]
    """

    ranges: ClassVar[Ranges] = {"share": (0, 1)}
    share: float = 0.3

    def __call__(self, usages: Any, senses: Any) -> Floats:
        """The weights, rows × clusters."""
        weights = self.grader(usages, senses)
        return np.where(weights >= self.share * weights.max(axis=1, keepdims=True, initial=0.0), weights, 0.0)

"""Graders: from vectors of usages and of senses to weights, the more the better the sense fits.

Each takes a matrix of usages × dimensions and one of senses × dimensions, dense or sparse, and gives usages × senses,
nothing negative. The weights of a usage that fits nothing are all 0: by cosine, one that shares nothing with any sense.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

import numpy as np

from polyseme.arrays import Floats
from polyseme.errors import InputError
from polyseme.matrices import as_matrix, dot_products, with_metric
from polyseme.parts import check_options, check_ranges

Metric = Literal["cosine", "euclidean"]


@runtime_checkable
class VectorGrader(Protocol):
    """Weighs the senses of usages."""

    def __call__(self, usages: Any, senses: Any) -> Floats:
        """Usages × senses."""
        ...


def row_similarities(usages: Any, senses: Any, metric: Metric) -> Floats:
    """The cosine of each usage and each sense, or minus their Euclidean distance.

    >>> row_similarities([[3, 4]], [[0, 4], [3, 0]], "euclidean").tolist()
    [[-3.0, -4.0]]
    """
    one, other = with_metric(usages, metric), with_metric(senses, metric)
    near = dot_products(one, other)
    if metric == "cosine":
        return near
    return -np.sqrt(np.maximum(_squared_lengths(one)[:, None] + _squared_lengths(other) - 2 * near, 0))


def _squared_lengths(rows: Any) -> Floats:
    return np.asarray((rows * rows).sum(axis=1), np.float64).ravel()


def _rows_with_match(near: Floats, metric: Metric) -> Any:
    """Which usages fit any sense."""
    return near.any(axis=1) if metric == "cosine" else np.ones(len(near), np.bool_)


def _normalise(weights: Floats) -> Floats:
    """Weights that sum to 1 in each row, or to 0."""
    totals = weights.sum(axis=1, keepdims=True)
    found: Floats = weights / np.where(totals, totals, 1)
    return found


@dataclass(frozen=True)
class Nearest:
    """Weight 1 for the nearest sense, the first of several. (Rocchio 1971)

    >>> Nearest()([[3, 1], [0, 0]], [[1, 0], [0, 1]]).tolist()
    [[1.0, 0.0], [0.0, 0.0]]
    """

    kind: ClassVar[str] = "grader"
    metric: Metric = "cosine"

    def __post_init__(self) -> None:
        check_options(self)

    def __call__(self, usages: Any, senses: Any) -> Floats:
        """The weights, usages × senses."""
        near = row_similarities(usages, senses, self.metric)
        found = np.zeros(near.shape)
        if near.size:
            found[np.arange(len(near)), np.argmax(near, axis=1)] = _rows_with_match(near, self.metric)
        return found


@dataclass(frozen=True)
class Softmax:
    """Weights exp(s/T) / Σ exp(s/T), with the cosine or minus the distance s and the ``temperature`` T. (Bridle 1990)

    The lower the temperature, the more the nearest sense has of it all.

    >>> Softmax(temperature=0.5)([[3, 0]], [[1, 0], [0, 1]]).round(2).tolist()
    [[0.88, 0.12]]
    """

    kind: ClassVar[str] = "grader"
    temperature: float = 0.1
    metric: Metric = "cosine"

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, temperature=(1e-6, inf))

    def __call__(self, usages: Any, senses: Any) -> Floats:
        """The weights, usages × senses."""
        near = row_similarities(usages, senses, self.metric)
        raised = np.exp((near - near.max(axis=1, keepdims=True, initial=-inf)) / self.temperature)
        return _normalise(raised * _rows_with_match(near, self.metric)[:, None])


@dataclass(frozen=True)
class PositiveCosine:
    """Weights max(cos, 0)^p / Σ max(cos, 0)^p, with the ``power`` p; senses on the other side have none. (Salton 1971)

    For vectors less their mean, about half of all senses are on the other side, so that usages have few of them.

    >>> PositiveCosine()([[3, 4]], [[1, 0], [0, 1], [-1, 0]]).round(2).tolist()
    [[0.43, 0.57, 0.0]]
    """

    kind: ClassVar[str] = "grader"
    power: float = 1.0

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, power=(0, inf))

    def __call__(self, usages: Any, senses: Any) -> Floats:
        """The weights, usages × senses."""
        near = np.maximum(row_similarities(usages, senses, "cosine"), 0)
        return _normalise(np.where(near > 0, near**self.power, 0.0))


@dataclass(frozen=True)
class InverseDistance:
    """Weights d^−p / Σ d^−p, with the distance d and the ``power`` p; all for senses at distance 0. (Shepard 1968)

    The distance is the Euclidean one, or 1 − cos. It is the membership of fuzzy c-means (Bezdek 1981) with the exponent
    m = 1 + 2/p.

    >>> InverseDistance()([[1, 0], [0, 0]], [[0, 0], [3, 0]]).tolist()
    [[0.8, 0.2], [1.0, 0.0]]
    """

    kind: ClassVar[str] = "grader"
    power: float = 2.0
    metric: Metric = "euclidean"

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, power=(0, inf))

    def __call__(self, usages: Any, senses: Any) -> Floats:
        """The weights, usages × senses."""
        near = row_similarities(usages, senses, self.metric)
        far = np.maximum(1 - near, 0) if self.metric == "cosine" else -near
        least = far.min(axis=1, keepdims=True, initial=inf)
        ratio = np.divide(least, far, out=np.ones_like(far), where=far > 0)
        return _normalise(ratio**self.power * _rows_with_match(near, self.metric)[:, None])


@dataclass(frozen=True)
class Votes:
    """How many votes each sense gets: the dot product of counts and of what belongs to a sense. (Baskaya et al. 2013)

    A usage that has seven substitutes of the first cluster and three of the second weighs 7 and 3. A sense with
    ``remove`` votes or fewer has none; each that is left gets ``add`` more, so that they weigh nearly the same.

    >>> Votes()([[4, 3, 3]], [[1, 1, 0], [0, 0, 1]]).tolist()
    [[7.0, 3.0]]
    >>> Votes(remove=3, add=1000)([[4, 3, 3]], [[1, 1, 0], [0, 0, 1]]).tolist()
    [[1007.0, 0.0]]
    """

    kind: ClassVar[str] = "grader"
    remove: float = 0.0
    add: float = 0.0

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, remove=(0, inf), add=(0, inf))

    def __call__(self, usages: Any, senses: Any) -> Floats:
        """The weights, usages × senses."""
        votes = dot_products(as_matrix(usages), as_matrix(senses))
        return np.where(votes > self.remove, votes + self.add, 0.0)


@dataclass(frozen=True)
class Proportions:
    """The dot product as it is, but nothing below a ``minimum``: for topic proportions. (Lau et al. 2012)

    >>> Proportions(minimum=0.1)([[0.75, 0.2, 0.05]], np.eye(3)).tolist()
    [[0.75, 0.2, 0.0]]
    """

    kind: ClassVar[str] = "grader"
    minimum: float = 0.0

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, minimum=(0, inf))

    def __call__(self, usages: Any, senses: Any) -> Floats:
        """The weights, usages × senses."""
        found = dot_products(as_matrix(usages), as_matrix(senses))
        return np.where((found >= self.minimum) & (found > 0), found, 0.0)


@dataclass(frozen=True)
class Top:
    """The weights of another grader, but only the best so many of each usage. (Jurgens & Klapaftis 2013)

    Of equal weights the first are kept.

    >>> Top(Votes(), 2)([[4, 3, 3]], np.eye(3)).tolist()
    [[4.0, 3.0, 0.0]]
    """

    kind: ClassVar[str] = "grader"
    grader: VectorGrader = Softmax()
    count: int = 3

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, count=(1, inf))
        if getattr(self.grader, "kind", "grader") != "grader":
            raise InputError(f"Top: grader is {self.grader!r}, which is no grader")

    def __call__(self, usages: Any, senses: Any) -> Floats:
        """The weights, usages × senses."""
        found = self.grader(usages, senses)
        rank = np.argsort(np.argsort(-found, axis=1, kind="stable"), axis=1, kind="stable")
        return np.where(rank < self.count, found, 0.0)


@dataclass(frozen=True)
class Within:
    """The weights of another grader, but only those of at least this ``share`` of a usage's heaviest.

    Few usages have many senses to people, too, where they need not rate each of them. (Erk, McCarthy & Gaylord 2013)

    >>> Within(Votes(), 0.5)([[4, 3, 1]], np.eye(3)).tolist()
    [[4.0, 3.0, 0.0]]
    """

    kind: ClassVar[str] = "grader"
    grader: VectorGrader = Softmax()
    share: float = 0.3

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, share=(0, 1))
        if getattr(self.grader, "kind", "grader") != "grader":
            raise InputError(f"Within: grader is {self.grader!r}, which is no grader")

    def __call__(self, usages: Any, senses: Any) -> Floats:
        """The weights, usages × senses."""
        found = self.grader(usages, senses)
        return np.where(found >= self.share * found.max(axis=1, keepdims=True, initial=0.0), found, 0.0)

"""Criteria for the number of clusters, from rows and a clusterer.

Most compare what the clusterer finds for 1, 2, … clusters, up to ``most``. The criterion function cr(m) of m clusters
is that of the clusterer, if it has a ``criterion`` as RepeatedBisections has, else I2; of E1, which falls as clusters
get better, it is the inverse. Not all criteria can answer that there is a single cluster: each says so.

PK2 follows the description of the task. The full text of the papers was not available for the others: the threshold of
PK1, the knee of PK3 and the start of the plateau follow our understanding of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, inf, log, sqrt
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.clustering.clusterer import GREATEST_NUMBER, Clusterer, solutions
from polyseme.clustering.criteria import Criterion, criterion_value
from polyseme.clustering.laplacian import laplacian_vectors
from polyseme.clustering.reference_data import draw_with_marginals, shuffle_columns
from polyseme.matrices import as_matrix, count_distinct_rows, to_dense, unit_rows, with_metric
from polyseme.parts import CheckedOptions, Ranges

PLATEAU = 1e-3
"""Where a criterion function grows by this share or less, more clusters are not considered."""


@runtime_checkable
class NumberCriterion(Protocol):
    """Chooses the number of clusters."""

    def __call__(self, matrix: Any, clusterer: Clusterer, weights: Floats | None = None) -> int:
        """The number of clusters of the rows of a matrix."""
        ...


def criterion_values(matrix: Any, clusterer: Clusterer, most: int, weights: Floats | None = None) -> Floats:
    """Compute the criterion function for 1, 2, … clusters.

    >>> from polyseme.clustering.repeated_bisections import RepeatedBisections
    >>> criterion_values(np.eye(3), RepeatedBisections(), 5).round(3).tolist()
    [1.732, 2.414, 3.0]
    """
    return np.array(list(_iterate_criterion_values(matrix, clusterer, most, weights)))


def _iterate_criterion_values(matrix: Any, clusterer: Clusterer, most: int, weights: Floats | None) -> Iterator[float]:
    """Yield the same one by one, for callers that may stop early."""
    criterion: Criterion = getattr(clusterer, "criterion", "I2")
    for labels in solutions(clusterer, matrix, most, weights):
        value = criterion_value(matrix, labels, criterion, weights)
        yield 1 / max(value, 1e-12) if criterion == "E1" else value


@dataclass(frozen=True)
class Fixed(CheckedOptions):
    """Always the same number, or the number of distinct rows if that is less.

    Args:
        number: The number; Amrami & Goldberg (2019) take 7.

    >>> Fixed(2)(np.eye(3), None)
    2
    """

    kind: ClassVar[str] = "number"
    ranges: ClassVar[Ranges] = {"number": (1, GREATEST_NUMBER)}
    number: int = 7

    def __call__(self, matrix: Any, clusterer: Clusterer | None, weights: Floats | None = None) -> int:
        """The number of clusters."""
        return max(count_distinct_rows(as_matrix(matrix), self.number), 1)


@dataclass(frozen=True)
class Sizeable(CheckedOptions):
    """The first m with enough clusters that hold a sizeable share of the rows each.

    (After Amrami & Goldberg 2019, who take a fixed number and drop clusters that are too small.) Average linkage splits
    off single rows before it divides a large cluster, and splits off more if there are more rows. With a fixed number,
    fewer clusters are then sizeable. A pipeline merges small clusters into them.

    Args:
        number: How many sizeable clusters there must be. If there are always fewer, the answer is the first m with the
            greatest number of them.
        share: The least share of the rows of a sizeable cluster; it has two rows at least.
        most: The greatest number of clusters.

    >>> from polyseme.clustering.agglomerative import Agglomerative
    >>> rows = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2], [99.0]])
    >>> Sizeable(2, 0.3)(rows, Agglomerative("average", "euclidean"))
    3
    """

    kind: ClassVar[str] = "number"
    ranges: ClassVar[Ranges] = {"number": (1, GREATEST_NUMBER), "share": (0, 1), "most": (1, GREATEST_NUMBER)}
    number: int = 3
    share: float = 0.03
    most: int = 40

    def least_size(self, rows: int) -> int:
        """The least size of a sizeable cluster among this many rows.

        >>> Sizeable(share=0.03).least_size(10), Sizeable(share=0.03).least_size(110)
        (2, 4)
        """
        return max(ceil(self.share * rows - 1e-9), 2)

    def __call__(self, matrix: Any, clusterer: Clusterer, weights: Floats | None = None) -> int:
        """The number of clusters."""
        counts = [0]
        for labels in solutions(clusterer, matrix, self.most, weights):
            sizes = np.bincount(labels[labels >= 0], minlength=1)
            counts.append(int((sizes >= self.least_size(len(labels))).sum()))
            if counts[-1] >= self.number:
                break
        return max(int(np.argmax(counts)), 1)


class _PlateauCriterion(CheckedOptions, ABC):
    """A criterion that chooses from the criterion function up to where it reaches a plateau."""

    kind: ClassVar[str] = "number"
    ranges: ClassVar[Ranges] = {"most": (1, GREATEST_NUMBER), "delta": (0, inf)}
    most: int
    delta: float

    def __call__(self, matrix: Any, clusterer: Clusterer, weights: Floats | None = None) -> int:
        """The number of clusters."""
        values = criterion_values(matrix, clusterer, self.most, weights)
        flat = np.flatnonzero(np.diff(values) <= self.delta * np.abs(values[:-1]))
        values = values[: flat[0] + 2] if len(flat) else values
        if len(values) < 3 or values.std() == 0:  # too few for their spread to mean anything
            return int((np.diff(values, prepend=-inf) > self.delta * np.abs(values)).sum()) or 1
        return self.choose(values)

    @abstractmethod
    def choose(self, values: Floats) -> int:
        """The number of clusters, from three values or more."""


@dataclass(frozen=True)
class PK1(_PlateauCriterion):
    """The first m whose criterion value is high compared with all: (cr(m) − mean) / sd > threshold.

    The mean and standard deviation are those of cr(1), cr(2), … up to the plateau. (Pedersen & Kulkarni 2006, after
    Mojena 1977.) The answer is 1 only if the second cluster gains less than ``delta``. For data without clusters, it is
    some low number. If there are many clusters, it is too low (4 for 5 clusters that are equally far apart).

    Args:
        most: The greatest number of clusters.
        threshold: The threshold.
        delta: The plateau starts where the criterion function grows by this share or less.

    >>> from polyseme.clustering.repeated_bisections import RepeatedBisections
    >>> rows = np.repeat(np.eye(3, 20), 15, axis=0) + np.random.default_rng(0).random((45, 20)) / 5
    >>> PK1()(rows, RepeatedBisections())
    3
    """

    ranges: ClassVar[Ranges] = {"most": (1, GREATEST_NUMBER), "threshold": (-inf, inf), "delta": (0, inf)}
    most: int = 20
    threshold: float = -0.7
    delta: float = PLATEAU

    def choose(self, values: Floats) -> int:
        """The first value that is above the threshold in standard deviations."""
        return int(np.argmax((values - values.mean()) / values.std() > self.threshold)) + 1


def _least_outlier(ratios: Floats, centre: float = 1.0) -> int:
    """The m of the least ratio that is above the centre by their standard deviation, or 1; the first ratio is of 2."""
    above = np.where(ratios > centre + ratios.std(), ratios, inf)
    return int(np.argmin(above)) + 2 if np.isfinite(above).any() else 1


@dataclass(frozen=True)
class PK2(_PlateauCriterion):
    """The m with cr(m) / cr(m − 1) above 1 by more than the standard deviation of these ratios, and closest to that.

    Because the ratios fall, this is the last m whose additional cluster makes a difference. (Pedersen & Kulkarni 2006,
    after Hartigan 1975.) If no ratio is an outlier, the answer is 1. For data without clusters, the answer is
    arbitrary.

    Args:
        most: The greatest number of clusters.
        delta: The plateau starts where the criterion function grows by this share or less.
        around: ``mean`` takes ratios above their mean instead of 1. This is better where ratios never come near 1, as
            with usages of words: the submitted systems of Task 14 have as few clusters; around 1 gives three times as
            many. Of clusters that are well apart, it sees only a few.

    >>> from polyseme.clustering.repeated_bisections import RepeatedBisections
    >>> PK2()(np.repeat(np.eye(4), 5, axis=0), RepeatedBisections())
    4
    """

    most: int = 20
    delta: float = PLATEAU
    around: Literal["one", "mean"] = "one"

    def choose(self, values: Floats) -> int:
        """By the ratios of neighbours."""
        ratios = values[1:] / np.maximum(values[:-1], 1e-12)
        return _least_outlier(ratios, 1.0 if self.around == "one" else float(ratios.mean()))


@dataclass(frozen=True)
class PK3(_PlateauCriterion):
    """The m with 2 cr(m) / (cr(m − 1) + cr(m + 1)) above 1 by more than the standard deviation, and closest to that.

    It looks for a knee. (Pedersen & Kulkarni 2006, after Salvador & Chan 2004.) If there are several, as with four or
    more clusters that are equally far apart, it takes the weaker one, with fewer clusters. Without a knee the answer
    is 1. In data without clusters it is likely to see a knee.

    Args:
        most: The greatest number of clusters.
        delta: The plateau starts where the criterion function grows by this share or less.

    >>> from polyseme.clustering.repeated_bisections import RepeatedBisections
    >>> PK3()(np.repeat(np.eye(3), 5, axis=0) + np.eye(15, 3) / 9, RepeatedBisections())
    3
    """

    most: int = 20
    delta: float = PLATEAU

    def choose(self, values: Floats) -> int:
        """By the ratios of each value to those on both sides."""
        return _least_outlier(2 * values[1:-1] / np.maximum(values[:-2] + values[2:], 1e-12))


@dataclass(frozen=True)
class AdaptedGap(CheckedOptions):
    """The first m after which the gap to data without clusters grows no more: an adapted Gap statistic.

    Gap(m) = log cr(m) − mean log cr*(m), where cr* are the values of the references; the answer is the first m with
    Gap(m) ≥ Gap(m + 1) − s(m + 1), where s is √(1 + 1/references) times the standard deviation of log cr*. (Pedersen &
    Kulkarni 2006, after Tibshirani, Walther & Hastie 2001.) For data without clusters, the answer is usually 1.

    Args:
        references: How many references are drawn.
        most: The greatest number of clusters.
        reference: What a reference is. ``shuffled``: the values of each column in random order, so that features are
            as frequent as before. ``marginals``: random values with the sums of the data's rows and columns, as
            Pedersen & Kulkarni have it (:func:`~polyseme.clustering.reference_data.draw_with_marginals`). Such data
            have clusters of their own, so that the answer is 1 far more often. ``uniform``: random numbers in the range
            of each column; only for rows that are not sparse.
        seed: The random seed.

    >>> from polyseme.clustering.repeated_bisections import RepeatedBisections
    >>> rows = np.repeat(np.eye(4, 20), 15, axis=0) + np.random.default_rng(0).random((60, 20)) / 5
    >>> AdaptedGap(most=6)(rows, RepeatedBisections(trials=3))
    4
    """

    kind: ClassVar[str] = "number"
    ranges: ClassVar[Ranges] = {"references": (1, inf), "most": (1, GREATEST_NUMBER), "seed": (0, inf)}
    references: int = 10
    most: int = 15
    reference: Literal["shuffled", "marginals", "uniform"] = "shuffled"
    seed: int = 0

    def __call__(self, matrix: Any, clusterer: Clusterer, weights: Floats | None = None) -> int:
        """The number of clusters."""
        gaps: list[float] = []
        for gap, error in self.gaps(matrix, clusterer, weights):
            if gaps and gaps[-1] >= gap - error:
                return len(gaps)
            gaps.append(gap)
        return int(np.argmax(gaps)) + 1 if gaps else 1

    def gaps(self, matrix: Any, clusterer: Clusterer, weights: Floats | None = None) -> Iterator[tuple[float, float]]:
        """Yield Gap(m) and s(m) for 1, 2, … clusters; a reference without more clusters keeps its last value."""
        rows, rng = as_matrix(matrix), np.random.default_rng(self.seed)
        references = [self._draw_reference(rows, rng) for _ in range(self.references)]
        series = [_iterate_criterion_values(each, clusterer, self.most, weights) for each in references]
        logs = np.zeros(self.references)
        for value in _iterate_criterion_values(rows, clusterer, self.most, weights):
            logs = np.array(
                [_log(next(values, None), last) for values, last in zip(series, logs.tolist(), strict=True)]
            )
            yield _log(value, 0.0) - float(logs.mean()), float(logs.std()) * sqrt(1 + 1 / self.references)

    def _draw_reference(self, rows: Any, rng: np.random.Generator) -> Any:
        if self.reference == "uniform":
            dense = to_dense(rows)
            return rng.uniform(dense.min(axis=0), dense.max(axis=0), dense.shape)
        return draw_with_marginals(rows, rng) if self.reference == "marginals" else shuffle_columns(rows, rng)


def _log(value: float | None, last: float) -> float:
    """The logarithm of a value; the last one, if there is no value."""
    return last if value is None else log(max(value, 1e-12))


@dataclass(frozen=True)
class Silhouette(CheckedOptions):
    """The m, at least 2, whose clusters have the greatest mean silhouette by cosine. (Rousseeuw 1987)

    The silhouette of a row is (b − a) / max(a, b), with the mean distance a to its own cluster and b to the nearest
    other one. One cluster has none.

    Args:
        most: The greatest number of clusters.
        minimum: If no m has a greater mean silhouette, the answer is 1. Of data without clusters, it is another number
            unless the minimum is about 0.1 or more.

    >>> from polyseme.clustering.repeated_bisections import RepeatedBisections
    >>> Silhouette()(np.repeat(np.eye(4), 5, axis=0), RepeatedBisections())
    4
    """

    kind: ClassVar[str] = "number"
    ranges: ClassVar[Ranges] = {"most": (1, GREATEST_NUMBER), "minimum": (-1, 1)}
    most: int = 15
    minimum: float = 0.0

    def __call__(self, matrix: Any, clusterer: Clusterer, weights: Floats | None = None) -> int:
        """The number of clusters."""
        rows = with_metric(matrix, "cosine")
        scores = [_mean_silhouette(rows, labels) for labels in solutions(clusterer, matrix, self.most, weights)]
        best = int(np.argmax(scores)) if scores else 0
        return best + 1 if scores and scores[best] > self.minimum else 1


def _mean_silhouette(rows: Any, labels: Ints) -> float:
    """The mean silhouette; −1 if there is none."""
    from sklearn.metrics import silhouette_score

    inside = labels >= 0
    if not 1 < len(np.unique(labels[inside])) < inside.sum():
        return -1.0
    return float(silhouette_score(rows[inside], labels[inside], metric="cosine"))


@dataclass(frozen=True)
class Eigengap(CheckedOptions):
    """The m after which the gap between eigenvalues is greatest. (von Luxburg 2007)

    The eigenvalues, from the smallest on, are those of the normalised Laplacian of the graph in which rows are as
    similar as their cosine. The clusterer is not used. For data without clusters, the answer is 1.

    Args:
        most: The greatest number of clusters.

    >>> Eigengap()(np.repeat(np.eye(4), 5, axis=0), None)
    4
    """

    kind: ClassVar[str] = "number"
    ranges: ClassVar[Ranges] = {"most": (1, GREATEST_NUMBER)}
    most: int = 15

    def __call__(self, matrix: Any, clusterer: Clusterer | None, weights: Floats | None = None) -> int:
        """The number of clusters."""
        rows = unit_rows(as_matrix(matrix))
        if count_distinct_rows(rows, 2) < 2:
            return 1
        values = laplacian_vectors(rows, min(self.most + 1, rows.shape[0]))[0]
        return int(np.argmax(np.diff(values))) + 1

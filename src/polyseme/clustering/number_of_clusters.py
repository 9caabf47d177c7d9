"""How many clusters? Parts that answer from rows and a clusterer.

Most look at what the clusterer finds for 1, 2, … clusters, up to ``most``. The criterion function value cr(m) of m
clusters is that of the clusterer, if it has a ``criterion`` as RepeatedBisections has, else I2; of E1, which falls as
clusters get better, it is the inverse. A single cluster is an answer that not all of them can give: each says so.

PK2 is as the task's description has it. The full text of the papers was not at hand when the others were written: PK1's
threshold, which knee PK3 takes and where values have reached a plateau are as we understand them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, inf, log, sqrt
from typing import Any, ClassVar, Literal

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.clustering.clusterer import Clusterer, solutions
from polyseme.clustering.criteria import Criterion, criterion_value
from polyseme.clustering.laplacian import laplacian_vectors
from polyseme.clustering.reference_data import draw_with_marginals
from polyseme.matrices import as_matrix, count_distinct_rows, is_sparse, to_dense, unit_rows, with_metric
from polyseme.parts import check_options, check_ranges

PLATEAU = 1e-3
"""Where a criterion function grows by no greater share than this, more clusters are not looked at."""


def criterion_values(matrix: Any, clusterer: Clusterer, most: int, weights: Floats | None = None) -> Floats:
    """The criterion function values for 1, 2, … clusters.

    >>> from polyseme.clustering.repeated_bisections import RepeatedBisections
    >>> criterion_values(np.eye(3), RepeatedBisections(), 5).round(3).tolist()
    [1.732, 2.414, 3.0]
    """
    return np.array(list(_iterate_criterion_values(matrix, clusterer, most, weights)))


def _iterate_criterion_values(matrix: Any, clusterer: Clusterer, most: int, weights: Floats | None) -> Iterator[float]:
    """The same, one after the other: who has seen enough need not wait for the others."""
    criterion: Criterion = getattr(clusterer, "criterion", "I2")
    for labels in solutions(clusterer, matrix, most, weights):
        value = criterion_value(matrix, labels, criterion, weights)
        yield 1 / max(value, 1e-12) if criterion == "E1" else value


def _values_to_plateau(matrix: Any, clusterer: Clusterer, most: int, delta: float, weights: Floats | None) -> Floats:
    """The criterion function values up to where they reach a plateau."""
    found = criterion_values(matrix, clusterer, most, weights)
    flat = np.flatnonzero(np.diff(found) <= delta * np.abs(found[:-1]))
    return found[: flat[0] + 2] if len(flat) else found


@dataclass(frozen=True)
class Fixed:
    """Always the same number: 7 is what Amrami & Goldberg (2019) take; fewer if there are fewer different rows.

    >>> Fixed(2)(np.eye(3), None)
    2
    """

    kind: ClassVar[str] = "number"
    number: int = 7

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, number=(1, inf))

    def __call__(self, matrix: Any, clusterer: Clusterer | None, weights: Floats | None = None) -> int:
        """The number of clusters."""
        return max(count_distinct_rows(as_matrix(matrix), self.number), 1)


@dataclass(frozen=True)
class Sizeable:
    """The first m of which ``number`` clusters have at least a ``share`` of the rows, and two rows at least.

    (After Amrami & Goldberg 2019, who take a fixed number and drop what is too small.) Average link sets single rows
    apart before it divides what is large, the more the more rows there are: with a fixed number, fewer of the clusters
    are worth the name. A pipeline merges those that are not counted. Up to ``most`` clusters are looked at; if there
    are never so many large ones, the answer is the first m that has the most of them.

    >>> from polyseme.clustering.agglomerative import Agglomerative
    >>> rows = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2], [99.0]])
    >>> Sizeable(2, 0.3)(rows, Agglomerative("average", "euclidean"))
    3
    """

    kind: ClassVar[str] = "number"
    number: int = 3
    share: float = 0.03
    most: int = 40

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, number=(1, inf), share=(0, 1), most=(1, inf))

    def fewest(self, rows: int) -> int:
        """How many rows a cluster has that counts, of so many.

        >>> Sizeable(share=0.03).fewest(10), Sizeable(share=0.03).fewest(110)
        (2, 4)
        """
        return max(ceil(self.share * rows - 1e-9), 2)

    def __call__(self, matrix: Any, clusterer: Clusterer, weights: Floats | None = None) -> int:
        """The number of clusters."""
        found = [0]
        for labels in solutions(clusterer, matrix, self.most, weights):
            sizes = np.bincount(labels[labels >= 0], minlength=1)
            found.append(int((sizes >= self.fewest(len(labels))).sum()))
            if found[-1] >= self.number:
                break
        return max(int(np.argmax(found)), 1)


@dataclass(frozen=True)
class PK1:
    """The first m whose criterion value is high enough among all: (cr(m) − mean) / sd > ``threshold``.

    Mean and standard deviation are those of cr(1), cr(2), …, as far as these rise: by a share of more than ``delta``
    from one to the next. (Pedersen & Kulkarni 2006, after Mojena 1977.) It takes one cluster
    only if the second gains less than that; of data without clusters it says some low number, and of many clusters too
    few (4 of 5 that are equally far apart).

    >>> from polyseme.clustering.repeated_bisections import RepeatedBisections
    >>> rows = np.repeat(np.eye(3, 20), 15, axis=0) + np.random.default_rng(0).random((45, 20)) / 5
    >>> PK1()(rows, RepeatedBisections())
    3
    """

    kind: ClassVar[str] = "number"
    most: int = 20
    threshold: float = -0.7
    delta: float = PLATEAU

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, most=(1, inf), threshold=(-inf, inf), delta=(0, inf))

    def __call__(self, matrix: Any, clusterer: Clusterer, weights: Floats | None = None) -> int:
        """The number of clusters."""
        values = _values_to_plateau(matrix, clusterer, self.most, self.delta, weights)
        spread = values.std()
        if spread == 0 or len(values) < 3:
            return _number_from_few_values(values, self.delta)
        return int(np.argmax((values - values.mean()) / spread > self.threshold)) + 1


def _number_from_few_values(values: Floats, delta: float) -> int:
    """The answer where there are only one or two values, so that no spread of them means anything."""
    return int((np.diff(values, prepend=-inf) > delta * np.abs(values)).sum()) or 1


@dataclass(frozen=True)
class _RatioCriterion(ABC):
    """What PK2 and PK3 have in common: from the criterion function values, as far as these rise, to an answer."""

    kind: ClassVar[str] = "number"
    most: int = 20
    delta: float = PLATEAU

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, most=(1, inf), delta=(0, inf))

    def __call__(self, matrix: Any, clusterer: Clusterer, weights: Floats | None = None) -> int:
        """The number of clusters."""
        values = _values_to_plateau(matrix, clusterer, self.most, self.delta, weights)
        return _number_from_few_values(values, self.delta) if len(values) < 3 else self.answer(values)

    @abstractmethod
    def answer(self, values: Floats) -> int:
        """The number of clusters, from three values or more."""


def _least_outlier(ratios: Floats, around: float = 1.0) -> int:
    """Which ratio is the least outside, above by their standard deviation; the first is of 2 clusters. Else 1."""
    above = np.where(ratios > around + ratios.std(), ratios, inf)
    return int(np.argmin(above)) + 2 if np.isfinite(above).any() else 1


@dataclass(frozen=True)
class PK2(_RatioCriterion):
    """The m with cr(m) / cr(m − 1) above 1 by more than the standard deviation of these ratios, and closest to that.

    So it is the last whose cluster more made a difference, as ratios fall. (Pedersen & Kulkarni 2006, after Hartigan
    1975; ``delta`` as in PK1.) If no ratio is outside, it says 1; of data without clusters, anything. ``around='mean'``
    takes those above their mean by the standard deviation. That is better where ratios never come near 1, as with
    usages of words: the submitted systems of Task 14 have as few clusters as it finds, around 1 gives three times that.
    Of clusters that are well apart it sees only some.

    >>> from polyseme.clustering.repeated_bisections import RepeatedBisections
    >>> PK2()(np.repeat(np.eye(4), 5, axis=0), RepeatedBisections())
    4
    """

    around: Literal["one", "mean"] = "one"

    def answer(self, values: Floats) -> int:
        """By the ratios of neighbours."""
        ratios = values[1:] / np.maximum(values[:-1], 1e-12)
        return _least_outlier(ratios, 1.0 if self.around == "one" else float(ratios.mean()))


@dataclass(frozen=True)
class PK3(_RatioCriterion):
    """The m with 2 cr(m) / (cr(m − 1) + cr(m + 1)) above 1 by more than the standard deviation, and closest to that.

    It looks for a knee. (Pedersen & Kulkarni 2006, after Salvador & Chan 2004; ``delta`` as in PK1.) Where there are
    several, as with four clusters and more that are equally far apart, the slighter one, of fewer clusters, is taken.
    Without a knee it says 1; it is likely to see one in data without clusters.

    >>> from polyseme.clustering.repeated_bisections import RepeatedBisections
    >>> PK3()(np.repeat(np.eye(3), 5, axis=0) + np.eye(15, 3) / 9, RepeatedBisections())
    3
    """

    def answer(self, values: Floats) -> int:
        """By the ratios of each to those on both sides."""
        return _least_outlier(2 * values[1:-1] / np.maximum(values[:-2] + values[2:], 1e-12))


@dataclass(frozen=True)
class AdaptedGap:
    """The first m whose criterion value is as far above that of data without clusters as the next one's.

    Gap(m) = log cr(m) − mean log cr*(m), where cr* are the values of the references; the first m is taken with
    Gap(m) ≥ Gap(m + 1) − s(m + 1), where s is √(1 + 1/references) times the standard deviation of log cr*. (Pedersen &
    Kulkarni 2006, after Tibshirani, Walther & Hastie 2001.) Of data without clusters it says 1, as a rule.

    Args:
        references: How many references are made.
        most: The greatest number of clusters.
        reference: What a reference is. ``shuffled``: the values of each column in random order, so that features are
            as frequent as before. ``marginals``: random values with the sums of the data's rows and columns, as
            Pedersen & Kulkarni have it (:func:`~polyseme.clustering.reference_data.draw_with_marginals`). Such data have
            clusters of their own, so that the answer is 1 far more often. ``uniform``: random numbers in the range of
            each column; only for rows that are not sparse.
        seed: The random seed.

    >>> from polyseme.clustering.repeated_bisections import RepeatedBisections
    >>> rows = np.repeat(np.eye(4, 20), 15, axis=0) + np.random.default_rng(0).random((60, 20)) / 5
    >>> AdaptedGap(most=6)(rows, RepeatedBisections(trials=3))
    4
    """

    kind: ClassVar[str] = "number"
    references: int = 10
    most: int = 15
    reference: Literal["shuffled", "marginals", "uniform"] = "shuffled"
    seed: int = 0

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, references=(1, inf), most=(1, inf), seed=(0, inf))

    def __call__(self, matrix: Any, clusterer: Clusterer, weights: Floats | None = None) -> int:
        """The number of clusters."""
        gaps: list[float] = []
        for gap, error in self.gaps(matrix, clusterer, weights):
            if gaps and gaps[-1] >= gap - error:
                return len(gaps)
            gaps.append(gap)
        return int(np.argmax(gaps)) + 1 if gaps else 1

    def gaps(self, matrix: Any, clusterer: Clusterer, weights: Floats | None = None) -> Iterator[tuple[float, float]]:
        """Gap(m) and s(m) for 1, 2, … clusters; a reference that has no more of them stays where it is."""
        rows, rng = as_matrix(matrix), np.random.default_rng(self.seed)
        made = [self._made(rows, rng) for _ in range(self.references)]
        others = [_iterate_criterion_values(each, clusterer, self.most, weights) for each in made]
        logs = np.zeros(self.references)
        for value in _iterate_criterion_values(rows, clusterer, self.most, weights):
            logs = np.array([_log(next(other, None), last) for other, last in zip(others, logs.tolist(), strict=True)])
            yield _log(value, 0.0) - float(logs.mean()), float(logs.std()) * sqrt(1 + 1 / self.references)

    def _made(self, rows: Any, rng: np.random.Generator) -> Any:
        """A reference."""
        if self.reference == "uniform":
            plain = to_dense(rows)
            return rng.uniform(plain.min(axis=0), plain.max(axis=0), plain.shape)
        return draw_with_marginals(rows, rng) if self.reference == "marginals" else shuffle_columns(rows, rng)


def _log(value: float | None, last: float) -> float:
    """The logarithm of a value; the last one, if there is none any more."""
    return last if value is None else log(max(value, 1e-12))


def shuffle_columns(rows: Any, rng: np.random.Generator) -> Any:
    """The values of each column in random order; sparse rows stay sparse.

    >>> shuffle_columns(np.eye(3), np.random.default_rng(0)).sum(axis=0).tolist()
    [1.0, 1.0, 1.0]
    """
    import scipy.sparse as sp

    if not is_sparse(rows):
        return rng.permuted(rows, axis=0)
    columns = rows.tocsc()
    counts = np.diff(columns.indptr)
    places = [rng.choice(rows.shape[0], count, replace=False) for count in counts.tolist()]
    where = np.concatenate([np.zeros(0, np.intp), *places])
    made: Any = sp.csr_array((columns.data, (where, np.repeat(np.arange(len(counts)), counts))), shape=rows.shape)
    return made


@dataclass(frozen=True)
class Silhouette:
    """The m, at least 2, whose clusters have the greatest mean silhouette by cosine. (Rousseeuw 1987)

    That of a row is (b − a) / max(a, b), with the mean distance a to its own cluster and b to the nearest other. One
    cluster has none: 1 is said if no m has a mean silhouette above ``minimum``. Of data without clusters it says
    something, unless the minimum is about 0.1 or more.

    >>> from polyseme.clustering.repeated_bisections import RepeatedBisections
    >>> Silhouette()(np.repeat(np.eye(4), 5, axis=0), RepeatedBisections())
    4
    """

    kind: ClassVar[str] = "number"
    most: int = 15
    minimum: float = 0.0

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, most=(1, inf), minimum=(-1, 1))

    def __call__(self, matrix: Any, clusterer: Clusterer, weights: Floats | None = None) -> int:
        """The number of clusters."""
        rows = with_metric(matrix, "cosine")
        scores = [_mean_silhouette(rows, labels) for labels in solutions(clusterer, matrix, self.most, weights)]
        best = int(np.argmax(scores)) if scores else 0
        return best + 1 if scores and scores[best] > self.minimum else 1


def _mean_silhouette(rows: Any, labels: Ints) -> float:
    """The mean silhouette; −1 where there is none."""
    from sklearn.metrics import silhouette_score

    inside = labels >= 0
    if not 1 < len(np.unique(labels[inside])) < inside.sum():
        return -1.0
    return float(silhouette_score(rows[inside], labels[inside], metric="cosine"))


@dataclass(frozen=True)
class Eigengap:
    """The m after whose eigenvalue the next is farthest away. (von Luxburg 2007)

    Eigenvalues are those of the normalised Laplacian of the graph in which rows are as similar as their cosine, from
    the smallest on. The clusterer is not asked. Of data without clusters it says 1.

    >>> Eigengap()(np.repeat(np.eye(4), 5, axis=0), None)
    4
    """

    kind: ClassVar[str] = "number"
    most: int = 15

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, most=(1, inf))

    def __call__(self, matrix: Any, clusterer: Clusterer | None, weights: Floats | None = None) -> int:
        """The number of clusters."""
        rows = unit_rows(as_matrix(matrix))
        if count_distinct_rows(rows, 2) < 2:
            return 1
        values = laplacian_vectors(rows, min(self.most + 1, rows.shape[0]))[0]
        return int(np.argmax(np.diff(values))) + 1

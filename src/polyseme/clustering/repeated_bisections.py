"""Repeated bisections: one cluster after another is cut in two, as a criterion function says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, NamedTuple

import numpy as np

from polyseme.arrays import Floats, Ints, sum_at
from polyseme.clustering.criteria import (
    TINY,
    Criterion,
    combine_terms,
    composite_products,
    compute_composites,
    external_terms,
    internal_terms,
    sum_terms,
)
from polyseme.matrices import (
    as_matrix,
    check_weights,
    dot_products,
    number_distinct_rows,
    renumber_clusters,
    require_number,
    to_dense,
    unit_rows,
)
from polyseme.parts import check_options, check_ranges

ROUNDS = 100
"""How often all rows are looked at in refinement; seldom more than ten are needed."""


@dataclass(frozen=True)
class RepeatedBisections:
    """Cut the cluster in two that is best cut, until there are enough. (Zhao & Karypis 2004; Steinbach et al. 2000)

    Vectors are compared by cosine. A bisection begins with two random rows, to the nearer of which each row goes, and
    is refined: rows are moved as long as that makes the criterion function better (:mod:`its formulas
    <polyseme.clustering.criteria>`), many at a time while it pays, at last one by one. The best of so many
    ``trials`` counts. Of all clusters, that is cut whose bisection makes the criterion best. With ``refine``, rows then
    move between all clusters, too. Sparse rows stay sparse.

    >>> RepeatedBisections()([[5, 1, 0], [0, 0, 2], [3, 0, 0], [0, 1, 7]], 2).tolist()
    [0, 1, 0, 1]
    """

    kind: ClassVar[str] = "clusterer"
    criterion: Criterion = "I2"
    trials: int = 10
    seed: int = 0
    refine: bool = True

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, trials=(1, inf), seed=(0, inf))

    def __call__(self, matrix: Any, number: int | None = None, weights: Floats | None = None) -> Ints:
        """The cluster of each row."""
        rows, heavy, same = _merge_equal_rows(matrix, weights)
        *_, last = self._cut(rows, heavy, require_number(self, number))
        return renumber_clusters(self._refined(rows, heavy, last)[same])

    def solutions(self, matrix: Any, most: int, weights: Floats | None = None) -> Iterator[Ints]:
        """The clusters of each row for 1, 2, … clusters, up to so many or as many as there are different rows."""
        rows, heavy, same = _merge_equal_rows(matrix, weights)
        for labels in self._cut(rows, heavy, most):
            yield renumber_clusters(self._refined(rows, heavy, labels)[same])

    def _cut(self, rows: Any, heavy: Floats, most: int) -> Iterator[Ints]:
        """The clusters after 0, 1, … bisections."""
        labels = np.zeros(rows.shape[0], np.intp)
        yield labels.copy()
        composites, sizes = compute_composites(rows, labels, heavy, 1)
        halves = {0: self._halves(rows, heavy, labels, 0)}
        for fresh in range(1, min(rows.shape[0], most)):
            cuts = {old: half.instead(composites, sizes, old) for old, half in halves.items() if half is not None}
            chosen = max(cuts, key=lambda old: clustering_value(self.criterion, *cuts[old]))
            composites, sizes = cuts[chosen]
            labels[halves[chosen].leaving] = fresh
            for cluster in (chosen, fresh):
                halves[cluster] = self._halves(rows, heavy, labels, cluster)
            yield labels.copy()

    def _halves(self, rows: Any, weights: Floats, labels: Ints, cluster: int) -> Any:
        """How a cluster is bisected; None if it is a single row."""
        members = np.flatnonzero(labels == cluster)
        if len(members) < 2:
            return None
        rng = np.random.default_rng([self.seed, cluster, len(members)])
        here = _prepare_collection(self.criterion, rows[members], weights[members])
        tried = [refine_clusters(here, _random_bisection(here.rows, rng), 2) for _ in range(self.trials)]
        best = max(tried, key=lambda found: found.value)
        return _Halves(members[best.labels == 1], best.composites, best.sizes)

    def _refined(self, rows: Any, heavy: Floats, labels: Ints) -> Ints:
        number = int(labels.max(initial=0)) + 1
        if not self.refine or number < 2:
            return labels
        return refine_clusters(_prepare_collection(self.criterion, rows, heavy), labels, number).labels


class _Halves(NamedTuple):
    """The rows that leave a cluster if it is bisected, and the composites and sizes of both halves."""

    leaving: Ints
    composites: Floats
    sizes: Floats

    def instead(self, composites: Floats, sizes: Floats, cluster: int) -> tuple[Floats, Floats]:
        """The composites and sizes of all clusters with these halves instead of one, the second as the last."""
        both, counts = np.vstack([composites, self.composites[1]]), np.append(sizes, self.sizes[1])
        both[cluster], counts[cluster] = self.composites[0], self.sizes[0]
        return both, counts


def clustering_value(criterion: Criterion, composites: Floats, sizes: Floats) -> float:
    """How good clusters are, from their composites and sizes; more is better."""
    return float(combine_terms(criterion, *sum_terms(criterion, *composite_products(composites), sizes)))


def _merge_equal_rows(matrix: Any, weights: Floats | None) -> tuple[Any, Floats, Ints]:
    """The unit rows that are different, what they weigh together, and which each row is: the same stay together."""
    rows = unit_rows(as_matrix(matrix))
    same = number_distinct_rows(rows)
    _, first = np.unique(same, return_index=True)
    return rows[first], sum_at(same, check_weights(weights, rows.shape[0]), len(first)), same


class _Collection(NamedTuple):
    """Rows that are clustered, and by which criterion."""

    criterion: Criterion
    rows: Any
    weights: Floats
    squares: Floats
    """The squared length of each row, weighted: 0 for rows of zeros."""
    total: Floats
    """The dot product of each weighted row with the unit sum of all."""


class _ClusterState(NamedTuple):
    """Clusters of a collection, and how good they are."""

    labels: Ints
    composites: Floats
    sizes: Floats
    value: float


def _prepare_collection(criterion: Criterion, rows: Any, weights: Floats) -> _Collection:
    composite, _ = compute_composites(rows, np.zeros(rows.shape[0], np.intp), weights, 1)
    length = max(float(np.sqrt(composite[0] @ composite[0])), TINY)
    lengths = np.asarray((rows * rows).sum(axis=1)).ravel()
    return _Collection(
        criterion, rows, weights, weights**2 * lengths, weights * dot_products(rows, composite)[:, 0] / length
    )


def _random_bisection(rows: Any, rng: np.random.Generator) -> Ints:
    """Two clusters around two random rows that are not the same."""
    first, second = rng.choice(rows.shape[0], 2, replace=False)
    near = dot_products(rows, rows[[first]])[:, 0]
    found = (dot_products(rows, rows[[second]])[:, 0] > near).astype(np.intp)
    found[first], found[second] = 0, 1
    return found


def refine_clusters(collection: _Collection, labels: Ints, number: int) -> _ClusterState:
    """Clusters after rows have moved to where the criterion function is better, until none is; none is emptied.

    Of the rows that had better move, those that gain most are moved at once; half as many if that made it worse, and so
    on, down to the best alone, which cannot.
    """
    composites, sizes = compute_composites(collection.rows, labels, collection.weights, number)
    here = _ClusterState(labels, composites, sizes, clustering_value(collection.criterion, composites, sizes))
    share = 1.0
    for _ in range(ROUNDS):
        gains, towards = _gains(collection, here)
        order = np.argsort(-gains, kind="stable")[: int((gains > TINY * max(abs(here.value), 1)).sum())]
        count = max(int(len(order) * share), 1)
        while len(order):
            after = _move_rows(collection, here, order[:count], towards[order[:count]])
            if after.value > here.value or count == 1:
                break
            count = (count + 1) // 2
        if not len(order) or after.value <= here.value:
            break
        here, share = after, min(2 * count / len(order), 1.0)
    return here


def _move_rows(collection: _Collection, here: _ClusterState, some: Ints, towards: Ints) -> _ClusterState:
    """The clusters after some rows have moved; infinitely bad if one is empty."""
    labels, every = here.labels.copy(), np.arange(len(some))
    change = np.zeros((len(here.sizes), len(some)))
    change[towards, every] = collection.weights[some]
    change[labels[some], every] = -collection.weights[some]
    labels[some] = towards
    composites = here.composites + to_dense(change @ collection.rows[some])
    sizes = here.sizes + change.sum(axis=1)
    full = np.bincount(labels, minlength=len(sizes)).all()
    return _ClusterState(
        labels, composites, sizes, clustering_value(collection.criterion, composites, sizes) if full else -inf
    )


def _gains(collection: _Collection, clusters: _ClusterState) -> tuple[Floats, Ints]:
    """By how much the criterion gets better if each row alone moves to its best other cluster, and which that is."""
    criterion, rows, weights, lengths, total = collection
    labels, composites, sizes, value = clusters
    squares, dots = composite_products(composites)
    here = np.arange(len(labels))
    near = weights[:, None] * dot_products(rows, composites)
    after = squares + 2 * near + lengths[:, None], dots + total[:, None], sizes + weights[:, None]
    left = squares[labels] - 2 * near[here, labels] + lengths, dots[labels] - total, sizes[labels] - weights
    inside, outside = sum_terms(criterion, squares, dots, sizes)
    changes_inside = internal_terms(criterion, after[0], after[2]) - internal_terms(criterion, squares, sizes)
    changes_outside = external_terms(criterion, *after) - external_terms(criterion, squares, dots, sizes)
    changes_inside += (internal_terms(criterion, left[0], left[2]) - internal_terms(criterion, squares, sizes)[labels])[
        :, None
    ]
    changes_outside += (external_terms(criterion, *left) - external_terms(criterion, squares, dots, sizes)[labels])[
        :, None
    ]
    values = combine_terms(criterion, inside + changes_inside, outside + changes_outside)
    values[here, labels] = -inf
    values[np.bincount(labels, minlength=len(sizes))[labels] == 1] = -inf
    towards = np.argmax(values, axis=1)
    return values[here, towards] - value, towards

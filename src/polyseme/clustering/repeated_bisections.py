"""Repeated bisections: one cluster after another is cut in two, guided by a criterion function."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, NamedTuple

import numpy as np

from polyseme.arrays import Floats, Ints, sum_at
from polyseme.clustering.clusterer import require_number
from polyseme.clustering.criteria import (
    TINY,
    Criterion,
    clustering_value,
    combine_terms,
    composite_products,
    compute_composites,
    external_terms,
    internal_terms,
)
from polyseme.matrices import (
    as_matrix,
    check_weights,
    dot_products,
    number_distinct_rows,
    renumber_clusters,
    to_dense,
    unit_rows,
)
from polyseme.parts import CheckedOptions, Ranges

ROUNDS = 100
"""How often refinement goes over all rows; it seldom needs more than ten rounds."""


@dataclass(frozen=True)
class RepeatedBisections(CheckedOptions):
    """Split the cluster whose bisection is best, until there are enough. (Zhao & Karypis 2004; Steinbach et al. 2000)

    Vectors are compared by cosine. A bisection starts from two random rows; each row goes to the nearer one. Then rows
    move as long as that improves the criterion function (:mod:`its formulas <polyseme.clustering.criteria>`): many at a
    time as long as that helps, then one by one. The next cluster to split is the one whose bisection gives the best
    criterion. Sparse rows stay sparse.

    Args:
        criterion: The criterion function.
        trials: The best of this many bisections of a cluster is taken.
        seed: The random seed.
        refine: Whether rows move between all clusters at the end, too.

    >>> RepeatedBisections()([[5, 1, 0], [0, 0, 2], [3, 0, 0], [0, 1, 7]], 2).tolist()
    [0, 1, 0, 1]
    """

    kind: ClassVar[str] = "clusterer"
    ranges: ClassVar[Ranges] = {"trials": (1, inf), "seed": (0, inf)}
    criterion: Criterion = "I2"
    trials: int = 10
    seed: int = 0
    refine: bool = True

    def __call__(self, matrix: Any, number: int | None = None, weights: Floats | None = None) -> Ints:
        """The cluster of each row."""
        rows, row_weights, numbers = _merge_equal_rows(matrix, weights)
        *_, last = self._bisect(rows, row_weights, require_number(self, number))
        return renumber_clusters(self._refine(rows, row_weights, last)[numbers])

    def solutions(self, matrix: Any, most: int, weights: Floats | None = None) -> Iterator[Ints]:
        """Yield the clusters for 1, 2, … clusters, up to ``most`` or the number of distinct rows."""
        rows, row_weights, numbers = _merge_equal_rows(matrix, weights)
        for labels in self._bisect(rows, row_weights, most):
            yield renumber_clusters(self._refine(rows, row_weights, labels)[numbers])

    def _bisect(self, rows: Any, weights: Floats, most: int) -> Iterator[Ints]:
        """Yield the clusters after 0, 1, … bisections."""
        labels = np.zeros(rows.shape[0], np.intp)
        yield labels.copy()
        composites, sizes = compute_composites(rows, labels, weights, 1)
        halves = {0: self._halve(rows, weights, labels, 0)}
        for new in range(1, min(rows.shape[0], most)):
            cuts = {label: half.replace(composites, sizes, label) for label, half in halves.items() if half is not None}
            best = max(cuts, key=lambda label: clustering_value(self.criterion, *cuts[label]))
            composites, sizes = cuts[best]
            labels[halves[best].leaving] = new
            for cluster in (best, new):
                halves[cluster] = self._halve(rows, weights, labels, cluster)
            yield labels.copy()

    def _halve(self, rows: Any, weights: Floats, labels: Ints, cluster: int) -> Any:
        """The best bisection of a cluster; None if it is a single row."""
        members = np.flatnonzero(labels == cluster)
        if len(members) < 2:
            return None
        rng = np.random.default_rng([self.seed, cluster, len(members)])
        collection = _prepare_collection(self.criterion, rows[members], weights[members])
        trials = [refine_clusters(collection, _random_bisection(collection.rows, rng), 2) for _ in range(self.trials)]
        best = max(trials, key=lambda trial: trial.value)
        return _Halves(members[best.labels == 1], best.composites, best.sizes)

    def _refine(self, rows: Any, weights: Floats, labels: Ints) -> Ints:
        number = int(labels.max(initial=0)) + 1
        if not self.refine or number < 2:
            return labels
        return refine_clusters(_prepare_collection(self.criterion, rows, weights), labels, number).labels


class _Halves(NamedTuple):
    """The rows that leave a cluster if it is bisected, and the composites and sizes of both halves."""

    leaving: Ints
    composites: Floats
    sizes: Floats

    def replace(self, composites: Floats, sizes: Floats, cluster: int) -> tuple[Floats, Floats]:
        """The composites and sizes of all clusters with these halves instead of one, the second half at the end."""
        all_composites, all_sizes = np.vstack([composites, self.composites[1]]), np.append(sizes, self.sizes[1])
        all_composites[cluster], all_sizes[cluster] = self.composites[0], self.sizes[0]
        return all_composites, all_sizes


def _merge_equal_rows(matrix: Any, weights: Floats | None) -> tuple[Any, Floats, Ints]:
    """The distinct unit rows, their total weights, and the number of each row among them: equal rows stay together."""
    rows = unit_rows(as_matrix(matrix))
    numbers = number_distinct_rows(rows)
    _, first = np.unique(numbers, return_index=True)
    return rows[first], sum_at(numbers, check_weights(weights, rows.shape[0]), len(first)), numbers


class _Collection(NamedTuple):
    """Rows to cluster, and the criterion.

    ``squares`` are the squared lengths of the weighted rows, ``total`` their dot products with the unit sum of all.
    """

    criterion: Criterion
    rows: Any
    weights: Floats
    squares: Floats
    total: Floats


class _ClusterState(NamedTuple):
    """Clusters of a collection, and their quality."""

    labels: Ints
    composites: Floats
    sizes: Floats
    value: float


def _prepare_collection(criterion: Criterion, rows: Any, weights: Floats) -> _Collection:
    composite, _ = compute_composites(rows, np.zeros(rows.shape[0], np.intp), weights, 1)
    length = max(float(np.sqrt(composite[0] @ composite[0])), TINY)
    squares = np.asarray((rows * rows).sum(axis=1)).ravel()
    total = weights * dot_products(rows, composite)[:, 0] / length
    return _Collection(criterion, rows, weights, weights**2 * squares, total)


def _random_bisection(rows: Any, rng: np.random.Generator) -> Ints:
    """Two clusters around two distinct random rows."""
    first, second = rng.choice(rows.shape[0], 2, replace=False)
    similarity = dot_products(rows, rows[[first]])[:, 0]
    labels = (dot_products(rows, rows[[second]])[:, 0] > similarity).astype(np.intp)
    labels[first], labels[second] = 0, 1
    return labels


def refine_clusters(collection: _Collection, labels: Ints, number: int) -> _ClusterState:
    """Move rows to other clusters as long as that improves the criterion function; no cluster is emptied.

    The rows that gain most move together. If that makes the criterion worse, half as many move, and so on, down to the
    best row alone, which always improves it.
    """
    composites, sizes = compute_composites(collection.rows, labels, collection.weights, number)
    state = _ClusterState(labels, composites, sizes, clustering_value(collection.criterion, composites, sizes))
    share = 1.0
    for _ in range(ROUNDS):
        gains, targets = _compute_gains(collection, state)
        order = np.argsort(-gains, kind="stable")[: int((gains > TINY * max(abs(state.value), 1)).sum())]
        count = max(int(len(order) * share), 1)
        while len(order):
            new_state = _move_rows(collection, state, order[:count], targets[order[:count]])
            if new_state.value > state.value or count == 1:
                break
            count = (count + 1) // 2
        if not len(order) or new_state.value <= state.value:
            break
        state, share = new_state, min(2 * count / len(order), 1.0)
    return state


def _move_rows(collection: _Collection, state: _ClusterState, rows: Ints, targets: Ints) -> _ClusterState:
    """The clusters after these rows have moved; their value is −∞ if one is empty."""
    labels, columns = state.labels.copy(), np.arange(len(rows))
    change = np.zeros((len(state.sizes), len(rows)))
    change[targets, columns] = collection.weights[rows]
    change[labels[rows], columns] = -collection.weights[rows]
    labels[rows] = targets
    composites = state.composites + to_dense(change @ collection.rows[rows])
    sizes = state.sizes + change.sum(axis=1)
    has_empty = not np.bincount(labels, minlength=len(sizes)).all()
    value = -inf if has_empty else clustering_value(collection.criterion, composites, sizes)
    return _ClusterState(labels, composites, sizes, value)


def _compute_gains(collection: _Collection, state: _ClusterState) -> tuple[Floats, Ints]:
    """The gain of the criterion if each row alone moves to its best other cluster, and that cluster."""
    criterion, rows, weights, lengths, total = collection
    labels, composites, sizes, value = state
    squares, dots = composite_products(composites)
    numbers = np.arange(len(labels))
    products = weights[:, None] * dot_products(rows, composites)
    with_row = squares + 2 * products + lengths[:, None], dots + total[:, None], sizes + weights[:, None]
    left = squares[labels] - 2 * products[numbers, labels] + lengths, dots[labels] - total, sizes[labels] - weights
    inside = internal_terms(criterion, squares, sizes)
    outside = external_terms(criterion, squares, dots, sizes)
    inside_change = internal_terms(criterion, with_row[0], with_row[2]) - inside
    outside_change = external_terms(criterion, *with_row) - outside
    inside_change += (internal_terms(criterion, left[0], left[2]) - inside[labels])[:, None]
    outside_change += (external_terms(criterion, *left) - outside[labels])[:, None]
    values = combine_terms(criterion, inside.sum() + inside_change, outside.sum() + outside_change)
    values[numbers, labels] = -inf
    values[np.bincount(labels, minlength=len(sizes))[labels] == 1] = -inf
    targets = np.argmax(values, axis=1)
    return values[numbers, targets] - value, targets

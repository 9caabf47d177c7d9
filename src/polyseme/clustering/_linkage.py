"""How agglomerative clustering finds its merges, in any order: each is two rows, of either cluster, and a distance.

Average link and ward are *reducible*: when two clusters merge that are each other's nearest, nothing gets nearer to any
other. So all such pairs may merge at once, and what a cluster's nearest was still is, unless that has merged
(Murtagh 1983). Nearest clusters are found by products of matrices of cluster means, some hundred rows at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.arrays import Floats, Ints
from polyseme.matrices import is_sparse, number_distinct_rows

SCIPY_LIMIT = 8192
"""Up to so many rows, scipy makes the tree, in double precision: it is the fastest, and takes 16 bytes a pair."""

BLOCK_ROWS = 256
"""How many rows of distances are in memory at a time."""

PREFETCH_ROWS = 256
"""How many rows of distances are computed at once, as they will soon be needed."""

LEAST = 32
"""For how many clusters the nearest are found at least in a round: so many cost hardly more than one."""

Reals = NDArray[np.floating[Any]]
Merges = tuple[Ints, Floats]


def scipy_linkage(rows: Any, linkage: Any, metric: str) -> Floats:
    """The tree of few rows, by scipy."""
    from scipy.cluster.hierarchy import linkage as linked

    found: Floats = linked(
        condensed_distances(_centre(rows, metric), "euclidean" if linkage == "ward" else metric), linkage
    )
    return found


def _centre(rows: Any, metric: str) -> Any:
    """Rows around 0, so that little is lost in differences; but sparse ones, and directions, as they are."""
    return rows if is_sparse(rows) or metric == "cosine" else rows - rows.mean(axis=0)


def merge_rows(rows: Any, linkage: str, metric: str) -> Merges:
    """The merges of at least two rows, with their precision. Those that are the same merge first."""
    same = number_distinct_rows(rows)
    _, first, sizes = np.unique(same, return_index=True, return_counts=True)
    copies = np.setdiff1d(np.arange(len(same)), first)
    pairs, heights = np.stack([first[same[copies]], copies], axis=1), np.zeros(len(copies))
    if len(first) == 1:
        return pairs, heights
    found, apart = _merged(rows[first], sizes, linkage, metric)
    return np.concatenate([pairs, first[found]]), np.concatenate([heights, apart])


def _merged(rows: Any, sizes: Ints, linkage: str, metric: str) -> Merges:
    sparse, ready, heavy = is_sparse(rows), _centre(rows, metric), sizes.astype(rows.dtype)
    if linkage == "single":
        return spanning_tree(ready, metric)
    if linkage == "ward" and not sparse:
        return by_means(ready, heavy, _spread, lambda spread: np.sqrt(2 * spread))
    if linkage == "average" and metric == "cosine" and not sparse:
        return by_means(ready, heavy, _unlike, lambda unlike: unlike)
    return chain(ready, heavy, linkage, metric)


# -- distances -----------------------------------------------------------------------------------------------------


def squared_lengths(rows: Any) -> Reals:
    """Of each row."""
    if is_sparse(rows):
        return np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
    found: Reals = np.einsum("ij,ij->i", rows, rows)
    return found


def distances(some: Any, rows: Any, metric: str, lengths: tuple[Reals, Reals]) -> Reals:
    """Of each of some rows to all; the squared lengths of both are given."""
    near = some @ rows.T
    found: Reals = near.toarray() if is_sparse(near) else near
    if metric == "cosine":
        np.subtract(1, found, out=found)
        found[np.flatnonzero(lengths[0] == 0)[:, None], lengths[1] == 0] = 0  # rows of zeros are the same
        return np.maximum(found, 0, out=found)
    found *= -2
    found += lengths[0][:, None]
    found += lengths[1]
    return np.sqrt(np.maximum(found, 0, out=found), out=found)


# -- single link ---------------------------------------------------------------------------------------------------


class _Outside(NamedTuple):
    """Rows that may still be outside the tree, how far the tree is from each, infinitely if it is inside, and where."""

    row: Ints
    vectors: Any
    lengths: Reals
    best: Reals
    nearest: Ints

    def kept(self, some: Any) -> _Outside:
        """Only some of them."""
        return _Outside._make(each[some] for each in self)


def spanning_tree(rows: Any, metric: str) -> Merges:
    """The edges of the minimum spanning tree, which are the merges of single link. (Prim 1957; Gower & Ross 1969)

    Distances are computed for those rows that will probably be next, all at once, and only to rows that are outside.
    """
    size, lengths = rows.shape[0], squared_lengths(rows)
    left = _Outside(np.arange(size), rows, lengths, np.full(size, np.inf, rows.dtype), np.zeros(size, np.intp))
    outside, ahead = np.ones(size, np.bool_), dict[int, Reals]()
    pairs, heights = np.empty((size - 1, 2), np.intp), np.empty(size - 1)
    place = 0
    for merge in range(size - 1):
        node = int(left.row[place])
        outside[place], left.best[place] = False, np.inf
        if node not in ahead:
            some = np.append(left.row[np.argsort(left.best)[:PREFETCH_ROWS]], node)
            far = distances(rows[some], left.vectors, metric, (lengths[some], left.lengths))
            ahead = dict(zip(some.tolist(), far, strict=True))
        row = ahead.pop(node)
        closer = outside & (row < left.best)
        left.best[closer], left.nearest[closer] = row[closer], node
        place = int(np.argmin(left.best))
        pairs[merge], heights[merge] = (left.row[place], left.nearest[place]), left.best[place]
        if outside.sum() < 0.8 * len(outside):
            place = int(outside[:place].sum())
            left, ahead = left.kept(outside), {each: row[outside] for each, row in ahead.items()}
            outside = outside[outside]
    return pairs, heights


# -- from cluster means --------------------------------------------------------------------------------------------


class _State(NamedTuple):
    """Clusters that may still merge."""

    means: Reals
    lengths: Reals
    """The squared lengths of the means."""
    sizes: Reals
    """How many rows each has."""
    row: Ints
    """One of these rows."""
    nearest: Ints
    """The nearest other cluster, −1 if it is not known."""
    bound: Reals
    """How far that is; if it is not known, at least."""


def _unlike(state: _State, some: Ints) -> Reals:
    """1 − the mean cosine of each of some clusters to all."""
    found: Reals = 1 - state.means[some] @ state.means.T
    return np.maximum(found, 0, out=found)


def _spread(state: _State, some: Ints) -> Reals:
    """By how much the squared distances to the means grow if each of some clusters merges with any."""
    lengths, sizes = state.lengths, state.sizes
    found: Reals = state.means[some] @ state.means.T
    found *= -2
    found += lengths[some][:, None]
    found += lengths
    found *= sizes[some][:, None] * sizes / (sizes[some][:, None] + sizes)
    return np.maximum(found, 0, out=found)


def by_means(
    rows: Reals, sizes: Reals, measure: Callable[[_State, Ints], Reals], height: Callable[[Reals], Reals]
) -> Merges:
    """Merges where the distance of clusters can be told from their means and sizes.

    Round by round, the nearest others are found of those clusters for which they are not known and could be nearest of
    all; then all pairs that are each other's nearest merge. Memory is for the rows, and some rows of distances.
    """
    size = len(rows)
    state = _State(rows.copy(), squared_lengths(rows), sizes, np.arange(size), np.full(size, -1), 0 * sizes)
    pairs, heights = [], []
    batch = size
    while len(state.row) > 1:
        _find(state, measure, batch)
        one, other = _mutual(state)
        pairs.append(np.stack([state.row[one], state.row[other]], axis=1))
        heights.append(height(state.bound[one]).astype(np.float64))
        state = _without(_joined(state, one, other), other)
        batch = max(4 * len(one), LEAST)
    return np.concatenate(pairs), np.concatenate(heights)


def _find(state: _State, measure: Callable[[_State, Ints], Reals], batch: int) -> None:
    """Find the nearest of at most so many clusters, of those that lack it and may be nearest to anything."""
    lacking = np.flatnonzero(state.nearest < 0)
    if len(lacking) > batch:
        lacking = lacking[np.argpartition(state.bound[lacking], batch)[:batch]]
    for start in range(0, len(lacking), BLOCK_ROWS):
        some = lacking[start : start + BLOCK_ROWS]
        far = measure(state, some)
        far[np.arange(len(some)), some] = np.inf
        state.nearest[some] = np.argmin(far, axis=1)
        state.bound[some] = far[np.arange(len(some)), state.nearest[some]]


def _mutual(state: _State) -> tuple[Ints, Ints]:
    """Pairs of clusters that are each other's nearest; where rounding leaves none, the nearest pair that is known."""
    known = np.flatnonzero(state.nearest >= 0)
    towards = state.nearest[known]
    one = known[(state.nearest[towards] == known) & (known < towards)]
    if not len(one):
        one = known[[np.argmin(state.bound[known])]]
    return one, state.nearest[one]


def _joined(state: _State, one: Ints, other: Ints) -> _State:
    """The clusters after some have merged with others; these are still there."""
    means, lengths, sizes, _, nearest, _ = state
    total = sizes[one] + sizes[other]
    share = (sizes[other] / total)[:, None]
    means[one] = means[one] * (1 - share) + means[other] * share
    lengths[one], sizes[one] = squared_lengths(means[one]), total
    touched = np.zeros(len(sizes), np.bool_)
    touched[one] = touched[other] = True
    nearest[touched | (touched[nearest] & (nearest >= 0))] = -1
    return state


def _without(state: _State, gone: Ints) -> _State:
    """The clusters that are left: the last ones take the places of those that are gone."""
    count = len(state.row) - len(gone)
    last = np.setdiff1d(np.arange(count, len(state.row)), gone)
    free = gone[gone < count]
    places = np.arange(len(state.row))
    places[last] = free
    state.nearest[state.nearest >= 0] = places[state.nearest[state.nearest >= 0]]
    for each in state:
        each[free] = each[last]
    return _State._make(each[:count] for each in state)


# -- from all distances --------------------------------------------------------------------------------------------


def condensed_distances(rows: Any, metric: str) -> Reals:
    """The distances of all pairs of rows, each once: those of the first row to later ones, then the second's, …"""
    size, lengths = rows.shape[0], squared_lengths(rows)
    found = np.empty(size * (size - 1) // 2, rows.dtype)
    place = 0
    for start in range(0, size, BLOCK_ROWS):
        some = slice(start, start + BLOCK_ROWS)
        block = distances(rows[some], rows[start:], metric, (lengths[some], lengths[start:]))
        for row in range(block.shape[0]):
            count = size - start - row - 1
            found[place : place + count] = block[row, row + 1 :]
            place += count
    return found


def _average(one: Any, other: Any, sizes: tuple[Any, Any, Any], apart: Any) -> Any:  # noqa: ARG001
    return (sizes[0] * one + sizes[1] * other) / (sizes[0] + sizes[1])


def _complete(one: Any, other: Any, sizes: tuple[Any, Any, Any], apart: Any) -> Any:  # noqa: ARG001
    return np.maximum(one, other)


def _ward(one: Any, other: Any, sizes: tuple[Any, Any, Any], apart: Any) -> Any:
    a, b, each = sizes
    return np.sqrt(np.maximum(((a + each) * one**2 + (b + each) * other**2 - each * apart**2) / (a + b + each), 0))


UPDATES = {"average": _average, "complete": _complete, "ward": _ward}
"""The distance of each cluster to a merged one, from those to its halves. (Lance & Williams 1967)"""


def chain(rows: Any, sizes: Reals, linkage: str, metric: str) -> Merges:
    """Merges by the nearest-neighbour chain: from each cluster to its nearest, until two are each other's."""
    size = rows.shape[0]
    far = condensed_distances(rows, "euclidean" if linkage == "ward" else metric)
    first = np.arange(size, dtype=np.int64)
    first = size * first - first * (first + 1) // 2 - first - 1
    if linkage == "ward":
        _weigh(far, sizes)
    alive = np.arange(size)
    pairs, heights, path = [], [], [0]
    while len(alive) > 1:
        tip = path[-1]
        others = alive[alive != tip]
        row = far[_places(first, tip, others)]
        near = int(others[np.argmin(row)])
        if len(path) < 2 or row.min() < far[_places(first, tip, np.array(path[-2:-1]))[0]]:
            path.append(near)
            continue
        last = path[-2]
        others = alive[(alive != tip) & (alive != last)]
        here, there = _places(first, last, others), _places(first, tip, others)
        apart = row[np.searchsorted(alive[alive != tip], last)]
        far[here] = UPDATES[linkage](far[here], far[there], (sizes[last], sizes[tip], sizes[others]), apart)
        pairs.append((last, tip))
        heights.append(float(apart))
        sizes[last] += sizes[tip]
        alive = alive[alive != tip]
        path = path[:-2] or [int(alive[0])]
    return np.array(pairs, np.intp), np.array(heights)


def _weigh(far: Reals, sizes: Reals) -> None:
    """Make distances those of ward, where a row stands for several that are the same."""
    place = 0
    for row in range(len(sizes) - 1):
        later = sizes[row + 1 :]
        far[place : place + len(later)] *= np.sqrt(2 * sizes[row] * later / (sizes[row] + later))
        place += len(later)


def _places(first: Any, cluster: int, others: Ints) -> Any:
    """Where the distances of a cluster to some others are."""
    return np.where(others < cluster, first[others] + cluster, first[cluster] + others)

"""Krippendorff's α: 1 − the disagreement that is observed / the one that chance would give."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from polyseme.agreement.bootstrap import Bootstrap, Estimate, number_item_usages, resample_sums
from polyseme.agreement.judgements import Judgements
from polyseme.arrays import Floats, Ints, expand_runs, run_starts

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MAX_DENSE_LEVELS = 12
"""Up to so many different values all pairs of them are counted in a table; of more, only those that occur."""

DifferenceSums = tuple[Floats, Floats]
"""The sum of differences that are observed, and the one that margins let expect, for each row of counts."""


@dataclass(frozen=True, eq=False)
class Coincidences:
    """How often values meet on the items that two or more judged: what α is computed from.

    An item that m annotators judged has m(m − 1) ordered pairs of values, each of which counts 1/(m − 1), so that every
    judgement counts once. ``cells`` has a row for each of ``items`` and a column for each pair of ``levels``,
    ``first`` ≤ ``second``, in either order.
    """

    judged: Judgements
    items: Ints
    levels: Floats
    first: Ints
    second: Ints
    cells: Floats | csr_array

    @cached_property
    def total(self) -> Floats:
        """The cells of all items together, as one row."""
        return np.asarray(self.cells.sum(axis=0), float).reshape(1, -1)

    def margins(self, cells: Floats) -> Floats:
        """How often each value takes part, for each row of cells."""
        from scipy.sparse import csr_array

        shape = (len(self.first), len(self.levels))
        columns = np.concatenate([self.first, self.second])
        rows = np.tile(np.arange(len(self.first)), 2)
        return np.asarray(cells @ csr_array((np.full(len(rows), 0.5), (rows, columns)), shape=shape))

    def without_each(self) -> Floats:
        """The cells without each annotator in turn; only items that they judged are touched."""
        return (
            _cells_without_annotators if len(self.levels) <= MAX_DENSE_LEVELS else _sparse_cells_without_annotators
        )(self)


def count_coincidences(judged: Judgements) -> Coincidences:
    """Count how often values meet, in time linear in the judgements if there are few different values."""
    items = np.flatnonzero(judged.judged > 1)
    counts = _dense_coincidences if len(judged.levels) <= MAX_DENSE_LEVELS else _sparse_coincidences
    return counts(judged, items)


def _level_pairs(levels: int) -> tuple[Ints, Ints]:
    first, second = np.triu_indices(levels)
    return first.astype(np.intp), second.astype(np.intp)


def _dense_coincidences(judged: Judgements, items: Ints) -> Coincidences:
    """For few levels: items × pairs of levels."""
    levels = len(judged.levels)
    first, second = _level_pairs(levels)
    cells = _pair_counts(_level_counts(judged)[items], first, second)
    return Coincidences(judged, items, judged.levels, first, second, cells)


def _level_counts(judged: Judgements) -> Floats:
    """Items × levels: how many gave the item the value."""
    levels = len(judged.levels)
    counts = np.bincount(judged.item * levels + judged.level, minlength=len(judged.items) * levels)
    return counts.reshape(len(judged.items), levels).astype(float)


def _pair_counts(counts: Floats, first: Ints, second: Ints) -> Floats:
    """The coincidences of each item: n_c·n_k/(m − 1) in either order, n_c(n_c − 1)/(m − 1) of a value with itself."""
    weight = _pair_weights(counts.sum(axis=1))
    same = first == second
    met = counts[:, first] * (counts[:, second] - same)
    return np.asarray(met * np.where(same, 1.0, 2.0) * weight[:, None])


def _pair_weights(judged: Floats) -> Floats:
    """1/(m − 1); nothing where nobody else judged."""
    return np.where(judged > 1, 1 / np.maximum(judged - 1, 1), 0.0)


def _cells_without_annotators(found: Coincidences) -> Floats:
    """For few levels: an annotator who gave value v leaves a count of v, and the rest weighs a little more."""
    from scipy.sparse import csr_array

    judged = found.judged
    counts = _level_counts(judged)
    rows = np.repeat(found.total, len(judged.annotators), axis=0)
    for level in range(len(found.levels)):
        gave = np.flatnonzero(judged.level == level)
        items, place = np.unique(judged.item[gave], return_inverse=True)
        fewer = counts[items]
        fewer[:, level] -= 1
        change = _pair_counts(fewer, found.first, found.second) - _pair_counts(counts[items], found.first, found.second)
        shape = (len(judged.annotators), len(items))
        rows += np.asarray(csr_array((np.ones(len(gave)), (judged.annotator[gave], place)), shape=shape) @ change)
    return rows


def _sparse_coincidences(judged: Judgements, items: Ints) -> Coincidences:
    """For many levels: the pairs of levels that occur on an item."""
    from scipy.sparse import csr_array

    levels = len(judged.levels)
    row = np.full(len(judged.items), -1, np.intp)
    row[items] = np.arange(len(items))
    kept = row[judged.item] >= 0
    entry, count = np.unique(row[judged.item[kept]] * levels + judged.level[kept], return_counts=True)
    item, level = np.divmod(entry, levels)
    sizes = np.bincount(item, minlength=len(items)).astype(np.intp)
    ends = (run_starts(sizes) + sizes)[item]
    following = ends - np.arange(len(entry))
    one = np.repeat(np.arange(len(entry)), following)
    other = expand_runs(np.arange(len(entry)), following)
    same = one == other
    weight = _pair_weights(judged.judged[items].astype(float))[item[one]]
    met = count[one] * (count[other] - same) * np.where(same, 1.0, 2.0) * weight
    code, column = np.unique(level[one] * levels + level[other], return_inverse=True)
    first, second = np.divmod(code, levels)
    cells = csr_array((met, (item[one], column)), shape=(len(items), len(code)))
    return Coincidences(judged, items, judged.levels, first.astype(np.intp), second.astype(np.intp), cells)


def _sparse_cells_without_annotators(found: Coincidences) -> Floats:
    """For many levels: counted again from the items of each annotator, with and without them."""
    judged = found.judged
    rows = np.repeat(found.total, len(judged.annotators), axis=0)
    everyone = np.arange(len(judged.annotators))
    for number in everyone.tolist():
        theirs = np.zeros(len(judged.items), bool)
        theirs[judged.item[judged.annotator == number]] = True
        among = judged.of_items(theirs)
        rows[number] += _cells_in_columns_of(found, among.by_annotators(everyone != number)) - _cells_in_columns_of(
            found, among
        )
    return rows


def _cells_in_columns_of(found: Coincidences, some: Judgements) -> Floats:
    """The cells of some of the judgements, in the columns of all."""
    here = _sparse_coincidences(some, np.flatnonzero(some.judged > 1))
    level = np.searchsorted(found.levels, here.levels)
    code = found.first * len(found.levels) + found.second
    row = np.zeros(len(code))
    row[np.searchsorted(code, level[here.first] * len(found.levels) + level[here.second])] = here.total[0]
    return row


# -- differences ---------------------------------------------------------------------------------------------------

Difference = Callable[[Coincidences, Floats, Floats], DifferenceSums]
"""What sums the differences of values up: from rows of cells, and their margins."""


def nominal_difference(found: Coincidences, cells: Floats, margins: Floats) -> DifferenceSums:
    """Two values are the same or not: δ² = 0 or 1."""
    return cells[:, found.first != found.second].sum(axis=1), margins.sum(axis=1) ** 2 - (margins**2).sum(axis=1)


def interval_difference(found: Coincidences, cells: Floats, margins: Floats) -> DifferenceSums:
    """Values are points on a line: δ² = (c − k)²."""
    return _squared_distances(found, cells, margins, np.broadcast_to(found.levels, margins.shape))


def ordinal_difference(found: Coincidences, cells: Floats, margins: Floats) -> DifferenceSums:
    """Values are ranks: δ² = (n_c/2 + all between + n_k/2)², so that each value lies at the middle of its ranks."""
    return _squared_distances(found, cells, margins, np.cumsum(margins, axis=1) - margins / 2)


def ratio_difference(found: Coincidences, cells: Floats, margins: Floats) -> DifferenceSums:
    """Values count from 0: δ² = ((c − k)/(c + k))²."""
    sums = np.add.outer(found.levels, found.levels)
    far = np.subtract.outer(found.levels, found.levels) / np.where(sums == 0, 1, sums)
    return cells @ far[found.first, found.second] ** 2, (margins @ far**2 * margins).sum(axis=1)


def similarity_difference(similarity: csr_array) -> Difference:
    """Values are categories, which can be like one another: δ² = 1 − similarity, which has a row for each value.

    Values say which row; MASI is such a similarity (:func:`polyseme.agreement.chosen_sets.masi_similarity`).
    """

    def summed(found: Coincidences, cells: Floats, margins: Floats) -> DifferenceSums:
        if not len(found.first):
            return np.zeros(len(cells)), np.zeros(len(cells))
        place = found.levels.astype(np.intp)
        among = similarity[place][:, place]
        alike = np.asarray(among[found.first, found.second]).ravel()
        chance = margins.sum(axis=1) ** 2 - (np.asarray(margins @ among) * margins).sum(axis=1)
        return cells @ (1 - alike), chance

    return summed


def _squared_distances(found: Coincidences, cells: Floats, margins: Floats, places: Floats) -> DifferenceSums:
    """Squared distances between the places of values; those of all pairs by the variance, without a table of them."""
    count = margins.sum(axis=1, keepdims=True)
    centred = places - (margins * places).sum(axis=1, keepdims=True) / np.where(count, count, 1)
    observed = (cells * (places[:, found.first] - places[:, found.second]) ** 2).sum(axis=1)
    return observed, 2 * count[:, 0] * (margins * centred**2).sum(axis=1)


METRICS: Mapping[str, Difference] = {
    "nominal": nominal_difference,
    "ordinal": ordinal_difference,
    "interval": interval_difference,
    "ratio": ratio_difference,
}
"""How values of a scale can differ, by name. (Krippendorff 2011)"""


# -- alpha ---------------------------------------------------------------------------------------------------------


def compute_alphas(
    judged: Judgements, metrics: Mapping[str, Difference] = METRICS, how: Bootstrap | None = None
) -> dict[str, Estimate]:
    """Krippendorff's α by each metric, with intervals from the same resamples of usages.

    α = 1 − (n − 1) Σ o_ck δ²_ck / Σ n_c n_k δ²_ck, where o_ck counts how often values c and k meet on an item, and n_c
    how often c does. Items that only one annotator judged do not count. (Krippendorff 2011, "Computing Krippendorff's
    Alpha-Reliability")

    >>> from polyseme.agreement.judgements import collect_judgements
    >>> from polyseme.rating import Rating, Ratings
    >>> rows = [("ann", 1, 5), ("bob", 1, 5), ("ann", 2, 1), ("bob", 2, 2), ("ann", 3, 1), ("bob", 3, 1)]
    >>> given = Ratings(Rating(who, "WSsim", "win.v", f"u{usage}", "s", value) for who, usage, value in rows)
    >>> round(compute_alphas(collect_judgements(given))["interval"].value, 3)
    0.957
    """
    how = how or Bootstrap(0)
    how.check()
    found = count_coincidences(judged)
    margins = found.margins(found.total)
    why = {name: _undefined_reason(found, margins, metric) for name, metric in metrics.items()}
    defined = {name: metric for name, metric in metrics.items() if not why[name]}
    bounds = _bootstrap_intervals(found, defined, how) if defined else {}
    return {
        name: Estimate.undefined(why[name])
        if why[name]
        else Estimate(float(_compute_alpha(found, metric, found.total)[0]), *bounds[name])
        for name, metric in metrics.items()
    }


def alphas_without_annotators(judged: Judgements, metrics: Mapping[str, Difference] = METRICS) -> dict[str, Floats]:
    """α by each metric without each of the annotators in turn; not a number where it is undefined then."""
    found = count_coincidences(judged)
    cells = found.without_each()
    return {name: _compute_alpha(found, metric, cells) for name, metric in metrics.items()}


def _compute_alpha(found: Coincidences, metric: Difference, cells: Floats) -> Floats:
    """α of each row of cells; not a number where nothing can differ."""
    margins = found.margins(cells)
    margins[margins < 1e-9] = 0.0  # what subtraction leaves of a value that nobody gives any more
    observed, expected = metric(found, cells, margins)
    able = (np.count_nonzero(margins, axis=1) > 1) & (expected > 0)
    return np.where(able, 1 - (margins.sum(axis=1) - 1) * observed / np.where(able, expected, 1), np.nan)


def _undefined_reason(found: Coincidences, margins: Floats, metric: Difference) -> str:
    """Why there is no α; nothing if there is."""
    if not len(found.items):
        return "no item was judged by two annotators"
    there = found.levels[margins[0] > 0]
    if len(there) < 2:
        return "all judgements of items with two or more are the same, so that α is 0/0"
    if metric is ratio_difference and there[0] < 0:
        return f"a ratio scale starts at 0, and there is a value of {there[0]:g}"
    return "" if metric(found, found.total, margins)[1][0] > 0 else "no two values differ, so that α is 0/0"


AlphaInterval = tuple[float, float, str]


def _bootstrap_intervals(
    found: Coincidences, metrics: Mapping[str, Difference], how: Bootstrap
) -> dict[str, AlphaInterval]:
    """The bounds of each metric's α, and why there are none."""
    if not how.resamples:
        return dict.fromkeys(metrics, (np.nan, np.nan, "no interval was asked for"))
    usages = number_item_usages([found.judged.items[number] for number in found.items.tolist()])
    if usages.size < (2 if usages.second is None else 4):
        return dict.fromkeys(metrics, (np.nan, np.nan, "too few usages for an interval"))
    values: dict[str, list[Floats]] = {name: [] for name in metrics}
    for cells in resample_sums(found.cells, usages, how):
        for name, metric in metrics.items():
            values[name].append(_compute_alpha(found, metric, cells))
    return {name: (*how.interval(np.concatenate(each)), "") for name, each in values.items()}

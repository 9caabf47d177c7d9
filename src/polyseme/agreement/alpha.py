"""Krippendorff's α: 1 − observed disagreement / disagreement expected by chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from polyseme.agreement.bootstrap import Bootstrap, Estimate
from polyseme.agreement.judgements import Judgements
from polyseme.arrays import Floats, Ints, count_at, expand_runs, run_starts, sum_at

if TYPE_CHECKING:
    from scipy.sparse import csr_array

DifferenceSums = tuple[Floats, Floats]
"""The sums of observed and of expected differences, for each row of coincidences."""


@dataclass(frozen=True, eq=False)
class Coincidences:
    """How often values coincide on the items that two or more annotators judged.

    An item that m annotators judged has m(m − 1) ordered pairs of values. Each pair counts 1/(m − 1), so that every
    judgement counts once.

    Args:
        judgements: The judgements of these items.
        first: The lower level of each column of ``cells``.
        second: The higher level of each column of ``cells``, or the same.
        cells: Items × pairs of levels that occur: how often the two levels coincide, in either order.
    """

    judgements: Judgements
    first: Ints
    second: Ints
    cells: csr_array

    @property
    def levels(self) -> Floats:
        """The different values."""
        return self.judgements.levels

    @cached_property
    def total(self) -> Floats:
        """The sum of the cells over all items, as one row."""
        return np.asarray(self.cells.sum(axis=0), float).reshape(1, -1)

    def margins(self, cells: Floats) -> Floats:
        """Count how often each level takes part, for each row of cells."""
        from scipy.sparse import csr_array

        shape = (len(self.first), len(self.levels))
        columns = np.concatenate([self.first, self.second])
        rows = np.tile(np.arange(len(self.first)), 2)
        return np.asarray(cells @ csr_array((np.full(len(rows), 0.5), (rows, columns)), shape=shape))

    def totals_without_annotators(self) -> Floats:
        """Return the total without each annotator in turn, one row for each.

        Removing an annotator's judgement changes the cells of its item by an amount that depends on the item and the
        level only. It is computed once for each item and level.
        """
        from scipy.sparse import csr_array

        item, level, counts, entry = _count_levels(self.judgements)
        sizes = count_at(item, len(self.judgements.items))
        members = expand_runs(run_starts(sizes)[item], sizes[item])
        entries = np.repeat(np.arange(len(item)), sizes[item])
        fewer = counts[members] - (members == entries)
        codes, cells = _count_pairs(entries, level[members], fewer, (len(item), len(self.levels)))
        columns = np.searchsorted(self.first * len(self.levels) + self.second, codes)
        before = self.cells[item]
        after = csr_array((cells.data, columns[cells.indices], cells.indptr), shape=before.shape)
        shape = (len(self.judgements.annotators), len(item))
        owners = csr_array((np.ones(len(entry)), (self.judgements.annotator, entry)), shape=shape)
        return np.asarray(self.total + (owners @ (after - before)).toarray())


def count_coincidences(judgements: Judgements) -> Coincidences:
    """Count the coincidences of values, on the items that two or more annotators judged."""
    judgements = judgements.of_items(judgements.judged > 1)
    item, level, counts, _ = _count_levels(judgements)
    codes, cells = _count_pairs(item, level, counts, (len(judgements.items), len(judgements.levels)))
    first, second = (side.astype(np.intp) for side in np.divmod(codes, max(1, len(judgements.levels))))
    return Coincidences(judgements, first, second, cells)


def _count_levels(judgements: Judgements) -> tuple[Ints, Ints, Ints, Ints]:
    """Count how many annotators gave which level to which item.

    Returns:
        The item, the level and the count of each entry, sorted by item; and the entry of each judgement.
    """
    levels = max(1, len(judgements.levels))
    codes = judgements.item * levels + judgements.level
    entries, numbers = _number_codes(codes, len(judgements.items) * levels)
    return entries // levels, entries % levels, count_at(numbers, len(entries)), numbers


def _count_pairs(row: Ints, level: Ints, counts: Ints, shape: tuple[int, int]) -> tuple[Ints, csr_array]:
    """Count the coincidences of each row, and return the codes of the pairs of levels, one for each column.

    n_c·n_k/(m − 1) in either order for two levels, and n_c(n_c − 1)/(m − 1) for a level with itself.

    Args:
        row: The row of each entry, sorted.
        level: The level of each entry.
        counts: How often the level occurs in the row.
        shape: The number of rows and of levels.
    """
    from scipy.sparse import csr_array

    rows, levels = shape
    following = np.cumsum(count_at(row, rows))[row] - np.arange(len(row))
    one = np.repeat(np.arange(len(row)), following)
    other = expand_runs(np.arange(len(row)), following)
    is_same = one == other
    judged = sum_at(row, counts, rows)
    weights = np.where(judged > 1, 1 / np.maximum(judged - 1, 1), 0.0)[row[one]]
    pairs = counts[one] * (counts[other] - is_same) * np.where(is_same, 1.0, 2.0) * weights
    codes, column = _number_codes(level[one] * levels + level[other], levels**2)
    return codes, csr_array((pairs, (row[one], column)), shape=(rows, len(codes)))


def _number_codes(codes: Ints, size: int) -> tuple[Ints, Ints]:
    """Return the different codes below ``size``, and the number of each; without sorting if there are few codes."""
    if size > 16 * len(codes) + 1024:
        unique, numbers = np.unique(codes, return_inverse=True)
        return unique, numbers.ravel()
    occurs = np.zeros(size, bool)
    occurs[codes] = True
    return np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[codes]


# -- differences ---------------------------------------------------------------------------------------------------

Difference = Callable[[Coincidences, Floats, Floats], DifferenceSums]
"""Sums the differences of values, from rows of cells and their margins."""


def nominal_difference(coincidences: Coincidences, cells: Floats, margins: Floats) -> DifferenceSums:
    """Compare values as categories: δ² = 0 for the same, 1 for different ones."""
    observed = cells[:, coincidences.first != coincidences.second].sum(axis=1)
    return observed, margins.sum(axis=1) ** 2 - (margins**2).sum(axis=1)


def interval_difference(coincidences: Coincidences, cells: Floats, margins: Floats) -> DifferenceSums:
    """Compare values as points on a line: δ² = (c − k)²."""
    return _squared_distances(coincidences, cells, margins, np.broadcast_to(coincidences.levels, margins.shape))


def ordinal_difference(coincidences: Coincidences, cells: Floats, margins: Floats) -> DifferenceSums:
    """Compare values as ranks: δ² = (n_c/2 + all between + n_k/2)², each value at the middle of its ranks."""
    return _squared_distances(coincidences, cells, margins, np.cumsum(margins, axis=1) - margins / 2)


def ratio_difference(coincidences: Coincidences, cells: Floats, margins: Floats) -> DifferenceSums:
    """Compare values as multiples: δ² = ((c − k)/(c + k))²."""
    sums = np.add.outer(coincidences.levels, coincidences.levels)
    distances = np.subtract.outer(coincidences.levels, coincidences.levels) / np.where(sums == 0, 1, sums)
    observed = cells @ distances[coincidences.first, coincidences.second] ** 2
    return observed, (margins @ distances**2 * margins).sum(axis=1)


def similarity_difference(similarity: csr_array) -> Difference:
    """Compare values as categories with partial similarity: δ² = 1 − similarity.

    Args:
        similarity: A matrix with a row and a column for each category; the values are row numbers. MASI is such a
            similarity (:func:`polyseme.agreement.chosen_sets.masi_similarity`).
    """

    def sum_differences(coincidences: Coincidences, cells: Floats, margins: Floats) -> DifferenceSums:
        if not len(coincidences.first):
            return np.zeros(len(cells)), np.zeros(len(cells))
        rows = coincidences.levels.astype(np.intp)
        selected = similarity[rows][:, rows]
        observed = cells @ (1 - np.asarray(selected[coincidences.first, coincidences.second]).ravel())
        expected = margins.sum(axis=1) ** 2 - (np.asarray(margins @ selected) * margins).sum(axis=1)
        return observed, expected

    return sum_differences


def _squared_distances(coincidences: Coincidences, cells: Floats, margins: Floats, points: Floats) -> DifferenceSums:
    """Sum squared distances between points; the expected sum follows from the variance."""
    count = margins.sum(axis=1, keepdims=True)
    centred = points - (margins * points).sum(axis=1, keepdims=True) / np.where(count, count, 1)
    observed = (cells * (points[:, coincidences.first] - points[:, coincidences.second]) ** 2).sum(axis=1)
    return observed, 2 * count[:, 0] * (margins * centred**2).sum(axis=1)


METRICS: Mapping[str, Difference] = {
    "nominal": nominal_difference,
    "ordinal": ordinal_difference,
    "interval": interval_difference,
    "ratio": ratio_difference,
}
"""The differences of values of a scale, by name. (Krippendorff 2011)"""


# -- alpha ---------------------------------------------------------------------------------------------------------


def compute_alphas(
    judgements: Judgements, metrics: Mapping[str, Difference] = METRICS, bootstrap: Bootstrap | None = None
) -> dict[str, Estimate]:
    """Compute Krippendorff's α by each metric, with intervals from the same resamples of usages.

    α = 1 − (n − 1) Σ o_ck δ²_ck / Σ n_c n_k δ²_ck, where o_ck counts how often values c and k coincide on an item, and
    n_c how often c does. Items that only one annotator judged do not count. (Krippendorff 2011, "Computing
    Krippendorff's Alpha-Reliability")

    >>> from polyseme.agreement.judgements import collect_judgements
    >>> from polyseme.rating import Rating, Ratings
    >>> rows = [("ann", 1, 5), ("bob", 1, 5), ("ann", 2, 1), ("bob", 2, 2), ("ann", 3, 1), ("bob", 3, 1)]
    >>> ratings = Ratings(Rating(who, "WSsim", "win.v", f"u{usage}", "s", value) for who, usage, value in rows)
    >>> round(compute_alphas(collect_judgements(ratings))["interval"].value, 3)
    0.957
    """
    bootstrap = bootstrap or Bootstrap(0)
    bootstrap.check()
    coincidences = count_coincidences(judgements)
    margins = coincidences.margins(coincidences.total)
    reasons = {name: _undefined_reason(coincidences, margins, metric) for name, metric in metrics.items()}
    defined = {name: partial(_compute_alpha, coincidences, metrics[name]) for name in metrics if not reasons[name]}
    intervals = bootstrap.intervals(coincidences.cells, coincidences.judgements.items, defined)
    return {
        name: Estimate(float(defined[name](coincidences.total)[0]), *intervals[name])
        if name in defined
        else Estimate.undefined(reason)
        for name, reason in reasons.items()
    }


def alphas_without_annotators(judgements: Judgements, metrics: Mapping[str, Difference] = METRICS) -> dict[str, Floats]:
    """Compute α by each metric without each annotator in turn; NaN where it is then undefined."""
    coincidences = count_coincidences(judgements)
    cells = coincidences.totals_without_annotators()
    return {name: _compute_alpha(coincidences, metric, cells) for name, metric in metrics.items()}


def _compute_alpha(coincidences: Coincidences, metric: Difference, cells: Floats) -> Floats:
    """Compute α of each row of cells; NaN where values cannot differ."""
    margins = coincidences.margins(cells)
    margins[margins < 1e-9] = 0.0  # what subtraction leaves of a value that no annotator gives any more
    observed, expected = metric(coincidences, cells, margins)
    defined = (np.count_nonzero(margins, axis=1) > 1) & (expected > 0)
    return np.where(defined, 1 - (margins.sum(axis=1) - 1) * observed / np.where(defined, expected, 1), np.nan)


def _undefined_reason(coincidences: Coincidences, margins: Floats, metric: Difference) -> str:
    """Explain why α is undefined; empty if it is defined."""
    if not len(coincidences.judgements):
        return "no item was judged by two annotators"
    levels = coincidences.levels[margins[0] > 0]
    if len(levels) < 2:
        return "all judgements of items with two or more are the same, so that α is 0/0"
    if metric is ratio_difference and levels[0] < 0:
        return f"a ratio scale starts at 0, and there is a value of {levels[0]:g}"
    expected = metric(coincidences, coincidences.total, margins)[1][0]
    return "" if expected > 0 else "no two values differ, so that α is 0/0"

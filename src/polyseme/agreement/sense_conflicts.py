"""Usages that contradict groups of senses: separate senses that apply together, or grouped senses that do not.

All counts are of mean ratings, as in the paper: a mean of 5 says that every annotator gave 5. A usage counts once,
however many of its senses are in conflict.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from polyseme.agreement.grouping import group_by
from polyseme.agreement.judgements import RATING_TOLERANCE
from polyseme.agreement.related_senses import SensePair
from polyseme.agreement.sense_groups import SenseGrouping
from polyseme.agreement.sense_ratings import MeanSenseRatings, SenseRatingInput, average_sense_ratings
from polyseme.arrays import Bools, Floats
from polyseme.rating import WSSIM

HIGH_RATINGS = (3.0, 4.0, 5.0)
"""The lowest mean ratings of a sense that applies, in Table 26 of the paper."""
CORRELATION_CUT_OFFS = tuple(round(step / 10, 1) for step in range(-10, 11))
"""The cut-offs of the curve, from −1 to 1."""


class SenseConflict(NamedTuple):
    """A usage whose senses are in conflict.

    Args:
        lemma: The lemma.
        usage: The usage.
        first: The first sense.
        second: The second sense.
        first_mean: The mean rating of the first sense.
        second_mean: The mean rating of the second sense.
    """

    lemma: str
    usage: str
    first: str
    second: str
    first_mean: float
    second_mean: float


class ConflictCount(NamedTuple):
    """How many usages are in conflict.

    Args:
        question: The kind of conflict, in words.
        usages: The number of usages in conflict.
        total: The number of usages examined.
        conflicts: The conflicts.
        left_out: The number of pairs of senses without a group or without a correlation.
        reason: Why there is nothing to examine.
    """

    question: str
    usages: int
    total: int
    conflicts: tuple[SenseConflict, ...]
    left_out: int
    reason: str = ""

    @property
    def share(self) -> float:
        """The share of usages in conflict; NaN if none was examined."""
        return self.usages / self.total if self.total else math.nan


class CutOffCount(NamedTuple):
    """How many usages have two senses, both rated ``least`` or higher, whose correlation is at most the cut-off.

    Args:
        cut_off: The highest correlation that counts.
        least: The lowest mean rating that counts.
        usages: The number of usages.
    """

    cut_off: float
    least: float
    usages: int


def count_conflicts_across_groups(ratings: SenseRatingInput, grouping: SenseGrouping, least: float) -> ConflictCount:
    """Count usages for which two senses of *different* groups are both rated ``least`` or higher.

    (Erk, McCarthy & Gaylord 2013, §5.2 and Table 26)
    """
    question = f"two senses of different groups both rated {_format_minimum(least)}"
    return _count_by_group(question, ratings, grouping, _test_both_high(least), same=False)


def count_conflicts_within_groups(
    ratings: SenseRatingInput, grouping: SenseGrouping, high: float, low: float = 2.0
) -> ConflictCount:
    """Count usages for which senses of the *same* group differ: one is rated ``low`` or lower, one ``high`` or higher.

    (Erk, McCarthy & Gaylord 2013, §5.2 and Table 27)
    """
    question = f"of two senses of one group one rated ≤ {low:g}, the other {_format_minimum(high)}"

    def differ(first: Floats, second: Floats) -> Bools:
        is_low = np.minimum(first, second) <= low + RATING_TOLERANCE
        return is_low & (np.maximum(first, second) >= high - RATING_TOLERANCE)

    return _count_by_group(question, ratings, grouping, differ, same=True)


def count_uncorrelated_conflicts(
    ratings: SenseRatingInput, related: Iterable[SensePair], least: float, cut_off: float = 0.0
) -> ConflictCount:
    """Count usages for which two senses with a correlation below the cut-off are both rated ``least`` or higher.

    At 0 these senses are negatively correlated: annotators combine senses that are far apart. (Erk, McCarthy & Gaylord
    2013, §5.3 and Figure 6)
    """
    words = "negatively correlated senses" if cut_off == 0 else f"senses correlated below ρ = {cut_off:g}"
    question = f"two {words} both rated {_format_minimum(least)}"
    return _count_by_correlation(question, ratings, related, least, lambda pair: pair.correlation.rho < cut_off)


def count_insignificant_conflicts(
    ratings: SenseRatingInput, related: Iterable[SensePair], least: float, level: float
) -> ConflictCount:
    """Count usages for which two senses, not positively correlated at this level of p, are both rated so high.

    (Erk, McCarthy & Gaylord 2013, §5.3)
    """
    question = f"two senses not positively correlated at p ≤ {level:g} both rated {_format_minimum(least)}"
    return _count_by_correlation(
        question, ratings, related, least, lambda pair: pair.correlation.rho <= 0 or pair.correlation.p > level
    )


def count_group_conflicts(ratings: SenseRatingInput, grouping: SenseGrouping) -> tuple[ConflictCount, ...]:
    """Count both kinds of conflict with groups, at the thresholds of Tables 26 and 27 of the paper."""
    across = (count_conflicts_across_groups(ratings, grouping, least) for least in HIGH_RATINGS)
    return (*across, *(count_conflicts_within_groups(ratings, grouping, high) for high in (4.0, 5.0)))


def count_correlation_conflicts(
    ratings: SenseRatingInput, related: Sequence[SensePair], cut_offs: Sequence[float] = (0.0,)
) -> tuple[ConflictCount, ...]:
    """Count usages whose senses apply together though they are not otherwise related, at the paper's thresholds.

    The paper tests for positive correlation at p ≤ .05 and p ≤ .01, and calls these levels arbitrary.
    """
    below, levels = product(cut_offs, HIGH_RATINGS), product((0.05, 0.01), HIGH_RATINGS)
    return (
        *(count_uncorrelated_conflicts(ratings, related, least, cut_off) for cut_off, least in below),
        *(count_insignificant_conflicts(ratings, related, least, level) for level, least in levels),
    )


def compute_cut_off_curve(
    ratings: SenseRatingInput,
    related: Iterable[SensePair],
    leasts: Sequence[float] = HIGH_RATINGS,
    cut_offs: Sequence[float] = CORRELATION_CUT_OFFS,
) -> tuple[CutOffCount, ...]:
    """Count usages for which weakly related senses apply together, for one cut-off after another.

    At −1 only senses that exclude each other count, at 1 any two that have a correlation. If the curve is high already
    below 0, annotators mix and match senses. (Erk, McCarthy & Gaylord 2013, §5.3 and Figure 6)

    Args:
        ratings: Ratings of WSsim.
        related: The correlations between senses, from :func:`~polyseme.agreement.related_senses.correlate_senses`.
        leasts: The mean ratings from which on a sense applies, one curve each.
        cut_offs: The highest correlations that count as weak.

    >>> from polyseme.agreement.related_senses import correlate_senses
    >>> from polyseme.rating import Rating, Ratings
    >>> columns = {"shine": (5, 4, 1), "vivid": (4, 5, 1), "clever": (1, 4, 5)}
    >>> ratings = Ratings(Rating("ann", "WSsim", "bright.a", str(usage), sense, value)
    ...                   for sense, values in columns.items() for usage, value in enumerate(values))
    >>> [count.usages for count in compute_cut_off_curve(ratings, correlate_senses(ratings), [4], [-1, 0, 1])]
    [1, 1, 2]
    """
    pairs = group_by(related, lambda pair: pair.lemma)
    lemmas = [(senses, pairs.get(lemma, [])) for lemma, senses in average_sense_ratings(ratings).items()]
    lowest = {
        least: np.concatenate([np.empty(0), *(_lowest_correlations(*lemma, least) for lemma in lemmas)])
        for least in leasts
    }
    return tuple(
        CutOffCount(cut_off, least, int((lowest[least] <= cut_off + RATING_TOLERANCE).sum()))
        for least in leasts
        for cut_off in cut_offs
    )


def _lowest_correlations(senses: MeanSenseRatings, related: Iterable[SensePair], least: float) -> Floats:
    """Return, for each usage, the lowest correlation of two senses that both apply; infinite if no two do."""
    pairs = [pair for pair in related if not math.isnan(pair.correlation.rho)]
    rho = np.array([pair.correlation.rho for pair in pairs], float)
    both_high = _test_both_high(least)(*_pair_means(senses, [(pair.first, pair.second) for pair in pairs]))
    return np.asarray(np.where(both_high, rho, math.inf).min(axis=1, initial=math.inf))


# -- counting ------------------------------------------------------------------------------------------------------

_ConflictTest = Callable[[Floats, Floats], Bools]
"""Returns where the mean ratings of first and second senses are in conflict."""
_SenseSelection = tuple[list[tuple[str, str]], int, bool]
"""The pairs of a lemma's senses to examine, the number of excluded pairs, and whether the lemma's usages count."""


def _format_minimum(rating: float) -> str:
    return f"= {rating:g}" if rating == WSSIM.highest else f"≥ {rating:g}"


def _test_both_high(least: float) -> _ConflictTest:
    return lambda first, second: np.minimum(first, second) >= least - RATING_TOLERANCE


def _pair_means(senses: MeanSenseRatings, pairs: Iterable[tuple[str, str]]) -> tuple[Floats, Floats]:
    """Return usages × pairs: the mean ratings of the first and of the second sense of each pair."""
    column = {sense: number for number, sense in enumerate(senses.senses)}
    columns = np.array([(column[first], column[second]) for first, second in pairs], np.intp).reshape(-1, 2)
    return senses.means[:, columns[:, 0]], senses.means[:, columns[:, 1]]


def _count_by_group(
    question: str, ratings: SenseRatingInput, grouping: SenseGrouping, test: _ConflictTest, *, same: bool
) -> ConflictCount:
    def select(senses: MeanSenseRatings) -> _SenseSelection:
        groups = {sense: grouping.group(senses.lemma, sense) for sense in senses.senses}
        pairs = list(combinations((sense for sense in groups if groups[sense]), 2))
        left_out = math.comb(len(groups), 2) - len(pairs) if pairs else 0
        selected = [(first, second) for first, second in pairs if (groups[first] == groups[second]) == same]
        return selected, left_out, bool(pairs)

    return _count_conflicts(question, ratings, select, test, "no lemma has two senses in groups")


def _count_by_correlation(
    question: str,
    ratings: SenseRatingInput,
    related: Iterable[SensePair],
    least: float,
    is_weak: Callable[[SensePair], bool],
) -> ConflictCount:
    pairs_by_lemma = group_by(related, lambda pair: pair.lemma)

    def select(senses: MeanSenseRatings) -> _SenseSelection:
        pairs = pairs_by_lemma.get(senses.lemma, [])
        defined = [pair for pair in pairs if not math.isnan(pair.correlation.rho)]
        weak = [(pair.first, pair.second) for pair in defined if is_weak(pair)]
        return weak, len(pairs) - len(defined), bool(defined)

    return _count_conflicts(question, ratings, select, _test_both_high(least), "no two senses have a correlation")


def _count_conflicts(
    question: str,
    ratings: SenseRatingInput,
    select: Callable[[MeanSenseRatings], _SenseSelection],
    test: _ConflictTest,
    reason: str,
) -> ConflictCount:
    usages = total = left_out = 0
    conflicts: list[SenseConflict] = []
    for lemma, senses in average_sense_ratings(ratings).items():
        pairs, excluded, is_examined = select(senses)
        first, second = _pair_means(senses, pairs)
        hits = test(first, second)
        usages += int(hits.any(axis=1).sum())
        total += len(senses.usages) if is_examined else 0
        left_out += excluded
        conflicts += [
            SenseConflict(lemma, senses.usages[row], *pairs[pair], float(first[row, pair]), float(second[row, pair]))
            for row, pair in np.argwhere(hits).tolist()
        ]
    return ConflictCount(question, usages, total, tuple(conflicts), left_out, "" if total else reason)

"""Usages that do not fit groups of senses: senses held apart that apply together, and senses held together that do not.

All counts are of mean ratings, as in the paper: a mean of 5 says that every annotator gave 5. A usage counts once,
however many of its senses are in conflict.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from polyseme.agreement.related_senses import SensePair
from polyseme.agreement.sense_groups import SenseGrouping
from polyseme.agreement.sense_ratings import MeanSenseRatings, SenseRatingInput, average_sense_ratings
from polyseme.arrays import Bools, Floats, Ints
from polyseme.rating import WSSIM

HIGH_RATINGS = (3.0, 4.0, 5.0)
"""The mean ratings from which on a sense is taken to apply, in Table 26 of the paper."""
DIVERGING_RATINGS = (4.0, 5.0)
"""How high one sense is rated while another of its group is at most :data:`LOW`, in Table 27 of the paper."""
LOW_RATING = 2.0
SIGNIFICANCE_LEVELS = (0.05, 0.01)
"""The levels of p at which the paper asks whether senses are positively correlated; it calls them arbitrary."""
CORRELATION_CUT_OFFS = tuple(round(step / 10, 1) for step in range(-10, 11))
"""The cut-offs of the curve, from −1 to 1."""
ROUNDING_TOLERANCE = 1e-9
"""Means such as 10/3 + 5/3 are not exact in a computer."""


class SenseConflict(NamedTuple):
    """A usage and two senses of its lemma, with their mean ratings."""

    lemma: str
    usage: str
    first: str
    second: str
    first_mean: float
    second_mean: float


class ConflictCount(NamedTuple):
    """How many usages are in conflict, of how many; and which, with their senses.

    ``left_out`` counts the pairs of senses that nothing can be said about: one is in no group, or the two have no
    correlation.
    """

    question: str
    usages: int
    of: int
    found: tuple[SenseConflict, ...]
    left_out: int
    reason: str = ""

    @property
    def share(self) -> float:
        """The share of usages in conflict; not a number if there are none, and then ``reason`` says why."""
        return self.usages / self.of if self.of else math.nan


class CutOffCount(NamedTuple):
    """How many usages have two senses both rated ``least`` or higher whose correlation is at most the cut-off."""

    cut_off: float
    least: float
    usages: int


class _SensePairs(NamedTuple):
    """The pairs of a lemma's senses that a question is about, by their columns; and how many are left out.

    Usages of a lemma are counted only if there is something to ask about any of its senses.
    """

    first: Ints
    second: Ints
    left_out: int
    counts: bool


def count_conflicts_across_groups(ratings: SenseRatingInput, grouping: SenseGrouping, least: float) -> ConflictCount:
    """Usages for which two senses of *different* groups are both rated ``least`` or higher.

    (Erk, McCarthy & Gaylord 2013, §5.2 and Table 26)
    """
    pairs = {
        lemma: _pairs_by_group(found, grouping, same=False) for lemma, found in average_sense_ratings(ratings).items()
    }
    question = f"two senses of different groups both rated {_format_minimum(least)}"
    return _count_conflicts(question, ratings, pairs, _rated_high(least), "no lemma has two senses in groups")


def count_conflicts_within_groups(
    ratings: SenseRatingInput, grouping: SenseGrouping, high: float, low: float = LOW_RATING
) -> ConflictCount:
    """Usages for which senses of the *same* group differ: one is rated ``low`` or lower, another ``high`` or higher.

    (Erk, McCarthy & Gaylord 2013, §5.2 and Table 27)
    """
    pairs = {
        lemma: _pairs_by_group(found, grouping, same=True) for lemma, found in average_sense_ratings(ratings).items()
    }
    question = f"of two senses of one group one rated ≤ {low:g}, the other {_format_minimum(high)}"

    def differ(found: MeanSenseRatings, first: Ints, second: Ints) -> Bools:
        one, other = found.means[:, first], found.means[:, second]
        below, above = low + ROUNDING_TOLERANCE, high - ROUNDING_TOLERANCE
        return ((one <= below) & (other >= above)) | ((other <= below) & (one >= above))

    return _count_conflicts(question, ratings, pairs, differ, "no lemma has two senses in groups")


def count_uncorrelated_conflicts(
    ratings: SenseRatingInput, related: Iterable[SensePair], least: float, cut_off: float = 0.0
) -> ConflictCount:
    """Usages for which two senses with a correlation below the cut-off are both rated ``least`` or higher.

    At 0 these are senses that are negatively correlated: people mix and match senses that are far apart.
    (Erk, McCarthy & Gaylord 2013, §5.3 and Figure 6)
    """
    words = "negatively correlated senses" if cut_off == 0 else f"senses correlated below ρ = {cut_off:g}"
    question = f"two {words} both rated {_format_minimum(least)}"
    return _count_by_correlation(question, ratings, related, least, lambda pair: pair.correlation.rho < cut_off)


def count_insignificant_conflicts(
    ratings: SenseRatingInput, related: Iterable[SensePair], least: float, level: float
) -> ConflictCount:
    """Usages for which two senses that are not positively correlated at this level of p are both rated so high.

    (Erk, McCarthy & Gaylord 2013, §5.3)
    """
    question = f"two senses not positively correlated at p ≤ {level:g} both rated {_format_minimum(least)}"
    return _count_by_correlation(
        question, ratings, related, least, lambda pair: pair.correlation.rho <= 0 or pair.correlation.p > level
    )


def count_group_conflicts(ratings: SenseRatingInput, grouping: SenseGrouping) -> tuple[ConflictCount, ...]:
    """Both kinds of conflict with groups, at the thresholds of the paper."""
    apart = (count_conflicts_across_groups(ratings, grouping, least) for least in HIGH_RATINGS)
    return (*apart, *(count_conflicts_within_groups(ratings, grouping, high) for high in DIVERGING_RATINGS))


def count_correlation_conflicts(
    ratings: SenseRatingInput, related: Sequence[SensePair], cut_offs: Sequence[float] = (0.0,)
) -> tuple[ConflictCount, ...]:
    """Senses that apply together though people do not otherwise treat them alike, at the thresholds of the paper."""
    below = [
        count_uncorrelated_conflicts(ratings, related, least, cut_off) for cut_off in cut_offs for least in HIGH_RATINGS
    ]
    return (
        *below,
        *(
            count_insignificant_conflicts(ratings, related, least, level)
            for level in SIGNIFICANCE_LEVELS
            for least in HIGH_RATINGS
        ),
    )


def compute_cut_off_curve(
    ratings: SenseRatingInput,
    related: Iterable[SensePair],
    leasts: Sequence[float] = HIGH_RATINGS,
    cut_offs: Sequence[float] = CORRELATION_CUT_OFFS,
) -> tuple[CutOffCount, ...]:
    """Usages for which senses that are little related apply together, for one cut-off of "little" after the other.

    At −1 only senses that exclude each other count, at 1 any two that have a correlation. Where the curve is high
    already below 0, people mix and match senses. (Erk, McCarthy & Gaylord 2013, §5.3 and Figure 6)

    Args:
        ratings: Ratings of WSsim.
        related: The correlations between senses, from :func:`~polyseme.agreement.related_senses.correlate_senses`.
        leasts: The mean ratings from which on a sense is taken to apply; one curve each.
        cut_offs: The highest correlations that count as little related.

    >>> from polyseme.agreement.related_senses import correlate_senses
    >>> from polyseme.rating import Rating, Ratings
    >>> columns = {"shine": (5, 4, 1), "vivid": (4, 5, 1), "clever": (1, 4, 5)}
    >>> given = Ratings(Rating("ann", "WSsim", "bright.a", str(usage), sense, value)
    ...                 for sense, values in columns.items() for usage, value in enumerate(values))
    >>> [each.usages for each in compute_cut_off_curve(given, correlate_senses(given), [4], [-1, 0, 1])]
    [1, 1, 2]
    """
    pairs = _pairs_by_lemma(related)
    rated = [(senses, pairs.get(lemma, [])) for lemma, senses in average_sense_ratings(ratings).items()]
    lowest = {
        least: np.concatenate([np.empty(0), *(_lowest_correlations(*each, least) for each in rated)])
        for least in leasts
    }
    return tuple(
        CutOffCount(cut_off, least, int((lowest[least] <= cut_off + ROUNDING_TOLERANCE).sum()))
        for least in leasts
        for cut_off in cut_offs
    )


def _pairs_by_lemma(related: Iterable[SensePair]) -> dict[str, list[SensePair]]:
    pairs: dict[str, list[SensePair]] = {}
    for pair in related:
        pairs.setdefault(pair.lemma, []).append(pair)
    return pairs


def _lowest_correlations(rated: MeanSenseRatings, related: Iterable[SensePair], least: float) -> Floats:
    """For each usage the lowest correlation of two senses that both apply; infinite if no two do."""
    pairs = [pair for pair in related if not math.isnan(pair.correlation.rho)]
    column = {sense: number for number, sense in enumerate(rated.senses)}
    first, second = np.array([(column[pair.first], column[pair.second]) for pair in pairs], np.intp).reshape(-1, 2).T
    rho = np.array([pair.correlation.rho for pair in pairs], float)
    together = _rated_high(least)(rated, first, second)
    lowest: Floats = np.where(together, rho, math.inf).min(axis=1, initial=math.inf)
    return lowest


# -- counting ------------------------------------------------------------------------------------------------------

_ConflictTest = Callable[[MeanSenseRatings, Ints, Ints], Bools]
"""Usages × pairs of senses: which are in conflict."""


def _format_minimum(rating: float) -> str:
    return f"= {rating:g}" if rating == WSSIM.highest else f"≥ {rating:g}"


def _rated_high(least: float) -> _ConflictTest:
    def both(found: MeanSenseRatings, first: Ints, second: Ints) -> Bools:
        high = found.means >= least - ROUNDING_TOLERANCE
        together: Bools = high[:, first] & high[:, second]
        return together

    return both


def _pairs_by_group(found: MeanSenseRatings, grouping: SenseGrouping, *, same: bool) -> _SensePairs:
    groups = [grouping.group(found.lemma, sense) for sense in found.senses]
    first, second = np.triu_indices(len(groups), 1)
    number = {group: place for place, group in enumerate(dict.fromkeys(filter(None, groups)))}
    code = np.array([-1 if group is None else number[group] for group in groups], np.intp)
    known = (code[first] >= 0) & (code[second] >= 0)
    asked = known & ((code[first] == code[second]) == same)
    return _SensePairs(first[asked], second[asked], int((~known).sum()) if known.any() else 0, bool(known.any()))


def _count_by_correlation(
    question: str,
    ratings: SenseRatingInput,
    related: Iterable[SensePair],
    least: float,
    asked: Callable[[SensePair], bool],
) -> ConflictCount:
    of_lemma = _pairs_by_lemma(related)
    pairs = {
        lemma: _select_pairs(found, of_lemma.get(lemma, []), asked)
        for lemma, found in average_sense_ratings(ratings).items()
    }
    return _count_conflicts(question, ratings, pairs, _rated_high(least), "no two senses have a correlation")


def _select_pairs(
    found: MeanSenseRatings, pairs: Sequence[SensePair], asked: Callable[[SensePair], bool]
) -> _SensePairs:
    column = {sense: number for number, sense in enumerate(found.senses)}
    defined = [pair for pair in pairs if not math.isnan(pair.correlation.rho)]
    chosen = [(column[pair.first], column[pair.second]) for pair in defined if asked(pair)]
    first, second = np.array(chosen, np.intp).reshape(-1, 2).T
    return _SensePairs(first, second, len(pairs) - len(defined), bool(defined))


def _count_conflicts(
    question: str, ratings: SenseRatingInput, pairs: Mapping[str, _SensePairs], test: _ConflictTest, nothing: str
) -> ConflictCount:
    usages = of = left_out = 0
    conflicts: list[SenseConflict] = []
    for lemma, found in average_sense_ratings(ratings).items():
        first, second, missing, counts = pairs[lemma]
        hits = test(found, first, second)
        usages += int(hits.any(axis=1).sum())
        of += len(found.usages) if counts else 0
        left_out += missing
        for row, pair in np.argwhere(hits).tolist():
            one, other = int(first[pair]), int(second[pair])
            means = float(found.means[row, one]), float(found.means[row, other])
            conflicts.append(SenseConflict(lemma, found.usages[row], found.senses[one], found.senses[other], *means))
    return ConflictCount(question, usages, of, tuple(conflicts), left_out, "" if of else nothing)

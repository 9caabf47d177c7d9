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
from polyseme.agreement.sense_groups import Grouping
from polyseme.agreement.sense_ratings import Rated, SenseRatings, sense_ratings
from polyseme.arrays import Bools, Floats, Ints
from polyseme.rating import WSSIM

HIGH = (3.0, 4.0, 5.0)
"""The mean ratings from which on a sense is taken to apply, in Table 26 of the paper."""
DIVERGING = (4.0, 5.0)
"""How high one sense is rated while another of its group is at most :data:`LOW`, in Table 27 of the paper."""
LOW = 2.0
LEVELS = (0.05, 0.01)
"""The levels of p at which the paper asks whether senses are positively correlated; it calls them arbitrary."""
CUT_OFFS = tuple(round(step / 10, 1) for step in range(-10, 11))
"""The cut-offs of the curve, from −1 to 1."""
ROUNDING = 1e-9
"""Means such as 10/3 + 5/3 are not exact in a computer."""


class Conflict(NamedTuple):
    """A usage and two senses of its lemma, with their mean ratings."""

    lemma: str
    usage: str
    first: str
    second: str
    first_mean: float
    second_mean: float


class Conflicts(NamedTuple):
    """How many usages are in conflict, of how many; and which, with their senses.

    ``left_out`` counts the pairs of senses that nothing can be said about: one is in no group, or the two have no
    correlation.
    """

    question: str
    usages: int
    of: int
    found: tuple[Conflict, ...]
    left_out: int
    reason: str = ""

    @property
    def share(self) -> float:
        """The share of usages in conflict; not a number if there are none, and then ``reason`` says why."""
        return self.usages / self.of if self.of else math.nan


class CutOff(NamedTuple):
    """How many usages have two senses both rated ``least`` or higher whose correlation is at most the cut-off."""

    cut_off: float
    least: float
    usages: int


class _Pairs(NamedTuple):
    """The pairs of a lemma's senses that a question is about, by their columns; and how many are left out.

    Usages of a lemma are counted only if there is something to ask about any of its senses.
    """

    first: Ints
    second: Ints
    left_out: int
    counts: bool


def across_groups(ratings: Rated, grouping: Grouping, least: float) -> Conflicts:
    """Usages for which two senses of *different* groups are both rated ``least`` or higher.

    (Erk, McCarthy & Gaylord 2013, §5.2 and Table 26)
    """
    pairs = {lemma: _by_group(found, grouping, same=False) for lemma, found in sense_ratings(ratings).items()}
    question = f"two senses of different groups both rated {_at_least(least)}"
    return _counted(question, ratings, pairs, _both_high(least), "no lemma has two senses in groups")


def within_groups(ratings: Rated, grouping: Grouping, high: float, low: float = LOW) -> Conflicts:
    """Usages for which senses of the *same* group differ: one is rated ``low`` or lower, another ``high`` or higher.

    (Erk, McCarthy & Gaylord 2013, §5.2 and Table 27)
    """
    pairs = {lemma: _by_group(found, grouping, same=True) for lemma, found in sense_ratings(ratings).items()}
    question = f"of two senses of one group one rated ≤ {low:g}, the other {_at_least(high)}"

    def differ(found: SenseRatings, first: Ints, second: Ints) -> Bools:
        one, other = found.means[:, first], found.means[:, second]
        below, above = low + ROUNDING, high - ROUNDING
        return ((one <= below) & (other >= above)) | ((other <= below) & (one >= above))

    return _counted(question, ratings, pairs, differ, "no lemma has two senses in groups")


def unrelated(ratings: Rated, related: Iterable[SensePair], least: float, cut_off: float = 0.0) -> Conflicts:
    """Usages for which two senses with a correlation below the cut-off are both rated ``least`` or higher.

    At 0 these are senses that are negatively correlated: people mix and match senses that are far apart.
    (Erk, McCarthy & Gaylord 2013, §5.3 and Figure 6)
    """
    words = "negatively correlated senses" if cut_off == 0 else f"senses correlated below ρ = {cut_off:g}"
    question = f"two {words} both rated {_at_least(least)}"
    return _by_correlation(question, ratings, related, least, lambda pair: pair.correlation.rho < cut_off)


def not_significant(ratings: Rated, related: Iterable[SensePair], least: float, level: float) -> Conflicts:
    """Usages for which two senses that are not positively correlated at this level of p are both rated so high.

    (Erk, McCarthy & Gaylord 2013, §5.3)
    """
    question = f"two senses not positively correlated at p ≤ {level:g} both rated {_at_least(least)}"
    return _by_correlation(
        question, ratings, related, least, lambda pair: pair.correlation.rho <= 0 or pair.correlation.p > level
    )


def by_groups(ratings: Rated, grouping: Grouping) -> tuple[Conflicts, ...]:
    """Both kinds of conflict with groups, at the thresholds of the paper."""
    apart = (across_groups(ratings, grouping, least) for least in HIGH)
    return (*apart, *(within_groups(ratings, grouping, high) for high in DIVERGING))


def by_correlation(
    ratings: Rated, related: Sequence[SensePair], cut_offs: Sequence[float] = (0.0,)
) -> tuple[Conflicts, ...]:
    """Senses that apply together though people do not otherwise treat them alike, at the thresholds of the paper."""
    below = [unrelated(ratings, related, least, cut_off) for cut_off in cut_offs for least in HIGH]
    return (*below, *(not_significant(ratings, related, least, level) for level in LEVELS for least in HIGH))


def cut_off_curve(
    ratings: Rated,
    related: Iterable[SensePair],
    leasts: Sequence[float] = HIGH,
    cut_offs: Sequence[float] = CUT_OFFS,
) -> tuple[CutOff, ...]:
    """Usages for which senses that are little related apply together, for one cut-off of "little" after the other.

    At −1 only senses that exclude each other count, at 1 any two that have a correlation. Where the curve is high
    already below 0, people mix and match senses. (Erk, McCarthy & Gaylord 2013, §5.3 and Figure 6)

    Args:
        ratings: Ratings of WSsim.
        related: The correlations between senses, from :func:`~polyseme.agreement.related_senses.related_senses`.
        leasts: The mean ratings from which on a sense is taken to apply; one curve each.
        cut_offs: The highest correlations that count as little related.

    >>> from polyseme.agreement.related_senses import related_senses
    >>> from polyseme.rating import Rating, Ratings
    >>> columns = {"shine": (5, 4, 1), "vivid": (4, 5, 1), "clever": (1, 4, 5)}
    >>> given = Ratings(Rating("ann", "WSsim", "bright.a", str(usage), sense, value)
    ...                 for sense, values in columns.items() for usage, value in enumerate(values))
    >>> [each.usages for each in cut_off_curve(given, related_senses(given), [4], [-1, 0, 1])]
    [1, 1, 2]
    """
    pairs = _pairs_by_lemma(related)
    rated = [(senses, pairs.get(lemma, [])) for lemma, senses in sense_ratings(ratings).items()]
    lowest = {least: np.concatenate([np.empty(0), *(_lowest(*each, least) for each in rated)]) for least in leasts}
    return tuple(
        CutOff(cut_off, least, int((lowest[least] <= cut_off + ROUNDING).sum()))
        for least in leasts
        for cut_off in cut_offs
    )


def _pairs_by_lemma(related: Iterable[SensePair]) -> dict[str, list[SensePair]]:
    pairs: dict[str, list[SensePair]] = {}
    for pair in related:
        pairs.setdefault(pair.lemma, []).append(pair)
    return pairs


def _lowest(rated: SenseRatings, related: Iterable[SensePair], least: float) -> Floats:
    """For each usage the lowest correlation of two senses that both apply; infinite if no two do."""
    pairs = [pair for pair in related if not math.isnan(pair.correlation.rho)]
    column = {sense: number for number, sense in enumerate(rated.senses)}
    first, second = np.array([(column[pair.first], column[pair.second]) for pair in pairs], np.intp).reshape(-1, 2).T
    rho = np.array([pair.correlation.rho for pair in pairs], float)
    together = _both_high(least)(rated, first, second)
    lowest: Floats = np.where(together, rho, math.inf).min(axis=1, initial=math.inf)
    return lowest


# -- counting ------------------------------------------------------------------------------------------------------

_Test = Callable[[SenseRatings, Ints, Ints], Bools]
"""Usages × pairs of senses: which are in conflict."""


def _at_least(rating: float) -> str:
    return f"= {rating:g}" if rating == WSSIM.highest else f"≥ {rating:g}"


def _both_high(least: float) -> _Test:
    def both(found: SenseRatings, first: Ints, second: Ints) -> Bools:
        high = found.means >= least - ROUNDING
        together: Bools = high[:, first] & high[:, second]
        return together

    return both


def _by_group(found: SenseRatings, grouping: Grouping, *, same: bool) -> _Pairs:
    groups = [grouping.group(found.lemma, sense) for sense in found.senses]
    first, second = np.triu_indices(len(groups), 1)
    number = {group: place for place, group in enumerate(dict.fromkeys(filter(None, groups)))}
    code = np.array([-1 if group is None else number[group] for group in groups], np.intp)
    known = (code[first] >= 0) & (code[second] >= 0)
    asked = known & ((code[first] == code[second]) == same)
    return _Pairs(first[asked], second[asked], int((~known).sum()) if known.any() else 0, bool(known.any()))


def _by_correlation(
    question: str,
    ratings: Rated,
    related: Iterable[SensePair],
    least: float,
    asked: Callable[[SensePair], bool],
) -> Conflicts:
    of_lemma = _pairs_by_lemma(related)
    pairs = {lemma: _placed(found, of_lemma.get(lemma, []), asked) for lemma, found in sense_ratings(ratings).items()}
    return _counted(question, ratings, pairs, _both_high(least), "no two senses have a correlation")


def _placed(found: SenseRatings, pairs: Sequence[SensePair], asked: Callable[[SensePair], bool]) -> _Pairs:
    column = {sense: number for number, sense in enumerate(found.senses)}
    defined = [pair for pair in pairs if not math.isnan(pair.correlation.rho)]
    chosen = [(column[pair.first], column[pair.second]) for pair in defined if asked(pair)]
    first, second = np.array(chosen, np.intp).reshape(-1, 2).T
    return _Pairs(first, second, len(pairs) - len(defined), bool(defined))


def _counted(question: str, ratings: Rated, pairs: Mapping[str, _Pairs], test: _Test, nothing: str) -> Conflicts:
    usages = of = left_out = 0
    conflicts: list[Conflict] = []
    for lemma, found in sense_ratings(ratings).items():
        first, second, missing, counts = pairs[lemma]
        hits = test(found, first, second)
        usages += int(hits.any(axis=1).sum())
        of += len(found.usages) if counts else 0
        left_out += missing
        for row, pair in np.argwhere(hits).tolist():
            one, other = int(first[pair]), int(second[pair])
            means = float(found.means[row, one]), float(found.means[row, other])
            conflicts.append(Conflict(lemma, found.usages[row], found.senses[one], found.senses[other], *means))
    return Conflicts(question, usages, of, tuple(conflicts), left_out, "" if of else nothing)

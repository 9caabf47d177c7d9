"""How people use a scale: which values they give, how far apart they are on an item, and which lemmas are hard."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from polyseme.agreement.judgements import ExcludedJudgements, Judgements, collect_judgements
from polyseme.agreement.undecided_judgements import find_undecided
from polyseme.arrays import Bools, Floats, Ints, count_at
from polyseme.errors import InputError
from polyseme.rating import Item, Ratings, Scale

ALL_NAME = "all"
"""The name of what is said of all annotators, or of all lemmas."""


class ValueDistribution(NamedTuple):
    """How often each value was given: by one annotator, a group of them, or all.

    >>> ValueDistribution("ann", (1.0, 2.0, 3.0), (6, 0, 2)).shares
    (0.75, 0.0, 0.25)
    """

    name: str
    values: tuple[float, ...]
    counts: tuple[int, ...]
    undecided: int = 0
    annotators: int = 1

    @property
    def total(self) -> int:
        """How many judgements have a value."""
        return sum(self.counts)

    @property
    def shares(self) -> tuple[float, ...]:
        """The share of each value among the judgements that have one; not a number where there is none."""
        return tuple(count / self.total if self.total else math.nan for count in self.counts)

    @property
    def mean(self) -> float:
        """The mean value; not a number where there is none."""
        return math.fsum(value * share for value, share in zip(self.values, self.shares, strict=True) if share)

    @property
    def entropy(self) -> float:
        """−Σ p log₂ p over the values, in bits: 0 for someone who always gives the same value. (Shannon 1948)

        >>> ValueDistribution("ann", (1.0, 5.0), (4, 4)).entropy, ValueDistribution("bob", (1.0, 5.0), (8, 0)).entropy
        (1.0, 0.0)
        """
        if not self.total:
            return math.nan
        return abs(math.fsum(share * math.log2(share) for share in self.shares if share))


@dataclass(frozen=True)
class ScaleUse:
    """How often each value was given: by all, by each annotator, and by each group of annotators if there are any."""

    overall: ValueDistribution
    annotators: tuple[ValueDistribution, ...]
    groups: tuple[ValueDistribution, ...]
    left_out: ExcludedJudgements


def measure_scale_use(ratings: Ratings, scale: Scale | None = None) -> ScaleUse:
    """Counts of each value of the scale, overall, per annotator and per group, as in Figures 1–3 and Table 12.

    Without a scale the values are those that occur. (Erk, McCarthy & Gaylord 2013, §4.2.4)

    >>> from polyseme.rating import WSSIM, Rating
    >>> rows = [("ann", "a", 5), ("ann", "b", 1), ("bob", "a", 4), ("bob", "b", 1)]
    >>> ratings = Ratings(Rating(who, "WSsim", "win.v", "u", sense, value) for who, sense, value in rows)
    >>> measure_scale_use(ratings, WSSIM).overall.counts
    (2, 0, 0, 1, 1)
    """
    found = collect_judgements(ratings)
    open_ = find_undecided(ratings, found)
    values = scale_levels(found, scale)
    counts, unsure = count_values(found, values), count_at(open_.annotator, len(found.annotators))
    people = [
        ValueDistribution(name, tuple(values.tolist()), tuple(row), unknown)
        for name, row, unknown in zip(found.annotators, counts.tolist(), unsure.tolist(), strict=True)
    ]
    return ScaleUse(
        _pool_distributions(ALL_NAME, values, people),
        tuple(people),
        tuple(_group_distributions(ratings, values, people)),
        found.left_out,
    )


def scale_levels(found: Judgements, scale: Scale | None = None) -> Floats:
    """The values of the scale; without one, the values that occur."""
    if scale is None:
        return found.levels
    allowed = np.arange(scale.lowest, scale.highest + 1, dtype=float)
    if len(strange := np.setdiff1d(found.levels, allowed)):
        problem = f"the value {strange[0]:g} is not on the scale from {scale.lowest} to {scale.highest}"
        raise InputError(f"{problem}; give the scale of these ratings, or none to count the values that occur")
    return allowed


def count_values(found: Judgements, values: Floats) -> Ints:
    """Annotators × values: how often each gave each."""
    place = found.annotator * len(values) + np.searchsorted(values, found.value)
    return count_at(place, len(found.annotators) * len(values)).reshape(len(found.annotators), len(values))


def split_by_group(ratings: Ratings) -> dict[str, Ratings]:
    """The ratings of each group, as those of the annotators who did the tasks in one order."""
    parts: dict[str, list[int]] = {}
    rows = list(ratings)
    for number, row in enumerate(rows):
        parts.setdefault(row.group, []).append(number)
    return {name: Ratings(rows[number] for number in parts[name]) for name in sorted(parts)}


def annotator_groups(ratings: Ratings) -> dict[str, list[str]]:
    """The groups of each annotator, in which they are to be one; control items and training do not count."""
    found: dict[str, set[str]] = {}
    for row in ratings:
        if not row.role:
            found.setdefault(row.annotator, set()).add(row.group)
    return {annotator: sorted(groups) for annotator, groups in found.items()}


def _group_distributions(
    ratings: Ratings, values: Floats, people: Sequence[ValueDistribution]
) -> Iterator[ValueDistribution]:
    """How each group uses the scale; nothing if there are no groups."""
    member = annotator_groups(ratings)
    names = sorted({group for groups in member.values() for group in groups})
    if names in ([], [""]):
        return
    if any(len(groups) > 1 for groups in member.values()):
        yield from (_group_distribution(name, part, values) for name, part in split_by_group(ratings).items())
    else:
        yield from (
            _pool_distributions(name, values, [each for each in people if member[each.name] == [name]])
            for name in names
        )


def _group_distribution(name: str, part: Ratings, values: Floats) -> ValueDistribution:
    found = collect_judgements(part)
    counts = count_values(found, values).sum(0)
    return ValueDistribution(
        name, tuple(values.tolist()), tuple(counts.tolist()), found.left_out.undecided, len(found.annotators)
    )


def _pool_distributions(name: str, values: Floats, people: Sequence[ValueDistribution]) -> ValueDistribution:
    counts = np.array([each.counts for each in people], int).reshape(len(people), len(values)).sum(0)
    unsure = sum(each.undecided for each in people)
    return ValueDistribution(name, tuple(values.tolist()), tuple(counts.tolist()), unsure, len(people))


# -- how far apart annotators are on an item -------------------------------------------------------------------------


class ItemSpread(NamedTuple):
    """How far apart the annotators are on one item; range and variance are not numbers where fewer than two decided."""

    item: Item
    judged: int
    mean: float
    range: float
    variance: float


class RatingSpread(NamedTuple):
    """How far apart annotators are on the items of a lemma, or on all: the wider, the harder.

    ``range`` is the mean over items of highest − lowest value, which grows with the number of annotators; ``variance``
    that of Σ(x − mean)² / (n − 1), which does not, and ``error`` its standard error; ``alpha`` is Krippendorff's α for
    intervals, 1 − Σ n·variance / (N · variance of all values). ``ranges`` has how many items have which range. Items
    that one annotator alone decided are counted (``single``) and say nothing.
    """

    name: str
    judgements: int
    items: int
    single: int
    mean: float
    range: float = math.nan
    variance: float = math.nan
    error: float = math.nan
    alpha: float = math.nan
    ranges: tuple[tuple[float, int], ...] = ()
    reason: str = ""


def measure_item_spreads(found: Judgements) -> tuple[ItemSpread, ...]:
    """Mean, range and variance of each item."""
    columns = (found.judged, found.means, compute_item_ranges(found), compute_item_variances(found))
    return tuple(map(ItemSpread, found.items, *(column.tolist() for column in columns)))


def compute_item_ranges(found: Judgements) -> Floats:
    """Highest − lowest value of each item; not a number where fewer than two decided."""
    made = np.full(len(found.items), math.nan)
    several = found.judged >= 2
    starts = np.flatnonzero(np.diff(found.item, prepend=-1))
    if len(starts):
        wide = np.maximum.reduceat(found.value, starts) - np.minimum.reduceat(found.value, starts)
        made[found.item[starts]] = wide
    made[~several] = math.nan
    return made


def compute_item_variances(found: Judgements) -> Floats:
    """Σ(x − mean)² / (n − 1) of each item; not a number where fewer than two decided."""
    squares = np.bincount(found.item, (found.value - found.means[found.item]) ** 2, len(found.items))
    return np.where(found.judged >= 2, squares / np.maximum(found.judged - 1, 1), math.nan)


def _name_suffix(name: str) -> str:
    return "" if name == ALL_NAME else f" of {name}"


def measure_spread(found: Judgements, name: str = ALL_NAME) -> RatingSpread:
    """How far apart annotators are on these items, as in Table 18. (Erk, McCarthy & Gaylord 2013, §4.2.4)

    >>> from polyseme.rating import Rating
    >>> rows = [("ann", "a", 5), ("bob", "a", 3), ("ann", "b", 1), ("bob", "b", 1)]
    >>> ratings = Ratings(Rating(who, "WSsim", "win.v", "u", sense, value) for who, sense, value in rows)
    >>> measure_spread(collect_judgements(ratings)).range
    1.0
    """
    several = found.judged >= 2
    mean = float(found.value.mean()) if len(found) else math.nan
    plain = RatingSpread(name, len(found), int(several.sum()), int((found.judged == 1).sum()), mean)
    if not several.any():
        return plain._replace(reason=f"no item{_name_suffix(name)} was judged by two annotators")
    ranges, variances = compute_item_ranges(found)[several], compute_item_variances(found)[several]
    alpha, reason = _interval_alpha(found, several, variances, name)
    return plain._replace(
        range=float(ranges.mean()),
        variance=float(variances.mean()),
        error=float(variances.std(ddof=1) / math.sqrt(len(variances))) if len(variances) > 1 else math.nan,
        alpha=alpha,
        ranges=tuple(zip(*(column.tolist() for column in np.unique(ranges, return_counts=True)), strict=True)),
        reason=reason,
    )


def _interval_alpha(found: Judgements, several: Bools, variances: Floats, name: str) -> tuple[float, str]:
    """Krippendorff's α for intervals, by way of variances: what differs within items, of what differs at all."""
    paired = found.value[several[found.item]]
    if (paired == paired[0]).all():
        return math.nan, f"all judgements{_name_suffix(name)} are {paired[0]:g}, so that there is nothing to agree on"
    within = float(found.judged[several] @ variances) / len(paired)
    return 1 - within / float(paired.var(ddof=1)), ""


def rank_by_difficulty(found: Judgements) -> tuple[RatingSpread, ...]:
    """The lemmas, the hardest first: that with the largest mean variance of an item.

    The paper gauges difficulty by the mean range; the variance says the same, and does not grow with the number of
    annotators, so that lemmas judged by few and by many can be compared. A low α beside a small variance only says that
    the items of a lemma are all alike. Lemmas without an item that two annotators judged come last.
    """
    spreads = [measure_spread(part, lemma) for lemma, part in found.broken_down(lambda item: item.lemma).items()]
    return tuple(sorted(spreads, key=lambda each: (math.isnan(each.variance), -each.variance, each.name)))


# -- several senses at once ------------------------------------------------------------------------------------------


class SeveralSenses(NamedTuple):
    """How many usages have two senses or more that are rated at least ``threshold``.

    ``by_someone``: usages for which some annotator alone said so, as in Table 11; ``by_each``: of the ``answers``, each
    of one annotator for one usage; ``by_mean``: usages where the mean ratings say so.
    """

    threshold: float
    usages: int
    by_someone: int
    answers: int
    by_each: int
    by_mean: int

    @property
    def share(self) -> float:
        """Of the usages, those where some annotator rated several senses so high."""
        return self.by_someone / self.usages if self.usages else math.nan

    @property
    def share_of_answers(self) -> float:
        """Of the answers, those with several senses so high."""
        return self.by_each / self.answers if self.answers else math.nan

    @property
    def share_by_mean(self) -> float:
        """Of the usages, those where several senses have so high a mean."""
        return self.by_mean / self.usages if self.usages else math.nan


def count_several_senses(found: Judgements, thresholds: Sequence[float] = (5, 4, 3)) -> tuple[SeveralSenses, ...]:
    """How many usages have several senses rated high, for each threshold. (Erk, McCarthy & Gaylord 2013, Table 11)

    >>> from polyseme.rating import Rating
    >>> rows = [("ann", "a", 5), ("ann", "b", 5), ("bob", "a", 5), ("bob", "b", 1)]
    >>> ratings = Ratings(Rating(who, "WSsim", "win.v", "u", sense, value) for who, sense, value in rows)
    >>> count_several_senses(collect_judgements(ratings), [5])[0]
    SeveralSenses(threshold=5, usages=1, by_someone=1, answers=2, by_each=1, by_mean=0)
    """
    if any(item.task == "Usim" for item in found.items):
        raise InputError("Usim compares usages, and has no senses to count; give ratings of senses, as those of WSsim")
    code = {
        usage: number for number, usage in enumerate(dict.fromkeys((item.lemma, item.usage) for item in found.items))
    }
    usage = np.array([code[item.lemma, item.usage] for item in found.items], np.intp)
    return tuple(_count_at_threshold(found, usage, threshold) for threshold in thresholds)


def _count_at_threshold(found: Judgements, usage: Ints, threshold: float) -> SeveralSenses:
    people = max(1, len(found.annotators))
    answer = usage[found.item] * people + found.annotator
    answers, place = np.unique(answer, return_inverse=True)
    high = np.bincount(place, found.value >= threshold, len(answers)) >= 2
    decided = found.judged > 0
    # A mean of thirds may come out a hair below what it is.
    of_means = np.bincount(usage[decided], found.means[decided] >= threshold - 1e-9)
    return SeveralSenses(
        threshold,
        len(np.unique(usage[decided])),
        len(np.unique(answers[high] // people)),
        len(answers),
        int(high.sum()),
        int((of_means >= 2).sum()),
    )

"""How annotators use a scale: which values they give, how far apart they are on an item, and which lemmas are hard."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from polyseme.agreement.bootstrap import number_item_usages
from polyseme.agreement.grouping import group_by
from polyseme.agreement.judgements import (
    RATING_TOLERANCE,
    ExcludedJudgements,
    Judgements,
    collect_judgements,
    find_undecided,
)
from polyseme.arrays import Bools, Floats, Ints, count_at
from polyseme.errors import InputError
from polyseme.rating import Item, Ratings, Scale


class ValueDistribution(NamedTuple):
    """How often each value was given by an annotator, a group of them, or all.

    Args:
        name: The annotator, the group, or ``all``.
        values: The values.
        counts: How often each value was given.
        undecided: The number of undecided judgements.
        annotators: The number of annotators.

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
        """The number of judgements that have a value."""
        return sum(self.counts)

    @property
    def shares(self) -> tuple[float, ...]:
        """The share of each value among the judgements that have one; NaN if there is none."""
        return tuple(count / self.total if self.total else math.nan for count in self.counts)

    @property
    def mean(self) -> float:
        """The mean value; NaN if there is none."""
        return math.fsum(value * share for value, share in zip(self.values, self.shares, strict=True) if share)

    @property
    def entropy(self) -> float:
        """−Σ p log₂ p over the values, in bits: 0 for an annotator who always gives the same value. (Shannon 1948)

        >>> ValueDistribution("ann", (1.0, 5.0), (4, 4)).entropy, ValueDistribution("bob", (1.0, 5.0), (8, 0)).entropy
        (1.0, 0.0)
        """
        if not self.total:
            return math.nan
        return abs(math.fsum(share * math.log2(share) for share in self.shares if share))


@dataclass(frozen=True)
class ScaleUse:
    """How often each value was given.

    Args:
        overall: The distribution over all annotators.
        annotators: The distribution of each annotator.
        groups: The distribution of each group of annotators, if there are groups.
        left_out: How many judgements are excluded.
    """

    overall: ValueDistribution
    annotators: tuple[ValueDistribution, ...]
    groups: tuple[ValueDistribution, ...]
    left_out: ExcludedJudgements


def measure_scale_use(ratings: Ratings, scale: Scale | None = None) -> ScaleUse:
    """Count each value of the scale, overall, per annotator and per group, as in Figures 1–3 and Table 12.

    Without a scale, the values that occur are counted. (Erk, McCarthy & Gaylord 2013, §4.2.4)

    >>> from polyseme.rating import WSSIM, Rating
    >>> rows = [("ann", "a", 5), ("ann", "b", 1), ("bob", "a", 4), ("bob", "b", 1)]
    >>> ratings = Ratings(Rating(who, "WSsim", "win.v", "u", sense, value) for who, sense, value in rows)
    >>> measure_scale_use(ratings, WSSIM).overall.counts
    (2, 0, 0, 1, 1)
    """
    judgements = collect_judgements(ratings)
    values = scale_levels(judgements, scale)
    undecided = count_at(find_undecided(ratings, judgements).annotator, len(judgements.annotators))
    counts = count_values(judgements, values)
    people = tuple(
        ValueDistribution(name, tuple(values.tolist()), tuple(row), unknown)
        for name, row, unknown in zip(judgements.annotators, counts.tolist(), undecided.tolist(), strict=True)
    )
    groups = tuple(_group_distributions(ratings, values, people))
    return ScaleUse(_pool_distributions("all", values, people), people, groups, judgements.left_out)


def scale_levels(judgements: Judgements, scale: Scale | None = None) -> Floats:
    """Return the values of the scale or, without a scale, the values that occur."""
    if scale is None:
        return judgements.levels
    allowed = np.arange(scale.lowest, scale.highest + 1, dtype=float)
    if len(outside := np.setdiff1d(judgements.levels, allowed)):
        problem = f"the value {outside[0]:g} is not on the scale from {scale.lowest} to {scale.highest}"
        raise InputError(f"{problem}; pass the scale of these ratings, or none to count the values that occur")
    return allowed


def count_values(judgements: Judgements, values: Floats) -> Ints:
    """Return annotators × values: how often each annotator gave each value."""
    shape = (len(judgements.annotators), len(values))
    positions = judgements.annotator * shape[1] + np.searchsorted(values, judgements.value)
    return count_at(positions, shape[0] * shape[1]).reshape(shape)


def annotator_groups(ratings: Ratings) -> dict[str, list[str]]:
    """Return the groups of each annotator, normally one; control items and training do not count."""
    by_annotator = group_by((row for row in ratings if not row.role), lambda row: row.annotator)
    return {annotator: sorted({row.group for row in rows}) for annotator, rows in by_annotator.items()}


def _group_distributions(
    ratings: Ratings, values: Floats, people: Sequence[ValueDistribution]
) -> Iterator[ValueDistribution]:
    """Yield the distribution of each group; nothing if there are no groups."""
    groups = annotator_groups(ratings)
    names = sorted({name for members in groups.values() for name in members})
    if names in ([], [""]):
        return
    if any(len(members) > 1 for members in groups.values()):
        for name, rows in sorted(group_by(ratings, lambda row: row.group).items()):
            part = collect_judgements(Ratings(rows))
            counts = tuple(count_values(part, values).sum(0).tolist())
            undecided = part.left_out.undecided
            yield ValueDistribution(name, tuple(values.tolist()), counts, undecided, len(part.annotators))
    else:
        for name in names:
            yield _pool_distributions(name, values, [person for person in people if groups[person.name] == [name]])


def _pool_distributions(name: str, values: Floats, people: Sequence[ValueDistribution]) -> ValueDistribution:
    counts = np.array([person.counts for person in people], int).reshape(len(people), len(values)).sum(0)
    undecided = sum(person.undecided for person in people)
    return ValueDistribution(name, tuple(values.tolist()), tuple(counts.tolist()), undecided, len(people))


# -- the spread of an item's ratings ---------------------------------------------------------------------------------


class ItemSpread(NamedTuple):
    """How far apart the annotators are on one item.

    Args:
        item: The item.
        judged: The number of annotators who decided.
        mean: The mean value.
        range: Highest − lowest value; NaN if fewer than two decided.
        variance: The variance of the values; NaN if fewer than two decided.
    """

    item: Item
    judged: int
    mean: float
    range: float
    variance: float


class RatingSpread(NamedTuple):
    """How far apart annotators are on the items of a lemma, or on all items: the wider, the harder.

    Args:
        name: The lemma, or ``all``.
        judgements: The number of judgements.
        items: The number of items that two or more annotators decided.
        single: The number of items that one annotator decided; they do not count.
        mean: The mean value.
        range: The mean range of an item, highest − lowest value; it grows with the number of annotators.
        variance: The mean variance of an item, Σ(x − mean)² / (n − 1); it does not grow with their number.
        error: The standard error of the variance.
        alpha: Krippendorff's α for intervals, 1 − Σ n·variance / (N · variance of all values).
        ranges: The ranges that occur, each with its number of items.
        reason: Why a figure is undefined.
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


def measure_item_spreads(judgements: Judgements) -> tuple[ItemSpread, ...]:
    """Compute mean, range and variance of each item."""
    ranges, variances = compute_item_ranges(judgements), compute_item_variances(judgements)
    columns = (judgements.judged, judgements.means, ranges, variances)
    return tuple(map(ItemSpread, judgements.items, *(column.tolist() for column in columns)))


def compute_item_ranges(judgements: Judgements) -> Floats:
    """Compute highest − lowest value of each item; NaN if fewer than two annotators decided."""
    highest, lowest = np.full(len(judgements.items), -math.inf), np.full(len(judgements.items), math.inf)
    np.maximum.at(highest, judgements.item, judgements.value)
    np.minimum.at(lowest, judgements.item, judgements.value)
    return np.where(judgements.judged >= 2, highest - lowest, math.nan)


def compute_item_variances(judgements: Judgements) -> Floats:
    """Compute Σ(x − mean)² / (n − 1) of each item; NaN if fewer than two annotators decided."""
    deviations = judgements.value - judgements.means[judgements.item]
    squares = np.bincount(judgements.item, deviations**2, len(judgements.items))
    return np.where(judgements.judged >= 2, squares / np.maximum(judgements.judged - 1, 1), math.nan)


def measure_spread(judgements: Judgements, name: str = "all") -> RatingSpread:
    """Measure how far apart annotators are on these items, as in Table 18. (Erk, McCarthy & Gaylord 2013, §4.2.4)

    >>> from polyseme.rating import Rating
    >>> rows = [("ann", "a", 5), ("bob", "a", 3), ("ann", "b", 1), ("bob", "b", 1)]
    >>> ratings = Ratings(Rating(who, "WSsim", "win.v", "u", sense, value) for who, sense, value in rows)
    >>> measure_spread(collect_judgements(ratings)).range
    1.0
    """
    several = judgements.judged >= 2
    mean = float(judgements.value.mean()) if len(judgements) else math.nan
    spread = RatingSpread(name, len(judgements), int(several.sum()), int((judgements.judged == 1).sum()), mean)
    owner = "" if name == "all" else f" of {name}"
    if not several.any():
        return spread._replace(reason=f"no item{owner} was judged by two annotators")
    ranges, variances = compute_item_ranges(judgements)[several], compute_item_variances(judgements)[several]
    alpha, reason = _interval_alpha(judgements, several, variances, owner)
    return spread._replace(
        range=float(ranges.mean()),
        variance=float(variances.mean()),
        error=float(variances.std(ddof=1) / math.sqrt(len(variances))) if len(variances) > 1 else math.nan,
        alpha=alpha,
        ranges=tuple(zip(*(column.tolist() for column in np.unique(ranges, return_counts=True)), strict=True)),
        reason=reason,
    )


def _interval_alpha(judgements: Judgements, several: Bools, variances: Floats, owner: str) -> tuple[float, str]:
    """Compute Krippendorff's α for intervals from the variance within items and overall."""
    values = judgements.value[several[judgements.item]]
    if (values == values[0]).all():
        return math.nan, f"all judgements{owner} are {values[0]:g}, so that there is nothing to agree on"
    within = float(judgements.judged[several] @ variances) / len(values)
    return 1 - within / float(values.var(ddof=1)), ""


def rank_by_difficulty(judgements: Judgements) -> tuple[RatingSpread, ...]:
    """Rank the lemmas by the mean variance of their items, the hardest first.

    The paper measures difficulty by the mean range. The variance ranks lemmas in the same order. It does not grow with
    the number of annotators, so lemmas judged by few and by many can be compared. A low α with a small variance only
    means that the items of a lemma are all similar. Lemmas without an item that two annotators judged come last.
    """
    parts = judgements.broken_down(lambda item: item.lemma)
    spreads = [measure_spread(part, lemma) for lemma, part in parts.items()]
    return tuple(sorted(spreads, key=lambda spread: (math.isnan(spread.variance), -spread.variance, spread.name)))


# -- several senses at once ------------------------------------------------------------------------------------------


class SeveralSenses(NamedTuple):
    """How many usages have two senses or more that are rated at least ``threshold``.

    Args:
        threshold: The lowest rating that counts.
        usages: The number of usages.
        by_someone: Usages for which at least one annotator rated several senses so high, as in Table 11.
        answers: The number of answers, each of one annotator for one usage.
        by_each: The answers with several senses rated so high.
        by_mean: The usages for which several senses have so high a mean rating.
    """

    threshold: float
    usages: int
    by_someone: int
    answers: int
    by_each: int
    by_mean: int

    @property
    def share(self) -> float:
        """The share of usages for which at least one annotator rated several senses so high."""
        return self.by_someone / self.usages if self.usages else math.nan

    @property
    def share_of_answers(self) -> float:
        """The share of answers with several senses rated so high."""
        return self.by_each / self.answers if self.answers else math.nan

    @property
    def share_by_mean(self) -> float:
        """The share of usages for which several senses have so high a mean rating."""
        return self.by_mean / self.usages if self.usages else math.nan


def count_several_senses(judgements: Judgements, thresholds: Sequence[float] = (5, 4, 3)) -> tuple[SeveralSenses, ...]:
    """Count the usages with several senses rated high, for each threshold. (Erk, McCarthy & Gaylord 2013, Table 11)

    >>> from polyseme.rating import Rating
    >>> rows = [("ann", "a", 5), ("ann", "b", 5), ("bob", "a", 5), ("bob", "b", 1)]
    >>> ratings = Ratings(Rating(who, "WSsim", "win.v", "u", sense, value) for who, sense, value in rows)
    >>> count_several_senses(collect_judgements(ratings), [5])[0]
    SeveralSenses(threshold=5, usages=1, by_someone=1, answers=2, by_each=1, by_mean=0)
    """
    if any(item.task == "Usim" for item in judgements.items):
        raise InputError("Usim compares usages and has no senses to count; pass ratings of senses, such as WSsim")
    usage = number_item_usages(judgements.items).first
    return tuple(_count_at_threshold(judgements, usage, threshold) for threshold in thresholds)


def _count_at_threshold(judgements: Judgements, usage: Ints, threshold: float) -> SeveralSenses:
    people = max(1, len(judgements.annotators))
    answers, position = np.unique(usage[judgements.item] * people + judgements.annotator, return_inverse=True)
    is_high = np.bincount(position, judgements.value >= threshold, len(answers)) >= 2
    decided = judgements.judged > 0
    high_means = np.bincount(usage[decided], judgements.means[decided] >= threshold - RATING_TOLERANCE)
    return SeveralSenses(
        threshold,
        len(np.unique(usage[decided])),
        len(np.unique(answers[is_high] // people)),
        len(answers),
        int(is_high.sum()),
        int((high_means >= 2).sum()),
    )

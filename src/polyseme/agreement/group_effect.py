"""A test whether groups of annotators use a scale differently, for instance after another order of tasks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from polyseme.agreement.scale_use import ValueDistribution, annotator_groups, measure_scale_use
from polyseme.arrays import Floats, Ints
from polyseme.rating import Rating, Ratings, Scale

MAX_ARRANGEMENTS = 10_000
"""Up to this many arrangements of annotators into groups, all are tried; above, as many random ones."""


class GroupEffect(NamedTuple):
    """How far the distributions of groups differ, and how often they would by chance.

    Args:
        groups: The distribution of values in each group.
        chi_square: χ² of the table groups × values.
        p: The p-value of a permutation test over annotators.
        least_p: The lowest p-value that so few annotators allow.
        arrangements: The number of arrangements of annotators into groups.
        exact: Whether these are all possible arrangements.
        p_if_independent: The p-value of the χ² test, which assumes independent judgements. The judgements of one
            annotator are not independent, so this test finds an effect where two annotators merely differ. Papers
            report it.
        reason: Why there is no test.
    """

    groups: tuple[ValueDistribution, ...]
    chi_square: float
    p: float
    least_p: float
    arrangements: int
    exact: bool
    p_if_independent: float
    reason: str = ""

    @property
    def sentence(self) -> str:
        """The result in words."""
        if self.reason:
            return f"No test of the groups: {self.reason}."
        people = sum(group.annotators for group in self.groups)
        arrangements = f"{'all' if self.exact else 'a sample of'} {self.arrangements} ways to put {people} annotators"
        result = (
            f"χ² = {self.chi_square:.1f}; of {arrangements} into groups, {self.p:.1%} make the groups differ as much"
            f" (p = {self.p:.3f})"
        )
        warning = f"; with so few annotators p cannot be below {self.least_p:.3f}" if self.least_p > 0.05 else ""
        return f"{result}{warning}."


def measure_group_effect(ratings: Ratings, scale: Scale | None = None, seed: int = 0) -> GroupEffect:
    """Test the effect of groups on the values: annotators who did WSbest first, say, gave more 1s (Table 12).

    The statistic is χ² of the table groups × values. It responds to a shift and to a retreat from the middle, whereas a
    test of ranks (Mann–Whitney) responds to a shift only. The p-value comes from a permutation test, which puts the
    *annotators* into groups of the same sizes in all ways, or in 10,000 random ones. (Fisher 1935; Erk, McCarthy &
    Gaylord 2013, §4.2.4)

    >>> from polyseme.rating import Rating
    >>> rows = [("ann", "first", 1), ("bob", "first", 1), ("cat", "later", 5), ("dan", "later", 5)]
    >>> ratings = Ratings(Rating(who, "WSsim", "win.v", "u", "s", v, group=group) for who, group, v in rows)
    >>> effect = measure_group_effect(ratings)
    >>> round(effect.p, 3), effect.arrangements
    (0.333, 6)
    """
    from scipy.stats import chi2

    use = measure_scale_use(ratings, scale)
    counts = np.array([distribution.counts for distribution in use.annotators], float)
    counts = counts.reshape(len(use.annotators), len(use.overall.values))
    member, reason = _group_numbers(annotator_groups(ratings))
    if not reason and (counts.sum(0) > 0).sum() < 2:
        reason = "all judgements have the same value"
    if reason:
        return GroupEffect(use.groups, math.nan, math.nan, math.nan, 0, False, math.nan, reason)
    members, exact = _arrangements(member, seed)
    groups = int(member.max()) + 1
    observed = float(compute_chi_squares(counts, member[None, :], groups)[0])
    p, least_p = _permutation_p_values(observed, compute_chi_squares(counts, members, groups), exact)
    freedom = (groups - 1) * (int((counts.sum(0) > 0).sum()) - 1)
    return GroupEffect(use.groups, observed, p, least_p, len(members), exact, float(chi2.sf(observed, freedom)))


def mark_several_answers(ratings: Ratings, least: float) -> Ratings:
    """Judge each annotator's answer for each usage: 1 if two targets or more reach the value ``least``, else 0.

    With :func:`measure_group_effect` on the scale :data:`~polyseme.rating.CHOICE` this tests whether groups differ in
    how often they choose several senses: those with the highest rating in WSsim (Table 11), or those chosen in WSbest
    (Table 21).

    >>> from polyseme.rating import Rating
    >>> rows = [("ann", "a", 5), ("ann", "b", 5), ("bob", "a", 5), ("bob", "b", 1)]
    >>> ratings = Ratings(Rating(who, "WSsim", "win.v", "u", sense, value) for who, sense, value in rows)
    >>> [(row.annotator, row.value) for row in mark_several_answers(ratings, 5)]
    [('ann', 1.0), ('bob', 0.0)]
    """
    counts: Counter[Rating] = Counter()
    for row in ratings:
        if not row.role and not math.isnan(row.value):
            counts[Rating(*row[:4], "several", 0.0, group=row.group)] += row.value >= least
    return Ratings(answer._replace(value=float(count > 1)) for answer, count in counts.items())


def _group_numbers(groups: Mapping[str, Sequence[str]]) -> tuple[Ints, str]:
    """Return the number of each annotator's group, or the reason why there is none."""
    names = sorted({group for members in groups.values() for group in members})
    reason = "there are no judgements" if not names else "all judgements are of one group" if len(names) < 2 else ""
    for annotator, members in groups.items():
        if len(members) > 1:
            reason = f"{annotator} is in several groups ({', '.join(map(repr, members))})"
            break
    return np.array([] if reason else [names.index(group) for (group,) in groups.values()], np.intp), reason


def compute_chi_squares(counts: Floats, members: Ints, groups: int) -> Floats:
    """Compute χ² = Σ (observed − expected)² / expected of groups × values.

    Args:
        counts: Annotators × values: how often each annotator gave each value.
        members: Arrangements × annotators: the group of each annotator.
        groups: The number of groups.
    """
    counts = counts[:, counts.sum(0) > 0]
    values, total = counts.sum(0), counts.sum()
    chi_squares = np.zeros(len(members))
    for group in range(groups):
        observed = (members == group).astype(float) @ counts
        expected = observed.sum(1, keepdims=True) * values / total
        terms = np.divide((observed - expected) ** 2, expected, out=np.zeros_like(observed), where=expected > 0)
        chi_squares += terms.sum(1)
    return chi_squares


def _arrangements(member: Ints, seed: int) -> tuple[Ints, bool]:
    """Return all arrangements of annotators into groups of these sizes, or many random ones."""
    sizes = np.bincount(member)
    count = math.factorial(len(member)) // math.prod(math.factorial(int(size)) for size in sizes)
    if count <= MAX_ARRANGEMENTS:
        return np.array(list(_distinct_permutations(sorted(member.tolist()))), np.intp), True
    rng = np.random.default_rng(seed)
    return rng.permuted(np.tile(member, (MAX_ARRANGEMENTS, 1)), axis=1), False


def _distinct_permutations(labels: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield the different orders of labels with repetitions."""
    if not labels:
        yield ()
    for label in sorted(set(labels)):
        rest = labels.copy()
        rest.remove(label)
        yield from ((label, *tail) for tail in _distinct_permutations(rest))


def _permutation_p_values(observed: float, by_chance: Floats, exact: bool) -> tuple[float, float]:
    """Return the share of arrangements that differ as much as observed, and the lowest possible share."""
    tolerance = 1e-9 * max(1.0, observed)
    as_large = int((by_chance >= observed - tolerance).sum())
    largest = int((by_chance >= by_chance.max() - tolerance).sum())
    if exact:
        return as_large / len(by_chance), largest / len(by_chance)
    return (as_large + 1) / (len(by_chance) + 1), 1 / (len(by_chance) + 1)

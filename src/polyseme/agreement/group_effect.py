"""Whether groups of annotators use a scale differently, as those who did the tasks in another order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from polyseme.agreement.scale_use import ValueDistribution, annotator_groups, measure_scale_use
from polyseme.arrays import Floats, Ints
from polyseme.rating import Rating, Ratings, Scale

SEVERAL_TARGET = "several"
"""The target of a judgement that says whether an answer has several targets."""
MAX_ARRANGEMENTS = 10_000
"""Up to how many ways to put annotators into groups all are tried; of more, so many are drawn."""


class GroupEffect(NamedTuple):
    """How far the distributions of groups differ, and how often chance would make them differ as much.

    ``p`` is that of a permutation test over annotators, ``least_p`` what it could be at best with so few of them;
    ``p_if_independent`` is that of the χ² test, which takes judgements for independent. Those of one annotator are not,
    so that it finds an effect where two people just differ; it is here because papers give it.
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
        tried = (
            f"{'all' if self.exact else 'a sample of'} {self.arrangements} ways to put {people} annotators into groups"
        )
        said = f"χ² = {self.chi_square:.1f}; of {tried}, {self.p:.1%} make the groups differ as much (p = {self.p:.3f})"
        warning = f"; with so few annotators p cannot be below {self.least_p:.3f}" if self.least_p > 0.05 else ""
        return f"{said}{warning}."


def measure_group_effect(ratings: Ratings, scale: Scale | None = None, seed: int = 0) -> GroupEffect:
    """A test of the effect of groups on the values given: those who did WSbest first, say, gave more 1s (Table 12).

    The statistic is χ² of the table groups × values, which sees a shift as well as a retreat from the middle, where a
    test of ranks (Mann–Whitney) sees a shift alone. Its p-value comes from putting the *annotators* into groups of the
    same sizes in all ways, or in 10,000 random ones. (Fisher 1935; Erk, McCarthy & Gaylord 2013, §4.2.4)

    >>> from polyseme.rating import Rating
    >>> rows = [("ann", "first", 1), ("bob", "first", 1), ("cat", "later", 5), ("dan", "later", 5)]
    >>> ratings = Ratings(Rating(who, "WSsim", "win.v", "u", "s", v, group=group) for who, group, v in rows)
    >>> effect = measure_group_effect(ratings)
    >>> round(effect.p, 3), effect.arrangements
    (0.333, 6)
    """
    used = measure_scale_use(ratings, scale)
    people, values = len(used.annotators), len(used.overall.values)
    counts = np.array([each.counts for each in used.annotators], float).reshape(people, values)
    member, reason = _group_numbers(annotator_groups(ratings))
    if not reason and (counts.sum(0) > 0).sum() < 2:
        reason = "all judgements have the same value"
    if reason:
        return GroupEffect(used.groups, math.nan, math.nan, math.nan, 0, False, math.nan, reason)
    every, exact = _arrangements(member, seed)
    size = int(member.max()) + 1
    seen = float(compute_chi_squares(counts, member[None, :], size)[0])
    p, least = _permutation_p_values(seen, compute_chi_squares(counts, every, size), exact)
    return GroupEffect(used.groups, seen, p, least, len(every), exact, _independent_p_value(seen, size, counts))


def mark_several_answers(ratings: Ratings, least: float) -> Ratings:
    """For each annotator and usage a judgement: 1 if two targets or more have the value ``least`` or more, else 0.

    With :func:`group_effect`, on the scale :data:`~polyseme.rating.CHOICE`, it tells whether groups differ in how often
    they give several senses: those at the highest rating in WSsim (Table 11), or those chosen in WSbest (Table 21).

    >>> from polyseme.rating import Rating
    >>> rows = [("ann", "a", 5), ("ann", "b", 5), ("bob", "a", 5), ("bob", "b", 1)]
    >>> given = Ratings(Rating(who, "WSsim", "win.v", "u", sense, value) for who, sense, value in rows)
    >>> [(row.annotator, row.value) for row in mark_several_answers(given, 5)]
    [('ann', 1.0), ('bob', 0.0)]
    """
    counts: dict[Rating, int] = {}
    for row in ratings:
        if not row.role and not math.isnan(row.value):
            answer = Rating(row.annotator, row.task, row.lemma, row.usage, SEVERAL_TARGET, 0.0, group=row.group)
            counts[answer] = counts.get(answer, 0) + (row.value >= least)
    return Ratings(answer._replace(value=float(count > 1)) for answer, count in counts.items())


def _group_numbers(groups: Mapping[str, Sequence[str]]) -> tuple[Ints, str]:
    """The number of each annotator's group, or why there is none."""
    for annotator, several in groups.items():
        if len(several) > 1:
            return np.empty(0, np.intp), f"{annotator} is in several groups ({', '.join(map(repr, several))})"
    names = sorted({group for (group,) in groups.values()})
    if not names:
        return np.empty(0, np.intp), "there are no judgements"
    if len(names) < 2:
        return np.empty(0, np.intp), "all judgements are of one group"
    return np.array([names.index(group) for (group,) in groups.values()], np.intp), ""


def compute_chi_squares(counts: Floats, members: Ints, groups: int) -> Floats:
    """χ² = Σ (seen − expected)² / expected of groups × values, for each row of ``members``, the annotators' groups."""
    counts = counts[:, counts.sum(0) > 0]
    values, total = counts.sum(0), counts.sum()
    found = np.zeros(len(members))
    for group in range(groups):
        seen = (members == group).astype(float) @ counts
        expected = seen.sum(1, keepdims=True) * values / total
        found += np.divide((seen - expected) ** 2, expected, out=np.zeros_like(seen), where=expected > 0).sum(1)
    return found


def _arrangements(member: Ints, seed: int) -> tuple[Ints, bool]:
    """All ways to put the annotators into groups of these sizes, or many random ones."""
    sizes = np.bincount(member)
    ways = math.factorial(len(member)) // math.prod(math.factorial(int(size)) for size in sizes)
    if ways <= MAX_ARRANGEMENTS:
        return np.array(list(_distinct_permutations(sorted(member.tolist()))), np.intp), True
    rng = np.random.default_rng(seed)
    return rng.permuted(np.tile(member, (MAX_ARRANGEMENTS, 1)), axis=1), False


def _distinct_permutations(labels: list[int]) -> Iterator[tuple[int, ...]]:
    """The different orders of labels, some of which are the same."""
    if not labels:
        yield ()
    for label in sorted(set(labels)):
        rest = labels.copy()
        rest.remove(label)
        yield from ((label, *tail) for tail in _distinct_permutations(rest))


def _permutation_p_values(seen: float, by_chance: Floats, exact: bool) -> tuple[float, float]:
    """The share of arrangements that differ as much as what was seen, and what that share could be at best."""
    near = 1e-9 * max(1.0, seen)
    as_large, largest = int((by_chance >= seen - near).sum()), int((by_chance >= by_chance.max() - near).sum())
    if exact:
        return as_large / len(by_chance), largest / len(by_chance)
    return (as_large + 1) / (len(by_chance) + 1), 1 / (len(by_chance) + 1)


def _independent_p_value(chi_square: float, groups: int, counts: Floats) -> float:
    from scipy.stats import chi2

    freedom = (groups - 1) * (int((counts.sum(0) > 0).sum()) - 1)
    return float(chi2.sf(chi_square, freedom))

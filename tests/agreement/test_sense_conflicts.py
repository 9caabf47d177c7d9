"""Usages that do not fit groups of senses."""

import math

import numpy as np
import pytest

from polyseme.agreement.related_senses import correlate_senses
from polyseme.agreement.sense_conflicts import (
    compute_cut_off_curve,
    count_conflicts_across_groups,
    count_conflicts_within_groups,
    count_correlation_conflicts,
    count_group_conflicts,
    count_insignificant_conflicts,
    count_uncorrelated_conflicts,
)
from polyseme.agreement.sense_groups import SenseGrouping
from polyseme.rating import Rating, Ratings

GROUPS = SenseGrouping.from_dict({"a": "1", "b": "1", "c": "2"})


def rated(*usages: tuple[float, ...], lemma: str = "x.n", senses: str = "abcd") -> Ratings:
    """One row a usage: the ratings of its senses."""
    return Ratings(
        Rating("ann", "WSsim", lemma, f"{lemma}.{number}", sense, value)
        for number, values in enumerate(usages)
        for sense, value in zip(senses, values, strict=True)
    )


@pytest.mark.parametrize("least, usages", [(3, 3), (4, 2), (5, 1)])
def test_senses_of_different_groups_that_apply_together(least: float, usages: int) -> None:
    """A usage counts once, though a and b both go with c; d is in no group."""
    ratings = rated((5, 5, 5, 5), (4, 4, 4, 1), (1, 3, 3, 1), (5, 5, 2, 5))
    count = count_conflicts_across_groups(ratings, GROUPS, least)
    assert (count.usages, count.total, count.share) == (usages, 4, usages / 4)
    assert count.left_out == 3, "the pairs of d"
    assert {(each.first, each.second) for each in count.conflicts} <= {("a", "c"), ("b", "c")}


@pytest.mark.parametrize("high, usages", [(4, 2), (5, 1)])
def test_senses_of_one_group_that_diverge(high: float, usages: int) -> None:
    ratings = rated((5, 2, 1, 1), (1, 4, 5, 1), (3, 5, 1, 1), (5, 1.0, 5, 5), (5, 5, 1, 1))
    count = count_conflicts_within_groups(rated((5, 2, 1, 1), (1, 4, 5, 1), (3, 5, 1, 1), (5, 5, 1, 1)), GROUPS, high)
    assert count.usages == usages
    assert count_conflicts_within_groups(ratings, GROUPS, high).usages == usages + 1
    assert all({each.first, each.second} == {"a", "b"} for each in count.conflicts)


def test_it_is_means_that_count() -> None:
    """One annotator gives 5 and 1, the other 1 and 5: both means are 3."""
    rows = [("ann", "a", 5), ("ann", "c", 1), ("bob", "a", 1), ("bob", "c", 5)]
    ratings = Ratings(Rating(who, "WSsim", "x.n", "u", sense, value) for who, sense, value in rows)
    (count,) = count_conflicts_across_groups(ratings, GROUPS, 3).conflicts
    assert count == ("x.n", "u", "a", "c", 3.0, 3.0)
    assert count_conflicts_across_groups(ratings, GROUPS, 4).usages == 0


def test_lemmas_without_groups_are_not_counted() -> None:
    ratings = Ratings([*rated((5, 5, 5, 5)), *rated((5, 5), lemma="y.n", senses="ef")])
    assert count_conflicts_across_groups(ratings, GROUPS, 3).total == 1
    none = count_conflicts_across_groups(rated((5, 5), lemma="y.n", senses="ef"), GROUPS, 3)
    assert math.isnan(none.share)
    assert none.reason == "no lemma has two senses in groups"


def test_senses_that_are_not_related() -> None:
    """a and b go together, c against both; d is always the same, so that nothing is said of it."""
    usages = [(5, 5, 1, 2), (4, 4, 2, 2), (3, 3, 3, 2), (2, 2, 4, 2), (1, 1, 5, 2), (1, 1, 4, 2)]
    ratings = rated(*usages)
    related = correlate_senses(ratings)
    count = count_uncorrelated_conflicts(ratings, related, 3)
    assert (count.usages, count.total, count.left_out) == (1, 6, 3)
    assert {(each.first, each.second) for each in count.conflicts} == {("a", "c"), ("b", "c")}
    assert count_uncorrelated_conflicts(ratings, related, 3, cut_off=-1).usages == 0
    assert count_insignificant_conflicts(ratings, related, 3, 0.05).usages == 1
    few = rated(*usages[:3])
    assert count_insignificant_conflicts(few, correlate_senses(few), 3, 1e-12).usages == 1, (
        "ρ = 1, and p = 0, of a and b counts"
    )


@pytest.mark.parametrize("seed", range(3))
def test_the_curve_counts_as_each_cut_off_alone_does(seed: int) -> None:
    """A correlation is never just at these cut-offs, so that "at most" and "below" are one."""
    values = np.random.default_rng(seed).integers(1, 6, (2, 12, 4))
    ratings = Ratings([*rated(*values[0].tolist()), *rated(*values[1].tolist(), lemma="y.n")])
    related = correlate_senses(ratings)
    curve = compute_cut_off_curve(ratings, related, [3, 4], [-0.501, 0.001, 1.0])
    alone = [
        count_uncorrelated_conflicts(ratings, related, least, cut).usages
        for least in (3, 4)
        for cut in (-0.501, 0.001, 1.001)
    ]
    assert [point.usages for point in curve] == alone
    assert 0 < curve[1].usages < curve[2].usages


def test_the_curve_of_nothing() -> None:
    assert [point.usages for point in compute_cut_off_curve(Ratings([]), [], [3], [0.0, 1.0])] == [0, 0]


def test_all_thresholds_of_the_paper() -> None:
    ratings = rated((5, 5, 5, 5), (1, 2, 3, 4), (4, 1, 3, 1))
    assert [each.question for each in count_group_conflicts(ratings, GROUPS)] == [
        "two senses of different groups both rated ≥ 3",
        "two senses of different groups both rated ≥ 4",
        "two senses of different groups both rated = 5",
        "of two senses of one group one rated ≤ 2, the other ≥ 4",
        "of two senses of one group one rated ≤ 2, the other = 5",
    ]
    questions = [each.question for each in count_correlation_conflicts(ratings, correlate_senses(ratings), [0.0, 0.5])]
    assert questions[0] == "two negatively correlated senses both rated ≥ 3"
    assert questions[3] == "two senses correlated below ρ = 0.5 both rated ≥ 3"
    assert questions[-1] == "two senses not positively correlated at p ≤ 0.01 both rated = 5"

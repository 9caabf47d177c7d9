"""Which pairs a study need not ask, and which to ask next."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.agreement.implied_pairs import (
    AtRandom,
    Close,
    HubsFirst,
    Narrow,
    PairOrder,
    RatingBounds,
    SkipRule,
    choose_next_pair,
    find_implied_pairs,
)
from polyseme.errors import InputError
from polyseme.rating import DUREL, UNDECIDED, WSSIM
from polyseme.usage import UsagePair


def pairs(**ratings: float) -> list[UsagePair]:
    return [UsagePair("a.n", name[0], name[1], rating) for name, rating in ratings.items()]


@pytest.mark.parametrize(
    "one, two, lowest, highest",
    [(5, 5, 4, 5), (5, 4, 3, 5), (4, 4, 2, 5), (5, 1, 1, 2), (5, 2, 1, 3), (4, 1, 1, 3), (3, 3, 1, 5), (1, 1, 1, 5)],
)
def test_two_sides_bound_the_third(one: float, two: float, lowest: float, highest: float) -> None:
    rated = pairs(ab=one, bc=two)
    width = highest - lowest
    (result,) = find_implied_pairs(rated, Narrow(width))
    assert (result.first, result.second, result.lowest, result.highest) == ("a", "c", lowest, highest)
    assert result.through == ("b",)
    assert result.middle == (lowest + highest) / 2
    assert not find_implied_pairs(rated, Narrow(width - 0.5))
    assert bool(find_implied_pairs(rated, Close(4))) == (lowest >= 4)


def test_the_scale_decides() -> None:
    rated = pairs(ab=4, bc=4)
    assert not find_implied_pairs(rated, Close(4))
    (result,) = find_implied_pairs(rated, Close(3), DUREL)
    assert (result.lowest, result.highest) == (3, 4)


def test_bounds_may_come_from_two_usages() -> None:
    """b bounds a and c from above (d at most 4), e from below (d at least 3)."""
    (result,) = find_implied_pairs(pairs(ab=4, bc=4, ae=5, ec=2), Narrow(2), usages={"a.n": ["a", "c"]})
    assert (result.first, result.second, result.lowest, result.highest) == ("a", "c", 2, 3)
    assert result.through == ("b", "e")


def test_ratings_that_contradict_one_another_imply_nothing() -> None:
    """By b, a and c are close; by e, they are far apart."""
    rated = pairs(ab=5, bc=5, ae=5, ec=1)
    assert ("a", "c") not in {(pair.first, pair.second) for pair in find_implied_pairs(rated, Narrow(4))}


def test_several_ratings_are_averaged_and_undecided_ones_bound_nothing() -> None:
    rated = [*pairs(ab=5, bc=5), *pairs(ba=4)]
    (result,) = find_implied_pairs(rated, Close(3))
    assert result.lowest == pytest.approx(3.5)
    open_ = pairs(ab=5, bc=UNDECIDED)
    assert not find_implied_pairs(open_, Narrow(4), usages={"a.n": ["a", "b"]})
    assert choose_next_pair("abc", open_, Narrow(1)) in {("a", "c"), ("c", "a")}
    assert choose_next_pair("abc", [*open_, *pairs(ac=UNDECIDED)]) is None


@given(st.integers(0, 1000), st.sampled_from([Close(4), Close(3), Narrow(1), Narrow(2)]))
def test_true_distances_lie_within_their_bounds(seed: int, rule: SkipRule) -> None:
    rng = np.random.default_rng(seed)
    points = rng.uniform(0, 2, (7, 2))
    true = {
        (str(one), str(two)): 5 - float(np.linalg.norm(points[one] - points[two]))
        for one, two in combinations(range(7), 2)
    }
    rated = [UsagePair("a.n", *pair, rating) for pair, rating in true.items() if rng.random() < 0.6]
    for pair in find_implied_pairs(rated, rule):
        rating = true[min((pair.first, pair.second), (pair.second, pair.first))]
        assert pair.lowest - 1e-9 <= rating <= pair.highest + 1e-9
        assert (pair.first, pair.second) not in {(pair.first, pair.second) for pair in rated}


@pytest.mark.parametrize("order", [AtRandom(), HubsFirst()])
def test_asking_ends_when_all_is_asked_or_implied(order: PairOrder) -> None:
    senses = {usage: number // 3 for number, usage in enumerate("abcdefghi")}
    judged: list[UsagePair] = []
    while pair := choose_next_pair(list(senses), judged, Narrow(1), order):
        assert set(pair) not in [{pair.first, pair.second} for pair in judged]
        judged.append(UsagePair("a.n", *pair, 5.0 if senses[pair[0]] == senses[pair[1]] else 1.0))
    left = find_implied_pairs(judged, Narrow(1))
    assert len(judged) + len(left) == 36
    assert len(left) >= 10
    for implied in left:
        same = senses[implied.first] == senses[implied.second]
        assert (implied.lowest, implied.highest) == ((4, 5) if same else (1, 2))


def test_hubs_first_asks_a_star() -> None:
    judged: list[UsagePair] = []
    for _ in range(4):
        pair = choose_next_pair("abcde", judged, Close(4))
        assert pair is not None
        judged.append(UsagePair("a.n", *pair, 5.0))
    hub = set.intersection(*({pair.first, pair.second} for pair in judged))
    assert len(hub) == 1
    assert choose_next_pair("abcde", judged, Close(4)) is None


def test_the_seed_decides_who_is_the_hub() -> None:
    assert len({choose_next_pair("abcdefgh", [], seed=seed) for seed in range(10)}) > 3
    assert choose_next_pair("abcdefgh", [], seed=4) == choose_next_pair("abcdefgh", [], seed=4)


def test_usages_that_are_not_asked_about_still_bound() -> None:
    assert choose_next_pair("ac", pairs(ab=5, bc=5)) is None
    assert choose_next_pair("ac", pairs(ab=5, bc=3)) is not None


@pytest.mark.parametrize(
    "judged, message",
    [
        ([UsagePair("a.n", "a", "b", 3), UsagePair("b.n", "a", "b", 3)], r"several lemmas \(a.n, b.n\)"),
        (pairs(ab=0), "the rating 0 of a and b is not on the scale from 1 to 5"),
    ],
)
def test_errors(judged: list[UsagePair], message: str) -> None:
    with pytest.raises(InputError, match=message):
        choose_next_pair("ab", judged)


def test_bounds_are_those_of_all_triples() -> None:
    rng = np.random.default_rng(0)
    bounds = RatingBounds(8, WSSIM)
    for one, two in combinations(range(8), 2):
        if rng.random() < 0.7:
            bounds.add_rating(one, two, float(rng.integers(1, 6)))
    for one, two in combinations(range(8), 2):
        sides = [(bounds.distance[one, by], bounds.distance[by, two]) for by in range(8)]
        rated = [(first, second) for first, second in sides if not math.isnan(first + second)]
        assert bounds.most[one, two] == min([5.0, *(first + second for first, second in rated)])
        assert bounds.least[two, one] == max([1.0, *(abs(first - second) for first, second in rated)])

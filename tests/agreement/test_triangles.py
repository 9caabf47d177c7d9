"""The triangle inequality on ratings of pairs of usages."""

import math
from collections.abc import Sequence
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import polyseme
from polyseme.agreement.triangles import average_usage_pairs, check_triangle_inequality
from polyseme.errors import InputError
from polyseme.rating import DUREL, UNDECIDED, WSSIM, Rating, Ratings, Scale
from polyseme.usage import UsagePair


def pairs(**ratings: float) -> list[UsagePair]:
    return [UsagePair("a.n", name[0], name[1], rating) for name, rating in ratings.items()]


def by_hand(usage_pairs: Sequence[UsagePair], scale: Scale = WSSIM) -> tuple[int, list[float]]:
    """How many triples there are and by how much some miss the inequality, one by one."""
    side = {(pair.lemma, frozenset(pair[1:3])): scale.highest + 1 - pair.similarity for pair in usage_pairs}
    usages = {
        lemma: sorted({usage for pair in usage_pairs if pair.lemma == lemma for usage in pair[1:3]})
        for lemma, _ in side
    }
    count, missed = 0, []
    for lemma, names in usages.items():
        for one, two in combinations(names, 2):
            if (first := side.get((lemma, frozenset((one, two))))) is None:
                continue
            for three in names[names.index(two) + 1 :]:
                others = [side.get((lemma, frozenset((each, three)))) for each in (one, two)]
                sides = sorted([first, *(each for each in others if each is not None)])
                count += len(sides) == 3
                if len(sides) == 3 and sides[2] > sides[0] + sides[1] + 1e-9:
                    missed.append(sides[2] - sides[0] - sides[1])
    return count, missed


@pytest.mark.parametrize(
    "ratings, amount",
    [((5, 5, 4), 0), ((5, 5, 3), 1), ((5, 5, 1), 3), ((4, 4, 2), 0), ((5, 4, 2), 1), ((5, 3, 1), 1), ((4, 4, 1), 1)],
)
def test_what_one_triple_can_miss(ratings: tuple[float, float, float], amount: float) -> None:
    for one, two, three in permutations(ratings):
        result = check_triangle_inequality(pairs(ab=one, bc=two, ac=three)).averages
        assert (result.triples, result.missed) == (1, int(amount > 0))
        if amount:
            assert (result.share, result.amount, result.largest) == (0, amount, amount)
            assert (result.worst[0].amount, result.worst[0].ratings[2]) == (amount, min(ratings))
        else:
            assert (result.share, result.reason) == (1, "no triple violates it")
            assert math.isnan(result.amount)


def test_the_usage_in_the_middle_is_close_to_both() -> None:
    result = check_triangle_inequality(pairs(ab=1, bc=5, ac=4)).averages.worst[0]
    assert result.usages == ("a", "c", "b")
    assert result.ratings == (4, 5, 1)


@given(st.lists(st.one_of(st.none(), st.integers(1, 5)), min_size=15, max_size=15), st.booleans())
def test_triples_are_counted_as_by_hand(values: list[int | None], halved: bool) -> None:
    rated = zip(combinations("abcdef", 2), values, strict=True)
    usage_pairs = [UsagePair("a.n", *pair, (value + halved) / (1 + halved)) for pair, value in rated if value]
    result = check_triangle_inequality(usage_pairs).averages
    count, missed = by_hand(usage_pairs)
    assert (result.triples, result.missed) == (count, len(missed))
    if missed:
        assert result.amount == pytest.approx(np.mean(missed))
        assert result.largest == pytest.approx(max(missed))
    assert len(result.worst) == min(5, len(missed))
    assert [each.amount for each in result.worst] == pytest.approx(sorted(missed, reverse=True)[:5])


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=3, max_size=8))
def test_distances_in_a_plane_obey_it(points: list[tuple[float, float]]) -> None:
    """d from 1 to 2.5, as distances plus one are a distance too."""
    near = [
        UsagePair("a.n", str(one), str(two), 5 - math.dist(points[one], points[two]))
        for one, two in combinations(range(len(points)), 2)
    ]
    assert check_triangle_inequality(near).averages.share == 1


@pytest.mark.parametrize("scale, share", [(WSSIM, 0.76), (DUREL, 0.8125)])
def test_what_chance_gives(scale: Scale, share: float) -> None:
    """Each value as often as any other: of 125 and of 64 triples of values, 95 and 52 obey it."""
    values = np.tile(np.arange(scale.lowest, scale.highest + 1.0), 12)
    rows = [UsagePair("a.n", f"{n}", f"x{n}", value) for n, value in enumerate(values.tolist())]
    triple = [UsagePair("a.n", "0", "1", 3.0), UsagePair("a.n", "x0", "1", 3.0)]
    assert check_triangle_inequality([*rows, *triple], scale).averages.chance == pytest.approx(share, abs=0.05)
    rng = np.random.default_rng(0)
    full = [
        UsagePair("a.n", str(one), str(two), float(rng.integers(scale.lowest, scale.highest + 1)))
        for one, two in combinations(range(40), 2)
    ]
    result = check_triangle_inequality(full, scale).averages
    assert result.share == pytest.approx(result.chance, abs=0.01)
    assert result.chance == pytest.approx(share, abs=0.03)


def test_many_different_values() -> None:
    rng = np.random.default_rng(0)
    full = [UsagePair("a.n", str(one), str(two), rng.uniform(1, 5)) for one, two in combinations(range(50), 2)]
    result = check_triangle_inequality(full).averages
    assert (result.triples, result.missed) == (50 * 49 * 48 // 6, len(by_hand(full)[1]))
    assert result.chance == pytest.approx(result.share, abs=0.02)


def usim(who: str, pair: str, value: float, lemma: str = "a.n") -> Rating:
    return Rating(who, "Usim", lemma, pair[0], pair[1], value)


RATINGS = Ratings(
    [
        usim("ann", "ab", 5),
        usim("ann", "bc", 5),
        usim("ann", "ca", 1),
        usim("bob", "ab", 5),
        usim("bob", "cb", 4),
        usim("bob", "ac", 5),
        usim("cat", "ab", 4),
        usim("ann", "xy", 4, "b.n"),
        usim("bob", "xy", UNDECIDED, "b.n"),
    ]
)


def test_averages_and_individuals() -> None:
    result = check_triangle_inequality(RATINGS)
    means = average_usage_pairs(RATINGS)
    assert [pair[:3] for pair in means] == [("a.n", "a", "b"), ("a.n", "b", "c"), ("a.n", "a", "c")]
    assert [pair.similarity for pair in means] == pytest.approx([14 / 3, 4.5, 3.0])
    # d = 4/3, 1.5 and 3.
    assert (result.averages.triples, result.averages.missed, result.open) == (1, 1, 1)
    assert result.averages.amount == pytest.approx(3 - 1.5 - 4 / 3)
    assert [each.name for each in result.lemmas] == ["a.n"]
    assert [(each.name, each.triples, each.missed) for each in result.annotators] == [
        ("ann", 1, 1),
        ("bob", 1, 0),
        ("cat", 0, 0),
    ]
    assert result.annotators[2].reason == "no triple of usages of cat has ratings for all three pairs"
    assert result.annotators[0].worst[0].annotator == "ann"
    assert (result.individuals.triples, result.individuals.missed, result.individuals.amount) == (2, 1, 3)
    assert result.individuals.pairs == 8


def test_averages_alone_say_nothing_of_individuals() -> None:
    result = check_triangle_inequality(pairs(ab=3, bc=UNDECIDED))
    assert result.individuals.reason == "only averages are known"
    assert (result.averages.pairs, result.open) == (1, 1)
    assert math.isnan(result.averages.share)
    assert (
        check_triangle_inequality([]).averages.triples == check_triangle_inequality(Ratings([])).averages.triples == 0
    )


def test_usages_of_different_lemmas_make_no_triple() -> None:
    rows = [UsagePair("a.n", "1", "2", 5), UsagePair("b.n", "2", "3", 5), UsagePair("a.n", "1", "3", 1)]
    assert check_triangle_inequality(rows).averages.triples == 0


@pytest.mark.parametrize(
    "usage_pairs, message",
    [
        (pairs(ab=6), r"the rating 6 of a is not on the scale from 1 to 5"),
        (Ratings([Rating("ann", "WSsim", "a.n", "u", "s", 3)]), "ratings of WSsim"),
    ],
)
def test_errors(usage_pairs: Ratings | list[UsagePair], message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_triangle_inequality(usage_pairs)


@pytest.fixture
def _data_sets(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where they are, for ``polyseme.load``."""
    monkeypatch.setenv("POLYSEME_DATA", str(data))


@pytest.mark.usefixtures("_data_sets")
def test_all_averages_of_usim_2_obey_it() -> None:
    """As published; were its ratings dealt out at random, 85 % of triples would."""
    usage_pairs = polyseme.load("usim").pairs
    assert usage_pairs is not None
    result = check_triangle_inequality(usage_pairs)
    assert (result.averages.pairs, result.averages.triples, result.averages.missed) == (1133, 2968, 0)
    assert len(result.lemmas) == 26
    assert result.averages.chance == pytest.approx(0.848, abs=0.001)


@pytest.mark.usefixtures("_data_sets")
def test_word_usage_graphs() -> None:
    ratings = polyseme.load("word-usage-graphs").ratings
    assert ratings is not None
    result = check_triangle_inequality(ratings, DUREL)
    assert (result.individuals.triples, result.individuals.missed) == (219, 2)
    assert (result.averages.pairs, result.averages.triples, result.averages.missed, result.open) == (1759, 1246, 77, 55)
    assert by_hand(average_usage_pairs(ratings), DUREL)[0] == 1246
    assert result.averages.amount == pytest.approx(0.999, abs=0.001)
    assert min(each.share for each in result.annotators if each.triples) == pytest.approx(44 / 45)

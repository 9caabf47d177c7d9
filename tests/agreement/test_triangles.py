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


def by_hand(given: Sequence[UsagePair], scale: Scale = WSSIM) -> tuple[int, list[float]]:
    """How many triples there are and by how much some miss the inequality, one by one."""
    side = {(pair.lemma, frozenset(pair[1:3])): scale.highest + 1 - pair.similarity for pair in given}
    usages = {
        lemma: sorted({usage for pair in given if pair.lemma == lemma for usage in pair[1:3]}) for lemma, _ in side
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
        found = check_triangle_inequality(pairs(ab=one, bc=two, ac=three)).averages
        assert (found.triples, found.missed) == (1, int(amount > 0))
        if amount:
            assert (found.share, found.amount, found.largest) == (0, amount, amount)
            assert (found.worst[0].amount, found.worst[0].ratings[2]) == (amount, min(ratings))
        else:
            assert (found.share, found.reason) == (1, "no triple misses it")
            assert math.isnan(found.amount)


def test_the_usage_in_the_middle_is_close_to_both() -> None:
    found = check_triangle_inequality(pairs(ab=1, bc=5, ac=4)).averages.worst[0]
    assert found.usages == ("a", "c", "b")
    assert found.ratings == (4, 5, 1)


@given(st.lists(st.one_of(st.none(), st.integers(1, 5)), min_size=15, max_size=15), st.booleans())
def test_triples_are_counted_as_by_hand(values: list[int | None], halved: bool) -> None:
    named = zip(combinations("abcdef", 2), values, strict=True)
    given = [UsagePair("a.n", *pair, (value + halved) / (1 + halved)) for pair, value in named if value]
    found = check_triangle_inequality(given).averages
    count, missed = by_hand(given)
    assert (found.triples, found.missed) == (count, len(missed))
    if missed:
        assert found.amount == pytest.approx(np.mean(missed))
        assert found.largest == pytest.approx(max(missed))
    assert len(found.worst) == min(5, len(missed))
    assert [each.amount for each in found.worst] == pytest.approx(sorted(missed, reverse=True)[:5])


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
    found = check_triangle_inequality(full, scale).averages
    assert found.share == pytest.approx(found.chance, abs=0.01)
    assert found.chance == pytest.approx(share, abs=0.03)


def test_many_different_values() -> None:
    rng = np.random.default_rng(0)
    full = [UsagePair("a.n", str(one), str(two), rng.uniform(1, 5)) for one, two in combinations(range(50), 2)]
    found = check_triangle_inequality(full).averages
    assert (found.triples, found.missed) == (50 * 49 * 48 // 6, len(by_hand(full)[1]))
    assert found.chance == pytest.approx(found.share, abs=0.02)


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
    found = check_triangle_inequality(RATINGS)
    means = average_usage_pairs(RATINGS)
    assert [pair[:3] for pair in means] == [("a.n", "a", "b"), ("a.n", "b", "c"), ("a.n", "a", "c")]
    assert [pair.similarity for pair in means] == pytest.approx([14 / 3, 4.5, 3.0])
    # d = 4/3, 1.5 and 3.
    assert (found.averages.triples, found.averages.missed, found.open) == (1, 1, 1)
    assert found.averages.amount == pytest.approx(3 - 1.5 - 4 / 3)
    assert [each.name for each in found.lemmas] == ["a.n"]
    assert [(each.name, each.triples, each.missed) for each in found.annotators] == [
        ("ann", 1, 1),
        ("bob", 1, 0),
        ("cat", 0, 0),
    ]
    assert found.annotators[2].reason == "no triple of usages of cat has ratings for all three pairs"
    assert found.annotators[0].worst[0].annotator == "ann"
    assert (found.individuals.triples, found.individuals.missed, found.individuals.amount) == (2, 1, 3)
    assert found.individuals.pairs == 8


def test_averages_alone_say_nothing_of_individuals() -> None:
    found = check_triangle_inequality(pairs(ab=3, bc=UNDECIDED))
    assert found.individuals.reason == "only averages were given"
    assert (found.averages.pairs, found.open) == (1, 1)
    assert math.isnan(found.averages.share)
    assert (
        check_triangle_inequality([]).averages.triples == check_triangle_inequality(Ratings([])).averages.triples == 0
    )


def test_usages_of_different_lemmas_make_no_triple() -> None:
    rows = [UsagePair("a.n", "1", "2", 5), UsagePair("b.n", "2", "3", 5), UsagePair("a.n", "1", "3", 1)]
    assert check_triangle_inequality(rows).averages.triples == 0


@pytest.mark.parametrize(
    "given, message",
    [
        (pairs(ab=6), r"the rating 6 of a is not on the scale from 1 to 5"),
        (Ratings([Rating("ann", "WSsim", "a.n", "u", "s", 3)]), "ratings of WSsim"),
    ],
)
def test_errors(given: Ratings | list[UsagePair], message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_triangle_inequality(given)


@pytest.fixture
def _data_sets(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where they are, for ``polyseme.load``."""
    monkeypatch.setenv("POLYSEME_DATA", str(data))


@pytest.mark.usefixtures("_data_sets")
def test_all_averages_of_usim_2_obey_it() -> None:
    """As published; were its ratings dealt out at random, 85 % of triples would."""
    given = polyseme.load("usim").pairs
    assert given is not None
    found = check_triangle_inequality(given)
    assert (found.averages.pairs, found.averages.triples, found.averages.missed) == (1133, 2968, 0)
    assert len(found.lemmas) == 26
    assert found.averages.chance == pytest.approx(0.848, abs=0.001)


@pytest.mark.usefixtures("_data_sets")
def test_word_usage_graphs() -> None:
    ratings = polyseme.load("word-usage-graphs").ratings
    assert ratings is not None
    found = check_triangle_inequality(ratings, DUREL)
    assert (found.individuals.triples, found.individuals.missed) == (219, 2)
    assert (found.averages.pairs, found.averages.triples, found.averages.missed, found.open) == (1759, 1246, 77, 55)
    assert by_hand(average_usage_pairs(ratings), DUREL)[0] == 1246
    assert found.averages.amount == pytest.approx(0.999, abs=0.001)
    assert min(each.share for each in found.annotators if each.triples) == pytest.approx(44 / 45)

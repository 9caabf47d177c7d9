"""What a study would have saved by leaving out pairs."""

import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import polyseme
from polyseme.agreement.implied_pairs import AtRandom, Close, HubsFirst, Narrow, PairOrder, SkipRule
from polyseme.agreement.pair_savings import simulate_savings
from polyseme.agreement.triangles import average_usage_pairs
from polyseme.rating import DUREL, UNDECIDED
from polyseme.usage import UsagePair


def by_sense(senses: str, near: float = 5, far: float = 1, lemma: str = "a.n") -> list[UsagePair]:
    """Usages that are near one another if they have the same sense."""
    numbered = list(enumerate(senses))
    return [
        UsagePair(lemma, str(one), str(two), near if sense == other else far)
        for (one, sense), (two, other) in combinations(numbered, 2)
    ]


def test_one_sense_takes_a_star() -> None:
    simulation = simulate_savings(by_sense("aaaaaaaaaa"), Close(4), HubsFirst(), fill=1)
    assert (simulation.total.pairs, simulation.total.answered, simulation.total.error, simulation.total.within) == (
        45,
        9,
        0,
        1,
    )
    assert simulation.total.share == pytest.approx(0.8)
    assert "the same value for all 45 items" in simulation.total.reason
    assert simulate_savings(by_sense("aaaaaaaaaa"), Close(4), AtRandom()).total.answered >= 9


def test_two_senses() -> None:
    full = by_sense("aaaaabbbbb")
    close, narrow = (simulate_savings(full, rule, fill=1).total for rule in (Close(4), Narrow(1)))
    # A hub in one sense, compared with all, and one in the other.
    assert close.answered > narrow.answered == 9 + 4
    assert close.error == 0
    # 5 for two of a sense is right; of the two senses 2 is filled in where 1 is true: 20 of 32.
    assert narrow.error == pytest.approx(20 / 32)
    assert narrow.within == 1
    assert narrow.error < narrow.error_of_mean
    lower = simulate_savings(full, Narrow(1), fill=0).total
    assert lower.error == pytest.approx(12 / 32)


def test_nothing_to_leave_out() -> None:
    simulation = simulate_savings(by_sense("abcdef"), Narrow(1)).total
    assert (simulation.answered, simulation.share) == (15, 0)
    assert math.isnan(simulation.error)
    assert simulation.reason.startswith("no pair could be skipped")


def test_lemmas_apart_and_together() -> None:
    full = by_sense("aaaa") + by_sense("aabb", lemma="b.n")
    simulation = simulate_savings(full, Narrow(1), runs=4)
    assert [(each.name, each.pairs, each.runs) for each in simulation.lemmas] == [("a.n", 6, 4), ("b.n", 6, 4)]
    assert simulation.total.answered == pytest.approx(sum(each.answered for each in simulation.lemmas))
    assert 0 < simulation.total.rho < 1


def test_nothing_and_undecided_pairs() -> None:
    assert simulate_savings([]).total.reason == "no pair has a rating"
    only = [UsagePair("a.n", "1", "2", UNDECIDED)]
    assert simulate_savings(only).lemmas == ()
    assert simulate_savings([*only, UsagePair("a.n", "1", "3", 4)]).total.pairs == 1


@pytest.mark.parametrize("order", [AtRandom(), HubsFirst()])
@pytest.mark.parametrize("rule", [Close(4), Narrow(1.5)])
def test_distances_in_a_plane_lie_within_bounds(rule: SkipRule, order: PairOrder) -> None:
    points = np.random.default_rng(0).uniform(0, 1, (10, 2))
    full = [
        UsagePair("a.n", str(one), str(two), 5 - float(np.linalg.norm(points[one] - points[two])))
        for one, two in combinations(range(10), 2)
    ]
    simulation = simulate_savings(full, rule, order, runs=3)
    assert simulation.total.within == 1 or simulation.total.answered == 45
    assert simulate_savings(full, rule, order, runs=3).total == simulation.total


@pytest.fixture
def _data_sets(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where they are, for ``polyseme.load``."""
    monkeypatch.setenv("POLYSEME_DATA", str(data))


@pytest.mark.usefixtures("_data_sets")
def test_usim_2() -> None:
    """The paper's rule hardly ever applies to averages; one that also uses what is far apart saves a quarter."""
    full = polyseme.load("usim").pairs
    assert full is not None
    paper = simulate_savings(full, Close(4), HubsFirst(), runs=3).total
    assert paper.share < 0.005
    hubs, random = (simulate_savings(full, Narrow(2), order, runs=3).total for order in (HubsFirst(), AtRandom()))
    assert hubs.share == pytest.approx(0.28, abs=0.03)
    assert random.share == pytest.approx(0.235, abs=0.03)
    for simulation in (hubs, random):
        assert simulation.within == 1
        assert simulation.error < 0.5 * simulation.error_of_mean
        assert simulation.rho > 0.95


@pytest.mark.usefixtures("_data_sets")
def test_word_usage_graphs() -> None:
    """Few pairs of these have a third usage in common."""
    ratings = polyseme.load("word-usage-graphs").ratings
    assert ratings is not None
    simulation = simulate_savings(average_usage_pairs(ratings), Narrow(1), HubsFirst(), DUREL, runs=1).total
    assert simulation.pairs == 1759
    assert simulation.share == pytest.approx(0.11, abs=0.03)
    assert simulation.within == pytest.approx(0.85, abs=0.05)
    assert simulation.rho > 0.95

"""The script that learns the probability of definitions, and measures names, on data that are made up."""

import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from polyseme.disambiguation.definitions import GlossProbability
from polyseme.labelling import Labelling


@pytest.fixture
def bench(root: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(root / "bench"))
    monkeypatch.delitem(sys.modules, "definitions", raising=False)
    import definitions

    return definitions


def test_the_values_of_simulated_senses_are_learnt(bench: ModuleType) -> None:
    """Gold are the probabilities of known values."""
    part, rng, cases = GlossProbability(slope=7, prior=0.6, none=2.5, missing=0.5), np.random.default_rng(0), []
    for number in range(60):
        size = int(rng.integers(1, 6))
        cosines, shares = rng.uniform(0, 0.8, size), rng.dirichlet(np.ones(size))
        cases.append(bench.Case(f"l{number}", cosines, shares, part(cosines, shares)))
    learnt = bench.learn(cases)
    assert (learnt.slope, learnt.prior, learnt.none) == pytest.approx((7, 0.6, 2.5), abs=0.05)
    predicted = bench.predict_left_out(cases)
    assert np.concatenate(predicted) == pytest.approx(np.concatenate([case.gold for case in cases]), abs=0.02)


def test_a_sense_is_left_out_of_its_second_case(bench: ModuleType) -> None:
    cosines, counts, shares = np.array([0.1, 0.2, 0.3]), np.array([1, 2, 3]), np.array([0.25, 0.75, 0.0])
    whole, part = bench._vary_case("bank.n", cosines, counts, shares)
    assert whole.gold.tolist() == [0.25, 0.75, 0, 0]
    assert part.cosines.tolist() == [0.1, 0.3]
    assert part.shares.tolist() == [0.25, 0.75]
    assert part.gold.tolist() == [0.25, 0, 0.75]
    assert len(list(bench._vary_case("bank.n", cosines[:1], counts[:1], np.ones(1)))) == 1


def test_names_are_scored_against_graded_gold(bench: ModuleType) -> None:
    gold = Labelling.from_dict(
        {"u1": {"a": 5, "b": 4}, "u2": {"a": 2, "b": 2}, "u3": {"b": 1}, "u4": {"a": 1}}, lemma="x.n"
    )
    figures = bench.score_names(gold, {"u1": "b", "u2": "b", "u3": "a"})
    expected = {"coverage": 0.75, "accuracy": 1 / 3, "ndcg_at_1": (0.8 + 1) / 3, "right": 0.25}
    assert figures == pytest.approx(expected)


def test_gold_names_each_induced_sense(bench: ModuleType) -> None:
    gold = Labelling.from_dict({"u1": {"a": 5, "b": 1}, "u2": {"b": 2}, "u3": {"a": 1}}, lemma="x.n")
    assert bench.name_by_gold({"u1": "s1", "u2": "s2", "u3": "s1"}, gold) == {"u1": "a", "u2": "b", "u3": "a"}

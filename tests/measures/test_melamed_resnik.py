"""Probabilities and hierarchies of senses (Melamed & Resnik)."""

import pytest
from hypothesis import given, settings

from pairs import Pair, pairs, shares
from polyseme.errors import InputError
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling
from polyseme.measures.melamed_resnik import MelamedResnik, SenseHierarchy

TREE = SenseHierarchy({"3.1": "3", "3.2": "3", "3.1a": "3.1", "3.1b": "3.1", "4.1": "4", "4.2": "4", "4.3": "4"})


@settings(max_examples=60, deadline=None)
@given(pair=pairs(weights=shares))
def test_fine(pair: Pair) -> None:
    gold, system = pair
    scores, masses = [], []
    for usage, senses in gold.items():
        answer = system.get(usage, {})
        mass = sum(answer.values())
        correct = sum(weight for sense, weight in answer.items() if sense in senses)
        scores.append(correct / max(mass, 1.0))
        masses.append(min(mass, 1.0))
    total = MelamedResnik()(gold, system).total()
    assert total["recall"] == pytest.approx(sum(scores) / len(gold))
    assert total["precision"] == pytest.approx(sum(scores) / sum(masses) if sum(masses) else 0.0)


@pytest.mark.parametrize(
    "gold, answer, fine, mixed, coarse",
    [
        ("2", {"3": 1.0}, 0, 0, 0),
        ("3", {"3.1b": 1.0}, 0, 1, 1),
        ("3.1", {"3": 1.0}, 0, 0.5, 1),
        ("3.1a", {"3": 1.0}, 0, 0.25, 1),
        ("3.1a", {"3.1b": 1.0}, 0, 0, 1),
        ("3.1a 4.2", {"3.1": 0.5, "4": 0.5}, 0, 5 / 12, 1),
        ("3.1 3.1a", {"3": 1.0}, 0, 0.5, 1),
    ],
)
def test_granularity(gold: str, answer: dict[str, float], fine: float, mixed: float, coarse: float) -> None:
    key = Labelling.from_dict({"u": dict.fromkeys(gold.split(), 1.0)}, lemma="x")
    system = Labelling.from_dict({"u": answer}, lemma="x")
    assert MelamedResnik("fine", hierarchy=TREE)(key, system).figure() == pytest.approx(fine)
    assert MelamedResnik("mixed", hierarchy=TREE)(key, system).figure() == pytest.approx(mixed)
    assert MelamedResnik("coarse", hierarchy=TREE)(key, system).figure() == pytest.approx(coarse)


def test_missing_mass_is_not_attempted() -> None:
    gold = Labelling.hard(["u1", "u2"], list("ab"), lemma="x")
    system = Labelling.from_dict({"u1": {"a": 0.25, "b": 0.25}}, lemma="x")
    assert MelamedResnik()(gold, system).total() == pytest.approx({"precision": 0.5, "recall": 0.125, "f1": 0.2})


def test_single_passes_over_usages_with_several_senses() -> None:
    gold = Labelling.from_dict({"u1": {"a": 1}, "u2": {"a": 1, "b": 1}}, lemma="x")
    scores = MelamedResnik(single=True)(gold, Labelling.hard(["u1", "u2"], list("ab"), lemma="x"))
    assert scores.units == ("u1",)


@pytest.mark.parametrize("parents", [{"a": "a"}, {"a": "b", "b": "a"}, {"x": "a", "a": "b", "b": "c", "c": "a"}])
def test_a_hierarchy_has_no_circle(parents: dict[str, str]) -> None:
    with pytest.raises(InputError, match="circle"):
        SenseHierarchy(parents)


def test_a_very_deep_hierarchy() -> None:
    chain = SenseHierarchy({str(number): str(number + 1) for number in range(20_000)})
    assert chain.top("0") == "20000"
    assert chain.probability({"0"}, "20000") == 1.0
    assert chain.probability({"20000"}, "0") == 1.0


def test_the_hierarchy_of_an_inventory() -> None:
    inventory = Inventory([Sense("3", "x"), Sense("3.1", "x", parent="3"), Sense("3.2", "x", parent="3")])
    assert SenseHierarchy.from_inventory(inventory) == SenseHierarchy({"3.1": "3", "3.2": "3"}) != TREE
    assert MelamedResnik("mixed", hierarchy=SenseHierarchy.from_inventory(inventory)) != MelamedResnik(
        "mixed", hierarchy=TREE
    )

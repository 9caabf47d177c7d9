"""Senses renamed and merged."""

import pytest

from polyseme.errors import InputError
from polyseme.words.editing import merge_senses, profile_inventory, rename_senses
from word_profiles import planted, portrait, usage

USAGES = [usage(number, f"the {{}} {number}") for number in range(3)]


def test_other_names() -> None:
    found = rename_senses(portrait([(0.9, 0.1), (1.0, 0.0), (0.0, 0.0)], USAGES), {"bank.n.s1": "money"})
    assert [sense.id for sense in found.senses] == ["money", "bank.n.s2"]
    assert found.labelling["u0"] == {"money": 0.9, "bank.n.s2": 0.1}
    assert found.shares.tolist() == pytest.approx([0.95, 0.05])


def test_two_become_one() -> None:
    found = merge_senses(portrait([(0.9, 0.1), (1.0, 0.0), (0.0, 0.0)], USAGES), {"bank.n.s2": "bank.n.s1"})
    assert [sense.id for sense in found.senses] == ["bank.n.s1"]
    assert found.labelling["u0"] == {"bank.n.s1": 1.0}
    assert [name for name, _ in found.senses[0].features][:3] == ["money.n", "river.n", "loan.n"]


def test_as_an_inventory() -> None:
    found = profile_inventory(rename_senses(planted(), {"bank.n.s1": "money"}))
    assert [(sense.id, sense.lemma) for sense in found["bank.n"]] == [("money", "bank.n"), ("bank.n.s2", "bank.n")]
    assert sum(sense.frequency for sense in found["bank.n"]) == pytest.approx(1.0)


@pytest.mark.parametrize(
    "names, problem",
    [
        ({"mud": "x"}, "bank.n has no sense 'mud'"),
        ({"bank.n.s1": " "}, "the name of a sense is empty"),
        ({"bank.n.s1": "bank.n.s2"}, "two senses would be called 'bank.n.s2'; to make them one, merge them"),
    ],
)
def test_names_that_cannot_be(names: dict[str, str], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        rename_senses(planted(), names)


def test_senses_cannot_be_merged_in_a_circle() -> None:
    with pytest.raises(InputError, match=r"in a circle: bank\.n\.s1 → bank\.n\.s2 → bank\.n\.s1"):
        merge_senses(planted(), {"bank.n.s1": "bank.n.s2", "bank.n.s2": "bank.n.s1"})
    with pytest.raises(InputError, match="has no sense 'mud'"):
        merge_senses(planted(), {"bank.n.s1": "mud"})

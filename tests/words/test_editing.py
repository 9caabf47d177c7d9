"""Renaming and merging of senses."""

from dataclasses import replace

import pytest

from polyseme.errors import InputError
from polyseme.words.editing import merge_senses, profile_inventory, rename_senses
from word_profiles import bank_profile, changing_profile, usage

USAGES = [usage(number, f"the {{}} {number}") for number in range(3)]


def test_senses_are_renamed_in_senses_and_labels() -> None:
    edited = rename_senses(bank_profile([(0.9, 0.1), (1.0, 0.0), (0.0, 0.0)], USAGES), {"bank.n.s1": "money"})
    assert [sense.id for sense in edited.senses] == ["money", "bank.n.s2"]
    assert edited.labelling["u0"] == {"money": 0.9, "bank.n.s2": 0.1}
    assert edited.shares.tolist() == pytest.approx([0.95, 0.05])


def test_merged_senses_add_weights_and_words() -> None:
    edited = merge_senses(bank_profile([(0.9, 0.1), (1.0, 0.0), (0.0, 0.0)], USAGES), {"bank.n.s2": "bank.n.s1"})
    assert [sense.id for sense in edited.senses] == ["bank.n.s1"]
    assert edited.labelling["u0"] == {"bank.n.s1": 1.0}
    assert [name for name, _ in edited.senses[0].features][:3] == ["money.n", "river.n", "loan.n"]


def test_merged_senses_have_no_recurrence() -> None:
    profile = bank_profile([(0.9, 0.1), (1.0, 0.0), (0.0, 0.0)], USAGES)
    profile = replace(profile, senses=tuple(replace(sense, recurrence=0.9) for sense in profile.senses))
    assert [sense.recurrence for sense in rename_senses(profile, {"bank.n.s1": "money"}).senses] == [0.9, 0.9]
    assert [sense.recurrence for sense in merge_senses(profile, {"bank.n.s2": "bank.n.s1"}).senses] == [None]


def test_an_inventory_has_the_shares_of_the_profile() -> None:
    edited = profile_inventory(rename_senses(changing_profile(), {"bank.n.s1": "money"}))
    assert [(sense.id, sense.lemma) for sense in edited["bank.n"]] == [("money", "bank.n"), ("bank.n.s2", "bank.n")]
    assert sum(sense.frequency for sense in edited["bank.n"]) == pytest.approx(1.0)


@pytest.mark.parametrize(
    "names, problem",
    [
        ({"mud": "x"}, "bank.n has no sense 'mud'"),
        ({"bank.n.s1": " "}, "the name of a sense is empty"),
        ({"bank.n.s1": "bank.n.s2"}, "two senses would be called 'bank.n.s2'; to make them one, merge them"),
    ],
)
def test_impossible_names_are_errors(names: dict[str, str], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        rename_senses(changing_profile(), names)


def test_senses_cannot_be_merged_in_a_circle() -> None:
    with pytest.raises(InputError, match=r"in a circle: bank\.n\.s1 → bank\.n\.s2 → bank\.n\.s1"):
        merge_senses(changing_profile(), {"bank.n.s1": "bank.n.s2", "bank.n.s2": "bank.n.s1"})
    with pytest.raises(InputError, match="has no sense 'mud'"):
        merge_senses(changing_profile(), {"bank.n.s1": "mud"})

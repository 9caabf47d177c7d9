"""Word profiles: weights, shares and heaviest senses."""

import numpy as np
import pytest

from polyseme.errors import InputError
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling
from polyseme.usage import Usage
from polyseme.words.profile import WordProfile, make_profile, profile_usages
from word_profiles import bank_profile, usage

USAGES = [usage(number, f"the {{}} number {number}") for number in range(4)]


def test_a_profile_has_weights_shares_and_heaviest_senses() -> None:
    profile = bank_profile([(0.9, 0.1), (0.0, 1.0), (0.0, 0.0), (0.2, 0.8)], USAGES)
    assert [sense.id for sense in profile.senses] == ["bank.n.s2", "bank.n.s1"]
    assert profile.weights == pytest.approx(np.array([[0.1, 0.9], [1, 0], [0, 0], [0.8, 0.2]]))
    assert profile.shares.tolist() == pytest.approx([1.9 / 3, 1.1 / 3])
    assert profile.main.tolist() == [1, 0, -1, 0]
    assert profile.labelled.tolist() == [0, 1, 3]
    assert list(profile.labelling) == ["u0", "u1", "u3"]


def test_weights_are_normalised_to_sum_one() -> None:
    profile = bank_profile([(3.0, 1.0), (0.0, 5.0), (0, 0), (1, 1)], USAGES)
    assert profile.weights.sum(axis=1).tolist() == pytest.approx([1, 1, 0, 1])


def test_ambiguity_is_entropy_in_bits() -> None:
    profile = bank_profile([(0.5, 0.5), (1.0, 0.0), (0, 0), (0.25, 0.75)], USAGES)
    assert profile.ambiguity.tolist() == pytest.approx([1.0, 0.0, 0.0, 0.8112781245])


def test_a_profile_may_have_no_usages_or_labels() -> None:
    empty = WordProfile("bank.n", (), Labelling(), (), "none")
    assert empty.main.tolist() == []
    assert empty.shares.tolist() == []
    nothing = make_profile("bank.n", USAGES, Labelling(), [Sense("a", "bank.n")], "none")
    assert nothing.main.tolist() == [-1] * 4
    assert nothing.shares.tolist() == [0.0]


def test_an_unknown_sense_is_an_error() -> None:
    profile = bank_profile([(1, 0)] * 4, USAGES)
    with pytest.raises(InputError, match=r"bank\.n has no sense 'mud'; it has bank\.n\.s1, bank\.n\.s2"):
        profile.number("mud")


class Model:
    """Labels all usages alike."""

    inducer = "Same()"
    inventory = Inventory([Sense("a", "bank.n"), Sense("b", "bank.n")])

    def label(self, usages: list[Usage]) -> Labelling:
        """Label usages."""
        return Labelling((usage.lemma, usage.id, {"a": 1.0, "b": 3.0}) for usage in usages)


def test_usages_are_labelled_by_a_model() -> None:
    plain = [Usage("u", "bank", "the bank", 4, 8)]
    profile = profile_usages(Model(), "bank.n", plain)  # type: ignore[arg-type]
    assert profile.model == "'Same()'"
    assert profile.usages[0].lemma == "bank.n"
    assert profile.labelling["u"] == {"a": 0.25, "b": 0.75}
    with pytest.raises(InputError, match=r"the model has no senses of 'tree'; it has bank\.n"):
        profile_usages(Model(), "tree", plain)  # type: ignore[arg-type]

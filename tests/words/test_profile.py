"""A portrait: weights, shares and main senses."""

import numpy as np
import pytest

from polyseme.errors import InputError
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling
from polyseme.usage import Usage
from polyseme.words.profile import WordProfile, make_profile, profile_usages
from word_profiles import portrait, usage

USAGES = [usage(number, f"the {{}} number {number}") for number in range(4)]


def test_weights_shares_and_main_senses() -> None:
    found = portrait([(0.9, 0.1), (0.0, 1.0), (0.0, 0.0), (0.2, 0.8)], USAGES)
    assert [sense.id for sense in found.senses] == ["bank.n.s2", "bank.n.s1"]
    assert found.weights == pytest.approx(np.array([[0.1, 0.9], [1, 0], [0, 0], [0.8, 0.2]]))
    assert found.shares.tolist() == pytest.approx([1.9 / 3, 1.1 / 3])
    assert found.main.tolist() == [1, 0, -1, 0]
    assert found.labelled.tolist() == [0, 1, 3]
    assert list(found.labelling) == ["u0", "u1", "u3"]


def test_weights_sum_to_one_whatever_was_given() -> None:
    found = portrait([(3.0, 1.0), (0.0, 5.0), (0, 0), (1, 1)], USAGES)
    assert found.weights.sum(axis=1).tolist() == pytest.approx([1, 1, 0, 1])


def test_ambiguity_is_entropy_in_bits() -> None:
    found = portrait([(0.5, 0.5), (1.0, 0.0), (0, 0), (0.25, 0.75)], USAGES)
    assert found.ambiguity.tolist() == pytest.approx([1.0, 0.0, 0.0, 0.8112781245])


def test_without_usages_or_senses() -> None:
    empty = WordProfile("bank.n", (), Labelling(), (), "none")
    assert empty.main.tolist() == []
    assert empty.shares.tolist() == []
    nothing = make_profile("bank.n", USAGES, Labelling(), [Sense("a", "bank.n")], "none")
    assert nothing.main.tolist() == [-1] * 4
    assert nothing.shares.tolist() == [0.0]


def test_a_sense_that_is_not_there() -> None:
    found = portrait([(1, 0)] * 4, USAGES)
    with pytest.raises(InputError, match=r"bank\.n has no sense 'mud'; it has bank\.n\.s1, bank\.n\.s2"):
        found.number("mud")


class Model:
    """Says of every usage the same."""

    inducer = "Same()"
    inventory = Inventory([Sense("a", "bank.n"), Sense("b", "bank.n")])

    def label(self, usages: list[Usage]) -> Labelling:
        """One sense more than the other."""
        return Labelling((each.lemma, each.id, {"a": 1.0, "b": 3.0}) for each in usages)


def test_of_a_model() -> None:
    plain = [Usage("u", "bank", "the bank", 4, 8)]
    found = profile_usages(Model(), "bank.n", plain)  # type: ignore[arg-type]
    assert found.model == "'Same()'"
    assert found.usages[0].lemma == "bank.n"
    assert found.labelling["u"] == {"a": 0.25, "b": 0.75}
    with pytest.raises(InputError, match=r"the model has no senses of 'tree'; it has bank\.n"):
        profile_usages(Model(), "tree", plain)  # type: ignore[arg-type]

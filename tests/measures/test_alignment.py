"""Gold and system side by side."""

import warnings

import pytest

from polyseme.errors import InputError, InputWarning
from polyseme.labelling import Labelling
from polyseme.measures.alignment import check_and_order, sense_order

GOLD = Labelling.hard(["u1", "u2"], list("ab"), lemma="x")


@pytest.mark.parametrize(
    "gold, system, message",
    [
        (GOLD, Labelling.hard(["v1"], ["a"], lemma="x"), "no usage in common; gold has e.g. 'u1', the system 'v1'"),
        (GOLD, Labelling(), "no usage in common; gold has e.g. 'u1', and the system labels nothing"),
        (Labelling(), GOLD, "no usage in common; the gold key is empty, the system 'u1'"),
        (GOLD, Labelling.hard(["u1"], ["a"], lemma="y"), "usage 'u1' belongs to 'x' in the gold key and to 'y'"),
    ],
)
def test_labellings_that_cannot_be_scored_are_errors(gold: Labelling, system: Labelling, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_and_order(gold, system)


def test_one_warning_for_all_usages_outside_gold() -> None:
    system = GOLD | Labelling.hard(["v1", "v2", "v3"], list("abc"), lemma="x")
    with pytest.warns(InputWarning) as caught:
        check_and_order(GOLD, system)
    assert [str(warning.message) for warning in caught] == ["3 usages of the system are not in the gold key"]


def test_no_warning_if_none_is_needed() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check_and_order(GOLD, GOLD.restrict(["u1"]))
    assert not caught


def test_names_are_ordered_as_java_orders_them() -> None:
    """By UTF-16 code unit: characters beyond the first plane come before some within it, such as fullwidth ones."""
    names = ["z", "é", "\uff21", "\U0001f600", "Z", "a%2:01::", "a%2:0"]
    order = sorted(names, key=dict(zip(names, sense_order(names).tolist(), strict=True)).__getitem__)
    assert order == ["Z", "a%2:0", "a%2:01::", "z", "é", "\U0001f600", "\uff21"]

"""Labellings made from others: parts and unions, other weights, other names; listed zeros stay."""

import pickle
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.formats.answer_key import format_key, parse_key
from polyseme.labelling import Labelling
from strategies import ROWS, SENSES, any_labellings, as_rows, finite, is_consistent, labellings

BOTH: tuple[Literal["sum", "max"], ...] = ("sum", "max")


@pytest.fixture
def labelling() -> Labelling:
    return Labelling(ROWS)


@given(any_labellings)
def test_lemmas_are_a_partition(labelling: Labelling) -> None:
    parts = [labelling.for_lemma(lemma) for lemma in labelling.lemmas]
    assert sum(map(len, parts)) == len(labelling)
    assert all(part.lemmas == (lemma,) for part, lemma in zip(parts, labelling.lemmas, strict=True))
    assert all(is_consistent(part) for part in parts)
    union = Labelling()
    for part in parts:
        union |= part
    assert union == labelling


def test_of_a_lemma_that_is_not_there(labelling: Labelling) -> None:
    assert labelling.for_lemma("dog.n") == Labelling()


def test_for_lemma_keeps_the_order(labelling: Labelling) -> None:
    assert as_rows(labelling.for_lemma("win.v")) == [
        ("win.v", "win.v.1", [("a", 0.6), ("b", 0.4)]),
        ("win.v", "win.v.2", [("c", 1.0), ("a", 0.0)]),
    ]


@given(labellings(), st.data())
def test_restrict_keeps_the_chosen_usages(labelling: Labelling, data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.sampled_from([*labelling.usages, "nobody"])))
    restricted = labelling.restrict(chosen)
    assert as_rows(restricted) == [row for row in as_rows(labelling) if row[1] in chosen]
    assert restricted.restrict(chosen) == restricted
    assert is_consistent(restricted)


@given(labellings())
def test_restrict_to_all_or_none(labelling: Labelling) -> None:
    assert as_rows(labelling.restrict(labelling)) == as_rows(labelling)
    assert labelling.restrict([]) == Labelling()


def test_restricting_keeps_lemmas_and_senses_in_order_of_first_appearance() -> None:
    labelling = Labelling([("a", "u1", {"s": 1, "t": 1}), ("b", "u2", {"s": 1}), ("a", "u3", {"t": 1, "s": 1})])
    restricted = labelling.restrict(["u2", "u3"])
    assert restricted.lemmas == ("b", "a")
    assert restricted.senses("a") == ("t", "s")


@given(labellings(weights=finite))
def test_top_keeps_the_heaviest_sense(labelling: Labelling) -> None:
    top = labelling.top()
    expected = {usage: max(senses, key=lambda sense: senses[sense]) for usage, senses in labelling.items()}
    assert dict(top) == {usage: {sense: labelling[usage][sense]} for usage, sense in expected.items()}
    assert top.top() == top
    assert is_consistent(top)


@given(labellings(weights=finite))
def test_the_answer_is_the_heaviest_sense_with_weight_1(labelling: Labelling) -> None:
    single = labelling.single()
    assert dict(single) == {usage: dict.fromkeys(senses, 1.0) for usage, senses in labelling.top().items()}
    assert single.single() == single
    assert is_consistent(single)


@given(labellings(weights=finite))
def test_the_answer_of_a_key_is_its_first_sense(labelling: Labelling) -> None:
    key = parse_key(format_key(labelling).encode())
    listed = Labelling.from_arrays(*columns_of(labelling), ordered=True)
    assert key.ordered
    assert key.single() == labelling.single()
    assert dict(listed.single()) == {usage: {next(iter(senses)): 1.0} for usage, senses in labelling.items()}


@given(labellings(weights=finite))
def test_other_labellings_of_a_key_keep_its_order(labelling: Labelling) -> None:
    key = Labelling.from_arrays(*columns_of(labelling), ordered=True)
    others = [key.restrict(key), key.normalise("max"), key.rename_senses({}), key | key, key.top()]
    others.append(key.heaviest_first())
    assert all(other.ordered for other in others)
    assert not len(labelling) or not (key | labelling).ordered
    assert pickle.loads(pickle.dumps(key)).ordered


@given(labellings(weights=finite))
def test_senses_are_sorted_by_weight_and_equal_ones_keep_their_order(labelling: Labelling) -> None:
    expected = [sorted(senses.items(), key=lambda pair: -pair[1]) for senses in labelling.values()]
    assert [list(senses.items()) for senses in labelling.heaviest_first().values()] == expected
    assert is_consistent(labelling.heaviest_first())


def columns_of(labelling: Labelling) -> tuple[list[str], list[str], list[int], list[str], list[float]]:
    rows = list(labelling.rows())
    senses = [pair for _, _, weights in rows for pair in weights.items()]
    return (
        [usage for _, usage, _ in rows],
        [lemma for lemma, _, _ in rows],
        [len(weights) for _, _, weights in rows],
        [sense for sense, _ in senses],
        [weight for _, weight in senses],
    )


@given(labellings(weights=finite), st.sampled_from(BOTH))
def test_normalise_divides_by_sum_or_maximum(labelling: Labelling, by: Literal["sum", "max"]) -> None:
    normalised = labelling.normalise(by)
    assert [list(senses) for senses in normalised.values()] == [list(senses) for senses in labelling.values()]
    for usage, senses in normalised.items():
        if any(labelling[usage].values()):
            total = sum(senses.values()) if by == "sum" else max(senses.values())
            assert total == pytest.approx(1)
        else:
            assert senses == labelling[usage]
    again = normalised.normalise(by)
    np.testing.assert_allclose(again.weights, normalised.weights, rtol=1e-14)


@given(labellings(weights=finite))
def test_normalised_by_maximum_twice_is_the_same_to_the_digit(labelling: Labelling) -> None:
    normalised = labelling.normalise("max")
    assert normalised.normalise("max") == normalised


def test_normalised_is_plain_division() -> None:
    labelling = Labelling([("x", "u1", {"a": 0.1, "b": 0.3}), ("x", "u2", {"a": 0.0, "b": 0.0})])
    total = 0.1 + 0.3
    assert dict(labelling.normalise("sum")) == {"u1": {"a": 0.1 / total, "b": 0.3 / total}, "u2": {"a": 0, "b": 0}}
    assert labelling.normalise("max")["u1"] == {"a": 0.1 / 0.3, "b": 1.0}


def test_normalised_when_the_sum_is_too_large_for_a_number() -> None:
    labelling = Labelling([("x", "u1", {"a": 1.5e308, "b": 1.5e308}), ("x", "u2", {"a": 1, "b": 3})])
    assert dict(labelling.normalise("sum")) == {"u1": {"a": 0.5, "b": 0.5}, "u2": {"a": 0.25, "b": 0.75}}


def test_normalised_by_something_else(labelling: Labelling) -> None:
    with pytest.raises(ValueError, match="'mean': allowed are 'sum' and 'max'"):
        labelling.normalise("mean")  # type: ignore[arg-type]


@given(labellings(min_size=1), st.data())
def test_with_weights_replaces_the_weights(labelling: Labelling, data: st.DataObject) -> None:
    size = len(labelling.weights)
    weights = data.draw(st.lists(finite, min_size=size, max_size=size))
    reweighted = labelling.with_weights(weights)
    assert reweighted.weights.tolist() == weights
    assert reweighted.columns == labelling.columns
    assert reweighted.with_weights(labelling.weights) == labelling
    with pytest.raises(ValueError, match="entries but weights of shape"):
        labelling.with_weights([*weights, 1])


def test_reweighted_keeps_no_hold_on_what_it_was_given(labelling: Labelling) -> None:
    weights = np.ones(5)
    reweighted = labelling.with_weights(weights)
    weights[0] = 7
    assert reweighted["win.v.1"] == {"a": 1.0, "b": 1.0}


# -- union ---------------------------------------------------------------------------------------------------------


def one_lemma(prefix: str = "") -> st.SearchStrategy[Labelling]:
    return labellings(lemmas=st.just("x"), usages=st.sampled_from([f"{prefix}{n}" for n in range(12)]), max_size=6)


@given(one_lemma(), one_lemma())
def test_union_is_that_of_dictionaries(one: Labelling, other: Labelling) -> None:
    union = one | other
    assert dict(union) == dict(one) | dict(other)
    assert list(union) == list(dict(one) | dict(other))
    assert is_consistent(union)


@given(one_lemma(), one_lemma(), one_lemma())
def test_union_laws(one: Labelling, two: Labelling, three: Labelling) -> None:
    assert (one | two) | three == one | (two | three)
    assert one | one == one
    assert one | Labelling() == Labelling() | one == one


@given(one_lemma("a"), one_lemma("b"))
def test_union_of_different_usages_commutes(one: Labelling, other: Labelling) -> None:
    assert one | other == other | one
    assert (one | other).restrict(one) == one


def test_union_with_another_lemma_for_a_usage() -> None:
    one, other = Labelling([("x", "u1", {"a": 1})]), Labelling([("y", "u1", {"a": 1})])
    with pytest.raises(ValueError, match="usage 'u1' belongs to 'x' in one labelling and to 'y' in the other"):
        one | other


def test_union_with_something_else(labelling: Labelling) -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        labelling | {"u1": {"a": 1}}  # type: ignore[operator]


# -- renaming ------------------------------------------------------------------------------------------------------


@given(labellings())
def test_renaming_and_back(labelling: Labelling) -> None:
    upper = {sense: sense.upper() for sense in SENSES}
    back = {new: sense for sense, new in upper.items()}
    renamed = labelling.rename_senses(upper)
    assert {sense for _, sense in renamed.columns} <= set(back)
    assert as_rows(renamed.rename_senses(back)) == as_rows(labelling)
    assert renamed == labelling.rename_senses(str.upper)


@given(labellings())
def test_names_that_are_not_in_the_mapping_stay(labelling: Labelling) -> None:
    assert as_rows(labelling.rename_senses({})) == as_rows(labelling)
    assert labelling.rename_senses({"nobody": "somebody"}) == labelling


@given(labellings())
def test_swapping_two_names(labelling: Labelling) -> None:
    swap = {"a": "b", "b": "a"}
    assert labelling.rename_senses(swap).rename_senses(swap) == labelling


@given(labellings())
def test_senses_that_become_one_are_merged(labelling: Labelling) -> None:
    coarse = {"a": "A", "b": "A", "c": "C", "d": "C"}
    largest = labelling.rename_senses(coarse, merge=max)
    total = labelling.rename_senses(coarse, merge=lambda a, b: a + b)
    for usage, senses in labelling.items():
        groups = {new: [weight for sense, weight in senses.items() if coarse[sense] == new] for new in ("A", "C")}
        assert largest[usage] == {new: max(weights) for new, weights in groups.items() if weights}
        assert total[usage] == pytest.approx({new: sum(weights) for new, weights in groups.items() if weights})
    assert is_consistent(largest)


def test_merging_must_be_asked_for() -> None:
    labelling = Labelling([("x", "u1", {"a": 1, "b": 1})])
    with pytest.raises(ValueError, match="usage 'u1': two senses become 'c'; say how to merge them"):
        labelling.rename_senses(lambda _: "c")


# -- listed zeros --------------------------------------------------------------------------------------------------


@given(labellings(weights=st.just(0.0)))
def test_listed_zeros_are_kept_everywhere(labelling: Labelling) -> None:
    size = len(labelling.weights)
    same = [
        labelling.normalise("sum"),
        labelling.normalise("max"),
        labelling | labelling,
        labelling.restrict(labelling),
    ]
    same += [Labelling(labelling.rows()), labelling.rename_senses({}), labelling.with_weights(labelling.weights)]
    assert all(len(each.weights) == size and each == labelling for each in same)
    assert labelling.matrix.nnz == size
    assert len(labelling.top().weights) == len(labelling)
    assert sum(len(labelling.for_lemma(lemma).weights) for lemma in labelling.lemmas) == size

"""Labellings: a value that cannot be changed, a mapping outside and a sparse matrix inside."""

import copy
import math
import pickle
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.labelling import Labelling
from strategies import LEMMAS, SENSES, any_labellings, as_dict, as_rows, finite, is_consistent, labellings, names

BOTH: tuple[Literal["sum", "max"], ...] = ("sum", "max")
ROWS = [
    ("win.v", "win.v.1", {"a": 0.6, "b": 0.4}),
    ("add.v", "add.v.1", {"a": 0.0}),
    ("win.v", "win.v.2", {"c": 1.0, "a": 0.0}),
]


@pytest.fixture
def labelling() -> Labelling:
    return Labelling(ROWS)


# -- making one ----------------------------------------------------------------------------------------------------


def test_fields(labelling: Labelling) -> None:
    assert labelling.usages == ("win.v.1", "add.v.1", "win.v.2")
    assert labelling.lemmas == ("win.v", "add.v")
    assert labelling.columns == (("win.v", "a"), ("win.v", "b"), ("add.v", "a"), ("win.v", "c"))
    assert labelling.row_lemmas.tolist() == [0, 1, 0]
    assert labelling.indptr.tolist() == [0, 2, 3, 5]
    assert labelling.indices.tolist() == [0, 1, 2, 3, 0]
    assert labelling.weights.tolist() == [0.6, 0.4, 0.0, 1.0, 0.0]
    assert repr(labelling) == "<Labelling of 3 usages of 2 lemmas with 4 senses>"


def test_empty() -> None:
    empty = Labelling()
    assert len(empty) == 0
    assert dict(empty) == {}
    assert empty == empty.top() == empty.first() == empty.normalised("sum") == empty | empty == empty.of("x")
    assert empty.matrix.shape == (0, 0)
    assert is_consistent(empty)


def test_usage_without_a_sense_is_not_labelled() -> None:
    labelling = Labelling([("x", "u1", {}), ("y", "u2", {"a": 1})])
    assert list(labelling) == ["u2"]
    assert labelling.lemmas == ("y",)
    assert Labelling.from_arrays(["u1", "u2"], ["x", "y"], [0, 1], ["a"], [1]) == labelling


@pytest.mark.parametrize("weight", [-1.0, -5e-324, math.nan, math.inf, -math.inf])
def test_weights_are_finite_and_not_negative(weight: float) -> None:
    with pytest.raises(ValueError, match="usage 'u2' has a weight that is negative or not finite"):
        Labelling([("x", "u1", {"a": 1, "b": 0}), ("x", "u2", {"a": 1, "b": weight})])


def test_usage_given_twice() -> None:
    with pytest.raises(ValueError, match="usage 'u1' is given twice"):
        Labelling([("x", "u1", {"a": 1}), ("x", "u2", {"a": 1}), ("x", "u1", {"a": 1})])


def test_message_about_a_long_name_is_short() -> None:
    with pytest.raises(ValueError, match="…") as caught:
        Labelling([("x", "u" * 10_000, {"a": -1})])
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("lemma", ["win.v", {"u1": "win.v", "u2": "win.v"}, lambda usage: "win.v" + usage[2:]])
def test_from_dict(lemma: Any) -> None:
    labelling = Labelling.from_dict({"u1": {"a": 1}, "u2": {"b": 2}}, lemma=lemma)
    assert as_rows(labelling) == [("win.v", "u1", [("a", 1.0)]), ("win.v", "u2", [("b", 2.0)])]


def test_from_dict_needs_the_lemma_of_each_usage() -> None:
    with pytest.raises(KeyError, match="u2"):
        Labelling.from_dict({"u2": {"b": 2}}, lemma={"u1": "x"})


@given(st.lists(st.integers(0, 3)))
def test_hard(labels: list[int]) -> None:
    usages = [f"u{number}" for number in range(len(labels))]
    labelling = Labelling.hard(usages, labels, lemma="x")
    assert labelling == Labelling(("x", usage, {str(label): 1}) for usage, label in zip(usages, labels, strict=True))
    assert is_consistent(labelling)


@pytest.mark.parametrize("labels", [["b", "a", "b"], np.array([2, 1, 2]), (True, False, True)])
def test_hard_takes_any_labels(labels: Any) -> None:
    labelling = Labelling.hard(["u1", "u2", "u3"], labels, lemma="x")
    assert labelling["u1"] == labelling["u3"] == {str(labels[0]): 1.0}
    assert labelling["u2"] == {str(labels[1]): 1.0}


def test_hard_needs_a_label_for_each_usage() -> None:
    with pytest.raises(ValueError, match="2 usages but 1 labels"):
        Labelling.hard(["u1", "u2"], [1], lemma="x")


@given(any_labellings)
def test_from_arrays_equals_the_constructor(labelling: Labelling) -> None:
    rows = list(labelling.rows())
    made = Labelling.from_arrays(
        [usage for _, usage, _ in rows],
        [lemma for lemma, _, _ in rows],
        [len(senses) for _, _, senses in rows],
        [sense for _, _, senses in rows for sense in senses],
        [weight for _, _, senses in rows for weight in senses.values()],
    )
    assert as_rows(made) == as_rows(labelling)
    assert made.columns == labelling.columns
    assert is_consistent(made)


@given(st.lists(st.lists(st.tuples(st.sampled_from(SENSES), st.integers(0, 5)), max_size=6)))
def test_from_arrays_adds_repeated_senses(lines: list[list[tuple[str, int]]]) -> None:
    usages = [f"u{number}" for number in range(len(lines))]
    labelling = Labelling.from_arrays(
        usages,
        ["x"] * len(lines),
        [len(line) for line in lines],
        [sense for line in lines for sense, _ in line],
        [weight for line in lines for _, weight in line],
    )
    expected = {
        usage: {sense: sum(weight for other, weight in line if other == sense) for sense, _ in line}
        for usage, line in zip(usages, lines, strict=True)
        if line
    }
    assert dict(labelling) == expected
    assert [list(senses) for senses in labelling.values()] == [list(senses) for senses in expected.values()]
    assert is_consistent(labelling)


@pytest.mark.parametrize(
    "arrays",
    [
        (["u1"], [], [1], ["a"], [1]),
        (["u1"], ["x"], [], ["a"], [1]),
        (["u1"], ["x"], [2], ["a"], [1]),
        (["u1"], ["x"], [1], ["a"], [1, 2]),
    ],
)
def test_from_arrays_must_match(arrays: Any) -> None:
    with pytest.raises(ValueError, match="they must match"):
        Labelling.from_arrays(*arrays)


def test_from_arrays_keeps_no_hold_on_what_it_was_given() -> None:
    weights = np.array([0.5])
    labelling = Labelling.from_arrays(["u1"], ["x"], [1], ["a"], weights)
    weights[0] = 7
    assert labelling["u1"] == {"a": 0.5}


# -- it cannot be changed ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["usages", "lemmas", "columns", "weights", "indptr", "_index", "other"])
def test_no_attribute_can_be_set(labelling: Labelling, name: str) -> None:
    with pytest.raises(AttributeError, match="cannot be changed"):
        setattr(labelling, name, ())


@given(labellings(min_size=1))
def test_arrays_are_read_only(labelling: Labelling) -> None:
    made = (
        labelling,
        labelling.top(),
        labelling.first(),
        labelling.normalised("sum"),
        labelling.of(labelling.lemmas[0]),
    )
    for each in made:
        for array in (each.weights, each.indices, each.indptr, each.row_lemmas):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 9


def test_matrix_cannot_be_written_through(labelling: Labelling) -> None:
    with pytest.raises(ValueError, match="read-only"):
        labelling.matrix.data[0] = 9


def test_row_is_a_copy(labelling: Labelling) -> None:
    labelling["win.v.1"]["a"] = 9
    assert labelling["win.v.1"] == {"a": 0.6, "b": 0.4}


def test_it_has_no_hash(labelling: Labelling) -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(labelling)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda labelling: pickle.loads(pickle.dumps(labelling))])
def test_copies_are_equal_and_read_only(labelling: Labelling, copied: Callable[[Labelling], Labelling]) -> None:
    made = copied(labelling)
    assert as_rows(made) == as_rows(labelling)
    assert not made.weights.flags.writeable


# -- reading -------------------------------------------------------------------------------------------------------


@given(any_labellings)
def test_reads_like_a_mapping(labelling: Labelling) -> None:
    plain = as_dict(labelling)
    assert len(labelling) == len(plain)
    assert list(labelling) == list(labelling.usages) == list(plain)
    assert dict(labelling) == {usage: senses for usage, (_, senses) in plain.items()}
    assert all(labelling.lemma(usage) == lemma for usage, (lemma, _) in plain.items())
    assert labelling.rows_of(plain).tolist() == list(range(len(plain)))
    assert is_consistent(labelling)


def test_usage_that_is_not_there(labelling: Labelling) -> None:
    assert "win.v.9" not in labelling
    assert labelling.rows_of(["win.v.9"]).tolist() == [-1]
    assert labelling.get("win.v.9") is None
    with pytest.raises(KeyError, match=r"win\.v\.9"):
        labelling["win.v.9"]
    with pytest.raises(KeyError, match=r"win\.v\.9"):
        labelling.lemma("win.v.9")


@given(labellings())
def test_rows_are_what_the_constructor_takes(labelling: Labelling) -> None:
    again = Labelling(labelling.rows())
    assert as_rows(again) == as_rows(labelling)
    assert again.columns == labelling.columns


@given(labellings())
def test_matrix_equals_mapping(labelling: Labelling) -> None:
    matrix = labelling.matrix
    dense = matrix.toarray()
    assert matrix.nnz == sum(map(len, labelling.values()))  # listed zeros are stored
    assert dense.shape == (len(labelling), len(labelling.columns))
    for row, (lemma, _, senses) in enumerate(labelling.rows()):
        for column, (of_lemma, sense) in enumerate(labelling.columns):
            assert dense[row, column] == (senses.get(sense, 0) if of_lemma == lemma else 0)


@given(labellings())
def test_counts(labelling: Labelling) -> None:
    plain = as_dict(labelling)
    assert labelling.sizes.tolist() == [len(senses) for _, senses in plain.values()]
    assert labelling.column_counts().tolist() == [
        sum(lemma == of_lemma and sense in senses for of_lemma, senses in plain.values())
        for lemma, sense in labelling.columns
    ]
    for lemma in LEMMAS:
        seen = [sense for of_lemma, senses in plain.values() if of_lemma == lemma for sense in senses]
        assert labelling.senses(lemma) == tuple(dict.fromkeys(seen))


# -- equality ------------------------------------------------------------------------------------------------------


@given(labellings(), st.randoms())
def test_equality_does_not_look_at_order(labelling: Labelling, random: Any) -> None:
    rows = [
        (lemma, usage, random.sample(list(senses.items()), len(senses))) for lemma, usage, senses in labelling.rows()
    ]
    random.shuffle(rows)
    assert Labelling((lemma, usage, dict(senses)) for lemma, usage, senses in rows) == labelling


@pytest.mark.parametrize(
    "other",
    [
        ROWS[:2],
        [*ROWS[:2], ("win.v", "win.v.2", {"c": 1.0})],  # a listed zero is not an absent sense
        [*ROWS[:2], ("win.v", "win.v.2", {"c": 1.0, "a": 0.1})],
        [*ROWS[:2], ("add.v", "win.v.2", {"c": 1.0, "a": 0.0})],
        [*ROWS[:2], ("win.v", "win.v.3", {"c": 1.0, "a": 0.0})],
        [*ROWS[:2], ("win.v", "win.v.2", {"c": 1.0, "b": 0.0})],
    ],
)
def test_inequality(labelling: Labelling, other: list[tuple[str, str, dict[str, float]]]) -> None:
    assert labelling != Labelling(other)


def test_it_is_not_equal_to_a_dictionary(labelling: Labelling) -> None:
    assert labelling != dict(labelling)


# -- other labellings made from it ---------------------------------------------------------------------------------


@given(any_labellings)
def test_lemmas_are_a_partition(labelling: Labelling) -> None:
    parts = [labelling.of(lemma) for lemma in labelling.lemmas]
    assert sum(map(len, parts)) == len(labelling)
    assert all(part.lemmas == (lemma,) for part, lemma in zip(parts, labelling.lemmas, strict=True))
    assert all(is_consistent(part) for part in parts)
    union = Labelling()
    for part in parts:
        union |= part
    assert union == labelling


def test_of_a_lemma_that_is_not_there(labelling: Labelling) -> None:
    assert labelling.of("dog.n") == Labelling()


def test_of_keeps_order(labelling: Labelling) -> None:
    assert as_rows(labelling.of("win.v")) == [
        ("win.v", "win.v.1", [("a", 0.6), ("b", 0.4)]),
        ("win.v", "win.v.2", [("c", 1.0), ("a", 0.0)]),
    ]


@given(labellings(), st.data())
def test_restrict(labelling: Labelling, data: st.DataObject) -> None:
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
def test_top(labelling: Labelling) -> None:
    top = labelling.top()
    expected = {usage: max(senses, key=lambda sense: senses[sense]) for usage, senses in labelling.items()}
    assert dict(top) == {usage: {sense: labelling[usage][sense]} for usage, sense in expected.items()}
    assert top.top() == top
    assert is_consistent(top)


@given(labellings(weights=finite))
def test_first(labelling: Labelling) -> None:
    first = labelling.first()
    assert dict(first) == {usage: {next(iter(senses)): 1.0} for usage, senses in labelling.items()}
    assert first.first() == first
    assert is_consistent(first)


@given(labellings(weights=finite), st.sampled_from(BOTH))
def test_normalised(labelling: Labelling, by: Literal["sum", "max"]) -> None:
    normalised = labelling.normalised(by)
    assert [list(senses) for senses in normalised.values()] == [list(senses) for senses in labelling.values()]
    for usage, senses in normalised.items():
        if any(labelling[usage].values()):
            total = sum(senses.values()) if by == "sum" else max(senses.values())
            assert total == pytest.approx(1)
        else:
            assert senses == labelling[usage]
    again = normalised.normalised(by)
    np.testing.assert_allclose(again.weights, normalised.weights, rtol=1e-14)


@given(labellings(weights=finite))
def test_normalised_by_maximum_twice_is_the_same_to_the_digit(labelling: Labelling) -> None:
    normalised = labelling.normalised("max")
    assert normalised.normalised("max") == normalised


def test_normalised_is_plain_division() -> None:
    labelling = Labelling([("x", "u1", {"a": 0.1, "b": 0.3}), ("x", "u2", {"a": 0.0, "b": 0.0})])
    total = 0.1 + 0.3
    assert dict(labelling.normalised("sum")) == {"u1": {"a": 0.1 / total, "b": 0.3 / total}, "u2": {"a": 0, "b": 0}}
    assert labelling.normalised("max")["u1"] == {"a": 0.1 / 0.3, "b": 1.0}


def test_normalised_when_the_sum_is_too_large_for_a_number() -> None:
    labelling = Labelling([("x", "u1", {"a": 1.5e308, "b": 1.5e308}), ("x", "u2", {"a": 1, "b": 3})])
    assert dict(labelling.normalised("sum")) == {"u1": {"a": 0.5, "b": 0.5}, "u2": {"a": 0.25, "b": 0.75}}


def test_normalised_by_something_else(labelling: Labelling) -> None:
    with pytest.raises(ValueError, match="'mean': allowed are 'sum' and 'max'"):
        labelling.normalised("mean")  # type: ignore[arg-type]


@given(labellings(min_size=1), st.data())
def test_reweighted(labelling: Labelling, data: st.DataObject) -> None:
    size = len(labelling.weights)
    weights = data.draw(st.lists(finite, min_size=size, max_size=size))
    reweighted = labelling.reweighted(weights)
    assert reweighted.weights.tolist() == weights
    assert reweighted.columns == labelling.columns
    assert reweighted.reweighted(labelling.weights) == labelling
    with pytest.raises(ValueError, match="entries but weights of shape"):
        labelling.reweighted([*weights, 1])


def test_reweighted_keeps_no_hold_on_what_it_was_given(labelling: Labelling) -> None:
    weights = np.ones(5)
    reweighted = labelling.reweighted(weights)
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
    there = {sense: sense.upper() for sense in SENSES}
    back = {new: sense for sense, new in there.items()}
    renamed = labelling.renamed(there)
    assert {sense for _, sense in renamed.columns} <= set(back)
    assert as_rows(renamed.renamed(back)) == as_rows(labelling)
    assert renamed == labelling.renamed(str.upper)


@given(labellings())
def test_names_that_are_not_in_the_mapping_stay(labelling: Labelling) -> None:
    assert as_rows(labelling.renamed({})) == as_rows(labelling)
    assert labelling.renamed({"nobody": "somebody"}) == labelling


@given(labellings())
def test_swapping_two_names(labelling: Labelling) -> None:
    swap = {"a": "b", "b": "a"}
    assert labelling.renamed(swap).renamed(swap) == labelling


@given(labellings())
def test_merging(labelling: Labelling) -> None:
    coarse = {"a": "A", "b": "A", "c": "C", "d": "C"}
    largest, total = labelling.renamed(coarse, merge=max), labelling.renamed(coarse, merge=lambda a, b: a + b)
    for usage, senses in labelling.items():
        groups = {new: [weight for sense, weight in senses.items() if coarse[sense] == new] for new in ("A", "C")}
        assert largest[usage] == {new: max(weights) for new, weights in groups.items() if weights}
        assert total[usage] == pytest.approx({new: sum(weights) for new, weights in groups.items() if weights})
    assert is_consistent(largest)


def test_merging_must_be_asked_for() -> None:
    labelling = Labelling([("x", "u1", {"a": 1, "b": 1})])
    with pytest.raises(ValueError, match="usage 'u1': two senses become 'c'; say how to merge them"):
        labelling.renamed(lambda _: "c")


# -- listed zeros --------------------------------------------------------------------------------------------------


@given(labellings(weights=st.just(0.0)))
def test_listed_zeros_are_kept_everywhere(labelling: Labelling) -> None:
    size = len(labelling.weights)
    same = [
        labelling.normalised("sum"),
        labelling.normalised("max"),
        labelling | labelling,
        labelling.restrict(labelling),
    ]
    same += [Labelling(labelling.rows()), labelling.renamed({}), labelling.reweighted(labelling.weights)]
    assert all(len(each.weights) == size and each == labelling for each in same)
    assert labelling.matrix.nnz == size
    assert len(labelling.top().weights) == len(labelling)
    assert sum(len(labelling.of(lemma).weights) for lemma in labelling.lemmas) == size


@given(st.dictionaries(names, st.dictionaries(names, finite, min_size=1, max_size=3), max_size=5), names)
def test_from_dict_loses_nothing(senses: dict[str, dict[str, float]], lemma: str) -> None:
    assert dict(Labelling.from_dict(senses, lemma=lemma)) == senses

"""Labellings: a value that cannot be changed, a mapping outside and a sparse matrix inside."""

import copy
import math
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.labelling import Labelling
from strategies import LEMMAS, ROWS, SENSES, any_labellings, as_dict, as_rows, finite, is_consistent, labellings, names


@pytest.fixture
def labelling() -> Labelling:
    return Labelling(ROWS)


# -- making one ----------------------------------------------------------------------------------------------------


def test_fields_are_read(labelling: Labelling) -> None:
    assert labelling.usages == ("win.v.1", "add.v.1", "win.v.2")
    assert labelling.lemmas == ("win.v", "add.v")
    assert labelling.columns == (("win.v", "a"), ("win.v", "b"), ("add.v", "a"), ("win.v", "c"))
    assert labelling.row_lemmas.tolist() == [0, 1, 0]
    assert labelling.indptr.tolist() == [0, 2, 3, 5]
    assert labelling.indices.tolist() == [0, 1, 2, 3, 0]
    assert labelling.weights.tolist() == [0.6, 0.4, 0.0, 1.0, 0.0]
    assert repr(labelling) == "<Labelling of 3 usages of 2 lemmas with 4 senses>"


def test_an_empty_file_is_handled() -> None:
    empty = Labelling()
    assert len(empty) == 0
    assert dict(empty) == {}
    assert empty == empty.top() == empty.single() == empty.normalise("sum") == empty | empty == empty.for_lemma("x")
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
def test_from_dict_takes_a_lemma_a_mapping_or_a_function(lemma: Any) -> None:
    labelling = Labelling.from_dict({"u1": {"a": 1}, "u2": {"b": 2}}, lemma=lemma)
    assert as_rows(labelling) == [("win.v", "u1", [("a", 1.0)]), ("win.v", "u2", [("b", 2.0)])]


def test_from_dict_needs_the_lemma_of_each_usage() -> None:
    with pytest.raises(KeyError, match="u2"):
        Labelling.from_dict({"u2": {"b": 2}}, lemma={"u1": "x"})


@given(st.dictionaries(names, st.dictionaries(names, finite, min_size=1, max_size=3), max_size=5), names)
def test_from_dict_loses_nothing(senses: dict[str, dict[str, float]], lemma: str) -> None:
    assert dict(Labelling.from_dict(senses, lemma=lemma)) == senses


@given(st.lists(st.integers(0, 3)))
def test_hard_labels_become_senses_of_weight_one(labels: list[int]) -> None:
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
    rebuilt = Labelling.from_arrays(
        [usage for _, usage, _ in rows],
        [lemma for lemma, _, _ in rows],
        [len(senses) for _, _, senses in rows],
        [sense for _, _, senses in rows for sense in senses],
        [weight for _, _, senses in rows for weight in senses.values()],
    )
    assert as_rows(rebuilt) == as_rows(labelling)
    assert rebuilt.columns == labelling.columns
    assert is_consistent(rebuilt)


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
    copies = (
        labelling,
        labelling.top(),
        labelling.single(),
        labelling.normalise("sum"),
        labelling.for_lemma(labelling.lemmas[0]),
    )
    for derived in copies:
        for array in (derived.weights, derived.indices, derived.indptr, derived.row_lemmas):
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
    duplicate = copied(labelling)
    assert as_rows(duplicate) == as_rows(labelling)
    assert not duplicate.weights.flags.writeable


# -- reading -------------------------------------------------------------------------------------------------------


@given(any_labellings)
def test_reads_like_a_mapping(labelling: Labelling) -> None:
    plain = as_dict(labelling)
    assert len(labelling) == len(plain)
    assert list(labelling) == list(labelling.usages) == list(plain)
    assert dict(labelling) == {usage: senses for usage, (_, senses) in plain.items()}
    assert all(labelling.lemma(usage) == lemma for usage, (lemma, _) in plain.items())
    assert labelling.row_numbers(plain).tolist() == list(range(len(plain)))
    assert is_consistent(labelling)


def test_usage_that_is_not_there(labelling: Labelling) -> None:
    assert "win.v.9" not in labelling
    assert labelling.row_numbers(["win.v.9"]).tolist() == [-1]
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

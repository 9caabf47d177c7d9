"""What people have in memory is taken, and goes back: dictionaries, data frames, tables of other libraries."""

import copy
import dataclasses
import pickle
from typing import Any

import pytest

import polyseme as ps
from polyseme.conversion import as_inventory, as_labelling, as_ratings, as_usages, usages_to_frame
from polyseme.parts import parts_by_name

pd = pytest.importorskip("pandas", reason="pandas is not installed: pip install 'polyseme[frames]'")

LABELLING = ps.Labelling([("win.v", "win.v.1", {"a": 0.6, "b": 0.4}), ("ask.v", "ask.v.1", {"a": 1.0})])
USAGE = ps.Usage("win.v.1", "win.v", "We won.", 3, 6, "v", {"year": 1999})
INVENTORY = ps.Inventory([ps.Sense("a", "win.v", "be first", ("prevail",)), ps.Sense("b", "win.v", usages=(USAGE,))])
RATINGS = ps.Ratings(
    [
        ps.Rating("ann", "WSsim", "win.v", "win.v.1", "a", 5),
        ps.Rating("bob", "WSsim", "win.v", "win.v.1", "a", float("nan")),
    ]
)
SENTENCE = ps.Sentence.from_words("s1", ["Banks", "lend"], lemmas=["bank", "lend"], pos="nv", meta={"year": "1999"})
SCORES = ps.Scores.from_units("Jaccard()", ["u1", "u2"], ["x", "x"], [0.5, 1.0])
VALUES: list[Any] = [LABELLING, USAGE, INVENTORY, RATINGS, SENTENCE, SCORES, ps.UsagePair("x", "1", "2", 0.5)]


class Dataset:
    """A table with the methods of a Hugging Face data set."""

    column_names = ("usage", "sense", "weight")

    def __iter__(self) -> Any:
        return iter(
            [{"usage": "win.v.1", "sense": "a", "weight": 0.6}, {"usage": "win.v.1", "sense": "b", "weight": 0.4}]
        )

    def __getitem__(self, row: int) -> Any:
        return list(self)[row]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_values_are_pickled_copied_and_compared(value: Any) -> None:
    for other in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value), copy.copy(value)):
        assert other == value
        assert type(other) is type(value)


@pytest.mark.parametrize("name", sorted(parts_by_name()))
def test_parts_are_pickled_copied_and_compared(name: str) -> None:
    part_class = parts_by_name()[name]
    options = [field for field in dataclasses.fields(part_class) if field.default is dataclasses.MISSING]
    if any(field.default_factory is dataclasses.MISSING for field in options):
        pytest.skip(f"{name} has an option without a default")
    part = part_class()
    assert pickle.loads(pickle.dumps(part)) == part == copy.deepcopy(part)


@pytest.mark.parametrize("value", [LABELLING, INVENTORY, RATINGS], ids=lambda value: type(value).__name__)
def test_values_become_frames_and_come_back(value: Any) -> None:
    assert type(value).from_frame(value.to_frame()) == value


def test_dictionaries_become_labellings() -> None:
    assert as_labelling(LABELLING.to_dict()) == LABELLING
    assert as_labelling({"win.v.1": "a", "win.v.2": ["a", "b"]}).to_dict() == {
        "win.v.1": {"a": 1},
        "win.v.2": {"a": 1, "b": 1},
    }
    assert as_labelling({"u1": {"a": 1}, "u2": {"b": 1}}).lemmas == ("word",)


def test_tables_of_other_libraries_become_labellings() -> None:
    import pyarrow as pa

    rows = LABELLING.to_records()
    assert as_labelling(pa.Table.from_pylist(rows)) == as_labelling(rows) == LABELLING
    assert as_labelling(Dataset()).to_dict() == {"win.v.1": {"a": 0.6, "b": 0.4}}


def test_usages_are_rows_of_a_frame() -> None:
    assert dataclasses.asdict(USAGE)["meta"] == {"year": 1999}
    assert list(pd.DataFrame([USAGE]).columns) == ["id", "lemma", "text", "start", "end", "pos", "meta"]
    (usage,) = as_usages(usages_to_frame([USAGE]))
    assert (usage, dict(usage.meta)) == (USAGE, {"year": 1999})
    assert as_usages([{"id": "win.v.1", "lemma": "win.v", "text": "We won."}])[0].target == "won"
    assert as_usages([USAGE]) == as_usages(USAGE) == as_usages(pd.DataFrame([USAGE])) == [USAGE]


def test_tables_become_ratings_and_senses() -> None:
    assert as_ratings(RATINGS.to_records()) == as_ratings(RATINGS) == RATINGS
    assert as_inventory([{"id": "a", "lemma": "win.v", "gloss": "be first"}])["win.v"][0].gloss == "be first"


def test_measures_take_dictionaries_and_frames() -> None:
    gold, system = {"u1": {"a": 1}}, {"u1": {"a": 0.5, "b": 0.5}}
    jaccard: Any = ps.Jaccard()
    assert jaccard(gold, system).total()["f1"] == 0.5
    assert jaccard(as_labelling(gold).to_frame(), system) == jaccard(as_labelling(gold), as_labelling(system))


@pytest.mark.parametrize(
    "convert, value, message",
    [
        (as_labelling, {"u1": {"a": "heavy"}}, "usage 'u1': weight 'heavy' is not a number"),
        (as_labelling, {"u1": {"a": -1}}, "weight -1 is not a number of at least 0"),
        (as_labelling, {"u1": 3}, "usage 'u1' has 3; give its senses"),
        (as_labelling, 3, "3 is not a table of a labelling"),
        (as_labelling, [{"usage": "u1"}], "needs the columns usage, sense"),
        (as_ratings, [{"annotator": "ann"}], "'task', 'lemma', 'usage', 'target' is missing"),
        (
            as_usages,
            [{"id": "1", "lemma": "x", "text": "x", "start": 0, "end": 5}],
            "row 1 of the table is not a usage",
        ),
        (as_usages, ["text"], "'text' is not a usage"),
    ],
)
def test_what_cannot_be_converted_is_refused(convert: Any, value: Any, message: str) -> None:
    with pytest.raises(ps.InputError, match=message):
        convert(value)


def test_scores_print_briefly() -> None:
    assert repr(SCORES) == "<Scores of Jaccard(): precision 0.750, recall 0.750, f1 0.750 over 2 usages>"
    assert list(SCORES.to_frame()["f1"]) == [0.5, 1.0]

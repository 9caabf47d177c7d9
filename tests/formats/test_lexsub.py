"""LexSub gold files and candidates."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.errors import InputError
from polyseme.formats import read_inventory, read_labelling
from polyseme.formats.files import Blob
from polyseme.formats.lexsub import read_lexsub_candidates, read_lexsub_gold, write_lexsub_candidates, write_lexsub_gold
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling
from strategies import any_labellings, as_rows, attempt, labellings

GOLD = b"bright.a 1 :: clever 3;quick on the uptake 1;\nbright.a 2 :: \nday.n 3 :: time 2\n"
substitutes = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"], exclude_characters=";"), min_size=1)
counted = labellings(senses=substitutes, weights=st.integers(0, 9).map(float))


def test_substitutes_with_their_counts() -> None:
    labelling = read_lexsub_gold(Blob("a.gold", GOLD))
    assert as_rows(labelling) == [
        ("bright.a", "bright.a.1", [("clever", 3.0), ("quick on the uptake", 1.0)]),
        ("day.n", "day.n.3", [("time", 2.0)]),
    ]


def test_counts_of_what_differs_in_white_space_are_added() -> None:
    assert read_lexsub_gold(Blob("a.gold", b"day.n 3 :: time  1;hour 1; time 2;\n"))["day.n.3"] == {
        "time": 3.0,
        "hour": 1.0,
    }


def test_a_first_line_of_blanks_hides_no_gold_file(tmp_path: Path) -> None:
    (tmp_path / "counts").write_bytes(b" \t\n" + GOLD)
    assert as_rows(read_labelling(tmp_path / "counts")) == as_rows(read_lexsub_gold(Blob("a.gold", GOLD)))


@pytest.mark.parametrize(
    "text, message",
    [
        (
            b"day.n three :: time 1;\n",
            "a.gold:1: 'day.n three :: time 1;' is not a line of substitutes. A gold line reads",
        ),
        (b"day.n 1 :: time;\n", "a.gold:1: 'time' is not a substitute with its count"),
        (b"day.n 1 :: time o1;\n", "a.gold:1: 'time o1' is not a substitute with its count"),
        (b"day.n 1 :: time 1;;hour 1;\n", "a.gold:1: '' is not a substitute with its count"),
        (b"day.n 1 :: a 1;\n\nday.n 1 :: b 1;\n", "a.gold:3: usage 'day.n.1' is given in line 1 already"),
        (b"day.n 1 :: a 1;\nday.n 2 :: h\xe9 1;\n", "a.gold:2: byte 0xe9 in column 13 is not UTF-8"),
        (b"day.n 1 :: a 1;\nday.n 2", "a.gold:2: 'day.n 2' is not a line of substitutes"),
    ],
)
def test_what_cannot_be_read(text: bytes, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_lexsub_gold(Blob("a.gold", text))
    assert str(caught.value).startswith(message)


@given(labelling=counted)
def test_written_values_are_read_back_unchanged(labelling: Labelling, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("gold") / "out.gold"
    write_lexsub_gold(labelling, path)
    assert as_rows(read_lexsub_gold(path)) == as_rows(labelling)


@given(labelling=any_labellings)
def test_anything_is_kept_or_refused(labelling: Labelling, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("gold") / "out.gold"
    if not isinstance(attempt(lambda: write_lexsub_gold(labelling, path)), InputError):
        assert as_rows(read_lexsub_gold(path)) == as_rows(labelling)


@pytest.mark.parametrize(
    "usage, senses, message",
    [
        ("u1", {"a": 1}, "the usage 'u1' of 'x.n' is not called after its lemma and a number"),
        ("x.n.1", {"a": 0.5}, "usage 'x.n.1' has a substitute with the weight 0.5; gold files hold whole counts"),
        ("x.n.1", {"a;b": 1}, "the substitute 'a;b' cannot stand in a file of substitutes"),
        ("x.n.1", {"a  b": 1}, "the substitute 'a  b' cannot stand"),
    ],
)
def test_what_cannot_be_written(usage: str, senses: dict[str, float], message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        write_lexsub_gold(Labelling([("x.n", usage, senses)]), tmp_path / "out.gold")
    assert not list(tmp_path.iterdir())


def test_candidates(tmp_path: Path) -> None:
    inventory = read_lexsub_candidates(
        Blob("a.candidates", b"bright.a::clever;quick on the uptake;clever \nday.n::time\n")
    )
    assert [sense.id for sense in inventory["bright.a"]] == ["clever", "quick on the uptake"]
    write_lexsub_candidates(inventory, tmp_path / "out.candidates")
    assert (tmp_path / "out.candidates").read_text() == "bright.a::clever;quick on the uptake\nday.n::time\n"


@pytest.mark.parametrize(
    "text, message",
    [
        (b"bright.a clever\n", "is not a line of candidates. A line of candidates reads"),
        (b"bright.a::a;;b\n", "is not a line of candidates"),
        (b"bright.a::a\nbright.a::b\n", "a:2: lemma 'bright.a' is given in line 1 already"),
    ],
)
def test_candidates_that_cannot_be_read(text: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_lexsub_candidates(Blob("a", text))


def test_a_candidate_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the lemma 'x y' cannot stand"):
        write_lexsub_candidates(Inventory([Sense("a", "x y")]), tmp_path / "out.candidates")


def test_the_published_data_set_is_read(data: Path, tmp_path: Path) -> None:
    """Of the 2,010 sentences 7 have no line."""
    trial, test = (read_labelling(data / "lexsub" / f"lst_{name}.gold") for name in ("trial", "test"))
    assert (len(trial), len(test), len((trial | test).lemmas)) == (300, 1703, 205)
    for labelling in (trial, test):
        write_lexsub_gold(labelling, tmp_path / "out.gold")
        assert as_rows(read_labelling(tmp_path / "out.gold")) == as_rows(labelling)
    candidates = read_inventory(data / "lexsub" / "lst.gold.candidates")
    assert len(candidates) == 201
    write_lexsub_candidates(candidates, tmp_path / "out.candidates")
    assert read_inventory(tmp_path / "out.candidates") == candidates

"""UKB's relations and dictionaries."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.errors import InputError
from polyseme.formats.files import Blob
from polyseme.formats.ukb import UkbRelation, read_ukb_dictionary, read_ukb_relations
from strategies import attempt


def relations(text: str) -> list[UkbRelation]:
    return list(read_ukb_relations(Blob("wn.txt", text.encode())))


def test_fields_may_be_left_out_and_in_any_order() -> None:
    text = "# wordnet\nu:1-n v:2-n\n\nt:part w:2.5 v:3-n s:a s:b d:0 u:2-n\nu:x:1 v:y d:1\n"
    assert relations(text) == [
        UkbRelation("1-n", "2-n"),
        UkbRelation("2-n", "3-n", "part", False, 2.5),
        UkbRelation("x:1", "y", "", True, 1.0),
    ]


@pytest.mark.parametrize(
    "line, message",
    [
        ("u:1-n", "v: is missing"),
        ("v:1-n w:1", "u: is missing"),
        ("u:1 v:2 w:much", "the weight 'much' is not a number"),
        ("u:1 v:2 w:-1", "the weight '-1' is not 0 or more"),
        ("u:1 v:2 w:nan", "the weight 'nan' is not 0 or more"),
        ("u:1 v:2 d:yes", "d:yes is neither d:0 nor d:1"),
        ("u:1 v:2 v:3", "it has v: twice"),
        ("u:1 v:2 then", "'then' is none of its fields"),
        ("u:1 v: ", "'v:' is none of its fields"),
    ],
)
def test_a_wrong_relation_is_named_with_its_line(line: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        relations(f"u:1 v:2\n{line}\n")
    assert str(error.value) == f"wn.txt:2: {message}. A line reads: u:ID v:ID [t:TYPE] [s:SOURCE] [d:0|1] [w:WEIGHT]"


def test_a_dictionary() -> None:
    data = b"bank 1-n:25 2-n:20\n# no entry\nriver 3-n\nbank 4-v 1-n:5\n"
    assert read_ukb_dictionary(Blob("dict.txt", data)) == {
        "bank": {"1-n": 30.0, "2-n": 20.0, "4-v": 1.0},
        "river": {"3-n": 1.0},
    }


@pytest.mark.parametrize(
    "line, message",
    [
        (b"bank", "'bank' has no concept"),
        (b"bank 1-n:", "the weight '' is not a number"),
        (b"bank 1-n:x", "the weight 'x' is not a number"),
        (b"bank 1-n:inf", "the weight 'inf' is not 0 or more"),
    ],
)
def test_a_wrong_entry_is_named_with_its_line(line: bytes, message: str) -> None:
    with pytest.raises(InputError) as error:
        read_ukb_dictionary(Blob("dict.txt", b"river 3-n\n\n" + line))
    assert str(error.value) == f"dict.txt:3: {message}. A line reads: lemma ID:weight ID:weight …"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        next(read_ukb_relations(tmp_path / "wn.txt"))


@given(st.binary())
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    attempt(lambda: list(read_ukb_relations(Blob("wn.txt", data))))
    attempt(lambda: read_ukb_dictionary(Blob("dict.txt", data)))

"""Tables of tokens."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from polyseme.errors import InputError
from polyseme.formats import read_sentences
from polyseme.formats.files import write_bytes
from polyseme.sentence import Sentence

NAN = float("nan")


def read(folder: Path, columns: dict[str, list[object]]) -> list[Sentence]:
    pq.write_table(pa.table(columns), folder / "a.parquet")
    return list(read_sentences(folder / "a.parquet"))


@pytest.mark.parametrize(
    "name, value, problem",
    [
        ("pos", 1, "pos 1 in sentence 1 is not text"),
        ("upos", 1.5, "pos 1.5 in sentence 1 is not text"),
        ("tag", 3, "tag 3 in sentence 1 is not text"),
        ("lemma", True, "lemma True in sentence 1 is not text"),
        ("deprel", 3, "relation 3 in sentence 1 is not text"),
        ("head", True, "head True in sentence 1 is not a number from 0"),
        ("head", 0.5, "head 0.5 in sentence 1 is not a number from 0"),
        ("head", float("inf"), "head inf in sentence 1 is not a number from 0"),
        ("head", "1", "head '1' in sentence 1 is not a number from 0"),
        ("head", -1, "head -1 in sentence 1 is not a number from 0"),
        ("form", 7, "form 7 in sentence 1 is not a word"),
    ],
)
def test_columns_of_another_kind(tmp_path: Path, name: str, value: object, problem: str) -> None:
    with pytest.raises(InputError, match=rf"a\.parquet: {problem}"):
        read(tmp_path, {"form": ["We"], "sentence": [1], name: [value]})


def test_what_pandas_makes_of_missing_values(tmp_path: Path) -> None:
    columns: dict[str, list[object]] = {
        "form": ["We", "won", "!"],
        "sentence": [1.0, 1.0, NAN],
        "head": [2.0, 0.0, NAN],
        "lemma": [NAN, NAN, NAN],
        "tag": [None, "VBD", None],
        "space_after": [None, False, None],
        "year": [NAN, NAN, 1900.0],
    }
    first, second = read(tmp_path, columns)
    assert [token.head for token in (*first.tokens, *second.tokens)] == [2, 0, None]
    assert [(token.lemma, token.pos) for token in first.tokens] == [("", ""), ("", "v")]
    assert (first.text, dict(first.meta), dict(second.meta)) == ("We won", {}, {"year": "1900.0"})


def test_blanks(tmp_path: Path) -> None:
    columns: dict[str, list[object]] = {"form": ["a", "b", "c", "d"], "sentence": [1] * 4}
    (sentence,) = read(tmp_path, columns | {"space_after": [None, False, True, None]})
    assert sentence.text == "a bc d"


def test_a_compressed_table(tmp_path: Path) -> None:
    sentences = read(tmp_path, {"form": ["We", "won"], "sentence": [1, 1]})
    write_bytes(tmp_path / "b.parquet.gz", (tmp_path / "a.parquet").read_bytes())
    assert list(read_sentences(tmp_path / "b.parquet.gz")) == sentences

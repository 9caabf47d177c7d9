"""Labellings as Parquet, and labellings in whatever format they come."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.errors import InputError, InputWarning
from polyseme.formats import read_labelling, write_labelling
from polyseme.formats.answer_key import format_key, parse_key
from polyseme.formats.compression import COMPRESSIONS
from polyseme.formats.labelling_jsonl import format_labelling_jsonl, parse_labelling_jsonl
from polyseme.formats.labelling_parquet import (
    format_labelling_parquet,
    parse_labelling_parquet,
    read_labelling_parquet,
    write_labelling_parquet,
)
from polyseme.labelling import Labelling
from strategies import any_labellings, as_rows, attempt, key_labellings

LABELLING = Labelling([("x", "u 1", {"b": 0.1, "a": 0}), ("ÿ", "u2", {"a": 3}), ("x", "u3", {"a": 1 / 3})])


def table(**columns: Any) -> dict[str, Any]:
    """The columns of a good table of two rows, some of them replaced; ``None`` leaves one out."""
    good = {"usage": ["u1", "u1"], "lemma": ["x", "x"], "sense": ["a", "b"], "weight": [0.5, 1.0]}
    return {name: column for name, column in {**good, **columns}.items() if column is not None}


def as_parquet(columns: Mapping[str, Any], **options: Any) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(dict(columns)), sink, **options)
    return bytes(sink.getvalue())


def problem(data: bytes) -> str:
    """What is said about a file that cannot be read."""
    with pytest.raises(InputError) as caught:
        parse_labelling_parquet(data, "out.parquet")
    return str(caught.value)


# -- Parquet -------------------------------------------------------------------------------------------------------


@given(any_labellings)
def test_written_values_are_read_back_unchanged(labelling: Labelling) -> None:
    again = parse_labelling_parquet(format_labelling_parquet(labelling))
    assert as_rows(again) == as_rows(labelling.heaviest_first())
    assert again.columns == labelling.heaviest_first().columns


@given(any_labellings)
def test_the_same_bytes_every_time(labelling: Labelling) -> None:
    assert format_labelling_parquet(labelling) == format_labelling_parquet(Labelling(labelling.rows()))


def test_what_other_programs_see(tmp_path: Path) -> None:
    write_labelling_parquet(LABELLING, tmp_path / "out.parquet")
    table = pq.read_table(tmp_path / "out.parquet")
    assert table.to_pydict() == {
        "usage": ["u 1", "u 1", "u2", "u3"],
        "lemma": ["x", "x", "ÿ", "x"],
        "sense": ["b", "a", "a", "a"],
        "weight": [0.1, 0.0, 3.0, 1 / 3],
    }
    assert [isinstance(field.type, pa.DictionaryType) for field in table.schema] == [True, True, True, False]
    metadata = pq.read_metadata(tmp_path / "out.parquet").row_group(0)
    assert [metadata.column(column).compression for column in range(4)] == ["ZSTD"] * 4
    assert read_labelling_parquet(tmp_path / "out.parquet") == LABELLING


@pytest.mark.parametrize(
    "kind", [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())]
)
@pytest.mark.parametrize("number", [pa.float64(), pa.float32(), pa.int64(), pa.uint8(), pa.decimal128(25, 2)])
def test_tables_of_other_programs(kind: Any, number: Any) -> None:
    columns = {
        "note": pa.array([None] * 4),
        "weight": pa.array([1, 0, 2, 3]).cast(number),
        "sense": pa.array(["b", "a", "a", "c"]).cast(kind),
        "usage": pa.array(["u2", "u1", "u2", "u1"]).cast(kind),
        "lemma": pa.array(["x", "y", "x", "y"]).cast(kind),
    }
    labelling = parse_labelling_parquet(as_parquet(columns, row_group_size=1))
    assert as_rows(labelling) == [("x", "u2", [("b", 1.0), ("a", 2.0)]), ("y", "u1", [("a", 0.0), ("c", 3.0)])]


@pytest.mark.parametrize(
    "columns, message",
    [
        (
            table(sense=None),
            "the table has the columns 'usage', 'lemma', 'weight'; needed are usage, lemma, sense, weight",
        ),
        (table(weight=["a", "b"]), "the column weight holds 'string', not numbers"),
        (table(weight=[0.5, None]), "the column weight is empty in row 2; every row needs a value"),
        (table(lemma=[None, "x"]), "the column lemma is empty in row 1; every row needs a value"),
        (table(usage=[1, 2]), "the column usage holds 'int64'; it must hold text"),
        (table(sense=[["a"], ["b"]]), "the column sense holds 'list"),
        (table(weight=[0.5, -1.0]), "weight -1.0 in row 2 is not a finite number, 0 or more"),
        (table(weight=[math.nan, 1.0]), "weight nan in row 1 is not a finite number, 0 or more"),
        (table(weight=[0.5, math.inf]), "weight inf in row 2 is not a finite number, 0 or more"),
        (table(weight=[2**60 + 1, 1]), "the column weight holds 'int64', not numbers"),
        (table(lemma=["x", "y"]), "usage 'u1' belongs to 'x' and to 'y'; a usage has one lemma"),
        (table(sense=["a", "a"]), "usage 'u1' has the sense 'a' twice"),
        ({"a" * 1000: [1]}, "the table has the columns 'aaa"),
    ],
)
def test_faults_are_errors_with_their_cause(columns: dict[str, Any], message: str) -> None:
    error = problem(as_parquet(columns))
    assert error.startswith(f"out.parquet: {message}")
    assert len(error) < 600


def test_text_that_is_not_utf8() -> None:
    broken = pa.array([b"\xff", b"b"]).view(pa.string())
    assert problem(as_parquet(table(sense=broken))) == "out.parquet: the column sense holds text that is not UTF-8"


def test_column_that_is_there_twice() -> None:
    sink = pa.BufferOutputStream()
    names = ["usage", "usage", "lemma", "sense", "weight"]
    pq.write_table(pa.table([["u1"], ["u2"], ["x"], ["a"], [1.0]], names=names), sink)
    assert "needed are usage, lemma, sense, weight, once each" in problem(bytes(sink.getvalue()))


@pytest.mark.parametrize("data", [b"", b"PAR1", b"x u1 a/1\n", b"PAR1\0\0\0\0PAR1", b"PAR1" + bytes(100) + b"PAR1"])
def test_a_file_that_is_not_parquet_is_an_error(data: bytes) -> None:
    assert problem(data) == "out.parquet: this is not a Parquet file, or it is damaged or cut short; copy it again"


def test_a_file_cut_anywhere_is_an_error() -> None:
    whole = format_labelling_parquet(LABELLING)
    for end in range(0, len(whole), 7):
        assert "damaged or cut short" in problem(whole[:end])


@given(st.data())
def test_a_changed_byte_is_an_error_or_means_nothing(data: st.DataObject) -> None:
    pages = len(format_labelling_parquet(LABELLING)) // 4  # where the data is, each page with its checksum
    whole = bytearray(format_labelling_parquet(LABELLING))
    whole[data.draw(st.integers(0, pages))] ^= data.draw(st.integers(1, 255))
    outcome = attempt(lambda: parse_labelling_parquet(bytes(whole)))
    assert str(outcome).startswith("parquet: ") if isinstance(outcome, InputError) else outcome == LABELLING


def test_half_a_character_is_refused() -> None:
    with pytest.raises(
        InputError, match=r"'a\\ud800' holds half a character; Parquet cannot hold it: write JSON Lines"
    ):
        format_labelling_parquet(Labelling([("x", "u1", {"b": 1, "a\ud800": 1})]))


# -- any format ----------------------------------------------------------------------------------------------------

NAMES = ["out.key", "out.txt", "out", "out.jsonl", "out.ndjson", "out.parquet"]


@pytest.mark.parametrize("compressed", ["", *COMPRESSIONS])
@pytest.mark.parametrize("name", NAMES)
def test_written_by_suffix_and_read_by_content(name: str, compressed: str, tmp_path: Path) -> None:
    labelling = LABELLING.restrict(["u2", "u3"])
    path = tmp_path / (name + compressed)
    write_labelling(labelling, path)
    assert as_rows(read_labelling(path)) == as_rows(labelling.heaviest_first())
    path.rename(tmp_path / "renamed.doc")
    assert read_labelling(tmp_path / "renamed.doc") == labelling


@given(key_labellings)
def test_all_formats_agree(labelling: Labelling) -> None:
    assert (
        as_rows(parse_labelling_parquet(format_labelling_parquet(labelling)))
        == as_rows(parse_labelling_jsonl(format_labelling_jsonl(labelling).encode()))
        == as_rows(parse_key(format_key(labelling).encode()))
    )


@pytest.mark.parametrize("start", [b"", b"\n \n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
def test_json_lines_are_known_by_their_first_character(start: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(start + format_labelling_jsonl(LABELLING).encode())
    assert read_labelling(path) == LABELLING


def test_a_lemma_that_begins_like_parquet(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("PAR1 u1 a/1\n")
    assert dict(read_labelling(path)) == {"u1": {"a": 1.0}}


def test_loading_rules_are_for_keys(tmp_path: Path) -> None:
    labelling = Labelling([("x", "u1", {"a": 2, "b": 4})])
    for name in ("out.key", "out.jsonl", "out.parquet"):
        write_labelling(labelling, tmp_path / name)
    assert read_labelling(tmp_path / "out.key", "semeval-2013")["u1"] == {"a": 0.5, "b": 1.0}
    assert read_labelling(tmp_path / "out.jsonl", "semeval-2013") == labelling
    assert read_labelling(tmp_path / "out.parquet", "semeval-2013") == labelling


def test_warnings_and_errors_name_the_file(tmp_path: Path) -> None:
    key, lines = tmp_path / "out.key", tmp_path / "out.jsonl"
    key.write_text("x u1\n")
    lines.write_text("{}\n")
    with pytest.warns(InputWarning, match=r"out\.key: 1 line names no sense"):
        assert read_labelling(key) == Labelling()
    with pytest.raises(InputError, match=r"out\.jsonl:1: the object lacks"):
        read_labelling(lines)


@pytest.mark.parametrize("name", ["out.csv", "out.csv.gz", "out.2013"])
def test_suffix_that_names_no_format(name: str, tmp_path: Path) -> None:
    allowed = r"names no format in which a labelling can be written; allowed are answer-key \(\.key, \.txt\)"
    with pytest.raises(InputError, match=allowed):
        write_labelling(LABELLING, tmp_path / name)
    assert list(tmp_path.iterdir()) == []

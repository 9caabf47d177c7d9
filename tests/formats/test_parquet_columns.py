"""Parquet files that numpy writes: other programs read them, they come back unchanged, and damage is noticed."""

import contextlib
import itertools
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.column_table import ColumnTable, NumberColumn, TextColumn
from polyseme.errors import MissingExtra
from polyseme.formats import parquet_columns
from polyseme.formats.parquet_columns import CREATOR, MAGIC, format_columns, parse_columns, read_columns
from polyseme.formats.thrift import BINARY, encode_struct

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed; type: pip install 'polyseme[arrow]'")
pq = pytest.importorskip("pyarrow.parquet")

CREATOR_FIELD = encode_struct({6: (BINARY, CREATOR)})
INTEGERS = st.integers(-(2**31), 2**31 - 1) | st.integers(0, 300)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)


@st.composite
def tables(draw: st.DrawFn) -> ColumnTable:
    rows = draw(st.integers(0, 40))
    numbers = draw(st.lists(st.none() | INTEGERS, min_size=rows, max_size=rows))
    counts = draw(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=rows, max_size=rows))
    edges = draw(st.lists(st.integers(2**63 - 9, 2**63 - 1), min_size=rows, max_size=rows))
    texts = draw(st.lists(st.none() | TEXTS, min_size=rows, max_size=rows))
    repeated = draw(st.lists(st.sampled_from(["bank", "łąka", ""]), min_size=rows, max_size=rows))
    return ColumnTable(
        {
            "number": NumberColumn.from_list(numbers),
            "count": NumberColumn(np.array(counts, np.int64)),
            "edge": NumberColumn(np.array(edges, np.int64)),
            "text": TextColumn.from_list(texts),
            "form": TextColumn.from_list(repeated),
        }
    )


@given(tables(), st.sampled_from([8, 1 << 18]))
def test_tables_come_back_here_and_in_pyarrow(table: ColumnTable, group_size: int) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(parquet_columns, "ROW_GROUP_SIZE", group_size)
        data = format_columns(table)
    assert data == format_columns(table) or group_size == 8
    assert parse_columns(data).to_pylist() == table.to_pylist()
    assert pq.read_table(pa.BufferReader(data)).to_pylist() == table.to_pylist()
    assert parse_columns(data, ["form"]).column_names == ["form"]


@pytest.mark.parametrize("entries", [200, 40_000, 70_000])
def test_dictionaries_of_one_two_and_four_bytes(entries: int) -> None:
    codes = np.random.default_rng(0).integers(0, entries, 3 * entries).astype(np.int32)
    table = ColumnTable(
        {"form": TextColumn([f"w{number}" for number in range(entries)], codes), "word": NumberColumn(codes)}
    )
    data = format_columns(table)
    assert parse_columns(data).to_pylist() == table.to_pylist()
    assert pq.read_table(pa.BufferReader(data)).column("form").to_pylist() == table.column("form").to_pylist()


def test_files_of_other_programs_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {"head": [3, None, 1], "form": ["a", None, "a"]}
    pq.write_table(pa.table(rows), tmp_path / "a.parquet")
    assert read_columns(tmp_path / "a.parquet").to_pylist() == pa.table(rows).to_pylist()
    assert read_columns(tmp_path / "a.parquet", ["head"]).column("head").null_count == 1
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pip install 'polyseme\[arrow\]'"):
        read_columns(tmp_path / "a.parquet")


def test_damage_is_an_error(tmp_path: Path) -> None:
    table = ColumnTable(
        {"word": NumberColumn(np.arange(1000, dtype=np.int32)), "form": TextColumn.from_list(["a"] * 1000)}
    )
    data = format_columns(table)
    with pytest.raises(ValueError, match="there is no column 'tag'"):
        parse_columns(data, ["word", "tag"])
    for end in range(0, len(data), 97):
        with pytest.raises(ValueError, match=r"damaged|cut short"):
            parse_columns(data[:end])
    (tmp_path / "empty.parquet").touch()
    with pytest.raises(ValueError, match="empty"):
        read_columns(tmp_path / "empty.parquet")


def test_damage_never_changes_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_columns, "ROW_GROUP_SIZE", 5)
    table = ColumnTable(
        {
            "head": NumberColumn.from_list([None, 2, 3, None, 5, 6]),
            "count": NumberColumn(np.array([7, 7, 8, 8, 7, 2**40])),
            "form": TextColumn.from_list(["a", "łą", "a", "łą", "a", "a"]),
            "relation": TextColumn.from_list([None, "b", "c", "d", "e", "f"]),
        }
    )
    data, rows = format_columns(table), table.to_pylist()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for place, bit in itertools.product(range(len(data)), (1, 2, 4, 16, 0x80)):
        broken = bytearray(data)
        broken[place] ^= bit
        with contextlib.suppress(ValueError, MissingExtra):
            assert parse_columns(bytes(broken)).to_pylist() == rows, (place, bit)


@given(st.binary(max_size=60))
def test_any_footer_is_read_or_an_error(noise: bytes) -> None:
    for footer in (noise, b"\x1c" * 5000, b"\x15" + b"\xff" * 5000):
        with pytest.raises((ValueError, MissingExtra)):
            parse_columns(MAGIC + footer + CREATOR_FIELD + struct.pack("<I", len(footer + CREATOR_FIELD)) + MAGIC)


def test_files_of_other_programs_name_missing_columns_and_damage(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"head": [3, 1]}), path, write_page_checksum=True)
    with pytest.raises(ValueError, match="there is no column 'tag'"):
        read_columns(path, ["head", "tag"])
    data = bytearray(path.read_bytes())
    for place in range(4, len(data) - 8):
        broken = data.copy()
        broken[place] ^= 0x55
        with contextlib.suppress(ValueError):
            parse_columns(bytes(broken))


WITHOUT_PYARROW = """
import sys
sys.modules.update(dict.fromkeys(["pyarrow", "pandas", "ibis", "duckdb"]))
from polyseme.corpus.analysers import as_analyser
from polyseme.corpus.concordance import find_usages
from polyseme.corpus.cooccurrence import count_cooccurrences
from polyseme.corpus.indexing import build_index

index = build_index(sys.argv[1:2], sys.argv[2], as_analyser("english"), processes=2)
print(len(list(find_usages(index, "bank.n"))), count_cooccurrences(index)["bank.n", "river.n"])
"""


def test_an_index_needs_no_library_of_tables(root: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", WITHOUT_PYARROW, str(root / "examples" / "corpus.jsonl"), str(tmp_path / "i")]
    completed = subprocess.run(command, capture_output=True, text=True, check=False)
    assert completed.stdout.split()[:1] == ["14"], completed.stderr

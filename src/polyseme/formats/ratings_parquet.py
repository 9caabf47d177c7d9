"""Ratings as Parquet, without loss: one judgement a row, with the fields of a rating as columns.

Required are ``annotator``, ``task``, ``lemma``, ``usage``, ``target`` and ``value``. Optional are ``comment``,
``time``, ``round``, ``group``, ``role``, ``order`` and ``milliseconds``. A missing value means that the annotator
could not decide. Other columns are ignored.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from polyseme.errors import InputError
from polyseme.formats.files import Source, write_bytes
from polyseme.formats.json_records import LONE_SURROGATE, RecordError
from polyseme.formats.parquet_files import format_parquet, read_parquet_rows, require_pyarrow
from polyseme.formats.ratings_jsonl import INTEGER_FIELDS, REQUIRED_FIELDS, TEXT_FIELDS, parse_rating, rating_fields
from polyseme.rating import Rating


def read_ratings_parquet(source: Source) -> Iterator[Rating]:
    """Yield the judgements of a file, which may be large; a missing text is empty."""
    for number, row in enumerate(read_parquet_rows(source, REQUIRED_FIELDS), start=1):
        fields = {name: "" if cell is None and name in TEXT_FIELDS else cell for name, cell in row.items()}
        try:
            yield parse_rating(fields)
        except RecordError as error:
            raise InputError(f"row {number}: {error}", path=source) from None


def write_ratings_parquet(ratings: Iterable[Rating], path: str | os.PathLike[str]) -> None:
    """Write a Parquet file whole or not at all; the same judgements always give the same bytes."""
    require_pyarrow()
    import pyarrow as pa

    rows = [rating_fields(rating, path) for rating in ratings]
    types = dict.fromkeys(TEXT_FIELDS, pa.string()) | dict.fromkeys(INTEGER_FIELDS, pa.int64())
    columns = {
        name: _make_column([row[name] for row in rows], types.get(name, pa.float64()), name, path)
        for name in Rating._fields
    }
    write_bytes(path, format_parquet(pa.table(columns), TEXT_FIELDS))


def _make_column(cells: list[Any], column_type: Any, name: str, path: object) -> Any:
    import pyarrow as pa

    try:
        return pa.array(cells, column_type)
    except (pa.ArrowException, UnicodeEncodeError, OverflowError):
        has_half = any(isinstance(cell, str) and LONE_SURROGATE.search(cell) for cell in cells)
        value = "half a character" if has_half else "a number with too many digits"
        problem = f"the column {name} holds {value}; Parquet cannot hold it: write JSON Lines"
        raise InputError(problem, path=path) from None

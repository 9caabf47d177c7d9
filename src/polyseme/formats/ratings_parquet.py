"""Ratings as Parquet, without loss: one judgement a row, the fields of a rating as columns.

``annotator``, ``task``, ``lemma``, ``usage``, ``target`` and ``value`` are needed, ``comment``, ``time``, ``round``,
``group``, ``role``, ``order`` and ``milliseconds`` may be missing. A value that is missing in its row says that the
annotator could not decide. Other columns are not looked at.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from polyseme.errors import InputError
from polyseme.formats.files import Source, write_bytes
from polyseme.formats.json_records import LONE_SURROGATE, RecordError
from polyseme.formats.ratings_jsonl import INTEGER_FIELDS, REQUIRED_FIELDS, TEXT_FIELDS, parse_rating, rating_fields
from polyseme.formats.tokens_parquet import ParquetRow, read_parquet_rows
from polyseme.rating import Rating


def read_ratings_parquet(source: Source) -> Iterator[Rating]:
    """Read judgements one after the other, however large the file is."""
    for number, row in enumerate(read_parquet_rows(source, REQUIRED_FIELDS), start=1):
        try:
            yield parse_rating(_fill_missing_texts(row))
        except RecordError as error:
            raise InputError(f"row {number}: {error}", path=source) from None


def _fill_missing_texts(row: ParquetRow) -> ParquetRow:
    """A text that is missing is empty: so others write what is not there."""
    return {name: "" if cell is None and name in TEXT_FIELDS else cell for name, cell in row.items()}


def format_ratings_parquet(ratings: Iterable[Rating], path: object = None) -> bytes:
    """Judgements as the content of a Parquet file; the same judgements always give the same bytes.

    >>> format_ratings_parquet([Rating("ann", "Usim", "win.v", "1", "2", 4)])[:4]
    b'PAR1'
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [rating_fields(rating, path) for rating in ratings]
    kinds = {
        **dict.fromkeys(TEXT_FIELDS, pa.string()),
        **dict.fromkeys(INTEGER_FIELDS, pa.int64()),
        "value": pa.float64(),
    }
    columns = {name: _make_column([row[name] for row in rows], kinds[name], name, path) for name in Rating._fields}
    sink = pa.BufferOutputStream()
    options: dict[str, Any] = {"compression": "zstd", "use_dictionary": list(TEXT_FIELDS), "write_page_checksum": True}
    pq.write_table(pa.table(columns), sink, **options)
    return bytes(sink.getvalue())


def _make_column(cells: list[Any], kind: Any, name: str, path: object) -> Any:
    import pyarrow as pa

    try:
        return pa.array(cells, kind)
    except (pa.ArrowException, UnicodeEncodeError, OverflowError):
        half = any(isinstance(cell, str) and LONE_SURROGATE.search(cell) for cell in cells)
        problem = "half a character" if half else "a number with too many digits"
        raise InputError(
            f"the column {name} holds {problem}; Parquet cannot hold it: write JSON Lines", path=path
        ) from None


def write_ratings_parquet(ratings: Iterable[Rating], path: str | os.PathLike[str]) -> None:
    """Write a Parquet file whole or not at all."""
    write_bytes(path, format_ratings_parquet(ratings, path))

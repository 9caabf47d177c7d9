"""Opening Parquet files, reading their rows and writing them."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polyseme.errors import InputError, MissingExtra, quote_value
from polyseme.formats.files import Blob, Source, read_bytes

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

COLUMN_ALIASES = {"upos": "pos", "xpos": "tag", "deprel": "relation"}
"""Columns of tokens under their names in CoNLL-U."""

BATCH_ROWS = 1 << 16

ParquetRow = dict[str, Any]


def require_pyarrow() -> None:
    """Check that pyarrow is installed.

    Raises:
        MissingExtra: It is not.
    """
    if importlib.util.find_spec("pyarrow") is None:
        raise MissingExtra("arrow", "pyarrow")


@contextmanager
def open_parquet(source: Source) -> Iterator[pq.ParquetFile]:
    """Open a Parquet file; an uncompressed file on disk is not read into memory."""
    require_pyarrow()
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = str(source) if _is_uncompressed_file(source) else pa.BufferReader(read_bytes(source))
        with pq.ParquetFile(file, page_checksum_verification=True) as parquet:
            yield parquet
    except (pa.ArrowException, OSError, ValueError):
        raise InputError(
            "this is not a Parquet file, or it is damaged or cut short; copy it again", path=source
        ) from None


def _is_uncompressed_file(source: Source) -> bool:
    if isinstance(source, Blob):
        return False
    with Path(source).open("rb") as file:
        return file.read(4) == b"PAR1"


def read_parquet_columns(source: Source) -> list[str]:
    """Return the names of the columns of a Parquet file, with our names for those of CoNLL-U."""
    with open_parquet(source) as file:
        return [COLUMN_ALIASES.get(name, name) for name in file.schema_arrow.names]


def read_parquet_rows(source: Source, required: Sequence[str]) -> Iterator[ParquetRow]:
    """Yield the rows of a Parquet file; only a batch of them is in memory at a time.

    NaN becomes ``None``, because pandas writes missing numbers so.

    Args:
        source: The file.
        required: The columns that must be there.
    """
    names = read_parquet_columns(source)
    check_parquet_columns(names, required, source)
    with open_parquet(source) as file:
        for batch in file.iter_batches(BATCH_ROWS):
            yield from _replace_nan(batch, names).to_pylist()


def check_parquet_columns(names: list[str], required: Sequence[str], source: object) -> None:
    """Raise an error if a column is missing or comes twice."""
    missing = [name for name in required if name not in names]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if missing or twice:
        problem = f"{', '.join(missing)} is not there" if missing else f"{', '.join(twice)} is there twice"
        columns = ", ".join(map(quote_value, names)) or "none"
        raise InputError(f"the table has the columns {columns[:400]}; {problem}", path=source)


def _replace_nan(batch: pa.RecordBatch, names: list[str]) -> pa.RecordBatch:
    import pyarrow as pa
    import pyarrow.compute as pc

    def clean(column: pa.Array[Any]) -> pa.Array[Any]:
        is_floating = pa.types.is_float32(column.type) or pa.types.is_float64(column.type)
        return pc.if_else(pc.is_nan(column), None, column) if is_floating else column

    return pa.RecordBatch.from_arrays([clean(column) for column in batch.columns], names)


def format_parquet(table: pa.Table, dictionaries: Sequence[str]) -> bytes:
    """Return a table as the content of a Parquet file; equal tables give equal bytes.

    Args:
        table: The table.
        dictionaries: The columns to encode with a dictionary.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    options: dict[str, Any] = {"compression": "zstd", "use_dictionary": list(dictionaries), "write_page_checksum": True}
    pq.write_table(table, sink, **options)
    return bytes(sink.getvalue())

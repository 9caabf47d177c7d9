"""Parquet files of integers and texts, written and read with numpy: what an index needs, without a library of its own.

Any program that reads Parquet reads these files. A row group has one page a column, compressed with gzip. Integers of a
small range and repeated texts are numbers of a dictionary, in one, two or four bytes. Files of other programs are read
with pyarrow, the extra ``[arrow]``.

The reason is the size of an installation, which stays below 500 MB: with pyarrow, which takes 176 MB, it does not.
Engines of databases are large as well, and arro3 reads files only with all their columns.
"""

from __future__ import annotations

import mmap
import zlib
from collections.abc import Container, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.column_table import Column, ColumnTable, NumberColumn, TextColumn, concatenate_columns
from polyseme.errors import MissingExtra
from polyseme.formats.thrift import BINARY, I32, I64, LIST, STRUCT, Fields, Reader, encode_struct, encode_varint
from polyseme.packed_strings import PackedStrings

if TYPE_CHECKING:
    from polyseme.arrays import Bools

Content = bytes | mmap.mmap
"""The content of a file, in memory or mapped into it."""

ROW_GROUP_SIZE = 1 << 18
CREATOR = b"polyseme"
MAGIC = b"PAR1"
COMPRESSION_LEVEL = 1
"""On the columns of an index, the default level 6 takes four times as long and saves a tenth."""

_INT32, _INT64, _BYTES = 1, 2, 6
_KINDS: dict[int, np.dtype[Any]] = {_INT32: np.dtype("<i4"), _INT64: np.dtype("<i8")}
_PLAIN, _RLE, _DICTIONARY = 0, 3, 8
_GZIP = 2
_DATA_PAGE, _DICTIONARY_PAGE = 0, 2
_CODE_TYPES: tuple[np.dtype[Any], ...] = (np.dtype("<u1"), np.dtype("<u2"), np.dtype("<i4"))


class _Pages(NamedTuple):
    """The values of a column in a row group: the entries of a dictionary, if there is one, and the data."""

    entries: bytes | None
    entry_count: int
    data: bytes


# -- writing -------------------------------------------------------------------------------------------------------


def format_columns(table: ColumnTable) -> bytes:
    """Format a table as the content of a Parquet file; equal tables give equal bytes.

    >>> parse_columns(format_columns(ColumnTable({"word": NumberColumn(np.array([7, 8], np.int32))}))).to_pylist()
    [{'word': 7}, {'word': 8}]
    """
    parts, size = [MAGIC], len(MAGIC)
    groups = []
    for start in range(0, table.num_rows, ROW_GROUP_SIZE):
        rows = np.arange(start, min(start + ROW_GROUP_SIZE, table.num_rows))
        chunks = []
        for name, column in table.columns.items():
            pages, chunk = _encode_chunk(name, column[rows], column.missing is not None, size)
            parts.append(pages)
            size += len(pages)
            chunks.append(chunk)
        total = sum(chunk[3][1][7][1] for chunk in chunks)
        groups.append({1: (LIST, (STRUCT, chunks)), 2: (I64, total), 3: (I64, len(rows))})
    schema = [{4: (BINARY, b"schema"), 5: (I32, len(table.columns))}, *_describe_columns(table)]
    footer = encode_struct(
        {
            1: (I32, 2),
            2: (LIST, (STRUCT, schema)),
            3: (I64, table.num_rows),
            4: (LIST, (STRUCT, groups)),
            6: (BINARY, CREATOR),
        }
    )
    return b"".join([*parts, footer, len(footer).to_bytes(4, "little"), MAGIC])


def _describe_columns(table: ColumnTable) -> Iterator[Fields]:
    for name, column in table.columns.items():
        field = {
            1: (I32, _physical_type(column)),
            3: (I32, int(column.missing is not None)),
            4: (BINARY, name.encode()),
        }
        yield field | ({6: (I32, 0)} if isinstance(column, TextColumn) else {})  # converted type 0 is UTF-8


def _physical_type(column: Column) -> int:
    if isinstance(column, TextColumn):
        return _BYTES
    return _INT64 if column.values.dtype.itemsize == 8 else _INT32


def _encode_chunk(name: str, column: Column, is_optional: bool, offset: int) -> tuple[bytes, dict[int, Any]]:
    """The pages of a column in a row group, and their description."""
    missing = column.missing
    present = column if missing is None else column[np.flatnonzero(~missing)]
    pages = _encode_texts(present) if isinstance(present, TextColumn) else _encode_numbers(present)
    levels = _encode_levels(missing, len(column)) if is_optional else b""
    encoding = _PLAIN if pages.entries is None else _DICTIONARY
    parts, size = [], 0
    if pages.entries is not None:
        content = {7: (STRUCT, {1: (I32, pages.entry_count), 2: (I32, _PLAIN)})}
        parts.append(_compress_page(_DICTIONARY_PAGE, pages.entries, content))
    content = {5: (STRUCT, {1: (I32, len(column)), 2: (I32, encoding), 3: (I32, _RLE), 4: (I32, _RLE)})}
    parts.append(_compress_page(_DATA_PAGE, levels + pages.data, content))
    size = sum(map(len, parts))
    meta: dict[int, Any] = {
        1: (I32, _physical_type(column)),
        2: (LIST, (I32, [_PLAIN, _RLE, encoding])),
        3: (LIST, (BINARY, [name.encode()])),
        4: (I32, _GZIP),
        5: (I64, len(column)),
        6: (I64, len(levels) + len(pages.data) + len(pages.entries or b"")),
        7: (I64, size),
        9: (I64, offset + size - len(parts[-1])),
    }
    if pages.entries is not None:
        meta[11] = (I64, offset)
    return b"".join(parts), {2: (I64, offset), 3: (STRUCT, meta)}


def _compress_page(kind: int, data: bytes, content: Fields) -> bytes:
    packer = zlib.compressobj(COMPRESSION_LEVEL, wbits=31)
    packed = packer.compress(data) + packer.flush()
    return encode_struct({1: (I32, kind), 2: (I32, len(data)), 3: (I32, len(packed)), **content}) + packed


def _encode_levels(missing: Bools | None, size: int) -> bytes:
    """Which cells have a value, as runs of bits."""
    if missing is None or not missing.any() or missing.all():
        run = encode_varint(size << 1) + bytes([missing is None or not missing.any()])
    else:
        run = encode_varint(-(-size // 8) << 1 | 1) + np.packbits(~missing, bitorder="little").tobytes()
    return len(run).to_bytes(4, "little") + run


def _encode_numbers(column: NumberColumn) -> _Pages:
    """Integers; those of a small range as numbers of a dictionary of the whole range."""
    values = column.values
    kind = _KINDS[_physical_type(column)]
    low, high = (int(values.min()), int(values.max())) if len(values) else (0, 0)
    if not len(values) or high - low >= min(1 << 16, len(values)):
        return _Pages(None, 0, values.astype(kind).tobytes())
    entries = np.arange(low, high + 1, dtype=kind)
    return _Pages(entries.tobytes(), len(entries), _encode_codes(values - low, len(entries)))


def _encode_texts(column: TextColumn) -> _Pages:
    """Texts; repeated ones as numbers of a dictionary of those that occur here."""
    codes = column.codes
    occurring = np.flatnonzero(np.bincount(codes, minlength=len(column.entries)))
    texts = [column.entries[number].encode() for number in occurring.tolist()]
    places = np.zeros(len(column.entries), np.int64)
    places[occurring] = np.arange(len(occurring))
    if 2 * len(texts) > len(codes):
        return _Pages(None, 0, _join_texts([texts[place] for place in places[codes].tolist()]))
    return _Pages(_join_texts(texts), len(texts), _encode_codes(places[codes], len(texts)))


def _join_texts(texts: list[bytes]) -> bytes:
    return b"".join([part for text in texts for part in (len(text).to_bytes(4, "little"), text)])


def _encode_codes(codes: NDArray[Any], entries: int) -> bytes:
    """Numbers below ``entries`` as one run of whole bytes, filled up to a multiple of eight numbers."""
    kind = next(kind for kind in _CODE_TYPES if entries <= 1 << 8 * kind.itemsize or kind.itemsize == 4)
    groups = -(-len(codes) // 8)
    padded = np.zeros(8 * groups, kind)
    padded[: len(codes)] = codes
    return bytes([8 * kind.itemsize]) + encode_varint(groups << 1 | 1) + padded.tobytes()


# -- reading -------------------------------------------------------------------------------------------------------


def read_columns(path: Path, names: Sequence[str] | None = None) -> ColumnTable:
    """Read columns of a Parquet file, by default all.

    Raises:
        MissingExtra: Another program wrote the file, and pyarrow is not installed.
        OSError: The file cannot be read.
        ValueError: The file is damaged or cut short, or has no such column.
    """
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return parse_columns(data, names)


def parse_columns(data: Content, names: Sequence[str] | None = None) -> ColumnTable:
    """Parse the content of a file, as :func:`read_columns` does."""
    length = int.from_bytes(data[-8:-4], "little")
    if data[:4] != MAGIC or data[-4:] != MAGIC or length + 12 > len(data):
        raise ValueError("this is not a Parquet file, or it is cut short")
    try:
        footer = Reader(data[-8 - length : -8]).read_struct()
        if footer.get(6) != CREATOR:
            return _read_with_pyarrow(data, names)
        fields = {field[4].decode(): field for field in footer[2][1:]}
        _check_names(names, fields)
        if sum(group[3] for group in footer[4]) != footer[3]:
            raise ValueError("rows are missing")
        groups = [
            {chunk[3][3][0].decode(): _check_size(chunk[3], group[3]) for chunk in group[1]} for group in footer[4]
        ]
        return ColumnTable({name: _read_column(data, fields[name], name, groups) for name in names or fields})
    except (AttributeError, LookupError, OverflowError, RecursionError, TypeError, zlib.error) as error:
        raise ValueError(f"the data is damaged ({error})") from None


def _check_names(names: Sequence[str] | None, fields: Container[str]) -> None:
    unknown = [name for name in names or () if name not in fields]
    if unknown:
        raise ValueError(f"there is no column {unknown[0]!r}")


def _check_size(meta: dict[int, Any], size: int) -> dict[int, Any]:
    """Check that a column has as many cells as its row group has rows."""
    if meta[5] != size:
        raise ValueError("a column is too short or too long")
    return meta


def _read_column(data: Content, field: dict[int, Any], name: str, groups: list[dict[str, dict[int, Any]]]) -> Column:
    chunks = [_read_chunk(data, field, group[name]) for group in groups]
    if len(chunks) == 1:
        return chunks[0]
    texts = [chunk for chunk in chunks if isinstance(chunk, TextColumn)]
    if texts:  # without comparing their texts
        starts = np.cumsum([0, *(len(text.entries) for text in texts)]).tolist()
        codes = [np.where(text.codes < 0, -1, text.codes + start) for text, start in zip(texts, starts, strict=False)]
        entries = [text.entries for text in texts if isinstance(text.entries, PackedStrings)]
        return TextColumn(PackedStrings.concatenate(entries), np.concatenate(codes))
    if chunks:
        return concatenate_columns(chunks)
    return TextColumn([], np.zeros(0, np.int32)) if field[1] == _BYTES else NumberColumn(np.zeros(0, _KINDS[field[1]]))


def _read_chunk(data: Content, field: dict[int, Any], meta: dict[int, Any]) -> Column:
    """Read the pages of a column in a row group."""
    size = meta[5]
    entries = _read_page(data, meta[11])[1] if 11 in meta else None
    header, page = _read_page(data, meta[9])
    missing = None
    if field.get(3):
        length = int.from_bytes(page[:4], "little")
        missing, page = _read_levels(page[4 : 4 + length], size), page[4 + length :]
    count = size if missing is None else size - int(missing.sum())
    if (entries is None) != (header[5][2] == _PLAIN):
        raise ValueError("a dictionary is missing")
    codes = None if entries is None else _read_codes(page, count)
    content = page if entries is None else entries
    values = _split_texts(content) if field[1] == _BYTES else np.frombuffer(content, _KINDS[field[1]])
    if len(values) != count if codes is None else len(codes) and codes.max() >= len(values):
        raise ValueError("values are missing")
    if isinstance(values, PackedStrings):
        return TextColumn(values, _spread(np.arange(count) if codes is None else codes, missing, -1).astype(np.int32))
    return NumberColumn(_spread(values if codes is None else values[codes], missing, 0), missing)


def _read_page(data: Content, place: int) -> tuple[dict[int, Any], bytes]:
    """Read a page: its header and its content, which has the checksum of gzip."""
    reader = Reader(data, place)
    header = reader.read_struct()
    content = zlib.decompress(data[reader.place : reader.place + header[3]], wbits=31)
    if len(content) != header[2]:
        raise ValueError("a page has another size than its header says")
    return header, content


def _read_levels(run: bytes, size: int) -> Bools | None:
    """Which cells are empty; ``None`` if none is."""
    reader = Reader(run)
    if not reader.read_varint() & 1:
        return None if run[reader.place] else np.ones(size, np.bool_)
    present = np.unpackbits(np.frombuffer(run[reader.place :], np.uint8), bitorder="little")[:size]
    missing: Bools = present == 0
    return missing


def _read_codes(page: bytes, count: int) -> NDArray[Any]:
    kind = {8 * kind.itemsize: kind for kind in _CODE_TYPES}[page[0]]
    reader = Reader(page, 1)
    reader.read_varint()
    return np.frombuffer(page, kind, count, reader.place)


def _spread(values: NDArray[Any], missing: Bools | None, empty: int) -> NDArray[Any]:
    """The values of all cells, from those of the cells that have one."""
    if missing is None:
        return values
    cells = np.full(len(missing), empty, values.dtype if empty == 0 else np.int64)
    cells[~missing] = values
    return cells


def _split_texts(data: bytes) -> PackedStrings:
    """Split texts of which each follows its length in four bytes."""
    starts, place = [], 0
    while place < len(data):
        starts.append(place)
        place += 4 + int.from_bytes(data[place : place + 4], "little")
    if place != len(data):
        raise ValueError("a text is cut short")
    heads = np.array(starts, np.int64)
    bytes_of_texts = np.ones(len(data), np.bool_)
    bytes_of_texts[(heads[:, None] + np.arange(4)).ravel()] = False
    offsets = np.append(heads, len(data)) - 4 * np.arange(len(heads) + 1)
    return PackedStrings(offsets, np.frombuffer(data, np.uint8)[bytes_of_texts])


def _read_with_pyarrow(data: Content, names: Sequence[str] | None) -> ColumnTable:
    """Read a file that another program wrote."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtra("arrow", "pyarrow") from None
    try:
        with pq.ParquetFile(pa.BufferReader(data[:]), page_checksum_verification=True) as file:
            _check_names(names, file.schema_arrow.names)
            table = file.read(None if names is None else list(names))
    except (pa.ArrowException, OSError) as error:
        raise ValueError(str(error)) from None
    return ColumnTable({name: _convert_column(table.column(name)) for name in table.column_names})


def _convert_column(column: Any) -> Column:
    import pyarrow as pa

    if pa.types.is_integer(column.type):
        missing = np.asarray(column.is_null().to_numpy(), np.bool_) if column.null_count else None
        return NumberColumn(column.fill_null(0).to_numpy(), missing)
    return TextColumn.from_list(column.to_pylist())


def check_ends(path: Path) -> None:
    """Check that a Parquet file was written to its end; only its first and last bytes are read.

    Raises:
        ValueError: The file is cut short, or no Parquet file.
    """
    with path.open("rb") as file:
        start = file.read(len(MAGIC))
        size = file.seek(0, 2)
        file.seek(max(size - 8, 0))
        end = file.read()
    footer = int.from_bytes(end[:4], "little")
    if start != MAGIC or end[4:] != MAGIC or footer + 12 > size:
        raise ValueError("it is no Parquet file, or it is cut short")

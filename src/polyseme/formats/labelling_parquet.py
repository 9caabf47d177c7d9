"""Labellings as Parquet: a long table of usage, lemma, sense and weight, one row for each sense of a usage.

The three columns of names are dictionary-encoded and the file is compressed with zstandard, so a labelling of a million
usages takes little room and is read quickly, here and by any other program that knows Parquet.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import Source, read_bytes, write_bytes
from polyseme.formats.ratings_parquet import read_ratings_parquet, write_ratings_parquet
from polyseme.formats.registry import FileFormat
from polyseme.formats.tokens_parquet import read_parquet_sentences
from polyseme.labelling import Labelling

if TYPE_CHECKING:
    import pyarrow as pa

Codes = NDArray[np.intp]

NAME_COLUMNS = ("usage", "lemma", "sense")
COLUMNS = (*NAME_COLUMNS, "weight")
ORDERED_METADATA = {b"ordered": b"true"}
"""In the file's metadata, that the first sense of a usage is its answer, as in an answer key."""


def read_labelling_parquet(path: Source) -> Labelling:
    """Read a labelling from a Parquet file with the columns usage, lemma, sense and weight; others are not looked at.

    Usages and senses keep the order in which they first appear. Anything wrong, an empty cell for one, is an
    :class:`~polyseme.errors.InputError`.
    """
    return parse_labelling_parquet(read_bytes(path), path)


def parse_labelling_parquet(data: bytes, path: object = "parquet") -> Labelling:
    """The same for a Parquet file already in memory.

    >>> labelling = Labelling.from_dict({"win.v.1": {"a": 0.1, "b": 1}}, lemma="win.v")
    >>> parse_labelling_parquet(format_labelling_parquet(labelling)) == labelling
    True
    """
    table = _read_table(data, path)
    (usages, rows), (lemmas, of_lemma), (senses, of_sense) = (
        _encode_names(table[name], name, path) for name in NAME_COLUMNS
    )
    weights = _read_weights(table["weight"], path)
    row_lemmas = of_lemma[np.unique(rows, return_index=True)[1]]
    if (wrong := np.flatnonzero(row_lemmas[rows] != of_lemma)).size:
        usage, one, other = rows[wrong[0]], row_lemmas[rows[wrong[0]]], of_lemma[wrong[0]]
        problem = f"usage {quote_value(usages[usage])} belongs to {quote_value(lemmas[one])} and to {quote_value(lemmas[other])}"
        raise InputError(f"{problem}; a usage has one lemma", path=path)
    _check_no_duplicates(rows, of_sense, usages, senses, path)
    order = np.argsort(rows, kind="stable")
    return Labelling.from_arrays(
        usages,
        [lemmas[lemma] for lemma in row_lemmas.tolist()],
        np.bincount(rows, minlength=len(usages)).astype(np.intp),
        [senses[sense] for sense in of_sense[order].tolist()],
        weights[order],
        ordered=ORDERED_METADATA.items() <= (table.schema.metadata or {}).items(),
    )


def _read_table(data: bytes, path: object) -> pa.Table:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(pa.BufferReader(data), page_checksum_verification=True)
        there = file.schema_arrow.names
        if all(there.count(name) == 1 for name in COLUMNS):
            return file.read(columns=list(COLUMNS))
    except (pa.ArrowException, OSError, ValueError):
        raise InputError("this is not a Parquet file, or it is damaged or cut short", path=path) from None
    names = ", ".join(map(quote_value, there)) or "none"
    raise InputError(f"the table has the columns {names[:400]}; needed are {', '.join(COLUMNS)}, once each", path=path)


def _encode_names(column: pa.ChunkedArray[Any], name: str, path: object) -> tuple[list[str], Codes]:
    """The distinct names in order of first appearance, and which of them stands in each row."""
    import pyarrow as pa

    kind = column.type.value_type if isinstance(column.type, pa.DictionaryType) else column.type
    if kind not in (pa.string(), pa.large_string(), pa.string_view()):
        raise InputError(f"the column {name} holds {quote_value(str(kind))}; it must hold text", path=path)
    _check_no_nulls(column, name, path)
    try:
        encoded: Any = column.cast(pa.large_string()).dictionary_encode().combine_chunks()
        return encoded.dictionary.to_pylist(), encoded.indices.to_numpy().astype(np.intp)
    except (pa.ArrowException, ValueError):
        raise InputError(f"the column {name} holds text that is not UTF-8", path=path) from None


def _read_weights(column: pa.ChunkedArray[Any], path: object) -> NDArray[np.float64]:
    import pyarrow as pa

    _check_no_nulls(column, "weight", path)
    try:
        weights = np.asarray(column.cast(pa.float64()).to_numpy(), np.float64)
    except (pa.ArrowException, ValueError):
        raise InputError(f"the column weight holds {quote_value(str(column.type))}, not numbers", path=path) from None
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if wrong.size:
        row = int(wrong[0])
        raise InputError(f"weight {weights[row]} in row {row + 1} is not a finite number, 0 or more", path=path)
    return weights


def _check_no_nulls(column: pa.ChunkedArray[Any], name: str, path: object) -> None:
    if column.null_count:
        row = column.is_null().to_pylist().index(True)
        raise InputError(f"the column {name} is empty in row {row + 1}; every row needs a value", path=path)


def _check_no_duplicates(rows: Codes, of_sense: Codes, usages: list[str], senses: list[str], path: object) -> None:
    cells, counts = np.unique(rows * max(len(senses), 1) + of_sense, return_counts=True)
    if len(cells) < len(rows):
        usage, sense = divmod(int(cells[np.argmax(counts)]), len(senses))
        raise InputError(
            f"usage {quote_value(usages[usage])} has the sense {quote_value(senses[sense])} twice", path=path
        )


def format_labelling_parquet(labelling: Labelling) -> bytes:
    """A labelling as the content of a Parquet file, heaviest sense first; the same labelling gives the same bytes.

    >>> format_labelling_parquet(Labelling.from_dict({"win.v.1": {"a": 0.1}}, lemma="win.v"))[:4]
    b'PAR1'
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    labelling = labelling.heaviest_first()
    rows = labelling.entry_rows
    senses = {sense: number for number, sense in enumerate(dict.fromkeys(sense for _, sense in labelling.columns))}
    of_column = np.array([senses[sense] for _, sense in labelling.columns], np.intp)
    columns = (
        _dictionary_array(labelling.usages, rows),
        _dictionary_array(labelling.lemmas, labelling.row_lemmas[rows]),
        _dictionary_array(tuple(senses), of_column[labelling.indices]),
        pa.array(labelling.weights),
    )
    sink = pa.BufferOutputStream()
    table = pa.table(dict(zip(COLUMNS, columns, strict=True)))
    if labelling.ordered:
        table = table.replace_schema_metadata(ORDERED_METADATA)
    options: dict[str, Any] = {"compression": "zstd", "use_dictionary": list(NAME_COLUMNS), "write_page_checksum": True}
    pq.write_table(table, sink, **options)
    return bytes(sink.getvalue())


def _dictionary_array(names: tuple[str, ...], codes: Codes) -> pa.DictionaryArray[Any, Any]:
    import pyarrow as pa

    try:
        dictionary = pa.array(names, pa.string())
    except (pa.ArrowException, UnicodeEncodeError):
        wrong = next(name for name in names if any("\ud800" <= character <= "\udfff" for character in name))
        raise InputError(
            f"{quote_value(wrong)} holds half a character; Parquet cannot hold it: write JSON Lines"
        ) from None
    return pa.DictionaryArray.from_arrays(codes.astype(np.int32), dictionary)


def write_labelling_parquet(labelling: Labelling, path: str | os.PathLike[str]) -> None:
    """Write a Parquet file whole or not at all."""
    write_bytes(path, format_labelling_parquet(labelling))


FORMAT = FileFormat(
    "parquet",
    "a labelling, ratings or analysed text as Parquet",
    lambda start: start.startswith(b"PAR1") and b"\0" in start,
    readers={"labelling": read_labelling_parquet, "ratings": read_ratings_parquet, "sentences": read_parquet_sentences},
    writers={"labelling": write_labelling_parquet, "ratings": write_ratings_parquet},
    suffixes=(".parquet",),
)

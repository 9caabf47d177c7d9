"""Labellings as Parquet: a long table of usage, lemma, sense and weight, one row for each sense of a usage.

The columns of names are dictionary-encoded and the file is compressed with zstandard. So a labelling of a million
usages is small and quick to read, here and in any other program that reads Parquet.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.errors import InputError, quote_value
from polyseme.formats.files import Blob, Source, read_bytes, write_bytes
from polyseme.formats.json_records import LONE_SURROGATE
from polyseme.formats.parquet_files import format_parquet, open_parquet, require_pyarrow
from polyseme.formats.ratings_parquet import read_ratings_parquet, write_ratings_parquet
from polyseme.formats.registry import FileFormat
from polyseme.formats.tokens_parquet import read_parquet_sentences
from polyseme.labelling import Labelling

if TYPE_CHECKING:
    import pyarrow as pa

NAME_COLUMNS = ("usage", "lemma", "sense")
COLUMNS = (*NAME_COLUMNS, "weight")
ORDERED_METADATA = {b"ordered": b"true"}
"""The entry in the metadata of the file if the first sense of a usage is its answer, as in an answer key."""


def read_labelling_parquet(path: Source) -> Labelling:
    """Read a labelling from a Parquet file with the columns usage, lemma, sense and weight; others are ignored.

    Usages and senses keep the order in which they first appear.

    Raises:
        polyseme.errors.InputError: A column is missing, or a cell is empty or wrong.
    """
    return parse_labelling_parquet(read_bytes(path), path)


def parse_labelling_parquet(data: bytes, path: object = "parquet") -> Labelling:
    """Parse a labelling from the content of a file.

    >>> labelling = Labelling.from_dict({"win.v.1": {"a": 0.1, "b": 1}}, lemma="win.v")
    >>> parse_labelling_parquet(format_labelling_parquet(labelling)) == labelling
    True
    """
    with open_parquet(Blob(str(path), data)) as file:
        names = file.schema_arrow.names
        is_complete = all(names.count(name) == 1 for name in COLUMNS)
        table = file.read(columns=list(COLUMNS)) if is_complete else None
    if table is None:
        columns = ", ".join(map(quote_value, names)) or "none"
        problem = f"the table has the columns {columns[:400]}; needed are {', '.join(COLUMNS)}, once each"
        raise InputError(problem, path=path)
    (usages, rows), (lemmas, lemma_codes), (senses, sense_codes) = (
        _encode_names(table[name], name, path) for name in NAME_COLUMNS
    )
    weights = _read_weights(table["weight"], path)
    row_lemmas = lemma_codes[np.unique(rows, return_index=True)[1]]
    if (wrong := np.flatnonzero(row_lemmas[rows] != lemma_codes)).size:
        row = rows[wrong[0]]
        one, other = (quote_value(lemmas[code]) for code in (row_lemmas[row], lemma_codes[wrong[0]]))
        problem = f"usage {quote_value(usages[row])} belongs to {one} and to {other}"
        raise InputError(f"{problem}; a usage has one lemma", path=path)
    _check_no_duplicates(rows, sense_codes, usages, senses, path)
    order = np.argsort(rows, kind="stable")
    return Labelling.from_arrays(
        usages,
        [lemmas[lemma] for lemma in row_lemmas.tolist()],
        np.bincount(rows, minlength=len(usages)).astype(np.intp),
        [senses[sense] for sense in sense_codes[order].tolist()],
        weights[order],
        ordered=ORDERED_METADATA.items() <= (table.schema.metadata or {}).items(),
    )


def _encode_names(column: pa.ChunkedArray[Any], name: str, path: object) -> tuple[list[str], Ints]:
    """Return the distinct names in order of first appearance, and the number of the name in each row."""
    import pyarrow as pa

    cell_type = column.type.value_type if isinstance(column.type, pa.DictionaryType) else column.type
    if cell_type not in (pa.string(), pa.large_string(), pa.string_view()):
        raise InputError(f"the column {name} holds {quote_value(str(cell_type))}; it must hold text", path=path)
    _check_no_nulls(column, name, path)
    try:
        encoded: Any = column.cast(pa.large_string()).dictionary_encode().combine_chunks()
        return encoded.dictionary.to_pylist(), encoded.indices.to_numpy().astype(np.intp)
    except (pa.ArrowException, ValueError):
        raise InputError(f"the column {name} holds text that is not UTF-8", path=path) from None


def _read_weights(column: pa.ChunkedArray[Any], path: object) -> Floats:
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


def _check_no_duplicates(rows: Ints, sense_codes: Ints, usages: list[str], senses: list[str], path: object) -> None:
    cells, counts = np.unique(rows * max(len(senses), 1) + sense_codes, return_counts=True)
    if len(cells) < len(rows):
        usage, sense = divmod(int(cells[np.argmax(counts)]), len(senses))
        problem = f"usage {quote_value(usages[usage])} has the sense {quote_value(senses[sense])} twice"
        raise InputError(problem, path=path)


def format_labelling_parquet(labelling: Labelling) -> bytes:
    """Format a labelling as the content of a Parquet file, heaviest sense first; equal labellings give equal bytes.

    >>> format_labelling_parquet(Labelling.from_dict({"win.v.1": {"a": 0.1}}, lemma="win.v"))[:4]
    b'PAR1'
    """
    require_pyarrow()
    import pyarrow as pa

    labelling = labelling.heaviest_first()
    rows = labelling.entry_rows
    codes = {sense: code for code, sense in enumerate(dict.fromkeys(sense for _, sense in labelling.columns))}
    sense_codes = np.array([codes[sense] for _, sense in labelling.columns], np.intp)
    columns = (
        _dictionary_array(labelling.usages, rows),
        _dictionary_array(labelling.lemmas, labelling.row_lemmas[rows]),
        _dictionary_array(tuple(codes), sense_codes[labelling.indices]),
        pa.array(labelling.weights),
    )
    table = pa.table(dict(zip(COLUMNS, columns, strict=True)))
    if labelling.ordered:
        table = table.replace_schema_metadata(ORDERED_METADATA)
    return format_parquet(table, NAME_COLUMNS)


def _dictionary_array(names: tuple[str, ...], codes: Ints) -> pa.DictionaryArray[Any, Any]:
    import pyarrow as pa

    try:
        dictionary = pa.array(names, pa.string())
    except (pa.ArrowException, UnicodeEncodeError):
        wrong = next(filter(LONE_SURROGATE.search, names))
        problem = f"{quote_value(wrong)} holds half a character"
        raise InputError(f"{problem}; Parquet cannot hold it: write JSON Lines") from None
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

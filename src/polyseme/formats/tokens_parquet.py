"""Analysed text as Parquet: a table of tokens, one row for each, in the order of the text.

============================  ======================================================================================
column                        holds
============================  ======================================================================================
``form``                      the word as it stands in the text
``sentence``                  any number or name; where it changes, a sentence begins
``document``                  the same for documents, if there are several
``lemma``                     the lemma
``pos`` or ``upos``           n, v, a, r, or a tag of the usual sets, which is read as one of these
``tag`` or ``xpos``           the tag as the source has it; without ``pos`` it gives the part of speech
``head``                      the number of the head in the sentence, from 1; 0 for the root
``relation`` or ``deprel``    the dependency relation
``space_after``               whether a blank follows; where nothing is said, one does
============================  ======================================================================================

Only ``form`` and ``sentence`` are needed. What other columns say in a sentence's first row is its metadata.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import Blob, Source, read_bytes
from polyseme.sentence import Sentence, Token, part_of_speech

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

COLUMN_ALIASES = {"upos": "pos", "xpos": "tag", "deprel": "relation"}
"""What CoNLL-U calls some of the columns."""

REQUIRED_COLUMNS = ("form", "sentence")
TOKEN_COLUMNS = {"form", "lemma", "pos", "tag", "head", "relation", "space_after"}
BATCH_ROWS = 1 << 16

ParquetRow = dict[str, Any]


def read_parquet_sentences(source: Source) -> Iterator[Sentence]:
    """Read the sentences one after the other, however large the file is."""
    for number, (_, group) in enumerate(
        groupby(read_parquet_rows(source, REQUIRED_COLUMNS), key=_sentence_key), start=1
    ):
        yield _build_sentence(list(group), number, source)


def read_parquet_columns(source: Source) -> list[str]:
    """The names of the columns of a Parquet file; those of CoNLL-U by our names."""
    with _open_parquet(source) as file:
        return [COLUMN_ALIASES.get(name, name) for name in file.schema_arrow.names]


def read_parquet_rows(source: Source, needed: Sequence[str]) -> Iterator[ParquetRow]:
    """The rows of a Parquet file that has these columns; only as much is in memory as is read at a time.

    What is not a number in a column of numbers is nothing: so pandas writes what is missing.
    """
    names = read_parquet_columns(source)
    _check_columns(names, needed, source)
    with _open_parquet(source) as file:
        for batch in file.iter_batches(BATCH_ROWS):
            yield from _replace_nan(batch, names).to_pylist()


def _replace_nan(batch: pa.RecordBatch, names: list[str]) -> pa.RecordBatch:
    import pyarrow as pa
    import pyarrow.compute as pc

    def cleaned(column: pa.Array[Any]) -> pa.Array[Any]:
        floating = pa.types.is_float32(column.type) or pa.types.is_float64(column.type)
        return pc.if_else(pc.is_nan(column), None, column) if floating else column

    return pa.RecordBatch.from_arrays([cleaned(column) for column in batch.columns], names)


@contextmanager
def _open_parquet(source: Source) -> Iterator[pq.ParquetFile]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        place = str(source) if _is_uncompressed_file(source) else pa.BufferReader(read_bytes(source))
        with pq.ParquetFile(place, page_checksum_verification=True) as file:
            yield file
    except (pa.ArrowException, OSError, ValueError):
        raise InputError("this is not a Parquet file, or it is damaged or cut short", path=source) from None


def _is_uncompressed_file(source: Source) -> bool:
    """Whether it can be read from the disk as it is: it is no part of an archive, and not compressed as a whole."""
    if isinstance(source, Blob):
        return False
    with Path(source).open("rb") as file:
        return file.read(4) == b"PAR1"


def _check_columns(names: list[str], needed: Sequence[str], source: Source) -> None:
    missing = [name for name in needed if name not in names]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if missing or twice:
        problem = f"{', '.join(missing)} is not there" if missing else f"{', '.join(twice)} is there twice"
        there = ", ".join(map(quote_value, names)) or "none"
        raise InputError(f"the table has the columns {there[:400]}; {problem}", path=source)


def _sentence_key(row: ParquetRow) -> tuple[object, object]:
    return row.get("document"), row["sentence"]


def _build_sentence(rows: list[ParquetRow], number: int, source: Source) -> Sentence:
    tokens: list[Token] = []
    text = ""
    for row in rows:
        token = _build_token(row, len(text), len(rows), number, source)
        tokens.append(token)
        text += token.form + ("" if row.get("space_after") in (False, 0) else " ")
    known = {name: str(value) for name, value in rows[0].items() if name not in TOKEN_COLUMNS and value is not None}
    return Sentence(known.pop("sentence", str(number)), text.rstrip(), tuple(tokens), known)


def _build_token(row: ParquetRow, start: int, size: int, number: int, source: Source) -> Token:
    form = row["form"]
    if not isinstance(form, str) or not form.strip():
        raise InputError(f"form {quote_value(form)} in sentence {number} is no word", path=source)
    lemma, said, tag, relation = (_text_cell(row, name, number, source) for name in ("lemma", "pos", "tag", "relation"))
    said = said or tag
    pos = said if said in ("n", "v", "a", "r") else part_of_speech(said)
    return Token(form, start, start + len(form), lemma, pos, tag, _head_cell(row, size, number, source), relation)


def _text_cell(row: ParquetRow, name: str, number: int, source: Source) -> str:
    said = row.get(name)
    if said is None or isinstance(said, str):
        return said or ""
    raise InputError(f"{name} {quote_value(said)} in sentence {number} is no text; write it as one", path=source)


def _head_cell(row: ParquetRow, size: int, number: int, source: Source) -> int | None:
    """The number of a word's head; pandas makes numbers with a point of them where one is missing."""
    head = row.get("head")
    if head is None:
        return None
    if not isinstance(head, bool) and isinstance(head, int | float) and 0 <= head <= size and head == int(head):
        return int(head)
    problem = (
        f"head {quote_value(head)} in sentence {number} is not a number from 0 (the root) to {size}, its last word"
    )
    raise InputError(problem, path=source)

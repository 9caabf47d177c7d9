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
``space_after``               whether a blank follows; if there is no such column, one always does
============================  ======================================================================================

Only ``form`` and ``sentence`` are needed. What other columns say in a sentence's first row is its metadata.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import TYPE_CHECKING, Any

from polyseme.errors import InputError, shown
from polyseme.formats.files import Blob, Source
from polyseme.sentence import Sentence, Token, part_of_speech

if TYPE_CHECKING:
    import pyarrow.parquet as pq

ALSO = {"upos": "pos", "xpos": "tag", "deprel": "relation"}
"""What CoNLL-U calls some of the columns."""

NEEDED = ("form", "sentence")
OF_TOKENS = {"form", "lemma", "pos", "tag", "head", "relation", "space_after"}
BATCH = 1 << 16

Row = dict[str, Any]


def read_parquet_sentences(source: Source) -> Iterator[Sentence]:
    """Read the sentences one after the other, however large the file is."""
    for number, (_, group) in enumerate(groupby(parquet_rows(source, NEEDED), key=_place), start=1):
        yield _sentence(list(group), number, source)


def parquet_columns(source: Source) -> list[str]:
    """The names of the columns of a Parquet file; those of CoNLL-U by our names."""
    with _opened(source) as file:
        return [ALSO.get(name, name) for name in file.schema_arrow.names]


def parquet_rows(source: Source, needed: Sequence[str]) -> Iterator[Row]:
    """The rows of a Parquet file that has these columns; only as much is in memory as is read at a time."""
    names = parquet_columns(source)
    _check_columns(names, needed, source)
    with _opened(source) as file:
        for batch in file.iter_batches(BATCH):
            yield from batch.rename_columns(names).to_pylist()


@contextmanager
def _opened(source: Source) -> Iterator[pq.ParquetFile]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    place = pa.BufferReader(source.data) if isinstance(source, Blob) else str(source)
    try:
        with pq.ParquetFile(place, page_checksum_verification=True) as file:
            yield file
    except (pa.ArrowException, OSError, ValueError):
        raise InputError("this is not a Parquet file, or it is damaged or cut short", path=source) from None


def _check_columns(names: list[str], needed: Sequence[str], source: Source) -> None:
    missing = [name for name in needed if name not in names]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if missing or twice:
        problem = f"{', '.join(missing)} is not there" if missing else f"{', '.join(twice)} is there twice"
        there = ", ".join(map(shown, names)) or "none"
        raise InputError(f"the table has the columns {there[:400]}; {problem}", path=source)


def _place(row: Row) -> tuple[object, object]:
    return row.get("document"), row["sentence"]


def _sentence(rows: list[Row], number: int, source: Source) -> Sentence:
    tokens: list[Token] = []
    text = ""
    for row in rows:
        token = _token(row, len(text), len(rows), number, source)
        tokens.append(token)
        text += token.form + (" " if row.get("space_after", True) else "")
    known = {name: str(value) for name, value in rows[0].items() if name not in OF_TOKENS and value is not None}
    return Sentence(known.pop("sentence", str(number)), text.rstrip(), tuple(tokens), known)


def _token(row: Row, start: int, size: int, number: int, source: Source) -> Token:
    form, head, tag = row["form"], row.get("head"), row.get("tag") or ""
    if not isinstance(form, str) or not form.strip():
        raise InputError(f"form {shown(form)} in sentence {number} is no word", path=source)
    if head is not None and not (isinstance(head, int) and 0 <= head <= size):
        problem = f"head {shown(head)} in sentence {number} is not a number from 0 (the root) to {size}, its last word"
        raise InputError(problem, path=source)
    said = row.get("pos") or tag
    pos = said if said in ("n", "v", "a", "r") else part_of_speech(said)
    return Token(form, start, start + len(form), row.get("lemma") or "", pos, tag, head, row.get("relation") or "")

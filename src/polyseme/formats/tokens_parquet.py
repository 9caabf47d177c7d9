"""Analysed text as Parquet: a table of tokens, one row for each, in the order of the text.

============================  ======================================================================================
column                        holds
============================  ======================================================================================
``form``                      the word in the text
``sentence``                  any number or name; where it changes, a sentence begins
``document``                  the same for documents, if there are several
``lemma``                     the lemma
``pos`` or ``upos``           n, v, a, r, or a tag of a common tag set, which is mapped to one of these
``tag`` or ``xpos``           the tag of the source; without ``pos`` it gives the part of speech
``head``                      the number of the head in the sentence, from 1; 0 for the root
``relation`` or ``deprel``    the dependency relation
``space_after``               whether a blank follows; by default true
============================  ======================================================================================

Only ``form`` and ``sentence`` are required. The other columns of the first row of a sentence are its metadata.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import Source
from polyseme.formats.parquet_files import ParquetRow, read_parquet_rows
from polyseme.lemma import POS_LETTERS, pos_from_tag
from polyseme.sentence import Sentence, Token

REQUIRED_COLUMNS = ("form", "sentence")
TOKEN_COLUMNS = {"form", "lemma", "pos", "tag", "head", "relation", "space_after"}


def read_parquet_sentences(source: Source) -> Iterator[Sentence]:
    """Yield the sentences of a file, which may be large."""
    rows = read_parquet_rows(source, REQUIRED_COLUMNS)
    groups = groupby(rows, key=lambda row: (row.get("document"), row["sentence"]))
    for number, (_, group) in enumerate(groups, start=1):
        yield _build_sentence(list(group), number, source)


def _build_sentence(rows: list[ParquetRow], number: int, source: Source) -> Sentence:
    tokens: list[Token] = []
    text = ""
    for row in rows:
        token = _build_token(row, len(text), len(rows), number, source)
        tokens.append(token)
        text += token.form + ("" if row.get("space_after") in (False, 0) else " ")
    meta = {name: str(value) for name, value in rows[0].items() if name not in TOKEN_COLUMNS and value is not None}
    return Sentence(meta.pop("sentence", str(number)), text.rstrip(), tuple(tokens), meta)


def _build_token(row: ParquetRow, start: int, size: int, number: int, source: Source) -> Token:
    form = row["form"]
    if not isinstance(form, str) or not form.strip():
        raise InputError(f"form {quote_value(form)} in sentence {number} is not a word", path=source)
    lemma, pos, tag, relation = (_text_cell(row, name, number, source) for name in ("lemma", "pos", "tag", "relation"))
    pos = pos or tag
    pos = pos if pos in POS_LETTERS else pos_from_tag(pos)
    return Token(form, start, start + len(form), lemma, pos, tag, _head_cell(row, size, number, source), relation)


def _text_cell(row: ParquetRow, name: str, number: int, source: Source) -> str:
    cell = row.get(name)
    if cell is None or isinstance(cell, str):
        return cell or ""
    raise InputError(f"{name} {quote_value(cell)} in sentence {number} is not text; write it as text", path=source)


def _head_cell(row: ParquetRow, size: int, number: int, source: Source) -> int | None:
    """Return the number of the head of a word; pandas turns such a column into floats if one is missing."""
    head = row.get("head")
    if head is None:
        return None
    if not isinstance(head, bool) and isinstance(head, int | float) and 0 <= head <= size and head == int(head):
        return int(head)
    problem = f"head {quote_value(head)} in sentence {number} is not a number from 0 (the root) to {size}"
    raise InputError(f"{problem}, its last word", path=source)

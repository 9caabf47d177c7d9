"""Usages as CSV: the columns ``id, lemma, text, start, end, pos``, and any others, which go into ``meta``.

The first line shows whether comma, semicolon or tab separates the cells. ``pos`` is optional. ``text[start:end]`` is
the target, counted in characters from 0. Without ``start`` and ``end``, the target is the only form of the lemma in the
text. A cell is taken as it stands, also if it begins with ``=``. Empty cells are ignored.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import Source, write_text
from polyseme.formats.registry import FileFormat
from polyseme.formats.tables import (
    TableRow,
    check_unique_rows,
    format_csv,
    format_number,
    has_columns,
    read_csv_rows,
)
from polyseme.formats.unique_names import UniqueNames
from polyseme.morphology import find_only_form
from polyseme.usage import Usage

REQUIRED_COLUMNS = ("id", "lemma", "text")
COLUMNS = (*REQUIRED_COLUMNS, "start", "end", "pos")


def read_usages_csv(source: Source) -> Iterator[Usage]:
    r"""Yield the usages of a file.

    >>> from polyseme.formats.files import Blob
    >>> file = Blob("wins.csv", b"id;lemma;text;start;end;year\n1;win.v;We won.;3;6;1999\n")
    >>> [(usage.target, usage.meta["year"]) for usage in read_usages_csv(file)]
    [('won', '1999')]
    """
    rows = check_unique_rows(read_csv_rows(source, REQUIRED_COLUMNS), "id", "usage", source)
    return (_parse_usage(row, source) for row in rows)


def _parse_usage(row: TableRow, source: object) -> Usage:
    cells = row.cells
    start, end = _parse_target(row, source)
    if not start <= end <= len(cells["text"]):
        problem = f"the target {start}:{end} is not a part of the text, which has {len(cells['text'])} characters"
        raise InputError(f"{problem}; count characters from 0", path=source, line=row.line)
    meta = {name: cell for name, cell in cells.items() if name not in COLUMNS and cell}
    return Usage(cells["id"], cells["lemma"], cells["text"], start, end, cells.get("pos", ""), meta)


def _parse_target(row: TableRow, source: object) -> tuple[int, int]:
    cells = row.cells
    if cells.get("start") or cells.get("end"):
        return _parse_offset(row, "start", source), _parse_offset(row, "end", source)
    try:
        return find_only_form(cells["text"], cells["lemma"], cells.get("pos", ""))
    except ValueError as error:
        raise InputError(str(error), path=source, line=row.line) from None


def _parse_offset(row: TableRow, name: str, source: object) -> int:
    text = row.cells.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) < 12):
        problem = f"{name} {quote_value(text)} is not a whole number; it counts the characters of the text from 0"
        raise InputError(problem, path=source, line=row.line)
    return int(text)


def write_usages_csv(usages: Iterable[Usage], path: str | os.PathLike[str]) -> None:
    """Write usages; texts and numbers in ``meta`` become columns, and are read back as texts."""
    rows, columns, ids = [], dict.fromkeys(COLUMNS), UniqueNames("usage", path)
    for number, usage in enumerate(usages, start=1):
        ids.add(usage.id, number)
        fields = (usage.id, usage.lemma, usage.text, str(usage.start), str(usage.end), usage.pos)
        meta = {name: _meta_cell(name, value, usage, path) for name, value in usage.meta.items()}
        rows.append(meta | dict(zip(COLUMNS, fields, strict=True)))
        columns |= dict.fromkeys(meta)
    write_text(path, format_csv(list(columns), rows))


def _meta_cell(name: str, value: object, usage: Usage, path: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float) or name in COLUMNS:
        meta = f"its meta {quote_value(name)}, {quote_value(value)},"
        problem = f"usage {quote_value(usage.id)}: {meta} cannot be a column of a CSV file"
        allowed = "which holds text and numbers under names of their own"
        raise InputError(f"{problem}, {allowed}; write JSON Lines", path=path)
    return value if isinstance(value, str) else format_number(value) if isinstance(value, float) else str(value)


FORMAT = FileFormat.for_content(
    "usages",
    "usages-csv",
    "a table of usages (CSV)",
    has_columns(*REQUIRED_COLUMNS),
    read_usages_csv,
    write_usages_csv,
    ".csv",
)

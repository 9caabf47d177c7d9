"""Tables of text with a first line of column names: comma-separated with quotes, or tab-separated without.

The rows of the formats that are tables come and go through here, so that all of them know the line of every row, the
byte order mark and the ``;`` of spreadsheets, and say in the same words what is wrong.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import BOM, Source, read_lines, read_lines_with_ends

DELIMITERS = ",;\t"
MAX_CELL_CHARACTERS = 131_072
"""Characters in a cell, unless a reader allows more: a quotation mark that is not closed shows early."""

_NEEDS_QUOTES = re.compile(r'[",;\t\n\r]|^[ \ufeff]| $')
_NOT_IN_TSV = re.compile(r"[\t\n\r\0]")
_PROBLEMS = {
    "unexpected end of data": "a quotation mark that opens a cell here is never closed; close it, or double it",
    "field larger": "a cell is longer than {longest} characters; is a quotation mark open? If not, use JSON Lines",
    "new-line character": "a line ends with a carriage return alone; save the file with line ends of Unix or Windows",
}


class TableRow(NamedTuple):
    """One row: the line in which it begins, and its cells by column."""

    line: int
    cells: dict[str, str]


def has_columns(*names: str, delimiters: str = DELIMITERS) -> Callable[[bytes], bool]:
    r"""Whether a file begins with a line that names these columns; for formats to recognise their files.

    >>> has_columns("id", "text")(b"id;lemma;text\n1;win.v;We won.\n")
    True
    """

    def recognises(start: bytes) -> bool:
        first = _header_line(start)
        return any(set(names) <= set(_split_cells(first, delimiter)) for delimiter in delimiters)

    return recognises


def header_columns(start: bytes) -> list[str]:
    r"""The columns that the first line of a table names, if it is one.

    >>> header_columns(b"Text;Date\nWe won.;1900\n")
    ['Text', 'Date']
    """
    first = _header_line(start)
    return _split_cells(first, _detect_delimiter(first, set()))


def _header_line(start: bytes) -> str:
    return start.removeprefix(BOM).lstrip(b"\r\n").split(b"\n", 1)[0].decode(errors="replace").removesuffix("\r")


def read_csv_rows(source: Source, needed: Iterable[str], longest: int = MAX_CELL_CHARACTERS) -> Iterator[TableRow]:
    """The rows of a CSV file, separated by comma, semicolon or tab, as the first line shows; a cell may be quoted."""
    texts = (text for _, text in read_lines_with_ends(source))
    first = next(texts, "")
    return _build_rows(
        _read_records(chain([first], texts), _detect_delimiter(first, set(needed)), source, longest), needed, source
    )


def read_tsv_rows(source: Source, needed: Iterable[str]) -> Iterator[TableRow]:
    """The rows of a tab-separated file in which a quotation mark is a character as any other."""
    return _build_rows(((number, text.split("\t")) for number, text in read_lines(source) if text), needed, source)


def _split_cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []


def _detect_delimiter(first: str, needed: set[str]) -> str:
    """The one between the most of the needed columns."""
    line = first.rstrip("\r\n")
    return max(DELIMITERS, key=lambda each: (len(needed & set(_split_cells(line, each))), line.count(each)))


def _read_records(
    texts: Iterator[str], delimiter: str, source: Source, longest: int
) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(texts, delimiter=delimiter, strict=True)
    line = 0
    try:
        while (cells := _next_record(reader, longest)) is not None:
            if cells:
                yield line + 1, cells
            line = reader.line_num
    except csv.Error as error:
        known = (said for cause, said in _PROBLEMS.items() if str(error).startswith(cause))
        problem = next(known, f"the quotation marks of a cell are wrong ({error}); double those inside a quoted cell")
        raise InputError(problem.replace("{longest}", str(longest)), path=source, line=line + 1) from None


def _next_record(reader: Iterator[list[str]], longest: int) -> list[str] | None:
    """The next row; the limit is one of the whole module, so it is left as it was."""
    before = csv.field_size_limit(longest)
    try:
        return next(reader, None)
    finally:
        csv.field_size_limit(before)


def _build_rows(records: Iterator[tuple[int, list[str]]], needed: Iterable[str], source: Source) -> Iterator[TableRow]:
    line, names = next(records, (1, []))
    _check_columns(names, list(needed), source, line)
    for number, cells in records:
        if len(cells) != len(names):
            problem = f"{_count(len(cells), 'cell')}, but the first line names {_count(len(names), 'column')}"
            raise InputError(f"{problem}; give each row a cell for each column", path=source, line=number)
        yield TableRow(number, dict(zip(names, cells, strict=True)))


def _check_columns(names: list[str], needed: list[str], source: Source, line: int) -> None:
    missing = [name for name in needed if name not in names]
    if missing:
        there = ", ".join(map(quote_value, names[:40])) or "nothing"
        problem = f"there is no column {', '.join(map(repr, missing))}; the first line names {there}"
        raise InputError(f"{problem}. Needed are {', '.join(needed)}", path=source, line=line)
    if twice := [name for name in names if names.count(name) > 1]:
        raise InputError(f"two columns are called {quote_value(twice[0])}; rename one", path=source, line=line)


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def parse_number(row: TableRow, column: str, path: object) -> float:
    """A cell's number; anything else is an error."""
    text = row.cells[column]
    try:
        return float(text.replace("_", "?"))
    except ValueError:
        raise InputError(f"{column} {quote_value(text)} is not a number", path=path, line=row.line) from None


def format_number(value: float) -> str:
    """A number as it is written: whole numbers without a point.

    >>> format_number(4.0), format_number(2.5)
    ('4', '2.5')
    """
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))


def format_csv(columns: Sequence[str], rows: Iterable[Mapping[str, str]], delimiter: str = ",") -> str:
    r"""A table as CSV, or with another delimiter; a cell that a row lacks is empty.

    >>> format_csv(["id", "text"], [{"id": "1", "text": 'They said "no".'}])
    'id,text\n1,"They said ""no""."\n'
    """
    cells = chain([columns], ([row.get(name, "") for name in columns] for row in rows))
    return "".join(delimiter.join(map(_format_csv_cell, row)) + "\n" for row in cells)


def _format_csv_cell(cell: str) -> str:
    if "\0" in cell or len(cell) >= csv.field_size_limit():
        what = "a zero byte" if "\0" in cell else f"more than {csv.field_size_limit()} characters"
        raise InputError(f"{quote_value(cell)} holds {what}, which a cell of a CSV file cannot; write JSON Lines")
    return '"' + cell.replace('"', '""') + '"' if _NEEDS_QUOTES.search(cell) else cell


def format_tsv(columns: Sequence[str], rows: Iterable[Mapping[str, str]], empty: str = "") -> str:
    r"""A table with tabs between its cells and no quotes; ``empty`` stands in cells that hold nothing.

    >>> format_tsv(["id", "text"], [{"id": "1", "text": 'They said "no".'}])
    'id\ttext\n1\tThey said "no".\n'
    """
    cells = chain([columns], ([row.get(name, "") or empty for name in columns] for row in rows))
    return "".join("\t".join(map(_format_tsv_cell, row)) + "\n" for row in cells)


def _format_tsv_cell(cell: str) -> str:
    if wrong := _NOT_IN_TSV.search(cell):
        problem = f"{quote_value(cell)} holds {wrong[0]!r}, which a tab-separated cell without quotes cannot"
        raise InputError(f"{problem}; replace it, or write CSV or JSON Lines")
    return cell

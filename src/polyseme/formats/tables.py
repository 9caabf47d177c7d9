"""Tables of text with a first line of column names: comma-separated with quotes, or tab-separated without.

All tabular formats read and write their rows here. So all of them know the line of every row, accept a byte order mark
and the ``;`` of spreadsheets, and report faults in the same words.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from polyseme.errors import InputError, count_noun, quote_value
from polyseme.formats.files import BOM, Blob, Source, read_lines, read_lines_with_ends
from polyseme.formats.registry import FileFormat
from polyseme.formats.unique_names import UniqueNames
from polyseme.rating import ROLES

DELIMITERS = ",;\t"
MAX_CELL_CHARACTERS = 131_072
"""The default length of a cell, so that a quotation mark that is never closed is noticed early."""

_NEEDS_QUOTES = re.compile(r'[",;\t\n\r]|^[ \ufeff]| $')
_NOT_IN_TSV = re.compile(r"[\t\n\r\0]")
_SPANS = re.compile(r"([0-9]{1,9}):([0-9]{1,9})(,[0-9]{1,9}:[0-9]{1,9})*")
_PROBLEMS = {
    "unexpected end of data": "a quotation mark that opens a cell here is never closed; close it, or double it",
    "field larger": "a cell is longer than {longest} characters; is a quotation mark open? If not, use JSON Lines",
    "new-line character": "a line ends with a carriage return alone; save the file with line ends of Unix or Windows",
}


class TableRow(NamedTuple):
    """One row: the line in which it begins, and its cells by column."""

    line: int
    cells: dict[str, str]


# -- reading -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ColumnTest:
    """Whether the first line of a file names these columns; see :func:`has_columns`.

    Args:
        names: The columns.
        delimiters: The characters that may separate them.
    """

    names: tuple[str, ...]
    delimiters: str

    def __call__(self, start: bytes) -> bool:
        """Test the first bytes of a file."""
        return not self.missing(start)

    def missing(self, start: bytes) -> list[str]:
        """Return the columns that the first line lacks."""
        header = _header_line(start)
        headers = (_split_cells(header, delimiter) for delimiter in self.delimiters)
        return min(([name for name in self.names if name not in columns] for columns in headers), key=len)


def has_columns(*names: str, delimiters: str = DELIMITERS) -> ColumnTest:
    r"""Return a test by which a format recognises files whose first line names these columns.

    >>> has_columns("id", "text")(b"id;lemma;text\n1;win.v;We won.\n")
    True
    """
    return ColumnTest(names, delimiters)


def folder_table(
    name: str,
    title: str,
    columns: Iterable[str],
    content: str,
    reader: Callable[[Source], Any],
    writer: Callable[..., None],
) -> FileFormat:
    """Declare the format of a tab-separated table that lies in a folder beside tables of other content.

    Args:
        name: The name by which users select the format.
        title: The name in messages.
        columns: The columns by which the table is recognised.
        content: The kind of its content.
        reader: The function that reads it.
        writer: The function that writes it.
    """
    recognise = has_columns(*columns, delimiters="\t")
    return FileFormat.for_content(content, name, title, recognise, reader, writer, folder=True)


def describe_missing_columns(start: bytes, formats: Iterable[FileFormat]) -> str:
    """Say which columns a table lacks to be in the most similar of these formats; empty if none is similar."""
    tests = [(form.recognises, form.title) for form in formats if isinstance(form.recognises, ColumnTest)]
    shares = [(len(test.names) - len(test.missing(start)), -len(test.names)) for test, _ in tests]
    most = max(shares, default=(0, 0))
    if not most[0]:
        return ""
    test, title = tests[shares.index(most)]
    columns = ", ".join(map(quote_value, header_columns(start)[:20]))
    missing = ", ".join(map(repr, test.missing(start)))
    needs = f"{title[0].upper()}{title[1:]} has {', '.join(test.names)}"
    return f"the first line names {columns}, but not {missing}. {needs}; rename or add columns"


def header_columns(start: bytes) -> list[str]:
    r"""Return the columns that the first line of a table names.

    >>> header_columns(b"Text;Date\nWe won.;1900\n")
    ['Text', 'Date']
    """
    header = _header_line(start)
    return _split_cells(header, _detect_delimiter(header, set()))


def _header_line(start: bytes) -> str:
    return start.removeprefix(BOM).lstrip(b"\r\n").split(b"\n", 1)[0].decode(errors="replace").removesuffix("\r")


def read_csv_rows(source: Source, required: Iterable[str], longest: int = MAX_CELL_CHARACTERS) -> Iterator[TableRow]:
    """Yield the rows of a CSV file; its first line shows whether comma, semicolon or tab separates the cells.

    Args:
        source: The file.
        required: The columns that must be there.
        longest: The largest number of characters in a cell.
    """
    texts = (text for _, text in read_lines_with_ends(source))
    header = next(texts, "")
    delimiter = _detect_delimiter(header, set(required))
    return _build_rows(_read_records(chain([header], texts), delimiter, source, longest), required, source)


def read_tsv_rows(source: Source, required: Iterable[str]) -> Iterator[TableRow]:
    """Yield the rows of a tab-separated file, in which a quotation mark is an ordinary character."""
    return _build_rows(((number, text.split("\t")) for number, text in read_lines(source) if text), required, source)


def check_unique_rows(rows: Iterable[TableRow], column: str, kind: str, path: object) -> Iterator[TableRow]:
    """Yield rows; an error if two have the same name in a column.

    Args:
        rows: The rows.
        column: The column of names.
        kind: The noun for a name in messages.
        path: The file.
    """
    names = UniqueNames(kind, path)
    for row in rows:
        names.add(row.cells[column], row.line)
        yield row


def _split_cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []


def _detect_delimiter(header: str, required: set[str]) -> str:
    """Return the delimiter that separates most of the required columns."""
    line = header.rstrip("\r\n")

    def count_matches(delimiter: str) -> tuple[int, int]:
        return len(required & set(_split_cells(line, delimiter))), line.count(delimiter)

    return max(DELIMITERS, key=count_matches)


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
        problems = (problem for cause, problem in _PROBLEMS.items() if str(error).startswith(cause))
        default = f"the quotation marks of a cell are wrong ({error}); double those inside a quoted cell"
        problem = next(problems, default).replace("{longest}", str(longest))
        raise InputError(problem, path=source, line=line + 1) from None


def _next_record(reader: Iterator[list[str]], longest: int) -> list[str] | None:
    """Return the next record; the length limit belongs to the whole csv module, so it is restored."""
    earlier_limit = csv.field_size_limit(longest)
    try:
        return next(reader, None)
    finally:
        csv.field_size_limit(earlier_limit)


def _build_rows(
    records: Iterator[tuple[int, list[str]]], required: Iterable[str], source: Source
) -> Iterator[TableRow]:
    line, names = next(records, (1, []))
    _check_columns(names, list(required), source, line)
    for number, cells in records:
        if len(cells) != len(names):
            columns = count_noun(len(names), "column")
            problem = f"{count_noun(len(cells), 'cell')}, but the first line names {columns}"
            raise InputError(f"{problem}; give each row a cell for each column", path=source, line=number)
        yield TableRow(number, dict(zip(names, cells, strict=True)))


def _check_columns(names: list[str], required: list[str], source: Source, line: int) -> None:
    if missing := [name for name in required if name not in names]:
        header = ", ".join(map(quote_value, names[:40])) or "nothing"
        problem = f"there is no column {', '.join(map(repr, missing))}; the first line names {header}"
        raise InputError(f"{problem}. Needed are {', '.join(required)}", path=source, line=line)
    if twice := [name for name in names if names.count(name) > 1]:
        raise InputError(f"two columns are called {quote_value(twice[0])}; rename one", path=source, line=line)


# -- cells ---------------------------------------------------------------------------------------------------------


def parse_number(row: TableRow, column: str, path: object) -> float:
    """Parse the number in a cell."""
    text = row.cells[column]
    try:
        return float(text.replace("_", "?"))
    except ValueError:
        raise InputError(
            f"{column} {quote_value(text)} is not a number; write one, as 2.5", path=path, line=row.line
        ) from None


def parse_integer(row: TableRow, column: str, path: object) -> int | None:
    """Parse the whole number in a cell; ``None`` if the cell is empty or the column is missing."""
    text = row.cells.get(column, "")
    if text and not re.fullmatch("[0-9]{1,300}", text):
        raise InputError(
            f"{column} {quote_value(text)} is not a whole number; write one, or nothing", path=path, line=row.line
        )
    return int(text) if text else None


def parse_role(row: TableRow, path: object) -> str:
    """Return the role of a rating; empty if there is no such column."""
    role = row.cells.get("role", "")
    if role not in ROLES:
        problem = f"role {quote_value(role)} is unknown; allowed are nothing, {', '.join(ROLES[1:])}"
        raise InputError(problem, path=path, line=row.line)
    return role


class CellSpans(NamedTuple):
    """The first span in a cell, and whether there are more."""

    start: int
    end: int
    has_more: bool


def parse_spans(row: TableRow, column: str, context: str, path: object) -> CellSpans:
    """Parse the spans in a cell, such as ``3:5,9:12``; the first must lie in the context."""
    match = _SPANS.fullmatch(row.cells[column].replace(" ", ""))
    if match is None or not int(match[1]) <= int(match[2]) <= len(context):
        target = f"the target {quote_value(row.cells[column])}"
        problem = f"{target} is not a part of the context, which has {len(context)} characters"
        raise InputError(f"{problem}. It reads first:last, counted from 0, as 26:34", path=path, line=row.line)
    return CellSpans(int(match[1]), int(match[2]), match[3] is not None)


def parent_folder_name(path: object) -> str:
    """Return the name of the folder in which a table lies."""
    return Path(str(path)).absolute().parent.name


def find_table_beside(source: Source, name: str) -> Path | None:
    """Return the table of this name in the same folder; ``None`` if there is none, or the source is in an archive."""
    path = None if isinstance(source, Blob) else Path(source).with_name(name)
    return path if path and path.is_file() else None


# -- writing -------------------------------------------------------------------------------------------------------


def format_number(value: float) -> str:
    """Format a number; whole numbers have no decimal point.

    >>> format_number(4.0), format_number(2.5)
    ('4', '2.5')
    """
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))


def format_csv(columns: Sequence[str], rows: Iterable[Mapping[str, str]], delimiter: str = ",") -> str:
    r"""Format a table with quotes; cells that a row lacks are empty.

    >>> format_csv(["id", "text"], [{"id": "1", "text": 'They said "no".'}])
    'id,text\n1,"They said ""no""."\n'
    """
    records = chain([columns], ([row.get(name, "") for name in columns] for row in rows))
    return "".join(delimiter.join(map(_format_csv_cell, cells)) + "\n" for cells in records)


def _format_csv_cell(cell: str) -> str:
    if "\0" in cell or len(cell) >= csv.field_size_limit():
        problem = "a zero byte" if "\0" in cell else f"more than {csv.field_size_limit()} characters"
        raise InputError(f"{quote_value(cell)} holds {problem}, which a cell of a CSV file cannot; write JSON Lines")
    return '"' + cell.replace('"', '""') + '"' if _NEEDS_QUOTES.search(cell) else cell


def format_tsv(columns: Sequence[str], rows: Iterable[Mapping[str, str]], empty: str = "") -> str:
    r"""Format a table with tabs between its cells and no quotes; ``empty`` fills cells that hold nothing.

    >>> format_tsv(["id", "text"], [{"id": "1", "text": 'They said "no".'}])
    'id\ttext\n1\tThey said "no".\n'
    """
    records = chain([columns], ([row.get(name, "") or empty for name in columns] for row in rows))
    return "".join("\t".join(map(_format_tsv_cell, cells)) + "\n" for cells in records)


def _format_tsv_cell(cell: str) -> str:
    if wrong := _NOT_IN_TSV.search(cell):
        problem = f"{quote_value(cell)} holds {wrong[0]!r}, which a tab-separated cell without quotes cannot"
        raise InputError(f"{problem}; replace it, or write CSV or JSON Lines")
    return cell

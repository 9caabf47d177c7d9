"""A whole study as JSON Lines, without loss: what is judged, by whom, and everything that was ever said.

The first line says what this is, and how many rows there are of each table; every other line is a row::

    {"polyseme": "study", "version": 1, "rows": {"study": 1, "page": 20, …}}
    {"table": "study", "id": 1, "toml": "…", …}
    {"table": "page", "id": 1, "name": "1/WSsim/win.v.1", …}

Passwords, links and sessions are not in it. Whatever is wrong with a file is said with its line, before anything of it
is stored.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Boolean, Column, Float, Integer, Text

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import Source, read_lines, write_text
from polyseme.formats.json_records import LONE_SURROGATE, RecordError, first_object_fields, parse_object, require_fields
from polyseme.studio.store.annotators import ANNOTATOR_KINDS, ANNOTATOR_STATES
from polyseme.studio.store.backup import BACKUP_TABLES, SECRET_COLUMNS
from polyseme.studio.study.pages import Page
from polyseme.studio.study.settings import parse_study
from polyseme.studio.study.tasks import TASKS

TableRow = dict[str, Any]
StudyContents = Mapping[str, Sequence[Mapping[str, Any]]]
"""Table → its rows, as :meth:`polyseme.studio.store.store.Store.contents` gives them."""

VERSION = 1
INTEGER_LIMIT = 2**31
"""Whole numbers are below this: more, PostgreSQL does not hold."""

ALLOWED_TEXTS: Mapping[tuple[str, str], Sequence[str]] = {
    ("annotator", "kind"): ANNOTATOR_KINDS,
    ("annotator", "state"): ANNOTATOR_STATES,
    ("page", "task"): tuple(TASKS),
    ("event", "kind"): ("rating", "comment", "invalid", "valid", "adjudication"),
    ("assignment", "role"): ("", "repeat", "control", "training", "adjudication"),
}
"""The columns that can hold only some texts."""

REFERENCES = {
    ("assignment", "annotator"): "annotator",
    ("assignment", "page"): "page",
    ("event", "annotator"): "annotator",
    ("event", "assignment"): "assignment",
}
"""The columns that hold numbers of rows of other tables."""


def format_study_archive(contents: StudyContents) -> str:
    """The contents of a store as text."""
    first = {
        "polyseme": "study",
        "version": VERSION,
        "rows": {name: len(contents.get(name, ())) for name in BACKUP_TABLES},
    }
    rows = ({"table": name, **_decode_content(row)} for name in BACKUP_TABLES for row in contents.get(name, ()))
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in (first, *rows))


def _decode_content(row: Mapping[str, Any]) -> TableRow:
    """A row of which what is stored as JSON is JSON."""
    return {name: json.loads(cell) if name == "content" else cell for name, cell in row.items()}


def is_study_archive(start: bytes) -> bool:
    """Whether a file that begins so holds a study."""
    return {"polyseme", "version", "rows"} <= first_object_fields(start)


def read_study_archive(source: Source) -> dict[str, list[TableRow]]:
    """The contents of a store, checked."""
    numbered = ((number, text) for number, text in read_lines(source) if text.strip())
    expected = _read_header(numbered, source)
    found: dict[str, list[TableRow]] = {name: [] for name in BACKUP_TABLES}
    numbers: dict[str, set[int]] = {name: set() for name in BACKUP_TABLES}
    for number, text in numbered:
        try:
            table, row = _parse_row(parse_object(text))
            _check_references(table, row, numbers)
        except RecordError as error:
            raise InputError(str(error), path=source, line=number) from None
        found[table].append(row)
    if wrong := [name for name in BACKUP_TABLES if len(found[name]) != expected.get(name)]:
        there, wanted = len(found[wrong[0]]), expected.get(wrong[0])
        problem = f"there are {there} rows of {wrong[0]!r}, and the first line promises {wanted}"
        raise InputError(f"{problem}; the file is cut short or was changed: export it again", path=source)
    _check_study(found, source)
    return found


def _read_header(numbered: Iterator[tuple[int, str]], source: Source) -> Mapping[str, object]:
    """How many rows of each table the first line promises."""
    number, text = next(numbered, (1, "{}"))
    try:
        first = parse_object(text)
        require_fields(first, "polyseme", "version", "rows")
    except RecordError as error:
        problem = f"this is no exported study: {error}"
        raise InputError(f"{problem}. Type: polyseme annotate export STUDY --format study", path=source) from None
    if first["version"] != VERSION:
        problem = f"the version is {quote_value(first['version'])}, and this polyseme knows {VERSION}"
        raise InputError(f"{problem}. Type: pip install --upgrade 'polyseme[annotate]'", path=source, line=number)
    rows = first["rows"]
    return rows if isinstance(rows, dict) else {}


def _parse_row(given: dict[str, object]) -> tuple[str, TableRow]:
    require_fields(given, "table")
    name = given.pop("table")
    if not isinstance(name, str) or name not in BACKUP_TABLES:
        raise RecordError(f"the table {quote_value(name)} is not known; allowed are {', '.join(BACKUP_TABLES)}")
    columns = {each.name: each for each in BACKUP_TABLES[name].columns if each.name not in SECRET_COLUMNS.get(name, ())}
    require_fields(given, *columns)
    if unknown := [each for each in given if each not in columns]:
        raise RecordError(f"{name} has no {quote_value(unknown[0])}; it has {', '.join(columns)}")
    return name, {each: _parse_cell(given[each], column, name) for each, column in columns.items()}


def _parse_cell(given: object, column: Column[Any], table: str) -> object:
    if column.name == "content":
        given = json.dumps(given, ensure_ascii=False)
    if given is None and column.nullable:
        return None
    kind, allowed = _COLUMN_TYPES[type(column.type)]
    number = isinstance(given, int | float) and not isinstance(given, bool)
    fits = isinstance(given, bool) if kind is bool else number if kind is float else type(given) is kind
    if not fits or (number and not -math.inf < float(given) < INTEGER_LIMIT):  # type: ignore[arg-type]  # it is a number
        raise RecordError(f"{column.name} of {table} is {quote_value(given)}; it must be {allowed}")
    if isinstance(given, str) and ("\0" in given or LONE_SURROGATE.search(given)):
        raise RecordError(f"{column.name} of {table} contains an invalid character")
    one_of = ALLOWED_TEXTS.get((table, column.name))
    if one_of is not None and given not in one_of:
        raise RecordError(
            f"{column.name} of {table} is {quote_value(given)}; allowed are {', '.join(map(repr, one_of))}"
        )
    return float(given) if kind is float else given  # type: ignore[arg-type]  # it is a number


_COLUMN_TYPES: Mapping[type, tuple[type, str]] = {
    Integer: (int, f"a whole number below {INTEGER_LIMIT}"),
    Float: (float, "a number"),
    Text: (str, "text"),
    Boolean: (bool, "true or false"),
}


def _check_references(table: str, row: TableRow, numbers: dict[str, set[int]]) -> None:
    """Whether a row has a number of its own, and the rows that it refers to came before."""
    if row["id"] in numbers[table]:
        raise RecordError(f"there are two rows of {table} with the number {row['id']}")
    numbers[table].add(row["id"])
    for (name, column), other in REFERENCES.items():
        if name == table and row[column] not in numbers[other]:
            raise RecordError(f"{column} of {table} is {row[column]}, and no {other} before it has this number")


def _check_study(found: Mapping[str, list[TableRow]], source: Source) -> None:
    """Whether the study and its pages are what they must be, and names are unique."""
    if len(found["study"]) != 1:
        raise InputError(f"there are {len(found['study'])} rows of 'study'; there must be one", path=source)
    parse_study(found["study"][0]["toml"], source)
    for row in found["page"]:
        try:
            page = Page.from_content(*_page_columns(row), json.loads(row["content"]))
            fits = (page.usage, page.other) == (row["usage"], row["other"]) and bool(page.rules)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError):
            fits = False
        if not fits:
            raise InputError(f"the content of page {quote_value(row['name'])} is not that of a page", path=source)
    for table in ("page", "annotator"):
        name, count = Counter(row["name"] for row in found[table]).most_common(1)[0] if found[table] else ("", 0)
        if count > 1:
            raise InputError(f"two rows of {table!r} are called {quote_value(name)}; names must be unique", path=source)


def _page_columns(row: TableRow) -> tuple[str, str, str, str, str]:
    return row["name"], row["task"], row["round"], row["lemma"], row["role"]


def write_study_file(contents: StudyContents, path: Path) -> None:
    """Write the study file that a store was begun with, and its instructions beside it, if they were a file."""
    row = contents["study"][0]
    study = parse_study(row["toml"], path, path.parent)
    write_text(path, row["toml"])
    if study.instructions != row["instructions"]:
        beside = study.path(study.instructions)
        if not beside.exists() and beside.parent.is_dir():
            write_text(beside, row["instructions"])

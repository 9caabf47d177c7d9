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

from polyseme.annotate.copies import SECRET, TABLES
from polyseme.annotate.items import Page
from polyseme.annotate.people import KINDS, STATES
from polyseme.annotate.study import parse_study
from polyseme.annotate.tasks import TASKS
from polyseme.errors import InputError, shown
from polyseme.formats.files import Source, lines, write_text
from polyseme.formats.json_text import HALF, NotAsAgreed, check_fields, first_fields, given_object

Row = dict[str, Any]
Contents = Mapping[str, Sequence[Mapping[str, Any]]]
"""Table → its rows, as :meth:`polyseme.annotate.store.Store.contents` gives them."""

VERSION = 1
MOST = 2**31
"""Whole numbers are below this: more, PostgreSQL does not hold."""

ALLOWED: Mapping[tuple[str, str], Sequence[str]] = {
    ("annotator", "kind"): KINDS,
    ("annotator", "state"): STATES,
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


def format_study(contents: Contents) -> str:
    """The contents of a store as text."""
    first = {"polyseme": "study", "version": VERSION, "rows": {name: len(contents.get(name, ())) for name in TABLES}}
    rows = ({"table": name, **_opened(row)} for name in TABLES for row in contents.get(name, ()))
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in (first, *rows))


def _opened(row: Mapping[str, Any]) -> Row:
    """A row of which what is stored as JSON is JSON."""
    return {name: json.loads(cell) if name == "content" else cell for name, cell in row.items()}


def is_study(start: bytes) -> bool:
    """Whether a file that begins so holds a study."""
    return {"polyseme", "version", "rows"} <= first_fields(start)


def read_study_lines(source: Source) -> dict[str, list[Row]]:
    """The contents of a store, checked."""
    numbered = ((number, text) for number, text in lines(source) if text.strip())
    expected = _expected(numbered, source)
    found: dict[str, list[Row]] = {name: [] for name in TABLES}
    numbers: dict[str, set[int]] = {name: set() for name in TABLES}
    for number, text in numbered:
        try:
            table, row = _row(given_object(text))
            _check_references(table, row, numbers)
        except NotAsAgreed as error:
            raise InputError(str(error), path=source, line=number) from None
        found[table].append(row)
    if wrong := [name for name in TABLES if len(found[name]) != expected.get(name)]:
        there, wanted = len(found[wrong[0]]), expected.get(wrong[0])
        problem = f"there are {there} rows of {wrong[0]!r}, and the first line promises {wanted}"
        raise InputError(f"{problem}; the file is cut short or was changed: export it again", path=source)
    _check_study(found, source)
    return found


def _expected(numbered: Iterator[tuple[int, str]], source: Source) -> Mapping[str, object]:
    """How many rows of each table the first line promises."""
    number, text = next(numbered, (1, "{}"))
    try:
        first = given_object(text)
        check_fields(first, "polyseme", "version", "rows")
    except NotAsAgreed as error:
        problem = f"this is no exported study: {error}"
        raise InputError(f"{problem}. Type: polyseme annotate export STUDY --format study", path=source) from None
    if first["version"] != VERSION:
        problem = f"the version is {shown(first['version'])}, and this polyseme knows {VERSION}"
        raise InputError(f"{problem}. Type: pip install --upgrade 'polyseme[annotate]'", path=source, line=number)
    rows = first["rows"]
    return rows if isinstance(rows, dict) else {}


def _row(given: dict[str, object]) -> tuple[str, Row]:
    check_fields(given, "table")
    name = given.pop("table")
    if not isinstance(name, str) or name not in TABLES:
        raise NotAsAgreed(f"the table {shown(name)} is not known; allowed are {', '.join(TABLES)}")
    columns = {each.name: each for each in TABLES[name].columns if each.name not in SECRET.get(name, ())}
    check_fields(given, *columns)
    if unknown := [each for each in given if each not in columns]:
        raise NotAsAgreed(f"{name} has no {shown(unknown[0])}; it has {', '.join(columns)}")
    return name, {each: _cell(given[each], column, name) for each, column in columns.items()}


def _cell(given: object, column: Column[Any], table: str) -> object:
    if column.name == "content":
        given = json.dumps(given, ensure_ascii=False)
    if given is None and column.nullable:
        return None
    kind, allowed = _KINDS[type(column.type)]
    number = isinstance(given, int | float) and not isinstance(given, bool)
    fits = isinstance(given, bool) if kind is bool else number if kind is float else type(given) is kind
    if not fits or (number and not -math.inf < float(given) < MOST):  # type: ignore[arg-type]  # it is a number
        raise NotAsAgreed(f"{column.name} of {table} is {shown(given)}; it must be {allowed}")
    if isinstance(given, str) and ("\0" in given or HALF.search(given)):
        raise NotAsAgreed(f"{column.name} of {table} holds a character that is none")
    one_of = ALLOWED.get((table, column.name))
    if one_of is not None and given not in one_of:
        raise NotAsAgreed(f"{column.name} of {table} is {shown(given)}; allowed are {', '.join(map(repr, one_of))}")
    return float(given) if kind is float else given  # type: ignore[arg-type]  # it is a number


_KINDS: Mapping[type, tuple[type, str]] = {
    Integer: (int, f"a whole number below {MOST}"),
    Float: (float, "a number"),
    Text: (str, "text"),
    Boolean: (bool, "true or false"),
}


def _check_references(table: str, row: Row, numbers: dict[str, set[int]]) -> None:
    """Whether a row has a number of its own, and the rows that it refers to came before."""
    if row["id"] in numbers[table]:
        raise NotAsAgreed(f"there are two rows of {table} with the number {row['id']}")
    numbers[table].add(row["id"])
    for (name, column), other in REFERENCES.items():
        if name == table and row[column] not in numbers[other]:
            raise NotAsAgreed(f"{column} of {table} is {row[column]}, and no {other} before it has this number")


def _check_study(found: Mapping[str, list[Row]], source: Source) -> None:
    """Whether the study and its pages are what they must be, and names are unique."""
    if len(found["study"]) != 1:
        raise InputError(f"there are {len(found['study'])} rows of 'study'; there must be one", path=source)
    parse_study(found["study"][0]["toml"], source)
    for row in found["page"]:
        try:
            page = Page.from_content(*_named(row), json.loads(row["content"]))
            fits = (page.usage, page.other) == (row["usage"], row["other"]) and bool(page.rules)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError):
            fits = False
        if not fits:
            raise InputError(f"the content of page {shown(row['name'])} is not that of a page", path=source)
    for table in ("page", "annotator"):
        name, count = Counter(row["name"] for row in found[table]).most_common(1)[0] if found[table] else ("", 0)
        if count > 1:
            raise InputError(f"two rows of {table!r} are called {shown(name)}; names must be unique", path=source)


def _named(row: Row) -> tuple[str, str, str, str, str]:
    return row["name"], row["task"], row["round"], row["lemma"], row["role"]


def write_study_file(contents: Contents, path: Path) -> None:
    """Write the study file that a store was begun with, and its instructions beside it, if they were a file."""
    row = contents["study"][0]
    study = parse_study(row["toml"], path, path.parent)
    write_text(path, row["toml"])
    if study.instructions != row["instructions"]:
        beside = study.path(study.instructions)
        if not beside.exists() and beside.parent.is_dir():
            write_text(beside, row["instructions"])

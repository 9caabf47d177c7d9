"""A whole study as JSON Lines, without loss: its pages, its annotators, and all events.

The first line identifies the file and counts the rows of each table; every other line is a row::

    {"polyseme": "study", "version": 1, "rows": {"study": 1, "page": 20, …}}
    {"table": "study", "id": 1, "toml": "…", …}
    {"table": "page", "id": 1, "name": "1/WSsim/win.v.1", …}

Passwords, links and sessions are left out. A file is checked as a whole before any of it is stored; error messages
name the line.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, create_model
from sqlalchemy import Boolean, Column, Float, Integer, Text

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import Source, read_lines, write_text
from polyseme.formats.json_records import (
    LONE_SURROGATE,
    RecordError,
    first_object_fields,
    parse_object,
    require_fields,
)
from polyseme.settings import Settings, list_allowed, validate_settings
from polyseme.studio.store.annotators import ANNOTATOR_KINDS, ANNOTATOR_STATES
from polyseme.studio.store.backup import BACKUP_TABLES, SECRET_COLUMNS
from polyseme.studio.study.pages import Page
from polyseme.studio.study.settings import parse_study
from polyseme.studio.study.tasks import TASKS

TableRow = dict[str, Any]
StudyContents = Mapping[str, Sequence[Mapping[str, Any]]]
"""Table → its rows, as :meth:`polyseme.studio.store.store.Store.contents` returns them."""

VERSION = 1
INTEGER_LIMIT = 2**31
"""Whole numbers must be smaller than this, the limit of PostgreSQL."""

ALLOWED_TEXTS: Mapping[tuple[str, str], Sequence[str]] = {
    ("annotator", "kind"): ANNOTATOR_KINDS,
    ("annotator", "state"): ANNOTATOR_STATES,
    ("page", "task"): tuple(TASKS),
    ("event", "kind"): ("rating", "comment", "invalid", "valid", "adjudication"),
    ("assignment", "role"): ("", "repeat", "control", "training", "adjudication"),
}
"""The texts that a column of a table can have."""

REFERENCES = {
    ("assignment", "annotator"): "annotator",
    ("assignment", "page"): "page",
    ("event", "annotator"): "annotator",
    ("event", "assignment"): "assignment",
}
"""The columns that contain ids of rows of other tables."""


def format_study_archive(contents: StudyContents) -> str:
    """Format the contents of a store."""
    counts = {name: len(contents.get(name, ())) for name in BACKUP_TABLES}
    header = {"polyseme": "study", "version": VERSION, "rows": counts}
    rows = [{"table": name, **row} for name in BACKUP_TABLES for row in contents.get(name, ())]
    decoded = ({**row, "content": json.loads(row["content"])} if "content" in row else row for row in rows)
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in (header, *decoded))


def is_study_archive(start: bytes) -> bool:
    """Whether a file with this start contains a study."""
    return {"polyseme", "version", "rows"} <= first_object_fields(start)


def read_study_archive(source: Source) -> dict[str, list[TableRow]]:
    """Read and check the contents of a store.

    Raises:
        InputError: The file is not an exported study, or it is damaged.
    """
    numbered = ((number, text) for number, text in read_lines(source) if text.strip())
    counts = _read_header(numbered, source)
    contents: dict[str, list[TableRow]] = {name: [] for name in BACKUP_TABLES}
    ids: dict[str, set[int]] = {name: set() for name in BACKUP_TABLES}
    for number, text in numbered:
        try:
            table, row = _parse_row(parse_object(text))
            _check_references(table, row, ids)
        except (RecordError, InputError) as error:
            raise InputError(str(error), path=source, line=number) from None
        contents[table].append(row)
    for name, rows in contents.items():
        if len(rows) != counts.get(name):
            problem = f"there are {len(rows)} rows of {name!r}, but the first line promises {counts.get(name)}"
            raise InputError(f"{problem}; the file is damaged or was changed: export it again", path=source)
    _check_contents(contents, source)
    return contents


def _read_header(numbered: Iterator[tuple[int, str]], source: Source) -> Mapping[str, object]:
    """Read the first line: the number of rows of each table."""
    number, text = next(numbered, (1, "{}"))
    try:
        header = parse_object(text)
        require_fields(header, "polyseme", "version", "rows")
    except RecordError as error:
        problem = f"this is not an exported study: {error}"
        raise InputError(f"{problem}. Type: polyseme annotate export STUDY --format study", path=source) from None
    if header["version"] != VERSION:
        problem = f"the file has version {quote_value(header['version'])}, but this polyseme reads version {VERSION}"
        raise InputError(f"{problem}. Type: pip install --upgrade 'polyseme[annotate]'", path=source, line=number)
    rows = header["rows"]
    return rows if isinstance(rows, dict) else {}


# -- rows ------------------------------------------------------------------------------------------------------------

_COLUMN_TYPES: Mapping[type, tuple[Any, str]] = {
    Integer: (Annotated[int, Field(lt=INTEGER_LIMIT)], f"a whole number below {INTEGER_LIMIT}"),
    Float: (Annotated[float, Field(lt=INTEGER_LIMIT, allow_inf_nan=False)], "a number"),
    Text: (str, "text"),
    Boolean: (bool, "true or false"),
}


@cache
def _row_model(table: str) -> type[Settings]:
    """Build the model that validates the rows of a table."""
    columns = [column for column in BACKUP_TABLES[table].columns if column.name not in SECRET_COLUMNS.get(table, ())]
    fields: dict[str, Any] = {column.name: (_column_type(column, table), ...) for column in columns}
    return create_model(table, __base__=Settings, **fields)


def _column_type(column: Column[Any], table: str) -> Any:
    """Return the annotation of a column: its type, with the checks of its texts."""
    allowed = ALLOWED_TEXTS.get((table, column.name))

    def check_text(value: object) -> object:
        if isinstance(value, str) and ("\0" in value or LONE_SURROGATE.search(value)):
            raise ValueError("it contains an invalid character")
        if allowed is not None and value not in allowed:
            raise ValueError(list_allowed(str(value), allowed))
        return value

    annotation, description = _COLUMN_TYPES[type(column.type)]
    encode = [BeforeValidator(lambda value: json.dumps(value, ensure_ascii=False))] if column.name == "content" else []
    optional = annotation | None if column.nullable else annotation
    return Annotated[optional, Field(description=description), AfterValidator(check_text), *encode]


def _parse_row(record: dict[str, object]) -> tuple[str, TableRow]:
    """Parse a line: the table and the row."""
    require_fields(record, "table")
    table = record.pop("table")
    if not isinstance(table, str) or table not in BACKUP_TABLES:
        raise RecordError(f"there is no table {quote_value(table)}; {list_allowed(str(table), BACKUP_TABLES)}")
    try:
        return table, validate_settings(_row_model(table), record).model_dump()
    except InputError as error:
        raise RecordError(f"{table}: {error}") from None


def _check_references(table: str, row: TableRow, ids: dict[str, set[int]]) -> None:
    """Check that a row has its own id, and that the rows to which it refers are already there."""
    if row["id"] in ids[table]:
        raise RecordError(f"there are two rows of {table} with the id {row['id']}")
    ids[table].add(row["id"])
    for (name, column), other in REFERENCES.items():
        if name == table and row[column] not in ids[other]:
            raise RecordError(f"{column} of {table} is {row[column]}, but no earlier {other} has this id")


def _check_contents(contents: Mapping[str, list[TableRow]], source: Source) -> None:
    """Check the study and its pages, and that names are unique."""
    if len(contents["study"]) != 1:
        raise InputError(f"there are {len(contents['study'])} rows of 'study'; there must be one", path=source)
    parse_study(contents["study"][0]["toml"], source)
    for row in contents["page"]:
        name, task, round_name, lemma, role = (row[key] for key in ("name", "task", "round", "lemma", "role"))
        try:
            page = Page.from_content(name, task, round_name, lemma, role, json.loads(row["content"]))
            is_valid = (page.usage, page.other) == (row["usage"], row["other"]) and bool(page.rules)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError):
            is_valid = False
        if not is_valid:
            raise InputError(f"the content of page {quote_value(name)} is invalid; export the study again", path=source)
    for table in ("page", "annotator"):
        names = Counter(row["name"] for row in contents[table])
        for name, count in names.most_common(1):
            if count > 1:
                problem = f"two rows of {table!r} have the name {quote_value(name)}"
                raise InputError(f"{problem}; names must be unique", path=source)


def write_study_file(contents: StudyContents, path: Path) -> None:
    """Write the study file of a store, and its instructions beside it, if they were a file."""
    row = contents["study"][0]
    study = parse_study(row["toml"], path, path.parent)
    write_text(path, row["toml"])
    if study.instructions != row["instructions"]:
        instructions_path = study.path(study.instructions)
        if not instructions_path.exists() and instructions_path.parent.is_dir():
            write_text(instructions_path, row["instructions"])

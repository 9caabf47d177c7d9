"""Ratings as CSV: our own long table, without loss, and the tables of Erk, McCarthy & Gaylord (2013).

The long table may also be separated by tabs (``ratings-tsv``); its cells are quoted as in CSV.

===============  =====================================================================================================
``ratings-csv``  ``annotator, task, lemma, usage, target, value``, and ``comment, time, round, group, role, order,
                 milliseconds``
``usim-csv``     ``lemma, lexsub_id1, lexsub_id2, judgment, user_id``
``wssim-csv``    ``lemma, lexsub_id, sense_id, judgment, user_id``
===============  =====================================================================================================

The columns may stand in any order, and those after ``value`` are optional. An empty value means that the annotator
could not decide; in the authors' tables ``NA`` and ``I don't know`` mean the same. There, a usage that is a number gets
its lemma as a prefix: ``1`` of ``bright.a`` is ``bright.a.1``. The authors' files also list the mean of all annotators
under the name ``avg``, which is skipped.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import Source, write_text
from polyseme.formats.ratings_jsonl import INTEGER_FIELDS, REQUIRED_FIELDS
from polyseme.formats.registry import FileFormat
from polyseme.formats.tables import (
    TableRow,
    format_csv,
    format_number,
    has_columns,
    parse_integer,
    parse_number,
    parse_role,
    read_csv_rows,
)
from polyseme.rating import UNDECIDED, WSSIM, Rating

BASIC_COLUMNS = (*REQUIRED_FIELDS, "comment", "time", "round")
"""The columns that are always written; the others are written if a row has a value in them."""
USIM_COLUMNS = ("lemma", "lexsub_id1", "lexsub_id2", "judgment", "user_id")
WSSIM_COLUMNS = ("lemma", "lexsub_id", "sense_id", "judgment", "user_id")
AVERAGE_ANNOTATOR = "avg"
"""The name under which the authors' tables list the mean of all annotators."""
CANNOT_DECIDE = frozenset(
    ("", "na", "n/a", "none", "null", "?", "-", "i don't know", "i dont know", "don't know", "dont know")
)
"""The texts for a judgement that an annotator could not make, in lower case."""

_NUMBER = re.compile(r"[0-9]+")


# -- the long table ------------------------------------------------------------------------------------------------


def read_ratings_csv(source: Source) -> Iterator[Rating]:
    """Yield the judgements of our own long table."""
    return (_parse_rating(row, source) for row in read_csv_rows(source, REQUIRED_FIELDS))


def _parse_rating(row: TableRow, source: object) -> Rating:
    """Parse one of perhaps a million rows; optional cells are checked only if they are filled."""
    cells = row.cells
    get = cells.get
    annotator, usage, target = cells["annotator"], cells["usage"], cells["target"]
    text, role = cells["value"], get("role", "")
    if not (annotator and usage and target):
        _check_filled(row, ("annotator", "usage", "target"), source)
    value = parse_number(row, "value", source) if text else UNDECIDED
    if text and not math.isfinite(value):
        problem = f"value {quote_value(text)} is not a finite number; leave the cell empty for 'cannot decide'"
        raise InputError(problem, path=source, line=row.line)
    if role:
        parse_role(row, source)
    order = parse_integer(row, "order", source) if get("order") else None
    milliseconds = parse_integer(row, "milliseconds", source) if get("milliseconds") else None
    details = (get("comment", ""), get("time", ""), get("round", ""), get("group", ""), role, order, milliseconds)
    return Rating(annotator, cells["task"], cells["lemma"], usage, target, value, *details)


def _check_filled(row: TableRow, columns: Iterable[str], source: object) -> None:
    for name in columns:
        if not row.cells[name]:
            raise InputError(f"the column {name} is empty; every row needs it", path=source, line=row.line)


def write_ratings_csv(ratings: Iterable[Rating], path: str | os.PathLike[str], delimiter: str = ",") -> None:
    """Write our own long table, so that it is read back unchanged."""
    rows = []
    for number, rating in enumerate(ratings, start=2):
        integers = {name: "" if (value := getattr(rating, name)) is None else str(value) for name in INTEGER_FIELDS}
        rows.append({**rating._asdict(), "value": _format_value(rating.value), **integers})
        _parse_rating(TableRow(number, rows[-1]), path)
    columns = [name for name in Rating._fields if name in BASIC_COLUMNS or any(row[name] for row in rows)]
    write_text(path, format_csv(columns, rows, delimiter))


def _format_value(value: float) -> str:
    return "" if math.isnan(value) else format_number(value)


# -- the authors' tables -------------------------------------------------------------------------------------------


def read_usim_csv(source: Source) -> Iterator[Rating]:
    """Yield the judgements of the authors' table of Usim: pairs of usages."""
    for lemma, first, second, user, value in _read_judgements(source, USIM_COLUMNS):
        yield Rating(user, "Usim", lemma, _full_usage_name(first, lemma), _full_usage_name(second, lemma), value)


def read_wssim_csv(source: Source) -> Iterator[Rating]:
    """Yield the judgements of the authors' table of WSsim: usages and senses."""
    for lemma, usage, sense, user, value in _read_judgements(source, WSSIM_COLUMNS):
        yield Rating(user, "WSsim", lemma, _full_usage_name(usage, lemma), sense, value)


def _read_judgements(source: Source, columns: tuple[str, ...]) -> Iterator[tuple[str, str, str, str, float]]:
    """Yield lemma, usage, target, annotator and value of each row that is not a mean."""
    lemma, first, second, _, user = columns
    for row in read_csv_rows(source, columns):
        if row.cells["user_id"] != AVERAGE_ANNOTATOR:
            _check_filled(row, (lemma, first, second, user), source)
            cells = row.cells
            yield cells[lemma], cells[first], cells[second], cells[user], _parse_judgement(row, source)


def _full_usage_name(name: str, lemma: str) -> str:
    return f"{lemma}.{name}" if _NUMBER.fullmatch(name) else name


def _parse_judgement(row: TableRow, source: object) -> float:
    text = row.cells["judgment"].strip()
    if text.lower().replace("’", "'") in CANNOT_DECIDE:
        return UNDECIDED
    value = parse_number(row, "judgment", source)
    if math.isnan(value) or not WSSIM.allows(value):
        problem = f"judgment {quote_value(text)} is off the scale from {WSSIM.lowest} to {WSSIM.highest}"
        raise InputError(f"{problem}; leave it empty for 'cannot decide'", path=source, line=row.line)
    return value


def write_usim_csv(ratings: Iterable[Rating], path: str | os.PathLike[str]) -> None:
    """Write the authors' table of Usim, which holds no comments, times and rounds."""
    _write_author_table(
        ratings, path, USIM_COLUMNS, "Usim", lambda rating: _short_usage_name(rating.target, rating.lemma)
    )


def write_wssim_csv(ratings: Iterable[Rating], path: str | os.PathLike[str]) -> None:
    """Write the authors' table of WSsim, which holds no comments, times and rounds."""
    _write_author_table(ratings, path, WSSIM_COLUMNS, "WSsim", lambda rating: rating.target)


def _write_author_table(
    ratings: Iterable[Rating],
    path: str | os.PathLike[str],
    columns: tuple[str, ...],
    task: str,
    format_target: Callable[[Rating], str],
) -> None:
    rows = []
    for rating in ratings:
        _check_writable(rating, task, path)
        usage = _short_usage_name(rating.usage, rating.lemma)
        cells = (rating.lemma, usage, format_target(rating), _format_value(rating.value), rating.annotator)
        rows.append(dict(zip(columns, cells, strict=True)))
    write_text(path, format_csv(columns, rows))


def _short_usage_name(name: str, lemma: str) -> str:
    number = name.removeprefix(f"{lemma}.")
    return number if _NUMBER.fullmatch(number) else name


def _check_writable(rating: Rating, task: str, path: object) -> None:
    """Raise an error if the table cannot hold all fields of a rating."""
    names = [rating.usage, *([rating.target] if task == "Usim" else [])]
    problems = {
        f"it is one of {quote_value(rating.task)}": rating.task != task,
        "it has a comment, a time, a round or the like": any(value not in ("", None) for value in rating[6:]),
        f"its value {rating.value} is off the scale": not WSSIM.allows(rating.value),
        "it has an empty name": not all(rating[:5]),
        f"its annotator is called {AVERAGE_ANNOTATOR!r}, as the mean is": rating.annotator == AVERAGE_ANNOTATOR,
        "a usage is called by a number alone": any(map(_NUMBER.fullmatch, names)),
    }
    if wrong := [problem for problem, holds in problems.items() if holds]:
        judgement = f"the rating of {quote_value(rating.usage)} by {quote_value(rating.annotator)}"
        problem = f"{judgement} cannot be written to a table of {task}: {wrong[0]}"
        raise InputError(f"{problem}; write the long table, ratings-csv", path=path)


FORMATS = (
    FileFormat.for_content(
        "ratings",
        "ratings-csv",
        "a long table of ratings (CSV)",
        has_columns(*REQUIRED_FIELDS, delimiters=",;"),
        read_ratings_csv,
        write_ratings_csv,
        ".csv",
    ),
    FileFormat.for_content(
        "ratings",
        "ratings-tsv",
        "a long table of ratings, with tabs (TSV)",
        has_columns(*REQUIRED_FIELDS, delimiters="\t"),
        read_ratings_csv,
        partial(write_ratings_csv, delimiter="\t"),
        ".tsv",
    ),
    FileFormat.for_content(
        "ratings",
        "usim-csv",
        "the authors' table of Usim ratings (CSV)",
        has_columns(*USIM_COLUMNS),
        read_usim_csv,
        write_usim_csv,
    ),
    FileFormat.for_content(
        "ratings",
        "wssim-csv",
        "the authors' table of WSsim ratings (CSV)",
        has_columns(*WSSIM_COLUMNS),
        read_wssim_csv,
        write_wssim_csv,
    ),
)

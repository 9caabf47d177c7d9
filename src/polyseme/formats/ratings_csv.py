"""Ratings as CSV: our own long table, which loses nothing, and the tables of Erk, McCarthy & Gaylord (2013).

The long table may have tabs between its cells as well (``ratings-tsv``); they are quoted as in CSV.

===============  =====================================================================================================
``ratings-csv``  ``annotator, task, lemma, usage, target, value``, and ``comment, time, round, group, role, order,
                 milliseconds``
``usim-csv``     ``lemma, lexsub_id1, lexsub_id2, judgment, user_id``
``wssim-csv``    ``lemma, lexsub_id, sense_id, judgment, user_id``
===============  =====================================================================================================

The columns may stand in any order, and those after ``value`` may be missing. In the long table an empty
value says that the annotator could not decide; in the others so do ``NA`` and ``I don't know``. A usage that is but a
number there is called after its lemma as well: ``1`` of ``bright.a`` is ``bright.a.1``. The authors' files hold the
mean of all annotators too, under the name ``avg``: it is nobody's judgement, and left out.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import Source, write_text
from polyseme.formats.registry import FileFormat
from polyseme.formats.tables import TableRow, format_csv, format_number, has_columns, parse_number, read_csv_rows
from polyseme.rating import ROLES, UNDECIDED, WSSIM, Rating

REQUIRED_COLUMNS = ("annotator", "task", "lemma", "usage", "target", "value")
INTEGER_COLUMNS = ("order", "milliseconds")
"""The columns of whole numbers."""
BASIC_COLUMNS = (*REQUIRED_COLUMNS, "comment", "time", "round")
"""The columns that are always written; the others, if a row has something in them."""
USIM_COLUMNS = ("lemma", "lexsub_id1", "lexsub_id2", "judgment", "user_id")
WSSIM_COLUMNS = ("lemma", "lexsub_id", "sense_id", "judgment", "user_id")
AVERAGE_ANNOTATOR = "avg"
"""Who gives the mean of all annotators in the authors' tables."""
CANNOT_DECIDE = {
    "",
    "na",
    "n/a",
    "nan",
    "none",
    "null",
    "?",
    "-",
    "i don't know",
    "i dont know",
    "don't know",
    "dont know",
}
"""What stands for a judgement that was not made, in small letters."""

_NUMBER = re.compile(r"[0-9]+")


def read_ratings_csv(source: Source) -> Iterator[Rating]:
    """Read our own long table."""
    return (_parse_rating(row, source) for row in read_csv_rows(source, REQUIRED_COLUMNS))


def _parse_rating(row: TableRow, source: object) -> Rating:
    """One of perhaps a million: what is seldom there is looked at only where it is."""
    cells = row.cells
    get = cells.get
    annotator, usage, target = cells["annotator"], cells["usage"], cells["target"]
    text, role = cells["value"], get("role", "")
    if not (annotator and usage and target):
        _check_filled(row, next(name for name in ("annotator", "usage", "target") if not cells[name]), source)
    value = parse_number(row, "value", source) if text else UNDECIDED
    if text and not math.isfinite(value):
        problem = f"value {quote_value(text)} is not a finite number; leave the cell empty for 'cannot decide'"
        raise InputError(problem, path=source, line=row.line)
    if role not in ROLES:
        problem = f"role {quote_value(role)} is not known; allowed are nothing, {', '.join(ROLES[1:])}"
        raise InputError(problem, path=source, line=row.line)
    order = _parse_integer(row, "order", source) if get("order") else None
    took = _parse_integer(row, "milliseconds", source) if get("milliseconds") else None
    said = (get("comment", ""), get("time", ""), get("round", ""), get("group", ""), role, order, took)
    return Rating(annotator, cells["task"], cells["lemma"], usage, target, value, *said)


def _parse_integer(row: TableRow, name: str, source: object) -> int:
    text = row.cells[name]
    if not _NUMBER.fullmatch(text):
        raise InputError(f"{name} {quote_value(text)} is not a whole number", path=source, line=row.line)
    return int(text)


def _check_filled(row: TableRow, name: str, source: object) -> None:
    if not row.cells[name]:
        raise InputError(f"the column {name} is empty; every row needs it", path=source, line=row.line)


def write_ratings_csv(ratings: Iterable[Rating], path: str | os.PathLike[str], delimiter: str = ",") -> None:
    """Write our own long table: what is read back is what was written."""
    rows = []
    for number, rating in enumerate(ratings, start=2):
        value = "" if math.isnan(rating.value) else format_number(rating.value)
        numbers = {name: "" if (given := getattr(rating, name)) is None else str(given) for name in INTEGER_COLUMNS}
        rows.append({**rating._asdict(), "value": value, **numbers})
        _parse_rating(TableRow(number, rows[-1]), path)
    used = [name for name in Rating._fields if name in BASIC_COLUMNS or any(row[name] for row in rows)]
    write_text(path, format_csv(used, rows, delimiter))


def read_usim_csv(source: Source) -> Iterator[Rating]:
    """Read the authors' table of Usim: pairs of usages."""
    for row in _read_judgement_rows(source, USIM_COLUMNS):
        lemma, first, second, user = _name_cells(row, USIM_COLUMNS, source)
        value = _parse_judgement(row, source)
        yield Rating(user, "Usim", lemma, _full_usage_name(first, lemma), _full_usage_name(second, lemma), value)


def read_wssim_csv(source: Source) -> Iterator[Rating]:
    """Read the authors' table of WSsim: usages and senses."""
    for row in _read_judgement_rows(source, WSSIM_COLUMNS):
        lemma, usage, sense, user = _name_cells(row, WSSIM_COLUMNS, source)
        yield Rating(user, "WSsim", lemma, _full_usage_name(usage, lemma), sense, _parse_judgement(row, source))


def _read_judgement_rows(source: Source, columns: tuple[str, ...]) -> Iterator[TableRow]:
    """The rows, without the authors' means."""
    return (row for row in read_csv_rows(source, columns) if row.cells["user_id"] != AVERAGE_ANNOTATOR)


def _name_cells(row: TableRow, columns: tuple[str, ...], source: object) -> tuple[str, str, str, str]:
    lemma, first, second, _, user = columns
    for name in (lemma, first, second, user):
        _check_filled(row, name, source)
    return row.cells[lemma], row.cells[first], row.cells[second], row.cells[user]


def _full_usage_name(name: str, lemma: str) -> str:
    return f"{lemma}.{name}" if _NUMBER.fullmatch(name) else name


def _parse_judgement(row: TableRow, source: object) -> float:
    text = row.cells["judgment"].strip()
    if text.lower().replace("’", "'") in CANNOT_DECIDE:
        return UNDECIDED
    value = parse_number(row, "judgment", source)
    if not WSSIM.allows(value):
        problem = f"judgment {quote_value(text)} is off the scale from {WSSIM.lowest} to {WSSIM.highest}"
        raise InputError(f"{problem}; leave it empty for 'cannot decide'", path=source, line=row.line)
    return value


def write_usim_csv(ratings: Iterable[Rating], path: str | os.PathLike[str]) -> None:
    """Write the authors' table of Usim; comments, times and rounds have no place in it."""
    _write_author_table(
        ratings, path, USIM_COLUMNS, "Usim", lambda rating: _short_usage_name(rating.target, rating.lemma)
    )


def write_wssim_csv(ratings: Iterable[Rating], path: str | os.PathLike[str]) -> None:
    """Write the authors' table of WSsim; comments, times and rounds have no place in it."""
    _write_author_table(ratings, path, WSSIM_COLUMNS, "WSsim", lambda rating: rating.target)


def _write_author_table(
    ratings: Iterable[Rating],
    path: str | os.PathLike[str],
    columns: tuple[str, ...],
    task: str,
    target: Callable[[Rating], str],
) -> None:
    rows = []
    for rating in ratings:
        _check_writable(rating, task, path)
        value = "" if math.isnan(rating.value) else format_number(rating.value)
        cells = (rating.lemma, _short_usage_name(rating.usage, rating.lemma), target(rating), value, rating.annotator)
        rows.append(dict(zip(columns, cells, strict=True)))
    write_text(path, format_csv(columns, rows))


def _short_usage_name(name: str, lemma: str) -> str:
    number = name.removeprefix(f"{lemma}.")
    return number if _NUMBER.fullmatch(number) else name


def _check_writable(rating: Rating, task: str, path: object) -> None:
    """Whether the table has a place for all that a rating says."""
    names = [rating.usage, *([rating.target] if task == "Usim" else [])]
    problems = {
        f"it is one of {quote_value(rating.task)}": rating.task != task,
        "it has a comment, a time, a round or the like": any(each not in ("", None) for each in rating[6:]),
        f"its value {rating.value} is off the scale": not WSSIM.allows(rating.value),
        "it has an empty name": not all(rating[:5]),
        f"its annotator is called {AVERAGE_ANNOTATOR!r}, as the mean is": rating.annotator == AVERAGE_ANNOTATOR,
        "a usage is called by a number alone": any(map(_NUMBER.fullmatch, names)),
    }
    wrong = [problem for problem, holds in problems.items() if holds]
    if wrong:
        what = f"the rating of {quote_value(rating.usage)} by {quote_value(rating.annotator)}"
        problem = f"{what} has no place in a table of {task}: {wrong[0]}"
        raise InputError(f"{problem}; write the long table, ratings-csv", path=path)


FORMATS = (
    FileFormat(
        "ratings-csv",
        "a long table of ratings (CSV)",
        has_columns(*REQUIRED_COLUMNS, delimiters=",;"),
        readers={"ratings": read_ratings_csv},
        writers={"ratings": write_ratings_csv},
        suffixes=(".csv",),
    ),
    FileFormat(
        "ratings-tsv",
        "a long table of ratings, with tabs (TSV)",
        has_columns(*REQUIRED_COLUMNS, delimiters="\t"),
        readers={"ratings": read_ratings_csv},
        writers={"ratings": partial(write_ratings_csv, delimiter="\t")},
        suffixes=(".tsv",),
    ),
    FileFormat(
        "usim-csv",
        "the authors' table of Usim ratings (CSV)",
        has_columns(*USIM_COLUMNS),
        readers={"ratings": read_usim_csv},
        writers={"ratings": write_usim_csv},
    ),
    FileFormat(
        "wssim-csv",
        "the authors' table of WSsim ratings (CSV)",
        has_columns(*WSSIM_COLUMNS),
        readers={"ratings": read_wssim_csv},
        writers={"ratings": write_wssim_csv},
    ),
)

"""Ratings as JSON Lines, without loss: one judgement a line, an object with the fields of a rating.

Required are ``annotator``, ``task``, ``lemma``, ``usage``, ``target`` and ``value``, which is ``null`` if the annotator
could not decide. Optional are ``comment``, ``time``, ``round``, ``group``, ``role``, ``order`` and ``milliseconds``.
Other fields of an object are ignored.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import Source, read_lines, write_bytes
from polyseme.formats.json_records import (
    RecordError,
    finite_number,
    first_object_fields,
    format_record,
    parse_object,
    parse_records,
    require_fields,
)
from polyseme.formats.registry import FileFormat
from polyseme.rating import ROLES, UNDECIDED, Rating

LINE_SYNTAX = (
    'A line reads: {"annotator": "ann", "task": "WSsim", "lemma": "win.v", "usage": "win.v.1", "target": "win.v.2", '
    '"value": 5}'
)
REQUIRED_FIELDS = ("annotator", "task", "lemma", "usage", "target", "value")
TEXT_FIELDS = (*REQUIRED_FIELDS[:5], "comment", "time", "round", "group", "role")
INTEGER_FIELDS = ("order", "milliseconds")


def read_ratings_jsonl(source: Source) -> Iterator[Rating]:
    r"""Yield the judgements of a file; blank lines are skipped.

    >>> from polyseme.formats.files import Blob
    >>> line = b'{"annotator": "ann", "task": "Usim", "lemma": "win.v", "usage": "1", "target": "2", "value": 4}'
    >>> [rating.value for rating in read_ratings_jsonl(Blob("ratings.jsonl", line))]
    [4.0]
    """
    records = parse_records(read_lines(source), lambda text: parse_rating(parse_object(text)), LINE_SYNTAX, source)
    return (rating for _, rating in records)


def parse_rating(fields: Mapping[str, Any]) -> Rating:
    """Build a rating from its fields.

    Raises:
        polyseme.formats.json_records.RecordError: A field is missing or wrong.
    """
    require_fields(fields, *REQUIRED_FIELDS)
    texts = {name: fields.get(name, "") for name in TEXT_FIELDS}
    if wrong := [name for name, value in texts.items() if not isinstance(value, str)]:
        raise RecordError(f"{wrong[0]} {quote_value(texts[wrong[0]])} must be text in quotes")
    if empty := [name for name in ("annotator", "usage", "target") if not texts[name]]:
        raise RecordError(f"{empty[0]} is empty; every judgement needs it")
    if texts["role"] not in ROLES:
        raise RecordError(f"role {quote_value(texts['role'])} is unknown; allowed are nothing, {', '.join(ROLES[1:])}")
    value = UNDECIDED if fields["value"] is None else finite_number(fields["value"])
    if value is None:
        raise RecordError(f"value {quote_value(fields['value'])} must be a finite number, or null for 'cannot decide'")
    order, milliseconds = (_parse_integer(fields.get(name), name) for name in INTEGER_FIELDS)
    return Rating(**texts, value=value, order=order, milliseconds=milliseconds)


def _parse_integer(value: object, name: str) -> int | None:
    if value is None:
        return None
    number = finite_number(value)
    if number is None or number < 0 or not number.is_integer():
        raise RecordError(f"{name} {quote_value(value)} must be a whole number, 0 or more, or null")
    return int(value)  # type: ignore[call-overload, no-any-return]  # not of the float, which may have lost digits


def write_ratings_jsonl(ratings: Iterable[Rating], path: str | os.PathLike[str]) -> None:
    """Write judgements with all their fields, so that they are read back unchanged."""
    write_bytes(path, "".join(_format_line(rating, path) for rating in ratings).encode())


def rating_fields(rating: Rating, path: object) -> dict[str, Any]:
    """Return the fields of a rating that can be read back; the value of an undecided one is ``None``."""
    fields = {**rating._asdict(), "value": None if math.isnan(rating.value) else rating.value}
    try:
        parse_rating(fields)
    except RecordError as error:
        raise _rating_error(rating, error, path) from None
    return fields


def _rating_error(rating: Rating, error: RecordError, path: object) -> InputError:
    judgement = f"the judgement of {quote_value(rating.usage)} by {quote_value(rating.annotator)}"
    return InputError(f"{judgement}: {error}", path=path)


def _format_line(rating: Rating, path: object) -> str:
    try:
        return format_record(rating_fields(rating, path))
    except RecordError as error:
        raise _rating_error(rating, error, path) from None


FORMAT = FileFormat.for_content(
    "ratings",
    "ratings-json-lines",
    "ratings as JSON Lines",
    lambda start: {"annotator", "usage", "target", "value"} <= first_object_fields(start),
    read_ratings_jsonl,
    write_ratings_jsonl,
    ".jsonl",
    ".ndjson",
)

"""Ratings as JSON Lines, without loss: one judgement a line, an object with the fields of a rating.

These are ``annotator``, ``task``, ``lemma``, ``usage``, ``target`` and ``value``, which is ``null`` where the annotator
could not decide; and ``comment``, ``time``, ``round``, ``group``, ``role``, ``order`` and ``milliseconds``, which may
be missing. Other fields of an object are not looked at.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import Source, read_lines, write_bytes
from polyseme.formats.json_records import (
    SPLIT_SURROGATES,
    RecordError,
    first_object_fields,
    parse_object,
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
NAME_FIELDS = ("annotator", "usage", "target")
"""The texts that must not be empty."""
INTEGER_FIELDS = ("order", "milliseconds")


def read_ratings_jsonl(source: Source) -> Iterator[Rating]:
    r"""Read judgements one after the other; blank lines are passed over.

    >>> from polyseme.formats.files import Blob
    >>> line = b'{"annotator": "ann", "task": "Usim", "lemma": "win.v", "usage": "1", "target": "2", "value": 4}'
    >>> [rating.value for rating in read_ratings_jsonl(Blob("ratings.jsonl", line))]
    [4.0]
    """
    for number, text in read_lines(source):
        if text.strip():
            try:
                yield parse_rating(parse_object(text))
            except RecordError as error:
                raise InputError(f"{error}. {LINE_SYNTAX}", path=source, line=number) from None


def parse_rating(given: Mapping[str, Any]) -> Rating:
    """The rating of an object; :class:`~polyseme.formats.json_records.RecordError` says what is wrong with it."""
    require_fields(dict(given), *REQUIRED_FIELDS)
    texts = {name: given.get(name, "") for name in TEXT_FIELDS}
    if wrong := [name for name, value in texts.items() if not isinstance(value, str)]:
        raise RecordError(f"{wrong[0]} {quote_value(texts[wrong[0]])} must be text in quotes")
    if empty := [name for name in NAME_FIELDS if not texts[name]]:
        raise RecordError(f"{empty[0]} is empty; every judgement needs it")
    if texts["role"] not in ROLES:
        raise RecordError(
            f"role {quote_value(texts['role'])} is not known; allowed are nothing, {', '.join(ROLES[1:])}"
        )
    order, milliseconds = (_parse_integer(given.get(name), name) for name in INTEGER_FIELDS)
    return Rating(**texts, value=_parse_value(given["value"]), order=order, milliseconds=milliseconds)


def _parse_value(given: object) -> float:
    if given is None:
        return UNDECIDED
    if isinstance(given, int | float) and not isinstance(given, bool):
        try:
            value = float(given)
        except OverflowError:
            value = math.inf
        if math.isfinite(value):
            return value
    raise RecordError(f"value {quote_value(given)} must be a finite number, or null for 'cannot decide'")


def _parse_integer(given: object, name: str) -> int | None:
    if given is None:
        return None
    whole = isinstance(given, int) or (isinstance(given, float) and given.is_integer())
    if not whole or isinstance(given, bool) or given < 0:  # type: ignore[operator]  # it is a number here
        raise RecordError(f"{name} {quote_value(given)} must be a whole number, 0 or more, or null")
    return int(given)  # type: ignore[call-overload, no-any-return]


def write_ratings_jsonl(ratings: Iterable[Rating], path: str | os.PathLike[str]) -> None:
    """Write judgements with all their fields: what is read back is what was written."""
    write_bytes(path, "".join(_format_line(rating, path) for rating in ratings).encode())


def rating_fields(rating: Rating, path: object) -> dict[str, Any]:
    """The fields of a rating, if it would be read back; the value of one that was not decided is ``None``."""
    fields = {**rating._asdict(), "value": None if math.isnan(rating.value) else rating.value}
    try:
        parse_rating(fields)
    except RecordError as error:
        raise InputError(
            f"the judgement of {quote_value(rating.usage)} by {quote_value(rating.annotator)}: {error}", path=path
        ) from None
    return fields


def _format_line(rating: Rating, path: object) -> str:
    text = json.dumps(rating_fields(rating, path), ensure_ascii=False)
    if split := SPLIT_SURROGATES.search(text):
        problem = f"{quote_value(rating.annotator)} on {quote_value(rating.usage)}: a text holds {split[0]!r}"
        raise InputError(f"{problem}, two halves of one character, which JSON would join; change it", path=path)
    return text.encode(errors="backslashreplace").decode() + "\n"  # a lone surrogate becomes its JSON escape


FORMAT = FileFormat(
    "ratings-json-lines",
    "ratings as JSON Lines",
    lambda start: {"annotator", "usage", "target", "value"} <= first_object_fields(start),
    readers={"ratings": read_ratings_jsonl},
    writers={"ratings": write_ratings_jsonl},
    suffixes=(".jsonl", ".ndjson"),
)

"""JSON Lines: one object a line, each name once in an object, and nothing that is not JSON."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NoReturn, TypeVar

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import BOM

Record = TypeVar("Record")

SPLIT_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]")
"""Two separate halves of one character, which JSON would join."""

LONE_SURROGATE = re.compile("[\ud800-\udfff]")
"""Half a character, which no text file can hold."""


class RecordError(ValueError):
    """The problem with a line; the reader adds the file and the line."""


def parse_records(
    lines: Iterable[tuple[int, str]], parse: Callable[[str], Record], syntax: str, path: object
) -> Iterator[tuple[int, Record]]:
    """Parse the numbered lines that are not blank.

    Args:
        lines: The lines with their numbers.
        parse: A function that parses a line; it raises a :class:`RecordError`.
        syntax: The form of a line, for messages.
        path: The file, for messages.

    Yields:
        The number of the line and its record.
    """
    for number, text in lines:
        if text and not text.isspace():
            try:
                yield number, parse(text)
            except RecordError as error:
                raise InputError(f"{error}. {syntax}", path=path, line=number) from None


def format_record(fields: Mapping[str, object]) -> str:
    """Format an object as a line.

    Raises:
        RecordError: A text holds two halves of one character, which JSON would join.
        TypeError, ValueError, RecursionError: JSON cannot hold a value.
    """
    text = _encode(fields)
    if text.isascii():
        return text + "\n"
    if split := SPLIT_SURROGATES.search(text):
        raise RecordError(f"a text holds {split[0]!r}, two halves of one character, which JSON would join; change it")
    return text.encode(errors="backslashreplace").decode() + "\n"  # a lone surrogate becomes its JSON escape


def parse_json(text: str) -> object:
    """Parse a line.

    >>> parse_json('{"a": 1, "a": 2}')
    Traceback (most recent call last):
        ...
    polyseme.formats.json_records.RecordError: 'a' is given twice in one object
    """
    try:
        return _decode(text)
    except json.JSONDecodeError as error:
        raise RecordError(f"not JSON: {error.msg} (column {error.colno})") from None
    except RecursionError:
        raise RecordError("the brackets are nested too deeply") from None
    except RecordError:
        raise
    except ValueError:  # more digits than Python reads
        raise RecordError("a number has too many digits") from None


def _reject_duplicate_names(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise RecordError(f"{quote_value(twice)} is given twice in one object")
    return fields


def _reject_constant(constant: str) -> NoReturn:
    raise RecordError(f"{constant} is not JSON, which has only finite numbers")


# json.dumps and json.loads with these options would build an encoder or a decoder for every line
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_decode = json.JSONDecoder(object_pairs_hook=_reject_duplicate_names, parse_constant=_reject_constant).decode


def parse_object(text: str) -> dict[str, object]:
    """Parse a line that must be an object."""
    fields = parse_json(text)
    if not isinstance(fields, dict):
        raise RecordError(f"{quote_value(text.strip())} is not an object")
    return fields


def require_fields(fields: Mapping[str, object], *required: str) -> None:
    """Raise an error if fields are missing; it names them and those that are there."""
    if missing := [name for name in required if name not in fields]:
        names = ", ".join(map(quote_value, fields)) or "nothing"
        raise RecordError(f"the object lacks {', '.join(map(repr, missing))}; it has {names[:200]}")


def finite_number(value: object) -> float | None:
    """Return a number of JSON that is finite as a float; ``None`` for anything else, such as a boolean."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if abs(number) < float("inf") else None


def check_surrogates(value: object, text: str) -> None:
    """Raise an error if the value of a line holds half a character, which can only be written as an escape."""
    if "\\u" in text and (half := LONE_SURROGATE.search(json.dumps(value, ensure_ascii=False))):
        raise RecordError(f"{half[0]!r} is half a character, which cannot stand alone; leave it out")


def list_field_names(start: bytes) -> list[str]:
    r"""Return the names in the first object of a JSON file, which may span several lines, for messages.

    >>> list_field_names(b'[\n  {"id": "1",\n   "body": "We won."}, {"id": "2"')
    ['id', 'body']
    """
    return list(dict.fromkeys(re.findall(r'"([^"\\]*)"\s*:', start.partition(b"}")[0].decode(errors="replace"))))


def first_object_fields(start: bytes) -> set[str]:
    r"""Return the names in the first object of JSON Lines, by which formats are recognised.

    If the object is cut off, all names in it are returned.

    >>> sorted(first_object_fields(b'{"id": "1", "text": "We w'))
    ['id', 'text']
    """
    line = start.removeprefix(BOM).lstrip().split(b"\n", 1)[0].decode(errors="replace")
    if not line.startswith("{"):
        return set()
    try:
        return set(json.loads(line))
    except (ValueError, RecursionError):
        return set(re.findall(r'"(\w+)"\s*:', line))

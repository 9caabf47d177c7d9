"""JSON as it is written in lines: one object a line, each name once, nothing that is not JSON."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import NoReturn

from polyseme.errors import quote_value
from polyseme.formats.files import BOM

SPLIT_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]")
"""Two halves of one character that stand apart, which JSON would join."""

LONE_SURROGATE = re.compile("[\ud800-\udfff]")
"""Half a character, which no file of text can hold."""


class RecordError(ValueError):
    """What is wrong with a line; who reads it knows the file and the number."""


def parse_json(text: str) -> object:
    """The value of a line.

    >>> parse_json('{"a": 1, "a": 2}')
    Traceback (most recent call last):
        ...
    polyseme.formats.json_records.RecordError: 'a' is given twice in one object
    """
    try:
        return json.loads(text, object_pairs_hook=_reject_duplicate_names, parse_constant=_reject_constant)
    except json.JSONDecodeError as error:
        raise RecordError(f"not JSON: {error.msg} (column {error.colno})") from None
    except RecursionError:
        raise RecordError("the brackets are nested too deeply") from None
    except RecordError:
        raise
    except ValueError:  # more digits than Python reads
        raise RecordError("a number has too many digits") from None


def _reject_duplicate_names(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise RecordError(f"{quote_value(twice)} is given twice in one object")
    return made


def _reject_constant(constant: str) -> NoReturn:
    raise RecordError(f"{constant} is not JSON, which has only finite numbers")


def parse_object(text: str) -> dict[str, object]:
    """The same for a line that must be an object."""
    given = parse_json(text)
    if not isinstance(given, dict):
        raise RecordError(f"{quote_value(text.strip())} is not an object")
    return given


def require_fields(given: dict[str, object], *needed: str) -> None:
    """An error that says which fields are missing, and which are there."""
    if missing := [name for name in needed if name not in given]:
        there = ", ".join(map(quote_value, given)) or "nothing"
        raise RecordError(f"the object lacks {', '.join(map(repr, missing))}; it has {there[:200]}")


def check_surrogates(given: object, text: str) -> None:
    """An error if what was read from a line holds half a character, which can only be written as an escape."""
    if "\\u" in text and (half := LONE_SURROGATE.search(json.dumps(given, ensure_ascii=False))):
        raise RecordError(f"{half[0]!r} is half a character, which cannot stand alone; leave it out")


def list_field_names(start: bytes) -> list[str]:
    r"""The names that come first in a file of JSON, of however many lines, for messages.

    >>> list_field_names(b'[\n  {"id": "1",\n   "body": "We won."}, {"id": "2"')
    ['id', 'body']
    """
    return list(dict.fromkeys(re.findall(r'"([^"\\]*)"\s*:', start.partition(b"}")[0].decode(errors="replace"))))


def first_object_fields(start: bytes) -> set[str]:
    r"""The names in the first object of JSON Lines, by which its kind is known; if it is cut short, all of its names.

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

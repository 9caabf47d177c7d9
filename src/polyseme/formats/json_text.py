"""JSON as it is written in lines: one object a line, each name once, nothing that is not JSON."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import NoReturn

from polyseme.errors import shown
from polyseme.formats.files import BOM

SPLIT_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
"""Two halves of one character that stand apart, which JSON would join."""

HALF = re.compile("[\ud800-\udfff]")
"""Half a character, which no file of text can hold."""


class NotAsAgreed(ValueError):
    """What is wrong with a line; who reads it knows the file and the number."""


def loaded(text: str) -> object:
    """The value of a line.

    >>> loaded('{"a": 1, "a": 2}')
    Traceback (most recent call last):
        ...
    polyseme.formats.json_text.NotAsAgreed: 'a' is given twice in one object
    """
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise NotAsAgreed(f"not JSON: {error.msg} (column {error.colno})") from None
    except RecursionError:
        raise NotAsAgreed("the brackets are nested too deeply") from None
    except NotAsAgreed:
        raise
    except ValueError:  # more digits than Python reads
        raise NotAsAgreed("a number has too many digits") from None


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise NotAsAgreed(f"{shown(twice)} is given twice in one object")
    return made


def _no_number(constant: str) -> NoReturn:
    raise NotAsAgreed(f"{constant} is not JSON, which has only finite numbers")


def given_object(text: str) -> dict[str, object]:
    """The same for a line that must be an object."""
    given = loaded(text)
    if not isinstance(given, dict):
        raise NotAsAgreed(f"{shown(text.strip())} is not an object")
    return given


def check_fields(given: dict[str, object], *needed: str) -> None:
    """An error that says which fields are missing, and which are there."""
    if missing := [name for name in needed if name not in given]:
        there = ", ".join(map(shown, given)) or "nothing"
        raise NotAsAgreed(f"the object lacks {', '.join(map(repr, missing))}; it has {there[:200]}")


def check_characters(given: object, text: str) -> None:
    """An error if what was read from a line holds half a character, which can only be written as an escape."""
    if "\\u" in text and (half := HALF.search(json.dumps(given, ensure_ascii=False))):
        raise NotAsAgreed(f"{half[0]!r} is half a character, which cannot stand alone; leave it out")


def named_fields(start: bytes) -> list[str]:
    r"""The names that come first in a file of JSON, of however many lines, for messages.

    >>> named_fields(b'[\n  {"id": "1",\n   "body": "We won."}, {"id": "2"')
    ['id', 'body']
    """
    return list(dict.fromkeys(re.findall(r'"([^"\\]*)"\s*:', start.partition(b"}")[0].decode(errors="replace"))))


def first_fields(start: bytes) -> set[str]:
    r"""The names in the first object of JSON Lines, by which its kind is known; if it is cut short, all of its names.

    >>> sorted(first_fields(b'{"id": "1", "text": "We w'))
    ['id', 'text']
    """
    line = start.removeprefix(BOM).lstrip().split(b"\n", 1)[0].decode(errors="replace")
    if not line.startswith("{"):
        return set()
    try:
        return set(json.loads(line))
    except (ValueError, RecursionError):
        return set(re.findall(r'"(\w+)"\s*:', line))

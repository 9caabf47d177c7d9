"""Usages as JSON Lines: one object a line.

Its fields are ``id``, ``lemma``, ``text``, ``start``, ``end``, ``pos`` and ``meta``. ``text[start:end]`` is the target,
counted in characters from 0. ``pos`` and ``meta`` may be missing; ``meta`` holds any JSON value under any name, and
fields with other names are put there as well.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from polyseme.errors import InputError, shown
from polyseme.formats.files import Source, lines, write_bytes
from polyseme.formats.format import Format
from polyseme.formats.json_text import SPLIT_PAIR, NotAsAgreed, check_fields, first_fields, given_object
from polyseme.formats.unique import Unique
from polyseme.usage import Usage

LINE = (
    'A line reads: {"id": "win.v.1", "lemma": "win.v", "text": "We won.", "start": 3, "end": 6, "pos": "v", "meta": {}}'
)
FIELDS: Mapping[str, type] = {"id": str, "lemma": str, "text": str, "start": int, "end": int, "pos": str, "meta": dict}
"""The fields and the types of their values."""

OPTIONAL: Mapping[str, object] = {"pos": "", "meta": {}}
"""What a field that is missing stands for."""

_CALLED = {str: "text in quotes", int: "a whole number", dict: "an object"}


def read_usages_jsonl(source: Source) -> Iterator[Usage]:
    r"""Read usages one after the other; blank lines are passed over.

    >>> from polyseme.formats.files import Blob
    >>> text = b'{"id": "1", "lemma": "win.v", "text": "We won.", "start": 3, "end": 6, "year": 1999}'
    >>> [(usage.target, usage.meta["year"]) for usage in read_usages_jsonl(Blob("wins.jsonl", text))]
    [('won', 1999)]
    """
    seen = Unique("usage", source)
    for number, text in lines(source):
        if text.strip():
            try:
                usage = _usage(text)
            except NotAsAgreed as error:
                raise InputError(f"{error}. {LINE}", path=source, line=number) from None
            seen.add(usage.id, number)
            yield usage


def _usage(text: str) -> Usage:
    given: dict[str, Any] = {**OPTIONAL, **given_object(text)}
    check_fields(given, *FIELDS)
    for name, kind in FIELDS.items():
        if type(given[name]) is not kind:
            raise NotAsAgreed(f"{name} {shown(given[name])} must be {_CALLED[kind]}")
    if not 0 <= given["start"] <= given["end"] <= len(given["text"]):
        place = f"{given['start']}:{given['end']}"
        raise NotAsAgreed(f"the target {place} is not a part of the text of {len(given['text'])} characters")
    others = {name: value for name, value in given.items() if name not in FIELDS}
    if twice := [name for name in others if name in given["meta"]]:
        raise NotAsAgreed(f"{shown(twice[0])} is given in meta and beside it")
    return Usage(**{name: given[name] for name in FIELDS} | {"meta": given["meta"] | others})


def write_usages_jsonl(usages: Iterable[Usage], path: str | os.PathLike[str]) -> None:
    """Write usages; what JSON cannot hold in a ``meta`` is an error."""
    seen = Unique("usage", path)
    written = []
    for number, usage in enumerate(usages, start=1):
        seen.add(usage.id, number)
        written.append(_line(usage, path))
    write_bytes(path, "".join(written).encode())


def _line(usage: Usage, path: object) -> str:
    fields = {name: getattr(usage, name) for name in FIELDS} | {"meta": dict(usage.meta)}
    try:
        text = json.dumps(fields, ensure_ascii=False, allow_nan=False)
        same = json.loads(text) == fields and not SPLIT_PAIR.search(text)
    except (TypeError, ValueError, RecursionError):
        same = False
    if not same:
        problem = (
            f"usage {shown(usage.id)} holds what JSON cannot: its meta must be of text, numbers, lists and objects"
        )
        raise InputError(f"{problem} with text as names, and no text may hold half a character", path=path)
    return text.encode(errors="backslashreplace").decode() + "\n"  # a lone surrogate becomes its JSON escape


def _recognises(start: bytes) -> bool:
    fields = first_fields(start)
    return "text" in fields and not {"usage", "senses"} <= fields


FORMAT = Format(
    "usages-json-lines",
    "usages as JSON Lines",
    _recognises,
    readers={"usages": read_usages_jsonl},
    writers={"usages": write_usages_jsonl},
    suffixes=(".jsonl", ".ndjson"),
)

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
from polyseme.formats.unique_names import UniqueNames
from polyseme.usage import Usage

LINE_SYNTAX = (
    'A line reads: {"id": "win.v.1", "lemma": "win.v", "text": "We won.", "start": 3, "end": 6, "pos": "v", "meta": {}}'
)
FIELD_TYPES: Mapping[str, type] = {
    "id": str,
    "lemma": str,
    "text": str,
    "start": int,
    "end": int,
    "pos": str,
    "meta": dict,
}
"""The fields and the types of their values."""

OPTIONAL_FIELDS: Mapping[str, object] = {"pos": "", "meta": {}}
"""What a field that is missing stands for."""

_TYPE_NAMES = {str: "text in quotes", int: "a whole number", dict: "an object"}


def read_usages_jsonl(source: Source) -> Iterator[Usage]:
    r"""Read usages one after the other; blank lines are passed over.

    >>> from polyseme.formats.files import Blob
    >>> text = b'{"id": "1", "lemma": "win.v", "text": "We won.", "start": 3, "end": 6, "year": 1999}'
    >>> [(usage.target, usage.meta["year"]) for usage in read_usages_jsonl(Blob("wins.jsonl", text))]
    [('won', 1999)]
    """
    seen = UniqueNames("usage", source)
    for number, text in read_lines(source):
        if text.strip():
            try:
                usage = _parse_usage(text)
            except RecordError as error:
                raise InputError(f"{error}. {LINE_SYNTAX}", path=source, line=number) from None
            seen.add(usage.id, number)
            yield usage


def _parse_usage(text: str) -> Usage:
    given: dict[str, Any] = {**OPTIONAL_FIELDS, **parse_object(text)}
    require_fields(given, *FIELD_TYPES)
    for name, kind in FIELD_TYPES.items():
        if type(given[name]) is not kind:
            raise RecordError(f"{name} {quote_value(given[name])} must be {_TYPE_NAMES[kind]}")
    if not 0 <= given["start"] <= given["end"] <= len(given["text"]):
        place = f"{given['start']}:{given['end']}"
        raise RecordError(f"the target {place} is not a part of the text of {len(given['text'])} characters")
    others = {name: value for name, value in given.items() if name not in FIELD_TYPES}
    if twice := [name for name in others if name in given["meta"]]:
        raise RecordError(f"{quote_value(twice[0])} is given in meta and beside it")
    return Usage(**{name: given[name] for name in FIELD_TYPES} | {"meta": given["meta"] | others})


def write_usages_jsonl(usages: Iterable[Usage], path: str | os.PathLike[str]) -> None:
    """Write usages; what JSON cannot hold in a ``meta`` is an error."""
    seen = UniqueNames("usage", path)
    written = []
    for number, usage in enumerate(usages, start=1):
        seen.add(usage.id, number)
        written.append(_format_line(usage, path))
    write_bytes(path, "".join(written).encode())


def _format_line(usage: Usage, path: object) -> str:
    fields = {name: getattr(usage, name) for name in FIELD_TYPES} | {"meta": dict(usage.meta)}
    try:
        text = json.dumps(fields, ensure_ascii=False, allow_nan=False)
        same = json.loads(text) == fields and not SPLIT_SURROGATES.search(text)
    except (TypeError, ValueError, RecursionError):
        same = False
    if not same:
        problem = f"usage {quote_value(usage.id)} holds what JSON cannot: its meta must be of text, numbers, lists and objects"
        raise InputError(f"{problem} with text as names, and no text may hold half a character", path=path)
    return text.encode(errors="backslashreplace").decode() + "\n"  # a lone surrogate becomes its JSON escape


def _recognise(start: bytes) -> bool:
    fields = first_object_fields(start)
    return "text" in fields and not {"usage", "senses"} <= fields


FORMAT = FileFormat(
    "usages-json-lines",
    "usages as JSON Lines",
    _recognise,
    readers={"usages": read_usages_jsonl},
    writers={"usages": write_usages_jsonl},
    suffixes=(".jsonl", ".ndjson"),
)

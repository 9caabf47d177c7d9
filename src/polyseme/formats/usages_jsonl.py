"""Usages as JSON Lines: one object a line.

Its fields are ``id``, ``lemma``, ``text``, ``start``, ``end``, ``pos`` and ``meta``. ``text[start:end]`` is the target,
counted in characters from 0. Without ``start`` and ``end``, the target is the only form of the lemma in the text.
``pos`` and ``meta`` are optional. ``meta`` holds any JSON value under any name; fields with other names are added to
it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import Source, read_lines, write_bytes
from polyseme.formats.json_records import (
    RecordError,
    first_object_fields,
    format_record,
    parse_object,
    parse_records,
    require_fields,
)
from polyseme.formats.registry import FileFormat
from polyseme.formats.unique_names import UniqueNames
from polyseme.morphology import find_only_form
from polyseme.usage import Usage

LINE_SYNTAX = (
    'A line reads: {"id": "win.v.1", "lemma": "win.v", "text": "We won.", "start": 3, "end": 6, "pos": "v", "meta": {}}'
)
FIELD_TYPES: Mapping[str, type] = {
    **dict.fromkeys(("id", "lemma", "text"), str),
    **dict.fromkeys(("start", "end"), int),
    "pos": str,
    "meta": dict,
}
REQUIRED_FIELDS = ("id", "lemma", "text")
OPTIONAL_FIELDS: Mapping[str, object] = {"pos": "", "meta": {}}
"""The optional fields and their defaults; ``start`` and ``end`` are optional together."""

_TYPE_NAMES = {str: "text in quotes", int: "a whole number", dict: "an object"}


def read_usages_jsonl(source: Source) -> Iterator[Usage]:
    r"""Yield the usages of a file; blank lines are skipped.

    >>> from polyseme.formats.files import Blob
    >>> text = b'{"id": "1", "lemma": "win.v", "text": "We won.", "start": 3, "end": 6, "year": 1999}'
    >>> [(usage.target, usage.meta["year"]) for usage in read_usages_jsonl(Blob("wins.jsonl", text))]
    [('won', 1999)]
    """
    ids = UniqueNames("usage", source)
    for number, usage in parse_records(read_lines(source), _parse_usage, LINE_SYNTAX, source):
        ids.add(usage.id, number)
        yield usage


def _parse_usage(text: str) -> Usage:
    record = parse_object(text)
    has_offsets = "start" in record or "end" in record
    require_fields(record, *REQUIRED_FIELDS, *(("start", "end") if has_offsets else ()))
    fields: dict[str, Any] = {**OPTIONAL_FIELDS, **record}
    for name, field_type in FIELD_TYPES.items():
        if name in fields and type(fields[name]) is not field_type:
            raise RecordError(f"{name} {quote_value(fields[name])} must be {_TYPE_NAMES[field_type]}")
    if not has_offsets:
        fields["start"], fields["end"] = _find_target(fields)
    if not 0 <= fields["start"] <= fields["end"] <= len(fields["text"]):
        span = f"{fields['start']}:{fields['end']}"
        raise RecordError(f"the target {span} is not a part of the text of {len(fields['text'])} characters")
    others = {name: value for name, value in fields.items() if name not in FIELD_TYPES}
    if twice := [name for name in others if name in fields["meta"]]:
        raise RecordError(f"{quote_value(twice[0])} is given in meta and beside it")
    return Usage(**{name: fields[name] for name in FIELD_TYPES} | {"meta": fields["meta"] | others})


def _find_target(fields: Mapping[str, Any]) -> tuple[int, int]:
    try:
        return find_only_form(fields["text"], fields["lemma"], fields["pos"])
    except ValueError as error:
        raise RecordError(str(error)) from None


def write_usages_jsonl(usages: Iterable[Usage], path: str | os.PathLike[str]) -> None:
    """Write usages; a ``meta`` that JSON cannot hold is an error."""
    ids, lines = UniqueNames("usage", path), []
    for number, usage in enumerate(usages, start=1):
        ids.add(usage.id, number)
        lines.append(_format_line(usage, path))
    write_bytes(path, "".join(lines).encode())


def _format_line(usage: Usage, path: object) -> str:
    fields = {name: getattr(usage, name) for name in FIELD_TYPES} | {"meta": dict(usage.meta)}
    try:
        line = format_record(fields)
        is_faithful = json.loads(line) == fields
    except (TypeError, ValueError, RecursionError):
        is_faithful = False
    if not is_faithful:
        problem = f"usage {quote_value(usage.id)} cannot be written as JSON"
        allowed = "its meta must be of text, numbers, lists and objects with text as names"
        raise InputError(f"{problem}: {allowed}, and no text may hold half a character", path=path)
    return line


def _recognise(start: bytes) -> bool:
    fields = first_object_fields(start)
    return "text" in fields and not {"usage", "senses"} <= fields


FORMAT = FileFormat.for_content(
    "usages",
    "usages-json-lines",
    "usages as JSON Lines",
    _recognise,
    read_usages_jsonl,
    write_usages_jsonl,
    ".jsonl",
    ".ndjson",
)

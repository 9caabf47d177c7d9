"""Labellings as JSON Lines: one object a line, ``{"usage": …, "lemma": …, "senses": {sense: weight}}``.

Any name can be written. In a labelling that comes from an answer key, objects also have ``"ordered": true``: the first
sense is the usage's answer. Other fields of an object are not looked at.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import BOM, Source, decode_utf8, read_bytes, warn_about_lines, write_bytes
from polyseme.formats.json_records import (
    SPLIT_SURROGATES,
    RecordError,
    first_object_fields,
    parse_object,
    require_fields,
)
from polyseme.formats.registry import FileFormat
from polyseme.labelling import Labelling

LINE_SYNTAX = 'A line reads: {"usage": "win.v.1", "lemma": "win.v", "senses": {"win.v.2": 0.5}}'


def read_labelling_jsonl(path: Source) -> Labelling:
    """Read a labelling from JSON Lines, plain or compressed (gzip, bzip2, xz, zstandard).

    Blank lines are passed over; an object without a sense leaves its usage unlabelled, with an
    :class:`~polyseme.errors.InputWarning`. Anything else is an :class:`~polyseme.errors.InputError` with file and line.
    """
    return parse_labelling_jsonl(read_bytes(path), path)


def parse_labelling_jsonl(data: bytes, path: object = "json") -> Labelling:
    """The same for JSON Lines already in memory.

    >>> parse_labelling_jsonl(b'{"usage": "win.v.1", "lemma": "win.v", "senses": {"a": 0.5, "b": 1}}')["win.v.1"]
    {'a': 0.5, 'b': 1.0}
    """
    seen: dict[str, int] = {}
    rows: list[tuple[str, str, dict[str, float]]] = []
    ordered: list[bool] = []
    for number, text in _numbered_lines(data, path):
        try:
            (lemma, usage, senses), is_ordered = _parse_row(text)
        except RecordError as error:
            raise InputError(f"{error}. {LINE_SYNTAX}", path=path, line=number) from None
        if usage in seen:
            problem = f"usage {quote_value(usage)} is given in line {seen[usage]} already; a usage has one line"
            raise InputError(problem, path=path, line=number)
        seen[usage] = number
        rows.append((lemma, usage, senses))
        ordered.append(is_ordered)
    warn_about_lines(
        path,
        [seen[usage] for _, usage, senses in rows if not senses],
        "names no sense; its usage counts as unlabelled",
        "name no sense; their usages count as unlabelled",
    )
    return Labelling(rows, ordered=bool(ordered) and all(ordered))


def _numbered_lines(data: bytes, path: object) -> Iterator[tuple[int, str]]:
    decode_utf8(data, path)
    for number, line in enumerate(data.removeprefix(BOM).split(b"\n"), start=1):
        if line.strip():
            yield number, line.decode()


def _parse_row(text: str) -> tuple[tuple[str, str, dict[str, float]], bool]:
    """Lemma, usage and senses, and whether the first sense is the answer."""
    given = parse_object(text)
    require_fields(given, "usage", "lemma", "senses")
    usage, lemma, senses = given["usage"], given["lemma"], given["senses"]
    if not isinstance(usage, str) or not isinstance(lemma, str):
        raise RecordError(
            f"usage {_describe_value(usage)} and lemma {_describe_value(lemma)} must both be text in quotes"
        )
    if not isinstance(senses, dict):
        raise RecordError(f"senses {_describe_value(senses)} must be an object of weights")
    weights = {sense: _parse_weight(sense, weight) for sense, weight in senses.items()}
    return (lemma, usage, weights), given.get("ordered") is True


def _describe_value(value: object) -> str:
    return quote_value(value) if isinstance(value, str | int | float | None) else f"(a {type(value).__name__})"


def _parse_weight(sense: str, given: object) -> float:
    if isinstance(given, int | float) and not isinstance(given, bool):
        try:
            weight = float(given)
        except OverflowError:
            weight = math.inf
        if 0 <= weight < math.inf:
            return weight
    raise RecordError(
        f"weight {_describe_value(given)} of sense {quote_value(sense)} is not a number, 0 or more, and finite"
    )


def format_labelling_jsonl(labelling: Labelling) -> str:
    r"""A labelling as JSON Lines, the heaviest sense of a usage first; every digit of the weights is kept.

    >>> format_labelling_jsonl(Labelling.from_dict({"win.v.1": {"a": 0.1}}, lemma="win.v"))
    '{"usage": "win.v.1", "lemma": "win.v", "senses": {"a": 0.1}}\n'
    """
    extra = {"ordered": True} if labelling.ordered else {}
    lines = [
        json.dumps({"usage": usage, "lemma": lemma, "senses": senses, **extra}, ensure_ascii=False) + "\n"
        for lemma, usage, senses in labelling.heaviest_first().rows()
    ]
    text = "".join(lines)
    if split := SPLIT_SURROGATES.search(text):
        raise InputError(f"a name holds {split[0]!r}, two halves of one character, which JSON would join; rename it")
    return text.encode(errors="backslashreplace").decode()  # a lone surrogate becomes its JSON escape


def write_labelling_jsonl(labelling: Labelling, path: str | os.PathLike[str]) -> None:
    """Write JSON Lines, compressed as the suffix says (``.gz``, ``.bz2``, ``.xz``, ``.zst``)."""
    write_bytes(path, format_labelling_jsonl(labelling).encode())


FORMAT = FileFormat(
    "json-lines",
    "a labelling as JSON Lines",
    lambda start: {"usage", "senses"} <= first_object_fields(start),
    readers={"labelling": read_labelling_jsonl},
    writers={"labelling": write_labelling_jsonl},
    suffixes=(".jsonl", ".ndjson"),
)

"""Labellings as JSON Lines: one object a line, ``{"usage": …, "lemma": …, "senses": {sense: weight}}``.

Any name can be written. In a labelling from an answer key, objects also have ``"ordered": true``: the first sense is
the answer of the usage. Other fields of an object are ignored.
"""

from __future__ import annotations

import os

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import Source, decode_utf8, read_bytes, warn_about_lines, write_bytes
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
from polyseme.labelling import Labelling

LINE_SYNTAX = 'A line reads: {"usage": "win.v.1", "lemma": "win.v", "senses": {"win.v.2": 0.5}}'


def read_labelling_jsonl(path: Source) -> Labelling:
    """Read a labelling from JSON Lines, plain or compressed (gzip, bzip2, xz, zstandard).

    Blank lines are skipped. An object without a sense leaves its usage unlabelled, with an
    :class:`~polyseme.errors.InputWarning`. Any other fault is an :class:`~polyseme.errors.InputError` with its line.
    """
    return parse_labelling_jsonl(read_bytes(path), path)


def parse_labelling_jsonl(data: bytes, path: object = "json") -> Labelling:
    """Parse a labelling from the content of a file.

    >>> parse_labelling_jsonl(b'{"usage": "win.v.1", "lemma": "win.v", "senses": {"a": 0.5, "b": 1}}')["win.v.1"]
    {'a': 0.5, 'b': 1.0}
    """
    lines: dict[str, int] = {}
    rows: list[tuple[str, str, dict[str, float]]] = []
    ordered: list[bool] = []
    numbered = enumerate(decode_utf8(data, path).split("\n"), start=1)
    for number, (lemma, usage, senses, is_ordered) in parse_records(numbered, _parse_row, LINE_SYNTAX, path):
        if usage in lines:
            problem = f"usage {quote_value(usage)} is given in line {lines[usage]} already; a usage has one line"
            raise InputError(problem, path=path, line=number)
        lines[usage] = number
        rows.append((lemma, usage, senses))
        ordered.append(is_ordered)
    warn_about_lines(
        path,
        [lines[usage] for _, usage, senses in rows if not senses],
        "names no sense; its usage counts as unlabelled",
        "name no sense; their usages count as unlabelled",
    )
    return Labelling(rows, ordered=bool(ordered) and all(ordered))


def _parse_row(text: str) -> tuple[str, str, dict[str, float], bool]:
    """Return lemma, usage and senses, and whether the first sense is the answer."""
    fields = parse_object(text)
    require_fields(fields, "usage", "lemma", "senses")
    usage, lemma, senses = fields["usage"], fields["lemma"], fields["senses"]
    if not isinstance(usage, str) or not isinstance(lemma, str):
        names = f"usage {_describe_value(usage)} and lemma {_describe_value(lemma)}"
        raise RecordError(f"{names} must both be text in quotes")
    if not isinstance(senses, dict):
        raise RecordError(f"senses {_describe_value(senses)} must be an object of weights")
    weights = {sense: _parse_weight(sense, weight) for sense, weight in senses.items()}
    return lemma, usage, weights, fields.get("ordered") is True


def _describe_value(value: object) -> str:
    return quote_value(value) if isinstance(value, str | int | float | None) else f"(a {type(value).__name__})"


def _parse_weight(sense: str, value: object) -> float:
    weight = finite_number(value)
    if weight is None or weight < 0:
        problem = f"weight {_describe_value(value)} of sense {quote_value(sense)}"
        raise RecordError(f"{problem} is not a number, 0 or more, and finite")
    return weight


def format_labelling_jsonl(labelling: Labelling) -> str:
    r"""Format a labelling as JSON Lines, the heaviest sense of a usage first, with every digit of the weights.

    >>> format_labelling_jsonl(Labelling.from_dict({"win.v.1": {"a": 0.1}}, lemma="win.v"))
    '{"usage": "win.v.1", "lemma": "win.v", "senses": {"a": 0.1}}\n'
    """
    extra = {"ordered": True} if labelling.ordered else {}
    rows = labelling.heaviest_first().rows()
    try:
        return "".join(
            format_record({"usage": usage, "lemma": lemma, "senses": senses, **extra}) for lemma, usage, senses in rows
        )
    except RecordError as error:
        raise InputError(str(error)) from None


def write_labelling_jsonl(labelling: Labelling, path: str | os.PathLike[str]) -> None:
    """Write JSON Lines, compressed as the suffix says (``.gz``, ``.bz2``, ``.xz``, ``.zst``)."""
    write_bytes(path, format_labelling_jsonl(labelling).encode())


FORMAT = FileFormat.for_content(
    "labelling",
    "json-lines",
    "a labelling as JSON Lines",
    lambda start: {"usage", "senses"} <= first_object_fields(start),
    read_labelling_jsonl,
    write_labelling_jsonl,
    ".jsonl",
    ".ndjson",
)

"""Text formats of UKB: relations between concepts, and a dictionary from lemmas to concepts (Agirre & Soroa 2009).

A line of relations reads ``u:ID v:ID``, and in any order ``t:TYPE``, ``s:SOURCE``, ``d:1`` if it is directed, and
``w:WEIGHT``. A line of the dictionary reads ``lemma ID:weight ID:weight …``; weights are optional. Empty lines and
comments, which begin with ``#``, are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import NamedTuple

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import Source, read_lines

_FIELDS = "uvtsdw"
_RELATION_LINE_SYNTAX = "A line reads: u:ID v:ID [t:TYPE] [s:SOURCE] [d:0|1] [w:WEIGHT]"
_ENTRY_LINE_SYNTAX = "A line reads: lemma ID:weight ID:weight …"


class UkbRelation(NamedTuple):
    """A relation from one concept to another; an undirected one also leads back."""

    source: str
    target: str
    type: str = ""
    directed: bool = False
    weight: float = 1.0


ConceptWeights = dict[str, float]
"""The concepts of a lemma, with weights."""


def read_ukb_relations(source: Source) -> Iterator[UkbRelation]:
    r"""Yield the relations of a file.

    >>> from polyseme.formats.files import Blob
    >>> list(read_ukb_relations(Blob("wn.txt", b"u:01-n v:02-n t:hyper d:1 w:0.5\n")))
    [UkbRelation(source='01-n', target='02-n', type='hyper', directed=True, weight=0.5)]
    """
    for number, line in _content_lines(source):
        try:
            yield _parse_relation(line)
        except ValueError as error:
            raise InputError(f"{error}. {_RELATION_LINE_SYNTAX}", path=source, line=number) from None


def _parse_relation(line: str) -> UkbRelation:
    fields: dict[str, str] = {}
    for word in line.split():
        name, colon, value = word.partition(":")
        if name not in _FIELDS or len(name) != 1 or not colon or not value:
            raise ValueError(f"{quote_value(word)} is none of its fields")
        if name in fields and name != "s":  # a relation may have several sources
            raise ValueError(f"it has {name}: twice")
        fields[name] = value
    if missing := [name for name in "uv" if name not in fields]:
        raise ValueError(f"{missing[0]}: is missing")
    if fields.get("d", "0") not in ("0", "1"):
        raise ValueError(f"d:{fields['d']} is neither d:0 nor d:1")
    weight = _parse_weight(fields.get("w", "1"))
    return UkbRelation(fields["u"], fields["v"], fields.get("t", ""), fields.get("d") == "1", weight)


def read_ukb_dictionary(source: Source) -> dict[str, ConceptWeights]:
    r"""Read lemma → its concepts; a lemma on several lines has the concepts of all of them.

    >>> from polyseme.formats.files import Blob
    >>> read_ukb_dictionary(Blob("dict.txt", b"bank 01-n:25 02-n:20\nriver 03-n\n"))
    {'bank': {'01-n': 25.0, '02-n': 20.0}, 'river': {'03-n': 1.0}}
    """
    dictionary: dict[str, ConceptWeights] = {}
    for number, line in _content_lines(source):
        lemma, *entries = line.split()
        if not entries:
            raise InputError(f"{quote_value(lemma)} has no concept. {_ENTRY_LINE_SYNTAX}", path=source, line=number)
        concepts = dictionary.setdefault(lemma, {})
        for entry in entries:
            name, colon, weight = entry.partition(":")
            try:
                concepts[name] = concepts.get(name, 0.0) + (_parse_weight(weight) if colon else 1.0)
            except ValueError as error:
                raise InputError(f"{error}. {_ENTRY_LINE_SYNTAX}", path=source, line=number) from None
    return dictionary


def _parse_weight(written: str) -> float:
    try:
        value = float(written)
    except ValueError:
        raise ValueError(f"the weight {quote_value(written)} is not a number") from None
    if not (isfinite(value) and value >= 0):
        raise ValueError(f"the weight {quote_value(written)} is not 0 or more")
    return value


def _content_lines(source: Source) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines that are neither empty nor comments."""
    return ((number, line) for number, line in read_lines(source) if line.strip() and not line.startswith("#"))

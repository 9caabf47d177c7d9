"""The metadata of documents, and the conditions that choose among documents."""

from __future__ import annotations

import keyword
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from polyseme.usage import Usage

MAX_VALUES = 40
"""A field with more distinct values is not offered."""
SHOWN_VALUES = 12
"""The number of values of a field that are listed, most frequent first."""
SHOWN_FIELDS = 8


@dataclass(frozen=True)
class Facet:
    """A field of the metadata.

    Args:
        field: The name of the field.
        values: Its values, each with its frequency and the condition that chooses it.
        more: The number of values that are not listed.
    """

    field: str
    values: tuple[tuple[str, int, str], ...]
    more: int


def facets(usages: Sequence[Usage], where: str = "") -> list[Facet]:
    """The fields with few distinct values; each value adds to a condition."""
    counts: dict[str, Counter[str]] = {}
    for usage in usages:
        for name, value in usage.meta.items():
            counts.setdefault(name, Counter())[str(value)] += 1
    offered = []
    for name, values in counts.items():
        if 1 < len(values) <= MAX_VALUES:
            listed = values.most_common(SHOWN_VALUES)
            choices = ((value, count, add_condition(where, equality_condition(name, value))) for value, count in listed)
            offered.append(Facet(name, tuple(choices), len(values) - len(listed)))
    return offered[:SHOWN_FIELDS]


def list_fields(usages: Sequence[Usage]) -> list[str]:
    """All fields, as a condition names them."""
    return [field_expression(name) for name in dict.fromkeys(name for usage in usages for name in usage.meta)]


def field_expression(field: str) -> str:
    """The name of a field in a condition.

    >>> field_expression("party"), field_expression("pub-date")
    ('party', "meta['pub-date']")
    """
    return field if field.isidentifier() and not keyword.iskeyword(field) and field != "meta" else f"meta[{field!r}]"


def equality_condition(field: str, value: str) -> str:
    """The condition that a field has a value."""
    return f"{field_expression(field)} == {value!r}"


def add_condition(where: str, condition: str) -> str:
    """Combine two conditions, without repetition.

    >>> add_condition("year > 1900", "party == 'Whig'"), add_condition("a or b", "c"), add_condition("", "a")
    ("year > 1900 and party == 'Whig'", '(a or b) and c', 'a')
    """
    if not where or where == condition:
        return condition
    if condition in where.split(" and "):
        return where
    return f"{f'({where})' if ' or ' in where else where} and {condition}"

"""What is known of the documents that usages are in, and the conditions that choose among them."""

from __future__ import annotations

import keyword
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from polyseme.usage import Usage

MAX_VALUES = 40
"""A field with more values than that is no way to choose."""
SHOWN_VALUES = 12
"""So many values of a field are listed, the most frequent first."""
SHOWN_FIELDS = 8


@dataclass(frozen=True)
class Facet:
    """A field of the documents' metadata, with values, how often each is there, and the condition that chooses it."""

    field: str
    values: tuple[tuple[str, int, str], ...]
    more: int


def facets(usages: Sequence[Usage], where: str = "") -> list[Facet]:
    """The fields with few different values, as additions to a condition."""
    counts: dict[str, Counter[str]] = {}
    for usage in usages:
        for name, value in usage.meta.items():
            counts.setdefault(name, Counter())[str(value)] += 1
    found = []
    for name, values in counts.items():
        if 1 < len(values) <= MAX_VALUES:
            listed = [
                (value, count, add_condition(where, equality_condition(name, value)))
                for value, count in values.most_common(SHOWN_VALUES)
            ]
            found.append(Facet(name, tuple(listed), len(values) - len(listed)))
    return found[:SHOWN_FIELDS]


def list_fields(usages: Sequence[Usage]) -> list[str]:
    """All fields that there are, as a condition has them."""
    return [field_expression(name) for name in dict.fromkeys(name for usage in usages for name in usage.meta)]


def field_expression(field: str) -> str:
    """A field as a condition has it.

    >>> field_expression("party"), field_expression("pub-date")
    ('party', "meta['pub-date']")
    """
    return field if field.isidentifier() and not keyword.iskeyword(field) and field != "meta" else f"meta[{field!r}]"


def equality_condition(field: str, value: str) -> str:
    """The condition that a field has a value."""
    return f"{field_expression(field)} == {value!r}"


def add_condition(where: str, condition: str) -> str:
    """Both conditions; one that is there already is not added.

    >>> add_condition("year > 1900", "party == 'Whig'"), add_condition("a or b", "c"), add_condition("", "a")
    ("year > 1900 and party == 'Whig'", '(a or b) and c', 'a')
    """
    if not where or where == condition:
        return condition
    if condition in where.split(" and "):
        return where
    before = f"({where})" if " or " in where else where
    return f"{before} and {condition}"

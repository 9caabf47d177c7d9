"""The metadata of documents, and the conditions that choose among documents."""

from __future__ import annotations

import keyword
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from polyseme.usage import Usage
from polyseme.words.periods import DOCUMENT, find_time_field, find_year

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


def example_condition(usages: Sequence[Usage]) -> str:
    """A condition that some of these usages meet: on their years, or on a frequent value.

    >>> speeches = [Usage(name, "bank", "bank", 0, 4, meta={"document": name}) for name in ("1900-Smith", "1901-Jones")]
    >>> example_condition(speeches)
    "document >= '1901'"
    """
    field, middle = find_time_field(usages), usages[len(usages) // 2]
    if field and str(middle.meta.get(field, "")).startswith(year := str(find_year(middle, field))):
        return f"{field_expression(field)} >= {repr(year) if field == DOCUMENT else year}"
    offered = facets(usages)
    return offered[0].values[0][2] if offered else f"{str(middle.meta.get(DOCUMENT, middle.id))!r} in document"


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

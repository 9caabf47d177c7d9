"""Groups of usages to break figures down by: metadata, parts of speech, and numbers of senses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from polyseme.labelling import Labelling
from polyseme.lemma import POS_NAMES
from polyseme.usage import Usage

MAX_GROUPS = 12
"""A field with more values is no grouping."""
MINIMUM_USAGES = 10
"""The least number of usages of a group."""


class UsageGrouping(NamedTuple):
    """A way to group usages.

    Args:
        field: Its name.
        groups: The identifiers of the usages of each group, the largest group first.
        left_out: How many usages are in no group.
    """

    field: str
    groups: Mapping[str, list[str]]
    left_out: int


def find_groupings(usages: Mapping[str, Usage], gold: Labelling) -> list[UsageGrouping]:
    """Return the groupings with two or more groups that are large enough.

    >>> text = "a bank"
    >>> banks = {f"u{n}": Usage(f"u{n}", "bank.n", text, 2, 6, meta={"genre": "ab"[n % 2]}) for n in range(20)}
    >>> gold = Labelling.hard(list(banks), ["x"] * 20, lemma="bank.n")
    >>> [(grouping.field, sorted(grouping.groups)) for grouping in find_groupings(banks, gold)]
    [('genre', ['a', 'b'])]
    """
    scored = [usages[usage] for usage in gold if usage in usages]
    fields = dict.fromkeys(name for usage in scored for name in usage.meta)
    by_field: dict[str, Callable[[Usage], str]] = {
        **{name: partial(_get_meta, name) for name in fields},
        "part of speech": _name_part_of_speech,
        "number of gold senses": lambda usage: _name_sense_count(gold[usage.id]),
    }
    groupings = (_group_usages(field, scored, value) for field, value in by_field.items())
    return [grouping for grouping in groupings if grouping is not None]


def _group_usages(field: str, usages: list[Usage], value: Callable[[Usage], str]) -> UsageGrouping | None:
    groups: dict[str, list[str]] = {}
    for usage in usages:
        groups.setdefault(value(usage), []).append(usage.id)
    groups.pop("", None)
    by_size = sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    large = {name: members for name, members in by_size if len(members) >= MINIMUM_USAGES}
    if len(large) < 2 or len(groups) > MAX_GROUPS:
        return None
    return UsageGrouping(field, large, len(usages) - sum(map(len, large.values())))


def _get_meta(name: str, usage: Usage) -> str:
    value = usage.meta.get(name)
    return "" if value is None else str(value)


def _name_part_of_speech(usage: Usage) -> str:
    tag = usage.pos or (usage.lemma.rpartition(".")[2] if "." in usage.lemma else "")
    name = POS_NAMES.get(tag.lower())
    return f"{name}s" if name else tag


def _name_sense_count(senses: Mapping[str, float]) -> str:
    return "one" if sum(weight > 0 for weight in senses.values()) == 1 else "several"

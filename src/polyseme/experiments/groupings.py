"""Parts of the usages that figures are broken down by: what their metadata say, parts of speech, numbers of senses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from polyseme.labelling import Labelling
from polyseme.usage import Usage

MOST = 12
"""A field with more values than this is no grouping."""
SMALLEST = 10
"""How many usages a part must have to be shown."""
POS = {"n": "nouns", "v": "verbs", "a": "adjectives", "j": "adjectives", "s": "adjectives", "r": "adverbs"}


class UsageGrouping(NamedTuple):
    """A way to part usages: what it is called, the usages of each group, and how many are in none."""

    field: str
    groups: Mapping[str, list[str]]
    left_out: int


def find_groupings(usages: Mapping[str, Usage], gold: Labelling) -> list[UsageGrouping]:
    """The ways to part usages of which two groups or more are large enough.

    >>> text = "a bank"
    >>> banks = {f"u{n}": Usage(f"u{n}", "bank.n", text, 2, 6, meta={"genre": "ab"[n % 2]}) for n in range(20)}
    >>> gold = Labelling.hard(list(banks), ["x"] * 20, lemma="bank.n")
    >>> [(part.field, sorted(part.groups)) for part in find_groupings(banks, gold)]
    [('genre', ['a', 'b'])]
    """
    scored = [usages[each] for each in gold if each in usages]
    names = dict.fromkeys(name for usage in scored for name in usage.meta)
    by_meta = (_part(name, scored, partial(_meta, name)) for name in names)
    given = [
        *by_meta,
        _part("part of speech", scored, _pos),
        _part("number of gold senses", scored, lambda usage: _number(gold[usage.id])),
    ]
    return [part for part in given if part is not None]


def _part(field: str, usages: list[Usage], value: Callable[[Usage], str]) -> UsageGrouping | None:
    groups: dict[str, list[str]] = {}
    for usage in usages:
        groups.setdefault(value(usage), []).append(usage.id)
    groups.pop("", None)
    kept = dict(_large_enough(groups))
    if len(kept) < 2 or len(groups) > MOST:
        return None
    return UsageGrouping(field, kept, len(usages) - sum(map(len, kept.values())))


def _large_enough(groups: Mapping[str, list[str]]) -> Iterator[tuple[str, list[str]]]:
    """The largest first."""
    for name, usages in sorted(groups.items(), key=lambda each: (-len(each[1]), each[0])):
        if len(usages) >= SMALLEST:
            yield name, usages


def _meta(name: str, usage: Usage) -> str:
    value = usage.meta.get(name)
    return "" if value is None else str(value)


def _pos(usage: Usage) -> str:
    tag = usage.pos or (usage.lemma.rpartition(".")[2] if "." in usage.lemma else "")
    return POS.get(tag.lower(), tag)


def _number(senses: Mapping[str, float]) -> str:
    return "one" if sum(weight > 0 for weight in senses.values()) == 1 else "several"

"""Values grouped by a key."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Value = TypeVar("Value")
Key = TypeVar("Key")


def group_by(values: Iterable[Value], key: Callable[[Value], Key]) -> dict[Key, list[Value]]:
    """Group values by a key; groups and their values keep the order of the input.

    >>> group_by(["bank", "bar", "win"], lambda word: word[0])
    {'b': ['bank', 'bar'], 'w': ['win']}
    """
    groups: dict[Key, list[Value]] = {}
    for value in values:
        groups.setdefault(key(value), []).append(value)
    return groups

"""What the XML formats that have an element an instance share: usages from elements, and attributes from usages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from polyseme.errors import InputError, quote_value
from polyseme.formats.xml import Element
from polyseme.usage import Usage

PARTS_OF_SPEECH = frozenset("nvajrs")
"""How data sets write parts of speech; ``j`` and ``s`` are adjectives too."""

_NAME = re.compile("[A-Za-z_][A-Za-z0-9_.-]*")


class Lemma(NamedTuple):
    """A lemma such as ``win.v`` and the part of speech that it ends in, if it ends in one."""

    name: str
    pos: str

    @classmethod
    def of(cls, name: str) -> Lemma:
        """The lemma of this name.

        >>> Lemma.of("win.v").pos, Lemma.of("e.g").pos
        ('v', '')
        """
        word, _, end = name.rpartition(".")
        return cls(name, end if word and end in PARTS_OF_SPEECH else "")


def integer_attribute(element: Element, name: str) -> int:
    """An attribute that must be there and be a whole number, 0 or more."""
    text = element.attribute(name)
    if not re.fullmatch("[0-9]{1,9}", text):
        raise element.error(f"{name} {quote_value(text)} of <{element.tag}> is not a whole number, 0 or more")
    return int(text)


def other_attributes(element: Element, taken: Collection[str]) -> dict[str, str]:
    """The attributes that have no place of their own in a usage: its ``meta``."""
    return {name: value for name, value in element.attributes.items() if name not in taken}


def meta_attributes(usage: Usage, taken: Collection[str]) -> list[tuple[str, str]]:
    """What else is known of a usage as attributes.

    >>> meta_attributes(Usage("win.v.1", "win.v", "We won.", 3, 6, meta={"year": 1910}), {"id"})
    [('year', '1910')]
    """
    return xml_attributes(usage.meta, taken, f"usage {quote_value(usage.id)}")


def xml_attributes(known: Mapping[str, object], taken: Collection[str], whose: str) -> list[tuple[str, str]]:
    """What is known of something as attributes, numbers as text; a name must be one that XML allows."""
    for name in known:
        if name in taken or not _NAME.fullmatch(name):
            why = "has a meaning of its own here" if name in taken else "cannot be the name of an attribute in XML"
            raise InputError(f"{whose}: {quote_value(name)} {why}; rename it, or leave it out")
        if not isinstance(known[name], str | int | float):
            problem = f"{whose}: {quote_value(name)} is neither text nor a number, and XML holds only text"
            raise InputError(f"{problem}; write JSON Lines, or leave it out")
    return [(name, str(value)) for name, value in known.items()]


def check_unique(kind: str, names: Iterable[str]) -> None:
    """An error if one of the names to be written is empty or comes twice."""
    for name, count in Counter(names).items():
        if not name or count > 1:
            problem = f"{kind} {quote_value(name)} is given {count} times" if name else f"a {kind} has no name"
            raise InputError(f"{problem}; give each {kind} once, under a name of its own")

"""What the XML formats with one element per instance share: unique names, and attributes from and to values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from polyseme.errors import InputError, quote_value
from polyseme.formats.xml import Element
from polyseme.usage import Usage

XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

_NAME = re.compile("[A-Za-z_][A-Za-z0-9_.-]*")


def integer_attribute(element: Element, name: str) -> int:
    """Return an attribute that must be a whole number, 0 or more."""
    text = element.attribute(name)
    if not re.fullmatch("[0-9]{1,9}", text):
        raise element.error(f"{name} {quote_value(text)} of <{element.tag}> is not a whole number, 0 or more")
    return int(text)


def other_attributes(element: Element, names: Collection[str]) -> dict[str, str]:
    """Return the attributes with other names, which go into the ``meta`` of a usage."""
    return {name: value for name, value in element.attributes.items() if name not in names}


def meta_attributes(usage: Usage, reserved: Collection[str]) -> list[tuple[str, str]]:
    """Return the ``meta`` of a usage as attributes.

    >>> meta_attributes(Usage("win.v.1", "win.v", "We won.", 3, 6, meta={"year": 1910}), {"id"})
    [('year', '1910')]
    """
    return xml_attributes(usage.meta, reserved, f"usage {quote_value(usage.id)}")


def xml_attributes(properties: Mapping[str, object], reserved: Collection[str], owner: str) -> list[tuple[str, str]]:
    """Return properties as attributes, numbers as text.

    Args:
        properties: The names and values.
        reserved: Names with a meaning of their own, which are an error here.
        owner: The owner of the properties, for messages.
    """
    for name, value in properties.items():
        if name in reserved or not _NAME.fullmatch(name):
            why = "has a meaning of its own here" if name in reserved else "cannot be the name of an attribute in XML"
            raise InputError(f"{owner}: {quote_value(name)} {why}; rename it, or leave it out")
        if not isinstance(value, str | int | float):
            problem = f"{owner}: {quote_value(name)} is neither text nor a number, and XML holds only text"
            raise InputError(f"{problem}; write JSON Lines, or leave it out")
    return [(name, str(value)) for name, value in properties.items()]


def check_unique(kind: str, names: Iterable[str]) -> None:
    """Raise an error if one of the names to be written is empty or comes twice."""
    for name, count in Counter(names).items():
        if not name or count > 1:
            problem = f"{kind} {quote_value(name)} is given {count} times" if name else f"a {kind} has no name"
            raise InputError(f"{problem}; give each {kind} once, under a name of its own")

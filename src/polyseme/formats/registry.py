"""What a format is: a name, how it is recognised, and what can be read from it and written in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from polyseme.errors import InputError
from polyseme.formats.files import BOM, Source, decode_utf8, format_suffix, read_head
from polyseme.formats.xml import read_elements

CONTENT_NAMES = {
    "usages": "usages",
    "labelling": "a labelling",
    "ratings": "ratings",
    "sentences": "sentences",
    "inventory": "an inventory of senses",
    "pairs": "pairs of usages",
}
"""What files hold, and how messages call it."""


@dataclass(frozen=True)
class FileFormat:
    """A file format, as its module declares it under the name ``FORMAT``.

    ``recognises`` is asked with the first bytes of the decompressed file. ``readers`` and ``writers`` say for each kind
    of content (see :data:`CONTENTS`) how it is read from a source, and how it is written to a path. A suffix is what
    a file of it is called when one is written. ``folder`` marks a table that lies in a folder beside tables of other
    content: where such a folder is read, the others are passed over.
    """

    name: str
    title: str
    recognises: Callable[[bytes], bool]
    readers: Mapping[str, Callable[[Source], Any]] = field(default_factory=dict)
    writers: Mapping[str, Callable[[Any, str | os.PathLike[str]], None]] = field(default_factory=dict)
    suffixes: tuple[str, ...] = ()
    folder: bool = False


@cache
def all_formats() -> Mapping[str, FileFormat]:
    """All formats by name: a module of :mod:`polyseme.formats` that has a ``FORMAT`` or ``FORMATS`` is one or more."""
    from polyseme import formats as package

    found: dict[str, FileFormat] = {}
    for module in iter_modules(package.__path__):
        loaded = import_module(f"{package.__name__}.{module.name}")
        single = [loaded.FORMAT] if hasattr(loaded, "FORMAT") else []
        found |= {each.name: each for each in [*single, *getattr(loaded, "FORMATS", ())]}
    return found


def recognise_format(source: Source, content: str) -> FileFormat:
    """The format of a file that is to give this content; an error says what there is, if it is none of them."""
    start = read_head(source)
    of_content = [each for each in all_formats().values() if content in each.readers]
    found = [each for each in of_content if each.recognises(start)]
    if found:
        return found[0]
    _check_readable(source, start)
    other = next((each for each in all_formats().values() if each.recognises(start)), None)
    what = f"this is {other.title}, which does not hold" if other else "this is in no format that holds"
    titles = "; ".join(each.title for each in of_content)
    raise InputError(f"{what} {CONTENT_NAMES[content]}. Formats that do: {titles}", path=source)


def _check_readable(source: Source, start: bytes) -> None:
    """An error that says why no format can be told: nothing is there, it is not UTF-8, or its XML is broken."""
    if not start.removeprefix(BOM).strip():
        raise InputError("the file is empty", path=source)
    if start.lstrip().startswith(b"<?xml"):
        next(read_elements(source, 1), None)
    whole = start[: start.rfind(b"\n") + 1] or start
    decode_utf8(whole, source)


def get_format(name: str, content: str) -> FileFormat:
    """The format of this name, if it can give this content."""
    found = all_formats().get(name)
    if found is None or content not in found.readers:
        allowed = ", ".join(each.name for each in all_formats().values() if content in each.readers)
        raise InputError(f"no format {name!r} holds {CONTENT_NAMES[content]}; allowed are {allowed}")
    return found


def read(source: Source, content: str, format: str | None = None) -> Any:
    """What a file holds of this content, in the format that is named or else recognised."""
    found = recognise_format(source, content) if format is None else get_format(format, content)
    return found.readers[content](source)


def get_writer(content: str, path: str | os.PathLike[str], format: str | None = None) -> Callable[[Any], None]:
    """What writes such content to a path, in the format that is named or that the suffix names; an error if none can.

    Whoever works long for the value asks before, and not when it is done.
    """
    able = [each for each in all_formats().values() if content in each.writers]
    found = [each for each in able if (format_suffix(path) in each.suffixes if format is None else each.name == format)]
    if not found:
        given = f"{format!r}" if format else f"the suffix {format_suffix(path)!r}"
        names = (each.name + (f" ({', '.join(filter(None, each.suffixes))})" if each.suffixes else "") for each in able)
        problem = f"{given} names no format in which {CONTENT_NAMES[content]} can be written"
        raise InputError(f"{problem}; allowed are {'; '.join(names)}", path=path)
    return lambda value: found[0].writers[content](value, path)


def write(value: Any, content: str, path: str | os.PathLike[str], format: str | None = None) -> None:
    """Write a value in the format that is named, or that the path's suffix names."""
    get_writer(content, path, format)(value)

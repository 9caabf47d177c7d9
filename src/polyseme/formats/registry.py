"""The registry of file formats: how each is recognised, read and written."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import BOM, Source, decode_utf8, format_suffix, read_head
from polyseme.formats.signatures import check_signature

CONTENT_NAMES = {
    "usages": "usages",
    "labelling": "a labelling",
    "ratings": "ratings",
    "sentences": "sentences",
    "inventory": "an inventory of senses",
    "pairs": "pairs of usages",
}
"""The kinds of content of files, and their names in messages."""

TEXTS_ADVICE = (
    "If these are texts, take the usages of a word from them: `polyseme index FILE -o my.index`, then `polyseme kwic"
    " my.index WORD --json > usages.jsonl`"
)
"""What to do with a table of texts where usages are needed."""


@dataclass(frozen=True)
class FileFormat:
    """A file format, which its module declares under the name ``FORMAT``, or several under ``FORMATS``.

    Args:
        name: The name by which users select the format.
        title: The name in messages.
        recognises: Whether the first bytes of a decompressed file are those of this format.
        readers: Content (see :data:`CONTENT_NAMES`) → function that reads it from a source.
        writers: Content → function that writes a value to a path.
        suffixes: The suffixes for which a file is written in this format.
        folder: Whether files of this format lie in a folder beside tables of other content. When such a folder is
            read, the other tables are skipped.
    """

    name: str
    title: str
    recognises: Callable[[bytes], bool]
    readers: Mapping[str, Callable[[Source], Any]] = field(default_factory=dict)
    writers: Mapping[str, Callable[[Any, str | os.PathLike[str]], None]] = field(default_factory=dict)
    suffixes: tuple[str, ...] = ()
    folder: bool = False

    @classmethod
    def for_content(
        cls,
        content: str,
        name: str,
        title: str,
        recognises: Callable[[bytes], bool],
        reader: Callable[[Source], Any],
        writer: Callable[..., None],
        *suffixes: str,
        folder: bool = False,
    ) -> FileFormat:
        """Declare a format that holds one kind of content, which can be read and written."""
        return cls(name, title, recognises, {content: reader}, {content: writer}, suffixes, folder)


@cache
def all_formats() -> Mapping[str, FileFormat]:
    """Return all formats of the modules of :mod:`polyseme.formats` by name."""
    from polyseme import formats as package

    formats: dict[str, FileFormat] = {}
    for info in iter_modules(package.__path__):
        module = import_module(f"{package.__name__}.{info.name}")
        single = [module.FORMAT] if hasattr(module, "FORMAT") else []
        formats |= {format.name: format for format in [*single, *getattr(module, "FORMATS", ())]}
    return formats


def formats_with(content: str) -> list[FileFormat]:
    """Return the formats from which this content can be read."""
    return [format for format in all_formats().values() if content in format.readers]


def recognise_format(source: Source, content: str) -> FileFormat:
    """Recognise the format of a file from which to read this content.

    Raises:
        polyseme.errors.InputError: No format with this content fits; the message says what the file is.
    """
    from polyseme.formats.tables import describe_missing_columns, header_columns

    start = read_head(source)
    candidates = formats_with(content)
    recognised = next((format for format in candidates if format.recognises(start)), None)
    if recognised is not None:
        return recognised
    _check_readable(source, start, CONTENT_NAMES[content])
    other = next((format for format in all_formats().values() if format.recognises(start)), None)
    if not other and start.removeprefix(BOM).lstrip().startswith(b"{"):
        for form in (form for form in candidates if ".jsonl" in form.suffixes):
            next(iter(form.readers[content](source)), None)  # its error names the line, and what it lacks
    if not other and (columns := describe_missing_columns(start, candidates)):
        advice = f". {TEXTS_ADVICE}" if content == "usages" and "text" in header_columns(start) else ""
        raise InputError(f"{columns}{advice}", path=source, line=1)
    problem = f"this is {other.title}, which does not hold" if other else "this is in no format that holds"
    titles = "; ".join(format.title for format in candidates)
    raise InputError(f"{problem} {CONTENT_NAMES[content]}. Formats that do: {titles}", path=source)


def _check_readable(source: Source, start: bytes, content: str) -> None:
    """Raise an error if no format can fit: the file is empty, of a foreign kind or not UTF-8, or its XML is broken."""
    from polyseme.formats.xml import read_elements

    if not start.removeprefix(BOM).strip():
        raise InputError(f"the file is empty; a file with {content} is expected", path=source)
    check_signature(start, source, f"a file with {content}")
    if start.lstrip().startswith(b"<?xml"):
        next(read_elements(source, 1), None)
    decode_utf8(start[: start.rfind(b"\n") + 1] or start, source)


def get_format(name: str, content: str) -> FileFormat:
    """Return the format of this name, from which this content can be read."""
    formats = {format.name: format for format in formats_with(content)}
    if name not in formats:
        raise InputError(f"no format {name!r} holds {CONTENT_NAMES[content]}; allowed are {', '.join(formats)}")
    return formats[name]


def read(source: Source, content: str, format: str | None = None) -> Any:
    """Read content from a file.

    Args:
        source: The file.
        content: The kind of content; see :data:`CONTENT_NAMES`.
        format: The name of the format; by default it is recognised.
    """
    file_format = recognise_format(source, content) if format is None else get_format(format, content)
    return file_format.readers[content](source)


def get_writer(content: str, path: str | os.PathLike[str], format: str | None = None) -> Callable[[Any], None]:
    """Return a function that writes a value to a path; call this before a long computation of the value.

    Args:
        content: The kind of content; see :data:`CONTENT_NAMES`.
        path: The file to write.
        format: The name of the format; by default the suffix decides.

    Raises:
        polyseme.errors.InputError: No format of this name or suffix can be written.
    """
    suffix = format_suffix(path)
    candidates = [file_format for file_format in all_formats().values() if content in file_format.writers]
    for file_format in candidates:
        if suffix in file_format.suffixes if format is None else file_format.name == format:
            return lambda value: file_format.writers[content](value, path)
    problem = f"{quote_value(format) if format else f'the suffix {quote_value(suffix)}'} names no format in which"
    allowed = (
        file_format.name + (f" ({', '.join(filter(None, file_format.suffixes))})" if file_format.suffixes else "")
        for file_format in candidates
    )
    raise InputError(f"{problem} {CONTENT_NAMES[content]} can be written; allowed are {'; '.join(allowed)}", path=path)


def write(value: Any, content: str, path: str | os.PathLike[str], format: str | None = None) -> None:
    """Write a value in the named format, or in the format of the suffix."""
    get_writer(content, path, format)(value)

"""The errors and warnings of polyseme, and how their messages quote values."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager


def _printable(path: object) -> str:
    """Return the name of a file for a message of one line."""
    name = str(path)
    return name if name.isprintable() else repr(name)


class PolysemeError(Exception):
    """The root of every error that polyseme raises on purpose; its text is meant to be read by a person."""


class InputError(PolysemeError):
    """An input cannot be used: a file, a line of a file, an option or the specification of a part.

    The message says what was given and where, what is allowed, and what to do.

    Args:
        message: The problem and the remedy.
        path: The file or folder at fault.
        line: The line of the file, from 1.

    >>> str(InputError("weight 'o.5' is not a number", path="out.key", line=17))
    "out.key:17: weight 'o.5' is not a number"
    """

    def __init__(self, message: str, *, path: object = None, line: int | None = None) -> None:
        name = _printable(path)
        where = "" if path is None else f"{name}: " if line is None else f"{name}:{line}: "
        super().__init__(where + message)


class MissingExtra(PolysemeError):
    """A part needs a library that is not installed; the message ends with the command to type.

    The command is the one for how polyseme is installed: from a registry, from a folder, or editable.

    Args:
        extra: The extra of polyseme that installs the library.
        library: The library.

    >>> str(MissingExtra("plots", "altair"))
    "'altair' is not installed. Type: pip install 'polyseme[plots]'"
    """

    def __init__(self, extra: str, library: str) -> None:
        from polyseme.origin import install_command

        super().__init__(f"{library!r} is not installed. Type: {install_command(extra)}")


class TooLittleData(PolysemeError):
    """A word has too few usages, or none that fit, to learn anything about it."""


class InputWarning(UserWarning):
    """The input is tolerated, but the user should know; one warning summarises all lines concerned."""


def quote_value(value: object, limit: int = 60) -> str:
    """Quote a value for a message, cut off after ``limit`` characters.

    >>> quote_value("o.5"), quote_value("a" * 100, limit=4)
    ("'o.5'", "'aaaa…'")
    """
    text = value if isinstance(value, str) else repr(value)
    cut = text if len(text) <= limit else text[:limit] + "…"
    return repr(cut) if isinstance(value, str) else cut


def count_noun(count: int, one: str, many: str = "") -> str:
    """Write a number with its noun, in the singular or the plural.

    >>> count_noun(1, "lemma"), count_noun(1200, "sense"), count_noun(0, "entry", "entries")
    ('1 lemma', '1,200 senses', '0 entries')
    """
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


@contextmanager
def add_file_name(path: object) -> Iterator[None]:
    """Add the name of a file, or of another source, to errors and warnings that do not begin with it.

    >>> with add_file_name("out.key"):
    ...     raise InputError("weight 'o.5' is not a number")
    Traceback (most recent call last):
    polyseme.errors.InputError: out.key: weight 'o.5' is not a number
    """

    def add_name(message: object) -> str:
        name = _printable(path)
        return str(message) if str(message).startswith(f"{name}:") else f"{name}: {message}"

    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", InputWarning)
            yield
    except InputError as error:
        raise InputError(add_name(error)) from None
    finally:
        for warning in caught:
            warnings.warn(add_name(warning.message), warning.category, stacklevel=3)


@contextmanager
def require_extra(extra: str) -> Iterator[None]:
    """Turn a missing library of an extra into an error that says what to type."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] == "polyseme":
            raise
        raise MissingExtra(extra, error.name) from None

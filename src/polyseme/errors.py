"""What polyseme says when something given to it cannot be used."""

from __future__ import annotations


class PolysemeError(Exception):
    """The root of every error that polyseme raises on purpose; its text is meant to be read by a person."""


class InputError(PolysemeError):
    """Something given by the user cannot be used: a file, a line of it, an option or a part's specification.

    The message says what was given and where, what is allowed, and what to do.

    >>> str(InputError("weight 'o.5' is not a number", path="out.key", line=17))
    "out.key:17: weight 'o.5' is not a number"
    """

    def __init__(self, message: str, *, path: object = None, line: int | None = None) -> None:
        where = "" if path is None else f"{path}: " if line is None else f"{path}:{line}: "
        super().__init__(where + message)


CHECKOUT_COMMANDS = {"small": ", or, in a checkout of polyseme, pip install ./models/small"}
"""What to type for extras that are a package of their own beside polyseme."""


class MissingExtra(PolysemeError):
    """A part needs a library that is not installed; the message ends with the command to type.

    >>> str(MissingExtra("plots", "altair"))
    "'altair' is not installed. Type: pip install 'polyseme[plots]'"
    """

    def __init__(self, extra: str, library: str) -> None:
        here = CHECKOUT_COMMANDS.get(extra, "")
        super().__init__(f"{library!r} is not installed. Type: pip install 'polyseme[{extra}]'{here}")


class TooLittleData(PolysemeError):
    """A word has too few usages, or none that fit, to learn anything about it."""


class InputWarning(UserWarning):
    """Something in the input is tolerated, but the user should know: said once, as a summary."""


def quote_value(given: object, limit: int = 60) -> str:
    """What was given, quoted for a message, and cut where it is long.

    >>> quote_value("o.5"), quote_value("a" * 100, limit=4)
    ("'o.5'", "'aaaa…'")
    """
    text = given if isinstance(given, str) else repr(given)
    cut = text if len(text) <= limit else text[:limit] + "…"
    return repr(cut) if isinstance(given, str) else cut


def count_noun(count: int, one: str, many: str = "") -> str:
    """So many of something, in words that are right for one, too.

    >>> count_noun(1, "lemma"), count_noun(1200, "sense"), count_noun(0, "entry", "entries")
    ('1 lemma', '1,200 senses', '0 entries')
    """
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"

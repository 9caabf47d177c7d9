"""What a page is asked for: everything is in its address, so that any page can be kept, sent and come back to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any
from unicodedata import category
from urllib.parse import urlencode

MAX_LENGTHS = {"word": 100, "model": 500, "other": 500, "where": 500, "sense": 100, "usage": 500, "text": 5000}
"""How many characters are read of what was typed."""

MAX_NAME_LENGTH = 80
MAX_NAMED_SENSES = 40
"""How many senses can be given a name, or be merged."""

HIGHEST_PAGE = 10**6

BIDI_CONTROLS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the direction of what is written; a page sets it itself."""


@dataclass(frozen=True)
class PageRequest:
    """The word and the model, what of its usages is shown and in which order, and what was changed in its senses.

    ``names`` and ``into`` are by the numbers of senses as the model has them, from 1: what a sense is called, and into
    which one it goes.
    """

    word: str = ""
    model: str = ""
    other: str = ""
    where: str = ""
    sense: str = ""
    by: str = ""
    usage: str = ""
    text: str = ""
    page: int = 1
    names: Mapping[int, str] = field(default_factory=dict)
    into: Mapping[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, given: Mapping[str, str]) -> PageRequest:
        """What stands in an address.

        >>> PageRequest.of({"word": " bank.n ", "page": "x", "name2": "shore", "into3": "1"})
        Asked(word='bank.n', ..., page=1, names={2: 'shore'}, into={3: 1})
        """
        texts = {name: _read_field(name, given.get(name, "")) for name in MAX_LENGTHS}
        texts["model"] = _read_field("model", given.get("own", "")) or texts["model"]
        texts["other"] = _read_field("other", given.get("ownother", "")) or texts["other"]
        texts["by"] = given.get("by", "") if given.get("by", "") in ORDERS else ""
        names = {
            number: _collapse_spaces(text)[:MAX_NAME_LENGTH].strip()
            for number, text in _numbered_fields(given, "name").items()
        }
        into = {number: _parse_number(text, 0) for number, text in _numbered_fields(given, "into").items()}
        return cls(
            **texts,
            page=min(max(_parse_number(given.get("page", ""), 1), 1), HIGHEST_PAGE),
            names={number: name for number, name in names.items() if name},
            into={number: target for number, target in into.items() if target and target != number},
        )

    def link(self, path: str, **changes: Any) -> str:
        """The address of another page of the same word, with what is to be different there.

        >>> PageRequest(word="bank.n", page=3).link("/word", by="purity", page=1)
        '/word?word=bank.n&by=purity'
        """
        given = self._plain(replace(self, **changes))
        return f"{path}?{urlencode(given)}" if given else path

    def hidden(self, *without: str) -> list[tuple[str, str]]:
        """The fields that a form has to send besides its own, which are ``without``."""
        dropped = (*without, "page")
        return [(name, value) for name, value in self._plain(self).items() if not name.startswith(dropped)]

    @staticmethod
    def _plain(asked: PageRequest) -> dict[str, str]:
        """The fields of an address; what is as usual is left out."""
        usual = PageRequest()
        simple = [each.name for each in fields(PageRequest) if each.name not in ("names", "into")]
        given = {name: str(getattr(asked, name)) for name in simple if getattr(asked, name) != getattr(usual, name)}
        named = {f"name{number}": name for number, name in asked.names.items()}
        return {**given, **named, **{f"into{number}": str(target) for number, target in asked.into.items()}}


ORDERS = {
    "sense": "sense by sense",
    "purity": "clearest first",
    "ambiguity": "most ambiguous first",
    "corpus": "as in the corpus",
}
"""The orders of usages, and what they are called."""


def clean_text(text: str) -> str:
    r"""The text without characters that no page can show, or that turn what stands around them.

    Those that are not seen but belong to words, such as the joiners and non-joiners of Persian, stay.

    >>> clean_text("a\x00b"), clean_text("\u202eknab"), clean_text("می\u200cخواهم") == "می\u200cخواهم"
    ('ab', 'knab', True)
    """
    return "".join(filter(_is_allowed, text))


def _is_allowed(character: str) -> bool:
    """Whether a character is printable, a space, a line end, or a sign of format that turns nothing."""
    if character.isprintable() or character in "\n\t":
        return True
    return character not in BIDI_CONTROLS and category(character) in ("Cf", "Zs", "Zl", "Zp")


def _collapse_spaces(text: str) -> str:
    """A word or a name: with single spaces."""
    return " ".join(clean_text("".join(" " if each.isspace() else each for each in text)).split())


def _read_field(name: str, text: str) -> str:
    """A field as it is used, and no longer than it may be.

    Names of usages and senses, and what stands between quotation marks, may have any spaces.
    """
    if name in ("usage", "sense"):
        return clean_text(text)[: MAX_LENGTHS[name]]
    return (_collapse_spaces if name == "word" else clean_text)(text).strip()[: MAX_LENGTHS[name]].strip()


def _numbered_fields(given: Mapping[str, str], prefix: str) -> dict[int, str]:
    """The fields that are called so with a number behind."""
    numbers = range(1, MAX_NAMED_SENSES + 1)
    return {number: given[f"{prefix}{number}"] for number in numbers if f"{prefix}{number}" in given}


def _parse_number(text: str, default: int) -> int:
    """A whole number, or what it is otherwise."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else default

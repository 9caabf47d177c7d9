"""What a page is asked for: everything is in its address, so that any page can be kept, sent and come back to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any
from urllib.parse import urlencode

LONGEST = {"word": 100, "model": 500, "other": 500, "where": 500, "sense": 100, "usage": 500, "text": 5000}
"""How many characters are read of what was typed."""

LONGEST_NAME = 80
MOST_NAMES = 40
"""How many senses can be given a name, or be merged."""

HIGHEST_PAGE = 10**6


@dataclass(frozen=True)
class Asked:
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
    def of(cls, given: Mapping[str, str]) -> Asked:
        """What stands in an address.

        >>> Asked.of({"word": " bank.n ", "page": "x", "name2": "shore", "into3": "1"})
        Asked(word='bank.n', ..., page=1, names={2: 'shore'}, into={3: 1})
        """
        texts = {name: cleaned(given.get(name, ""))[:most] for name, most in LONGEST.items()}
        texts["model"] = cleaned(given.get("own", ""))[: LONGEST["model"]] or texts["model"]
        texts["other"] = cleaned(given.get("ownother", ""))[: LONGEST["other"]] or texts["other"]
        texts["by"] = given.get("by", "") if given.get("by", "") in ORDERS else ""
        names = {number: cleaned(text)[:LONGEST_NAME] for number, text in _numbered(given, "name").items()}
        into = {number: _whole(text, 0) for number, text in _numbered(given, "into").items()}
        return cls(
            **texts,
            page=min(max(_whole(given.get("page", ""), 1), 1), HIGHEST_PAGE),
            names={number: name for number, name in names.items() if name},
            into={number: target for number, target in into.items() if target and target != number},
        )

    def link(self, path: str, **changes: Any) -> str:
        """The address of another page of the same word, with what is to be different there.

        >>> Asked(word="bank.n", page=3).link("/word", by="purity", page=1)
        '/word?word=bank.n&by=purity'
        """
        given = self._plain(replace(self, **changes))
        return f"{path}?{urlencode(given)}" if given else path

    def hidden(self, *without: str) -> list[tuple[str, str]]:
        """The fields that a form has to send besides its own, which are ``without``."""
        dropped = (*without, "page")
        return [(name, value) for name, value in self._plain(self).items() if not name.startswith(dropped)]

    @staticmethod
    def _plain(asked: Asked) -> dict[str, str]:
        """The fields of an address; what is as usual is left out."""
        usual = Asked()
        simple = [each.name for each in fields(Asked) if each.name not in ("names", "into")]
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


def cleaned(text: str) -> str:
    """The text without control characters and half characters, which no page can show, and with single spaces."""
    shown = "".join(" " if each.isspace() else each for each in text if each.isprintable() or each.isspace())
    return " ".join(shown.encode(errors="ignore").decode().split())


def _numbered(given: Mapping[str, str], prefix: str) -> dict[int, str]:
    """The fields that are called so with a number behind."""
    numbers = range(1, MOST_NAMES + 1)
    return {number: given[f"{prefix}{number}"] for number in numbers if f"{prefix}{number}" in given}


def _whole(text: str, default: int) -> int:
    """A whole number, or what it is otherwise."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else default

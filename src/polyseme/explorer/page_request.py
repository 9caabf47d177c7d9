"""The query of a page: its address holds everything, so that any page can be bookmarked and sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any
from unicodedata import category
from urllib.parse import urlencode

MAX_LENGTHS = {"word": 100, "model": 500, "other": 500, "where": 500, "sense": 100, "usage": 500, "text": 5000}
"""The number of characters that are read of each field."""

MAX_NAME_LENGTH, MAX_EDITED_LENGTH = 80, 120
MAX_NAMED_SENSES = 40
"""The number of senses that can be renamed or merged."""

HIGHEST_PAGE = 10**6

BIDI_CONTROLS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the direction of text, which a page sets itself."""

ORDERS = {
    "sense": "Sense",
    "purity": "Clearest sense first",
    "ambiguity": "Most ambiguous first",
    "corpus": "Corpus order",
}
"""The orders of usages, and their names."""


@dataclass(frozen=True)
class PageRequest:
    """The query of a page.

    Args:
        word: The word.
        model: The specification of the model.
        other: The specification of the model that it is compared with.
        where: A condition on the metadata of documents.
        sense: Show only usages whose heaviest sense this is.
        by: The order of usages.
        usage: The usage that others are compared with.
        text: A text in which the word is disambiguated.
        page: The number of the page of usages.
        names: The names of senses, by the number of the sense in the model, from 1.
        into: The senses that others are merged into, by number.
        edited: The fingerprint of the senses that these numbers mean; empty without edits.
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
    edited: str = ""

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> PageRequest:
        """Read the fields of an address.

        >>> PageRequest.from_query({"word": " bank.n ", "page": "x", "name2": "shore", "into3": "1"})
        PageRequest(word='bank.n', ..., page=1, names={2: 'shore'}, into={3: 1}, edited='')
        """
        texts = {name: _read_field(name, query.get(name, "")) for name in MAX_LENGTHS}
        texts["model"] = _read_field("model", query.get("own", "")) or texts["model"]
        texts["other"] = _read_field("other", query.get("ownother", "")) or texts["other"]
        texts["by"] = query.get("by", "") if query.get("by", "") in ORDERS else ""
        names = {n: _collapse_spaces(text)[:MAX_NAME_LENGTH].strip() for n, text in _numbered_fields(query, "name")}
        into = {number: number_or_default(text, 0) for number, text in _numbered_fields(query, "into")}
        request = cls(
            **texts,
            page=min(max(number_or_default(query.get("page", ""), 1), 1), HIGHEST_PAGE),
            names={number: name for number, name in names.items() if name},
            into={number: target for number, target in into.items() if target and target != number},
        )
        return replace(request, edited=clean_text(query.get("edited", ""))[:MAX_EDITED_LENGTH] * request.has_edits)

    @property
    def has_edits(self) -> bool:
        """Whether senses are renamed or merged."""
        return bool(self.names or self.into)

    def link(self, path: str, **changes: Any) -> str:
        """The address of another page of the same word, with changes.

        >>> PageRequest(word="bank.n", page=3).link("/word", by="purity", page=1)
        '/word?word=bank.n&by=purity'
        """
        query = replace(self, **changes)._to_query()
        return f"{path}?{urlencode(query)}" if query else path

    def hidden_fields(self, *own: str) -> list[tuple[str, str]]:
        """The hidden fields of a form, besides its own fields."""
        return [(name, value) for name, value in self._to_query().items() if not name.startswith((*own, "page"))]

    def _to_query(self) -> dict[str, str]:
        """The fields of the address that are not at their defaults."""
        default = PageRequest()
        simple = [option.name for option in fields(self) if option.name not in ("names", "into", "edited")]
        query = {name: str(getattr(self, name)) for name in simple if getattr(self, name) != getattr(default, name)}
        return {**query, **self.edit_fields()}

    def edit_fields(self) -> dict[str, str]:
        """The fields of the address that rename and merge senses, with the fingerprint of these senses."""
        names = {f"name{number}": name for number, name in self.names.items()}
        targets = {f"into{number}": str(target) for number, target in self.into.items()}
        return {**names, **targets, **({"edited": self.edited} if self.has_edits and self.edited else {})}


def clean_text(text: str) -> str:
    r"""Remove characters that no page can show, or that change the direction of the text around them.

    Invisible characters that belong to words, such as the joiners and non-joiners of Persian, stay.

    >>> clean_text("a\x00b"), clean_text("\u202eknab"), clean_text("می\u200cخواهم") == "می\u200cخواهم"
    ('ab', 'knab', True)
    """
    return "".join(filter(_is_allowed, text))


def _is_allowed(character: str) -> bool:
    """Whether a character is printable, a space, a line end, or a format character without direction."""
    if character.isprintable() or character in "\n\t":
        return True
    return character not in BIDI_CONTROLS and category(character) in ("Cf", "Zs", "Zl", "Zp")


def _collapse_spaces(text: str) -> str:
    return " ".join(clean_text("".join(" " if letter.isspace() else letter for letter in text)).split())


def _read_field(name: str, text: str) -> str:
    """Clean and shorten a field; ids of usages and senses may have spaces at their ends."""
    if name in ("usage", "sense"):
        return clean_text(text)[: MAX_LENGTHS[name]]
    return (_collapse_spaces if name == "word" else clean_text)(text).strip()[: MAX_LENGTHS[name]].strip()


def _numbered_fields(query: Mapping[str, str], prefix: str) -> list[tuple[int, str]]:
    """The fields whose name is this prefix and a number."""
    numbers = range(1, MAX_NAMED_SENSES + 1)
    return [(number, query[f"{prefix}{number}"]) for number in numbers if f"{prefix}{number}" in query]


def number_or_default(text: str, default: int) -> int:
    """Parse a whole number, or return a default."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else default

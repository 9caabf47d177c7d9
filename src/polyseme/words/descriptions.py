"""Descriptions of senses and usages for people: names, descriptive words, quotations and sources."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from polyseme.inventory import Sense
from polyseme.lemma import strip_pos
from polyseme.usage import Usage

UNINFORMATIVE_WORDS = frozenset(
    "be have do make get go say not other such same more most also so own great good new last large year now".split()  # noqa: SIM905
)
"""Words that occur with any usage and describe no sense."""

AUTHOR_FIELDS = ("president", "author", "speaker", "writer", "newspaper", "source")
"""Fields of the metadata that name the author of a usage."""


def descriptive_words(sense: Sense, count: int = 12) -> list[str]:
    """The words that best describe a sense, without parts of speech and uninformative words."""
    words = (" + ".join(map(strip_pos, feature.split(" "))) for feature, _ in sense.features)
    return [word for word in dict.fromkeys(words) if word not in UNINFORMATIVE_WORDS][:count]


def name_senses(senses: Sequence[Sense], count: int = 3) -> tuple[str, ...]:
    """Name each sense: by its id if a person chose it, otherwise by the first words that describe no other sense.

    >>> name_senses([Sense("bank.n.s1", "bank.n", features=(("money.n", 2), ("loan.n", 1)))])
    ('money, loan',)
    >>> name_senses([Sense("shore", "bank.n", features=(("river.n", 1),))])
    ('shore',)
    """
    descriptions = [descriptive_words(sense, 6) for sense in senses]
    names = []
    for sense, words in zip(senses, descriptions, strict=True):
        if chosen_name(sense):
            names.append(sense.id)
            continue
        distinct = [word for word in words if sum(word in other for other in descriptions) == 1]
        names.append(", ".join((distinct or words)[:count]) or sense.id)
    return tuple(names)


def chosen_name(sense: Sense) -> str:
    """The name that a person gave a sense; empty if its id is made of its lemma and a number.

    >>> chosen_name(Sense("bank.n.s1", "bank.n")), chosen_name(Sense("money", "bank.n"))
    ('', 'money')
    """
    generated = re.fullmatch(r"[A-Za-z]*\d+", sense.id.removeprefix(f"{sense.lemma}."))
    return "" if generated and sense.id.startswith(f"{sense.lemma}.") else sense.id


class Quotation(NamedTuple):
    """A target with its context on one line, which may be cut."""

    left: str
    target: str
    right: str


def quote_usage(usage: Usage, width: int) -> Quotation:
    """Quote a usage on one line, and cut its context if it is longer than a number of characters.

    The context is cut on both sides of the target, between words if possible.

    >>> quote_usage(Usage("u", "bank", "Far away,  on the bank of the river.", 18, 22), 24)
    Quotation(left='… on the ', target='bank', right=' of the …')
    """
    left, right = _on_one_line(usage.left), _on_one_line(usage.right)
    room = max(width - len(usage.target), 2)
    left_room = max(room // 2, room - len(right))
    right_room = max(room - room // 2, room - len(left))
    if len(left) > left_room:
        left = f"… {left[-left_room:].partition(' ')[2] or left[-left_room:]}"
    if len(right) > right_room:
        right = f"{right[:right_room].rpartition(' ')[0] or right[:right_room]} …"
    return Quotation(left.lstrip(), usage.target, right.rstrip())


def _on_one_line(text: str) -> str:
    """The text with single spaces; a space at either end stays, as the target stands next to it."""
    words = " ".join(text.split())
    if not words:
        return " " if text else ""
    return f"{' ' if text[0].isspace() else ''}{words}{' ' if text[-1].isspace() else ''}"


def bracket_target(usage: Usage) -> str:
    """The text of a usage with its target in brackets.

    >>> bracket_target(Usage("u", "win.v", "We won.", 3, 6))
    'We [won].'
    """
    return f"{usage.left}[{usage.target}]{usage.right}"


def cite_source(usage: Usage) -> str:
    """The author and the year of a usage, or else the name of its document, as far as its metadata have them.

    >>> cite_source(Usage("u", "bank", "bank", 0, 4, meta={"president": "James K. Polk", "date": "1847-12-07"}))
    'James K. Polk, 1847'
    >>> cite_source(Usage("u", "bank", "bank", 0, 4, meta={"document": "texts/1847-Polk-1.txt"}))
    '1847-Polk-1'
    """
    author = next((str(usage.meta[name]) for name in AUTHOR_FIELDS if usage.meta.get(name)), "")
    year = next((str(usage.meta[name])[:4] for name in ("year", "date") if usage.meta.get(name)), "")
    if author or year:
        return ", ".join(filter(None, (author, year)))
    document = str(usage.meta.get("document", ""))
    return document.rpartition("/")[2].rpartition("#")[2].removesuffix(".txt")

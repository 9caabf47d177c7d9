"""Disputed items, and one of them with all that was said of it, as the manager's pages show them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from polyseme.annotate.dossier import Answer, Dossier, Remark
from polyseme.annotate.items import Page
from polyseme.annotate.outcome import Invalid
from polyseme.annotate.overview import Dispute, pages_of_items
from polyseme.annotate.store import Store
from polyseme.annotate.tasks import NOTHING
from polyseme.inventory import Sense
from polyseme.rating import Item, Ratings

CUT = 90
"""Characters on either side of the target that lists show."""


class Chip(NamedTuple):
    """What someone said, in short; the tone tells what is no plain judgement."""

    who: str
    words: str
    tone: str = ""


@dataclass(frozen=True)
class DisputeRow:
    """A disputed item in a list."""

    page: Page
    sense: Sense | None
    said: tuple[Chip, ...]
    comments: tuple[tuple[str, str], ...]
    decided: bool


def dispute_rows(store: Store, disputes: Sequence[Dispute], decided: set[str]) -> list[DisputeRow]:
    """The rows of disputed items; ``decided`` are the names of pages that were adjudicated."""
    return [_dispute_row(store.page(each.page), each, each.page in decided) for each in disputes]


def _dispute_row(page: Page, each: Dispute, decided: bool) -> DisputeRow:
    found = each.disputed
    said = tuple(Chip(who, _titles(page, words)) for who, words in found.said.items())
    return DisputeRow(page, sense_of(page, found.item.target), said, tuple(found.comments.items()), decided)


def _titles(page: Page, words: str) -> str:
    """What was chosen, senses by the numbers under which they are shown, and what they mean."""
    places = {sense.id: f"{number}: {shorter(sense.gloss)}" for number, sense in enumerate(page.senses, start=1)}
    if not page.rules.chooses:
        return words
    return ", ".join(places.get(word, _substitute(word)) for word in words.split(", "))


def shorter(text: str, most: int = 32) -> str:
    """A text, cut where it is long.

    >>> shorter("a row of similar things"), shorter("sloping land beside water", 12)
    ('a row of similar things', 'sloping land…')
    """
    return text if len(text) <= most else text[:most].rstrip() + "…"


def _substitute(word: str) -> str:
    return "none" if word in (NOTHING, "?") else word


def sense_of(page: Page, target: str) -> Sense | None:
    """The sense that a target is."""
    return next((sense for sense in page.senses if sense.id == target), None)


def adjudicated_pages(store: Store) -> set[str]:
    """The names of the pages that a manager has decided something of."""
    return set(page_names(store, store.adjudications()).values())


def page_names(store: Store, ratings: Ratings) -> dict[Item, str]:
    """The pages of items."""
    return pages_of_items(store, ratings.items)


class Remarked(NamedTuple):
    """A comment, or why a usage is invalid, and the page it is about."""

    page: str
    who: str
    task: str
    usage: str
    words: str


def invalid_rows(found: Sequence[Invalid]) -> list[Remarked]:
    """The usages called invalid, the latest first."""
    return [Remarked(each.page, each.annotator, each.task, each.usage, each.reason) for each in reversed(found)]


def comment_rows(store: Store, ratings: Ratings, most: int) -> list[Remarked]:
    """The comments on what was judged, each once, the latest first."""
    found: dict[tuple[str, str, str, str], tuple[Item, str, str]] = {}
    for row in ratings:
        if row.comment and not row.role:
            found[row.annotator, row.task, row.usage, row.comment] = (row.item, row.annotator, row.comment)
    latest = list(reversed(found.values()))[:most]
    names = pages_of_items(store, [item for item, _, _ in latest])
    return [Remarked(names.get(item, ""), who, item.task, item.usage, words) for item, who, words in latest]


def cut(page: Page) -> Iterator[tuple[str, str, str]]:
    """The usages of a page, each in the line of a list: left, target, right."""
    for passage in page.passages:
        left, right = passage.left, passage.right
        yield (
            left if len(left) <= CUT else "…" + left[-CUT:],
            passage.target,
            right if len(right) <= CUT else right[:CUT] + "…",
        )


# -- one item --------------------------------------------------------------------------------------------------------


def chips(found: Dossier) -> dict[str, list[Chip]]:
    """Target → who said what of it; where substitutes are written, all under one target."""
    page = found.page
    made: dict[str, list[Chip]] = {}
    for each in (*found.given, *found.decided):
        for target, value in each.answered.values.items():
            if page.rules.chooses and value == 0:
                continue
            words = _value(page, target, value)
            made.setdefault(target if page.targets else "", []).append(Chip(_name(each), words, _tone(each)))
    return made


def _name(each: Answer) -> str:
    return f"{each.who} (again)" if each.role == "repeat" else each.who


def _tone(each: Answer) -> str:
    if each.role == "adjudication":
        return "decided"
    return "withdrawn" if each.answered.invalid else ""


def _value(page: Page, target: str, value: float | None) -> str:
    if not page.rules.chooses:
        return "?" if value is None or math.isnan(value) else f"{value:g}"
    return "✓" if page.targets else _substitute(target)


def right_words(page: Page) -> Mapping[str, str]:
    """What is expected of a control or training page, by target."""
    return {target: _value(page, target, value) for target, value in page.right.items() if value != 0}


TEXTS = {"comment": ("comment: ", "took the comment back"), "invalid": ("invalid: ", "valid after all")}
"""Kind of a text → what stands before it, and what an empty one says."""


def remark_words(page: Page, remark: Remark) -> str:
    """What was said, in words."""
    if remark.kind in TEXTS:
        before, empty = TEXTS[remark.kind]
        return before + remark.text if remark.text else empty
    places = {sense.id: f"sense {number}" for number, sense in enumerate(page.senses, start=1)}
    what = places.get(remark.target, "" if page.other else remark.target)
    if page.rules.chooses:
        done = "withdrew" if remark.value == 0 else "chose"
        return f"{done} {what if what != NOTHING else '“there is none”'}"
    value = "can’t decide" if remark.value is None else f"{remark.value:g}"
    return f"{what}: {value}" if what else value

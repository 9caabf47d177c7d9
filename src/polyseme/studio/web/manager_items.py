"""Disputed items, and one of them with all that was said of it, as the manager's pages show them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from polyseme.inventory import Sense
from polyseme.rating import Item, Ratings
from polyseme.studio.monitoring.overview import DisputedPage, find_item_pages
from polyseme.studio.monitoring.page_history import AnnotatorAnswers, PageEvent, PageHistory
from polyseme.studio.store.records import StudyEvent
from polyseme.studio.store.store import Store
from polyseme.studio.study.pages import Page
from polyseme.studio.study.tasks import NO_SUBSTITUTE

CONTEXT_LENGTH = 90
"""Characters on either side of the target that lists show."""


class JudgementChip(NamedTuple):
    """What someone said, in short; the tone tells what is no plain judgement."""

    who: str
    words: str
    tone: str = ""


@dataclass(frozen=True)
class DisputeRow:
    """A disputed item in a list."""

    page: Page
    sense: Sense | None
    said: tuple[JudgementChip, ...]
    comments: tuple[tuple[str, str], ...]
    decided: bool


def build_dispute_rows(store: Store, disputes: Sequence[DisputedPage], decided: set[str]) -> list[DisputeRow]:
    """The rows of disputed items; ``decided`` are the names of pages that were adjudicated."""
    return [_build_dispute_row(store.page(each.page), each, each.page in decided) for each in disputes]


def _build_dispute_row(page: Page, each: DisputedPage, decided: bool) -> DisputeRow:
    found = each.disputed
    said = tuple(JudgementChip(who, _describe_choices(page, words)) for who, words in found.said.items())
    return DisputeRow(page, find_sense(page, found.item.target), said, tuple(found.comments.items()), decided)


def _describe_choices(page: Page, words: str) -> str:
    """What was chosen, senses by the numbers under which they are shown, and what they mean."""
    places = {sense.id: f"{number}: {shorten(sense.gloss)}" for number, sense in enumerate(page.senses, start=1)}
    if not page.rules.is_choice:
        return words
    return ", ".join(places.get(word, _describe_substitute(word)) for word in words.split(", "))


def shorten(text: str, most: int = 32) -> str:
    """A text, cut where it is long.

    >>> shorten("a row of similar things"), shorten("sloping land beside water", 12)
    ('a row of similar things', 'sloping land…')
    """
    return text if len(text) <= most else text[:most].rstrip() + "…"


def _describe_substitute(word: str) -> str:
    return "none" if word in (NO_SUBSTITUTE, "?") else word


def find_sense(page: Page, target: str) -> Sense | None:
    """The sense that a target is."""
    return next((sense for sense in page.senses if sense.id == target), None)


def find_adjudicated_pages(store: Store) -> set[str]:
    """The names of the pages that a manager has decided something of."""
    return set(find_page_names(store, store.adjudications()).values())


def find_page_names(store: Store, ratings: Ratings) -> dict[Item, str]:
    """The pages of items."""
    return find_item_pages(store, ratings.items)


class RemarkRow(NamedTuple):
    """A comment, or why a usage is invalid, and the page it is about."""

    page: str
    who: str
    task: str
    usage: str
    words: str


def build_invalid_rows(found: Sequence[StudyEvent]) -> list[RemarkRow]:
    """The usages called invalid, the latest first."""
    return [RemarkRow(each.page, each.annotator, each.task, each.usage, each.text) for each in reversed(found)]


def build_comment_rows(store: Store, ratings: Ratings, most: int) -> list[RemarkRow]:
    """The comments on what was judged, each once, the latest first."""
    found: dict[tuple[str, str, str, str], tuple[Item, str, str]] = {}
    for row in ratings:
        if row.comment and not row.role:
            found[row.annotator, row.task, row.usage, row.comment] = (row.item, row.annotator, row.comment)
    latest = list(reversed(found.values()))[:most]
    names = find_item_pages(store, [item for item, _, _ in latest])
    return [RemarkRow(names.get(item, ""), who, item.task, item.usage, words) for item, who, words in latest]


def concordance_lines(page: Page) -> Iterator[tuple[str, str, str]]:
    """The usages of a page, each in the line of a list: left, target, right."""
    for passage in page.passages:
        left, right = passage.left, passage.right
        yield (
            left if len(left) <= CONTEXT_LENGTH else "…" + left[-CONTEXT_LENGTH:],
            passage.target,
            right if len(right) <= CONTEXT_LENGTH else right[:CONTEXT_LENGTH] + "…",
        )


# -- one item --------------------------------------------------------------------------------------------------------


def judgement_chips(found: PageHistory) -> dict[str, list[JudgementChip]]:
    """Target → who said what of it; where substitutes are written, all under one target."""
    page = found.page
    made: dict[str, list[JudgementChip]] = {}
    for each in (*found.answers, *found.decisions):
        for target, value in each.answered.values.items():
            if page.rules.is_choice and value == 0:
                continue
            words = _describe_value(page, target, value)
            made.setdefault(target if page.targets else "", []).append(
                JudgementChip(_answer_author(each), words, _answer_tone(each))
            )
    return made


def _answer_author(each: AnnotatorAnswers) -> str:
    return f"{each.who} (again)" if each.role == "repeat" else each.who


def _answer_tone(each: AnnotatorAnswers) -> str:
    if each.role == "adjudication":
        return "decided"
    return "withdrawn" if each.answered.invalid else ""


def _describe_value(page: Page, target: str, value: float | None) -> str:
    if not page.rules.is_choice:
        return "?" if value is None or math.isnan(value) else f"{value:g}"
    return "✓" if page.targets else _describe_substitute(target)


def expected_answers(page: Page) -> Mapping[str, str]:
    """What is expected of a control or training page, by target."""
    return {target: _describe_value(page, target, value) for target, value in page.right.items() if value != 0}


REMARK_WORDS = {"comment": ("comment: ", "took the comment back"), "invalid": ("invalid: ", "valid after all")}
"""Kind of a text → what stands before it, and what an empty one says."""


def describe_remark(page: Page, remark: PageEvent) -> str:
    """What was said, in words."""
    if remark.kind in REMARK_WORDS:
        before, empty = REMARK_WORDS[remark.kind]
        return before + remark.text if remark.text else empty
    places = {sense.id: f"sense {number}" for number, sense in enumerate(page.senses, start=1)}
    what = places.get(remark.target, "" if page.other else remark.target)
    if page.rules.is_choice:
        done = "withdrew" if remark.value == 0 else "chose"
        return f"{done} {what if what != NO_SUBSTITUTE else '“there is none”'}"
    value = "can’t decide" if remark.value is None else f"{remark.value:g}"
    return f"{what}: {value}" if what else value

"""Disputed items, comments and the history of one item, as the manager's pages display them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from polyseme.inventory import Sense
from polyseme.rating import Item, Ratings
from polyseme.studio.monitoring.overview import DisputedPage, find_item_pages
from polyseme.studio.monitoring.page_history import AnnotatorAnswers, PageHistory
from polyseme.studio.store.records import StudyEvent
from polyseme.studio.store.store import Store
from polyseme.studio.study.pages import Page
from polyseme.studio.study.tasks import NO_SUBSTITUTE

CONTEXT_LENGTH = 90
"""Characters on either side of the target in lists."""
MAX_GLOSS_LENGTH = 32
"""Characters of a gloss in lists."""


class JudgementChip(NamedTuple):
    """A judgement in short.

    Args:
        annotator: The name of the annotator or manager.
        words: The judgement, in words.
        tone: ``decided`` for adjudications, ``withdrawn`` for judgements of usages marked as invalid.
    """

    annotator: str
    words: str
    tone: str = ""


@dataclass(frozen=True)
class DisputeRow:
    """A disputed item in a list.

    Args:
        page: The page of the item.
        sense: The sense that is judged, if it is one.
        chips: The judgements.
        comments: Pairs of annotators and comments.
        decided: Whether a manager has adjudicated the page.
    """

    page: Page
    sense: Sense | None
    chips: tuple[JudgementChip, ...]
    comments: tuple[tuple[str, str], ...]
    decided: bool


def build_dispute_row(store: Store, dispute: DisputedPage, adjudicated: set[str]) -> DisputeRow:
    """Build the row of a disputed item; ``adjudicated`` are the names of pages with an adjudication."""
    page, item = store.page(dispute.page), dispute.disputed
    chips = tuple(JudgementChip(annotator, _describe_choices(page, words)) for annotator, words in item.answers.items())
    sense = next((sense for sense in page.senses if sense.id == item.item.target), None)
    return DisputeRow(page, sense, chips, tuple(item.comments.items()), dispute.page in adjudicated)


def _describe_choices(page: Page, words: str) -> str:
    """Describe chosen senses by their numbers and glosses."""
    if not page.rules.is_choice:
        return words
    senses = {sense.id: f"{number}: {shorten(sense.gloss)}" for number, sense in enumerate(page.senses, start=1)}
    return ", ".join(senses.get(word, _describe_substitute(word)) for word in words.split(", "))


def shorten(text: str, length: int = MAX_GLOSS_LENGTH) -> str:
    """Shorten a text to a number of characters.

    >>> shorten("a row of similar things"), shorten("sloping land beside water", 12)
    ('a row of similar things', 'sloping land…')
    """
    return text if len(text) <= length else text[:length].rstrip() + "…"


def _describe_substitute(word: str) -> str:
    return "none" if word in (NO_SUBSTITUTE, "?") else word


def find_adjudicated_pages(store: Store) -> set[str]:
    """Return the names of the pages that a manager has adjudicated."""
    return set(find_item_pages(store, store.adjudications().items).values())


class RemarkRow(NamedTuple):
    """A comment, or the reason why a usage is invalid, with its page and author."""

    page: str
    annotator: str
    task: str
    usage: str
    words: str


def build_invalid_rows(usages: Sequence[StudyEvent]) -> list[RemarkRow]:
    """Build the rows of usages marked as invalid, the latest first."""
    return [RemarkRow(usage.page, usage.annotator, usage.task, usage.usage, usage.text) for usage in reversed(usages)]


def build_comment_rows(store: Store, ratings: Ratings, limit: int) -> list[RemarkRow]:
    """Build the rows of comments, each comment once, the latest first."""
    comments: dict[tuple[str, str, str, str], tuple[Item, str, str]] = {}
    for row in ratings:
        if row.comment and not row.role:
            comments[row.annotator, row.task, row.usage, row.comment] = (row.item, row.annotator, row.comment)
    latest = list(reversed(comments.values()))[:limit]
    names = find_item_pages(store, [item for item, _, _ in latest])
    return [RemarkRow(names.get(item, ""), author, item.task, item.usage, words) for item, author, words in latest]


def concordance_lines(page: Page) -> Iterator[tuple[str, str, str]]:
    """Iterate over the usages of a page as concordance lines: left context, target, right context."""
    return (passage.cut_context(CONTEXT_LENGTH) for passage in page.passages)


# -- one item --------------------------------------------------------------------------------------------------------


def judgement_chips(history: PageHistory) -> dict[str, list[JudgementChip]]:
    """Return the judgements of a page by target; all substitutes are under an empty target."""
    page = history.page
    chips: dict[str, list[JudgementChip]] = {}
    for answers in (*history.answers, *history.decisions):
        author = f"{answers.annotator} (repeat)" if answers.role == "repeat" else answers.annotator
        for target, value in answers.page_answers.values.items():
            if not page.rules.is_choice or value != 0:
                chip = JudgementChip(author, _describe_value(page, target, value), _answer_tone(answers))
                chips.setdefault(target if page.targets else "", []).append(chip)
    return chips


def _answer_tone(answers: AnnotatorAnswers) -> str:
    if answers.role == "adjudication":
        return "decided"
    return "withdrawn" if answers.page_answers.invalid else ""


def _describe_value(page: Page, target: str, value: float | None) -> str:
    if not page.rules.is_choice:
        return "?" if value is None or math.isnan(value) else f"{value:g}"
    return "✓" if page.targets else _describe_substitute(target)


def expected_answers(page: Page) -> Mapping[str, str]:
    """Return the expected answers of a control or training page, by target."""
    return {target: _describe_value(page, target, value) for target, value in page.right.items() if value != 0}


REMARK_WORDS = {
    "comment": ("comment: ", "deleted the comment"),
    "invalid": ("marked as invalid: ", "marked as valid again"),
}
"""Kind of a text → the words before it, and the words for an empty text."""


def describe_event(page: Page, event: StudyEvent) -> str:
    """Describe an event in words."""
    if event.kind in REMARK_WORDS:
        prefix, empty = REMARK_WORDS[event.kind]
        return prefix + event.text if event.text else empty
    senses = {sense.id: f"sense {number}" for number, sense in enumerate(page.senses, start=1)}
    target = senses.get(event.target, "" if page.other else event.target)
    if page.rules.is_choice:
        verb = "withdrew" if event.value == 0 else "chose"
        return f"{verb} {target if target != NO_SUBSTITUTE else '“no word fits”'}"
    value = "can’t decide" if event.value is None else f"{event.value:g}"
    return f"{target}: {value}" if target else value

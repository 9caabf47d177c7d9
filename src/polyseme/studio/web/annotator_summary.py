"""Summaries for annotators: feedback after a training page, and figures at the end of the study."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from polyseme.errors import count_noun
from polyseme.studio.store.annotators import Annotator
from polyseme.studio.store.assigned_page import AssignedPage
from polyseme.studio.store.page_service import PageNotOpen
from polyseme.studio.store.store import Store
from polyseme.studio.study.pages import Page, TargetFeedback
from polyseme.studio.study.tasks import NO_SUBSTITUTE


@dataclass(frozen=True)
class FeedbackLine:
    """The feedback on one target.

    Args:
        name: The synonyms of the sense, or the substitute.
        gloss: The gloss of the sense.
        answer: The annotator's answer, in words.
        right: The expected answer, in words.
        good: Whether the answer counts as expected.
    """

    name: str
    gloss: str
    answer: str
    right: str
    good: bool


def build_feedback_lines(assigned: AssignedPage) -> tuple[str, str, list[FeedbackLine]]:
    """Return a summary, a hint, and a line for each target."""
    page = assigned.page
    lines = [_build_feedback_line(page, feedback) for feedback in assigned.feedback]
    count = sum(line.good for line in lines)
    summary = f"{'all' if count == len(lines) else f'{count} of {len(lines)}'} answers as expected"
    hint = "Compare your answers with the expected ones."
    if page.tolerance and not page.rules.is_choice:
        hint += f" Differences of up to {page.tolerance:g} are fine."
    return summary, hint, lines


def _build_feedback_line(page: Page, feedback: TargetFeedback) -> FeedbackLine:
    sense = next((sense for sense in page.senses if sense.id == feedback.target), None)
    substitute = feedback.target if page.rules.is_choice and feedback.target != NO_SUBSTITUTE else ""
    name = ", ".join(sense.synonyms) or sense.id if sense else substitute
    answer, right = (_describe_answer(page, value) for value in (feedback.answer, feedback.right))
    return FeedbackLine(name, sense.gloss if sense else "", answer, right, feedback.good)


def _describe_answer(page: Page, value: float | None) -> str:
    if page.rules.is_choice:
        return "no word fits" if value is None else "chosen" if value else "not chosen"
    if value is None or not page.scale.allows(value):
        return "no rating" if value is None else f"{value:g}"
    return f"{value:g} ({page.scale.label(value)})"


@dataclass(frozen=True)
class ValueUse:
    """How often an annotator gave a value of the scale.

    Args:
        label: The value, in words.
        count: How often it was given.
        share: The share of all answers.
    """

    label: str
    count: int
    share: float

    @property
    def percent(self) -> int:
        """The share in percent."""
        return round(100 * self.share)


@dataclass(frozen=True)
class AnnotatorSummary:
    """A summary of an annotator's work.

    Args:
        message: A sentence.
        figures: Pairs of labels and figures.
        values: The use of the scale.
        last: The number of the last page.
    """

    message: str
    figures: tuple[tuple[str, str], ...]
    values: tuple[ValueUse, ...]
    last: int


def summarise_annotator(store: Store, annotator: Annotator) -> AnnotatorSummary:
    """Summarise an annotator's work."""
    progress = next(row for row in store.progress() if row.annotator == annotator.name)
    figures = [("Pages", f"{progress.complete:,}"), ("Answers", f"{progress.judgements:,}")]
    if not math.isnan(progress.seconds):
        figures.append(("Time per page (median)", format_duration(progress.seconds)))
    if progress.started and progress.last:
        duration = datetime.fromisoformat(progress.last) - datetime.fromisoformat(progress.started)
        figures.append(("From first to last answer", format_duration(duration.total_seconds())))
    optional = (("Comments", progress.comments), ("Problems reported", progress.invalid))
    figures += [(label, f"{count:,}") for label, count in optional if count]
    message = f"You have answered {count_noun(progress.complete, 'page')}. All your answers are saved."
    return AnnotatorSummary(message, tuple(figures), tuple(_count_values(store, annotator.id)), progress.complete)


def _count_values(store: Store, annotator: int) -> Iterator[ValueUse]:
    """Count each value of the scale, and the undecided answers."""
    counts: Counter[str] = Counter()
    for assigned in _iter_pages(store, annotator):
        page, answers = assigned.page, assigned.answers
        if page.rules.is_choice or answers.invalid:
            continue
        for value in range(page.scale.lowest, page.scale.highest + 1):
            counts.setdefault(_describe_answer(page, value), 0)
        counts.update(
            "can’t decide" if value is None else _describe_answer(page, value) for value in answers.values.values()
        )
    for label, count in counts.items():
        yield ValueUse(label, count, count / counts.total() if count else 0.0)


def _iter_pages(store: Store, annotator: int) -> Iterator[AssignedPage]:
    """Iterate over the annotator's pages, in their order."""
    number = 1
    while True:
        try:
            yield store.page_at(annotator, number)
        except PageNotOpen:
            return
        number += 1


def format_duration(seconds: float) -> str:
    """Format a duration with units that fit its length.

    >>> format_duration(7.4), format_duration(65), format_duration(7320), format_duration(300_000)
    ('7 s', '1 min 5 s', '2 h 2 min', '3 days')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    if whole < 48 * 3600:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{whole // 86_400} days"

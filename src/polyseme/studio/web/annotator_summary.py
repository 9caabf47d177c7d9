"""What annotators are told of their own work: after a page of training, and when all is done."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from polyseme.errors import count_noun
from polyseme.studio.store.annotators import Annotator
from polyseme.studio.store.assigned_page import AssignedPage
from polyseme.studio.store.store import Store
from polyseme.studio.study.pages import Page, TargetFeedback
from polyseme.studio.study.tasks import NO_SUBSTITUTE


@dataclass(frozen=True)
class FeedbackLine:
    """What is said of one target after a page of training."""

    name: str
    gloss: str
    given: str
    right: str
    good: bool


def build_feedback_lines(shown: AssignedPage) -> tuple[str, str, list[FeedbackLine]]:
    """A heading, a hint and a line for each target."""
    lines = [_build_feedback_line(shown.page, each) for each in shown.feedback]
    right = sum(line.good for line in lines)
    heading = "all is right" if right == len(lines) else f"{right} of {len(lines)} right"
    return heading, _feedback_hint(shown.page), lines


def _feedback_hint(page: Page) -> str:
    near = f"within {page.tolerance:g} of it counts as right" if page.tolerance and not page.rules.is_choice else ""
    return f"The expected answer stands beside yours; {near}." if near else "The expected answer stands beside yours."


def _build_feedback_line(page: Page, told: TargetFeedback) -> FeedbackLine:
    sense = next((sense for sense in page.senses if sense.id == told.target), None)
    written = told.target if page.rules.is_choice and told.target != NO_SUBSTITUTE else ""
    name = ", ".join(sense.synonyms) or sense.id if sense else written
    return FeedbackLine(
        name,
        sense.gloss if sense else "",
        _describe_answer(page, told.answer),
        _describe_answer(page, told.right),
        told.good,
    )


def _describe_answer(page: Page, value: float | None) -> str:
    if page.rules.is_choice:
        return "that there is none" if value is None else "yes" if value else "no"
    if value is None or not page.scale.allows(value):
        return "nothing" if value is None else f"{value:g}"
    return f"{value:g} ({page.scale.label(value)})"


@dataclass(frozen=True)
class ValueUse:
    """How often a value of the scale was given."""

    label: str
    count: int
    share: float

    @property
    def percent(self) -> int:
        """The share in percent."""
        return round(100 * self.share)


@dataclass(frozen=True)
class AnnotatorSummary:
    """What an annotator did: figures in words, the use of each scale, and the last page."""

    said: str
    figures: tuple[tuple[str, str], ...]
    use: tuple[ValueUse, ...]
    last: int


def summarise_annotator(store: Store, annotator: Annotator) -> AnnotatorSummary:
    """Sum up what an annotator did."""
    progress = next(each for each in store.progress() if each.annotator == annotator.name)
    figures = [("Pages", f"{progress.complete:,}"), ("Judgements", f"{progress.judgements:,}")]
    if not math.isnan(progress.seconds):
        figures.append(("Typical time for a page", format_duration(progress.seconds)))
    if progress.started and progress.last:
        between = datetime.fromisoformat(progress.last) - datetime.fromisoformat(progress.started)
        figures.append(("From first to last answer", format_duration(between.total_seconds())))
    if progress.comments:
        figures.append(("Comments", f"{progress.comments:,}"))
    if progress.invalid:
        figures.append(("Usages called invalid", f"{progress.invalid:,}"))
    said = f"You have answered {count_noun(progress.complete, 'page')}. That was the last one, and everything is saved."
    return AnnotatorSummary(said, tuple(figures), tuple(_count_values(store, annotator.id)), progress.complete)


def _count_values(store: Store, annotator: int) -> Iterator[ValueUse]:
    """How often each value was given, where values were given at all, and how often none could be."""
    counts: Counter[str] = Counter()
    for shown in _iter_pages(store, annotator):
        if not shown.page.rules.is_choice and not shown.answered.invalid:
            counts.update({label: 0 for label in _scale_labels(shown.page) if label not in counts})
            counts.update(
                _describe_answer(shown.page, value) for value in shown.answered.values.values() if value is not None
            )
            undecided = sum(value is None for value in shown.answered.values.values())
            counts.update({"could not decide": undecided} if undecided else {})
    total = counts.total()
    for label, count in counts.items():
        yield ValueUse(label, count, count / total if total else 0.0)


def _scale_labels(page: Page) -> list[str]:
    return [_describe_answer(page, value) for value in range(page.scale.lowest, page.scale.highest + 1)]


def _iter_pages(store: Store, annotator: int) -> Iterator[AssignedPage]:
    """The annotator's pages, in their order."""
    number = 1
    while True:
        try:
            yield store.shown(annotator, number)
        except KeyError:
            return
        number += 1


def format_duration(seconds: float) -> str:
    """A time in words that fit its length.

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

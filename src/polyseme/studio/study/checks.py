"""What is wrong with a study, in words; and if nothing is, what it amounts to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from polyseme.errors import count_noun
from polyseme.studio.assignment.blocks import PageEntry, expected_page_count, plan_blocks, select_double_judged
from polyseme.studio.study.drawing import draft_pages
from polyseme.studio.study.pages import Page
from polyseme.studio.study.settings import Study

READING, RATING, PAIR, CHOOSING, WRITING = 8.0, 4.0, 6.0, 6.0, 15.0
"""Seconds that people need, roughly: to read a usage; to rate a sense, or a pair; to choose a sense; to find a word."""


@dataclass(frozen=True)
class Workload:
    """What a study asks of one annotator of a group, or of all, for a task."""

    task: str
    pages: int
    judgements: int
    hours: float


@dataclass(frozen=True)
class StudyOutline:
    """What a study amounts to: by task, and for one annotator of each group; ``hours`` are an estimate."""

    tasks: tuple[Workload, ...]
    groups: dict[str, Workload]
    training: int
    controls: int
    lemmas: int
    usages: int


def find_study_problems(study: Study) -> list[str]:
    """What is wrong with a study, in words, as far as its data tell."""
    return [*draft_pages(study).problems, *find_overlap_problems(study)]


def check_study(study: Study) -> tuple[list[str], StudyOutline | None]:
    """What is wrong, or what the study amounts to."""
    drawn = draft_pages(study)
    found = [*drawn.problems, *find_overlap_problems(study)]
    return found, None if found else outline_study(study, drawn.pages)


def find_overlap_problems(study: Study) -> Iterator[str]:
    """Where an overlap asks for more judgements than there are annotators to give them."""
    overlap, there = study.overlap, study.annotators
    if not there:
        return
    if overlap.design == "second" and there < 2:
        yield "[overlap] design: a second annotator is wanted, and annotators is 1; raise it, or let one judge all"
    if overlap.design != "per item":
        return
    doing = {task: _count_annotators(study, task) for task in study.tasks}
    for task, count in doing.items():
        if count < overlap.judgements:
            problem = f"[overlap] judgements is {overlap.judgements}, and {count_noun(count, 'annotator')}"
            who = f"of the {there} expected" if count < there else "are expected"
            yield f"{problem} {who} to do {task}; lower it, or raise annotators"


def _count_annotators(study: Study, task: str) -> int:
    """How many of the annotators are expected to do a task, if the groups are of the same size."""
    doing = [any(task in each.groups[group] for each in study.rounds) for group in study.groups]
    whole, rest = divmod(study.annotators, len(doing))
    return sum(whole + (number < rest) for number, does in enumerate(doing) if does)


def outline_study(study: Study, pages: Sequence[Page]) -> StudyOutline:
    """What a study with these pages amounts to."""
    ordinary = [page for page in pages if not page.role]
    tasks = [_measure_workload(task, [page for page in ordinary if page.task == task]) for task in study.tasks]
    return StudyOutline(
        tuple(tasks),
        {group: _measure_annotator_workload(study, pages, group) for group in study.groups},
        sum(page.role == "training" for page in pages),
        sum(page.role == "control" for page in pages),
        len({page.lemma for page in ordinary}),
        len({passage.usage for page in ordinary for passage in page.passages}),
    )


def _measure_workload(task: str, pages: Sequence[Page]) -> Workload:
    judgements = sum(max(1, 1 if page.rules.is_choice else len(page.targets)) for page in pages)
    return Workload(task, len(pages), judgements, sum(map(estimate_seconds, pages)) / 3600)


def estimate_seconds(page: Page) -> float:
    """How long a page takes, roughly."""
    reading = READING * len(page.passages)
    if page.rules.is_choice:
        return reading + (CHOOSING + len(page.senses) if page.rules.senses else WRITING)
    return reading + (PAIR if page.rules.pairs else RATING * len(page.senses))


def _measure_annotator_workload(study: Study, pages: Sequence[Page], group: str) -> Workload:
    """What one annotator of a group does: all, or where pages are given out on demand, a fair share."""
    cards = [
        PageEntry(number, page.name, page.task, page.round, page.lemma, page.role, page.usage, page.other)
        for number, page in enumerate(pages)
    ]
    if study.overlap.design == "second" and study.annotators > 1:
        cards = select_double_judged(study, cards)
    share = _judged_share(study)
    count, time, judgements = 0, 0.0, 0
    for block in plan_blocks(study, cards, "", group):
        of_block = [pages[number] for number in block.ordinary]
        shown = expected_page_count(block, ceil(len(of_block) * share)) + len(block.training)
        amount = _measure_workload(block.task, of_block)
        each = shown / len(of_block) if of_block else 0.0
        count, time = count + shown, time + amount.hours * each
        judgements += round(amount.judgements * each)
    return Workload("", count, judgements, time)


def _judged_share(study: Study) -> float:
    """The share of pages that one annotator is given on demand."""
    if study.overlap.design == "per item" and study.annotators:
        return min(1.0, study.overlap.judgements / study.annotators)
    return 1.0

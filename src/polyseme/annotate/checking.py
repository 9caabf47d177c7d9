"""What is wrong with a study, in words; and if nothing is, what it amounts to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from polyseme.annotate.assignment import Card, blocks, expected, judged_twice
from polyseme.annotate.drawing import draw
from polyseme.annotate.items import Page
from polyseme.annotate.study import Study
from polyseme.errors import counted

READING, RATING, PAIR, CHOOSING, WRITING = 8.0, 4.0, 6.0, 6.0, 15.0
"""Seconds that people need, roughly: to read a usage; to rate a sense, or a pair; to choose a sense; to find a word."""


@dataclass(frozen=True)
class Amount:
    """What a study asks of one annotator of a group, or of all, for a task."""

    task: str
    pages: int
    judgements: int
    hours: float


@dataclass(frozen=True)
class Outline:
    """What a study amounts to: by task, and for one annotator of each group; ``hours`` are an estimate."""

    tasks: tuple[Amount, ...]
    groups: dict[str, Amount]
    training: int
    controls: int
    lemmas: int
    usages: int


def problems(study: Study) -> list[str]:
    """What is wrong with a study, in words, as far as its data tell."""
    return [*draw(study).problems, *overlap_problems(study)]


def check(study: Study) -> tuple[list[str], Outline | None]:
    """What is wrong, or what the study amounts to."""
    drawn = draw(study)
    found = [*drawn.problems, *overlap_problems(study)]
    return found, None if found else outline(study, drawn.pages)


def overlap_problems(study: Study) -> Iterator[str]:
    """Where an overlap asks for more judgements than there are annotators to give them."""
    overlap, there = study.overlap, study.annotators
    if not there:
        return
    if overlap.design == "second" and there < 2:
        yield "[overlap] design: a second annotator is wanted, and annotators is 1; raise it, or let one judge all"
    if overlap.design != "per item":
        return
    doing = {task: _annotators_of(study, task) for task in study.tasks}
    for task, count in doing.items():
        if count < overlap.judgements:
            problem = f"[overlap] judgements is {overlap.judgements}, and {counted(count, 'annotator')}"
            who = f"of the {there} expected" if count < there else "are expected"
            yield f"{problem} {who} to do {task}; lower it, or raise annotators"


def _annotators_of(study: Study, task: str) -> int:
    """How many of the annotators are expected to do a task, if the groups are of the same size."""
    doing = [any(task in each.groups[group] for each in study.rounds) for group in study.groups]
    whole, rest = divmod(study.annotators, len(doing))
    return sum(whole + (number < rest) for number, does in enumerate(doing) if does)


def outline(study: Study, pages: Sequence[Page]) -> Outline:
    """What a study with these pages amounts to."""
    ordinary = [page for page in pages if not page.role]
    tasks = [_amount(task, [page for page in ordinary if page.task == task]) for task in study.tasks]
    return Outline(
        tuple(tasks),
        {group: _of_annotator(study, pages, group) for group in study.groups},
        sum(page.role == "training" for page in pages),
        sum(page.role == "control" for page in pages),
        len({page.lemma for page in ordinary}),
        len({passage.usage for page in ordinary for passage in page.passages}),
    )


def _amount(task: str, pages: Sequence[Page]) -> Amount:
    judgements = sum(max(1, 1 if page.rules.chooses else len(page.targets)) for page in pages)
    return Amount(task, len(pages), judgements, sum(map(seconds, pages)) / 3600)


def seconds(page: Page) -> float:
    """How long a page takes, roughly."""
    reading = READING * len(page.passages)
    if page.rules.chooses:
        return reading + (CHOOSING + len(page.senses) if page.rules.senses else WRITING)
    return reading + (PAIR if page.rules.pairs else RATING * len(page.senses))


def _of_annotator(study: Study, pages: Sequence[Page], group: str) -> Amount:
    """What one annotator of a group does: all, or where pages are given out on demand, a fair share."""
    cards = [
        Card(number, page.name, page.task, page.round, page.lemma, page.role, page.usage, page.other)
        for number, page in enumerate(pages)
    ]
    if study.overlap.design == "second" and study.annotators > 1:
        cards = judged_twice(study, cards)
    share = _share(study)
    count, time, judgements = 0, 0.0, 0
    for block in blocks(study, cards, "", group):
        of_block = [pages[number] for number in block.ordinary]
        shown = expected(block, ceil(len(of_block) * share)) + len(block.training)
        amount = _amount(block.task, of_block)
        each = shown / len(of_block) if of_block else 0.0
        count, time = count + shown, time + amount.hours * each
        judgements += round(amount.judgements * each)
    return Amount("", count, judgements, time)


def _share(study: Study) -> float:
    """The share of pages that one annotator is given on demand."""
    if study.overlap.design == "per item" and study.annotators:
        return min(1.0, study.overlap.judgements / study.annotators)
    return 1.0

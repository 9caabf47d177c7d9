"""Checks of a study: a list of its problems or, if there are none, an outline of the work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil

from polyseme.errors import count_noun
from polyseme.studio.assignment.blocks import PageEntry, expected_page_count, plan_blocks, select_double_judged
from polyseme.studio.study.drawing import draft_pages, list_first
from polyseme.studio.study.pages import Page, Passage
from polyseme.studio.study.settings import Study

READING, RATING, PAIR, CHOOSING, WRITING = 8.0, 4.0, 6.0, 6.0, 15.0
"""Estimated seconds to read a usage, rate a sense, rate a pair, choose a sense, and find a substitute."""
MOST_REPEATS = 1 - 1e-9
"""The phase with which the most pages are repeated."""
EXAMPLE_LENGTH = 40
"""Characters on either side of the target in an example."""


@dataclass(frozen=True)
class Workload:
    """The work of a task, or of one annotator.

    Args:
        task: The task; empty for all tasks.
        pages: The number of pages.
        judgements: The number of judgements.
        hours: The estimated time.
    """

    task: str
    pages: int
    judgements: int
    hours: float


@dataclass(frozen=True)
class StudyOutline:
    """The work of a whole study.

    Args:
        tasks: The workload of each task.
        groups: The workload of one annotator of each group, at most: chance decides which pages are repeated.
        least: The same, at least.
        training: The number of training pages.
        controls: The number of control pages.
        lemmas: The number of lemmas.
        usages: The number of usages.
        example: The first usage, with its target in brackets.
        warnings: What may be wrong, in words.
        total: The workload of all annotators, at most; ``None`` if their number is unknown, or with ``"second"``.
    """

    tasks: tuple[Workload, ...]
    groups: dict[str, Workload]
    least: dict[str, Workload]
    training: int
    controls: int
    lemmas: int
    usages: int
    example: str = ""
    warnings: tuple[str, ...] = ()
    total: Workload | None = None


def check_study(study: Study) -> tuple[list[str], StudyOutline | None]:
    """List the problems of a study and its data; if there are none, outline the work."""
    draft = draft_pages(study)
    problems = [*draft.problems, *find_overlap_problems(study)]
    return problems, None if problems else outline_study(study, draft.pages)


def find_overlap_problems(study: Study) -> Iterator[str]:
    """Find pages for which a study asks for more judgements than its annotators can give."""
    overlap, expected = study.overlap, study.annotators
    if overlap.design == "second" and expected == 1:
        yield '[overlap] design = "second" needs two annotators, but annotators is 1; raise it, or choose "everyone"'
    if overlap.design != "per item" or not expected:
        return
    for task in study.tasks:
        count = _count_annotators(study, task)
        if count < overlap.judgements:
            problem = f"[overlap] judgements is {overlap.judgements}, but only {count_noun(count, 'annotator')}"
            yield f"{problem} will do {task}; lower it, or raise annotators"


def _count_annotators(study: Study, task: str) -> int:
    """Count the annotators of a task, if groups of equal size are expected."""
    sizes = _divide_annotators(study).items()
    return sum(size for group, size in sizes if any(task in each.groups[group] for each in study.rounds))


def _divide_annotators(study: Study) -> dict[str, int]:
    quotient, remainder = divmod(study.annotators, len(study.groups))
    return {group: quotient + (number < remainder) for number, group in enumerate(study.groups)}


def outline_study(study: Study, pages: Sequence[Page]) -> StudyOutline:
    """Outline the work of a study with these pages."""
    ordinary = [page for page in pages if not page.role]
    tasks = [_measure_workload(task, [page for page in ordinary if page.task == task]) for task in study.tasks]
    passages = {passage.usage: passage for page in pages for passage in page.passages}
    least, groups = (
        {group: _measure_annotator_workload(study, pages, group, phase) for group in study.groups}
        for phase in (0.0, MOST_REPEATS)
    )
    return StudyOutline(
        tuple(tasks),
        groups,
        least,
        sum(page.role == "training" for page in pages),
        sum(page.role == "control" for page in pages),
        len({page.lemma for page in ordinary}),
        len({passage.usage for page in ordinary for passage in page.passages}),
        next((mark_target(passage) for passage in passages.values()), ""),
        tuple(_find_partial_targets(passages.values())),
        _sum_workloads(study, groups),
    )


def mark_target(passage: Passage) -> str:
    """Return a usage with its target in brackets, and the words beside it.

    >>> mark_target(Passage("bank.1", "The bank was closed.", 4, 8))
    'The [bank] was closed.'
    """
    left, target, right = passage.cut_context(EXAMPLE_LENGTH)
    return " ".join(f"{left}[{target}]{right}".splitlines())


def _find_partial_targets(passages: Iterable[Passage]) -> Iterator[str]:
    """Warn if targets begin or end inside a word, or with a blank; scripts without capitals may have no blanks."""
    partial = [passage for passage in passages if not _covers_words(passage)]
    if partial:
        usages = list_first([passage.usage for passage in partial])
        yield f"the target does not cover whole words in {usages}: {mark_target(partial[0])}; check start and end"


def _covers_words(passage: Passage) -> bool:
    """Whether a target begins and ends where words do."""
    left, target, right = passage.left, passage.target, passage.right
    seams = (left[-1:] + target[:1], target[-1:] + right[:1])
    inside = (len(seam) == 2 and all(letter.lower() != letter.upper() for letter in seam) for seam in seams)
    return not any(inside) and target == target.strip()


def _sum_workloads(study: Study, groups: Mapping[str, Workload]) -> Workload | None:
    if not study.annotators or study.overlap.design == "second":
        return None
    sizes = _divide_annotators(study)
    pages, judgements, hours = (
        sum(getattr(groups[group], field) * size for group, size in sizes.items())
        for field in ("pages", "judgements", "hours")
    )
    return Workload("", pages, judgements, hours)


def _measure_workload(task: str, pages: Sequence[Page]) -> Workload:
    judgements = sum(1 if page.rules.is_choice else max(1, len(page.targets)) for page in pages)
    return Workload(task, len(pages), judgements, sum(map(estimate_seconds, pages)) / 3600)


def estimate_seconds(page: Page) -> float:
    """Estimate the seconds that an annotator needs for a page."""
    reading = READING * len(page.passages)
    if page.rules.is_choice:
        return reading + (CHOOSING + len(page.senses) if page.rules.senses else WRITING)
    return reading + (PAIR if page.rules.pairs else RATING * len(page.senses))


def _measure_annotator_workload(study: Study, pages: Sequence[Page], group: str, phase: float) -> Workload:
    """Measure the work of one annotator of a group: all pages, or a fair share of pages assigned on demand.

    Args:
        study: The study.
        pages: Its pages.
        group: The group.
        phase: The phase of repeats, which differs between annotators.
    """
    entries = [
        PageEntry(number, page.name, page.task, page.round, page.lemma, page.role, page.usage, page.other)
        for number, page in enumerate(pages)
    ]
    share, overlap = 1.0, study.overlap
    if overlap.design == "second" and study.annotators > 1:
        entries = select_double_judged(study, entries)
    if overlap.design == "per item" and study.annotators:
        share = min(1.0, overlap.judgements / study.annotators)
    count, hours, judgements = 0, 0.0, 0
    for block in plan_blocks(study, entries, "", group):
        whole = _measure_workload(block.task, [pages[number] for number in block.ordinary])
        size = expected_page_count(replace(block, phase=phase), ceil(whole.pages * share)) + len(block.training)
        ratio = size / whole.pages if whole.pages else 0.0
        count += size
        hours += whole.hours * ratio
        judgements += round(whole.judgements * ratio)
    return Workload("", count, judgements, hours)

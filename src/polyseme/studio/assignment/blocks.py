"""The order of pages for an annotator: pure functions of the study, its pages, and the annotator's earlier pages.

An annotator works through *blocks*: one task of one round each, in the order of the annotator's group. Within a block
the order of pages is random, but the study's seed and the annotator's name determine it. Control pages and hidden
repeats are mixed in. Training pages come before the first block of their task.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple, TypeAlias

from polyseme.agreement.grouping import group_by
from polyseme.studio.study.settings import Study
from polyseme.studio.study.tasks import TASKS

MIN_REPEAT_GAP, REPEAT_GAP_SPREAD = 5, 10
"""A page is repeated 5 to 14 pages later; sooner only if its block ends first, but never as the next page."""


class PageEntry(NamedTuple):
    """The fields of a page that the assignment needs; ``role`` is empty, ``control`` or ``training``."""

    page: int
    name: str
    task: str
    round: str
    lemma: str
    role: str = ""
    usage: str = ""
    other: str = ""


class ScheduledPage(NamedTuple):
    """A page to assign, and its role: empty, ``repeat``, ``control`` or ``training``."""

    page: int
    role: str


class Assignment(NamedTuple):
    """A page that was assigned to an annotator, with its number in their order and its role."""

    id: int
    number: int
    page: int
    role: str


PageInRole: TypeAlias = ScheduledPage | Assignment


@dataclass(frozen=True)
class Block:
    """A task of a round, for one annotator.

    Args:
        round: The name of the round.
        task: The name of the task.
        ordinary: The pages in the annotator's order.
        controls: The control pages.
        training: The training pages.
        every: The number of ordinary pages before each control page; 0 for no control pages.
        repeats: The share of ordinary pages that are repeated.
        phase: A number from 0 to 1 that determines the first repeated page.
        gaps: For each page, the number of pages until its repeat.
    """

    round: str
    task: str
    ordinary: tuple[int, ...]
    controls: tuple[int, ...] = ()
    training: tuple[int, ...] = ()
    every: int = 0
    repeats: float = 0.0
    phase: float = 0.0
    gaps: Mapping[int, int] = field(default_factory=dict)


def seeded_fraction(*seed: object) -> float:
    """Return a pseudo-random number from 0 to 1 that depends only on the seed.

    >>> seeded_fraction(1, "ann") == seeded_fraction(1, "ann") != seeded_fraction(1, "bob")
    True
    """
    digest = sha256("\0".join(map(str, seed)).encode()).digest()
    return int.from_bytes(digest[:8]) / 2**64


def plan_blocks(study: Study, entries: Sequence[PageEntry], annotator: str, group: str) -> list[Block]:
    """Plan the blocks of an annotator, in the order of their group.

    A control page is in one block only. Training pages are in the first block of their task.

    Args:
        study: The study.
        entries: The pages that the annotator may judge.
        annotator: The name of the annotator, which seeds the order of pages.
        group: The group of the annotator.
    """
    pages = group_by(entries, lambda entry: (entry.role, entry.task, "" if entry.role else entry.round))
    order = [(each.name, task) for each in study.rounds for task in each.groups.get(group, ())]
    rounds = Counter(task for _, task in order)
    blocks: list[Block] = []
    for round_name, task in order:
        earlier = sum(block.task == task for block in blocks)
        controls = _shuffle(pages.get(("control", task, ""), ()), study.seed, annotator)[earlier :: rounds[task]]
        training = () if earlier else pages.get(("training", task, ""), ())
        ordinary = _order_pages(study, round_name, task, pages.get(("", task, round_name), ()), annotator)
        block = Block(
            round_name,
            task,
            ordinary=tuple(entry.page for entry in ordinary),
            controls=tuple(entry.page for entry in controls),
            training=tuple(entry.page for entry in training),
            every=study.controls.every if study.controls else 0,
            repeats=study.repeats,
            phase=seeded_fraction(study.seed, annotator, round_name, task, "repeats"),
            gaps={entry.page: _repeat_gap(study, annotator, entry) for entry in ordinary if study.repeats},
        )
        blocks.append(block)
    return blocks


def _order_pages(
    study: Study, round_name: str, task: str, entries: Sequence[PageEntry], annotator: str
) -> list[PageEntry]:
    """Order the ordinary pages of a block for an annotator."""
    seed = (study.seed, annotator)
    shuffled = _shuffle(entries, *seed)
    if skips_implied_pairs(study, round_name, task):
        return _put_hubs_first(shuffled, *seed)
    if study.items.order == "lemma":
        return sorted(shuffled, key=lambda entry: seeded_fraction(*seed, entry.round, entry.lemma))
    return shuffled


def skips_implied_pairs(study: Study, round_name: str, task: str) -> bool:
    """Whether a block skips pairs that the annotator's other answers imply."""
    rounds = (each for each in study.rounds if each.name == round_name)
    return TASKS[task].pairs and any(each.items.pairs == "triangle" for each in rounds)


def _shuffle(entries: Iterable[PageEntry], *seed: object) -> list[PageEntry]:
    return sorted(entries, key=lambda entry: seeded_fraction(*seed, entry.name))


def _put_hubs_first(entries: Sequence[PageEntry], *seed: object) -> list[PageEntry]:
    """Put pairs of a few usages first, because they imply the most other pairs; the choice of usages is random."""
    usages = {(entry.lemma, usage) for entry in entries for usage in (entry.usage, entry.other)}
    shuffled = sorted(usages, key=lambda usage: seeded_fraction(*seed, *usage))
    by_lemma = group_by(shuffled, lambda usage: usage[0])
    rank = {usage: number for group in by_lemma.values() for number, (_, usage) in enumerate(group)}
    return sorted(entries, key=lambda entry: min(rank[entry.usage], rank[entry.other]))


def _repeat_gap(study: Study, annotator: str, entry: PageEntry) -> int:
    return MIN_REPEAT_GAP + int(REPEAT_GAP_SPREAD * seeded_fraction(study.seed, annotator, entry.name, "gap"))


# -- the order of pages in a block -----------------------------------------------------------------------------------


def iter_next_pages(block: Block, assigned: Sequence[PageInRole]) -> Iterator[ScheduledPage]:
    """Iterate over the pages that can come next in a block, the best first; empty if the block is complete.

    Other annotators can take ordinary pages at the same time, so all remaining ones are listed.

    Args:
        block: The block.
        assigned: The annotator's pages in the block so far, in their order.
    """
    history = [page for page in assigned if page.role != "training"]
    ordinary = [page.page for page in history if page.role == ""]
    if (control := _find_due_control(block, history, len(ordinary))) is not None:
        yield control
        return
    pending = _find_pending_repeats(block, history)
    due = [repeat for repeat, gap in pending if gap >= block.gaps[repeat.page]]
    if due:
        yield due[0]
        return
    done = set(ordinary)
    yield from (ScheduledPage(page, "") for page in block.ordinary if page not in done)
    yield from (repeat for repeat, gap in pending if gap > 1)


def _find_due_control(block: Block, history: Sequence[PageInRole], ordinary: int) -> ScheduledPage | None:
    """Find the control page that is due after a number of ordinary pages; no control page is assigned twice."""
    done = {page.page for page in history if page.role == "control"}
    if not block.every or len(done) >= ordinary // block.every:
        return None
    return next((ScheduledPage(page, "control") for page in block.controls if page not in done), None)


def _find_pending_repeats(block: Block, history: Sequence[PageInRole]) -> list[tuple[ScheduledPage, int]]:
    """Find the pages that still need a repeat, with the number of pages since their assignment."""
    if not block.repeats:
        return []
    repeated = {page.page for page in history if page.role == "repeat"}
    ordinary = ((position, page.page) for position, page in enumerate(history) if page.role == "")
    return [
        (ScheduledPage(page, "repeat"), len(history) - position)
        for count, (position, page) in enumerate(ordinary, start=1)
        if _is_repeated(block, count) and page not in repeated
    ]


def _is_repeated(block: Block, count: int) -> bool:
    """Whether the ordinary page of this number is repeated; repeats are evenly spaced."""
    return int(count * block.repeats + block.phase) > int((count - 1) * block.repeats + block.phase)


def expected_page_count(block: Block, ordinary: int) -> int:
    """Count the pages of a block, without training, for a number of ordinary pages."""
    controls = min(len(block.controls), ordinary // block.every) if block.every else 0
    return ordinary + controls + int(ordinary * block.repeats + block.phase) * bool(block.repeats)


# -- training --------------------------------------------------------------------------------------------------------


class TrainingMarks(NamedTuple):
    """The number of right answers on a training page, and of all its answers."""

    good: int
    total: int


def next_training_page(block: Block, marks: Sequence[TrainingMarks], pass_mark: float) -> ScheduledPage | None:
    """Return the next training page, or ``None`` once the training is passed.

    An annotator who does not pass begins again with the first page.

    Args:
        block: The block.
        marks: The marks of the training pages so far.
        pass_mark: The share of answers that must be right.
    """
    size = len(block.training)
    position = len(marks) % size if size else 0
    done = not size or (marks and not position and reaches_pass_mark(marks[-size:], pass_mark))
    return None if done else ScheduledPage(block.training[position], "training")


def has_failed_training(block: Block, marks: Sequence[TrainingMarks], pass_mark: float, attempts: int) -> bool:
    """Whether an annotator has used all attempts without passing the training."""
    size = len(block.training)
    return bool(size) and len(marks) >= attempts * size and not reaches_pass_mark(marks[-size:], pass_mark)


def reaches_pass_mark(marks: Iterable[TrainingMarks], pass_mark: float) -> bool:
    """Whether enough answers are right."""
    good, total = map(sum, zip(*marks, strict=True))
    return good >= pass_mark * total


# -- who judges what -------------------------------------------------------------------------------------------------


def judgement_limit(study: Study, is_first: bool) -> int | None:
    """Return the maximum number of annotators for a page that is assigned on demand; ``None`` without a limit.

    In the design "second", the first annotator judges all pages, and one other annotator judges each selected page.
    """
    limits = {"everyone": None, "per item": study.overlap.judgements, "second": None if is_first else 1}
    return limits[study.overlap.design]


def select_double_judged(study: Study, entries: Sequence[PageEntry]) -> list[PageEntry]:
    """Select the pages for a second annotator: a share of each lemma, task and round, and at least one page.

    Control and training pages are for all annotators.
    """
    ordinary = group_by(
        (entry for entry in entries if not entry.role), lambda entry: (entry.round, entry.task, entry.lemma)
    )
    double_judged = {
        entry.page
        for group in ordinary.values()
        for entry in _shuffle(group, study.seed, "second")[: max(1, round(study.overlap.share * len(group)))]
    }
    return [entry for entry in entries if entry.role or entry.page in double_judged]


def smallest_group(groups: Iterable[str], members: Iterable[str]) -> str:
    """Return the group with the fewest members; the first one of several.

    >>> smallest_group(["a", "b"], ["a"])
    'b'
    """
    counts = Counter(members)
    return min(groups, key=lambda group: counts[group])

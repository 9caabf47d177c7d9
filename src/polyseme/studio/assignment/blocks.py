"""Who sees which page when: pure functions of the study, the pages, and what an annotator has seen so far.

An annotator works through *blocks*, a task of a round each, in the order of their group. Within a block the pages come
in an order that is drawn from the study's seed and the annotator's name, so that it can be had again. Among them are
control pages and hidden repeats; before the first block of a task come its training pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple, Protocol

from polyseme.studio.study.settings import Study
from polyseme.studio.study.tasks import TASKS

MIN_REPEAT_GAP, REPEAT_GAP_SPREAD = 5, 10
"""A page is repeated 5 to 14 pages after it was first shown; sooner only where a block ends before, but never next."""


class PageEntry(NamedTuple):
    """A page as the assignment sees it; ``role`` is empty, ``control`` or ``training``."""

    page: int
    name: str
    task: str
    round: str
    lemma: str
    role: str = ""
    usage: str = ""
    other: str = ""


class ScheduledPage(NamedTuple):
    """A page to show, and as what: ``""``, ``repeat``, ``control`` or ``training``."""

    page: int
    role: str


class PageInRole(Protocol):
    """A page that was shown, and as what."""

    @property
    def page(self) -> int:
        """The page."""
        ...

    @property
    def role(self) -> str:
        """As what it was shown."""
        ...


@dataclass(frozen=True)
class Block:
    """A task of a round for one annotator: its pages in their order, and what else is shown among them.

    Of ``every`` so many ordinary pages one control page comes after the last; ``repeats`` is the share of ordinary
    pages that are shown again, ``phase``, from 0 to 1, says with which they begin, and ``gaps`` how much later each is.
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


def seeded_fraction(*names: object) -> float:
    """A number from 0 to 1, drawn from names: always the same for the same.

    >>> seeded_fraction(1, "ann") == seeded_fraction(1, "ann") != seeded_fraction(1, "bob")
    True
    """
    digest = sha256("\0".join(map(str, names)).encode()).digest()
    return int.from_bytes(digest[:8]) / 2**64


def plan_blocks(study: Study, cards: Sequence[PageEntry], annotator: str, group: str) -> list[Block]:
    """The blocks of an annotator, in the order of their group.

    A control page is in one block only, and training pages are in the first block of their task.
    """
    pages: dict[tuple[str, str, str], list[PageEntry]] = {}
    for card in cards:
        pages.setdefault((card.role, card.task, "" if card.role else card.round), []).append(card)
    order = [(each.name, task) for each in study.rounds for task in each.groups.get(group, ())]
    rounds = Counter(task for _, task in order)
    found: list[Block] = []
    for round, task in order:
        before = sum(block.task == task for block in found)
        controls = _shuffle(pages.get(("control", task, ""), ()), study.seed, annotator)[before :: rounds[task]]
        training = () if before else pages.get(("training", task, ""), ())
        ordinary = pages.get(("", task, round), ())
        found.append(_plan_block(study, annotator, (round, task), (ordinary, controls, training)))
    return found


def skips_implied_pairs(study: Study, round: str, task: str) -> bool:
    """Whether pairs that others imply are left out of a block."""
    return TASKS[task].pairs and any(each.name == round and each.items.pairs == "triangle" for each in study.rounds)


def _shuffle(cards: Iterable[PageEntry], *key: object) -> list[PageEntry]:
    """Pages in an order that the key draws."""
    return sorted(cards, key=lambda card: seeded_fraction(*key, card.name))


def _shuffle_lemmas(cards: Iterable[PageEntry], *key: object) -> list[PageEntry]:
    """Pages in an order that the key draws, those of one lemma together."""
    return sorted(_shuffle(cards, *key), key=lambda card: seeded_fraction(*key, card.round, card.lemma))


def _shuffle_hubs_first(cards: Sequence[PageEntry], *key: object) -> list[PageEntry]:
    """Pairs in such an order, those with the first usage of a lemma before the others: these imply the most."""
    usages = {(card.lemma, usage) for card in cards for usage in (card.usage, card.other)}
    drawn = sorted(usages, key=lambda usage: seeded_fraction(*key, *usage))
    place = {usage: number for lemma in dict(drawn) for number, usage in enumerate(_usages_in_lemma(lemma, drawn))}
    return sorted(_shuffle(cards, *key), key=lambda card: min(place[card.usage], place[card.other]))


def _usages_in_lemma(lemma: str, usages: Iterable[tuple[str, str]]) -> list[str]:
    return [usage for each, usage in usages if each == lemma]


def _plan_block(
    study: Study,
    annotator: str,
    of: tuple[str, str],
    cards: tuple[Sequence[PageEntry], Iterable[PageEntry], Iterable[PageEntry]],
) -> Block:
    in_order = (
        _shuffle_hubs_first
        if skips_implied_pairs(study, *of)
        else _shuffle_lemmas
        if study.items.order == "lemma"
        else _shuffle
    )
    ordinary = in_order(cards[0], study.seed, annotator)
    repeated = ordinary if study.repeats else []
    gaps = {
        card.page: MIN_REPEAT_GAP + int(REPEAT_GAP_SPREAD * seeded_fraction(study.seed, annotator, card.name, "gap"))
        for card in repeated
    }
    return Block(
        *of,
        tuple(card.page for card in ordinary),
        tuple(card.page for card in cards[1]),
        tuple(card.page for card in cards[2]),
        study.controls.every if study.controls else 0,
        study.repeats,
        seeded_fraction(study.seed, annotator, *of, "repeats"),
        gaps,
    )


# -- the order of pages in a block -----------------------------------------------------------------------------------


def iter_next_pages(block: Block, seen: Sequence[PageInRole]) -> Iterator[ScheduledPage]:
    """What may come next in a block, the best first, after what the annotator has seen in it, in that order.

    Ordinary pages may be taken by others, so that all that are left are named; the rest is there for everyone. If
    nothing can be had, the block is over.
    """
    among = [step for step in seen if step.role != "training"]
    ordinary = [step.page for step in among if step.role == ""]
    if (control := _due_control(block, among, len(ordinary))) is not None:
        yield control
        return
    waiting = _pending_repeats(block, among)
    due = [step for step, since in waiting if since >= block.gaps[step.page]]
    if due:
        yield due[0]
        return
    done = set(ordinary)
    yield from (ScheduledPage(page, "") for page in block.ordinary if page not in done)
    yield from (step for step, since in waiting if since > 1)


def _due_control(block: Block, among: Sequence[PageInRole], ordinary: int) -> ScheduledPage | None:
    """The next control page, after every so many ordinary ones; none is shown twice."""
    shown = {step.page for step in among if step.role == "control"}
    if not block.every or len(shown) >= ordinary // block.every:
        return None
    return next((ScheduledPage(page, "control") for page in block.controls if page not in shown), None)


def _pending_repeats(block: Block, among: Sequence[PageInRole]) -> list[tuple[ScheduledPage, int]]:
    """The pages that are to be repeated and were not yet, and how many pages ago each was shown."""
    if not block.repeats:
        return []
    repeated = {step.page for step in among if step.role == "repeat"}
    count, found = 0, []
    for place, step in enumerate(among):
        if step.role == "":
            count += 1
            if _is_repeated(block, count) and step.page not in repeated:
                found.append((ScheduledPage(step.page, "repeat"), len(among) - place))
    return found


def _is_repeated(block: Block, count: int) -> bool:
    """Whether the ordinary page of this number is shown again: evenly spaced, so that the share holds throughout."""
    return int(count * block.repeats + block.phase) > int((count - 1) * block.repeats + block.phase)


def expected_page_count(block: Block, ordinary: int) -> int:
    """How many pages a block has for an annotator who gets so many ordinary ones of it, training not counted."""
    controls = min(len(block.controls), ordinary // block.every) if block.every else 0
    return ordinary + controls + int(ordinary * block.repeats + block.phase) * bool(block.repeats)


# -- training --------------------------------------------------------------------------------------------------------


class TrainingMarks(NamedTuple):
    """How many answers of a training page were right, of how many."""

    good: int
    total: int


def next_training_page(block: Block, shown: Sequence[TrainingMarks], pass_mark: float) -> ScheduledPage | None:
    """The next page of a training of which so many were shown; nothing once it is passed.

    Who does not pass begins again with the first page.
    """
    place = len(shown) % len(block.training) if block.training else 0
    done = not block.training or (shown and not place and reaches_pass_mark(shown[-len(block.training) :], pass_mark))
    return None if done else ScheduledPage(block.training[place], "training")


def has_failed_training(block: Block, shown: Sequence[TrainingMarks], pass_mark: float, attempts: int) -> bool:
    """Whether the training was not passed in so many attempts."""
    size = len(block.training)
    return bool(size) and len(shown) >= attempts * size and not reaches_pass_mark(shown[-size:], pass_mark)


def reaches_pass_mark(marks: Iterable[TrainingMarks], pass_mark: float) -> bool:
    """Whether enough answers were right."""
    good, total = map(sum, zip(*marks, strict=True))
    return good >= pass_mark * total


# -- who judges what -------------------------------------------------------------------------------------------------


def judgement_limit(study: Study, is_first: bool) -> int | None:
    """How many judgements of a page are wanted where it is given out on demand; ``None`` where everyone judges it.

    With the design "second" the first annotator judges everything, and of what is judged twice each page is given to
    one other.
    """
    limits = {"everyone": None, "per item": study.overlap.judgements, "second": None if is_first else 1}
    return limits[study.overlap.design]


def select_double_judged(study: Study, cards: Sequence[PageEntry]) -> list[PageEntry]:
    """The pages that have a second judge: the study's share of those of each lemma, task and round, at least one.

    Control and training pages are for everyone.
    """
    ordinary: dict[tuple[str, str, str], list[PageEntry]] = {}
    for card in cards:
        if not card.role:
            ordinary.setdefault((card.round, card.task, card.lemma), []).append(card)
    drawn = (
        _shuffle(each, study.seed, "second")[: max(1, round(study.overlap.share * len(each)))]
        for each in ordinary.values()
    )
    chosen = {card.page for each in drawn for card in each}
    return [card for card in cards if card.role or card.page in chosen]


def smallest_group(groups: Iterable[str], members: Iterable[str]) -> str:
    """The group with the fewest members, of several the first.

    >>> smallest_group(["a", "b"], ["a"])
    'b'
    """
    counts = Counter(members)
    return min(groups, key=lambda group: counts[group])

"""What a manager sees of a running study: agreement, use of the scale, care and disputes, worked out as one looks.

Everything comes from the current judgements, by the functions of :mod:`polyseme.agreement` and :mod:`polyseme.gold`.
What was worked out is kept until somebody says something new, and a while longer where it took long: a study of a
hundred thousand judgements changes little in a minute.
"""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any, Generic, TypeVar

from sqlalchemy import func, select

from polyseme.agreement.careless_responding import CarelessnessLimits, CarelessnessReport, check_responses
from polyseme.agreement.overview import TaskAgreement, measure_agreement
from polyseme.agreement.scale_use import ScaleUse, measure_scale_use
from polyseme.agreement.triangles import Triangles, check_triangle_inequality
from polyseme.gold.disputes import DisputedItem, find_disputed_items
from polyseme.rating import CHOICE, Item, Ratings
from polyseme.studio.monitoring.choice_checks import CHOICE_CHECKS
from polyseme.studio.store.database import utc_timestamp
from polyseme.studio.store.schema import ANNOTATOR, EVENT, PAGE
from polyseme.studio.store.store import Store
from polyseme.studio.store.submissions import page_from_row
from polyseme.studio.study.tasks import TASKS

T = TypeVar("T")

RESAMPLES = 200
"""Of usages, for the intervals; enough for a second digit."""
MAX_DISPUTES = 100
"""Disputed items of each task."""
SLOW_SECONDS = 1.0
"""Seconds from which on it took long."""
SLOW_CACHE_FACTOR = 20
"""How many times as long as it took, what took long is kept even if something new was said."""
DAY = 86_400


@dataclass(frozen=True)
class CachedResult(Generic[T]):
    """Something that was worked out: after which event, when, and in how many seconds."""

    value: T
    after: tuple[int, int]
    time: str
    made: float
    seconds: float

    @property
    def rests(self) -> bool:
        """Whether it took so long that it is kept for now, whatever was said since."""
        return self.seconds > SLOW_SECONDS and time.monotonic() - self.made < SLOW_CACHE_FACTOR * self.seconds


@dataclass(frozen=True)
class DisputedPage:
    """A disputed item, and the name of the page on which it is judged."""

    page: str
    disputed: DisputedItem


class StudyOverview:
    """What can be said of a study as it stands; any number of threads may ask."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: dict[str, CachedResult[Any]] = {}
        self._locks: defaultdict[str, Lock] = defaultdict(Lock)

    def ratings(self) -> CachedResult[Ratings]:
        """The current judgements."""
        return self._get("ratings", lambda: read_last_event(self._store), self._store.ratings)

    def agreement(self) -> CachedResult[dict[str, TaskAgreement]]:
        """How annotators agree on each task, and on each lemma."""
        return self._of_ratings("agreement", lambda given: measure_agreement(given, by=["lemma"], resamples=RESAMPLES))

    def scale_use(self) -> CachedResult[dict[str, ScaleUse]]:
        """How often each value was given, for the tasks that have a scale."""
        return self._of_ratings("scale use", self._scale_use)

    def care(self) -> CachedResult[dict[str, CarelessnessReport]]:
        """What the checks of care say of each annotator, by task."""
        return self._of_ratings("care", self._care)

    def triangles(self) -> CachedResult[Triangles | None]:
        """Whether the similarity of usages is a distance; nothing if none was judged."""
        return self._of_ratings("triangles", self._triangles)

    def disputed(self) -> CachedResult[dict[str, tuple[DisputedPage, ...]]]:
        """By task the items on which annotators are farthest apart."""
        return self._of_ratings("disputed", self._disputed)

    # -- what is worked out, and when --------------------------------------------------------------------------------

    def _of_ratings(self, name: str, work: Callable[[Ratings], T]) -> CachedResult[T]:
        given = self.ratings()
        return self._get(name, lambda: given.after, lambda: work(given.value))

    def _get(self, name: str, latest: Callable[[], tuple[int, int]], work: Callable[[], T]) -> CachedResult[T]:
        with self._locks[name]:  # who comes while it is worked out waits for it, and does not work it out again
            after, kept = latest(), self._kept.get(name)
            if kept is None or (kept.after != after and not kept.rests):
                at, begun = utc_timestamp(), time.monotonic()
                value = work()
                made = time.monotonic()
                self._kept[name] = kept = CachedResult(value, after, at, made, made - begun)
            return kept

    def _scale_use(self, ratings: Ratings) -> dict[str, ScaleUse]:
        scale = self._store.study.scale
        return {
            task: measure_scale_use(given, scale)
            for task, given in group_ratings_by_task(ratings).items()
            if not TASKS[task].is_choice
        }

    def _care(self, ratings: Ratings) -> dict[str, CarelessnessReport]:
        study, right = self._store.study, read_right_answers(self._store)
        limits = (
            CarelessnessLimits(control_tolerance=study.controls.tolerance) if study.controls else CarelessnessLimits()
        )
        return {
            task: check_responses(given, CHOICE, right, limits, CHOICE_CHECKS)
            if TASKS[task].is_choice
            else check_responses(given, study.scale, right, limits)
            for task, given in group_ratings_by_task(ratings).items()
        }

    def _triangles(self, ratings: Ratings) -> Triangles | None:
        given = group_ratings_by_task(ratings).get("Usim")
        return check_triangle_inequality(given, self._store.study.scale) if given else None

    def _disputed(self, ratings: Ratings) -> dict[str, tuple[DisputedPage, ...]]:
        found = {
            task: find_disputed_items(given, MAX_DISPUTES) for task, given in group_ratings_by_task(ratings).items()
        }
        pages = find_item_pages(self._store, [each.item for some in found.values() for each in some])
        return {
            task: tuple(DisputedPage(pages[each.item], each) for each in some if each.item in pages)
            for task, some in found.items()
        }


def group_ratings_by_task(ratings: Ratings) -> dict[str, Ratings]:
    """The judgements of each task, the tasks in the order in which they are always named."""
    rows: dict[str, list[Any]] = {task: [] for task in TASKS}
    for row in ratings:
        rows[row.task].append(row)
    return {task: Ratings(some) for task, some in rows.items() if some}


# -- readings of the store -------------------------------------------------------------------------------------------


def read_last_event(store: Store) -> tuple[int, int]:
    """The number of the last event, and how many there are: of two written at once, the later may be seen first."""
    with store.database.read() as connection:
        last, count = connection.execute(select(func.max(EVENT.c.id), func.count())).one()
    return last or 0, count


def count_recent_judgements(store: Store, days: int = 7) -> dict[str, int]:
    """How many ratings and choices each annotator gave, or changed, in the last days."""
    counts = (
        select(ANNOTATOR.c.name, func.count())
        .join(EVENT, EVENT.c.annotator == ANNOTATOR.c.id)
        .where(EVENT.c.kind == "rating", EVENT.c.time >= utc_timestamp(-days * DAY))
        .group_by(ANNOTATOR.c.name)
    )
    with store.database.read() as connection:
        return {row[0]: row[1] for row in connection.execute(counts)}


def read_right_answers(store: Store) -> dict[Item, float]:
    """What is expected of the control pages; not a number where that is "cannot decide"."""
    with store.database.read() as connection:
        pages = map(page_from_row, connection.execute(select(PAGE).where(PAGE.c.role == "control")).all())
    return {
        Item(page.task, page.lemma, page.usage, target): math.nan if value is None else value
        for page in pages
        for target, value in page.right.items()
    }


def find_item_pages(store: Store, items: Iterable[Item]) -> dict[Item, str]:
    """The names of the pages on which items are judged; of several, in rounds, the first."""
    wanted = list(items)
    some = select(PAGE.c.name, PAGE.c.task, PAGE.c.lemma, PAGE.c.usage, PAGE.c.other).where(PAGE.c.role == "")
    lemmas = {item.lemma for item in wanted}
    names: dict[tuple[str, str, str, str], str] = {}
    with store.database.read() as connection:
        for row in connection.execute(some.where(PAGE.c.lemma.in_(lemmas)).order_by(PAGE.c.id)):
            names.setdefault((row.task, row.lemma, row.usage, row.other), row.name)
    found = {item: _page_name(names, item) for item in wanted}
    return {item: name for item, name in found.items() if name}


def _page_name(names: Mapping[tuple[str, str, str, str], str], item: Item) -> str:
    """That of a usage, or of a pair in either order."""
    task, lemma, usage, target = item
    return (
        names.get((task, lemma, usage, ""))
        or names.get((task, lemma, usage, target))
        or names.get((task, lemma, target, usage), "")
    )

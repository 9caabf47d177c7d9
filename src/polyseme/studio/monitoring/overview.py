"""The overview of a running study for its managers: agreement, quality, use of the scale and disputed items.

The functions of :mod:`polyseme.agreement` and :mod:`polyseme.gold` compute everything from the current judgements.
Results are cached until there are new events. Slow results are cached longer: a study with a hundred thousand
judgements changes little in a minute.
"""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any, Generic, TypeVar

from sqlalchemy import func, select

from polyseme.agreement.careless_responding import CarelessnessLimits, CarelessnessReport, check_responses
from polyseme.agreement.grouping import group_by
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
"""Bootstrap resamples of usages for confidence intervals; enough for two digits."""
MAX_DISPUTES = 100
"""Disputed items of each task."""
SLOW_SECONDS = 1.0
"""Results that take longer are slow."""
SLOW_CACHE_FACTOR = 20
"""A slow result is cached this many times as long as it took, even if there are new events."""
DAY = 86_400


@dataclass(frozen=True)
class CachedResult(Generic[T]):
    """A cached result.

    Args:
        value: The result.
        last_event: The last event that it takes into account, as :func:`read_last_event` returns it.
        time: The time of the computation, as ISO 8601 in UTC.
        finished: The end of the computation, by the monotonic clock.
        seconds: The duration of the computation.
    """

    value: T
    last_event: tuple[int, int]
    time: str
    finished: float
    seconds: float

    @property
    def is_fresh(self) -> bool:
        """Whether the result was slow and recent enough to stay cached, even if there are new events."""
        return self.seconds > SLOW_SECONDS and time.monotonic() - self.finished < SLOW_CACHE_FACTOR * self.seconds


@dataclass(frozen=True)
class DisputedPage:
    """A disputed item, and the name of its page."""

    page: str
    disputed: DisputedItem


class StudyOverview:
    """The overview of a study; safe for use by several threads.

    Args:
        store: The store of the study.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._cache: dict[str, CachedResult[Any]] = {}
        self._locks: defaultdict[str, Lock] = defaultdict(Lock)

    def ratings(self) -> CachedResult[Ratings]:
        """Return the current judgements."""
        return self._get("ratings", lambda: read_last_event(self._store), self._store.ratings)

    def agreement(self) -> CachedResult[dict[str, TaskAgreement]]:
        """Measure the agreement on each task, also by lemma."""
        return self._compute("agreement", lambda ratings: measure_agreement(ratings, by=["lemma"], resamples=RESAMPLES))

    def scale_use(self) -> CachedResult[dict[str, ScaleUse]]:
        """Measure how often annotators use each value, for the tasks that have a scale."""
        scale = self._store.study.scale
        return self._compute(
            "scale use",
            lambda ratings: {
                task: measure_scale_use(rows, scale)
                for task, rows in group_ratings_by_task(ratings).items()
                if not TASKS[task].is_choice
            },
        )

    def quality(self) -> CachedResult[dict[str, CarelessnessReport]]:
        """Run the attention checks of each task."""
        return self._compute("quality", self._check_attention)

    def triangles(self) -> CachedResult[Triangles | None]:
        """Check whether the similarity of usages satisfies the triangle inequality; ``None`` without Usim ratings."""
        return self._compute("triangles", self._check_triangles)

    def disputed(self) -> CachedResult[dict[str, tuple[DisputedPage, ...]]]:
        """Find the items of each task on which annotators differ most."""
        return self._compute("disputed", self._find_disputes)

    def _compute(self, name: str, compute: Callable[[Ratings], T]) -> CachedResult[T]:
        ratings = self.ratings()
        return self._get(name, lambda: ratings.last_event, lambda: compute(ratings.value))

    def _get(self, name: str, read_latest: Callable[[], tuple[int, int]], compute: Callable[[], T]) -> CachedResult[T]:
        """Return a result from the cache, or compute it; other threads that ask for it wait."""
        with self._locks[name]:
            latest, cached = read_latest(), self._cache.get(name)
            if cached is None or (cached.last_event != latest and not cached.is_fresh):
                timestamp, start = utc_timestamp(), time.monotonic()
                value = compute()
                end = time.monotonic()
                self._cache[name] = cached = CachedResult(value, latest, timestamp, end, end - start)
            return cached

    def _check_attention(self, ratings: Ratings) -> dict[str, CarelessnessReport]:
        study, right = self._store.study, read_right_answers(self._store)
        limits = CarelessnessLimits()
        if study.controls:
            limits = replace(limits, control_tolerance=study.controls.tolerance)
        return {
            task: check_responses(rows, CHOICE, right, limits, CHOICE_CHECKS)
            if TASKS[task].is_choice
            else check_responses(rows, study.scale, right, limits)
            for task, rows in group_ratings_by_task(ratings).items()
        }

    def _check_triangles(self, ratings: Ratings) -> Triangles | None:
        usim = group_ratings_by_task(ratings).get("Usim")
        return check_triangle_inequality(usim, self._store.study.scale) if usim else None

    def _find_disputes(self, ratings: Ratings) -> dict[str, tuple[DisputedPage, ...]]:
        tasks = group_ratings_by_task(ratings)
        disputes = {task: find_disputed_items(rows, MAX_DISPUTES) for task, rows in tasks.items()}
        pages = find_item_pages(self._store, [dispute.item for items in disputes.values() for dispute in items])
        return {
            task: tuple(DisputedPage(pages[dispute.item], dispute) for dispute in items if dispute.item in pages)
            for task, items in disputes.items()
        }


def group_ratings_by_task(ratings: Ratings) -> dict[str, Ratings]:
    """Group judgements by task, in the usual order of tasks."""
    by_task = group_by(ratings, lambda rating: rating.task)
    return {task: Ratings(by_task[task]) for task in TASKS if task in by_task}


# -- queries ---------------------------------------------------------------------------------------------------------


def read_last_event(store: Store) -> tuple[int, int]:
    """Return the number of the last event and the count of events.

    The count is needed because the later of two concurrent events may become visible first.
    """
    with store.database.read() as connection:
        last, count = connection.execute(select(func.max(EVENT.c.id), func.count())).one()
    return last or 0, count


def count_recent_judgements(store: Store, days: int = 7) -> dict[str, int]:
    """Count the judgements that each annotator gave or changed in the last days."""
    counts = (
        select(ANNOTATOR.c.name, func.count())
        .join(EVENT, EVENT.c.annotator == ANNOTATOR.c.id)
        .where(EVENT.c.kind == "rating", EVENT.c.time >= utc_timestamp(-days * DAY))
        .group_by(ANNOTATOR.c.name)
    )
    with store.database.read() as connection:
        return {row[0]: row[1] for row in connection.execute(counts)}


def read_right_answers(store: Store) -> dict[Item, float]:
    """Read the right answers of control pages; NaN where the right answer is "cannot decide"."""
    with store.database.read() as connection:
        pages = map(page_from_row, connection.execute(select(PAGE).where(PAGE.c.role == "control")).all())
    return {
        Item(page.task, page.lemma, page.usage, target): math.nan if value is None else value
        for page in pages
        for target, value in page.right.items()
    }


def find_item_pages(store: Store, items: Iterable[Item]) -> dict[Item, str]:
    """Find the names of the pages on which items are judged; the first one if there are several rounds."""
    items = list(items)
    columns = select(PAGE.c.name, PAGE.c.task, PAGE.c.lemma, PAGE.c.usage, PAGE.c.other).where(PAGE.c.role == "")
    query = columns.where(PAGE.c.lemma.in_({item.lemma for item in items})).order_by(PAGE.c.id)
    names: dict[Item, str] = {}
    with store.database.read() as connection:
        for name, *key in connection.execute(query):
            names.setdefault(Item(*key), name)
    matches = {}
    for item in items:
        reverse = item._replace(usage=item.target, target=item.usage)  # a pair may be in either order
        matches[item] = names.get(item._replace(target="")) or names.get(item) or names.get(reverse)
    return {item: name for item, name in matches.items() if name}

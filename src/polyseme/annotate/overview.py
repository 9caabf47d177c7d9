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

from polyseme.agreement.carelessness import Carelessness, Limits, careless
from polyseme.agreement.overview import TaskAgreement, agreement
from polyseme.agreement.scale_use import ScaleUse, scale_use
from polyseme.agreement.triangles import Triangles, triangles
from polyseme.annotate.answers import page_of
from polyseme.annotate.choice_checks import CHOICE_CHECKS
from polyseme.annotate.database import now
from polyseme.annotate.schema import ANNOTATOR, EVENT, PAGE
from polyseme.annotate.store import Store
from polyseme.annotate.tasks import TASKS
from polyseme.gold.disputes import Disputed, disputed
from polyseme.rating import CHOICE, Item, Ratings

T = TypeVar("T")

RESAMPLES = 200
"""Of usages, for the intervals; enough for a second digit."""
MOST = 100
"""Disputed items of each task."""
LONG = 1.0
"""Seconds from which on it took long."""
REST = 20
"""How many times as long as it took, what took long is kept even if something new was said."""
DAY = 86_400


@dataclass(frozen=True)
class Kept(Generic[T]):
    """Something that was worked out: after which event, when, and in how many seconds."""

    value: T
    after: tuple[int, int]
    time: str
    made: float
    seconds: float

    @property
    def rests(self) -> bool:
        """Whether it took so long that it is kept for now, whatever was said since."""
        return self.seconds > LONG and time.monotonic() - self.made < REST * self.seconds


@dataclass(frozen=True)
class Dispute:
    """A disputed item, and the name of the page on which it is judged."""

    page: str
    disputed: Disputed


class Overview:
    """What can be said of a study as it stands; any number of threads may ask."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: dict[str, Kept[Any]] = {}
        self._locks: defaultdict[str, Lock] = defaultdict(Lock)

    def ratings(self) -> Kept[Ratings]:
        """The current judgements."""
        return self._get("ratings", lambda: last_event(self._store), self._store.ratings)

    def agreement(self) -> Kept[dict[str, TaskAgreement]]:
        """How annotators agree on each task, and on each lemma."""
        return self._of_ratings("agreement", lambda given: agreement(given, by=["lemma"], resamples=RESAMPLES))

    def scale_use(self) -> Kept[dict[str, ScaleUse]]:
        """How often each value was given, for the tasks that have a scale."""
        return self._of_ratings("scale use", self._scale_use)

    def care(self) -> Kept[dict[str, Carelessness]]:
        """What the checks of care say of each annotator, by task."""
        return self._of_ratings("care", self._care)

    def triangles(self) -> Kept[Triangles | None]:
        """Whether the similarity of usages is a distance; nothing if none was judged."""
        return self._of_ratings("triangles", self._triangles)

    def disputed(self) -> Kept[dict[str, tuple[Dispute, ...]]]:
        """By task the items on which annotators are farthest apart."""
        return self._of_ratings("disputed", self._disputed)

    # -- what is worked out, and when --------------------------------------------------------------------------------

    def _of_ratings(self, name: str, work: Callable[[Ratings], T]) -> Kept[T]:
        given = self.ratings()
        return self._get(name, lambda: given.after, lambda: work(given.value))

    def _get(self, name: str, latest: Callable[[], tuple[int, int]], work: Callable[[], T]) -> Kept[T]:
        with self._locks[name]:  # who comes while it is worked out waits for it, and does not work it out again
            after, kept = latest(), self._kept.get(name)
            if kept is None or (kept.after != after and not kept.rests):
                at, begun = now(), time.monotonic()
                value = work()
                made = time.monotonic()
                self._kept[name] = kept = Kept(value, after, at, made, made - begun)
            return kept

    def _scale_use(self, ratings: Ratings) -> dict[str, ScaleUse]:
        scale = self._store.study.scale
        return {task: scale_use(given, scale) for task, given in by_task(ratings).items() if not TASKS[task].chooses}

    def _care(self, ratings: Ratings) -> dict[str, Carelessness]:
        study, right = self._store.study, right_answers(self._store)
        limits = Limits(control_tolerance=study.controls.tolerance) if study.controls else Limits()
        return {
            task: careless(given, CHOICE, right, limits, CHOICE_CHECKS)
            if TASKS[task].chooses
            else careless(given, study.scale, right, limits)
            for task, given in by_task(ratings).items()
        }

    def _triangles(self, ratings: Ratings) -> Triangles | None:
        given = by_task(ratings).get("Usim")
        return triangles(given, self._store.study.scale) if given else None

    def _disputed(self, ratings: Ratings) -> dict[str, tuple[Dispute, ...]]:
        found = {task: disputed(given, MOST) for task, given in by_task(ratings).items()}
        pages = pages_of_items(self._store, [each.item for some in found.values() for each in some])
        return {
            task: tuple(Dispute(pages[each.item], each) for each in some if each.item in pages)
            for task, some in found.items()
        }


def by_task(ratings: Ratings) -> dict[str, Ratings]:
    """The judgements of each task, the tasks in the order in which they are always named."""
    rows: dict[str, list[Any]] = {task: [] for task in TASKS}
    for row in ratings:
        rows[row.task].append(row)
    return {task: Ratings(some) for task, some in rows.items() if some}


# -- readings of the store -------------------------------------------------------------------------------------------


def last_event(store: Store) -> tuple[int, int]:
    """The number of the last event, and how many there are: of two written at once, the later may be seen first."""
    with store.database.read() as connection:
        last, count = connection.execute(select(func.max(EVENT.c.id), func.count())).one()
    return last or 0, count


def recent_judgements(store: Store, days: int = 7) -> dict[str, int]:
    """How many ratings and choices each annotator gave, or changed, in the last days."""
    counts = (
        select(ANNOTATOR.c.name, func.count())
        .join(EVENT, EVENT.c.annotator == ANNOTATOR.c.id)
        .where(EVENT.c.kind == "rating", EVENT.c.time >= now(-days * DAY))
        .group_by(ANNOTATOR.c.name)
    )
    with store.database.read() as connection:
        return {row[0]: row[1] for row in connection.execute(counts)}


def right_answers(store: Store) -> dict[Item, float]:
    """What is expected of the control pages; not a number where that is "cannot decide"."""
    with store.database.read() as connection:
        pages = map(page_of, connection.execute(select(PAGE).where(PAGE.c.role == "control")).all())
    return {
        Item(page.task, page.lemma, page.usage, target): math.nan if value is None else value
        for page in pages
        for target, value in page.right.items()
    }


def pages_of_items(store: Store, items: Iterable[Item]) -> dict[Item, str]:
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

"""Everything that was said of one page, by annotators and by managers who decided: what adjudication looks at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import Row, select

from polyseme.studio.store.page_rows import find_page_id
from polyseme.studio.store.schema import ANNOTATOR, ASSIGNMENT, EVENT
from polyseme.studio.store.store import Store
from polyseme.studio.store.submissions import replay_events
from polyseme.studio.study.pages import Page, PageAnswers

ADJUDICATION = "adjudication"


@dataclass(frozen=True)
class PageEvent:
    """One thing that was said, and when; some of it was changed later."""

    time: str
    who: str
    kind: str
    target: str
    value: float | None
    text: str


@dataclass(frozen=True)
class AnnotatorAnswers:
    """How a page stands for someone; ``role`` tells a hidden repeat or an adjudication from the study itself."""

    annotator: int
    who: str
    role: str
    complete: bool
    answered: PageAnswers


@dataclass(frozen=True)
class PageHistory:
    """A page with how it stands for each annotator and each manager, and with all that was said, in order."""

    page: Page
    answers: tuple[AnnotatorAnswers, ...]
    decisions: tuple[AnnotatorAnswers, ...]
    events: tuple[PageEvent, ...]

    def get_decision(self, manager: int) -> PageAnswers:
        """What a manager decided so far."""
        return next((each.answered for each in self.decisions if each.annotator == manager), PageAnswers())


def read_page_history(store: Store, name: str) -> PageHistory:
    """Everything that was said of a page; ``KeyError`` if there is none of this name."""
    page = store.page(name)
    with store.database.read() as connection:
        said = (
            select(EVENT, ANNOTATOR.c.name.label("who"), ASSIGNMENT.c.role, ASSIGNMENT.c.complete)
            .join_from(EVENT, ASSIGNMENT, EVENT.c.assignment == ASSIGNMENT.c.id)
            .join(ANNOTATOR, EVENT.c.annotator == ANNOTATOR.c.id)
            .where(ASSIGNMENT.c.page == find_page_id(connection, name))
        )
        rows = connection.execute(said.order_by(EVENT.c.id)).all()
    answers = _answers_by_assignment(rows)
    return PageHistory(
        page,
        tuple(each for each in answers if each.role != ADJUDICATION),
        tuple(each for each in answers if each.role == ADJUDICATION),
        tuple(PageEvent(row.time, row.who, row.kind, row.target, row.value, row.text) for row in rows),
    )


def _answers_by_assignment(rows: Iterable[Row[Any]]) -> list[AnnotatorAnswers]:
    """How the page stands in each assignment."""
    found = []
    for _, some in groupby(sorted(rows, key=attrgetter("assignment", "id")), attrgetter("assignment")):
        of_one = list(some)
        first = of_one[0]
        kind = ADJUDICATION if first.role == ADJUDICATION else "rating"
        found.append(
            AnnotatorAnswers(first.annotator, first.who, first.role, bool(first.complete), replay_events(of_one, kind))
        )
    return found

"""Everything that was said of one page, by annotators and by managers who decided: what adjudication looks at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import Row, select

from polyseme.annotate.answers import summed
from polyseme.annotate.items import Answered, Page
from polyseme.annotate.rows import page_number
from polyseme.annotate.schema import ANNOTATOR, ASSIGNMENT, EVENT
from polyseme.annotate.store import Store

ADJUDICATION = "adjudication"


@dataclass(frozen=True)
class Remark:
    """One thing that was said, and when; some of it was changed later."""

    time: str
    who: str
    kind: str
    target: str
    value: float | None
    text: str


@dataclass(frozen=True)
class Answer:
    """How a page stands for someone; ``role`` tells a hidden repeat or an adjudication from the study itself."""

    annotator: int
    who: str
    role: str
    complete: bool
    answered: Answered


@dataclass(frozen=True)
class Dossier:
    """A page with how it stands for each annotator and each manager, and with all that was said, in order."""

    page: Page
    given: tuple[Answer, ...]
    decided: tuple[Answer, ...]
    remarks: tuple[Remark, ...]

    def decision_of(self, manager: int) -> Answered:
        """What a manager decided so far."""
        return next((each.answered for each in self.decided if each.annotator == manager), Answered())


def dossier(store: Store, name: str) -> Dossier:
    """Everything that was said of a page; ``KeyError`` if there is none of this name."""
    page = store.page(name)
    with store.database.read() as connection:
        said = (
            select(EVENT, ANNOTATOR.c.name.label("who"), ASSIGNMENT.c.role, ASSIGNMENT.c.complete)
            .join_from(EVENT, ASSIGNMENT, EVENT.c.assignment == ASSIGNMENT.c.id)
            .join(ANNOTATOR, EVENT.c.annotator == ANNOTATOR.c.id)
            .where(ASSIGNMENT.c.page == page_number(connection, name))
        )
        rows = connection.execute(said.order_by(EVENT.c.id)).all()
    answers = _answers(rows)
    return Dossier(
        page,
        tuple(each for each in answers if each.role != ADJUDICATION),
        tuple(each for each in answers if each.role == ADJUDICATION),
        tuple(Remark(row.time, row.who, row.kind, row.target, row.value, row.text) for row in rows),
    )


def _answers(rows: Iterable[Row[Any]]) -> list[Answer]:
    """How the page stands in each assignment."""
    found = []
    for _, some in groupby(sorted(rows, key=attrgetter("assignment", "id")), attrgetter("assignment")):
        of_one = list(some)
        first = of_one[0]
        kind = ADJUDICATION if first.role == ADJUDICATION else "rating"
        found.append(Answer(first.annotator, first.who, first.role, bool(first.complete), summed(of_one, kind)))
    return found

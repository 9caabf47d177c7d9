"""Rows of the store's tables: what is asked of them in several places."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256

from sqlalchemy import Connection, func, insert, select

from polyseme.studio.assignment.blocks import PageEntry
from polyseme.studio.store.schema import ASSIGNMENT, PAGE
from polyseme.studio.study.pages import Page
from polyseme.studio.study.settings import Study


def page_row(number: int, page: Page) -> dict[str, object]:
    """The row of a page."""
    return {
        "id": number,
        "name": page.name,
        "task": page.task,
        "round": page.round,
        "lemma": page.lemma,
        "usage": page.usage,
        "other": page.other,
        "role": page.role,
        "content": json.dumps(page.content(), ensure_ascii=False),
    }


def study_digest(study: Study, pages: Sequence[Page]) -> str:
    """What tells a study from another: its pages, and who is given which of them when; not how it is worded."""
    settings = {
        "seed": study.seed,
        "order": study.items.order,
        "rounds": [(each.name, list(each.groups.items())) for each in study.rounds],
        "overlap": study.overlap.model_dump(),
        "training": study.training and (study.training.pass_mark, study.training.attempts),
        "controls": study.controls and study.controls.every,
        "repeats": study.repeats,
    }
    found = sha256(json.dumps(settings).encode())
    for number, page in enumerate(pages, start=1):
        found.update(json.dumps(page_row(number, page)).encode())
    return found.hexdigest()


def read_page_entries(connection: Connection) -> list[PageEntry]:
    """All pages, as the assignment sees them."""
    columns = [PAGE.c.id, *(PAGE.c[name] for name in PageEntry._fields[1:])]
    return [PageEntry(*row) for row in connection.execute(select(*columns).order_by(PAGE.c.id))]


def find_page_id(connection: Connection, name: str) -> int:
    """The number of a page by its name; ``KeyError`` if there is none."""
    found = connection.execute(select(PAGE.c.id).where(PAGE.c.name == name)).scalar()
    if found is None:
        raise KeyError(name)
    return int(found)


def get_adjudication_assignment(connection: Connection, manager: int, page: int) -> int:
    """The assignment with which a manager adjudicates a page, made if need be."""
    mine = select(ASSIGNMENT.c.id).where(ASSIGNMENT.c.annotator == manager)
    found = connection.execute(mine.where(ASSIGNMENT.c.page == page, ASSIGNMENT.c.role == "adjudication")).scalar()
    if found is not None:
        return int(found)
    last = connection.execute(select(func.max(ASSIGNMENT.c.number)).where(ASSIGNMENT.c.annotator == manager)).scalar()
    row = {"annotator": manager, "page": page, "number": (last or 0) + 1, "role": "adjudication"}
    return int(connection.execute(insert(ASSIGNMENT).values(row).returning(ASSIGNMENT.c.id)).scalar_one())

"""Pages as rows of the database."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256

from sqlalchemy import Connection, func, insert, select

from polyseme.studio.assignment.blocks import PageEntry
from polyseme.studio.store.schema import ASSIGNMENT, PAGE
from polyseme.studio.study.pages import Page
from polyseme.studio.study.settings import Study

PAGE_COLUMNS = ("name", "task", "round", "lemma", "usage", "other", "role")
"""The columns that hold an attribute of the page."""


def page_row(id: int, page: Page) -> dict[str, object]:
    """Return the row of a page."""
    attributes = {name: getattr(page, name) for name in PAGE_COLUMNS}
    return {"id": id, **attributes, "content": json.dumps(page.content(), ensure_ascii=False)}


def study_digest(study: Study, pages: Sequence[Page]) -> str:
    """Return a digest of the pages and of the settings that assign them, but not of the wording."""
    settings = {
        "seed": study.seed,
        "order": study.items.order,
        "rounds": [(round.name, list(round.groups.items())) for round in study.rounds],
        "overlap": study.overlap.model_dump(),
        "training": study.training and (study.training.pass_mark, study.training.attempts),
        "controls": study.controls and study.controls.every,
        "repeats": study.repeats,
    }
    digest = sha256(json.dumps(settings).encode())
    for id, page in enumerate(pages, start=1):
        digest.update(json.dumps(page_row(id, page)).encode())
    return digest.hexdigest()


def read_page_entries(connection: Connection) -> list[PageEntry]:
    """Return all pages as the assignment of pages needs them."""
    columns = [PAGE.c.id, *(PAGE.c[name] for name in PageEntry._fields[1:])]
    return [PageEntry(*row) for row in connection.execute(select(*columns).order_by(PAGE.c.id))]


def find_page_id(connection: Connection, name: str) -> int:
    """Return the id of a page by its name; ``KeyError`` if there is none."""
    id = connection.execute(select(PAGE.c.id).where(PAGE.c.name == name)).scalar()
    if id is None:
        raise KeyError(name)
    return int(id)


def get_adjudication_assignment(connection: Connection, manager: int, page: int) -> int:
    """Return the id of the assignment with which a manager adjudicates a page; insert it if needed."""
    by_manager = ASSIGNMENT.c.annotator == manager
    matches = by_manager & (ASSIGNMENT.c.page == page) & (ASSIGNMENT.c.role == "adjudication")
    assignment = connection.execute(select(ASSIGNMENT.c.id).where(matches)).scalar()
    if assignment is not None:
        return int(assignment)
    last = connection.execute(select(func.max(ASSIGNMENT.c.number)).where(by_manager)).scalar()
    row = {"annotator": manager, "page": page, "number": (last or 0) + 1, "role": "adjudication"}
    return int(connection.execute(insert(ASSIGNMENT).values(row).returning(ASSIGNMENT.c.id)).scalar_one())

"""Pages and events of a study in chunks, for programs that poll."""

from __future__ import annotations

from sqlalchemy import select, text

from polyseme.studio.store.records import StudyEvent, select_events
from polyseme.studio.store.schema import EVENT, PAGE
from polyseme.studio.store.store import Store
from polyseme.studio.store.submissions import page_from_row
from polyseme.studio.study.pages import Page


def read_pages_after(store: Store, after: int, limit: int) -> list[tuple[int, Page]]:
    """Return at most ``limit`` pages with an id above ``after``, in order, with their ids."""
    rows = select(PAGE).where(PAGE.c.id > after).order_by(PAGE.c.id).limit(limit)
    with store.database.read() as connection:
        return [(row.id, page_from_row(row)) for row in connection.execute(rows)]


def read_events_after(store: Store, after: int, limit: int) -> list[StudyEvent]:
    """Return at most ``limit`` events with an id above ``after``, in order.

    Events never change, so a program that asks again after its last id gets all of them. PostgreSQL draws ids before
    transactions end, so there the lock waits for those that have begun.
    """
    rows = select(EVENT).where(EVENT.c.id > after).order_by(EVENT.c.id).limit(limit)
    with store.database.read() as connection:
        if store.database.is_postgresql:
            connection.execute(text("LOCK TABLE event IN SHARE MODE"))
        return [StudyEvent(*row) for row in connection.execute(select_events(rows.subquery()))]

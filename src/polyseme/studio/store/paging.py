"""Pages and events of a study, some at a time, for programs that ask again and again."""

from __future__ import annotations

from sqlalchemy import select, text

from polyseme.studio.store.records import StudyEvent, select_events
from polyseme.studio.store.schema import EVENT, PAGE
from polyseme.studio.store.store import Store
from polyseme.studio.store.submissions import page_from_row
from polyseme.studio.study.pages import Page


def read_pages_after(store: Store, after: int, limit: int) -> list[tuple[int, Page]]:
    """The pages after the one with this number, in order, with their numbers; at most so many."""
    some = select(PAGE).where(PAGE.c.id > after).order_by(PAGE.c.id).limit(limit)
    with store.database.read() as connection:
        return [(row.id, page_from_row(row)) for row in connection.execute(some)]


def read_events_after(store: Store, after: int, limit: int) -> list[StudyEvent]:
    """What was said after the event with this number, in order; at most so many.

    Nothing is ever changed: who asks for what came after the last that they have, has all in the end. PostgreSQL gives
    out numbers before transactions end, so that there we wait, a moment, for those that have begun.
    """
    some = select(EVENT).where(EVENT.c.id > after).order_by(EVENT.c.id).limit(limit)
    with store.database.read() as connection:
        if store.database.is_postgresql:
            connection.execute(text("LOCK TABLE event IN SHARE MODE"))
        return [StudyEvent(*row) for row in connection.execute(select_events(some.subquery()))]

"""Pages and events of a study, some at a time, for programs that ask again and again."""

from __future__ import annotations

from sqlalchemy import select, text

from polyseme.annotate.answers import page_of
from polyseme.annotate.items import Page
from polyseme.annotate.outcome import Event, selection
from polyseme.annotate.schema import EVENT, PAGE
from polyseme.annotate.store import Store


def pages_after(store: Store, after: int, limit: int) -> list[tuple[int, Page]]:
    """The pages after the one with this number, in order, with their numbers; at most so many."""
    some = select(PAGE).where(PAGE.c.id > after).order_by(PAGE.c.id).limit(limit)
    with store.database.read() as connection:
        return [(row.id, page_of(row)) for row in connection.execute(some)]


def events_after(store: Store, after: int, limit: int) -> list[Event]:
    """What was said after the event with this number, in order; at most so many.

    Nothing is ever changed: who asks for what came after the last that they have, has all in the end. PostgreSQL gives
    out numbers before transactions end, so that there we wait, a moment, for those that have begun.
    """
    some = select(EVENT).where(EVENT.c.id > after).order_by(EVENT.c.id).limit(limit)
    with store.database.read() as connection:
        if store.database.on_server:
            connection.execute(text("LOCK TABLE event IN SHARE MODE"))
        return [Event(*row) for row in connection.execute(selection(some.subquery()))]

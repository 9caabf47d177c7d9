"""Slots: if a study limits the annotators of a page, each of them holds one of its slots."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, select

from polyseme.studio.store.schema import ASSIGNMENT


def find_free_slots(connection: Connection, pages: Collection[int], limit: int) -> dict[int, list[int]]:
    """Find the free slots of pages.

    Args:
        connection: The connection to the database.
        pages: The ids of the pages.
        limit: How many annotators may judge a page.
    """
    query = select(ASSIGNMENT.c.page, ASSIGNMENT.c.slot)
    query = query.where(ASSIGNMENT.c.page.in_(pages), ASSIGNMENT.c.slot.is_not(None))
    taken = {(page, slot) for page, slot in connection.execute(query)} if pages else set()
    return {page: [slot for slot in range(1, limit + 1) if (page, slot) not in taken] for page in pages}

"""The address at which browsers reach a study: the server records it, and invitations use it."""

from __future__ import annotations

from sqlalchemy import select

from polyseme.studio.store.schema import AUDIT
from polyseme.studio.store.store import Store

SERVED = "the study was served"
"""The action in the audit log whose detail is the address."""


def find_address(store: Store) -> str:
    """Return the last address of the study; empty if it was never served."""
    statement = select(AUDIT.c.detail).where(AUDIT.c.what == SERVED).order_by(AUDIT.c.id.desc()).limit(1)
    with store.database.read() as connection:
        return str(connection.execute(statement).scalar() or "")


def record_address(store: Store, address: str) -> None:
    """Record the address of a server that starts, unless it is the last one."""
    if find_address(store) != address:
        store.audit("", SERVED, address)

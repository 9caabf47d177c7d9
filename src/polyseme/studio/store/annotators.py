"""Annotators and managers."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from polyseme.errors import InputError, quote_value
from polyseme.studio.assignment.blocks import smallest_group
from polyseme.studio.store.database import utc_timestamp
from polyseme.studio.store.schema import ANNOTATOR, ASSIGNMENT, AUDIT
from polyseme.studio.study.pages import check_text
from polyseme.studio.study.settings import Study

ANNOTATOR_KINDS = ("annotator", "manager")
SETTABLE_STATES = ("active", "paused", "finished")
"""The states that a manager can set."""
RETURN_VERBS = {"invited": "started", "paused": "resumed", "finished": "reopened"}
"""The state of an annotator who becomes active → the verb in the log."""
ANNOTATOR_STATES = ("invited", *SETTABLE_STATES)
MAX_ANNOTATOR_NAME = 100
INVITATION_DAYS = 60
DAY_SECONDS = 86_400


@dataclass(frozen=True)
class Annotator:
    """An annotator or a manager.

    Args:
        id: The id in the database.
        name: The name, which exports contain.
        email: The e-mail address; may be empty.
        group: The group, which determines the order of the tasks; empty for managers.
        kind: ``annotator`` or ``manager``.
        state: ``invited``, ``active``, ``paused`` or ``finished``.
        created: When the annotator was added, as ISO 8601 in UTC.
        has_password: Whether a password is set.
    """

    id: int
    name: str
    email: str
    group: str
    kind: str
    state: str
    created: str
    has_password: bool

    @property
    def is_manager(self) -> bool:
        """Whether this is a manager."""
        return self.kind == "manager"


def create_token() -> str:
    """Create a random token that can be part of a link."""
    return secrets.token_urlsafe(32)


def hash_token(token: str) -> str:
    """Return the hash under which a token is stored."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def annotator_from_row(row: Row[Any]) -> Annotator:
    """Return the annotator of a row."""
    return Annotator(row.id, row.name, row.email, row.group, row.kind, row.state, row.created, bool(row.password))


def read_annotators(connection: Connection) -> list[Annotator]:
    """Return all annotators and managers, in the order in which they were added."""
    return [annotator_from_row(row) for row in connection.execute(select(ANNOTATOR).order_by(ANNOTATOR.c.id))]


def lock_annotator(connection: Connection, id: int) -> Annotator:
    """Return an annotator, locked until the transaction ends; ``KeyError`` if there is none."""
    row = connection.execute(select(ANNOTATOR).where(ANNOTATOR.c.id == id).with_for_update()).first()
    if row is None:
        raise KeyError(id)
    return annotator_from_row(row)


def get_annotator(connection: Connection, name: str) -> Annotator:
    """Return an annotator by name; ``InputError`` if there is none."""
    row = connection.execute(select(ANNOTATOR).where(ANNOTATOR.c.name == name)).first()
    if row is None:
        problem = f"the study has no annotator or manager {quote_value(name)}"
        raise InputError(f"{problem}. To add one, type: polyseme annotate invite STUDY NAME")
    return annotator_from_row(row)


def insert_annotator(connection: Connection, study: Study, name: str, group: str, kind: str, email: str) -> str:
    """Add an annotator or a manager; return the invitation token.

    Raises:
        InputError: The name is in use or not allowed, or the study has no such group or kind.
    """
    _check_annotator(study, name, group, kind)
    check_text(email, "e-mail address", MAX_ANNOTATOR_NAME)
    others = read_annotators(connection)
    if name in {other.name for other in others}:
        problem = f"the name {quote_value(name)} is in use"
        raise InputError(f"{problem}. For a new link, type: polyseme annotate invite STUDY {name} --again")
    if kind == "annotator" and not group:
        group = smallest_group(study.groups, [other.group for other in others if not other.is_manager])
    token = create_token()
    row = {
        "name": name,
        "email": email,
        "group": group,
        "kind": kind,
        "state": "invited",
        "password": "",
        "invitation": hash_token(token),
        "invitation_expires": utc_timestamp(INVITATION_DAYS * DAY_SECONDS),
        "created": utc_timestamp(),
    }
    connection.execute(insert(ANNOTATOR).values(row))
    return token


def _check_annotator(study: Study, name: str, group: str, kind: str) -> None:
    check_text(name, "name", MAX_ANNOTATOR_NAME)
    if not name or name != " ".join(name.split()) or not name.isprintable():
        raise InputError(f"the name {quote_value(name)} is empty, or contains extra blanks or invisible characters")
    if kind not in ANNOTATOR_KINDS:
        raise InputError(f"{quote_value(kind)} is not a kind of user; allowed: {', '.join(ANNOTATOR_KINDS)}")
    if kind == "manager" and group:
        raise InputError(f"managers have no group; remove {quote_value(group)}")
    if group and group not in study.groups:
        raise InputError(f"the study has no group {quote_value(group)}; its groups: {', '.join(study.groups)}")


def set_state(connection: Connection, name: str, state: str, by: str) -> None:
    """Set the state of an annotator; an annotator who is not active releases incomplete pages."""
    if state not in SETTABLE_STATES:
        raise InputError(f"{quote_value(state)} is not a state; allowed: {', '.join(SETTABLE_STATES)}")
    annotator = lock_annotator(connection, get_annotator(connection, name).id)
    if annotator.state == state:
        return
    connection.execute(update(ANNOTATOR).where(ANNOTATOR.c.id == annotator.id).values(state=state))
    if state != "active":
        incomplete = (ASSIGNMENT.c.annotator == annotator.id) & ~ASSIGNMENT.c.complete
        connection.execute(update(ASSIGNMENT).where(incomplete).values(slot=None))
    verb = RETURN_VERBS[annotator.state] if state == "active" else state
    reason = "the training was not passed" if state == "paused" and not by else ""
    write_audit_entry(connection, by, f"{verb} {name}" if by else f"{name} {verb}", reason)


def write_audit_entry(connection: Connection, user: str, action: str, detail: str = "") -> None:
    """Write an entry to the audit log."""
    connection.execute(insert(AUDIT).values(time=utc_timestamp(), who=user, what=action, detail=detail))

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
ANNOTATOR_STATES = ("invited", "active", "paused", "finished")
SETTABLE_STATES = ANNOTATOR_STATES[1:]
"""The states that a manager may set."""
MAX_ANNOTATOR_NAME = 100
INVITATION_DAYS = 60
DAY_SECONDS = 86_400


@dataclass(frozen=True)
class Annotator:
    """Who takes part. ``group`` says in which order the tasks come; times are ISO 8601, in UTC."""

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
    """A token that nobody guesses, fit for a link."""
    return secrets.token_urlsafe(32)


def hash_token(token: str) -> str:
    """What is kept of a token."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def annotator_from_row(row: Row[Any]) -> Annotator:
    """Who a row of the table is."""
    return Annotator(row.id, row.name, row.email, row.group, row.kind, row.state, row.created, bool(row.password))


def read_annotators(connection: Connection) -> list[Annotator]:
    """All annotators and managers, in the order in which they were added."""
    return [annotator_from_row(row) for row in connection.execute(select(ANNOTATOR).order_by(ANNOTATOR.c.id))]


def find_annotator(connection: Connection, id: int, *, lock: bool = False) -> Annotator | None:
    """One of them; with ``lock``, nobody else writes for this one until the transaction ends."""
    query = select(ANNOTATOR).where(ANNOTATOR.c.id == id)
    row = connection.execute(query.with_for_update() if lock else query).first()
    return None if row is None else annotator_from_row(row)


def get_annotator(connection: Connection, name: str) -> Annotator:
    """One of them; an error if there is none of this name."""
    row = connection.execute(select(ANNOTATOR).where(ANNOTATOR.c.name == name)).first()
    if row is None:
        raise InputError(f"nobody here is called {quote_value(name)}. Type: polyseme annotate invite STUDY NAME")
    return annotator_from_row(row)


def insert_annotator(connection: Connection, study: Study, name: str, group: str, kind: str, email: str) -> str:
    """Add someone; the invitation token."""
    _check_annotator(study, name, group, kind)
    check_text(email, "e-mail address", MAX_ANNOTATOR_NAME)
    people = read_annotators(connection)
    if name in {each.name for each in people}:
        problem = f"there is someone called {quote_value(name)} already"
        raise InputError(f"{problem}. For a new link, type: polyseme annotate invite STUDY {name} --again")
    if kind == "annotator" and not group:
        group = smallest_group(study.groups, [each.group for each in people if each.kind == "annotator"])
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
        raise InputError(f"the name {quote_value(name)} is empty, or has blanks or other marks that cannot be seen")
    if kind not in ANNOTATOR_KINDS:
        raise InputError(f"{quote_value(kind)} is neither of {', '.join(ANNOTATOR_KINDS)}")
    if kind == "manager" and group:
        raise InputError(f"a manager is in no group, and {quote_value(group)} is given; leave it out")
    if group and group not in study.groups:
        raise InputError(f"the study has no group {quote_value(group)}; it has {', '.join(study.groups)}")


def set_state(connection: Connection, name: str, state: str, by: str) -> None:
    """Set the state of an annotator; one who is not active gives back what is not complete."""
    if state not in SETTABLE_STATES:
        raise InputError(f"{quote_value(state)} is no state to set; allowed are {', '.join(SETTABLE_STATES)}")
    who = get_annotator(connection, name)
    found = find_annotator(connection, who.id, lock=True)
    if found is None or found.state == state:
        return
    connection.execute(update(ANNOTATOR).where(ANNOTATOR.c.id == who.id).values(state=state))
    if state != "active":
        mine = (ASSIGNMENT.c.annotator == who.id) & ~ASSIGNMENT.c.complete
        connection.execute(update(ASSIGNMENT).where(mine).values(slot=None))
    write_audit_entry(connection, by, f"{name} is {state}")


def write_audit_entry(connection: Connection, who: str, what: str, detail: str = "") -> None:
    """Note in the audit log who did what."""
    connection.execute(insert(AUDIT).values(time=utc_timestamp(), who=who, what=what, detail=detail))

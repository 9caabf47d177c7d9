"""Annotators and managers."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from polyseme.annotate.assignment import smallest_group
from polyseme.annotate.database import now
from polyseme.annotate.items import check_text
from polyseme.annotate.schema import ANNOTATOR, ASSIGNMENT, AUDIT
from polyseme.annotate.study import Study
from polyseme.errors import InputError, shown

KINDS = ("annotator", "manager")
STATES = ("invited", "active", "paused", "finished")
SET = STATES[1:]
"""The states that a manager may set."""
LONGEST_NAME = 100
INVITED_DAYS = 60
DAY = 86_400


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
    def manages(self) -> bool:
        """Whether this is a manager."""
        return self.kind == "manager"


def new_token() -> str:
    """A token that nobody guesses, fit for a link."""
    return secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """What is kept of a token."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def person(row: Row[Any]) -> Annotator:
    """Who a row of the table is."""
    return Annotator(row.id, row.name, row.email, row.group, row.kind, row.state, row.created, bool(row.password))


def everyone(connection: Connection) -> list[Annotator]:
    """All annotators and managers, in the order in which they were added."""
    return [person(row) for row in connection.execute(select(ANNOTATOR).order_by(ANNOTATOR.c.id))]


def by_id(connection: Connection, id: int, *, lock: bool = False) -> Annotator | None:
    """One of them; with ``lock``, nobody else writes for this one until the transaction ends."""
    query = select(ANNOTATOR).where(ANNOTATOR.c.id == id)
    row = connection.execute(query.with_for_update() if lock else query).first()
    return None if row is None else person(row)


def by_name(connection: Connection, name: str) -> Annotator:
    """One of them; an error if there is none of this name."""
    row = connection.execute(select(ANNOTATOR).where(ANNOTATOR.c.name == name)).first()
    if row is None:
        raise InputError(f"nobody here is called {shown(name)}. Type: polyseme annotate invite STUDY NAME")
    return person(row)


def add(connection: Connection, study: Study, name: str, group: str, kind: str, email: str) -> str:
    """Add someone; the invitation token."""
    _check(study, name, group, kind)
    check_text(email, "e-mail address", LONGEST_NAME)
    people = everyone(connection)
    if name in {each.name for each in people}:
        problem = f"there is someone called {shown(name)} already"
        raise InputError(f"{problem}. For a new link, type: polyseme annotate invite STUDY {name} --again")
    if kind == "annotator" and not group:
        group = smallest_group(study.groups, [each.group for each in people if each.kind == "annotator"])
    token = new_token()
    row = {
        "name": name,
        "email": email,
        "group": group,
        "kind": kind,
        "state": "invited",
        "password": "",
        "invitation": digest(token),
        "invitation_expires": now(INVITED_DAYS * DAY),
        "created": now(),
    }
    connection.execute(insert(ANNOTATOR).values(row))
    return token


def _check(study: Study, name: str, group: str, kind: str) -> None:
    check_text(name, "name", LONGEST_NAME)
    if not name or name != " ".join(name.split()) or not name.isprintable():
        raise InputError(f"the name {shown(name)} is empty, or has blanks or other marks that cannot be seen")
    if kind not in KINDS:
        raise InputError(f"{shown(kind)} is neither of {', '.join(KINDS)}")
    if kind == "manager" and group:
        raise InputError(f"a manager is in no group, and {shown(group)} is given; leave it out")
    if group and group not in study.groups:
        raise InputError(f"the study has no group {shown(group)}; it has {', '.join(study.groups)}")


def set_state(connection: Connection, name: str, state: str, by: str) -> None:
    """Set the state of an annotator; one who is not active gives back what is not complete."""
    if state not in SET:
        raise InputError(f"{shown(state)} is no state to set; allowed are {', '.join(SET)}")
    who = by_name(connection, name)
    found = by_id(connection, who.id, lock=True)
    if found is None or found.state == state:
        return
    connection.execute(update(ANNOTATOR).where(ANNOTATOR.c.id == who.id).values(state=state))
    if state != "active":
        mine = (ASSIGNMENT.c.annotator == who.id) & ~ASSIGNMENT.c.complete
        connection.execute(update(ASSIGNMENT).where(mine).values(slot=None))
    note(connection, by, f"{name} is {state}")


def note(connection: Connection, who: str, what: str, detail: str = "") -> None:
    """Note in the audit log who did what."""
    connection.execute(insert(AUDIT).values(time=now(), who=who, what=what, detail=detail))

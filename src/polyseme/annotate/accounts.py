"""Who is who: invitation links, passwords, sessions, and how often one may try.

A token is random, is given out once, and is kept only as its SHA-256; a password is kept as argon2 makes it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from polyseme.annotate import people
from polyseme.annotate.database import now
from polyseme.annotate.people import DAY, INVITED_DAYS, Annotator, digest, new_token, person
from polyseme.annotate.prepared import LOGGED_IN, LOGGED_IN_ALL
from polyseme.annotate.schema import ANNOTATOR, ATTEMPT, SESSION
from polyseme.annotate.store import Store
from polyseme.errors import InputError, PolysemeError

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST, LONGEST = 10, 200
"""Characters of a password."""
HOURS = 12
"""How long a session lasts in a browser."""
TRIES = {"name": 10, "origin": 50}
"""How often one may fail to log in within the window: under one name, and from one address."""
WINDOW = 900
"""Seconds for which a failed try counts."""


class Refused(PolysemeError):
    """A name, password or link that lets nobody in; it does not say which of them is wrong."""


class Throttled(Refused):
    """Too many tries; ``seconds`` says when the next is allowed."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"there were too many tries; try again in {seconds} seconds")
        self.seconds = seconds


@dataclass(frozen=True)
class Session:
    """Someone who is logged in; ``csrf`` must come back with every form. ``purpose`` is browser or api."""

    annotator: Annotator
    csrf: str
    expires: str
    purpose: str


class Accounts:
    """The accounts of a store."""

    def __init__(self, store: Store) -> None:
        self._database = store.database

    # -- invitations -------------------------------------------------------------------------------------------------

    def invite(self, name: str, by: str = "", days: int = INVITED_DAYS) -> str:
        """A new invitation token for someone; the link given out before ends, and so do their sessions."""
        token = new_token()
        with self._database.write() as connection:
            who = people.by_name(connection, name)
            kept = {"invitation": digest(token), "invitation_expires": now(days * DAY)}
            connection.execute(update(ANNOTATOR).where(ANNOTATOR.c.id == who.id).values(kept))
            connection.execute(delete(SESSION).where(SESSION.c.annotator == who.id))
            people.note(connection, by, f"{name} was invited again")
        return token

    def invited(self, token: str) -> Annotator | None:
        """Whose invitation this is; nobody's, if it is forged, expired or replaced."""
        with self._database.read() as connection:
            row = connection.execute(select(ANNOTATOR).where(_is_invited(token))).first()
            return None if row is None else person(row)

    def enter(self, token: str) -> tuple[str, Session]:
        """Log in by an invitation link, again and again until it expires: the session's token, and the session."""
        with self._database.write() as connection:
            row = connection.execute(select(ANNOTATOR).where(_is_invited(token))).first()
            if row is None:
                raise Refused("this link is not valid, or not any more; ask who invited you for a new one")
            return _begun(connection, person(row))

    # -- passwords ---------------------------------------------------------------------------------------------------

    def set_password(self, annotator: int, password: str) -> None:
        """Let someone log in by name and password; the invitation link ends with it. ``InputError`` if it is weak."""
        if not SHORTEST <= len(password) <= LONGEST:
            raise InputError(f"a password has {SHORTEST} to {LONGEST} characters, and this has {len(password)}")
        hashed = _hasher().hash(password.encode("utf-8", "surrogatepass"))
        with self._database.write() as connection:
            who = people.by_id(connection, annotator, lock=True)
            if who is None:
                raise KeyError(annotator)
            kept = {"password": hashed, "invitation": "", "invitation_expires": ""}
            connection.execute(update(ANNOTATOR).where(ANNOTATOR.c.id == annotator).values(kept))
            people.note(connection, who.name, "set a password")

    def login(self, name: str, password: str, *, origin: str) -> tuple[str, Session]:
        """Log in by name and password; ``origin`` is the address it comes from.

        :class:`Refused` if they are not right, :class:`Throttled` if that was so too often; this is found out in the
        same time whether there is such a name or not.
        """
        keys = {"name": f"name:{digest(name)}", "origin": f"origin:{digest(origin)}"}
        with self._database.read() as connection:
            _check_tries(connection, keys)
            row = connection.execute(select(ANNOTATOR).where(ANNOTATOR.c.name == name)).first()
        if not _is_right(row.password if row is not None else "", password) or row is None:
            self._note_failure(name, keys)
            raise Refused("the name or the password is not right")
        with self._database.write() as connection:
            connection.execute(delete(ATTEMPT).where(ATTEMPT.c.key == keys["name"]))
            return _begun(connection, person(row))

    def _note_failure(self, name: str, keys: dict[str, str]) -> None:
        with self._database.write() as connection:
            connection.execute(delete(ATTEMPT).where(ATTEMPT.c.time < now(-WINDOW)))
            connection.execute(insert(ATTEMPT), [{"key": key, "time": now()} for key in keys.values()])
            people.note(connection, name[: people.LONGEST_NAME].replace("\0", ""), "failed to log in")

    # -- sessions ----------------------------------------------------------------------------------------------------

    def session(self, token: str, purpose: str = "browser") -> Session | None:
        """Who has logged in with this token, if that has not expired."""
        return self.sessions([token], purpose)[0]

    def sessions(self, tokens: Sequence[str], purpose: str = "browser") -> list[Session | None]:
        """Who has logged in with each of these tokens, if that has not expired."""
        with self._database.alone() as connection:
            if len(tokens) == 1:
                return [_session(connection, tokens[0], purpose)]
            kept = [digest(token) for token in tokens]
            rows = connection.execute(LOGGED_IN_ALL, {"tokens": kept, "now": now(), "purpose": purpose})
            found = {row.token: Session(person(row), row.csrf, row.expires, purpose) for row in rows}
            return [found.get(token) for token in kept]

    def logout(self, token: str) -> None:
        """End a session."""
        with self._database.write() as connection:
            connection.execute(delete(SESSION).where(SESSION.c.token == digest(token)))

    def api_token(self, annotator: int, days: int = 365) -> str:
        """A token with which a program may use the API on someone's behalf: a session of the purpose ``api``."""
        with self._database.write() as connection:
            who = people.by_id(connection, annotator)
            if who is None:
                raise KeyError(annotator)
            people.note(connection, who.name, "was given a token for programs")
            return _begun(connection, who, "api", days * DAY)[0]


def _session(connection: Connection, token: str, purpose: str) -> Session | None:
    row = LOGGED_IN(connection, token=digest(token), now=now(), purpose=purpose).first()
    return None if row is None else Session(person(row), row.csrf, row.expires, purpose)


def _is_invited(token: str) -> ColumnElement[bool]:
    return (ANNOTATOR.c.invitation == digest(token)) & (ANNOTATOR.c.invitation_expires > now())


def _begun(
    connection: Connection, who: Annotator, purpose: str = "browser", seconds: int = HOURS * 3600
) -> tuple[str, Session]:
    """A new session; those that have expired are swept out."""
    token, csrf, expires = new_token(), new_token(), now(seconds)
    connection.execute(delete(SESSION).where(SESSION.c.expires < now()))
    row = {"token": digest(token), "annotator": who.id, "csrf": csrf, "created": now(), "expires": expires}
    connection.execute(insert(SESSION).values(**row, purpose=purpose))
    return token, Session(who, csrf, expires, purpose)


def _check_tries(connection: Connection, keys: dict[str, str]) -> None:
    """An error if there were too many failures of late."""
    for what, key in keys.items():
        recent = (ATTEMPT.c.key == key) & (ATTEMPT.c.time > now(-WINDOW))
        count, first = connection.execute(select(func.count(), func.min(ATTEMPT.c.time)).where(recent)).one()
        if count >= TRIES[what]:
            since = (datetime.fromisoformat(now()) - datetime.fromisoformat(first)).total_seconds()
            raise Throttled(max(1, math.ceil(WINDOW - since)))


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher()


@cache
def _nobody() -> str:
    """The hash of a password that nobody has, with which a name that is not there takes as long as another."""
    return _hasher().hash(new_token())


def _is_right(hashed: str, password: str) -> bool:
    from argon2.exceptions import InvalidHashError, VerificationError

    given: Any = password[: LONGEST + 1].encode("utf-8", "surrogatepass")
    try:
        _hasher().verify(hashed or _nobody(), given)
    except (VerificationError, InvalidHashError):
        return False
    return bool(hashed)

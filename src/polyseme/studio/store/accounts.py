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

from polyseme.errors import InputError, PolysemeError
from polyseme.studio.store import annotators
from polyseme.studio.store.annotators import (
    DAY_SECONDS,
    INVITATION_DAYS,
    Annotator,
    annotator_from_row,
    create_token,
    hash_token,
)
from polyseme.studio.store.database import utc_timestamp
from polyseme.studio.store.schema import ANNOTATOR, ATTEMPT, SESSION
from polyseme.studio.store.statements import ACTIVE_SESSION, ACTIVE_SESSIONS
from polyseme.studio.store.store import Store

if TYPE_CHECKING:
    from argon2 import PasswordHasher

MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH = 10, 200
"""Characters of a password."""
SESSION_HOURS = 12
"""How long a session lasts in a browser."""
FAILURE_LIMITS = {"name": 10, "origin": 50}
"""How often one may fail to log in within the window: under one name, and from one address."""
FAILURE_WINDOW_SECONDS = 900
"""Seconds for which a failed try counts."""


class LoginRefused(PolysemeError):
    """A name, password or link that lets nobody in; it does not say which of them is wrong."""


class LoginThrottled(LoginRefused):
    """Too many tries; ``seconds`` says when the next is allowed."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"there were too many tries; try again in {seconds} seconds")
        self.seconds = seconds


@dataclass(frozen=True)
class LoginSession:
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

    def invite(self, name: str, by: str = "", days: int = INVITATION_DAYS) -> str:
        """A new invitation token for someone; the link given out before ends, and so do their sessions."""
        token = create_token()
        with self._database.write() as connection:
            who = annotators.get_annotator(connection, name)
            kept = {"invitation": hash_token(token), "invitation_expires": utc_timestamp(days * DAY_SECONDS)}
            connection.execute(update(ANNOTATOR).where(ANNOTATOR.c.id == who.id).values(kept))
            connection.execute(delete(SESSION).where(SESSION.c.annotator == who.id))
            annotators.write_audit_entry(connection, by, f"{name} was invited again")
        return token

    def invited(self, token: str) -> Annotator | None:
        """Whose invitation this is; nobody's, if it is forged, expired or replaced."""
        with self._database.read() as connection:
            row = connection.execute(select(ANNOTATOR).where(_invitation_matches(token))).first()
            return None if row is None else annotator_from_row(row)

    def enter(self, token: str) -> tuple[str, LoginSession]:
        """Log in by an invitation link, again and again until it expires: the session's token, and the session."""
        with self._database.write() as connection:
            row = connection.execute(select(ANNOTATOR).where(_invitation_matches(token))).first()
            if row is None:
                raise LoginRefused("this link is not valid, or not any more; ask who invited you for a new one")
            return _start_session(connection, annotator_from_row(row))

    # -- passwords ---------------------------------------------------------------------------------------------------

    def set_password(self, annotator: int, password: str) -> None:
        """Let someone log in by name and password; the invitation link ends with it. ``InputError`` if it is weak."""
        if not MIN_PASSWORD_LENGTH <= len(password) <= MAX_PASSWORD_LENGTH:
            raise InputError(
                f"a password has {MIN_PASSWORD_LENGTH} to {MAX_PASSWORD_LENGTH} characters, and this has {len(password)}"
            )
        hashed = _hasher().hash(password.encode("utf-8", "surrogatepass"))
        with self._database.write() as connection:
            who = annotators.find_annotator(connection, annotator, lock=True)
            if who is None:
                raise KeyError(annotator)
            kept = {"password": hashed, "invitation": "", "invitation_expires": ""}
            connection.execute(update(ANNOTATOR).where(ANNOTATOR.c.id == annotator).values(kept))
            annotators.write_audit_entry(connection, who.name, "set a password")

    def login(self, name: str, password: str, *, origin: str) -> tuple[str, LoginSession]:
        """Log in by name and password; ``origin`` is the address it comes from.

        :class:`Refused` if they are not right, :class:`Throttled` if that was so too often; this is found out in the
        same time whether there is such a name or not.
        """
        keys = {"name": f"name:{hash_token(name)}", "origin": f"origin:{hash_token(origin)}"}
        with self._database.read() as connection:
            _check_failures(connection, keys)
            row = connection.execute(select(ANNOTATOR).where(ANNOTATOR.c.name == name)).first()
        if not _is_right_password(row.password if row is not None else "", password) or row is None:
            self._note_failure(name, keys)
            raise LoginRefused("the name or the password is not right")
        with self._database.write() as connection:
            connection.execute(delete(ATTEMPT).where(ATTEMPT.c.key == keys["name"]))
            return _start_session(connection, annotator_from_row(row))

    def _note_failure(self, name: str, keys: dict[str, str]) -> None:
        with self._database.write() as connection:
            connection.execute(delete(ATTEMPT).where(ATTEMPT.c.time < utc_timestamp(-FAILURE_WINDOW_SECONDS)))
            connection.execute(insert(ATTEMPT), [{"key": key, "time": utc_timestamp()} for key in keys.values()])
            annotators.write_audit_entry(
                connection, name[: annotators.MAX_ANNOTATOR_NAME].replace("\0", ""), "failed to log in"
            )

    # -- sessions ----------------------------------------------------------------------------------------------------

    def session(self, token: str, purpose: str = "browser") -> LoginSession | None:
        """Who has logged in with this token, if that has not expired."""
        return self.sessions([token], purpose)[0]

    def sessions(self, tokens: Sequence[str], purpose: str = "browser") -> list[LoginSession | None]:
        """Who has logged in with each of these tokens, if that has not expired."""
        with self._database.alone() as connection:
            if len(tokens) == 1:
                return [_find_session(connection, tokens[0], purpose)]
            kept = [hash_token(token) for token in tokens]
            rows = connection.execute(ACTIVE_SESSIONS, {"tokens": kept, "now": utc_timestamp(), "purpose": purpose})
            found = {row.token: LoginSession(annotator_from_row(row), row.csrf, row.expires, purpose) for row in rows}
            return [found.get(token) for token in kept]

    def logout(self, token: str) -> None:
        """End a session."""
        with self._database.write() as connection:
            connection.execute(delete(SESSION).where(SESSION.c.token == hash_token(token)))

    def api_token(self, annotator: int, days: int = 365) -> str:
        """A token with which a program may use the API on someone's behalf: a session of the purpose ``api``."""
        with self._database.write() as connection:
            who = annotators.find_annotator(connection, annotator)
            if who is None:
                raise KeyError(annotator)
            annotators.write_audit_entry(connection, who.name, "was given a token for programs")
            return _start_session(connection, who, "api", days * DAY_SECONDS)[0]


def _find_session(connection: Connection, token: str, purpose: str) -> LoginSession | None:
    row = ACTIVE_SESSION(connection, token=hash_token(token), now=utc_timestamp(), purpose=purpose).first()
    return None if row is None else LoginSession(annotator_from_row(row), row.csrf, row.expires, purpose)


def _invitation_matches(token: str) -> ColumnElement[bool]:
    return (ANNOTATOR.c.invitation == hash_token(token)) & (ANNOTATOR.c.invitation_expires > utc_timestamp())


def _start_session(
    connection: Connection, who: Annotator, purpose: str = "browser", seconds: int = SESSION_HOURS * 3600
) -> tuple[str, LoginSession]:
    """A new session; those that have expired are swept out."""
    token, csrf, expires = create_token(), create_token(), utc_timestamp(seconds)
    connection.execute(delete(SESSION).where(SESSION.c.expires < utc_timestamp()))
    row = {
        "token": hash_token(token),
        "annotator": who.id,
        "csrf": csrf,
        "created": utc_timestamp(),
        "expires": expires,
    }
    connection.execute(insert(SESSION).values(**row, purpose=purpose))
    return token, LoginSession(who, csrf, expires, purpose)


def _check_failures(connection: Connection, keys: dict[str, str]) -> None:
    """An error if there were too many failures of late."""
    for what, key in keys.items():
        recent = (ATTEMPT.c.key == key) & (ATTEMPT.c.time > utc_timestamp(-FAILURE_WINDOW_SECONDS))
        count, first = connection.execute(select(func.count(), func.min(ATTEMPT.c.time)).where(recent)).one()
        if count >= FAILURE_LIMITS[what]:
            since = (datetime.fromisoformat(utc_timestamp()) - datetime.fromisoformat(first)).total_seconds()
            raise LoginThrottled(max(1, math.ceil(FAILURE_WINDOW_SECONDS - since)))


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher()


@cache
def _dummy_hash() -> str:
    """The hash of a password that nobody has, with which a name that is not there takes as long as another."""
    return _hasher().hash(create_token())


def _is_right_password(hashed: str, password: str) -> bool:
    from argon2.exceptions import InvalidHashError, VerificationError

    given: Any = password[: MAX_PASSWORD_LENGTH + 1].encode("utf-8", "surrogatepass")
    try:
        _hasher().verify(hashed or _dummy_hash(), given)
    except (VerificationError, InvalidHashError):
        return False
    return bool(hashed)

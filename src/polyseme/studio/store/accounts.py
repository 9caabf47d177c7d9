"""Accounts: invitation links, passwords, sessions and the limit on failed logins.

Tokens are random and stored only as SHA-256 hashes; passwords are hashed by argon2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from sqlalchemy import Connection, delete, func, insert, select, update

from polyseme.errors import InputError, PolysemeError, count_noun
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
from polyseme.studio.store.statements import ACTIVE_SESSIONS
from polyseme.studio.store.store import Store

if TYPE_CHECKING:
    from argon2 import PasswordHasher

MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH = 10, 200
SESSION_SECONDS = 12 * 3600
"""How long a session lasts in a browser."""
FAILURE_LIMITS = {"name": 10, "origin": 50}
"""The number of failed logins that the window allows, for one name and from one address."""
FAILURE_WINDOW_SECONDS = 900
"""The time for which a failed login counts."""


class LoginRefused(PolysemeError):
    """The name, the password or the link is wrong; the message does not reveal which."""


class LoginThrottled(LoginRefused):
    """Too many logins failed.

    Args:
        seconds: The time until the next attempt.
    """

    def __init__(self, seconds: int) -> None:
        super().__init__(f"too many failed logins; try again in {count_noun(math.ceil(seconds / 60), 'minute')}")
        self.seconds = seconds


@dataclass(frozen=True)
class LoginSession:
    """The session of a user.

    Args:
        annotator: The user.
        csrf: The token that every form must return.
        expires: When the session ends, as ISO 8601 in UTC.
        purpose: ``browser`` or ``api``.
    """

    annotator: Annotator
    csrf: str
    expires: str
    purpose: str


class Accounts:
    """The accounts of a store.

    Args:
        store: The store.
    """

    def __init__(self, store: Store) -> None:
        self._database = store.database

    # -- invitations -------------------------------------------------------------------------------------------------

    def invite(self, name: str, by: str = "", days: int = INVITATION_DAYS) -> str:
        """Create a new invitation token, and end the previous link and all sessions of the user."""
        token = create_token()
        with self._database.write() as connection:
            user = annotators.get_annotator(connection, name)
            invitation = {"invitation": hash_token(token), "invitation_expires": utc_timestamp(days * DAY_SECONDS)}
            connection.execute(update(ANNOTATOR).where(ANNOTATOR.c.id == user.id).values(invitation))
            connection.execute(delete(SESSION).where(SESSION.c.annotator == user.id))
            annotators.write_audit_entry(connection, by, f"{name} got a new link")
        return token

    def find_invited(self, token: str) -> Annotator | None:
        """Return the user of an invitation; ``None`` if it is wrong, expired or replaced."""
        with self._database.read() as connection:
            return _find_invited(connection, token)

    def enter(self, token: str) -> tuple[str, LoginSession]:
        """Log in with an invitation link, which stays valid until it expires.

        Returns:
            The token of the session, and the session.
        """
        with self._database.write() as connection:
            user = _find_invited(connection, token)
            if user is None:
                raise LoginRefused("this link no longer works; ask the person who invited you for a new one")
            return _start_session(connection, user)

    # -- passwords ---------------------------------------------------------------------------------------------------

    def set_password(self, annotator: int, password: str) -> None:
        """Set a password and end the invitation link; ``InputError`` if its length is not allowed."""
        if not MIN_PASSWORD_LENGTH <= len(password) <= MAX_PASSWORD_LENGTH:
            limits = f"{MIN_PASSWORD_LENGTH} to {MAX_PASSWORD_LENGTH}"
            raise InputError(f"the password has {len(password)} characters; choose one with {limits}")
        hashed = _hasher().hash(password.encode("utf-8", "surrogatepass"))
        with self._database.write() as connection:
            user = annotators.lock_annotator(connection, annotator)
            credentials = {"password": hashed, "invitation": "", "invitation_expires": ""}
            connection.execute(update(ANNOTATOR).where(ANNOTATOR.c.id == annotator).values(credentials))
            annotators.write_audit_entry(connection, user.name, "set a password")

    def login(self, name: str, password: str, *, origin: str) -> tuple[str, LoginSession]:
        """Log in with name and password; an unknown name takes as long as a wrong password.

        Args:
            name: The name of the user.
            password: The password.
            origin: The address from which the request comes.

        Raises:
            LoginRefused: The name or the password is wrong.
            LoginThrottled: Too many logins failed.
        """
        keys = {"name": f"name:{hash_token(name)}", "origin": f"origin:{hash_token(origin)}"}
        with self._database.read() as connection:
            _check_failures(connection, keys)
            row = connection.execute(select(ANNOTATOR).where(ANNOTATOR.c.name == name)).first()
        if not _is_right_password(row.password if row is not None else "", password) or row is None:
            self._record_failure(name, keys)
            raise LoginRefused("this name and this password do not match")
        with self._database.write() as connection:
            connection.execute(delete(ATTEMPT).where(ATTEMPT.c.key == keys["name"]))
            return _start_session(connection, annotator_from_row(row))

    def _record_failure(self, name: str, keys: dict[str, str]) -> None:
        with self._database.write() as connection:
            connection.execute(delete(ATTEMPT).where(ATTEMPT.c.time < utc_timestamp(-FAILURE_WINDOW_SECONDS)))
            connection.execute(insert(ATTEMPT), [{"key": key, "time": utc_timestamp()} for key in keys.values()])
            user = name[: annotators.MAX_ANNOTATOR_NAME].replace("\0", "")
            annotators.write_audit_entry(connection, user, "failed to log in")

    # -- sessions ----------------------------------------------------------------------------------------------------

    def find_session(self, token: str, purpose: str = "browser") -> LoginSession | None:
        """Return the session of a token; ``None`` if there is none or it has expired."""
        return self.find_sessions([token], purpose)[0]

    def find_sessions(self, tokens: Sequence[str], purpose: str = "browser") -> list[LoginSession | None]:
        """Return the sessions of tokens; ``None`` for those that have none."""
        hashes = [hash_token(token) for token in tokens]
        with self._database.autocommit() as connection:
            values = {"tokens": hashes, "now": utc_timestamp(), "purpose": purpose}
            rows = connection.execute(ACTIVE_SESSIONS, values)
            sessions = {
                row.token: LoginSession(annotator_from_row(row), row.csrf, row.expires, purpose) for row in rows
            }
        return [sessions.get(hashed) for hashed in hashes]

    def logout(self, token: str) -> None:
        """End a session."""
        with self._database.write() as connection:
            connection.execute(delete(SESSION).where(SESSION.c.token == hash_token(token)))

    def create_api_token(self, annotator: int, days: int = 365) -> str:
        """Create a token with which a program can use the API for a user."""
        with self._database.write() as connection:
            user = annotators.lock_annotator(connection, annotator)
            annotators.write_audit_entry(connection, user.name, "received an API token")
            return _start_session(connection, user, "api", days * DAY_SECONDS)[0]


def _find_invited(connection: Connection, token: str) -> Annotator | None:
    is_valid = (ANNOTATOR.c.invitation == hash_token(token)) & (ANNOTATOR.c.invitation_expires > utc_timestamp())
    row = connection.execute(select(ANNOTATOR).where(is_valid)).first()
    return None if row is None else annotator_from_row(row)


def _start_session(
    connection: Connection, user: Annotator, purpose: str = "browser", seconds: int = SESSION_SECONDS
) -> tuple[str, LoginSession]:
    """Start a session and delete those that have expired; return its token and the session."""
    token, session = create_token(), LoginSession(user, create_token(), utc_timestamp(seconds), purpose)
    connection.execute(delete(SESSION).where(SESSION.c.expires < utc_timestamp()))
    row = {"token": hash_token(token), "annotator": user.id, "csrf": session.csrf, "created": utc_timestamp()}
    connection.execute(insert(SESSION).values(**row, expires=session.expires, purpose=purpose))
    return token, session


def _check_failures(connection: Connection, keys: dict[str, str]) -> None:
    """Raise :class:`LoginThrottled` if too many logins failed within the window."""
    for kind, key in keys.items():
        recent = (ATTEMPT.c.key == key) & (ATTEMPT.c.time > utc_timestamp(-FAILURE_WINDOW_SECONDS))
        count, first = connection.execute(select(func.count(), func.min(ATTEMPT.c.time)).where(recent)).one()
        if count >= FAILURE_LIMITS[kind]:
            age = (datetime.fromisoformat(utc_timestamp()) - datetime.fromisoformat(first)).total_seconds()
            raise LoginThrottled(max(1, math.ceil(FAILURE_WINDOW_SECONDS - age)))


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher()


@cache
def _dummy_hash() -> str:
    """Return a hash that no password has, so that an unknown name takes as long as a known one."""
    return _hasher().hash(create_token())


def _is_right_password(hashed: str, password: str) -> bool:
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        _hasher().verify(hashed or _dummy_hash(), password[: MAX_PASSWORD_LENGTH + 1].encode("utf-8", "surrogatepass"))
    except (VerificationError, InvalidHashError):
        return False
    return bool(hashed)

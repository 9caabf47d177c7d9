"""Single answers as scripts send them, many in a second: those of one moment are checked and saved together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from fastapi import HTTPException

from polyseme.annotate.accounts import Accounts, Session
from polyseme.annotate.answers import Said
from polyseme.annotate.desk import Asked, NotOpen, Paused
from polyseme.annotate.showing import Shown
from polyseme.annotate.store import Store
from polyseme.annotate.web.rounds import Rounds
from polyseme.annotate.web.security import STALE, LoggedOut, same

NOT_YET = "This page is not open to you yet."
PAUSED = "Your work is paused; what you answered so far is saved. Whoever invited you can let you go on."


class Click(NamedTuple):
    """What comes with an answer: the session's token, that of the page, and which page it is."""

    token: str
    csrf: str
    number: int
    say: Callable[[Shown], Said | None]


def clicks_of(store: Store, accounts: Accounts) -> Rounds[Click, Shown]:
    """What takes the clicks of a store's annotators."""
    return Rounds(lambda clicks: saved(store, accounts, clicks))


def saved(store: Store, accounts: Accounts, clicks: Sequence[Click]) -> list[Shown | Exception]:
    """Save what annotators may save; of each click the page as it then is, or why it was refused."""
    sessions = accounts.sessions([click.token for click in clicks])
    found: list[Shown | Exception | None] = [_refused(*pair) for pair in zip(clicks, sessions, strict=True)]
    asked = {
        place: Asked(session.annotator.id, click.number, click.say)
        for place, (click, session) in enumerate(zip(clicks, sessions, strict=True))
        if found[place] is None and session is not None
    }
    for place, result in zip(asked, store.answer_all(list(asked.values())) if asked else (), strict=True):
        found[place] = _answer(result)
    return [each for each in found if each is not None]


def _answer(result: Shown | Exception) -> Shown | Exception:
    if isinstance(result, NotOpen):
        return HTTPException(404, NOT_YET)
    return HTTPException(423, PAUSED) if isinstance(result, Paused) else result


def _refused(click: Click, session: Session | None) -> Exception | None:
    """Why nothing is saved, if so."""
    if session is None:
        return LoggedOut()
    if not same(click.csrf, session.csrf):
        return HTTPException(403, STALE)
    if session.annotator.manages:
        return HTTPException(404)
    if session.annotator.state == "paused":
        return HTTPException(423, PAUSED)  # the script keeps what it has, and sends it when the work goes on
    return None

"""Single answers as scripts send them, many in a second: those of one moment are checked and saved together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from fastapi import HTTPException

from polyseme.studio.store.accounts import Accounts, LoginSession
from polyseme.studio.store.assigned_page import AssignedPage
from polyseme.studio.store.page_service import AnnotatorPaused, AnswerRequest, PageNotOpen
from polyseme.studio.store.store import Store
from polyseme.studio.store.submissions import Submission
from polyseme.studio.web.batch_executor import BatchExecutor
from polyseme.studio.web.security import STALE_FORM, LoggedOut, is_same_token

PAGE_NOT_OPEN = "This page is not open to you yet."
WORK_PAUSED = "Your work is paused; what you answered so far is saved. Whoever invited you can let you go on."


class Click(NamedTuple):
    """What comes with an answer: the session's token, that of the page, and which page it is."""

    token: str
    csrf: str
    number: int
    say: Callable[[AssignedPage], Submission | None]


def create_click_executor(store: Store, accounts: Accounts) -> BatchExecutor[Click, AssignedPage]:
    """What takes the clicks of a store's annotators."""
    return BatchExecutor(lambda clicks: save_clicks(store, accounts, clicks))


def save_clicks(store: Store, accounts: Accounts, clicks: Sequence[Click]) -> list[AssignedPage | Exception]:
    """Save what annotators may save; of each click the page as it then is, or why it was refused."""
    sessions = accounts.sessions([click.token for click in clicks])
    found: list[AssignedPage | Exception | None] = [_find_refusal(*pair) for pair in zip(clicks, sessions, strict=True)]
    asked = {
        place: AnswerRequest(session.annotator.id, click.number, click.say)
        for place, (click, session) in enumerate(zip(clicks, sessions, strict=True))
        if found[place] is None and session is not None
    }
    for place, result in zip(asked, store.answer_all(list(asked.values())) if asked else (), strict=True):
        found[place] = _http_outcome(result)
    return [each for each in found if each is not None]


def _http_outcome(result: AssignedPage | Exception) -> AssignedPage | Exception:
    if isinstance(result, PageNotOpen):
        return HTTPException(404, PAGE_NOT_OPEN)
    return HTTPException(423, WORK_PAUSED) if isinstance(result, AnnotatorPaused) else result


def _find_refusal(click: Click, session: LoginSession | None) -> Exception | None:
    """Why nothing is saved, if so."""
    if session is None:
        return LoggedOut()
    if not is_same_token(click.csrf, session.csrf):
        return HTTPException(403, STALE_FORM)
    if session.annotator.is_manager:
        return HTTPException(404)
    if session.annotator.state == "paused":
        return HTTPException(423, WORK_PAUSED)  # the script keeps what it has, and sends it when the work goes on
    return None

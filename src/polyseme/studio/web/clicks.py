"""Single answers, as the script of a page sends them. Answers that arrive together are saved together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fastapi import HTTPException

from polyseme.studio.store.accounts import Accounts, LoginSession
from polyseme.studio.store.assigned_page import AssignedPage
from polyseme.studio.store.page_service import AnnotatorPaused, AnswerRequest, PageNotOpen, SubmissionBuilder
from polyseme.studio.store.store import Store
from polyseme.studio.web.batch_executor import BatchExecutor
from polyseme.studio.web.security import STALE_FORM, LoggedOut, is_same_token

PAGE_NOT_OPEN = "This page is not open yet."
WORK_PAUSED = "Your work is paused, and your answers are saved. To continue, ask the person who invited you."


class Click(NamedTuple):
    """An answer with the tokens that authorise it.

    Args:
        token: The token of the session.
        csrf: The token of the page.
        number: The page number.
        build: Computes the submission from the page.
    """

    token: str
    csrf: str
    number: int
    build: SubmissionBuilder


def create_click_executor(store: Store, accounts: Accounts) -> BatchExecutor[Click, AssignedPage]:
    """Create the executor that saves the clicks of a store's annotators."""
    return BatchExecutor(lambda clicks: save_clicks(store, accounts, clicks))


def save_clicks(store: Store, accounts: Accounts, clicks: Sequence[Click]) -> list[AssignedPage | Exception]:
    """Save clicks.

    Returns:
        For each click, the page with its new answers, or the error that refused it.
    """
    results: dict[int, AssignedPage | Exception] = {}
    requests: dict[int, AnswerRequest] = {}
    sessions = accounts.find_sessions([click.token for click in clicks])
    for position, (click, session) in enumerate(zip(clicks, sessions, strict=True)):
        if session is None:
            results[position] = LoggedOut()
        elif refusal := _find_refusal(click, session):
            results[position] = refusal
        else:
            requests[position] = AnswerRequest(session.annotator.id, click.number, click.build)
    if requests:
        outcomes = store.answer_all(list(requests.values()))
        results |= zip(requests, map(_http_outcome, outcomes), strict=True)
    return [result for _, result in sorted(results.items())]


def _find_refusal(click: Click, session: LoginSession) -> HTTPException | None:
    """Return the reason for refusing a click, if there is one."""
    if not is_same_token(click.csrf, session.csrf):
        return HTTPException(403, STALE_FORM)
    if session.annotator.is_manager:
        return HTTPException(404)
    if session.annotator.state == "paused":
        return HTTPException(423, WORK_PAUSED)  # the script keeps its answers and sends them later
    return None


def _http_outcome(outcome: AssignedPage | Exception) -> AssignedPage | Exception:
    if isinstance(outcome, PageNotOpen):
        return HTTPException(404, PAGE_NOT_OPEN)
    return HTTPException(423, WORK_PAUSED) if isinstance(outcome, AnnotatorPaused) else outcome

"""The annotator's pages: one page of questions after another, saved with every click, and a thank-you."""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from starlette.datastructures import FormData
from starlette.responses import JSONResponse, RedirectResponse

from polyseme.errors import InputError
from polyseme.studio.store.accounts import LoginSession
from polyseme.studio.store.assigned_page import AssignedPage
from polyseme.studio.store.page_service import PageNotOpen
from polyseme.studio.store.submissions import Submission
from polyseme.studio.study.pages import INVALID_REASONS, MAX_TEXT_LENGTH
from polyseme.studio.web.annotator_summary import build_feedback_lines, summarise_annotator
from polyseme.studio.web.clicks import WORK_PAUSED, Click
from polyseme.studio.web.forms import FORMS, FormFields
from polyseme.studio.web.rendering import render_markdown, render_page
from polyseme.studio.web.security import (
    CSRF_HEADER,
    MAX_FIELDS,
    CurrentStudio,
    Studio,
    VisitorForm,
    VisitorSession,
    read_json_body,
)

router = APIRouter(include_in_schema=False)

OTHER_REASON = "other"
"""Why a usage is invalid, if for none of the reasons that are listed; the comment may say more."""

MAX_PAGE_NUMBER = 10**7
MAX_MILLISECONDS_OPEN = 24 * 3600 * 1000


async def require_annotator(session: VisitorSession) -> LoginSession:
    """Who asks, where only annotators may: managers have no pages."""
    if session.annotator.is_manager:
        raise HTTPException(404)
    return session


AnnotatorSession = Annotated[LoginSession, Depends(require_annotator)]


def _go(address: str) -> RedirectResponse:
    return RedirectResponse(address, status_code=303)


def _find_page(here: Studio, session: LoginSession, number: int) -> AssignedPage | None:
    """The annotator's page with this number; nothing, if it is beyond the one that is to be answered first."""
    if not 1 <= number <= MAX_PAGE_NUMBER:
        raise HTTPException(404)
    try:
        return here.store.shown(session.annotator.id, number)
    except PageNotOpen:
        return None


def _next_address(shown: AssignedPage) -> str:
    """Where a complete page leads."""
    return f"/page/{shown.number}/feedback" if shown.role == "training" else f"/page/{shown.number + 1}"


def _is_paused(session: LoginSession) -> bool:
    return session.annotator.state == "paused"


def _paused(request: Request, here: Studio) -> Response:
    return render_page(request, here, "error.html", 403, heading="Paused", said=WORK_PAUSED)


@router.get("/page/{number:int}")
def show_page(
    request: Request, here: CurrentStudio, session: AnnotatorSession, number: int, asked: bool = False
) -> Response:
    """Show a page of questions; ``asked`` says what is missing on it."""
    if _is_paused(session):
        return _paused(request, here)
    shown = _find_page(here, session, number)
    return _go("/") if shown is None else _render_questions(request, here, session, shown, asked=asked)


def _render_questions(
    request: Request,
    here: Studio,
    session: LoginSession,
    shown: AssignedPage,
    *,
    asked: bool = False,
    refused: str = "",
) -> Response:
    form, questions = FORMS[shown.page.task], FORMS[shown.page.task].questions(shown.page, shown.answered)
    heading, hint = form.ask(shown.page)
    reasons = (*INVALID_REASONS, OTHER_REASON)
    given = shown.answered.invalid
    return render_page(
        request,
        here,
        "page.html",
        422 if refused else 200,
        visitor=_visitor_badge(session),
        owner=_queue_owner(here, session),
        shown=shown,
        page=shown.page,
        questions=questions,
        heading=heading,
        hint=hint,
        keys=form.keys(shown.page),
        missing=shown.missing,
        places=[f"q{number}" for number, question in enumerate(questions, start=1) if question.missing],
        asked=asked,
        refused=refused,
        reasons=reasons if given in ("", *reasons) else (*reasons, given),
        longest=MAX_TEXT_LENGTH,
        nonce=secrets.token_hex(16),
        opened=round(time.time() * 1000),
        instructions=render_markdown(here.store.study.instructions),
    )


def _visitor_badge(session: LoginSession) -> Mapping[str, str]:
    """What the bar says of who is logged in."""
    return {"name": session.annotator.name, "csrf": session.csrf}


def _queue_owner(here: Studio, session: LoginSession) -> str:
    """Whose the answers are that wait in a browser: this annotator's of this study, and nobody else's."""
    of = f"{here.store.study_created}\n{session.annotator.id}\n{session.annotator.created}"
    return hashlib.sha256(of.encode()).hexdigest()[:16]


# ---- A whole form, which the button sends


@router.post("/page/{number:int}")
def save_page(
    request: Request, here: CurrentStudio, session: AnnotatorSession, number: int, form: VisitorForm
) -> Response:
    """Save what is filled in; go on if the page is complete, and else say what is missing."""
    if _is_paused(session):
        return _paused(request, here)
    shown = _find_page(here, session, number)
    if shown is None:
        return _go("/")
    before = {**FORMS[shown.page.task].filled(shown.page, shown.answered), **_text_fields(shown)}
    fields = {name: _list(form, name) for name in before}
    name, since = _request_name(form, before), _milliseconds_open(form)
    try:
        saved = here.store.answer(
            session.annotator.id, number, lambda now: _build_submission(now, fields, before, name, since)
        )
    except PageNotOpen:
        return _go("/")
    except InputError as error:
        return _render_questions(request, here, session, _restore_comment(shown, fields), refused=str(error))
    return _go(_next_address(saved) if saved.complete else f"/page/{number}?asked=1")


def _text_fields(shown: AssignedPage) -> FormFields:
    return {"comment": [shown.answered.comment], "invalid": [shown.answered.invalid]}


def _restore_comment(shown: AssignedPage, fields: FormFields) -> AssignedPage:
    """The page with the comment as it was written, though it could not be saved, so that nobody writes it twice."""
    comment = "".join(fields["comment"][:1])
    return replace(shown, answered=replace(shown.answered, comment=comment))


def _list(form: FormData, name: str) -> list[str]:
    return [value for value in form.getlist(name) if isinstance(value, str)]


def _request_name(form: FormData, before: FormFields) -> str:
    """A name for what a form says: pressed twice it is the same; sent again from another state it is not."""
    given = json.dumps([form.get("form"), {name: list(values) for name, values in before.items()}], default=str)
    return hashlib.sha256(given.encode(errors="replace")).hexdigest()[:32]


def _milliseconds_open(form: FormData) -> int | None:
    """Milliseconds since the form was opened, by the clock of the server, if the form says when that was."""
    opened = form.get("opened")
    if not (isinstance(opened, str) and opened.isascii() and opened.isdigit() and len(opened) < 16):
        return None
    passed = round(time.time() * 1000) - int(opened)
    return passed if 0 <= passed <= MAX_MILLISECONDS_OPEN else None


# ---- A single answer, which a script sends


async def save_click(request: Request) -> Response:
    """Save a click; the answer comes when it is on disk."""
    here: Studio = request.app.state.studio
    say = _submission_from_click(await read_json_body(request))
    token, csrf = request.cookies.get(here.session_cookie, ""), request.headers.get(CSRF_HEADER, "")
    saved = await here.clicks.do(Click(token, csrf, request.path_params["number"], say))
    wanted = [each.name for each in FORMS[saved.page.task].questions(saved.page, saved.answered) if each.missing]
    return JSONResponse({"complete": saved.complete, "unanswered": wanted, "next": _next_address(saved)})


router.add_route("/page/{number:int}/answer", save_click, methods=["POST"], include_in_schema=False)


def _submission_from_click(body: Mapping[str, Any]) -> Callable[[AssignedPage], Submission | None]:
    """What a click says of a page as it stands."""
    fields, before = _fields(body, "fields"), _fields(body, "before")
    request, client_time = _text(body, "request"), _text(body, "client_time")
    given = body.get("milliseconds")
    milliseconds = given if isinstance(given, int) and given >= 0 else None

    def said(shown: AssignedPage) -> Submission | None:
        stood = {**_text_fields(shown), **FORMS[shown.page.task].filled(shown.page, shown.answered), **before}
        return _build_submission(shown, fields, stood, request, milliseconds, client_time)

    return said


def _fields(body: Mapping[str, Any], name: str) -> dict[str, list[str]]:
    """Fields by name, each with a list of texts; an error if they are anything else."""
    found = body.get(name, {})
    if isinstance(found, dict) and len(found) <= MAX_FIELDS and all(map(_is_texts, found.values())):
        return found
    raise InputError(f'{name} must be an object of lists of texts, as {{"rating1": ["3"]}}')


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and len(value) <= MAX_FIELDS and all(isinstance(each, str) for each in value)


def _text(body: Mapping[str, Any], name: str) -> str:
    value = body.get(name, "")
    if not isinstance(value, str):
        raise InputError(f"{name} must be a text")
    return value


def _build_submission(
    shown: AssignedPage,
    fields: FormFields,
    before: FormFields,
    request: str,
    milliseconds: int | None,
    client_time: str = "",
) -> Submission | None:
    """What is said by what differs from before; nothing, if all is as it was."""
    changed = FORMS[shown.page.task].judgements(shown.page, fields, before)
    known = shown.answered.values  # what was never saved, because it was refused, need not be withdrawn
    judgements = tuple(each for each in changed if each.value != 0 or each.target in known)
    comment, invalid = (_changed_text(fields, before, name) for name in ("comment", "invalid"))
    if not judgements and comment is None and invalid is None:
        return None
    return Submission(judgements, request, comment, invalid, milliseconds, client_time)


def _changed_text(fields: FormFields, before: FormFields, name: str) -> str | None:
    """The text of a field, if it is another one than before."""
    given: Sequence[str] = fields.get(name, ())
    if not given:
        return None
    text = given[0].replace("\r\n", "\n").strip()
    return text if [text] != list(before.get(name, ())) else None


# ---- Around the questions


@router.get("/page/{number:int}/feedback")
def show_feedback(request: Request, here: CurrentStudio, session: AnnotatorSession, number: int) -> Response:
    """After a page of training: the right answers beside those given."""
    shown = _find_page(here, session, number)
    if shown is None or not shown.feedback:
        return _go("/")
    heading, hint, lines = build_feedback_lines(shown)
    return render_page(
        request,
        here,
        "feedback.html",
        visitor=_visitor_badge(session),
        shown=shown,
        page=shown.page,
        summary=heading,
        hint=hint,
        lines=lines,
    )


@router.get("/instructions")
def show_instructions(request: Request, here: CurrentStudio, session: VisitorSession) -> Response:
    """The instructions on a page of their own."""
    text = render_markdown(here.store.study.instructions)
    return render_page(request, here, "instructions.html", visitor=_visitor_badge(session), instructions=text)


@router.get("/done")
def show_done(request: Request, here: CurrentStudio, session: AnnotatorSession) -> Response:
    """Thank those who have answered everything, and sum up what they did."""
    if _is_paused(session):
        return _paused(request, here)
    current = here.store.current(session.annotator.id)
    if current is not None:
        return _go(f"/page/{current.number}")
    found = summarise_annotator(here.store, session.annotator)
    badge, owner = _visitor_badge(session), _queue_owner(here, session)
    return render_page(request, here, "done.html", visitor=badge, owner=owner, summary=found)

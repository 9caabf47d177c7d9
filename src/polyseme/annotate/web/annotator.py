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

from polyseme.annotate.accounts import Session
from polyseme.annotate.answers import Said
from polyseme.annotate.desk import NotOpen
from polyseme.annotate.items import LONGEST, REASONS
from polyseme.annotate.showing import Shown
from polyseme.annotate.web.clicks import PAUSED, Click
from polyseme.annotate.web.forms import FORMS, Fields
from polyseme.annotate.web.pages import markdown, rendered
from polyseme.annotate.web.security import CSRF_HEADER, MOST_FIELDS, Here, Studio, Visitor, VisitorsForm, body_of
from polyseme.annotate.web.summary import feedback_lines, summary_of
from polyseme.errors import InputError

router = APIRouter(include_in_schema=False)

OTHER = "other"
"""Why a usage is invalid, if for none of the reasons that are listed; the comment may say more."""

HIGHEST_NUMBER = 10**7
LONGEST_DAY = 24 * 3600 * 1000


async def annotating(session: Visitor) -> Session:
    """Who asks, where only annotators may: managers have no pages."""
    if session.annotator.manages:
        raise HTTPException(404)
    return session


Annotating = Annotated[Session, Depends(annotating)]


def _go(address: str) -> RedirectResponse:
    return RedirectResponse(address, status_code=303)


def _shown(here: Studio, session: Session, number: int) -> Shown | None:
    """The annotator's page with this number; nothing, if it is beyond the one that is to be answered first."""
    if not 1 <= number <= HIGHEST_NUMBER:
        raise HTTPException(404)
    try:
        return here.store.shown(session.annotator.id, number)
    except NotOpen:
        return None


def _next(shown: Shown) -> str:
    """Where a complete page leads."""
    return f"/page/{shown.number}/feedback" if shown.role == "training" else f"/page/{shown.number + 1}"


def _is_paused(session: Session) -> bool:
    return session.annotator.state == "paused"


def _paused(request: Request, here: Studio) -> Response:
    return rendered(request, here, "error.html", 403, heading="Paused", said=PAUSED)


@router.get("/page/{number:int}")
def page(request: Request, here: Here, session: Annotating, number: int, asked: bool = False) -> Response:
    """Show a page of questions; ``asked`` says what is missing on it."""
    if _is_paused(session):
        return _paused(request, here)
    shown = _shown(here, session, number)
    return _go("/") if shown is None else _questions(request, here, session, shown, asked=asked)


def _questions(
    request: Request, here: Studio, session: Session, shown: Shown, *, asked: bool = False, refused: str = ""
) -> Response:
    form, questions = FORMS[shown.page.task], FORMS[shown.page.task].questions(shown.page, shown.answered)
    heading, hint = form.ask(shown.page)
    reasons = (*REASONS, OTHER)
    given = shown.answered.invalid
    return rendered(
        request,
        here,
        "page.html",
        422 if refused else 200,
        visitor=_badge(session),
        owner=_owner(here, session),
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
        longest=LONGEST,
        nonce=secrets.token_hex(16),
        opened=round(time.time() * 1000),
        instructions=markdown(here.store.study.instructions),
    )


def _badge(session: Session) -> Mapping[str, str]:
    """What the bar says of who is logged in."""
    return {"name": session.annotator.name, "csrf": session.csrf}


def _owner(here: Studio, session: Session) -> str:
    """Whose the answers are that wait in a browser: this annotator's of this study, and nobody else's."""
    of = f"{here.store.founded}\n{session.annotator.id}\n{session.annotator.created}"
    return hashlib.sha256(of.encode()).hexdigest()[:16]


# ---- A whole form, which the button sends


@router.post("/page/{number:int}")
def save_page(request: Request, here: Here, session: Annotating, number: int, form: VisitorsForm) -> Response:
    """Save what is filled in; go on if the page is complete, and else say what is missing."""
    if _is_paused(session):
        return _paused(request, here)
    shown = _shown(here, session, number)
    if shown is None:
        return _go("/")
    before = {**FORMS[shown.page.task].filled(shown.page, shown.answered), **_texts(shown)}
    fields = {name: _list(form, name) for name in before}
    name, since = _named(form, before), _since(form)
    try:
        saved = here.store.answer(session.annotator.id, number, lambda now: _said(now, fields, before, name, since))
    except NotOpen:
        return _go("/")
    except InputError as error:
        return _questions(request, here, session, _with_texts(shown, fields), refused=str(error))
    return _go(_next(saved) if saved.complete else f"/page/{number}?asked=1")


def _texts(shown: Shown) -> Fields:
    return {"comment": [shown.answered.comment], "invalid": [shown.answered.invalid]}


def _with_texts(shown: Shown, fields: Fields) -> Shown:
    """The page with the comment as it was written, though it could not be saved, so that nobody writes it twice."""
    comment = "".join(fields["comment"][:1])
    return replace(shown, answered=replace(shown.answered, comment=comment))


def _list(form: FormData, name: str) -> list[str]:
    return [value for value in form.getlist(name) if isinstance(value, str)]


def _named(form: FormData, before: Fields) -> str:
    """A name for what a form says: pressed twice it is the same; sent again from another state it is not."""
    given = json.dumps([form.get("form"), {name: list(values) for name, values in before.items()}], default=str)
    return hashlib.sha256(given.encode(errors="replace")).hexdigest()[:32]


def _since(form: FormData) -> int | None:
    """Milliseconds since the form was opened, by the clock of the server, if the form says when that was."""
    opened = form.get("opened")
    if not (isinstance(opened, str) and opened.isascii() and opened.isdigit() and len(opened) < 16):
        return None
    passed = round(time.time() * 1000) - int(opened)
    return passed if 0 <= passed <= LONGEST_DAY else None


# ---- A single answer, which a script sends


async def save_answer(request: Request) -> Response:
    """Save a click; the answer comes when it is on disk."""
    here: Studio = request.app.state.studio
    say = _clicked(await body_of(request))
    token, csrf = request.cookies.get(here.session_cookie, ""), request.headers.get(CSRF_HEADER, "")
    saved = await here.clicks.do(Click(token, csrf, request.path_params["number"], say))
    wanted = [each.name for each in FORMS[saved.page.task].questions(saved.page, saved.answered) if each.missing]
    return JSONResponse({"complete": saved.complete, "unanswered": wanted, "next": _next(saved)})


router.add_route("/page/{number:int}/answer", save_answer, methods=["POST"], include_in_schema=False)


def _clicked(body: Mapping[str, Any]) -> Callable[[Shown], Said | None]:
    """What a click says of a page as it stands."""
    fields, before = _fields(body, "fields"), _fields(body, "before")
    request, client_time = _text(body, "request"), _text(body, "client_time")
    given = body.get("milliseconds")
    milliseconds = given if isinstance(given, int) and given >= 0 else None

    def said(shown: Shown) -> Said | None:
        stood = {**_texts(shown), **FORMS[shown.page.task].filled(shown.page, shown.answered), **before}
        return _said(shown, fields, stood, request, milliseconds, client_time)

    return said


def _fields(body: Mapping[str, Any], name: str) -> dict[str, list[str]]:
    """Fields by name, each with a list of texts; an error if they are anything else."""
    found = body.get(name, {})
    if isinstance(found, dict) and len(found) <= MOST_FIELDS and all(map(_is_texts, found.values())):
        return found
    raise InputError(f'{name} must be an object of lists of texts, as {{"rating1": ["3"]}}')


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and len(value) <= MOST_FIELDS and all(isinstance(each, str) for each in value)


def _text(body: Mapping[str, Any], name: str) -> str:
    value = body.get(name, "")
    if not isinstance(value, str):
        raise InputError(f"{name} must be a text")
    return value


def _said(
    shown: Shown, fields: Fields, before: Fields, request: str, milliseconds: int | None, client_time: str = ""
) -> Said | None:
    """What is said by what differs from before; nothing, if all is as it was."""
    changed = FORMS[shown.page.task].judgements(shown.page, fields, before)
    known = shown.answered.values  # what was never saved, because it was refused, need not be withdrawn
    judgements = tuple(each for each in changed if each.value != 0 or each.target in known)
    comment, invalid = (_changed(fields, before, name) for name in ("comment", "invalid"))
    if not judgements and comment is None and invalid is None:
        return None
    return Said(judgements, request, comment, invalid, milliseconds, client_time)


def _changed(fields: Fields, before: Fields, name: str) -> str | None:
    """The text of a field, if it is another one than before."""
    given: Sequence[str] = fields.get(name, ())
    if not given:
        return None
    text = given[0].replace("\r\n", "\n").strip()
    return text if [text] != list(before.get(name, ())) else None


# ---- Around the questions


@router.get("/page/{number:int}/feedback")
def feedback(request: Request, here: Here, session: Annotating, number: int) -> Response:
    """After a page of training: the right answers beside those given."""
    shown = _shown(here, session, number)
    if shown is None or not shown.feedback:
        return _go("/")
    heading, hint, lines = feedback_lines(shown)
    return rendered(
        request,
        here,
        "feedback.html",
        visitor=_badge(session),
        shown=shown,
        page=shown.page,
        summary=heading,
        hint=hint,
        lines=lines,
    )


@router.get("/instructions")
def instructions(request: Request, here: Here, session: Visitor) -> Response:
    """The instructions on a page of their own."""
    text = markdown(here.store.study.instructions)
    return rendered(request, here, "instructions.html", visitor=_badge(session), instructions=text)


@router.get("/done")
def done(request: Request, here: Here, session: Annotating) -> Response:
    """Thank those who have answered everything, and sum up what they did."""
    if _is_paused(session):
        return _paused(request, here)
    current = here.store.current(session.annotator.id)
    if current is not None:
        return _go(f"/page/{current.number}")
    found = summary_of(here.store, session.annotator)
    badge, owner = _badge(session), _owner(here, session)
    return rendered(request, here, "done.html", visitor=badge, owner=owner, summary=found)

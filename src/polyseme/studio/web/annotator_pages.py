"""The annotator's pages: questions, which save every click; feedback on training pages; instructions; the last page."""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request, Response
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from starlette.datastructures import FormData
from starlette.responses import JSONResponse

from polyseme.errors import InputError
from polyseme.studio.store.assigned_page import AssignedPage
from polyseme.studio.store.page_service import PageNotOpen
from polyseme.studio.store.submissions import Submission
from polyseme.studio.study.pages import INVALID_REASONS, MAX_TEXT_LENGTH
from polyseme.studio.web.annotator_summary import build_feedback_lines, summarise_annotator
from polyseme.studio.web.clicks import Click
from polyseme.studio.web.forms import FORMS, FormFields, build_submission
from polyseme.studio.web.rendering import redirect, render_markdown, to_sentence
from polyseme.studio.web.security import (
    CSRF_HEADER,
    MAX_FIELDS,
    AnnotatorVisit,
    Studio,
    UserForm,
    UserVisit,
    Visit,
    WorkingVisit,
    check_origin,
)

router = APIRouter(include_in_schema=False)


MAX_PAGE_NUMBER = 10**7
MAX_MILLISECONDS_OPEN = 24 * 3600 * 1000


def _find_page(visit: Visit, number: int) -> AssignedPage | None:
    """Return a page; ``None`` if an earlier page is incomplete."""
    if not 1 <= number <= MAX_PAGE_NUMBER:
        raise HTTPException(404)
    try:
        return visit.store.page_at(visit.user.id, number)
    except PageNotOpen:
        return None


def _next_address(assigned: AssignedPage) -> str:
    """Return the address that follows a complete page."""
    return f"/page/{assigned.number}/feedback" if assigned.role == "training" else f"/page/{assigned.number + 1}"


@router.get("/page/{number:int}")
def show_page(
    visit: WorkingVisit, number: int, list_missing: Annotated[bool, Query(alias="missing")] = False
) -> Response:
    """Show a page of questions; ``?missing=1`` lists the missing answers."""
    assigned = _find_page(visit, number)
    return redirect("/") if assigned is None else _render_questions(visit, assigned, list_missing=list_missing)


def _render_questions(
    visit: Visit, assigned: AssignedPage, *, list_missing: bool = False, problem: str = ""
) -> Response:
    page, form = assigned.page, FORMS[assigned.page.task]
    questions, (heading, hint) = form.questions(page, assigned.answers), form.prompt(page)
    reason = assigned.answers.invalid
    return visit.render(
        "page.html",
        422 if problem else 200,
        owner=_queue_owner(visit),
        assigned=assigned,
        page=page,
        questions=questions,
        heading=heading,
        hint=hint,
        keys=form.keys(page),
        missing=assigned.missing,
        anchors=[f"q{number}" for number, question in enumerate(questions, start=1) if question.missing],
        list_missing=list_missing,
        problem=problem,
        reasons=INVALID_REASONS if reason in ("", *INVALID_REASONS) else {**INVALID_REASONS, reason: reason},
        max_length=MAX_TEXT_LENGTH,
        nonce=secrets.token_hex(16),
        opened=round(time.time() * 1000),
        instructions=render_markdown(visit.store.study.instructions),
    )


def _queue_owner(visit: Visit) -> str:
    """Return the owner of the answers that wait in a browser: this annotator in this study."""
    owner = f"{visit.store.study_created}\n{visit.user.id}\n{visit.user.created}"
    return hashlib.sha256(owner.encode()).hexdigest()[:16]


# ---- The whole form, which the button sends


@router.post("/page/{number:int}")
def save_page(visit: WorkingVisit, number: int, form: UserForm) -> Response:
    """Save the form; continue if the page is complete, otherwise list the missing answers."""
    assigned = _find_page(visit, number)
    if assigned is None:
        return redirect("/")
    stored_fields = _current_fields(assigned)
    fields = {name: [value for value in form.getlist(name) if isinstance(value, str)] for name in stored_fields}
    request, milliseconds = _request_id(form, stored_fields), _milliseconds_open(form)

    def build(current: AssignedPage) -> Submission | None:
        return build_submission(current.page, current.answers, fields, stored_fields, request, milliseconds)

    try:
        saved = visit.store.answer(visit.user.id, number, build)
    except PageNotOpen:
        return redirect("/")
    except InputError as error:
        answers = replace(assigned.answers, comment="".join(fields["comment"][:1]))  # so that no comment is lost
        return _render_questions(visit, replace(assigned, answers=answers), problem=to_sentence(error))
    return redirect(_next_address(saved) if saved.complete else f"/page/{number}?missing=1")


def _current_fields(assigned: AssignedPage) -> FormFields:
    """Return all fields of a page with their current values."""
    answers = assigned.answers
    texts = {"comment": [answers.comment], "invalid": [answers.invalid]}
    return {**texts, **FORMS[assigned.page.task].fields(assigned.page, answers)}


def _request_id(form: FormData, stored: FormFields) -> str:
    """Return an id for a form: the same if it is sent twice, a new one if the answers changed in between."""
    content = json.dumps([form.get("form"), {name: list(values) for name, values in stored.items()}], default=str)
    return hashlib.sha256(content.encode(errors="replace")).hexdigest()[:32]


def _milliseconds_open(form: FormData) -> int | None:
    """Return the milliseconds since the form was opened, by the clock of the server; ``None`` if unknown."""
    opened = form.get("opened")
    if not (isinstance(opened, str) and opened.isascii() and opened.isdigit() and len(opened) < 16):
        return None
    milliseconds = round(time.time() * 1000) - int(opened)
    return milliseconds if 0 <= milliseconds <= MAX_MILLISECONDS_OPEN else None


# ---- A single answer, which the script sends

FieldValues = Annotated[
    dict[str, Annotated[list[str], Field(max_length=MAX_FIELDS)]], Field(default_factory=dict, max_length=MAX_FIELDS)
]


def _ignore_bad_time(value: object) -> int | None:
    return value if type(value) is int and value >= 0 else None


class ClickBody(BaseModel):
    """The body of a click.

    Args:
        fields: The fields of the question.
        before: The fields as the client last sent them.
        request: The id of the submission.
        milliseconds: The time that the answer took; anything but a natural number is ignored.
        client_time: The time by the clock of the client.
    """

    model_config = ConfigDict(strict=True)

    fields: FieldValues
    before: FieldValues
    request: str = ""
    milliseconds: Annotated[int | None, BeforeValidator(_ignore_bad_time)] = None
    client_time: str = ""

    def build(self, assigned: AssignedPage) -> Submission | None:
        """Build the submission from the page with its current answers."""
        stored_fields = {**_current_fields(assigned), **self.before}
        times = (self.milliseconds, self.client_time)
        return build_submission(assigned.page, assigned.answers, self.fields, stored_fields, self.request, *times)


async def save_click(request: Request) -> Response:
    """Save a click; the response is sent when the answer is on disk."""
    studio: Studio = request.app.state.studio
    body = await _read_click(request)
    token, csrf = request.cookies.get(studio.session_cookie, ""), request.headers.get(CSRF_HEADER, "")
    saved = await studio.clicks.run(Click(token, csrf, request.path_params["number"], body.build))
    questions = FORMS[saved.page.task].questions(saved.page, saved.answers)
    unanswered = [question.name for question in questions if question.missing]
    return JSONResponse({"complete": saved.complete, "unanswered": unanswered, "next": _next_address(saved)})


router.add_route("/page/{number:int}/answer", save_click, methods=["POST"], include_in_schema=False)


async def _read_click(request: Request) -> ClickBody:
    """Read the body of a click; its content type must be JSON, which no form of another site can send."""
    check_origin(request)
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise HTTPException(415, "Send JSON with the content type application/json.")
    try:
        content: Any = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise HTTPException(400, "The body is not JSON.") from None
    try:
        return ClickBody.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise InputError(f"{'.'.join(map(str, first['loc'])) or 'the body'}: {first['msg']}") from None


# ---- Feedback, instructions and the end


@router.get("/page/{number:int}/feedback")
def show_feedback(visit: AnnotatorVisit, number: int) -> Response:
    """Show the answers of a training page beside the expected ones."""
    assigned = _find_page(visit, number)
    if assigned is None or not assigned.feedback:
        return redirect("/")
    summary, hint, lines = build_feedback_lines(assigned)
    return visit.render("feedback.html", assigned=assigned, page=assigned.page, summary=summary, hint=hint, lines=lines)


@router.get("/instructions")
def show_instructions(visit: UserVisit) -> Response:
    """Show the instructions on a page of their own."""
    return visit.render("instructions.html", instructions=render_markdown(visit.store.study.instructions))


@router.get("/done")
def show_done(visit: WorkingVisit) -> Response:
    """Thank an annotator who has answered all pages, and summarise their work."""
    current = visit.store.current_page(visit.user.id)
    if current is not None:
        return redirect(f"/page/{current.number}")
    return visit.render("done.html", owner=_queue_owner(visit), summary=summarise_annotator(visit.store, visit.user))

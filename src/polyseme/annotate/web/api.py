"""The HTTP API, ``/api/v1``: items, answers and exports for programs; ``/api/v1/openapi.json`` describes it.

A program sends a token, which ``polyseme annotate token`` prints, and acts for whoever it was made for: a manager's
reads everything, an annotator's reads their own pages and answers these. No cookie counts here.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.exceptions import HTTPException as AnyHTTPException
from starlette.responses import JSONResponse

from polyseme.annotate.accounts import Session
from polyseme.annotate.desk import NotOpen, Paused
from polyseme.annotate.exchange import EXPORTS, exported
from polyseme.annotate.items import Judgement
from polyseme.annotate.outcome import Event
from polyseme.annotate.paging import events_after, pages_after
from polyseme.annotate.showing import Shown
from polyseme.annotate.web.api_values import (
    AboutExport,
    AboutProgress,
    AboutStudy,
    Answers,
    AnswersGiven,
    Item,
    Items,
    PageShown,
    Problem,
)
from polyseme.annotate.web.security import Here, Studio
from polyseme.errors import InputError

VERSION = "1"
MOST = 1000
"""Items or answers in one reply."""
HIGHEST = 2**31 - 1
PAUSED = "The work of this annotator is paused; a manager can let it go on."

router = APIRouter()


def application(studio: Studio) -> FastAPI:
    """The API as an application of its own, to be mounted: it answers in JSON only."""
    app = FastAPI(
        title="polyseme annotate",
        version=VERSION,
        summary="Items, answers and exports of an annotation study.",
        docs_url=None,
        redoc_url=None,
    )
    app.state.studio = studio
    app.include_router(router)
    app.add_exception_handler(AnyHTTPException, _failed)
    app.add_exception_handler(InputError, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    return app


# -- what goes wrong -------------------------------------------------------------------------------------------------


class _Plain(JSONResponse):
    """JSON in ASCII: whatever a client sent and a message quotes, it can be written."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, allow_nan=False).encode("ascii")


def _said(status: int, said: str, headers: Any = None) -> Response:
    return _Plain({"said": said}, status, headers)


async def _failed(_: Request, error: Exception) -> Response:
    assert isinstance(error, AnyHTTPException)
    return _said(error.status_code, str(error.detail), error.headers)


async def _refused(_: Request, error: Exception) -> Response:
    return _said(422, str(error))


async def _invalid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(each) for each in first["loc"][1:])[:100] or str(first["loc"][0])
    return _said(422, f"{where}: {first['msg']}")


def _problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """What the description says of replies that are none."""
    return {status: {"model": Problem, "description": HTTPStatus(status).phrase} for status in (401, 422, *statuses)}


# -- who asks --------------------------------------------------------------------------------------------------------

_bearer = HTTPBearer(auto_error=False, description="A token that `polyseme annotate token` prints.")


def asking(here: Here, given: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]) -> Session:
    """Whom the program acts for, by its token."""
    session = here.accounts.session(given.credentials, "api") if given is not None else None
    if session is None:
        said = "Send a token that is valid: Authorization: Bearer TOKEN. To get one: polyseme annotate token STUDY NAME"
        raise HTTPException(401, said, {"WWW-Authenticate": "Bearer"})
    return session


Asking = Annotated[Session, Depends(asking)]


async def managing(session: Asking) -> Session:
    """The same, where only managers may."""
    if not session.annotator.manages:
        raise HTTPException(403, "This is for managers, and the token is an annotator's.")
    return session


async def annotating(session: Asking) -> Session:
    """The same, where only annotators may who are not paused."""
    if session.annotator.manages:
        raise HTTPException(403, "Managers have no pages; use an annotator's token.")
    if session.annotator.state == "paused":
        raise HTTPException(423, PAUSED)
    return session


Managing = Annotated[Session, Depends(managing)]
Annotating = Annotated[Session, Depends(annotating)]

After = Annotated[int, Query(ge=0, le=HIGHEST, description="Only what comes after this number.")]
Limit = Annotated[int, Query(ge=1, le=MOST, description="At most so many.")]
Number = Annotated[int, Path(ge=1, le=HIGHEST, description="The place in the annotator's order, from 1.")]


# -- for everybody ---------------------------------------------------------------------------------------------------


@router.get("/study", responses=_problems(), tags=["study"])
def study(here: Here, session: Asking) -> AboutStudy:
    """What the study is about."""
    found = here.store.study
    return AboutStudy(
        title=found.title,
        instructions=found.instructions,
        tasks=list(found.tasks),
        lowest=found.scale.lowest,
        labels=list(found.scale.labels),
        you=session.annotator.name,
    )


# -- for managers ----------------------------------------------------------------------------------------------------


@router.get("/items", responses=_problems(403), tags=["managers"])
def items(here: Here, _: Managing, after: After = 0, limit: Limit = 100) -> Items:
    """What is judged, page by page, with the right answers where they are known."""
    found = pages_after(here.store, after, limit)
    last = found[-1][0] if len(found) == limit else None
    return Items(items=[Item.made(number, page) for number, page in found], next=last)


@router.get("/answers", responses=_problems(403), tags=["managers"])
def answers(here: Here, _: Managing, after: After = 0, limit: Limit = 100) -> Answers:
    """Everything that was said, in order; ask again after the last number, and you get what has come since."""
    found: list[Event] = events_after(here.store, after, limit)
    return Answers(answers=found, last=found[-1].id if found else after)


@router.get("/progress", responses=_problems(403), tags=["managers"])
def progress(here: Here, _: Managing) -> list[AboutProgress]:
    """How far each annotator is."""
    return [
        AboutProgress(**{**asdict(each), "seconds": each.seconds if math.isfinite(each.seconds) else None})
        for each in here.store.progress()
    ]


@router.get("/exports", responses=_problems(403), tags=["managers"])
def exports(_: Managing) -> list[AboutExport]:
    """In what ways the study can be exported."""
    return [AboutExport(name=each.name, title=each.title, media=each.media) for each in EXPORTS.values()]


FILES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The export",
        "content": {
            media: {"schema": {"type": "string", "format": "binary"}}
            for media in sorted({each.media for each in EXPORTS.values()})
        },
    }
}


@router.get(
    "/exports/{name}", response_class=Response, responses={**_problems(403, 404, 409), **FILES}, tags=["managers"]
)
def export(
    here: Here, session: Managing, name: Annotated[str, Path(json_schema_extra={"enum": list(EXPORTS)})]
) -> Response:
    """The study as it is at this moment, in one of the ways of /exports; folders come as zip archives."""
    if name not in EXPORTS:
        raise HTTPException(404, f"There is no such export; allowed are {', '.join(EXPORTS)}.")
    chosen = EXPORTS[name]
    try:
        content = exported(here.store, name)
    except InputError as error:
        raise HTTPException(409, str(error)) from None
    here.store.audit(session.annotator.name, "exported by a program", name)
    file = f'attachment; filename="{chosen.name}{chosen.suffix}"'
    headers = {"Content-Disposition": file, "Content-Type": chosen.media}  # as it is described, without a charset
    return Response(content, headers=headers)


# -- for annotators --------------------------------------------------------------------------------------------------


@router.get(
    "/pages/current",
    response_model=PageShown,
    responses={**_problems(403, 423), 204: {"description": "Nothing is left"}},
    tags=["annotators"],
)
def current(here: Here, session: Annotating) -> Any:
    """The page that is to be answered next; 204 if none is left."""
    shown = here.store.current(session.annotator.id)
    return Response(status_code=204) if shown is None else PageShown.made(shown)


@router.get("/pages/{number}", responses=_problems(403, 404, 423), tags=["annotators"])
def page(here: Here, session: Annotating, number: Number) -> PageShown:
    """A page that was shown, and what was answered."""
    return PageShown.made(_own(here, session, number))


@router.post("/pages/{number}/answers", responses=_problems(400, 403, 404, 413, 423), tags=["annotators"])
def answer(here: Here, session: Annotating, number: Number, body: AnswersGiven) -> PageShown:
    """Answer a page, or change answers; the reply comes when they are on disk.

    Sent again under the same `request`, it changes nothing.
    """
    shown = _own(here, session, number)
    try:
        saved = here.store.record(
            session.annotator.id,
            shown.assignment,
            [Judgement(each.target, each.value) for each in body.judgements],
            request=body.request,
            comment=body.comment,
            invalid=body.invalid,
            milliseconds=body.milliseconds,
            client_time=body.client_time,
        )
    except Paused:
        raise HTTPException(423, PAUSED) from None
    return PageShown.made(saved)


def _own(here: Studio, session: Session, number: int) -> Shown:
    try:
        return here.store.shown(session.annotator.id, number)
    except NotOpen:
        raise HTTPException(404, "There is no such page, or it is not open yet.") from None

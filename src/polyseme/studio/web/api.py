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

from polyseme.errors import InputError
from polyseme.studio.exchange.exports import EXPORTS, export_bytes
from polyseme.studio.store.accounts import LoginSession
from polyseme.studio.store.assigned_page import AssignedPage
from polyseme.studio.store.page_service import AnnotatorPaused, PageNotOpen
from polyseme.studio.store.paging import read_events_after, read_pages_after
from polyseme.studio.store.records import StudyEvent
from polyseme.studio.study.pages import Judgement
from polyseme.studio.web.api_models import (
    ApiEvents,
    ApiExport,
    ApiItem,
    ApiItems,
    ApiPage,
    ApiProblem,
    ApiProgress,
    ApiStudy,
    ApiSubmission,
)
from polyseme.studio.web.security import CurrentStudio, Studio

VERSION = "1"
MAX_REPLY_ENTRIES = 1000
"""Items or answers in one reply."""
MAX_ID = 2**31 - 1
API_PAUSED = "The work of this annotator is paused; a manager can let it go on."

router = APIRouter()


def create_api(studio: Studio) -> FastAPI:
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
    app.add_exception_handler(AnyHTTPException, _http_problem)
    app.add_exception_handler(InputError, _input_problem)
    app.add_exception_handler(RequestValidationError, _validation_problem)
    return app


# -- what goes wrong -------------------------------------------------------------------------------------------------


class AsciiJSONResponse(JSONResponse):
    """JSON in ASCII: whatever a client sent and a message quotes, it can be written."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, allow_nan=False).encode("ascii")


def _problem_response(status: int, said: str, headers: Any = None) -> Response:
    return AsciiJSONResponse({"said": said}, status, headers)


async def _http_problem(_: Request, error: Exception) -> Response:
    assert isinstance(error, AnyHTTPException)
    return _problem_response(error.status_code, str(error.detail), error.headers)


async def _input_problem(_: Request, error: Exception) -> Response:
    return _problem_response(422, str(error))


async def _validation_problem(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(each) for each in first["loc"][1:])[:100] or str(first["loc"][0])
    return _problem_response(422, f"{where}: {first['msg']}")


def _problem_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """What the description says of replies that are none."""
    return {status: {"model": ApiProblem, "description": HTTPStatus(status).phrase} for status in (401, 422, *statuses)}


# -- who asks --------------------------------------------------------------------------------------------------------

_bearer = HTTPBearer(auto_error=False, description="A token that `polyseme annotate token` prints.")


def require_token(
    here: CurrentStudio, given: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]
) -> LoginSession:
    """Whom the program acts for, by its token."""
    session = here.accounts.session(given.credentials, "api") if given is not None else None
    if session is None:
        said = "Send a token that is valid: Authorization: Bearer TOKEN. To get one: polyseme annotate token STUDY NAME"
        raise HTTPException(401, said, {"WWW-Authenticate": "Bearer"})
    return session


TokenSession = Annotated[LoginSession, Depends(require_token)]


async def require_manager_token(session: TokenSession) -> LoginSession:
    """The same, where only managers may."""
    if not session.annotator.is_manager:
        raise HTTPException(403, "This is for managers, and the token is an annotator's.")
    return session


async def require_annotator_token(session: TokenSession) -> LoginSession:
    """The same, where only annotators may who are not paused."""
    if session.annotator.is_manager:
        raise HTTPException(403, "Managers have no pages; use an annotator's token.")
    if session.annotator.state == "paused":
        raise HTTPException(423, API_PAUSED)
    return session


ManagerToken = Annotated[LoginSession, Depends(require_manager_token)]
AnnotatorToken = Annotated[LoginSession, Depends(require_annotator_token)]

After = Annotated[int, Query(ge=0, le=MAX_ID, description="Only what comes after this number.")]
Limit = Annotated[int, Query(ge=1, le=MAX_REPLY_ENTRIES, description="At most so many.")]
Number = Annotated[int, Path(ge=1, le=MAX_ID, description="The place in the annotator's order, from 1.")]


# -- for everybody ---------------------------------------------------------------------------------------------------


@router.get("/study", responses=_problem_responses(), tags=["study"])
def get_study(here: CurrentStudio, session: TokenSession) -> ApiStudy:
    """What the study is about."""
    found = here.store.study
    return ApiStudy(
        title=found.title,
        instructions=found.instructions,
        tasks=list(found.tasks),
        lowest=found.scale.lowest,
        labels=list(found.scale.labels),
        you=session.annotator.name,
    )


# -- for managers ----------------------------------------------------------------------------------------------------


@router.get("/items", responses=_problem_responses(403), tags=["managers"])
def list_items(here: CurrentStudio, _: ManagerToken, after: After = 0, limit: Limit = 100) -> ApiItems:
    """What is judged, page by page, with the right answers where they are known."""
    found = read_pages_after(here.store, after, limit)
    last = found[-1][0] if len(found) == limit else None
    return ApiItems(items=[ApiItem.made(number, page) for number, page in found], next=last)


@router.get("/answers", responses=_problem_responses(403), tags=["managers"])
def list_answers(here: CurrentStudio, _: ManagerToken, after: After = 0, limit: Limit = 100) -> ApiEvents:
    """Everything that was said, in order; ask again after the last number, and you get what has come since."""
    found: list[StudyEvent] = read_events_after(here.store, after, limit)
    return ApiEvents(answers=found, last=found[-1].id if found else after)


@router.get("/progress", responses=_problem_responses(403), tags=["managers"])
def list_progress(here: CurrentStudio, _: ManagerToken) -> list[ApiProgress]:
    """How far each annotator is."""
    return [
        ApiProgress(**{**asdict(each), "of": each.total, "seconds": each.seconds if math.isfinite(each.seconds) else None})
        for each in here.store.progress()
    ]


@router.get("/exports", responses=_problem_responses(403), tags=["managers"])
def list_exports(_: ManagerToken) -> list[ApiExport]:
    """In what ways the study can be exported."""
    return [ApiExport(name=each.name, title=each.title, media=each.media) for each in EXPORTS.values()]


EXPORT_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The export",
        "content": {
            media: {"schema": {"type": "string", "format": "binary"}}
            for media in sorted({each.media for each in EXPORTS.values()})
        },
    }
}


@router.get(
    "/exports/{name}",
    response_class=Response,
    responses={**_problem_responses(403, 404, 409), **EXPORT_RESPONSES},
    tags=["managers"],
)
def send_export(
    here: CurrentStudio, session: ManagerToken, name: Annotated[str, Path(json_schema_extra={"enum": list(EXPORTS)})]
) -> Response:
    """The study as it is at this moment, in one of the ways of /exports; folders come as zip archives."""
    if name not in EXPORTS:
        raise HTTPException(404, f"There is no such export; allowed are {', '.join(EXPORTS)}.")
    chosen = EXPORTS[name]
    try:
        content = export_bytes(here.store, name)
    except InputError as error:
        raise HTTPException(409, str(error)) from None
    here.store.audit(session.annotator.name, "exported by a program", name)
    file = f'attachment; filename="{chosen.name}{chosen.suffix}"'
    headers = {"Content-Disposition": file, "Content-Type": chosen.media}  # as it is described, without a charset
    return Response(content, headers=headers)


# -- for annotators --------------------------------------------------------------------------------------------------


@router.get(
    "/pages/current",
    response_model=ApiPage,
    responses={**_problem_responses(403, 423), 204: {"description": "Nothing is left"}},
    tags=["annotators"],
)
def get_current_page(here: CurrentStudio, session: AnnotatorToken) -> Any:
    """The page that is to be answered next; 204 if none is left."""
    shown = here.store.current(session.annotator.id)
    return Response(status_code=204) if shown is None else ApiPage.made(shown)


@router.get("/pages/{number}", responses=_problem_responses(403, 404, 423), tags=["annotators"])
def get_page(here: CurrentStudio, session: AnnotatorToken, number: Number) -> ApiPage:
    """A page that was shown, and what was answered."""
    return ApiPage.made(_get_own_page(here, session, number))


@router.post("/pages/{number}/answers", responses=_problem_responses(400, 403, 404, 413, 423), tags=["annotators"])
def post_answers(here: CurrentStudio, session: AnnotatorToken, number: Number, body: ApiSubmission) -> ApiPage:
    """Answer a page, or change answers; the reply comes when they are on disk.

    Sent again under the same `request`, it changes nothing.
    """
    shown = _get_own_page(here, session, number)
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
    except AnnotatorPaused:
        raise HTTPException(423, API_PAUSED) from None
    return ApiPage.made(saved)


def _get_own_page(here: Studio, session: LoginSession, number: int) -> AssignedPage:
    try:
        return here.store.shown(session.annotator.id, number)
    except PageNotOpen:
        raise HTTPException(404, "There is no such page, or it is not open yet.") from None

"""The HTTP API, ``/api/v1``: items, answers and exports for programs; ``/api/v1/openapi.json`` describes it.

A program sends a token, which ``polyseme annotate token`` prints, and acts for the user of the token. A manager's token
reads everything; an annotator's reads and answers their own pages. Cookies do not count here.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.responses import JSONResponse

from polyseme.errors import InputError, quote_value
from polyseme.studio.exchange.exports import EXPORTS, export_bytes
from polyseme.studio.store.accounts import LoginSession
from polyseme.studio.store.page_service import AnnotatorPaused, PageNotOpen
from polyseme.studio.store.paging import read_events_after, read_pages_after
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
API_PAUSED = "The work of this annotator is paused; a manager can resume it."
PAGE_NOT_FOUND = "There is no such page, or it is not open yet."

router = APIRouter()


def create_api(studio: Studio) -> FastAPI:
    """Create the API as an application that can be mounted; it answers only in JSON."""
    app = FastAPI(
        title="polyseme annotate",
        version=VERSION,
        summary="Items, answers and exports of an annotation study.",
        docs_url=None,
        redoc_url=None,
    )
    app.state.studio = studio
    app.include_router(router)
    app.add_exception_handler(StarletteHTTPException, _http_problem)
    app.add_exception_handler(InputError, _input_problem)
    app.add_exception_handler(PageNotOpen, _page_problem)
    app.add_exception_handler(RequestValidationError, _validation_problem)
    return app


# -- problems --------------------------------------------------------------------------------------------------------


class AsciiJSONResponse(JSONResponse):
    """JSON in ASCII, which can express whatever a message quotes."""

    def render(self, content: Any) -> bytes:
        """Encode the content."""
        return json.dumps(content, allow_nan=False).encode("ascii")


def _problem_response(status: int, message: str, headers: Any = None) -> Response:
    return AsciiJSONResponse({"said": message}, status, headers)


async def _http_problem(_: Request, error: Exception) -> Response:
    assert isinstance(error, StarletteHTTPException)
    return _problem_response(error.status_code, str(error.detail), error.headers)


async def _input_problem(_: Request, error: Exception) -> Response:
    if isinstance(error, AnnotatorPaused):
        return _problem_response(423, API_PAUSED)
    return _problem_response(422, str(error))


async def _page_problem(_: Request, __: Exception) -> Response:
    return _problem_response(404, PAGE_NOT_FOUND)


async def _validation_problem(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    location = ".".join(map(str, first["loc"][1:]))[:100] or str(first["loc"][0])
    return _problem_response(422, f"{location}: {first['msg']}")


def _problem_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Describe the replies that report a problem."""
    return {status: {"model": ApiProblem, "description": HTTPStatus(status).phrase} for status in (401, 422, *statuses)}


# -- tokens ----------------------------------------------------------------------------------------------------------

_bearer = HTTPBearer(auto_error=False, description="A token that `polyseme annotate token` prints.")


def require_token(
    studio: CurrentStudio, credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]
) -> LoginSession:
    """Return the session of the token."""
    session = studio.accounts.find_session(credentials.credentials, "api") if credentials is not None else None
    if session is None:
        problem = "Send a valid token: Authorization: Bearer TOKEN. To get one: polyseme annotate token STUDY NAME"
        raise HTTPException(401, problem, {"WWW-Authenticate": "Bearer"})
    return session


TokenSession = Annotated[LoginSession, Depends(require_token)]


async def require_manager_token(session: TokenSession) -> LoginSession:
    """Return the session of a manager's token."""
    if not session.annotator.is_manager:
        raise HTTPException(
            403, "Only managers may do this, but the token belongs to an annotator. Use a manager's token."
        )
    return session


async def require_annotator_token(session: TokenSession) -> LoginSession:
    """Return the session of an annotator's token; their work must not be paused."""
    if session.annotator.is_manager:
        raise HTTPException(403, "Managers have no pages; use an annotator's token.")
    if session.annotator.state == "paused":
        raise HTTPException(423, API_PAUSED)
    return session


ManagerToken = Annotated[LoginSession, Depends(require_manager_token)]
AnnotatorToken = Annotated[LoginSession, Depends(require_annotator_token)]

After = Annotated[int, Query(ge=0, le=MAX_ID, description="Only entries after this number.")]
Limit = Annotated[int, Query(ge=1, le=MAX_REPLY_ENTRIES, description="The largest number of entries.")]
Number = Annotated[int, Path(ge=1, le=MAX_ID, description="The position in the annotator's order, from 1.")]


# -- for all users ---------------------------------------------------------------------------------------------------


@router.get("/study", responses=_problem_responses(), tags=["study"])
def get_study(studio: CurrentStudio, session: TokenSession) -> ApiStudy:
    """Describe the study."""
    study = studio.store.study
    return ApiStudy(
        title=study.title,
        instructions=study.instructions,
        tasks=list(study.tasks),
        lowest=study.scale.lowest,
        labels=list(study.scale.labels),
        you=session.annotator.name,
    )


# -- for managers ----------------------------------------------------------------------------------------------------


@router.get("/items", responses=_problem_responses(403), tags=["managers"])
def list_items(studio: CurrentStudio, _: ManagerToken, after: After = 0, limit: Limit = 100) -> ApiItems:
    """List the items, page by page, with the right answers where they are known."""
    pages = read_pages_after(studio.store, after, limit)
    last = pages[-1][0] if len(pages) == limit else None
    return ApiItems(items=[ApiItem.from_page(id, page) for id, page in pages], next=last)


@router.get("/answers", responses=_problem_responses(403), tags=["managers"])
def list_answers(studio: CurrentStudio, _: ManagerToken, after: After = 0, limit: Limit = 100) -> ApiEvents:
    """List all answers in order; ask again after the last number for the answers since then."""
    events = read_events_after(studio.store, after, limit)
    return ApiEvents(answers=events, last=events[-1].id if events else after)


@router.get("/progress", responses=_problem_responses(403), tags=["managers"])
def list_progress(studio: CurrentStudio, _: ManagerToken) -> list[ApiProgress]:
    """List the progress of each annotator."""
    return [ApiProgress.model_validate(progress) for progress in studio.store.progress()]


@router.get("/exports", responses=_problem_responses(403), tags=["managers"])
def list_exports(_: ManagerToken) -> list[ApiExport]:
    """List the exports of the study."""
    return [ApiExport.model_validate(export) for export in EXPORTS.values()]


EXPORT_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The export",
        "content": {
            media: {"schema": {"type": "string", "format": "binary"}}
            for media in sorted({export.media for export in EXPORTS.values()})
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
    studio: CurrentStudio, session: ManagerToken, name: Annotated[str, Path(json_schema_extra={"enum": list(EXPORTS)})]
) -> Response:
    """Send an export of the study as it is at this moment; folders are sent as zip archives."""
    if name not in EXPORTS:
        raise HTTPException(404, f"There is no export {quote_value(name)}; allowed: {', '.join(EXPORTS)}.")
    export = EXPORTS[name]
    try:
        content = export_bytes(studio.store, name)
    except InputError as error:
        raise HTTPException(409, str(error)) from None
    studio.store.audit(session.annotator.name, "exported by a program", name)
    disposition = f'attachment; filename="{export.file_name}"'
    headers = {"Content-Disposition": disposition, "Content-Type": export.media}  # without a charset, as described
    return Response(content, headers=headers)


# -- for annotators --------------------------------------------------------------------------------------------------


@router.get(
    "/pages/current",
    response_model=ApiPage,
    responses={**_problem_responses(403, 423), 204: {"description": "No page is left"}},
    tags=["annotators"],
)
def get_current_page(studio: CurrentStudio, session: AnnotatorToken) -> Any:
    """Return the page to answer next; 204 if none is left."""
    page = studio.store.current_page(session.annotator.id)
    return Response(status_code=204) if page is None else ApiPage.model_validate(page)


@router.get("/pages/{number}", responses=_problem_responses(403, 404, 423), tags=["annotators"])
def get_page(studio: CurrentStudio, session: AnnotatorToken, number: Number) -> ApiPage:
    """Return a page that is open, with its answers."""
    return ApiPage.model_validate(studio.store.page_at(session.annotator.id, number))


@router.post("/pages/{number}/answers", responses=_problem_responses(400, 403, 404, 413, 423), tags=["annotators"])
def post_answers(studio: CurrentStudio, session: AnnotatorToken, number: Number, body: ApiSubmission) -> ApiPage:
    """Answer a page, or change its answers; the reply is sent when they are on disk.

    Sending the same `request` again changes nothing.
    """
    judgements = [Judgement(judgement.target, judgement.value) for judgement in body.judgements]
    options = body.model_dump(exclude={"judgements"})
    return ApiPage.model_validate(studio.store.record(session.annotator.id, number, judgements, **options))

"""The web application of a study."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException as AnyHTTPException
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse
from starlette.staticfiles import StaticFiles

from polyseme.annotate.accounts import Accounts
from polyseme.annotate.store import Store
from polyseme.annotate.web import annotator, api, entrance, manager
from polyseme.annotate.web.clicks import clicks_of
from polyseme.annotate.web.limits import WithHeaders, WithinLimit
from polyseme.annotate.web.pages import FOLDER, rendered, templates
from polyseme.annotate.web.security import LoggedOut, Studio
from polyseme.errors import InputError

STORE, INSECURE = "POLYSEME_STORE", "POLYSEME_INSECURE"
"""The variables of the environment in which workers find the store, and whether cookies may go without HTTPS."""

WORDS = {
    400: "What was sent cannot be read.",
    403: "This is not allowed.",
    404: "There is no such page, or it is not yours.",
    405: "This address does not take what was sent.",
    413: "That is too much at once.",
}


def application(store: Store, *, secure: bool = True) -> FastAPI:
    """The application on a store; ``secure`` says that browsers come by HTTPS, so that cookies are sent only so."""
    app = FastAPI(title="polyseme", docs_url=None, redoc_url=None, openapi_url=None)
    accounts = Accounts(store)
    app.state.studio = Studio(store, accounts, templates(), clicks_of(store, accounts), secure)
    app.mount("/static", StaticFiles(directory=FOLDER / "static"), name="static")
    app.include_router(entrance.router)
    app.include_router(annotator.router)
    app.include_router(manager.router)
    app.mount("/api/v1", api.application(app.state.studio))
    app.add_api_route("/healthz", _healthy, include_in_schema=False)
    app.add_exception_handler(LoggedOut, _logged_out)
    app.add_exception_handler(InputError, _refused)
    app.add_exception_handler(AnyHTTPException, _failed)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_middleware(WithinLimit)
    app.add_middleware(WithHeaders, secure=secure)
    return app


def from_environment() -> FastAPI:
    """The application for a worker that is started on its own."""
    _end_with_parent()
    return application(Store.open(os.environ[STORE]), secure=not os.environ.get(INSECURE))


def _end_with_parent() -> None:
    """End when whoever started this worker is gone: one left over would keep the port, so that none can be started."""
    parent = multiprocessing.parent_process()
    if parent is not None:

        def wait() -> None:
            parent.join()
            signal.raise_signal(signal.SIGTERM)

        threading.Thread(target=wait, daemon=True).start()


def _healthy(request: Request) -> Response:
    """Whether the store can be read."""
    begun = request.app.state.studio.store.begun
    return PlainTextResponse("ok" if begun else "no study", 200 if begun else 503)


def _wants_json(request: Request) -> bool:
    """Whether a script asks, and not somebody who reads pages."""
    kind = request.headers.get("content-type", "")
    for_api = request.scope["path"].startswith("/api/")  # an address with a line end in it is none of the API's own
    return for_api or "json" in kind or "json" in request.headers.get("accept", "")


def _answer(request: Request, status: int, said: str, headers: Any = None) -> Response:
    if _wants_json(request):
        return JSONResponse({"said": said}, status, headers)
    heading = HTTPStatus(status).phrase.capitalize()
    response = rendered(request, request.app.state.studio, "error.html", status, heading=heading, said=said)
    response.headers.update(headers or {})
    return response


async def _failed(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException | AnyHTTPException)
    told = error.detail if error.detail != HTTPStatus(error.status_code).phrase else ""
    return _answer(request, error.status_code, told or WORDS.get(error.status_code, error.detail), error.headers)


async def _invalid(request: Request, _: Exception) -> Response:
    """Not what was expected, in the address or beside it; it is not shown again, for nobody knows what it is."""
    return _answer(request, 422, "A part of the address or of what was sent is not what it must be.")


async def _refused(request: Request, error: Exception) -> Response:
    return _answer(request, 422, str(error))


async def _logged_out(request: Request, _: Exception) -> Response:
    """Send readers to the login; tell scripts, and those who have just sent a form, that it was not saved."""
    if _wants_json(request):
        return JSONResponse({"said": "You are logged out."}, 401)
    if request.method in ("GET", "HEAD"):
        return RedirectResponse("/login", 303)
    said = "You were logged out in the meantime, and what you have just sent is not saved. Log in and send it again."
    return _answer(request, 401, said)

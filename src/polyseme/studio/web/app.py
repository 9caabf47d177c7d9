"""The web application of a study."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse

from polyseme.studio.store.accounts import Accounts
from polyseme.studio.store.store import Store
from polyseme.studio.web import annotator_pages, api, login_pages, manager_pages
from polyseme.studio.web.clicks import create_click_executor
from polyseme.studio.web.rendering import FOLDER, load_templates, render_page
from polyseme.studio.web.security import LoggedOut, Studio
from polyseme.web.assets import SharedStaticFiles
from polyseme.web.errors import ErrorHandlers, expects_json
from polyseme.web.middleware import BodyLimit, SecurityHeaders

STORE_VARIABLE, INSECURE_VARIABLE = "POLYSEME_STORE", "POLYSEME_INSECURE"
"""The variables of the environment in which workers find the store, and whether cookies may go without HTTPS."""

PAGE_THREADS = 8
"""How many make pages at the same time in a process; clicks are saved by one more."""


def create_application(store: Store, *, secure: bool = True) -> FastAPI:
    """The application on a store; ``secure`` says that browsers come by HTTPS, so that cookies are sent only so."""
    app = FastAPI(title="polyseme", docs_url=None, redoc_url=None, openapi_url=None, lifespan=_limit_threads)
    accounts = Accounts(store)
    app.state.studio = Studio(store, accounts, load_templates(), create_click_executor(store, accounts), secure)
    app.mount("/static", SharedStaticFiles(FOLDER / "static"), name="static")
    app.include_router(login_pages.router)
    app.include_router(annotator_pages.router)
    app.include_router(manager_pages.router)
    app.mount("/api/v1", api.create_api(app.state.studio))
    app.add_api_route("/healthz", _check_health, include_in_schema=False)
    app.add_exception_handler(LoggedOut, _answer_logged_out)
    ERROR_HANDLERS.install(app)
    app.add_exception_handler(RequestValidationError, ERROR_HANDLERS.invalid)
    app.add_middleware(BodyLimit)
    app.add_middleware(SecurityHeaders, secure=secure)
    return app


@asynccontextmanager
async def _limit_threads(_: FastAPI) -> AsyncIterator[None]:
    """Let no more threads make pages than are of use: each keeps memory, and all of them one another waiting."""
    current_default_thread_limiter().total_tokens = PAGE_THREADS
    yield


def create_worker_application() -> FastAPI:
    """The application for a worker that is started on its own."""
    _end_with_parent()
    return create_application(Store.open(os.environ[STORE_VARIABLE]), secure=not os.environ.get(INSECURE_VARIABLE))


def _end_with_parent() -> None:
    """End when whoever started this worker is gone: one left over would keep the port, so that none can be started."""
    parent = multiprocessing.parent_process()
    if parent is not None:

        def wait() -> None:
            parent.join()
            signal.raise_signal(signal.SIGTERM)

        threading.Thread(target=wait, daemon=True).start()


def _check_health(request: Request) -> Response:
    """Whether the store can be read."""
    begun = request.app.state.studio.store.begun
    return PlainTextResponse("ok" if begun else "no study", 200 if begun else 503)


def _render_error_page(request: Request, status: int, heading: str, said: str) -> Response:
    return render_page(request, request.app.state.studio, "error.html", status, heading=heading, said=said)


ERROR_HANDLERS = ErrorHandlers(_render_error_page)


async def _answer_logged_out(request: Request, _: Exception) -> Response:
    """Send readers to the login; tell scripts, and those who have just sent a form, that it was not saved."""
    if expects_json(request):
        return JSONResponse({"said": "You are logged out."}, 401)
    if request.method in ("GET", "HEAD"):
        return RedirectResponse("/login", 303)
    said = "You were logged out in the meantime, and what you have just sent is not saved. Log in and send it again."
    return ERROR_HANDLERS.answer(request, 401, said)

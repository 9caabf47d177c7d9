"""The web application of the studio."""

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
from starlette.responses import JSONResponse, PlainTextResponse

from polyseme.studio.store.accounts import Accounts
from polyseme.studio.store.store import Store
from polyseme.studio.web import annotator_pages, api, login_pages, manager_pages
from polyseme.studio.web.clicks import WORK_PAUSED, create_click_executor
from polyseme.studio.web.rendering import FOLDER, load_templates, redirect
from polyseme.studio.web.security import LoggedOut, Studio, WorkPaused
from polyseme.web.assets import SharedStaticFiles
from polyseme.web.errors import ErrorHandlers, expects_json
from polyseme.web.middleware import BodyLimit, SecurityHeaders

STORE_VARIABLE, INSECURE_VARIABLE = "POLYSEME_STORE", "POLYSEME_INSECURE"
"""Environment variables of a worker: the store, and whether cookies also travel without HTTPS."""

PAGE_THREADS = 8
"""Threads that render pages in one process; one more saves clicks."""


def create_application(store: Store, *, secure: bool = True) -> FastAPI:
    """Create the web application of a store.

    Args:
        store: The store of the study.
        secure: Whether browsers use HTTPS; cookies are then sent only by HTTPS.
    """
    app = FastAPI(title="polyseme", docs_url=None, redoc_url=None, openapi_url=None, lifespan=_limit_threads)
    accounts = Accounts(store)
    app.state.studio = Studio(store, accounts, load_templates(), create_click_executor(store, accounts), secure)
    app.mount("/static", SharedStaticFiles(FOLDER / "static"), name="static")
    for pages in (login_pages, annotator_pages, manager_pages):
        app.include_router(pages.router)
    app.mount("/api/v1", api.create_api(app.state.studio))
    app.add_api_route("/healthz", _check_health, include_in_schema=False)
    app.add_exception_handler(LoggedOut, _answer_logged_out)
    app.add_exception_handler(WorkPaused, _answer_paused)
    ERROR_HANDLERS.install(app)
    app.add_exception_handler(RequestValidationError, ERROR_HANDLERS.invalid)
    app.add_middleware(BodyLimit)
    app.add_middleware(SecurityHeaders, secure=secure)
    return app


@asynccontextmanager
async def _limit_threads(_: FastAPI) -> AsyncIterator[None]:
    """Limit the threads that render pages: more threads use memory and wait for one another."""
    current_default_thread_limiter().total_tokens = PAGE_THREADS
    yield


def create_worker_application() -> FastAPI:
    """Create the application of a worker process, from its environment variables."""
    _end_with_parent()
    return create_application(Store.open(os.environ[STORE_VARIABLE]), secure=not os.environ.get(INSECURE_VARIABLE))


def _end_with_parent() -> None:
    """End this worker when its parent process has ended; otherwise it would hold the port."""
    parent = multiprocessing.parent_process()
    if parent is not None:

        def wait() -> None:
            parent.join()
            signal.raise_signal(signal.SIGTERM)

        threading.Thread(target=wait, daemon=True).start()


def _check_health(request: Request) -> Response:
    """Report whether the store can be read and has a study."""
    has_study = request.app.state.studio.store.has_study
    return PlainTextResponse("ok" if has_study else "no study", 200 if has_study else 503)


HEADINGS = {401: "You are logged out", 404: "Page not found"}
"""Status → the heading of its error page."""


def _render_error_page(request: Request, status: int, _: str, message: str) -> Response:
    studio: Studio = request.app.state.studio
    heading, button = HEADINGS.get(status, "Something went wrong"), "Log in" if status == 401 else "Back to the study"
    return studio.render(request, "error.html", status, heading=heading, message=message, button=button)


ERROR_HANDLERS = ErrorHandlers(_render_error_page)


async def _answer_logged_out(request: Request, _: Exception) -> Response:
    """Redirect to the login; for scripts and forms, reply that nothing was saved."""
    if expects_json(request):
        return JSONResponse({"said": "You are logged out."}, 401)
    if request.method in ("GET", "HEAD"):
        return redirect("/login")
    message = "You were logged out, so your last answers are not saved. Log in and send them again."
    return ERROR_HANDLERS.answer(request, 401, message)


async def _answer_paused(request: Request, _: Exception) -> Response:
    studio: Studio = request.app.state.studio
    return studio.render(request, "error.html", 403, heading="Paused", message=WORK_PAUSED, button="Try again")

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

from polyseme.annotate.accounts import Accounts
from polyseme.annotate.store import Store
from polyseme.annotate.web import annotator, api, entrance, manager
from polyseme.annotate.web.clicks import clicks_of
from polyseme.annotate.web.pages import FOLDER, rendered, templates
from polyseme.annotate.web.security import LoggedOut, Studio
from polyseme.web.failures import Failures, wants_json
from polyseme.web.limits import WithHeaders, WithinLimit
from polyseme.web.pages import Files

STORE, INSECURE = "POLYSEME_STORE", "POLYSEME_INSECURE"
"""The variables of the environment in which workers find the store, and whether cookies may go without HTTPS."""

THREADS = 8
"""How many make pages at the same time in a process; clicks are saved by one more."""


def application(store: Store, *, secure: bool = True) -> FastAPI:
    """The application on a store; ``secure`` says that browsers come by HTTPS, so that cookies are sent only so."""
    app = FastAPI(title="polyseme", docs_url=None, redoc_url=None, openapi_url=None, lifespan=_few_threads)
    accounts = Accounts(store)
    app.state.studio = Studio(store, accounts, templates(), clicks_of(store, accounts), secure)
    app.mount("/static", Files(FOLDER / "static"), name="static")
    app.include_router(entrance.router)
    app.include_router(annotator.router)
    app.include_router(manager.router)
    app.mount("/api/v1", api.application(app.state.studio))
    app.add_api_route("/healthz", _healthy, include_in_schema=False)
    app.add_exception_handler(LoggedOut, _logged_out)
    FAILURES.put_on(app)
    app.add_exception_handler(RequestValidationError, FAILURES.invalid)
    app.add_middleware(WithinLimit)
    app.add_middleware(WithHeaders, secure=secure)
    return app


@asynccontextmanager
async def _few_threads(_: FastAPI) -> AsyncIterator[None]:
    """Let no more threads make pages than are of use: each keeps memory, and all of them one another waiting."""
    current_default_thread_limiter().total_tokens = THREADS
    yield


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


def _page(request: Request, status: int, heading: str, said: str) -> Response:
    return rendered(request, request.app.state.studio, "error.html", status, heading=heading, said=said)


FAILURES = Failures(_page)


async def _logged_out(request: Request, _: Exception) -> Response:
    """Send readers to the login; tell scripts, and those who have just sent a form, that it was not saved."""
    if wants_json(request):
        return JSONResponse({"said": "You are logged out."}, 401)
    if request.method in ("GET", "HEAD"):
        return RedirectResponse("/login", 303)
    said = "You were logged out in the meantime, and what you have just sent is not saved. Log in and send it again."
    return FAILURES.answer(request, 401, said)

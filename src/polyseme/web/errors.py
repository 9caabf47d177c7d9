"""What is said when a request cannot be answered: a page to those who read pages, JSON to scripts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from polyseme.errors import PolysemeError

STATUS_MESSAGES = {
    400: "What was sent cannot be read.",
    403: "This is not allowed.",
    404: "There is no such page, or it is not yours.",
    405: "This address does not take what was sent.",
    413: "That is too much at once.",
}

RenderError = Callable[[Request, int, str, str], Response]
"""Makes a page of a status, a heading and what is to be said."""


def expects_json(request: Request) -> bool:
    """Whether a script asks, and not somebody who reads pages."""
    kind = request.headers.get("content-type", "")
    for_api = request.scope["path"].startswith("/api/")  # an address with a line end in it is none of the API's own
    return for_api or "json" in kind or "json" in request.headers.get("accept", "")


@dataclass(frozen=True)
class ErrorHandlers:
    """The answers to requests that fail, with the pages of one application."""

    page: RenderError

    def install(self, app: Starlette) -> None:
        """Let the application answer so."""
        app.add_exception_handler(PolysemeError, self.refused)
        app.add_exception_handler(HTTPException, self.failed)

    def answer(self, request: Request, status: int, said: str, headers: Mapping[str, str] | None = None) -> Response:
        """Say something about a request."""
        if expects_json(request):
            return JSONResponse({"said": said}, status, headers)
        response = self.page(request, status, HTTPStatus(status).phrase.capitalize(), said)
        response.headers.update(headers or {})
        return response

    async def failed(self, request: Request, error: Exception) -> Response:
        """The answer to what has a status of HTTP."""
        assert isinstance(error, HTTPException)
        told = error.detail if error.detail != HTTPStatus(error.status_code).phrase else ""
        return self.answer(
            request, error.status_code, told or STATUS_MESSAGES.get(error.status_code, error.detail), error.headers
        )

    async def refused(self, request: Request, error: Exception) -> Response:
        """The answer to what cannot be used as it was given; the error says why."""
        return self.answer(request, 422, str(error))

    async def invalid(self, request: Request, _: Exception) -> Response:
        """Not what was expected, in the address or beside it; it is not shown again, for nobody knows what it is."""
        return self.answer(request, 422, "A part of the address or of what was sent is not what it must be.")

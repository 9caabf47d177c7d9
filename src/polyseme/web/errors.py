"""Replies to requests that fail: a page for browsers, JSON for scripts."""

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
    400: "The request cannot be read.",
    403: "This is not allowed.",
    404: "This page does not exist, or you have no access to it.",
    405: "This address does not accept this kind of request.",
    413: "The request is too large.",
}

HEADINGS = {
    400: "Invalid request",
    403: "Not allowed",
    404: "Page not found",
    405: "Not allowed",
    413: "Request too large",
    422: "Invalid input",
}
"""The headings of error pages; other statuses have the phrase of the standard."""

RenderError = Callable[[Request, int, str, str], Response]
"""Renders a page from a request, a status, a heading and a message."""


def expects_json(request: Request) -> bool:
    """Whether a script sends the request, rather than a browser that displays pages."""
    content_type = request.headers.get("content-type", "")
    is_api = request.scope["path"].startswith("/api/")  # also addresses that the API itself does not match
    return is_api or "json" in content_type or "json" in request.headers.get("accept", "")


@dataclass(frozen=True)
class ErrorHandlers:
    """The exception handlers of one application.

    Args:
        render: Renders an error page.
    """

    render: RenderError

    def install(self, app: Starlette) -> None:
        """Add the handlers to an application."""
        app.add_exception_handler(PolysemeError, self.refused)
        app.add_exception_handler(HTTPException, self.failed)

    def answer(self, request: Request, status: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
        """Reply with a message, as a page or as JSON."""
        if expects_json(request):
            return JSONResponse({"said": message}, status, headers)
        heading = HEADINGS.get(status) or HTTPStatus(status).phrase.capitalize()
        response = self.render(request, status, heading, message)
        response.headers.update(headers or {})
        return response

    async def failed(self, request: Request, error: Exception) -> Response:
        """Reply to an error with an HTTP status."""
        assert isinstance(error, HTTPException)
        status, message = error.status_code, error.detail
        if message == HTTPStatus(status).phrase:
            message = STATUS_MESSAGES.get(status, message)
        return self.answer(request, status, message, error.headers)

    async def refused(self, request: Request, error: Exception) -> Response:
        """Reply to input that cannot be used; the error has the reason."""
        return self.answer(request, 422, str(error))

    async def invalid(self, request: Request, _: Exception) -> Response:
        """Reply to invalid parameters; the reply does not repeat them, as they may be malicious."""
        return self.answer(request, 422, "A part of the address or of the form is invalid.")

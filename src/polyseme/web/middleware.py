"""Middleware for every request: security headers, a limit on the body, and a check of its origin."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY_BYTES = 1_000_000
"""The largest body of a request; a page with a hundred senses and the longest comment is far smaller."""

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
"""Pages load only our own files, run no inline scripts, and cannot be framed."""

SECURITY_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


@dataclass(frozen=True)
class SecurityHeaders:
    """Adds security headers to every response; only static files may be cached.

    Args:
        app: The application.
        secure: Whether browsers must use HTTPS.
    """

    app: ASGIApp
    secure: bool

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        caching = "no-cache" if scope["path"].startswith("/static/") else "no-store"

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", caching)
                if self.secure:
                    headers.setdefault("Strict-Transport-Security", "max-age=31536000")
            await send(message)

        await self.app(scope, receive, send_with_headers)


class BodyTooLarge(Exception):
    """The body of a request is larger than the limit."""


@dataclass(frozen=True)
class BodyLimit:
    """Refuses, with status 413, requests whose body is too large, whatever length they announce.

    Args:
        app: The application.
        limit: The largest body in bytes.
    """

    app: ASGIApp
    limit: int = MAX_BODY_BYTES

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = JSONResponse({"said": f"The request has more than {self.limit:,} bytes, which is the limit."}, 413)
        announced = Headers(scope=scope).get("content-length", "")
        if announced.isdigit() and int(announced) > self.limit:
            await refusal(scope, receive, send)
            return
        size, is_answered = 0, False

        async def receive_within_limit() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > self.limit:
                raise BodyTooLarge
            return message

        async def watch_send(message: Message) -> None:
            nonlocal is_answered
            is_answered = True
            await send(message)

        try:
            await self.app(scope, receive_within_limit, watch_send)
        except BodyTooLarge:
            if not is_answered:
                await refusal(scope, receive, send)


@dataclass(frozen=True)
class SameOriginOnly:
    """Refuses requests of other sites.

    An application for one user on one machine has no password, so other sites must not reach it through the user's
    browser. This stops a site whose name is rebound to this machine (DNS rebinding), and pages that embed our
    addresses. Only the start page, ``/``, can be linked to.

    Args:
        app: The application.
        hosts: The host names under which the application may be addressed.
    """

    app: ASGIApp
    hosts: frozenset[str]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        app = self.app
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            if host_name(headers.get("host", "")) not in self.hosts:
                app = PlainTextResponse("Unknown host name. Use the address that was printed at the start.", 421)
            elif scope["path"] != "/" and headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
                problem = "Another site requested this page. To open it, type its address into the browser."
                app = PlainTextResponse(problem, 403)
        await app(scope, receive, send)


def host_name(header: str) -> str:
    """Return the name in a ``Host`` header, without the port.

    >>> host_name("localhost:8001"), host_name("[::1]:8001"), host_name("EXAMPLE.org")
    ('localhost', '::1', 'example.org')
    """
    name = header.strip().lower()
    return name[1:].partition("]")[0] if name.startswith("[") else name.partition(":")[0]

"""What holds for every request and answer: headers that bind the browser, limits on what is sent, and who may ask."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import Headers, MutableHeaders

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

MAX_BODY_BYTES = 1_000_000
"""Bytes that a request may send; a page with a hundred senses and the longest comment is far below."""

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
"""Only files of our own are loaded, nothing in the page itself is run, and nobody may put the pages into a frame."""

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
    """Adds the headers to every answer; what is not a file of our own is kept by no cache."""

    app: Application
    secure: bool

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        caching = "no-cache" if scope["path"].startswith("/static/") else "no-store"

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", caching)
                if self.secure:
                    headers.setdefault("Strict-Transport-Security", "max-age=31536000")
            await send(message)

        await self.app(scope, receive, with_headers)


class BodyTooLarge(Exception):
    """More was sent than is allowed."""


@dataclass(frozen=True)
class BodyLimit:
    """Answers 413 to a request that sends more than ``largest`` bytes, whatever it says of its length."""

    app: Application
    largest: int = MAX_BODY_BYTES

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if self._announced(scope) > self.largest:
            await self._refuse(send)
            return
        await self._counting(scope, receive, send)

    async def _counting(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and count what comes."""
        received, begun = 0, False

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self.largest:
                raise BodyTooLarge
            return message

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, counted, noted)
        except BodyTooLarge:
            if not begun:
                await self._refuse(send)

    def _announced(self, scope: Scope) -> int:
        for name, value in scope["headers"]:
            if name == b"content-length" and value.isdigit():
                return int(value)
        return 0

    async def _refuse(self, send: Send) -> None:
        said = f"More than {self.largest:,} bytes were sent, which is the most that is taken."
        body = json.dumps({"said": said}).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 413, "headers": headers})
        await send({"type": "http.response.body", "body": body})


@dataclass(frozen=True)
class SameOriginOnly:
    """Refuses what another site asks for: by a name that is none of ``hosts``, or from a page that is not ours.

    An application for one person on one machine asks for no password, so that nobody else may come through this
    person's browser: neither a site whose name suddenly means this machine (DNS rebinding), nor a page that names our
    addresses as pictures or links. Only the entrance, ``/``, may be linked to.
    """

    app: Application
    hosts: frozenset[str]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if host_name(headers.get("host", "")) not in self.hosts:
            await _send_text(send, 421, "This name is not one of ours. Use the address that was printed at the start.")
        elif scope["path"] != "/" and headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            await _send_text(
                send, 403, "Another site asks for this page. If you want it, type its address into the browser."
            )
        else:
            await self.app(scope, receive, send)


def host_name(given: str) -> str:
    """The name in a ``Host`` header, without its port.

    >>> host_name("localhost:8001"), host_name("[::1]:8001"), host_name("EXAMPLE.org")
    ('localhost', '::1', 'example.org')
    """
    name = given.strip().lower()
    return name[1:].partition("]")[0] if name.startswith("[") else name.partition(":")[0]


async def _send_text(send: Send, status: int, said: str) -> None:
    """Answer with a line of text."""
    body = said.encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})

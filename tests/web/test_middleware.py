from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("starlette", reason="web pages need polyseme[annotate] or polyseme[explore]")

from coroutines import run_coroutine
from polyseme.web.middleware import BodyLimit, SameOriginOnly, host_name


async def inner(_: Any, receive: Any, send: Any) -> None:
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"ok"})


def status(app: Any, path: str = "/x", body: bytes = b"", **headers: str) -> int:
    """The status of an application's response."""
    messages: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        messages.append(message)

    raw_headers = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    run_coroutine(app({"type": "http", "path": path, "headers": raw_headers, "method": "GET"}, receive, send))
    response_status: int = messages[0]["status"]
    return response_status


@pytest.mark.parametrize(
    "host, expected",
    [("localhost", 200), ("LOCALHOST:80", 200), ("localhost.evil.example", 421), ("evil.example", 421), ("", 421)],
)
def test_an_unknown_host_name_is_refused(host: str, expected: int) -> None:
    assert status(SameOriginOnly(inner, frozenset({"localhost"})), host=host) == expected


@pytest.mark.parametrize(
    "site, path, expected",
    [
        ("none", "/x", 200),
        ("same-origin", "/x", 200),
        ("cross-site", "/x", 403),
        ("same-site", "/x", 403),
        ("cross-site", "/", 200),
    ],
)
def test_a_request_of_another_site_is_refused(site: str, path: str, expected: int) -> None:
    assert (
        status(SameOriginOnly(inner, frozenset({"localhost"})), path, host="localhost", sec_fetch_site=site) == expected
    )


def test_a_body_over_the_limit_is_refused() -> None:
    assert status(BodyLimit(inner, 10), body=b"x" * 10) == 200
    assert status(BodyLimit(inner, 10), body=b"x" * 11) == 413
    assert status(BodyLimit(inner, 10), content_length="11") == 413


@pytest.mark.parametrize("header, name", [("[::1]", "::1"), ("a:b:c", "a"), ("", ""), ("[", "")])
def test_host_names_have_no_port(header: str, name: str) -> None:
    assert host_name(header) == name

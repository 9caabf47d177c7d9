"""The input of the API: any text is stored, bad input is refused clearly, and replies match the description."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the studio needs polyseme[annotate]")

from polyseme.studio.store.accounts import Accounts
from polyseme.studio.store.store import Store
from polyseme.studio.web.app import create_application
from studio.conftest import add, answer_all
from studio.web.conftest import Programs, Visits

HARD = (
    "<script>alert(1)</script>",
    "🦜👩‍👩‍👧‍👦",
    "שלום \u202eevil\u202c",
    "'; DROP TABLE event; --",
    "{{ 7 * 7 }}",
    "a" * 10_000,
)


@pytest.mark.parametrize("text", HARD, ids=range(len(HARD)))
def test_any_text_is_returned_unchanged(
    studio: Callable[..., Store], program: Programs, visit: Visits, text: str
) -> None:
    store = studio("WSsim", "SYNbest")
    ann, boss = program(store, "ann"), program(store, "boss", "manager")
    ann.get("/pages/current")
    body = {"request": "r1", "judgements": [{"target": "bank%1", "value": 3}], "comment": text, "invalid": text}
    saved = ann.post("/pages/1/answers", body)
    assert (saved.status_code, saved.json()["comment"], saved.json()["invalid"]) == (200, text, text)
    assert ann.get("/pages/1").json()["comment"] == text
    texts = [each["text"] for each in boss.get("/answers").json()["answers"] if each["kind"] != "rating"]
    assert texts == [text, text]
    lines = boss.get("/exports/events").content.decode().splitlines()
    assert text in [json.loads(line)["text"] for line in lines]
    token = Accounts(store).invite("ann")
    browser = visit(store, "", inside=False)
    browser.token = token
    browser.accept()
    html = browser.get("/page/1").text
    assert "<script>alert" not in html
    assert "49" not in html.split("<main")[1][:200]


def test_invalid_bodies_are_refused(studio: Callable[..., Store], program: Programs) -> None:
    store = studio("WSsim")
    ann = program(store, "ann")
    ann.get("/pages/current")

    def judged(target: object, value: object) -> dict[str, object]:
        return {"request": "r", "judgements": [{"target": target, "value": value}]}

    refused: list[tuple[Any, int, str]] = [
        ({}, 422, "request: Field required"),
        ([], 422, "body: "),
        ({"request": ""}, 422, "request: "),
        ({"request": "r" * 101}, 422, "request: "),
        ({"request": "r\0"}, 422, "contains an invalid character"),
        ({"request": "\ud800"}, 422, ""),
        ({"request": "r", "\ud800": 1}, 422, ""),
        ({"request": 7}, 422, "request: "),
        ({"request": "r", "annotator": 2}, 422, "annotator: Extra inputs are not permitted"),
        ({"request": "r", "assignment": 1}, 422, "assignment: Extra inputs are not permitted"),
        (judged("bank%1", 6), 422, "the value 6.0 is not on the scale; allowed is a whole number from 1 to 5"),
        (judged("bank%1", 2.5), 422, "is not on the scale"),
        (judged("bank%1", None), 422, "does not accept 'cannot decide'"),
        (judged("bank%1", "3"), 422, "judgements.0.value"),
        (judged("bank%1", True), 422, "judgements.0.value"),
        (judged("bank%1", 10**400), 422, "judgements.0.value"),
        (judged("bank%9", 3), 422, "'bank%9' is not on this page"),
        (judged("<script>", 3), 422, "'<script>' is not on this page"),
        (judged("\ud800", 3), 422, ""),
        (judged(7, 3), 422, "judgements.0.target"),
        ({"request": "r", "comment": "x" * 10_001}, 422, "comment: String should have at most 10000 characters"),
        ({"request": "r", "comment": "\0"}, 422, "contains an invalid character"),
        ({"request": "r", "milliseconds": -1}, 422, "milliseconds"),
        ({"request": "r", "milliseconds": 2**40}, 422, "milliseconds"),
        ({"request": "r", "client_time": "x" * 65}, 422, "client_time"),
        ({"request": "r", "judgements": [{"target": "bank%1", "value": 3}] * 1001}, 422, "judgements"),
        ({"request": "r", "comment": "x" * 2_000_000}, 413, "more than 1,000,000 bytes"),
    ]
    for body, status, message in refused:
        content = json.dumps(body)
        reply = ann.post("/pages/1/answers", content=content, headers={"Content-Type": "application/json"})
        assert (reply.status_code, message in reply.json()["said"]) == (status, True), (content[:100], reply.text)
    for raw, kind in [
        (b"{", "application/json"),
        (b"NaN", "application/json"),
        (b'{"request": "r", "judgements": [{"target": "bank%1", "value": NaN}]}', "application/json"),
        (b"\xff\xfe", "application/json"),
        (b"[" * 100_000, "application/json"),
        (b'{"request": "r", "request": 2}', "application/json"),
        (b"request=r", "application/x-www-form-urlencoded"),
        (b'{"request": "r"}', "text/plain"),
        (b"<a/>", "text/xml"),
        (b"", "application/json"),
    ]:
        reply = ann.post("/pages/1/answers", content=raw, headers={"Content-Type": kind})
        assert reply.status_code in (400, 422), (raw[:50], reply.status_code)
        assert reply.json()["said"]
    assert list(store.events()) == []


def test_invalid_addresses_are_refused(studio: Callable[..., Store], program: Programs) -> None:
    store = studio("WSsim")
    ann, boss = program(store, "ann"), program(store, "boss", "manager")
    ann.get("/pages/current")
    for number in ("0", "-1", "2", "99", str(2**31), str(10**30), "1e0", "x", "%00", "1'--", "🦜", "../1", "null"):
        for reply in (ann.get(f"/pages/{number}"), ann.post(f"/pages/{number}/answers", {"request": "r"})):
            assert reply.status_code in (404, 422), number
            assert reply.json()["said"]
    for query in ("after=-1", "after=x", f"after={10**30}", "limit=0", "limit=100000", "limit=%00", "after=1.5"):
        assert boss.get(f"/items?{query}").status_code == 422
        assert boss.get(f"/answers?{query}").status_code == 422
    nowhere = (
        "",
        "/",
        "/nothing",
        "/exports/../study.db",
        "/exports/%2e%2e%2fstudy.db",
        "/exports/CSV",
        "/%00",
        "/%0A",
    )
    for address in nowhere:
        reply = boss.get(address)
        assert (reply.status_code, reply.headers["content-type"]) == (404, "application/json"), address
    for method in ("PUT", "DELETE", "PATCH"):
        reply = boss.client.request(method, "/api/v1/study", headers=boss.headers)
        assert (reply.status_code, reply.headers["allow"]) == (405, "GET")
    assert boss.client.options("/api/v1/study").status_code == 405
    assert list(store.events()) == []


# -- the description, and what a machine makes of it -----------------------------------------------------------------


def test_the_openapi_description_lists_all_addresses(studio: Callable[..., Store], program: Programs) -> None:
    ann = program(studio("WSsim"), "ann")
    reply = ann.client.get("/api/v1/openapi.json")
    assert reply.status_code == 200
    described = reply.json()
    assert described["servers"] == [{"url": "/api/v1"}]
    assert described["components"]["securitySchemes"]["HTTPBearer"]["scheme"] == "bearer"
    for path, methods in described["paths"].items():
        for method in methods.values():
            assert method["security"] == [{"HTTPBearer": []}], path
            assert {"401", "422"} <= method["responses"].keys()
            assert method["description"]


@pytest.mark.parametrize("kind", ["annotator", "manager"])
def test_every_reply_matches_the_openapi_description(
    studio: Callable[..., Store], program: Programs, kind: str
) -> None:
    """Hundreds of good and bad requests, generated from the description: no 500, no undescribed reply."""
    schemathesis = pytest.importorskip("schemathesis")
    from hypothesis import HealthCheck, Phase, given, settings
    from schemathesis import GenerationMode
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    store = studio("WSsim", "SYNbest", count=2)
    answer_all(store, add(store, "cay"))
    user = program(store, "ann", kind)
    user.get("/pages/current")
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", create_application(store, secure=False))
    applied_checks = [
        not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_headers_conformance,
        checks.response_schema_conformance,
        checks.negative_data_rejection,
        checks.missing_required_header,
        checks.unsupported_method,
        checks.ignored_auth,
    ]
    count, statuses = 0, set()
    for operation in (each.ok() for each in schema.get_all_operations()):
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            if mode is GenerationMode.NEGATIVE and not (operation.body or operation.query or operation.path_parameters):
                continue

            @given(case=operation.as_strategy(generation_mode=mode))
            @settings(
                max_examples=25,
                deadline=None,
                derandomize=True,
                database=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            def send(case: Any) -> None:
                nonlocal count
                case.headers = {**(case.headers or {}), **user.headers}
                reply = case.call()
                case.validate_response(reply, checks=applied_checks, headers=user.headers)
                count += 1
                statuses.add(reply.status_code)

            send()
    assert count > 150
    assert 200 in statuses
    assert statuses <= {200, 204, 400, 403, 404, 409, 422}

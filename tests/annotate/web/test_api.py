"""The API: items, answers and exports by token; clear answers to bad input, and nothing of others."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("fastapi", reason="the studio needs polyseme[annotate]")

from annotate.conftest import Begin, add, answer_all, page, study_of
from annotate.web.conftest import Visits
from polyseme.annotate.accounts import Accounts
from polyseme.annotate.database import now
from polyseme.annotate.exchange import EXPORTS, exported
from polyseme.annotate.paging import events_after
from polyseme.annotate.store import Store
from polyseme.annotate.web.app import application
from polyseme.formats import read_ratings

if TYPE_CHECKING:
    from starlette.testclient import TestClient

HARD = (
    "<script>alert(1)</script>",
    "🦜👩‍👩‍👧‍👦",
    "שלום \u202eevil\u202c",
    "'; DROP TABLE event; --",
    "{{ 7 * 7 }}",
    "a" * 10_000,
)


class Program:
    """A program with a token."""

    def __init__(self, client: TestClient, token: str) -> None:
        self.client = client
        self.token = token

    def get(self, address: str, **more: Any) -> Any:
        """Ask for something."""
        return self.client.get(f"/api/v1{address}", headers=self.headers, **more)

    def post(self, address: str, body: Any = None, **more: Any) -> Any:
        """Send something."""
        given = {"json": body} if body is not None else {}
        return self.client.post(
            f"/api/v1{address}", headers={**self.headers, **more.pop("headers", {})}, **given, **more
        )

    @property
    def headers(self) -> dict[str, str]:
        """What a program sends with everything."""
        return {"Authorization": f"Bearer {self.token}"}


Programs = Callable[..., Program]


@pytest.fixture
def program() -> Programs:
    """A program that acts for somebody of a store."""
    from starlette.testclient import TestClient

    def made(store: Store, name: str, kind: str = "annotator") -> Program:
        known = {each.name: each.id for each in store.annotators()}
        who = known.get(name) or add(store, name, kind=kind)
        return Program(TestClient(application(store, secure=False)), Accounts(store).api_token(who))

    return made


def test_an_annotator_from_beginning_to_end(studio: Callable[..., Store], program: Programs) -> None:
    store = studio("WSsim", "Usim", "WSbest", "SYNbest")
    ann = program(store, "ann")
    about = ann.get("/study").json()
    assert (about["tasks"], about["you"], about["lowest"]) == (["WSsim", "Usim", "WSbest", "SYNbest"], "ann", 1)
    answered = 0
    while (current := ann.get("/pages/current")).status_code == 200:
        shown = current.json()
        asked = shown["asked"]
        assert not {"role", "right", "name"} & (shown.keys() | asked.keys())
        target = asked["targets"] if asked["task"] in ("WSsim", "Usim") else [*asked["targets"][:1], "shore"][:1]
        value = 3 if asked["task"] in ("WSsim", "Usim") else 1
        judgements = [{"target": each, "value": value} for each in target]
        saved = ann.post(f"/pages/{shown['number']}/answers", {"request": f"r{answered}", "judgements": judgements})
        assert saved.status_code == 200
        assert saved.json()["complete"]
        answered += 1
    assert (current.status_code, current.content, answered) == (204, b"", 12)
    assert len(store.ratings()) == 3 * (4 + 1 + 1 + 1)
    assert ann.get("/pages/1").json()["complete"]


def test_a_manager_reads_everything(studio: Callable[..., Store], program: Programs, tmp_path: Path) -> None:
    store = studio("WSsim")
    answer_all(store, add(store, "ann"))
    boss = program(store, "boss", "manager")
    items = boss.get("/items", params={"limit": 2}).json()
    assert (len(items["items"]), items["next"]) == (2, 2)
    rest = boss.get("/items", params={"after": items["next"], "limit": 2}).json()
    assert ([each["id"] for each in rest["items"]], rest["next"]) == ([3], None)
    assert items["items"][0]["asked"]["passages"][0]["usage"] == "bank.n.1"
    some = boss.get("/answers", params={"limit": 5}).json()
    more = boss.get("/answers", params={"after": some["last"], "limit": 1000}).json()
    assert [*some["answers"], *more["answers"]] == json.loads(
        "[" + ",".join(exported(store, "events").decode().splitlines()) + "]"
    )
    assert boss.get("/answers", params={"after": more["last"]}).json() == {"answers": [], "last": more["last"]}
    assert (
        boss.get("/progress").json()[0] | {"annotator": "ann", "complete": 3, "seconds": None}
        == boss.get("/progress").json()[0]
    )
    assert [each["name"] for each in boss.get("/exports").json()] == list(EXPORTS)
    for name, export in EXPORTS.items():
        reply = boss.get(f"/exports/{name}")
        if reply.status_code == 409:
            assert (name, reply.json()["said"][:22]) == ("usim-csv", "the study has no Usim,")
            continue
        assert (reply.status_code, reply.headers["content-type"]) == (200, export.media)
        assert reply.headers["content-disposition"] == f'attachment; filename="{name}{export.suffix}"'
    (tmp_path / "a.parquet").write_bytes(boss.get("/exports/parquet").content)
    assert read_ratings(tmp_path / "a.parquet") == store.ratings()
    assert [each.what for each in store.audited()].count("exported by a program") == len(EXPORTS)


def test_who_may_do_what(studio: Callable[..., Store], program: Programs, visit: Visits) -> None:
    store = studio("WSsim")
    ann, bob, boss = program(store, "ann"), program(store, "bob"), program(store, "boss", "manager")
    for address in ("/items", "/answers", "/progress", "/exports", "/exports/csv", "/exports/study"):
        assert ann.get(address).status_code == 403
    for address in ("/pages/current", "/pages/1"):
        assert boss.get(address).status_code == 403
    assert boss.post("/pages/1/answers", {"request": "r"}).status_code == 403
    assert ann.get("/pages/current").status_code == 200
    assert ann.get("/pages/2").status_code == 404  # not open yet
    assert bob.get("/pages/1").status_code == 404  # nothing was given to bob so far
    assert ann.get("/exports/none").status_code == 403
    assert boss.get("/exports/none").status_code == 404
    # neither a cookie nor the token of a browser counts, and a program's token opens no page
    there = visit(store, "cay")
    assert there.get("/api/v1/study").status_code == 401
    session = there.client.cookies["polyseme"]
    assert Program(there.client, session).get("/study").status_code == 401
    there.client.cookies.clear()
    there.client.cookies.set("polyseme", ann.token)
    assert there.client.get("/page/1", follow_redirects=False).headers["location"] == "/login"


@pytest.mark.parametrize("token", ["", "x", "é", "🦜", "a b", "x" * 5000, "\x01"])
def test_forged_tokens(studio: Callable[..., Store], program: Programs, token: str) -> None:
    ann = program(studio("WSsim"), "ann")
    reply = ann.client.get("/api/v1/study", headers=[(b"authorization", f"Bearer {token}".encode())])
    assert (reply.status_code, reply.headers["www-authenticate"]) == (401, "Bearer")
    assert reply.json()["said"].startswith("Send a token that is valid")
    for scheme in ("Basic", "bearerer", ""):
        given = f"{scheme} {ann.token}".encode()
        assert ann.client.get("/api/v1/study", headers=[(b"authorization", given)]).status_code == 401


def test_tokens_expire_and_end(
    studio: Callable[..., Store], program: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = studio("WSsim")
    ann = program(store, "ann")
    with store.database.read() as connection:
        kept = connection.exec_driver_sql("SELECT token, purpose FROM session").all()
    assert [row.purpose for row in kept] == ["api"]
    assert ann.token not in str(kept)
    assert ann.get("/study").status_code == 200
    later = now(366 * 86_400)
    with monkeypatch.context() as patch:
        patch.setattr("polyseme.annotate.accounts.now", lambda _=0: later)
        assert ann.get("/study").status_code == 401
    Accounts(store).invite("ann")
    assert ann.get("/study").status_code == 401


def test_someone_who_is_paused(studio: Callable[..., Store], program: Programs) -> None:
    store = studio("WSsim")
    ann = program(store, "ann")
    ann.get("/pages/current")
    store.set_state("ann", "paused", "boss")
    for reply in (ann.get("/pages/current"), ann.get("/pages/1"), ann.post("/pages/1/answers", {"request": "r"})):
        assert reply.status_code == 423
        assert "paused" in reply.json()["said"]
    assert list(store.events()) == []


# -- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", HARD, ids=range(len(HARD)))
def test_any_text_comes_back_as_it_was(
    studio: Callable[..., Store], program: Programs, visit: Visits, text: str
) -> None:
    store = studio("WSsim", "SYNbest")
    ann, boss = program(store, "ann"), program(store, "boss", "manager")
    ann.get("/pages/current")
    body = {"request": "r1", "judgements": [{"target": "bank%1", "value": 3}], "comment": text, "invalid": text}
    saved = ann.post("/pages/1/answers", body)
    assert (saved.status_code, saved.json()["comment"], saved.json()["invalid"]) == (200, text, text)
    assert ann.get("/pages/1").json()["comment"] == text
    said = [each["text"] for each in boss.get("/answers").json()["answers"] if each["kind"] != "rating"]
    assert said == [text, text]
    lines = boss.get("/exports/events").content.decode().splitlines()
    assert text in [json.loads(line)["text"] for line in lines]
    token = Accounts(store).invite("ann")
    there = visit(store, "", inside=False)
    there.token = token
    there.accept()
    html = there.get("/page/1").text
    assert "<script>alert" not in html
    assert "49" not in html.split("<main")[1][:200]


def test_bodies_that_are_refused(studio: Callable[..., Store], program: Programs) -> None:
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
        ({"request": "r\0"}, 422, "holds a character that is none"),
        ({"request": "\ud800"}, 422, ""),
        ({"request": "r", "\ud800": 1}, 422, ""),
        ({"request": 7}, 422, "request: "),
        ({"request": "r", "annotator": 2}, 422, "annotator: Extra inputs are not permitted"),
        ({"request": "r", "assignment": 1}, 422, "assignment: Extra inputs are not permitted"),
        (judged("bank%1", 6), 422, "the value 6.0 is not on the scale; allowed is a whole number from 1 to 5"),
        (judged("bank%1", 2.5), 422, "is not on the scale"),
        (judged("bank%1", None), 422, "'cannot decide' is no answer here"),
        (judged("bank%1", "3"), 422, "judgements.0.value"),
        (judged("bank%1", True), 422, "judgements.0.value"),
        (judged("bank%1", 10**400), 422, "judgements.0.value"),
        (judged("bank%9", 3), 422, "'bank%9' is not judged on this page"),
        (judged("<script>", 3), 422, "'<script>' is not judged on this page"),
        (judged("\ud800", 3), 422, ""),
        (judged(7, 3), 422, "judgements.0.target"),
        ({"request": "r", "comment": "x" * 10_001}, 422, "comment: String should have at most 10000 characters"),
        ({"request": "r", "comment": "\0"}, 422, "holds a character that is none"),
        ({"request": "r", "milliseconds": -1}, 422, "milliseconds"),
        ({"request": "r", "milliseconds": 2**40}, 422, "milliseconds"),
        ({"request": "r", "client_time": "x" * 65}, 422, "client_time"),
        ({"request": "r", "judgements": [{"target": "bank%1", "value": 3}] * 1001}, 422, "judgements"),
        ({"request": "r", "comment": "x" * 2_000_000}, 413, "More than 1,000,000 bytes were sent"),
    ]
    for body, status, said in refused:
        content = json.dumps(body)
        reply = ann.post("/pages/1/answers", content=content, headers={"Content-Type": "application/json"})
        assert (reply.status_code, said in reply.json()["said"]) == (status, True), (content[:100], reply.text)
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


def test_forged_addresses(studio: Callable[..., Store], program: Programs) -> None:
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


def test_an_answer_that_is_sent_again(studio: Callable[..., Store], program: Programs) -> None:
    store = studio("WSsim")
    ann = program(store, "ann")
    ann.get("/pages/current")
    body = {"request": "r1", "judgements": [{"target": "bank%1", "value": 3}], "comment": "hm"}
    first, again = ann.post("/pages/1/answers", body), ann.post("/pages/1/answers", body)
    assert first.json() == again.json()
    assert len(list(store.events())) == 2


def test_control_items_are_not_told_apart(begin: Begin, program: Programs) -> None:
    pages = [page(number) for number in range(1, 7)]
    control = replace(page(8, role="control"), right={f"win.v%{each}": 3.0 for each in "abc"})
    store = begin(study_of('repeats.share = 0.5\n[controls]\nanswers = "c.csv"\nevery = 2'), [*pages, control])
    ann, boss = program(store, "ann"), program(store, "boss", "manager")
    roles, replies = set(), []
    while (current := ann.get("/pages/current")).status_code == 200:
        roles.add(store.shown(1, current.json()["number"]).role)
        said = [{"target": each, "value": 2} for each in current.json()["asked"]["targets"]]
        replies.append(current.text)
        ann.post(f"/pages/{current.json()['number']}/answers", {"request": "r", "judgements": said})
    assert roles == {"", "control", "repeat"}
    assert not [text for text in replies if '"control' in text or "repeat" in text or '"right"' in text]
    assert [each["right"] for each in boss.get("/items").json()["items"] if each["role"]] == [control.right]


def test_no_answer_is_passed_over(begin: Begin) -> None:
    """Whoever asks for what came after the last answer they have gets every one, once, while people work."""
    store = begin(study_of(), [page(number) for number in range(1, 30)])
    people = [add(store, f"ann{number}") for number in range(3)]
    threads = [threading.Thread(target=answer_all, args=(store, who)) for who in people]
    for thread in threads:
        thread.start()
    got: list[int] = []
    while any(thread.is_alive() for thread in threads):
        got += [each.id for each in events_after(store, got[-1] if got else 0, 20)]
    while more := events_after(store, got[-1] if got else 0, 100):
        got += [each.id for each in more]
    assert got == [each.id for each in store.events()]
    assert len(got) == 29 * 3 * 3


# -- the description, and what a machine makes of it -----------------------------------------------------------------


def test_the_description(studio: Callable[..., Store], program: Programs) -> None:
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
def test_whatever_is_sent_the_answer_is_one_of_those_described(
    studio: Callable[..., Store], program: Programs, kind: str
) -> None:
    """Hundreds of requests, good and bad, made from the description: no 500, and nothing that it does not say."""
    schemathesis = pytest.importorskip("schemathesis")
    from hypothesis import HealthCheck, Phase, given, settings
    from schemathesis import GenerationMode
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    store = studio("WSsim", "SYNbest", count=2)
    answer_all(store, add(store, "cay"))
    who = program(store, "ann", kind)
    who.get("/pages/current")
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", application(store, secure=False))
    wanted = [
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
    tried, statuses = 0, set()
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
                nonlocal tried
                case.headers = {**(case.headers or {}), **who.headers}
                reply = case.call()
                case.validate_response(reply, checks=wanted, headers=who.headers)
                tried += 1
                statuses.add(reply.status_code)

            send()
    assert tried > 150
    assert 200 in statuses
    assert statuses <= {200, 204, 400, 403, 404, 409, 422}

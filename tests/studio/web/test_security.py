"""Access, the limits of other users and sites, and the handling of invalid requests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the studio needs polyseme[annotate]")
pytest.importorskip("httpx2", reason="starlette's test client needs httpx2")

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import update
from starlette.testclient import TestClient

from polyseme.studio.store.accounts import FAILURE_LIMITS, Accounts
from polyseme.studio.store.schema import ANNOTATOR, SESSION
from polyseme.studio.web.app import create_application
from polyseme.web.middleware import MAX_BODY_BYTES, SECURITY_HEADERS
from studies import begin, make_pages, make_study

PASSWORD = "a long enough one"
STATIC = Path(__file__).parents[3] / "src" / "polyseme" / "studio" / "web"


def test_every_response_has_the_security_headers(studio: Any, visit: Any) -> None:
    ann = visit(studio("Usim"))
    for address in ("/login", "/page/1", "/nowhere", "/static/page.js", "/healthz", "/invitation/x"):
        answer = ann.get(address, follow_redirects=False)
        for name, value in SECURITY_HEADERS.items():
            assert answer.headers[name] == value, (address, name)
    assert ann.get("/page/1").headers["cache-control"] == "no-store"
    assert ann.get("/static/page.js").headers["cache-control"] == "no-cache"


def test_templates_have_no_inline_scripts_or_styles() -> None:
    for file in (STATIC / "templates").rglob("*.html"):
        text = file.read_text()
        assert "style=" not in text, file
        assert "<style" not in text, file
        assert " on" + "click" not in text, file
        assert "|safe" not in text.replace(" ", ""), file
        assert text.count("<script") == text.count('<script type="module" src="/static/'), file
    for file in (STATIC / "static").glob("*.js"):
        text = file.read_text()
        assert "innerHTML" not in text, file
        assert "eval(" not in text, file


def test_cookies_are_sent_only_by_https(studio: Any) -> None:
    store = studio("Usim")
    token = store.add_annotator("ann")
    client = TestClient(create_application(store), base_url="https://testserver")
    page = client.get(f"/invitation/{token}")
    form = page.headers["set-cookie"]
    assert form.startswith("__Host-polyseme-form=")
    csrf = form.partition("=")[2].partition(";")[0]
    inside = client.post(f"/invitation/{token}", data={"csrf": csrf}, follow_redirects=False)
    cookie = inside.headers["set-cookie"]
    assert cookie.startswith("__Host-polyseme=")
    for part in ("Secure", "HttpOnly", "SameSite=lax", "Path=/"):
        assert part in cookie
    assert "max-age" in client.get("/login").headers["strict-transport-security"]


def test_users_who_are_not_logged_in_see_nothing(studio: Any, visit: Any) -> None:
    stranger = visit(studio("Usim"), "")
    for address in ("/", "/page/1", "/page/1/feedback", "/instructions", "/done"):
        answer = stranger.get(address)
        assert str(answer.url).endswith("/login"), address
        assert "lunch" not in answer.text
    assert stranger.client.post("/page/1", data={"rating1": "3"}).status_code == 401
    body = {"fields": {"rating1": ["3"]}, "request": "r"}
    assert stranger.client.post("/page/1/answer", json=body).status_code == 401
    assert stranger.client.post("/logout").status_code == 401


def test_forms_of_other_sites_are_refused(studio: Any, visit: Any) -> None:
    store = studio("Usim")
    ann = visit(store)
    token = ann.hidden("/page/1")
    body = {"fields": {"rating1": ["3"]}, "request": "r"}
    assert ann.client.post("/page/1", data={"rating1": "3"}).status_code == 403
    assert ann.client.post("/page/1", data={"rating1": "3", "csrf": "é"}).status_code == 403
    assert ann.client.post("/page/1/answer", json=body).status_code == 403
    assert ann.client.post("/logout", data={"csrf": ""}).status_code == 403
    site = {"Sec-Fetch-Site": "cross-site", "X-CSRF-Token": token}
    assert ann.client.post("/page/1", data={"rating1": "3", "csrf": token}, headers=site).status_code == 403
    assert ann.client.post("/page/1/answer", json=body, headers=site).status_code == 403
    assert ann.client.post("/login", data={"name": "ann", "password": "x", "csrf": "forged"}).status_code == 403
    assert list(store.events()) == []
    assert ann.get("/page/1").status_code == 200


def test_a_form_token_works_only_for_its_user(studio: Any, visit: Any) -> None:
    store = studio("Usim")
    ann, bob = visit(store), visit(store, "bob")
    stolen = {"rating1": "3", "csrf": bob.hidden("/page/1")}
    assert ann.client.post("/page/1", data=stolen).status_code == 403


def test_an_invitation_can_be_used_again_and_viewing_it_changes_nothing(studio: Any, visit: Any) -> None:
    store = studio("Usim")
    ann = visit(store, inside=False)
    assert "Welcome, ann" in ann.get(f"/invitation/{ann.token}").text
    assert "polyseme" not in ann.client.cookies
    assert store.annotators()[0].state == "invited"
    assert ann.accept().headers["location"] == "/"
    ann.send("/page/1", at="/", rating1="3")
    ann.client.cookies.clear()
    assert ann.accept().headers["location"] == "/"
    assert str(ann.get("/").url).endswith("/page/2")


@pytest.mark.parametrize("token", ["x", "../login", "%00", "a" * 3000, "🎈", "' OR 1=1 --", "<script>"])
def test_a_forged_invitation_is_refused(studio: Any, visit: Any, token: str) -> None:
    stranger = visit(studio("Usim"), "")
    answer = stranger.get(f"/invitation/{token}")
    assert answer.status_code == 404 or str(answer.url).endswith("/login")
    assert "<script>" not in answer.text


def test_invitations_expire_and_are_replaced(studio: Any, visit: Any) -> None:
    store = studio("Usim")
    ann, bob = visit(store, inside=False), visit(store, "bob")
    Accounts(store).invite("bob")
    assert "newer link" in bob.get(f"/invitation/{bob.token}").text
    assert str(bob.get("/page/1").url).endswith("/login")  # sessions end with the link
    with store.database.write() as connection:
        connection.execute(update(ANNOTATOR).values(invitation_expires="2000-01-01T00:00:00.000+00:00"))
    assert ann.get(f"/invitation/{ann.token}").status_code == 404


def test_a_password_replaces_the_link(studio: Any, visit: Any) -> None:
    ann = visit(studio("Usim"), inside=False)
    short = ann.accept(password="short", again="short")
    assert short.status_code == 422
    assert "10 to 200" in short.text
    assert "differ" in ann.accept(password=PASSWORD, again="another").text
    assert ann.accept(password=PASSWORD, again=PASSWORD).status_code == 303
    assert ann.get(f"/invitation/{ann.token}").status_code == 404
    out = ann.send("/logout", at="/page/1", follow=True)
    assert "You are logged out" in out.text
    wrong = ann.send("/login", name="ann", password="wrong")
    assert wrong.status_code == 401
    assert "name and this password" in wrong.text
    assert 'value="ann"' in wrong.text
    assert ann.send("/login", name="ann", password=PASSWORD, follow=True).status_code == 200
    assert str(ann.get("/login").url).endswith("/page/1")


def test_logins_are_throttled(studio: Any, visit: Any) -> None:
    ann = visit(studio("Usim"), inside=False)
    ann.accept(password=PASSWORD, again=PASSWORD)
    ann.client.cookies.clear()
    for _ in range(FAILURE_LIMITS["name"]):
        assert ann.send("/login", name="ann", password="guessed it").status_code == 401
    throttled = ann.send("/login", name="ann", password=PASSWORD)
    assert throttled.status_code == 429
    assert int(throttled.headers["retry-after"]) > 60
    assert "Too many failed logins" in throttled.text or "too many failed logins" in throttled.text


def test_a_session_ends(studio: Any, visit: Any) -> None:
    store = studio("Usim")
    ann = visit(store)
    token = ann.hidden("/page/1")
    with store.database.write() as connection:
        connection.execute(update(SESSION).values(expires="2000-01-01T00:00:00.000+00:00"))
    assert str(ann.get("/page/1").url).endswith("/login")
    body = {"fields": {"rating1": ["3"]}, "request": "r"}
    assert ann.client.post("/page/1/answer", json=body, headers={"X-CSRF-Token": token}).status_code == 401
    lost = ann.client.post("/page/1", data={"rating1": "3", "csrf": token})
    assert lost.status_code == 401
    assert "not saved" in lost.text


def test_managers_have_no_pages_and_annotators_cannot_manage(studio: Any, visit: Any) -> None:
    store = studio("Usim")
    boss, ann = visit(store, "boss", kind="manager"), visit(store)
    assert boss.get("/", follow_redirects=False).headers["location"] == "/manage"
    assert boss.get("/page/1").status_code == 404
    assert boss.get("/done").status_code == 404
    assert ann.get("/manage").status_code == 404


def test_requests_over_a_limit_are_refused(studio: Any, visit: Any) -> None:
    store = studio("Usim")
    ann = visit(store)
    token = ann.hidden("/page/1")
    headers = {"X-CSRF-Token": token, "Content-Type": "application/json"}
    huge = b"x" * (MAX_BODY_BYTES + 1)
    assert ann.client.post("/page/1/answer", content=huge, headers=headers).status_code == 413
    pieces = (huge[:1000] for _ in range(MAX_BODY_BYTES // 1000 + 2))
    assert ann.client.post("/page/1/answer", content=pieces, headers=headers).status_code == 413
    assert ann.client.post("/page/1", data={"csrf": token, "comment": "x" * MAX_BODY_BYTES}).status_code == 413
    fields = {"csrf": token, **{f"f{number}": "" for number in range(2000)}}
    assert ann.client.post("/page/1", data=fields).status_code == 400
    files = {"comment": ("a.txt", b"text")}
    assert ann.client.post("/page/1", data={"csrf": token}, files=files).status_code == 400
    assert list(store.events()) == []


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"x"',
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"fields": 1}',
        b'{"fields": {"rating1": 3}}',
        b'{"fields": {"rating1": [3]}, "request": "r"}',
        b'{"fields": {"rating1": ["3"]}}',
        b'{"fields": {"rating1": ["3"]}, "request": 5}',
        b'{"fields": {"rating1": ["3"]}, "request": "\\ud800"}',
        b'{"fields": {"rating1": ["\\ud800"]}, "request": "r"}',
        b'{"fields": {"comment": ["\\ud800\\u0000"]}, "request": "r"}',
        b'{"fields": {"invalid": ["\\u0000"]}, "request": "r"}',
        b'{"fields": {"rating1": ["3"]}, "request": "' + b"r" * 1000 + b'"}',
        b'{"fields": {"rating1": ["3"]}, "request": "r", "client_time": "' + b"9" * 1000 + b'"}',
        b'{"fields": {"rating1": ["3"]}, "request": "r", "client_time": 5}',
        b'{"fields": {"rating1": ["3"]}, "request": "r", "before": []}',
    ],
)
def test_an_invalid_click_is_refused(studio: Any, visit: Any, body: bytes) -> None:
    store = studio("Usim")
    ann = visit(store)
    headers = {"X-CSRF-Token": ann.hidden("/page/1"), "Content-Type": "application/json"}
    answer = ann.client.post("/page/1/answer", content=body, headers=headers)
    assert answer.status_code in (400, 422)
    assert answer.json()["said"]
    assert list(store.events()) == []


@pytest.mark.parametrize("milliseconds", [-5, 10**30, 1.5, "x", None, True, [1]])
def test_an_invalid_time_does_not_lose_the_answer(studio: Any, visit: Any, milliseconds: object) -> None:
    store = studio("Usim")
    assert visit(store).answer(1, {"rating1": ["3"]}, milliseconds=milliseconds).status_code == 200
    assert len(list(store.events())) == 1


def test_other_methods_types_and_addresses_are_refused(studio: Any, visit: Any) -> None:
    ann = visit(studio("Usim"))
    headers = {"X-CSRF-Token": ann.hidden("/page/1"), "Content-Type": "text/plain"}
    assert ann.client.post("/page/1/answer", content=b"{}", headers=headers).status_code == 415
    assert ann.client.put("/page/1").status_code == 405
    assert ann.get("/page/1/answer").status_code == 405
    assert ann.get("/page/1?missing=perhaps").status_code == 422
    for address in (
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/",
        "/openapi.json",
        "/docs",
        "/%ff",
        "/%00",
        "/static/%00",
    ):
        assert ann.get(address).status_code == 404, address
    assert ann.get("/healthz").text == "ok"


SENT = st.text() | st.sampled_from(["3", "undecided", "bank%1", "-", "1", "\x00", "\ud800", "🎈", "<script>"])
NAMES = st.sampled_from(["rating1", "rating2", "best", "substitute", "nothing", "comment", "invalid", "form", "opened"])
JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=5), inside, max_size=3),
    max_leaves=5,
)
FUZZ = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """For each task, a client that is logged in to a study of it, and the token of its forms."""
    visits = {}
    for task in ("WSsim", "Usim", "WSbest", "SYNbest"):
        store = begin(tmp_path_factory.mktemp(task), make_study(task), make_pages(task))
        token = store.add_annotator("ann")
        client = TestClient(create_application(store, secure=False))
        csrf = client.get(f"/invitation/{token}").headers["set-cookie"].partition("=")[2].partition(";")[0]
        client.post(f"/invitation/{token}", data={"csrf": csrf})
        session = Accounts(store).find_session(client.cookies["polyseme"])
        assert session is not None
        visits[task] = client, session.csrf
    return visits


@pytest.mark.parametrize("task", ["WSsim", "Usim", "WSbest", "SYNbest"])
@FUZZ
@given(fields=st.dictionaries(NAMES, st.lists(SENT, max_size=3), max_size=5))
def test_no_form_causes_a_server_error(everything: Any, task: str, fields: dict[str, list[str]]) -> None:
    client, csrf = everything[task]
    sent = {name: [value.encode("utf-8", "surrogatepass") for value in values] for name, values in fields.items()}
    answer = client.post("/page/1", data={**sent, "csrf": csrf}, follow_redirects=False)
    assert answer.status_code in (303, 422)
    assert client.get("/page/1").status_code == 200


@pytest.mark.parametrize("task", ["WSsim", "Usim", "WSbest", "SYNbest"])
@FUZZ
@given(
    body=st.fixed_dictionaries(
        {"fields": st.dictionaries(NAMES, st.lists(SENT, max_size=3), max_size=5) | JSON, "request": SENT | JSON},
        optional={"before": st.dictionaries(NAMES, st.lists(SENT)) | JSON, "milliseconds": JSON, "client_time": JSON},
    )
)
def test_no_click_causes_a_server_error(everything: Any, task: str, body: dict[str, Any]) -> None:
    client, csrf = everything[task]
    headers = {"X-CSRF-Token": csrf, "Content-Type": "application/json"}
    answer = client.post("/page/1/answer", content=json.dumps(body).encode(), headers=headers)
    assert answer.status_code in (200, 422)
    assert client.get("/page/1").status_code == 200


@settings(FUZZ, max_examples=8)
@given(name=SENT, password=SENT)
def test_no_login_causes_a_server_error(everything: Any, name: str, password: str) -> None:
    client = TestClient(everything["Usim"][0].app)
    csrf = client.get("/login").headers["set-cookie"].partition("=")[2].partition(";")[0]
    data = {
        "csrf": csrf,
        "name": name.encode("utf-8", "surrogatepass"),
        "password": password.encode("utf-8", "surrogatepass"),
    }
    assert client.post("/login", data=data).status_code in (401, 429)

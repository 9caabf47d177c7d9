"""The API: items, answers and exports by token; every answer once, and no access to other users' pages."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the studio needs polyseme[annotate]")

from polyseme.formats import read_ratings
from polyseme.studio.exchange.exports import EXPORTS, export_bytes
from polyseme.studio.store.accounts import Accounts
from polyseme.studio.store.database import utc_timestamp
from polyseme.studio.store.paging import read_events_after
from polyseme.studio.store.store import Store
from studio.conftest import Begin, add, answer_all, make_study, page
from studio.web.conftest import Program, Programs, Visits


def test_a_program_answers_all_pages_of_an_annotator(studio: Callable[..., Store], program: Programs) -> None:
    store = studio("WSsim", "Usim", "WSbest", "SYNbest")
    ann = program(store, "ann")
    about = ann.get("/study").json()
    assert (about["tasks"], about["you"], about["lowest"]) == (["WSsim", "Usim", "WSbest", "SYNbest"], "ann", 1)
    count = 0
    while (current := ann.get("/pages/current")).status_code == 200:
        page = current.json()
        question = page["asked"]
        assert not {"role", "right", "name"} & (page.keys() | question.keys())
        target = (
            question["targets"] if question["task"] in ("WSsim", "Usim") else [*question["targets"][:1], "shore"][:1]
        )
        value = 3 if question["task"] in ("WSsim", "Usim") else 1
        judgements = [{"target": each, "value": value} for each in target]
        saved = ann.post(f"/pages/{page['number']}/answers", {"request": f"r{count}", "judgements": judgements})
        assert saved.status_code == 200
        assert saved.json()["complete"]
        count += 1
    assert (current.status_code, current.content, count) == (204, b"", 12)
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
    first = boss.get("/answers", params={"limit": 5}).json()
    rest_of_answers = boss.get("/answers", params={"after": first["last"], "limit": 1000}).json()
    assert [*first["answers"], *rest_of_answers["answers"]] == json.loads(
        "[" + ",".join(export_bytes(store, "events").decode().splitlines()) + "]"
    )
    assert boss.get("/answers", params={"after": rest_of_answers["last"]}).json() == {
        "answers": [],
        "last": rest_of_answers["last"],
    }
    assert (
        boss.get("/progress").json()[0] | {"annotator": "ann", "complete": 3, "seconds": None}
        == boss.get("/progress").json()[0]
    )
    assert [each["name"] for each in boss.get("/exports").json()] == list(EXPORTS)
    for name, export in EXPORTS.items():
        reply = boss.get(f"/exports/{name}")
        if reply.status_code == 409:
            assert (name, reply.json()["said"][:22]) == ("usim-csv", "this export is for Usi")
            continue
        assert (reply.status_code, reply.headers["content-type"]) == (200, export.media)
        assert reply.headers["content-disposition"] == f'attachment; filename="{export.file_name}"'
    (tmp_path / "a.parquet").write_bytes(boss.get("/exports/parquet").content)
    assert read_ratings(tmp_path / "a.parquet") == store.ratings()
    assert [entry.action for entry in store.audit_log()].count("exported by a program") == len(EXPORTS)


def test_managers_and_annotators_have_different_rights(
    studio: Callable[..., Store], program: Programs, visit: Visits
) -> None:
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
    browser = visit(store, "cay")
    assert browser.get("/api/v1/study").status_code == 401
    session = browser.client.cookies["polyseme"]
    assert Program(browser.client, session).get("/study").status_code == 401
    browser.client.cookies.clear()
    browser.client.cookies.set("polyseme", ann.token)
    assert browser.client.get("/page/1", follow_redirects=False).headers["location"] == "/login"


@pytest.mark.parametrize("token", ["", "x", "é", "🦜", "a b", "x" * 5000, "\x01"])
def test_forged_tokens_are_refused(studio: Callable[..., Store], program: Programs, token: str) -> None:
    ann = program(studio("WSsim"), "ann")
    reply = ann.client.get("/api/v1/study", headers=[(b"authorization", f"Bearer {token}".encode())])
    assert (reply.status_code, reply.headers["www-authenticate"]) == (401, "Bearer")
    assert reply.json()["said"].startswith("Send a valid token")
    for scheme in ("Basic", "bearerer", ""):
        header = f"{scheme} {ann.token}".encode()
        assert ann.client.get("/api/v1/study", headers=[(b"authorization", header)]).status_code == 401


def test_tokens_expire_and_end_with_a_new_invitation(
    studio: Callable[..., Store], program: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = studio("WSsim")
    ann = program(store, "ann")
    with store.database.read() as connection:
        sessions = connection.exec_driver_sql("SELECT token, purpose FROM session").all()
    assert [row.purpose for row in sessions] == ["api"]
    assert ann.token not in str(sessions)
    assert ann.get("/study").status_code == 200
    later = utc_timestamp(366 * 86_400)
    with monkeypatch.context() as patch:
        patch.setattr("polyseme.studio.store.accounts.utc_timestamp", lambda _=0: later)
        assert ann.get("/study").status_code == 401
    Accounts(store).invite("ann")
    assert ann.get("/study").status_code == 401


def test_a_paused_annotator_can_neither_read_nor_answer(studio: Callable[..., Store], program: Programs) -> None:
    store = studio("WSsim")
    ann = program(store, "ann")
    ann.get("/pages/current")
    store.set_state("ann", "paused", "boss")
    for reply in (ann.get("/pages/current"), ann.get("/pages/1"), ann.post("/pages/1/answers", {"request": "r"})):
        assert reply.status_code == 423
        assert "paused" in reply.json()["said"]
    assert list(store.events()) == []


def test_an_answer_that_is_sent_again_changes_nothing(studio: Callable[..., Store], program: Programs) -> None:
    store = studio("WSsim")
    ann = program(store, "ann")
    ann.get("/pages/current")
    body = {"request": "r1", "judgements": [{"target": "bank%1", "value": 3}], "comment": "hm"}
    first, again = ann.post("/pages/1/answers", body), ann.post("/pages/1/answers", body)
    assert first.json() == again.json()
    assert len(list(store.events())) == 2


def test_replies_do_not_reveal_control_items_and_repeats(begin: Begin, program: Programs) -> None:
    pages = [page(number) for number in range(1, 7)]
    control = replace(page(8, role="control"), right={f"win.v%{each}": 3.0 for each in "abc"})
    store = begin(make_study('repeats.share = 0.5\n[controls]\nanswers = "c.csv"\nevery = 2'), [*pages, control])
    ann, boss = program(store, "ann"), program(store, "boss", "manager")
    roles, replies = set(), []
    while (current := ann.get("/pages/current")).status_code == 200:
        roles.add(store.page_at(1, current.json()["number"]).role)
        judgements = [{"target": each, "value": 2} for each in current.json()["asked"]["targets"]]
        replies.append(current.text)
        ann.post(f"/pages/{current.json()['number']}/answers", {"request": "r", "judgements": judgements})
    assert roles == {"", "control", "repeat"}
    assert not [text for text in replies if '"control' in text or "repeat" in text or '"right"' in text]
    assert [each["right"] for each in boss.get("/items").json()["items"] if each["role"]] == [control.right]


def test_polling_returns_every_answer_once_while_annotators_work(begin: Begin) -> None:
    """A program that asks for the answers after its last one gets every answer once, while annotators work."""
    store = begin(make_study(), [page(number) for number in range(1, 30)])
    annotators = [add(store, f"ann{number}") for number in range(3)]
    threads = [threading.Thread(target=answer_all, args=(store, who)) for who in annotators]
    for thread in threads:
        thread.start()
    ids: list[int] = []
    while any(thread.is_alive() for thread in threads):
        ids += [each.id for each in read_events_after(store, ids[-1] if ids else 0, 20)]
    while more := read_events_after(store, ids[-1] if ids else 0, 100):
        ids += [each.id for each in more]
    assert ids == [each.id for each in store.events()]
    assert len(ids) == 29 * 3 * 3

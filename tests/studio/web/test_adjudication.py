"""The manager's pages of disputed items: what was said of them, and decisions, which delete nothing."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the studio needs polyseme[annotate]")
pytest.importorskip("httpx2", reason="starlette's test client needs httpx2")

from polyseme.studio.store.store import Store
from polyseme.studio.web.manager_pages import NOTICES
from studies import SENSES
from studio.web.conftest import INVALID, SCRIPT, WSSIM, text


def test_disputed_items_comments_and_invalid_usages(busy: Store, visit: Any) -> None:
    boss = visit(busy, "boss", "manager")
    answer = boss.get("/manage/disputed")
    said = text(answer)
    for words in (
        "sloping land beside water",
        "shore",
        "edge",
        "3: a supply held",
        "unclear <script>",
        "hard <script>",
    ):
        assert words in said, words
    assert "/manage/item?page=WSsim/1/bank.n.1" in answer.text
    assert boss.get("/manage/disputed?most=100").status_code == 200
    for odd in ("0", "101", "x", "1e9"):
        assert boss.get(f"/manage/disputed?most={odd}").status_code == 422


@pytest.mark.parametrize(
    "page, fields, target, value",
    [
        (WSSIM, {"rating2": "5"}, SENSES[1].id, 5.0),
        ("Usim/1/bank.n.1", {"rating1": "undecided"}, "bank.n.2", None),
        ("WSbest/1/bank.n.1", {"best": [SENSES[2].id]}, SENSES[2].id, 1.0),
        ("SYNbest/1/bank.n.1", {"substitute": " waterside "}, "waterside", 1.0),
        ("SYNbest/1/bank.n.1", {"nothing": "1"}, "-", None),
    ],
)
def test_adjudication_adds_and_deletes_nothing(
    busy: Store, visit: Any, page: str, fields: dict[str, Any], target: str, value: float | None
) -> None:
    boss = visit(busy, "boss", "manager")
    events, ratings = list(busy.events()), busy.ratings()
    address = f"/manage/item?page={page}"
    shown = boss.hidden(address), boss.hidden(address, "form")
    sent = {"csrf": shown[0], "form": shown[1], "page": page, "comment": "the context\r\nsays so", **fields}
    answer = boss.client.post("/manage/item", data=sent)
    said = text(answer)
    assert NOTICES["recorded"] in said
    assert "decided" in said
    after = list(busy.events())
    assert after[: len(events)] == events
    assert busy.ratings() == ratings
    (new,) = (each for each in after[len(events) :] if each.kind == "adjudication")
    assert (new.annotator, new.page, new.target, new.value) == ("boss", page, target, value)
    assert [each.text for each in after[len(events) :] if each.kind == "comment"] == ["the context\nsays so"]
    assert boss.client.post("/manage/item", data=sent).status_code == 200  # sent again: nothing is said twice
    assert list(busy.events()) == after
    assert [entry.action for entry in busy.audit_log()].count("adjudicated") == 1
    assert "Look again" in boss.get("/manage/disputed").text


def test_a_decision_can_be_changed_and_all_stay_on_record(busy: Store, visit: Any) -> None:
    boss = visit(busy, "boss", "manager")
    address = f"/manage/item?page={WSSIM}"
    for value in ("5", "2"):
        boss.send("/manage/item", at=address, page=WSSIM, rating1=value)
    said = text(boss.get(address))
    assert "sense 1: 5 " in said
    assert "sense 1: 2 " in said
    answer = boss.send("/manage/item", at=address, page=WSSIM, follow=True)
    assert NOTICES["unchanged"] in text(answer)
    (decided,) = busy.adjudications()
    assert decided.value == 2


@pytest.mark.parametrize(
    "fields",
    [
        {"rating1": "6"},
        {"rating1": "nan"},
        {"rating1": SCRIPT},
        {"rating1": "undecided"},
        {"rating1": "3", "comment": "x" * 10_001},
        {"rating1": "3", "comment": "\0"},
        {"rating1": "3", "form": "x" * 1000},
    ],
)
def test_a_decision_that_cannot_be_is_refused(busy: Store, visit: Any, fields: dict[str, str]) -> None:
    boss = visit(busy, "boss", "manager")
    before = list(busy.events())
    answer = boss.send("/manage/item", at=f"/manage/item?page={WSSIM}", page=WSSIM, **fields)
    assert answer.status_code == 422
    assert SCRIPT not in answer.text
    assert list(busy.events()) == before


@pytest.mark.parametrize("name", ["", "none/such", "\0", "%00", "../..", SCRIPT, "é" * 3000])
def test_items_that_do_not_exist(busy: Store, visit: Any, name: str) -> None:
    boss = visit(busy, "boss", "manager")
    assert boss.client.get("/manage/item", params={"page": name}).status_code == 404
    assert boss.send("/manage/item", at="/manage", page=name, rating1="3").status_code == 404


def test_an_item_shows_all_that_was_said(busy: Store, visit: Any) -> None:
    said = text(visit(busy, "boss", "manager").get(f"/manage/item?page={INVALID}"))
    assert "marked this usage as invalid" in said
    assert f"unclear {SCRIPT}" in said
    assert f"comment: hard {SCRIPT}" in said
    assert said.count("marked as invalid") == 4
    assert "All events, in order (10)" in said

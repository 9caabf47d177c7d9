"""The manager's pages of disputed items: their judgements, and decisions, which delete nothing."""

from __future__ import annotations

import re
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the studio needs polyseme[annotate]")
pytest.importorskip("httpx2", reason="starlette's test client needs httpx2")

from polyseme.studio.store.store import Store
from polyseme.studio.web.manager_pages import NOTICES
from studies import SENSES
from studio.web.conftest import INVALID, SCRIPT, WSSIM, text


def test_disputes_comments_and_invalid_usages_are_listed(busy: Store, visit: Any) -> None:
    boss = visit(busy, "boss", "manager")
    answer = boss.get("/manage/disputed")
    content = text(answer)
    for words in (
        "sloping land beside water",
        "shore",
        "edge",
        "3: a supply held",
        "unclear <script>",
        "hard <script>",
    ):
        assert words in content, words
    assert "/manage/item?page=WSsim/1/bank.n.1" in answer.text
    assert boss.get("/manage/disputed?most=100").status_code == 200
    assert "marked as invalid (1)" in boss.get("/manage/agreement").text
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
def test_adjudication_adds_judgements_and_deletes_none(
    busy: Store, visit: Any, page: str, fields: dict[str, Any], target: str, value: float | None
) -> None:
    boss = visit(busy, "boss", "manager")
    events, ratings = list(busy.events()), busy.ratings()
    address = f"/manage/item?page={page}"
    hidden = boss.hidden(address), boss.hidden(address, "form")
    sent = {"csrf": hidden[0], "form": hidden[1], "page": page, "comment": "the context\r\nsays so", **fields}
    answer = boss.client.post("/manage/item", data=sent)
    assert NOTICES["recorded"] in text(answer).replace(NOTICES["next"], NOTICES["recorded"])
    assert "decided" in boss.get(address).text
    after = list(busy.events())
    assert after[: len(events)] == events
    assert busy.ratings() == ratings
    (new,) = (each for each in after[len(events) :] if each.kind == "adjudication")
    assert (new.annotator, new.page, new.target, new.value) == ("boss", page, target, value)
    assert [each.text for each in after[len(events) :] if each.kind == "comment"] == ["the context\nsays so"]
    assert boss.client.post("/manage/item", data=sent).status_code == 200  # sent again: nothing is said twice
    assert list(busy.events()) == after
    assert [entry.action for entry in busy.audit_log()].count("adjudicated") == 1
    assert "Review" in boss.get("/manage/disputed").text


def test_a_decision_leads_to_the_next_disputed_item(busy: Store, visit: Any) -> None:
    boss = visit(busy, "boss", "manager")
    listed = list(dict.fromkeys(re.findall(r"/manage/item\?page=(WSbest/[^\"]*)", boss.get("/manage/disputed").text)))
    assert len(listed) > 1
    for page, following in zip(listed, [*listed[1:], listed[-1]], strict=True):
        answer = boss.send("/manage/item", at=f"/manage/item?page={page}", page=page, best=[SENSES[0].id], follow=True)
        assert NOTICES["recorded" if page == following else "next"] in text(answer)
        assert f'name="page" value="{following}"' in answer.text


def test_a_comment_does_not_lead_to_the_same_page(busy: Store, visit: Any) -> None:
    """The page is listed several times, as several of its senses are disputed."""
    boss, page = visit(busy, "boss", "manager"), "WSsim/1/bank.n.3"
    listed = re.findall(r"/manage/item\?page=(WSsim/[^\"]*)", boss.get("/manage/disputed").text)
    assert page in listed[listed.index(page) + 1 :]
    answer = boss.send("/manage/item", at=f"/manage/item?page={page}", page=page, comment="hard", follow=True)
    assert NOTICES["next"] in text(answer)
    assert f'name="page" value="{page}"' not in answer.text


def test_a_decision_can_be_changed_and_all_versions_stay(busy: Store, visit: Any) -> None:
    boss = visit(busy, "boss", "manager")
    address = f"/manage/item?page={WSSIM}"
    for value in ("5", "2"):
        boss.send("/manage/item", at=address, page=WSSIM, rating1=value)
    content = text(boss.get(address))
    assert "sense 1: 5 " in content
    assert "sense 1: 2 " in content
    answer = boss.send("/manage/item", at=address, page=WSSIM, follow=True)
    assert NOTICES["unchanged"] in text(answer)
    (decision,) = busy.adjudications()
    assert decision.value == 2


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
def test_an_invalid_decision_is_refused(busy: Store, visit: Any, fields: dict[str, str]) -> None:
    boss = visit(busy, "boss", "manager")
    before = list(busy.events())
    answer = boss.send("/manage/item", at=f"/manage/item?page={WSSIM}", page=WSSIM, **fields)
    assert answer.status_code == 422
    assert SCRIPT not in answer.text
    assert list(busy.events()) == before


@pytest.mark.parametrize("name", ["", "none/such", "\0", "%00", "../..", SCRIPT, "é" * 3000])
def test_unknown_items_do_not_exist(busy: Store, visit: Any, name: str) -> None:
    boss = visit(busy, "boss", "manager")
    assert boss.client.get("/manage/item", params={"page": name}).status_code == 404
    assert boss.send("/manage/item", at="/manage", page=name, rating1="3").status_code == 404


def test_an_item_lists_all_its_events(busy: Store, visit: Any) -> None:
    content = text(visit(busy, "boss", "manager").get(f"/manage/item?page={INVALID}"))
    assert "marked this usage as invalid" in content
    assert f"unclear {SCRIPT}" in content
    assert f"comment: hard {SCRIPT}" in content
    assert content.count("marked as invalid") == 5
    assert "History (10)" in content

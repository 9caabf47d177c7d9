"""The annotator's pages over HTTP: what they display, what they save, and which page follows."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the studio needs polyseme[annotate]")
pytest.importorskip("httpx2", reason="starlette's test client needs httpx2")


from polyseme.studio.store.store import Store
from studies import INSTRUCTIONS, SENSES, make_pages, make_study

RATED = {"rating1": "2", "rating2": "5", "rating3": "1", "rating4": "1"}


def event_values(store: Store) -> list[tuple[str, str, float | None, str]]:
    return [(event.kind, event.target, event.value, event.text) for event in store.events()]


def test_wssim_shows_the_usage_and_every_sense(studio: Any, visit: Any) -> None:
    page = visit(studio("WSsim")).get("/").text
    assert page.count("<fieldset") == page.count("<legend") == len(SENSES)
    assert page.count('type="radio"') == 5 * len(SENSES)
    assert "<mark>bank</mark>" in page
    for sense in SENSES:
        assert sense.gloss.replace("'", "&#39;") in page
        assert all(example in page for example in sense.examples)
    assert "More context" in page
    assert "first warm day" in page
    assert "Page 1 of 3" in page


def test_a_complete_form_leads_to_the_next_page_and_an_incomplete_one_lists_what_is_missing(
    studio: Any, visit: Any
) -> None:
    store = studio("WSsim")
    ann = visit(store)
    part = ann.send("/page/1", rating1="2", rating3="1")
    assert part.headers["location"] == "/page/1?missing=1"
    again = ann.get("/page/1?missing=1").text
    assert "Rate meaning 2." in again
    assert "Rate meaning 4." in again
    assert "Rate meaning 1." not in again
    assert again.count(" checked") - again.count('id="keys" checked') == 2
    assert 'href="#q2"' in again
    assert ann.send("/page/1", **RATED).headers["location"] == "/page/2"
    assert len(event_values(store)) == 4  # what was there already is not said again


def test_usim_can_be_undecided(studio: Any, visit: Any) -> None:
    store = studio("Usim")
    ann = visit(store)
    page = ann.get("/page/1").text
    assert page.count("<mark>") == 4  # two usages, each with its wider context
    assert "I can’t decide" in page
    assert ann.send("/page/1", rating1="undecided").headers["location"] == "/page/2"
    assert [(kind, value) for kind, _, value, _ in event_values(store)] == [("rating", None)]


def test_wsbest_accepts_several_senses_only_where_allowed(studio: Any, visit: Any) -> None:
    store = studio("WSbest")
    ann = visit(store)
    assert ann.get("/page/1").text.count('type="checkbox" name="best"') == len(SENSES)
    ann.send("/page/1", best=["bank%1", "bank%2"])
    assert store.page_at(1, 1).answers.chosen == ("bank%1", "bank%2")
    ann.send("/page/1", best=["bank%2", "bank%3"])
    assert store.page_at(1, 1).answers.chosen == ("bank%2", "bank%3")


def test_wsbest_accepts_one_sense_where_several_are_not_allowed(studio: Any, visit: Any) -> None:
    store = studio("WSbest", several=False)
    ann = visit(store)
    assert ann.get("/page/1").text.count('type="radio" name="best"') == len(SENSES)
    ann.send("/page/1", best="bank%1")
    ann.send("/page/1", best="bank%2")
    assert store.page_at(1, 1).answers.chosen == ("bank%2",)
    assert ann.send("/page/1", best=["bank%1", "bank%3"]).status_code == 303
    assert len(store.page_at(1, 1).answers.chosen) == 1


def test_synbest_accepts_a_word_or_none(studio: Any, visit: Any) -> None:
    store = studio("SYNbest")
    ann = visit(store)
    ann.send("/page/1", substitute="  river   side ")
    assert store.page_at(1, 1).answers.chosen == ("river side",)
    ann.send("/page/1", substitute="shore")
    assert store.page_at(1, 1).answers.chosen == ("shore",)
    ann.send("/page/1", substitute="shore", nothing="1")
    assert store.page_at(1, 1).answers.chosen == ("-",)
    ann.send("/page/1", substitute="edge", nothing="1")  # the box was ticked before, the word is new
    assert store.page_at(1, 1).answers.chosen == ("edge",)
    both = ann.send("/page/2", substitute="x", nothing="1")
    assert both.status_code == 422
    assert "keep only one" in both.text
    assert ann.send("/page/2").headers["location"] == "/page/2?missing=1"
    assert "Write a word" in ann.get("/page/2?missing=1").text
    assert ann.send("/page/2", substitute="-").headers["location"] == "/page/3"


def test_annotators_cannot_skip_ahead(studio: Any, visit: Any) -> None:
    store = studio("Usim")
    ann = visit(store)
    assert ann.get("/page/2", follow_redirects=False).headers["location"] == "/"
    assert str(ann.get("/page/3").url).endswith("/page/1")
    assert ann.answer(2, {"rating1": ["3"]}).status_code == 404
    assert ann.send("/page/2", at="/page/1", rating1="3").headers["location"] == "/"
    assert event_values(store) == []
    for wrong in ("0", "99999999999999999999", "x", "-1", "1.5"):
        assert ann.get(f"/page/{wrong}").status_code == 404


def test_annotators_can_revise_earlier_pages(studio: Any, visit: Any) -> None:
    store = studio("Usim")
    ann = visit(store)
    ann.send("/page/1", rating1="3")
    ann.send("/page/2", rating1="4")
    assert 'value="3" data-key="3" checked' in ann.get("/page/1").text
    ann.send("/page/1", rating1="5")
    assert [value for _, _, value, _ in event_values(store)] == [3, 4, 5]
    assert str(ann.get("/").url).endswith("/page/3")


def test_comments_and_invalid_usages_are_saved_and_deleted(studio: Any, visit: Any) -> None:
    store = studio("WSsim")
    ann = visit(store)
    done = ann.send("/page/1", invalid="fixed expression", comment=" Ein „Späßchen“\r\n<b>ש</b> 🎈 ")
    assert done.headers["location"] == "/page/2"  # who calls a usage invalid need not rate it
    answered = store.page_at(1, 1).answers
    assert (answered.invalid, answered.comment) == ("fixed expression", "Ein „Späßchen“\n<b>ש</b> 🎈")
    page = ann.get("/page/1").text
    assert "&lt;b&gt;ש&lt;/b&gt; 🎈</textarea>" in page
    assert '<option value="fixed expression" selected>' in page
    ann.send("/page/1", invalid="", comment="")
    assert store.page_at(1, 1).answers.invalid == store.page_at(1, 1).answers.comment == ""
    assert str(ann.get("/").url).endswith("/page/1")


def test_a_comment_that_is_too_long_is_refused_but_stays_in_the_form(studio: Any, visit: Any) -> None:
    store = studio("Usim")
    ann = visit(store)
    answer = ann.send("/page/1", rating1="3", comment="x" * 10_001)
    assert answer.status_code == 422
    assert "10,000" in answer.text
    assert "x" * 10_001 in answer.text
    assert event_values(store) == []


@pytest.mark.parametrize("value", ["6", "0", "2.5", "nan", "inf", "-1", "zwei", "", "1e999", "٣", "\x00"])
def test_a_value_off_the_scale_is_refused_or_ignored(studio: Any, visit: Any, value: str) -> None:
    store = studio("WSsim")
    ann = visit(store)
    answer = ann.answer(1, {"rating1": [value]})
    assert answer.status_code in (200, 422)
    assert all(event.value in (1, 2, 3, 4, 5) for event in store.events())
    form = ann.send("/page/1", rating1=value)
    assert form.status_code in (303, 422)


def test_a_click_that_is_sent_twice_is_saved_once(studio: Any, visit: Any) -> None:
    store = studio("WSsim")
    ann = visit(store)
    click = {"milliseconds": 1200, "client_time": "2026-05-01T10:00:00Z", "before": {"rating1": []}}
    first = ann.answer(1, {"rating1": ["4"]}, **click)
    assert first.json() == {
        "complete": False,
        "unanswered": ["rating2", "rating3", "rating4"],
        "next": "/page/2",
    }
    assert ann.answer(1, {"rating1": ["4"]}, **click).json() == first.json()
    ann.answer(1, {"rating1": ["5"]}, "r2", before={"rating1": ["4"]})
    late = ann.answer(1, {"rating1": ["4"]}, **click)  # the first one again, which hung somewhere
    assert late.status_code == 200
    events = list(store.events())
    assert [event.value for event in events] == [4, 5]
    assert (events[0].milliseconds, events[0].client_time) == (1200, "2026-05-01T10:00:00Z")
    assert store.page_at(1, 1).answers.values == {"bank%1": 5}


def test_check_boxes_that_arrive_late_mean_the_same(studio: Any, visit: Any) -> None:
    store = studio("WSbest")
    ann = visit(store)
    ann.answer(1, {"best": ["bank%1"]}, "r1", before={"best": []})
    ann.answer(1, {"best": ["bank%1", "bank%2"]}, "r2", before={"best": ["bank%1"]})
    ann.answer(1, {"best": ["bank%2"]}, "r3", before={"best": ["bank%1", "bank%2"]})
    ann.answer(1, {"best": ["bank%1"]}, "r1", before={"best": []})
    assert store.page_at(1, 1).answers.chosen == ("bank%2",)
    assert len(event_values(store)) == 3


def test_a_form_sent_twice_is_saved_once(studio: Any, visit: Any) -> None:
    store = studio("WSsim")
    ann = visit(store)
    page = ann.get("/page/1").text
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page)) | RATED
    for _ in range(3):
        assert ann.client.post("/page/1", data=fields, follow_redirects=False).headers["location"] == "/page/2"
    assert len(event_values(store)) == 4
    assert all(event.milliseconds is not None and event.milliseconds < 60_000 for event in store.events())


def test_the_last_page_leads_to_a_summary(studio: Any, visit: Any) -> None:
    store = studio("Usim")
    ann = visit(store)
    assert str(ann.get("/done").url).endswith("/page/1")
    for number, value in enumerate(["1", "5", "undecided"], start=1):
        last = ann.send(f"/page/{number}", follow=True, rating1=value, comment="hm" if number == 1 else "")
    assert str(last.url).endswith("/done")
    assert "Thank you, ann" in last.text
    assert "You have answered 3 pages." in last.text
    assert "5 (identical)" in last.text
    assert "can’t decide" in last.text
    assert str(ann.get("/page/4").url).endswith("/done")
    assert ann.get("/page/2").status_code == 200


def test_instructions_are_rendered_as_safe_html(studio: Any, visit: Any) -> None:
    evil = INSTRUCTIONS + "\n<script>alert(1)</script> [x](javascript:alert) ![y](http://example.org/z.png)\n"
    ann = visit(studio("Usim", study=make_study("Usim", instructions=evil)))
    for page in (ann.get("/page/1").text, ann.get("/instructions").text):
        assert "<strong>marked word</strong>" in page
        assert "<script>alert" not in page
        assert 'href="javascript' not in page
        assert "<img" not in page


def test_scripts_in_texts_are_escaped(studio: Any, visit: Any) -> None:
    evil = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
    page = make_pages("WSsim", 1)[0]
    passage = replace(page.passages[0], text=f"{evil} bank {evil}", before=evil, after=evil)
    start = len(evil) + 1
    passage = replace(passage, start=start, end=start + 4)
    senses = tuple(replace(sense, gloss=evil, synonyms=(evil,), examples=(evil,)) for sense in page.senses)
    store = studio("WSsim", pages=[replace(page, passages=(passage,), senses=senses)])
    ann = visit(store, name="<i>ann</i>")
    ann.send("/page/1", comment=evil, invalid=evil)
    for address in ("/page/1", "/done", "/instructions"):
        text = ann.get(address).text
        assert "<script>alert" not in text
        assert "<img" not in text
        assert "<i>ann" not in text


def test_training_shows_the_right_answers_afterwards(studio: Any, visit: Any) -> None:
    more = "[training]\nanswers = 'a.csv'\ntolerance = 1\n"
    right: dict[str, float | None] = {"bank%1": 1, "bank%2": 5, "bank%3": 1, "bank%4": 1}
    practice = replace(make_pages("WSsim", 1)[0], name="training", round="", role="training", right=right, tolerance=1)
    store = studio("WSsim", pages=[practice, *make_pages("WSsim", 2)], study=make_study("WSsim", more=more))
    ann = visit(store)
    assert "Practice: afterwards you will see the expected answers" in ann.get("/page/1").text
    assert str(ann.get("/page/1/feedback").url).endswith("/page/1")
    answer = ann.send("/page/1", follow=True, **RATED)
    assert str(answer.url).endswith("/page/1/feedback")
    assert "Practice: all answers as expected" in answer.text
    assert "your answer: 2 (mostly different) · expected: 1 (completely different)" in answer.text
    assert "Practice" not in ann.get("/page/2").text


def test_a_paused_annotator_sees_a_notice_and_loses_nothing(studio: Any, visit: Any) -> None:
    store = studio("Usim")
    ann = visit(store)
    ann.get("/page/1")
    token = ann.hidden("/page/1")
    store.set_state("ann", "paused", "boss")
    assert ann.get("/page/1").status_code == 403
    assert "paused" in ann.get("/done").text
    headers = {"X-CSRF-Token": token}
    body = {"fields": {"rating1": ["3"]}, "request": "r"}
    assert ann.client.post("/page/1/answer", json=body, headers=headers).status_code == 423
    store.set_state("ann", "active", "boss")
    assert ann.client.post("/page/1/answer", json=body, headers=headers).status_code == 200


def test_two_annotators_do_not_see_each_other(studio: Any, visit: Any) -> None:
    store = studio("Usim")
    ann, bob = visit(store), visit(store, "bob")
    ann.send("/page/1", rating1="5", comment="only mine")
    assert "only mine" not in bob.get("/page/1").text
    assert str(bob.get("/page/2").url).endswith("/page/1")
    bob.send("/page/1", rating1="1")
    assert {rating.annotator: rating.value for rating in store.ratings()} == {"ann": 5, "bob": 1}

"""What an annotator does, in a real browser: with the mouse, with keys alone, offline, and without JavaScript."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("fastapi", reason="the studio needs polyseme[annotate]")

from served import check_accessibility, press_next, rate, values, wait_for_script, wait_until_saved
from studies import make_pages, make_study

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from served import Serve

expect: Any = pytest.importorskip("playwright.sync_api", reason="browsers are driven by Playwright").expect


# ---- Each task from the invitation to the thank-you


def test_wssim_is_answered_from_the_invitation_to_the_thank_you(serve: Serve) -> None:
    served = serve("WSsim")
    page = served.enter()
    for number in (1, 2, 3):
        for question, value in enumerate("1521", start=1):
            rate(page, question, value)
        wait_until_saved(page)
        press_next(page, f"/page/{number + 1}" if number < 3 else "/done")
    expect(page.get_by_role("heading", name="Thank you, ann")).to_be_visible()
    expect(page.get_by_role("row", name="1 (completely different)")).to_contain_text("6")
    assert values(served.store) == [1, 5, 2, 1] * 3
    assert all(event.milliseconds is not None and event.client_time for event in served.store.events())


def test_usim_is_answered_and_can_be_undecided(serve: Serve) -> None:
    served = serve("Usim")
    page = served.enter()
    left, right = (page.locator(".pair section").nth(place).bounding_box() for place in (0, 1))
    assert left
    assert right
    assert left["y"] == right["y"]
    assert left["x"] < right["x"]
    rate(page, 1, "5")
    press_next(page, "/page/2")
    rate(page, 1, "undecided")
    press_next(page, "/page/3")
    rate(page, 1, "2")
    press_next(page, "/done")
    assert values(served.store) == [5, None, 2]


@pytest.mark.parametrize("several", [True, False])
def test_wsbest_is_answered_with_one_or_several_senses(serve: Serve, several: bool) -> None:
    served = serve("WSbest", several=several)
    page = served.enter()
    for number in (1, 2, 3):
        page.get_by_label("sloping land").check()
        page.get_by_label("a row of similar things").check()
        press_next(page, f"/page/{number + 1}" if number < 3 else "/done")
    chosen = served.store.page_at(1, 1).answers.chosen
    assert chosen == (("bank%2", "bank%4") if several else ("bank%4",))


def test_synbest_is_answered_with_a_word_or_none(serve: Serve) -> None:
    served = serve("SYNbest")
    page = served.enter()
    page.get_by_role("textbox", name="Word").fill("shore")
    page.keyboard.press("Enter")
    page.wait_for_url("**/page/2")
    page.get_by_label("No word fits").check()
    wait_until_saved(page)
    page.get_by_role("textbox", name="Word").fill("row")
    expect(page.get_by_label("No word fits")).to_be_checked()
    page.get_by_role("textbox", name="Word").blur()
    expect(page.get_by_label("No word fits")).not_to_be_checked()
    wait_until_saved(page)
    press_next(page, "/page/3")
    page.get_by_label("No word fits").check()
    press_next(page, "/done")
    answers = [served.store.page_at(1, number).answers.chosen for number in (1, 2, 3)]
    assert answers == [("shore",), ("row",), ("-",)]


# ---- Keys


def test_all_tasks_can_be_answered_by_keys(serve: Serve) -> None:
    served = serve("WSsim", "Usim", "WSbest", "SYNbest", count=1)
    page = served.context().new_page()
    page.goto(served.invite())
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/page/1")
    wait_for_script(page)
    expect(page.locator(".keys")).to_contain_text("1–5 rate and continue")
    page.keyboard.press("1")
    expect(page.locator("#q2 input").first).to_be_focused()
    for key in "53":
        page.keyboard.press(key)
    page.keyboard.press("Shift+Tab")  # back to the third, where the arrow keys rate, too, and do not move on
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#q3 input[value='2']")).to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("4")
    page.wait_for_url("**/page/2")  # complete, and so left by itself
    wait_for_script(page)
    page.keyboard.press("c")
    page.wait_for_url("**/page/3")
    wait_for_script(page)
    page.keyboard.press("2")
    page.keyboard.press("4")
    wait_until_saved(page)
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    page.wait_for_url("**/page/4")
    wait_for_script(page)
    page.keyboard.press("b")
    page.wait_for_url("**/page/3")
    expect(page.get_by_label("a row of similar things")).to_be_checked()
    page.get_by_label("a row of similar things").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/page/4")
    page.get_by_role("textbox", name="Word").focus()
    page.keyboard.type("b1c5")  # letters and digits that are keys elsewhere
    page.keyboard.press("Enter")
    page.wait_for_url("**/done")
    answered = [served.store.page_at(1, number).answers for number in (1, 2, 3, 4)]
    assert list(answered[0].values.values()) == [1, 5, 2, 4]
    assert list(answered[1].values.values()) == [None]
    assert answered[2].chosen == ("bank%4",)
    assert answered[3].chosen == ("b1c5",)


def test_a_key_on_the_last_question_of_an_old_page_moves_to_the_button(serve: Serve) -> None:
    served = serve("Usim")
    page = served.enter()
    wait_for_script(page)
    page.keyboard.press("3")
    page.wait_for_url("**/page/2")
    page.goto(f"{served.address}/page/1")
    wait_for_script(page)
    page.keyboard.press("4")
    expect(page.locator("#next")).to_be_focused()
    wait_until_saved(page)
    assert page.url.endswith("/page/1")
    page.keyboard.press("Enter")
    page.wait_for_url("**/page/2")
    assert values(served.store) == [3, 4]


def test_keys_can_be_switched_off(serve: Serve) -> None:
    served = serve("Usim")
    page = served.enter()
    wait_for_script(page)
    page.get_by_label("Shortcuts:").uncheck()
    page.locator("h1").click()
    page.keyboard.press("3")
    page.reload()
    wait_for_script(page)
    expect(page.get_by_label("Shortcuts:")).not_to_be_checked()
    page.keyboard.press("3")
    page.get_by_label("Shortcuts:").check()
    page.keyboard.press("4")
    page.wait_for_url("**/page/2")
    assert values(served.store) == [4]


# ---- What is missing, back, resume


def test_an_incomplete_page_lists_what_is_missing(serve: Serve) -> None:
    page = serve("WSsim").enter()
    rate(page, 1, "3")
    rate(page, 3, "3")
    page.locator("#next").click()
    page.wait_for_url("**/page/1?missing=1")
    notice = page.get_by_role("alert")
    expect(notice).to_be_focused()
    expect(notice).to_contain_text("Rate meaning 2.")
    expect(notice).to_contain_text("Rate meaning 4.")
    notice.get_by_role("link", name="Rate meaning 4").click()
    expect(page.locator("#q4")).to_be_focused()
    wait_for_script(page)
    page.keyboard.press("1")
    expect(page.locator("#q4")).not_to_have_class(re.compile("missing"))
    rate(page, 2, "2")
    press_next(page, "/page/2")


def test_earlier_pages_can_be_revised(serve: Serve) -> None:
    served = serve("Usim")
    page = served.enter()
    rate(page, 1, "2")
    press_next(page, "/page/2")
    page.get_by_role("link", name="Back").click()
    expect(page.locator("#q1 input[value='2']")).to_be_checked()
    rate(page, 1, "5")
    page.get_by_text("Comment or report a problem").click()
    page.get_by_label("Comment").fill("On second thoughts 🎈")
    press_next(page, "/page/2")
    page.go_back()
    expect(page.get_by_label("Comment")).to_have_value("On second thoughts 🎈")
    assert values(served.store) == [2, 5]
    assert served.store.page_at(1, 1).answers.comment == "On second thoughts 🎈"


def test_an_invalid_usage_need_not_be_rated(serve: Serve) -> None:
    served = serve("WSsim")
    page = served.enter()
    page.get_by_text("Comment or report a problem").click()
    page.get_by_label("Problem with this text").select_option("wrong part of speech")
    wait_until_saved(page)
    press_next(page, "/page/2")
    assert served.store.page_at(1, 1).answers.invalid == "wrong part of speech"


def test_work_resumes_after_closing_the_browser(serve: Serve) -> None:
    served = serve("WSsim")
    first = served.context()
    link = served.invite()
    page = first.new_page()
    page.goto(link)
    page.get_by_role("button", name="Start").click()
    for question, value in enumerate("1521", start=1):
        rate(page, question, value)
    press_next(page, "/page/2")
    rate(page, 1, "4")
    wait_until_saved(page)
    state = first.storage_state()
    first.close()
    again = served.context(storage_state=state).new_page()
    again.goto(served.address)
    again.wait_for_url("**/page/2")
    expect(again.locator("#q1 input[value='4']")).to_be_checked()
    elsewhere = served.context(size="phone").new_page()
    elsewhere.goto(link)
    elsewhere.get_by_role("button", name="Continue").click()
    elsewhere.wait_for_url("**/page/2")
    expect(elsewhere.locator("#q1 input[value='4']")).to_be_checked()


def test_annotators_log_out_and_in_with_a_password(serve: Serve) -> None:
    served = serve("Usim")
    page = served.context().new_page()
    page.goto(served.invite())
    page.get_by_text("Set a password instead").click()
    page.get_by_label("Password (").fill("correct horse battery")
    page.get_by_label("Repeat the password").fill("correct horse battery")
    page.get_by_role("button", name="Set password and start").click()
    page.wait_for_url("**/page/1")
    rate(page, 1, "2")
    press_next(page, "/page/2")
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("alert")).to_contain_text("You are logged out")
    page.get_by_label("Your name").fill("ann")
    page.get_by_label("Password").fill("wrong wrong wrong")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("alert")).to_contain_text("do not match")
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/page/2")


def test_the_instructions_stay_open_or_closed(serve: Serve) -> None:
    page = serve("Usim").enter()
    words = page.locator(".help .words")
    expect(words).to_be_visible()
    page.get_by_text("Instructions", exact=True).click()
    rate(page, 1, "2")
    press_next(page, "/page/2")
    expect(words).to_be_hidden()
    page.get_by_text("Instructions", exact=True).click()
    expect(words).to_contain_text("marked word")
    page.reload()
    expect(words).to_be_visible()


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_training_pages_display_feedback(serve: Serve, shot: Callable[[Page, str], None], size: str) -> None:
    right: dict[str, float | None] = {"bank.n.2": 5}
    first = make_pages("Usim", 1)[0]
    practice = replace(first, name="practice", round="", role="training", right=right, tolerance=0)
    study = make_study("Usim", more="[training]\nanswers = 'a.csv'\npass = 0.1\nattempts = 5\n")
    served = serve("Usim", pages=[practice, *make_pages("Usim", 3)], study=study)
    page = served.enter(context=served.context(size))
    expect(page.locator(".practice")).to_be_visible()
    wait_for_script(page)
    page.keyboard.press("3")
    page.wait_for_url("**/page/1/feedback")
    expect(page.get_by_role("heading", name="Practice: 0 of 1 answers as expected")).to_be_visible()
    expect(page.locator(".feedback")).to_contain_text("your answer: 3 (similar) · expected: 5 (identical)")
    check_accessibility(page)
    shot(page, f"feedback-{size}-light")
    press_next(page, "/page/2")
    wait_for_script(page)
    expect(page.locator(".practice")).to_be_visible()  # not passed, and so once more
    page.keyboard.press("5")
    page.wait_for_url("**/page/2/feedback")
    expect(page.get_by_role("heading", name="Practice: all answers as expected")).to_be_visible()
    press_next(page, "/page/3")
    expect(page.locator(".practice")).to_be_hidden()


# ---- Two at once


def test_two_annotators_work_at_once(serve: Serve) -> None:
    served = serve("WSsim", count=2)
    ann, bob = served.enter("ann"), served.enter("bob")
    for number in (1, 2):
        for question in (1, 2, 3, 4):
            rate(ann, question, "2")
            rate(bob, question, "4")
        for page in (ann, bob):
            press_next(page, f"/page/{number + 1}" if number < 2 else "/done")
    ratings = [(rating.annotator, rating.value) for rating in served.store.ratings()]
    assert sorted(ratings) == [("ann", 2)] * 8 + [("bob", 4)] * 8


# ---- Without JavaScript


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_all_tasks_work_without_javascript(serve: Serve, size: str) -> None:
    served = serve("WSsim", "Usim", "WSbest", "SYNbest", count=1)
    page = served.enter(context=served.context(size, java_script_enabled=False))
    expect(page.locator(".keys")).to_be_hidden()
    expect(page.locator("#saved")).to_have_text("Saved when you continue")
    page.get_by_text("More context").click()
    expect(page.get_by_text("first warm day")).to_be_visible()
    rate(page, 1, "5")
    page.locator("#next").click()
    page.wait_for_url("**/page/1?missing=1")
    expect(page.get_by_role("alert")).to_contain_text("Rate meaning 2.")
    for question in (2, 3, 4):
        rate(page, question, "1")
    press_next(page, "/page/2")
    rate(page, 1, "undecided")
    page.get_by_text("Comment or report a problem").click()
    page.get_by_label("Comment").fill("no script")
    press_next(page, "/page/3")
    page.get_by_label("sloping land").check()
    press_next(page, "/page/4")
    page.get_by_role("textbox", name="Word").fill("shore")
    press_next(page, "/done")
    expect(page.get_by_role("heading", name="Thank you, ann")).to_be_visible()
    assert values(served.store) == [5, 1, 1, 1, None, 1, 1]
    assert served.store.page_at(1, 2).answers.comment == "no script"

"""Broken connections: what was clicked is saved later, in its order, once; whatever happens in between."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("fastapi", reason="the studio needs polyseme[annotate]")

from sqlalchemy import delete

from polyseme.studio.store.accounts import Accounts
from polyseme.studio.store.schema import SESSION
from served import rate, values

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from served import Serve

expect: Any = pytest.importorskip("playwright.sync_api", reason="browsers are driven by Playwright").expect


def says(page: Page, words: str) -> None:
    expect(page.locator("#saved")).to_have_text(words)


def begun(serve: Serve, *tasks: str) -> tuple[Any, Page]:
    served = serve(*tasks)
    page = served.enter()
    page.wait_for_selector("html.js")
    return served, page


def test_answers_wait_offline_and_are_sent_later(serve: Serve) -> None:
    served, page = begun(serve, "WSsim")
    rate(page, 1, "2")
    says(page, "Saved")
    page.context.set_offline(True)
    rate(page, 2, "3")
    says(page, "Offline: 1 answer will be sent later")
    rate(page, 3, "4")
    rate(page, 3, "5")
    says(page, "Offline: 3 answers will be sent later")
    assert values(served.store) == [2]
    page.context.set_offline(False)
    says(page, "Saved")
    assert values(served.store) == [2, 3, 4, 5]


def test_waiting_answers_survive_a_reload(serve: Serve) -> None:
    served, page = begun(serve, "WSsim")
    page.route("**/answer", lambda route: route.abort())
    rate(page, 1, "2")
    rate(page, 2, "3")
    page.get_by_text("Comment or report a problem").click()
    page.get_by_label("Comment").fill("not lost")
    page.get_by_label("Comment").blur()
    says(page, "Offline: 3 answers will be sent later")
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    says(page, "Offline: 3 answers will be sent later")
    expect(page.locator("#q1 input[value='2']")).to_be_checked()  # as it was clicked, though the server knows nothing
    expect(page.get_by_label("Comment")).to_have_value("not lost")
    assert values(served.store) == []
    page.unroute("**/answer")
    page.reload()
    says(page, "Saved")
    assert values(served.store) == [2, 3]
    assert served.store.page_at(1, 1).answers.comment == "not lost"


def test_an_answer_whose_reply_is_lost_is_stored_once(serve: Serve) -> None:
    served, page = begun(serve, "WSsim")
    lost = []

    def lose(route: Route) -> None:
        route.fetch()  # it reaches the server, and what the server says of it does not reach the browser
        lost.append(json.loads(route.request.post_data or "")["request"])
        if len(lost) < 3:
            route.abort()
        else:
            route.continue_()

    page.route("**/answer", lose)
    rate(page, 1, "2")
    expect(page.locator("#saved")).to_have_text("Saved", timeout=20_000)
    assert len(lost) == 3
    assert len(set(lost)) == 1
    page.unroute("**/answer")
    rate(page, 1, "3")
    says(page, "Saved")
    assert values(served.store) == [2, 3]


def test_the_button_waits_for_the_connection(serve: Serve) -> None:
    served, page = begun(serve, "Usim")
    page.context.set_offline(True)
    rate(page, 1, "4")
    page.locator("#next").click()
    expect(page.locator("#next")).to_have_text("Waiting for a connection …")
    page.context.set_offline(False)
    page.wait_for_url("**/page/2")
    assert values(served.store) == [4]


def test_a_key_leads_on_when_the_connection_is_back(serve: Serve) -> None:
    served, page = begun(serve, "Usim")
    page.context.set_offline(True)
    page.keyboard.press("4")
    says(page, "Offline: 1 answer will be sent later")
    page.context.set_offline(False)
    page.wait_for_url("**/page/2")
    assert values(served.store) == [4]


def test_answers_are_sent_again_after_a_server_error(serve: Serve) -> None:
    served, page = begun(serve, "Usim")
    answers = iter([500, 503, 429])

    def troubled(route: Route) -> None:
        status = next(answers, None)
        if status is None:
            route.continue_()
        else:
            route.fulfill(status=status, body="<h1>Bad gateway</h1>" if status == 500 else "{}")

    page.route("**/answer", troubled)
    rate(page, 1, "4")
    says(page, "Offline: 1 answer will be sent later")
    expect(page.locator("#saved")).to_have_text("Saved", timeout=20_000)  # after 1 + 2 + 4 seconds
    assert values(served.store) == [4]


def test_answers_wait_after_a_logout(serve: Serve) -> None:
    served, page = begun(serve, "Usim")
    link = f"{served.address}/invitation/{served.store.add_annotator('bob')}"
    with served.store.database.write() as connection:
        connection.execute(delete(SESSION))
    rate(page, 1, "4")
    expect(page.locator("#saved")).to_contain_text("You are logged out. Not sent yet: 1 answer.")
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(link)  # somebody else at the same computer
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/page/1")
    says(page, "Saved")
    assert values(served.store) == []  # ann's answer is not taken for bob's
    page.goto(f"{served.address}/invitation/{Accounts(served.store).invite('ann')}")
    page.get_by_role("button", name="Continue").click()
    page.wait_for_url("**/page/1")
    says(page, "Saved")
    assert [(rating.annotator, rating.value) for rating in served.store.ratings()] == [("ann", 4)]


def test_a_refusal_is_displayed(serve: Serve) -> None:
    served, page = begun(serve, "SYNbest")
    page.evaluate("document.querySelector('[name=substitute]').removeAttribute('maxlength')")
    page.get_by_role("textbox", name="Word").fill("x" * 200)
    page.get_by_role("textbox", name="Word").blur()
    expect(page.locator("#saved")).to_contain_text("Not saved:")
    expect(page.locator("#saved")).to_contain_text("at most 100")
    page.get_by_role("textbox", name="Word").fill("shore")
    page.get_by_role("textbox", name="Word").blur()
    says(page, "Saved")
    assert served.store.page_at(1, 1).answers.chosen == ("shore",)


def test_answers_wait_while_work_is_paused(serve: Serve) -> None:
    served, page = begun(serve, "Usim")
    served.store.set_state("ann", "paused", "boss")
    rate(page, 1, "4")
    expect(page.locator("#saved")).to_contain_text("Your work is paused. Not sent yet: 1 answer.")
    served.store.set_state("ann", "active", "boss")
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("link", name="Try again").click()
    says(page, "Saved")
    assert values(served.store) == [4]


def test_two_windows_of_one_annotator_lose_nothing(serve: Serve) -> None:
    served, page = begun(serve, "WSsim")
    other = page.context.new_page()
    other.goto(f"{served.address}/page/1")
    other.wait_for_selector("html.js")
    page.context.set_offline(True)
    for question, value in enumerate("1234", start=1):
        rate(page if question % 2 else other, question, value)
    page.context.set_offline(False)
    says(page, "Saved")
    says(other, "Saved")
    assert sorted(value or 0 for value in values(served.store)) == [1, 2, 3, 4]
    assert served.store.page_at(1, 1).complete

"""The manager's pages in a browser: on a screen and on a phone, in light and dark, and without JavaScript."""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("fastapi", reason="the studio needs polyseme[annotate]")
pytest.importorskip("playwright.sync_api", reason="browsers are driven by Playwright")

from polyseme.studio.store.store import Store
from polyseme.studio.study.pages import Judgement
from polyseme.studio.study.pages import Page as StudyPage
from served import check_accessibility
from studies import SENSES, make_pages, make_study

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from served import Serve, Served


def many_pages() -> list[StudyPage]:
    """Pages of all tasks, of two lemmas, with pairs that make triangles."""
    pages = [page for task in ("WSsim", "WSbest", "SYNbest") for page in make_pages(task, 4, several=False)]
    shore = [replace(page, name=f"{page.name}/shore", lemma="shore.n") for page in make_pages("WSsim", 4)]
    passages = [page.passages[0] for page in make_pages("WSsim", 4)]
    pair = make_pages("Usim", 1)[0]
    pairs = [
        replace(pair, name=f"Usim/1/{one}-{two}", passages=(passages[one], passages[two]))
        for one in range(4)
        for two in range(one)
    ]
    return [*pages, *shore, *pairs]


def judge(store: Store, name: str, noise: float, pages: int = 100, comment: str = "") -> None:
    """Add an annotator who judges so many pages, with more or less noise."""
    rng = random.Random(name)
    store.add_annotator(name)
    annotator = next(each.id for each in store.annotators() if each.name == name)
    for _ in range(pages):
        assigned = store.current_page(annotator)
        if assigned is None:
            return
        page = assigned.page
        judgements = [
            Judgement(
                target, float(min(5, max(1, round(1 + (at + len(page.usage + target)) % 5 + rng.gauss(0, noise)))))
            )
            for at, target in enumerate(page.targets)
        ]
        if page.task == "WSbest":
            judgements = [Judgement(rng.choice(SENSES[:2] if noise < 1 else SENSES).id, 1)]
        if page.task == "SYNbest":
            judgements = [Judgement(rng.choice(("shore", "riverside", "edge") if noise < 1 else ("thing",)), 1)]
        milliseconds = round(rng.gauss(9000, 2000) if noise < 1 else 900)
        text = comment if rng.random() < 0.2 else None
        store.record(
            annotator, assigned.number, judgements, request=uuid.uuid4().hex, milliseconds=milliseconds, comment=text
        )


@pytest.fixture
def running(serve: Serve) -> Served:
    """A study with judgements of several annotators, one of them careless."""
    served = serve(pages=many_pages(), study=make_study("WSsim", "Usim", "WSbest", "SYNbest"))
    judge(served.store, "ann", 0.5, comment="“Riverside” would do as well, but it is rare.")
    judge(served.store, "Bérénice de Saint-Exupéry", 0.7, 20)
    judge(served.store, "cy", 0.6)
    judge(served.store, "dee", 2.5)
    served.store.add_annotator("eli")
    served.store.set_state("cy", "paused", "boss")
    return served


def enter(served: Served, size: str = "desktop", **more: object) -> Page:
    """A manager who is logged in."""
    page = served.context(size, **more).new_page()
    page.goto(f"{served.address}/invitation/{served.store.add_annotator('boss', kind='manager')}")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/manage")
    return page


@pytest.mark.parametrize("size, scheme", [("desktop", "light"), ("phone", "light"), ("desktop", "dark")])
def test_every_manager_page_is_accessible(
    running: Served, shot: Callable[[Page, str], None], size: str, scheme: str
) -> None:
    page = enter(running, size, color_scheme=scheme)

    def look(name: str) -> None:
        check_accessibility(page)
        wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        assert not wide, f"{name} is wider than the screen"
        shot(page, f"manage-{name}-{size}-{scheme}")

    look("progress")
    page.get_by_label("Name", exact=True).fill("fay")
    page.get_by_role("button", name="Invite").click()
    look("invited")
    tabs = {"Agreement": "agreement", "Quality": "quality", "Disputed items": "disputed", "Log": "log"}
    for tab, address in tabs.items():
        page.get_by_role("link", name=tab, exact=True).click()
        page.wait_for_url(f"**/manage/{address}")
        look(address)
    page.get_by_role("link", name="Disputed items", exact=True).click()
    for task in ("WSsim", "Usim", "WSbest", "SYNbest"):
        section = page.get_by_role("region", name=task, exact=True)
        section.get_by_role("link", name="Adjudicate").first.click()
        page.wait_for_url("**/manage/item**")
        look(f"item-{task.lower()}")
        page.go_back()


def test_managers_adjudicate_resume_and_download_without_javascript(running: Served) -> None:
    page = enter(running, java_script_enabled=False)
    events = list(running.store.events())
    page.get_by_role("link", name="Disputed items", exact=True).click()
    page.get_by_role("region", name="WSsim", exact=True).get_by_role("link", name="Adjudicate").first.click()
    page.locator("fieldset").first.get_by_role("radio").nth(3).check()
    page.get_by_label("Reason").fill("It says so.")
    page.get_by_role("button", name="Save decision").click()
    page.get_by_text("Your decision is saved beside").wait_for()
    after = list(running.store.events())
    assert after[: len(events)] == events
    assert [(each.kind, each.annotator) for each in after[len(events) :]] == [
        ("adjudication", "boss"),
        ("comment", "boss"),
    ]
    page.get_by_role("link", name="Progress").click()
    page.get_by_role("button", name="Resume: cy").click()
    page.get_by_role("button", name="Pause: cy").wait_for()
    assert next(each.state for each in running.store.annotators() if each.name == "cy") == "active"
    with page.expect_download() as download:
        page.get_by_role("link", name="csv", exact=True).click()
    assert download.value.suggested_filename == "study-ratings.csv"

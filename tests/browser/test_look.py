"""How the pages look on a screen and on a phone, in light and dark, and what a screen reader gets."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("fastapi", reason="the studio needs polyseme[annotate]")
pytest.importorskip("playwright.sync_api", reason="browsers are driven by Playwright")

from served import check_accessibility, press_next, rate, wait_for_script, wait_until_saved

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from served import Serve


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_every_annotator_page_is_accessible(
    serve: Serve, shot: Callable[[Page, str], None], size: str, scheme: str
) -> None:
    served = serve("WSsim", "Usim", "WSbest", "SYNbest", count=1)
    page = served.context(size, color_scheme=scheme).new_page()

    def look(name: str) -> None:
        check_accessibility(page)
        wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        assert not wide, f"{name} is wider than the screen"
        shot(page, f"{name}-{size}-{scheme}")

    page.goto(f"{served.address}/login")
    look("login")
    page.goto(served.invite())
    look("invitation")
    page.get_by_role("button", name="Start").click()
    wait_for_script(page)
    look("instructions-open")
    page.get_by_text("Instructions", exact=True).click()
    rate(page, 1, "1")
    rate(page, 2, "5")
    wait_until_saved(page)
    page.mouse.wheel(0, -5000)
    look("wssim")
    page.locator("#next").click()
    page.wait_for_url("**missing=1")
    wait_for_script(page)
    look("missing")
    rate(page, 3, "1")
    rate(page, 4, "2")
    press_next(page, "/page/2")
    wait_for_script(page)
    page.get_by_text("More context").first.click()
    rate(page, 1, "4")
    wait_until_saved(page)
    look("usim")
    press_next(page, "/page/3")
    wait_for_script(page)
    page.get_by_label("sloping land").check()
    wait_until_saved(page)
    look("wsbest")
    press_next(page, "/page/4")
    wait_for_script(page)
    page.get_by_role("textbox", name="Word").fill("shore")
    page.get_by_text("Comment or report a problem").click()
    page.get_by_label("Comment").fill("“Waterside” would do as well.")
    page.get_by_label("Comment").blur()
    wait_until_saved(page)
    look("synbest")
    page.goto(f"{served.address}/instructions")
    look("instructions")
    page.goto(f"{served.address}/nowhere")
    look("no-page")
    page.goto(f"{served.address}/page/4")
    press_next(page, "/done")
    look("done")

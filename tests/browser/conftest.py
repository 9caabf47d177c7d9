"""A studio that real browsers come to: Chromium, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from served import Serve, Served, Server


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A browser."""
    from playwright.sync_api import sync_playwright

    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("there is no Chromium here; on Debian: apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def serve(chromium: Browser, tmp_path: Path) -> Iterator[Serve]:
    """Serves a study of some tasks, or of pages; at the end no script may have complained."""
    from served import Served, Server
    from studies import begin, make_pages, make_study

    running: list[tuple[Server, Served]] = []

    def served(*tasks: str, count: int = 3, several: bool = True, pages: Any = None, study: Any = None) -> Served:
        shown = pages or [page for task in tasks for page in make_pages(task, count, several)]
        store = begin(tmp_path, study or make_study(*tasks), shown)
        server = Server(store)
        made = Served(f"http://127.0.0.1:{server.port}", store, chromium)
        running.append((server, made))
        return made

    yield served
    for server, made in running:
        for context in made.opened:
            context.close()
        server.stop()
        made.store.close()
        assert made.problems == []


@pytest.fixture
def shot() -> Callable[[Page, str], None]:
    """Takes a picture of a page, into the folder that POLYSEME_SCREENSHOTS names, if it does."""
    folder = os.environ.get("POLYSEME_SCREENSHOTS")

    def taken(page: Page, name: str) -> None:
        if folder:
            page.wait_for_load_state("networkidle")
            page.screenshot(path=str(Path(folder) / f"{name}.png"))

    return taken

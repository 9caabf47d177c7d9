"""A studio for real browsers: Chromium, driven by Playwright."""

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

    executable = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if executable is None:
        pytest.skip("there is no Chromium here; on Debian: apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def serve(chromium: Browser, tmp_path: Path) -> Iterator[Serve]:
    """A function that serves a study of tasks or of pages; at the end no script may have reported an error."""
    from served import Served, Server
    from studies import begin, make_pages, make_study

    running: list[tuple[Server, Served]] = []

    def serve_study(*tasks: str, count: int = 3, several: bool = True, pages: Any = None, study: Any = None) -> Served:
        content = pages or [page for task in tasks for page in make_pages(task, count, several)]
        store = begin(tmp_path, study or make_study(*tasks), content)
        server = Server(store)
        served = Served(f"http://127.0.0.1:{server.port}", store, chromium)
        running.append((server, served))
        return served

    yield serve_study
    for server, served in running:
        for context in served.opened:
            context.close()
        server.stop()
        served.store.close()
        assert served.problems == []


@pytest.fixture
def shot() -> Callable[[Page, str], None]:
    """A function that saves a screenshot in the folder POLYSEME_SCREENSHOTS, if it is set."""
    folder = os.environ.get("POLYSEME_SCREENSHOTS")

    def take_screenshot(page: Page, name: str) -> None:
        if folder:
            page.wait_for_load_state("networkidle")
            page.screenshot(path=str(Path(folder) / f"{name}.png"))

    return take_screenshot

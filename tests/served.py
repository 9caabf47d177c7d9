"""A studio that is served, and browsers that visit it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from polyseme.studio.store.store import Store
from polyseme.studio.web.app import create_application

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

SIZES = {"desktop": (1280, 800), "phone": (390, 844)}


@dataclass
class Served:
    """A study that is being served, and the browsers that visit it."""

    address: str
    store: Store
    browser: Browser
    opened: list[BrowserContext] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def context(self, size: str = "desktop", **more: Any) -> BrowserContext:
        """A browser with its own cookies; errors of its scripts are problems."""
        width, height = SIZES[size]
        phone: dict[str, Any] = {"is_mobile": True, "has_touch": True} if size == "phone" else {}
        context = self.browser.new_context(viewport={"width": width, "height": height}, **phone, **more)
        context.set_default_timeout(15_000)
        context.on("weberror", lambda error: self.problems.append(str(error.error)))
        context.on(
            "console",
            lambda message: self.problems.append(message.text) if "Content Security" in message.text else None,
        )
        self.opened.append(context)
        return context

    def invite(self, name: str = "ann") -> str:
        """The invitation link of a new annotator."""
        return f"{self.address}/invitation/{self.store.add_annotator(name)}"

    def enter(self, name: str = "ann", context: BrowserContext | None = None) -> Page:
        """A new annotator on their first page."""
        page = (context or self.context()).new_page()
        page.goto(self.invite(name))
        page.get_by_role("button", name="Start").click()
        page.wait_for_url("**/page/1")
        return page


class Server:
    """uvicorn in a thread of this process."""

    def __init__(self, store: Store) -> None:
        import uvicorn

        config = uvicorn.Config(
            create_application(store, secure=False), host="127.0.0.1", port=0, log_level="error", ws="none"
        )
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        while not self.server.started:
            time.sleep(0.02)
        self.port: int = self.server.servers[0].sockets[0].getsockname()[1]

    def stop(self) -> None:
        """Stop, and wait until it has."""
        self.server.should_exit = True
        self.thread.join(10)


Serve = Callable[..., Served]
"""Serves a study of tasks or of pages."""


def _expect() -> Any:
    from playwright.sync_api import expect

    return expect


def values(store: Store) -> list[float | None]:
    """All ratings, in their order."""
    return [event.value for event in store.events() if event.kind == "rating"]


def wait_until_saved(page: Page) -> None:
    """Wait until all answers are saved."""
    _expect()(page.locator("#saved")).to_have_text("Saved")


def rate(page: Page, question: int, value: str) -> None:
    """Click on a value."""
    page.locator(f"#q{question}").locator(f"input[value='{value}']").check()


def press_next(page: Page, address: str) -> None:
    """Press the button and wait for the next page."""
    page.locator("#next").click()
    page.wait_for_url(f"**{address}")


def wait_for_script(page: Page) -> None:
    """Wait until the script of the page has started."""
    page.wait_for_selector("html.js")


def check_accessibility(page: Page) -> None:
    """Check that axe reports no serious or critical problem."""
    import pytest

    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    violations = axe.Axe().run(page).response["violations"]
    serious = [
        f"{violation['id']}: {violation['nodes'][0]['html']}"
        for violation in violations
        if violation["impact"] in ("serious", "critical")
    ]
    assert not serious, f"{page.url}: {serious}"

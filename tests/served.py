"""A studio that is served, and browsers that come to it."""

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
    """A study that is being served, and browsers that come to it."""

    address: str
    store: Store
    browser: Browser
    opened: list[BrowserContext] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def context(self, size: str = "desktop", **more: Any) -> BrowserContext:
        """A browser of its own, with its own cookies; what its scripts complain of is a problem."""
        width, height = SIZES[size]
        phone: dict[str, Any] = {"is_mobile": True, "has_touch": True} if size == "phone" else {}
        made = self.browser.new_context(viewport={"width": width, "height": height}, **phone, **more)
        made.set_default_timeout(15_000)
        made.on("weberror", lambda error: self.problems.append(str(error.error)))
        made.on("console", lambda said: self.problems.append(said.text) if "Content Security" in said.text else None)
        self.opened.append(made)
        return made

    def invite(self, name: str = "ann") -> str:
        """The link of someone new."""
        return f"{self.address}/invitation/{self.store.add_annotator(name)}"

    def enter(self, name: str = "ann", context: BrowserContext | None = None) -> Page:
        """Someone new at their first page."""
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
"""Serves a study of some tasks, or of pages."""


def _expect() -> Any:
    from playwright.sync_api import expect

    return expect


def values(store: Store) -> list[float | None]:
    """All ratings, in the order in which they were given."""
    return [event.value for event in store.events() if event.kind == "rating"]


def saved(page: Page) -> None:
    """All answers are."""
    _expect()(page.locator("#saved")).to_have_text("Saved")


def rate(page: Page, question: int, value: str) -> None:
    """Click on a value."""
    page.locator(f"#q{question}").locator(f"input[value='{value}']").check()


def go_on(page: Page, where: str) -> None:
    """Press the button."""
    page.locator("#next").click()
    page.wait_for_url(f"**{where}")


def ready(page: Page) -> None:
    """The script is there."""
    page.wait_for_selector("html.js")


def no_barriers(page: Page) -> None:
    """No finding of axe that is serious or critical."""
    import pytest

    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    found = axe.Axe().run(page).response["violations"]
    grave = [f"{each['id']}: {each['nodes'][0]['html']}" for each in found if each["impact"] in ("serious", "critical")]
    assert not grave, f"{page.url}: {grave}"

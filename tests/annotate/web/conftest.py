"""Visitors who come to a studio without a browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from starlette.testclient import TestClient

    from polyseme.annotate.items import Page
    from polyseme.annotate.store import Store
    from polyseme.annotate.study import Study


@dataclass
class Visit:
    """Someone who has a browser, so to speak, and perhaps a link."""

    store: Store
    client: TestClient
    token: str = ""

    def get(self, address: str, **more: Any) -> Any:
        """Ask for a page, and follow where it leads."""
        return self.client.get(address, **more)

    def hidden(self, address: str, name: str = "csrf") -> str:
        """A hidden field of the form at an address."""
        found = re.search(rf'name="{name}" value="([^"]*)"', self.get(address).text)
        assert found, f"no {name} at {address}"
        return found[1]

    def send(self, address: str, *, at: str = "", follow: bool = False, **fields: Any) -> Any:
        """Send a form that was found at an address, by default the one it is sent to."""
        token = self.hidden(at or address)
        return self.client.post(address, data={"csrf": token, **fields}, follow_redirects=follow)

    def accept(self, **fields: Any) -> Any:
        """Use the invitation link."""
        return self.send(f"/invitation/{self.token}", **fields)

    def answer(self, number: int, fields: Any, request: str = "r1", **more: Any) -> Any:
        """Send one answer as the script does."""
        page = self.get(f"/page/{number}")
        found = re.search(r'name="csrf" value="([^"]*)"', page.text)
        headers = {"X-CSRF-Token": found[1] if found else ""}
        body = {"fields": fields, "request": request, **more}
        return self.client.post(f"/page/{number}/answer", json=body, headers=headers)


Visits = Callable[..., Visit]


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Callable[..., Store]]:
    """Begins a study of tasks, or of pages."""
    from studies import begin, pages_of, study_of

    opened: list[Store] = []

    def made(*tasks: str, pages: list[Page] | None = None, study: Study | None = None, **more: Any) -> Store:
        shown = pages if pages is not None else [page for task in tasks for page in pages_of(task, **more)]
        opened.append(begin(tmp_path, study or study_of(*tasks), shown))
        return opened[-1]

    yield made
    for store in opened:
        store.close()


@pytest.fixture
def visit() -> Visits:
    """Invites someone, who then comes to the studio; without a name, a stranger comes."""
    from starlette.testclient import TestClient

    from polyseme.annotate.web.app import application

    def visited(store: Store, name: str = "ann", kind: str = "annotator", inside: bool = True) -> Visit:
        token = store.add_annotator(name, kind=kind) if name else ""
        client = TestClient(application(store, secure=False), raise_server_exceptions=True)
        made = Visit(store, client, token)
        if name and inside:
            assert made.accept().status_code == 303
        return made

    return visited

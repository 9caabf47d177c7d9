"""Visitors and programs that come to a studio without a browser, and a study with work in it."""

from __future__ import annotations

import html
import re
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from starlette.testclient import TestClient

    from polyseme.studio.store.store import Store
    from polyseme.studio.study.pages import Page
    from polyseme.studio.study.settings import Study


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

    from polyseme.studio.web.app import create_application

    def visited(store: Store, name: str = "ann", kind: str = "annotator", inside: bool = True) -> Visit:
        token = store.add_annotator(name, kind=kind) if name else ""
        client = TestClient(create_application(store, secure=False), raise_server_exceptions=True)
        made = Visit(store, client, token)
        if name and inside:
            assert made.accept().status_code == 303
        return made

    return visited


# -- programs --------------------------------------------------------------------------------------------------------


class Program:
    """A program with a token."""

    def __init__(self, client: TestClient, token: str) -> None:
        self.client = client
        self.token = token

    def get(self, address: str, **more: Any) -> Any:
        """Ask for something."""
        return self.client.get(f"/api/v1{address}", headers=self.headers, **more)

    def post(self, address: str, body: Any = None, **more: Any) -> Any:
        """Send something."""
        given = {"json": body} if body is not None else {}
        return self.client.post(
            f"/api/v1{address}", headers={**self.headers, **more.pop("headers", {})}, **given, **more
        )

    @property
    def headers(self) -> dict[str, str]:
        """What a program sends with everything."""
        return {"Authorization": f"Bearer {self.token}"}


Programs = Callable[..., Program]


@pytest.fixture
def program() -> Programs:
    """A program that acts for somebody of a store."""
    from starlette.testclient import TestClient

    from polyseme.studio.store.accounts import Accounts
    from polyseme.studio.web.app import create_application
    from studio.conftest import add

    def made(store: Store, name: str, kind: str = "annotator") -> Program:
        known = {each.name: each.id for each in store.annotators()}
        who = known.get(name) or add(store, name, kind=kind)
        return Program(TestClient(create_application(store, secure=False)), Accounts(store).create_api_token(who))

    return made


# -- work ------------------------------------------------------------------------------------------------------------

SCRIPT = "<script>alert(1)</script>"
WSSIM, INVALID = "WSsim/1/bank.n.1", "WSsim/1/bank.n.2"


def work(store: Store, name: str, values: Callable[[int, int], float] | None = None, **more: Any) -> int:
    """Someone new who answers all pages; ``values`` says what is given to which target of which usage."""
    from polyseme.studio.study.pages import Judgement
    from studies import SENSES

    store.add_annotator(name)
    who = next(each.id for each in store.annotators() if each.name == name)
    while (shown := store.current_page(who)) is not None:
        usage = int(shown.page.usage.rpartition(".")[2])
        given = values(usage, 0) if values else 3.0
        if shown.page.task == "SYNbest":
            said = [Judgement("shore" if given < 3 else "edge", 1)]
        elif shown.page.task == "WSbest":
            said = [Judgement(SENSES[int(given) % 4].id, 1)]
        else:
            rated = values or (lambda _, at: 1.0 + at)
            said = [Judgement(target, rated(usage, at)) for at, target in enumerate(shown.page.targets)]
        store.record(who, shown.number, said, request=uuid.uuid4().hex, milliseconds=4000, **more)
    return who


@pytest.fixture
def busy(studio: Any) -> Store:
    """A study in which two annotators have judged everything, not alike, with a comment and an invalid usage."""
    store: Store = studio("WSsim", "Usim", "WSbest", "SYNbest")
    work(store, "ann", lambda page, at: float(1 + (page + at) % 5), comment=f"hard {SCRIPT}")
    bob = work(store, "bob", lambda page, at: float(1 + (page * 2 + at) % 5))
    shown = next(each for number in range(1, 13) if (each := store.page_at(bob, number)).page.name == INVALID)
    store.record(bob, shown.number, [], request="i", invalid=f"unclear {SCRIPT}")
    return store


def text(answer: Any) -> str:
    """What a page says, without escapes."""
    assert answer.status_code == 200, answer.text
    assert SCRIPT not in answer.text
    return html.unescape(answer.text)

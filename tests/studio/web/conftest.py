"""Users and programs that use a studio without a browser, and a study with judgements."""

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
    """A user with an HTTP client and perhaps an invitation."""

    store: Store
    client: TestClient
    token: str = ""

    def get(self, address: str, **more: Any) -> Any:
        """Get a page and follow redirects."""
        return self.client.get(address, **more)

    def hidden(self, address: str, name: str = "csrf") -> str:
        """The value of a hidden field of the form at an address."""
        match = re.search(rf'name="{name}" value="([^"]*)"', self.get(address).text)
        assert match, f"no {name} at {address}"
        return match[1]

    def send(self, address: str, *, at: str = "", follow: bool = False, **fields: Any) -> Any:
        """Send the form at an address, by default the address that receives it."""
        token = self.hidden(at or address)
        return self.client.post(address, data={"csrf": token, **fields}, follow_redirects=follow)

    def accept(self, **fields: Any) -> Any:
        """Use the invitation link."""
        return self.send(f"/invitation/{self.token}", **fields)

    def answer(self, number: int, fields: Any, request: str = "r1", **more: Any) -> Any:
        """Send one answer, as the script of the page does."""
        page = self.get(f"/page/{number}")
        match = re.search(r'name="csrf" value="([^"]*)"', page.text)
        headers = {"X-CSRF-Token": match[1] if match else ""}
        body = {"fields": fields, "request": request, **more}
        return self.client.post(f"/page/{number}/answer", json=body, headers=headers)


Visits = Callable[..., Visit]


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Callable[..., Store]]:
    """A function that begins a study of tasks or of pages."""
    from studies import begin, make_pages, make_study

    opened: list[Store] = []

    def begin_study(*tasks: str, pages: list[Page] | None = None, study: Study | None = None, **more: Any) -> Store:
        content = pages if pages is not None else [page for task in tasks for page in make_pages(task, **more)]
        opened.append(begin(tmp_path, study or make_study(*tasks), content))
        return opened[-1]

    yield begin_study
    for store in opened:
        store.close()


@pytest.fixture
def visit() -> Visits:
    """A function that invites a user, who then visits the studio; without a name, a user who is not invited."""
    from starlette.testclient import TestClient

    from polyseme.studio.web.app import create_application

    def visit_studio(store: Store, name: str = "ann", kind: str = "annotator", inside: bool = True) -> Visit:
        token = store.add_annotator(name, kind=kind) if name else ""
        client = TestClient(create_application(store, secure=False), raise_server_exceptions=True)
        user = Visit(store, client, token)
        if name and inside:
            assert user.accept().status_code == 303
        return user

    return visit_studio


# -- programs --------------------------------------------------------------------------------------------------------


class Program:
    """A program with a token."""

    def __init__(self, client: TestClient, token: str) -> None:
        self.client = client
        self.token = token

    def get(self, address: str, **more: Any) -> Any:
        """Send a GET request."""
        return self.client.get(f"/api/v1{address}", headers=self.headers, **more)

    def post(self, address: str, body: Any = None, **more: Any) -> Any:
        """Send a POST request."""
        content = {"json": body} if body is not None else {}
        return self.client.post(
            f"/api/v1{address}", headers={**self.headers, **more.pop("headers", {})}, **content, **more
        )

    @property
    def headers(self) -> dict[str, str]:
        """The headers of every request."""
        return {"Authorization": f"Bearer {self.token}"}


Programs = Callable[..., Program]


@pytest.fixture
def program() -> Programs:
    """A function that creates a program with the token of a user."""
    from starlette.testclient import TestClient

    from polyseme.studio.store.accounts import Accounts
    from polyseme.studio.web.app import create_application
    from studio.conftest import add

    def create_program(store: Store, name: str, kind: str = "annotator") -> Program:
        ids = {each.name: each.id for each in store.annotators()}
        annotator = ids.get(name) or add(store, name, kind=kind)
        return Program(TestClient(create_application(store, secure=False)), Accounts(store).create_api_token(annotator))

    return create_program


# -- work ------------------------------------------------------------------------------------------------------------

SCRIPT = "<script>alert(1)</script>"
WSSIM, INVALID = "WSsim/1/bank.n.1", "WSsim/1/bank.n.2"


def work(store: Store, name: str, values: Callable[[int, int], float] | None = None, **more: Any) -> int:
    """Add an annotator who answers all pages; ``values`` maps the numbers of a usage and a target to a value."""
    from polyseme.studio.study.pages import Judgement
    from studies import SENSES

    store.add_annotator(name)
    annotator = next(each.id for each in store.annotators() if each.name == name)
    while (assigned := store.current_page(annotator)) is not None:
        usage = int(assigned.page.usage.rpartition(".")[2])
        value = values(usage, 0) if values else 3.0
        if assigned.page.task == "SYNbest":
            judgements = [Judgement("shore" if value < 3 else "edge", 1)]
        elif assigned.page.task == "WSbest":
            judgements = [Judgement(SENSES[int(value) % 4].id, 1)]
        else:
            choose_value = values or (lambda _, at: 1.0 + at)
            judgements = [Judgement(target, choose_value(usage, at)) for at, target in enumerate(assigned.page.targets)]
        store.record(annotator, assigned.number, judgements, request=uuid.uuid4().hex, milliseconds=4000, **more)
    return annotator


@pytest.fixture
def busy(studio: Any) -> Store:
    """A study that two annotators have judged completely and differently, with a comment and an invalid usage."""
    store: Store = studio("WSsim", "Usim", "WSbest", "SYNbest")
    work(store, "ann", lambda page, at: float(1 + (page + at) % 5), comment=f"hard {SCRIPT}")
    bob = work(store, "bob", lambda page, at: float(1 + (page * 2 + at) % 5))
    assigned = next(page for number in range(1, 13) if (page := store.page_at(bob, number)).page.name == INVALID)
    store.record(bob, assigned.number, [], request="i", invalid=f"unclear {SCRIPT}")
    return store


def text(answer: Any) -> str:
    """The text of a page, without escapes."""
    assert answer.status_code == 200, answer.text
    assert SCRIPT not in answer.text
    return html.unescape(answer.text)

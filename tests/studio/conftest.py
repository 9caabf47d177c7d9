"""Stores in both databases, and small studies to put into them."""

import os
import shutil
import subprocess
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the studio needs polyseme[annotate]")

from polyseme.inventory import Sense
from polyseme.studio.store.assigned_page import AssignedPage
from polyseme.studio.store.store import Store
from polyseme.studio.study.pages import Judgement, Page, Passage
from polyseme.studio.study.settings import Study, parse_study

BINARIES = (*Path("/usr/lib/postgresql").glob("*/bin"), Path("/usr/local/bin"), Path("/usr/bin"))


@dataclass
class Server:
    """A PostgreSQL server, in one database of which every test has a schema of its own: that is quick to make."""

    url: str
    schemas: list[str] = field(default_factory=list)

    def database(self) -> str:
        """Create a schema; return the URL that uses it as a new database."""
        name = f"polyseme_{uuid.uuid4().hex[:12]}"
        self._do(f"CREATE SCHEMA {name}")
        self.schemas.append(name)
        return f"{self.url}{'&' if '?' in self.url else '?'}options=-csearch_path%3D{name}"

    def drop(self) -> None:
        """Drop all schemas."""
        for name in self.schemas:
            self._do(f"DROP SCHEMA IF EXISTS {name} CASCADE")

    def _do(self, statement: str) -> None:
        import psycopg

        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(statement.encode())


def _binary(name: str) -> str | None:
    return next((str(folder / name) for folder in BINARIES if (folder / name).exists()), shutil.which(name))


def _as_user() -> list[str]:
    """Return the command that runs PostgreSQL as another user, as it does not run as root."""
    if os.getuid():
        return []
    for user in ("postgres", "nobody"):
        if shutil.which("setpriv") and not subprocess.run(["id", user], capture_output=True, check=False).returncode:
            return ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
    return pytest.skip("PostgreSQL does not run as root, and there is no other user to run it as")


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """The server of POLYSEME_TEST_POSTGRES, or one that is started for the tests."""
    pytest.importorskip("psycopg")
    if url := os.environ.get("POLYSEME_TEST_POSTGRES"):
        server = Server(url)
        yield server
        server.drop()
        return
    initdb, pg_ctl = _binary("initdb"), _binary("pg_ctl")
    if not initdb or not pg_ctl:
        pytest.skip("PostgreSQL is not installed, and POLYSEME_TEST_POSTGRES names no server")
    as_user = _as_user()
    folder = Path(subprocess.run(["mktemp", "-d"], capture_output=True, text=True, check=True).stdout.strip())
    if as_user:
        shutil.chown(folder, as_user[1].partition("=")[2])
    started = False
    try:
        data = folder / "data"
        make = [*as_user, initdb, "-D", str(data), "-U", "test", "-A", "trust", "-E", "UTF8", "--no-sync"]
        initialised = subprocess.run(make, capture_output=True, text=True, cwd=folder, check=False)
        if initialised.returncode:
            pytest.skip(f"PostgreSQL cannot make a database: {initialised.stderr.strip()[:300]}")
        options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c max_connections=200 -c fsync=off"
        command = [*as_user, pg_ctl, "-D", str(data), "-o", options, "-l", str(folder / "log"), "-w", "start"]
        start = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder, check=False)
        if start.returncode:
            pytest.skip("PostgreSQL does not start here")
        started = True
        yield Server(f"postgresql://test@/postgres?host={folder}")
    finally:
        if started:
            stop = [*as_user, pg_ctl, "-D", str(folder / "data"), "-m", "immediate", "-w", "stop"]
            subprocess.run(stop, capture_output=True, cwd=folder, check=False)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'study.db'}"
    server: Server = request.getfixturevalue("postgresql")
    return server.database()


# -- studies ---------------------------------------------------------------------------------------------------------


def make_study(text: str = "", *, tasks: str = 'a = ["WSsim"]', overlap: str = "") -> Study:
    """Parse a study with these tasks."""
    return parse_study(f'title = "Test"\n{text}\n[items]\nusages = "u.jsonl"\n[tasks]\n{tasks}\n{overlap}\n')


def page(
    number: int, task: str = "WSsim", lemma: str = "win.v", *, role: str = "", round: str = "1", **more: object
) -> Page:
    """Build a page of a task: ``win.v.1`` with three senses, or a pair of it and the next."""
    passages = [Passage(f"{lemma}.{each}", f"Usage {each} won.", 8, 11) for each in (number, number + 1)]
    senses = tuple(Sense(f"{lemma}%{each}", lemma, gloss=f"sense {each}") for each in "abc")
    displayed = tuple(passages if task == "Usim" else passages[:1])
    displayed_senses = senses if task in ("WSsim", "WSbest") else ()
    name = f"{role or round}/{task}/{lemma}.{number}"
    options: dict[str, object] = {"undecided": task == "Usim", "role": role, **more}
    return Page(name, task, "" if role else round, lemma, displayed, displayed_senses, **options)  # type: ignore[arg-type]


Begin = Callable[..., Store]


@pytest.fixture
def begin(database: str) -> Iterator[Begin]:
    """Return a function that begins a study with pages in an empty store."""
    opened: list[Store] = []

    def begin_study(study: Study, pages: list[Page], url: str = database) -> Store:
        store = Store.open(url, create=True)
        opened.append(store)
        store.begin(study, pages)
        return store

    yield begin_study
    for store in opened:
        store.close()


def add(store: Store, name: str, group: str = "", kind: str = "annotator") -> int:
    """Add an annotator; return the id."""
    store.add_annotator(name, group=group, kind=kind)
    return next(each.id for each in store.annotators() if each.name == name)


def state(store: Store, annotator: int) -> str:
    """The state of an annotator."""
    return next(user.state for user in store.annotators() if user.id == annotator)


def right_answers(assigned: AssignedPage, value: float = 3) -> list[Judgement]:
    """Answers that make a page complete."""
    if assigned.page.task == "SYNbest":
        return [Judgement("gain", 1)]
    if assigned.page.task == "WSbest":
        return [Judgement(assigned.page.targets[0], 1)]
    return [Judgement(target, value) for target in assigned.page.targets]


def answer(store: Store, annotator: int, value: float = 3) -> AssignedPage | None:
    """Answer the current page; return it with its answers, or ``None`` if no page is left."""
    assigned = store.current_page(annotator)
    if assigned is None:
        return None
    return store.record(annotator, assigned.number, right_answers(assigned, value), request=uuid.uuid4().hex)


def answer_all(store: Store, annotator: int, value: float = 3) -> list[AssignedPage]:
    """Answer all pages, one after the other; return them with their answers."""
    answered = []
    while (assigned := answer(store, annotator, value)) is not None:
        answered.append(assigned)
    return answered

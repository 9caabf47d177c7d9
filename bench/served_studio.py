"""What the benchmarks of the studio share: a study, databases, a server to be killed, and visitors without a browser.

Run by itself it does nothing. All addresses are those of this machine, and every wait has an end.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, NamedTuple

HOST = "127.0.0.1"
PATIENCE = 30.0
"""Seconds that a visitor waits for an answer."""
STARTING = 120.0
"""Seconds that a server may take until it answers."""
PROGRAM = "from polyseme.cli import main; main()"
BINARIES = (*Path("/usr/lib/postgresql").glob("*/bin"), Path("/usr/local/bin"), Path("/usr/bin"))
SENSES = ("money kept", "land beside water", "a supply in reserve", "a row of things", "a turn of an aircraft")


class Missing(Exception):
    """Something is not installed."""


# -- a study ---------------------------------------------------------------------------------------------------------


def write_study(folder: Path, usages: int, tasks: Mapping[str, Sequence[str]], judgements: int = 0) -> Path:
    """A study of made-up usages of one lemma with five senses; so many judgements a page, or one by everybody.

    ``tasks`` are those of each group, in their order.
    """
    senses = (
        {"id": f"bank%{number}", "lemma": "bank.n", "gloss": gloss, "synonyms": ["bank"], "examples": [f"the {gloss}"]}
        for number, gloss in enumerate(SENSES, start=1)
    )
    texts = ((f"This is usage {number} in which the ", " is what is judged.") for number in range(1, usages + 1))
    lines = (
        {"id": f"bank.n.{number}", "lemma": "bank.n", "text": f"{before}bank{after}", "start": len(before)}
        | {"end": len(before) + 4}
        for number, (before, after) in enumerate(texts, start=1)
    )
    for name, rows in (("senses.jsonl", senses), ("usages.jsonl", lines)):
        (folder / name).write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    overlap = f'design = "per item"\njudgements = {judgements}' if judgements else 'design = "everyone"'
    groups = "\n".join(f"{name} = {json.dumps(order)}" for name, order in tasks.items())
    path = folder / "study.toml"
    path.write_text(
        f'title = "Simulated"\ninstructions = "Rate *every* sense."\n[items]\nusages = "usages.jsonl"\n'
        f'senses = "senses.jsonl"\nseveral = false\n[tasks]\n{groups}\n[overlap]\n{overlap}\n',
        encoding="utf-8",
    )
    return path


def invited(study: Path, store: str, count: int) -> dict[str, str]:
    """Begin the study, and invite so many annotators: name → token."""
    from polyseme.studio.store.startup import start_study

    opened = start_study(study, store)
    try:
        return {f"ann{number:03}": opened.add_annotator(f"ann{number:03}") for number in range(count)}
    finally:
        opened.close()


# -- databases -------------------------------------------------------------------------------------------------------


@contextmanager
def database(kind: str, folder: Path) -> Iterator[str]:
    """The URL of an empty store: a file in the folder, or a new database of a server of PostgreSQL."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'study.db'}"
        return
    with server() as url, new_database(url) as made:
        yield made


@contextmanager
def server() -> Iterator[str]:
    """A server of PostgreSQL: that of POLYSEME_TEST_POSTGRES, or one of our own, which waits for the disk as any."""
    if given := os.environ.get("POLYSEME_TEST_POSTGRES"):
        yield given
        return
    folder = Path(tempfile.mkdtemp(prefix="polyseme-bench-"))
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c max_connections=200"
    try:
        as_user, data = _as_user(folder), str(folder / "data")
        _ran([*as_user, binary("initdb"), "-D", data, "-U", "test", "-A", "trust", "-E", "UTF8", "--no-sync"], folder)
        control = [*as_user, binary("pg_ctl"), "-D", data, "-w", "-t", str(int(STARTING))]
        _ran([*control, "-o", options, "-l", str(folder / "log"), "start"], folder)
        try:
            yield f"postgresql://test@/postgres?host={folder}"
        finally:
            _ran([*control, "-m", "fast", "stop"], folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def binary(name: str) -> str:
    """Where a program of PostgreSQL is."""
    found = next((str(folder / name) for folder in BINARIES if (folder / name).exists()), shutil.which(name))
    if found is None:
        raise Missing(f"PostgreSQL is not installed ({name} is missing), and POLYSEME_TEST_POSTGRES names no server")
    return found


def _as_user(folder: Path) -> list[str]:
    """PostgreSQL does not run as root: the command that runs it as somebody else, to whom the folder then belongs."""
    if os.getuid():
        return []
    user = (
        "postgres" if not subprocess.run(["id", "postgres"], capture_output=True, check=False).returncode else "nobody"
    )
    if not shutil.which("setpriv"):
        raise Missing("PostgreSQL does not run as root, and there is no setpriv to run it as somebody else")
    shutil.chown(folder, user)
    return ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]


def _ran(command: list[str], folder: Path) -> None:
    with (folder / "out").open("w+b") as out:  # no pipe: the server would hold it open
        ran = subprocess.run(command, stdout=out, stderr=out, cwd=folder, check=False)
        out.seek(0)
        if ran.returncode:
            raise Missing(f"{Path(command[-1]).name}: {out.read().decode(errors='replace').strip()[-500:]}")


@contextmanager
def new_database(url: str) -> Iterator[str]:
    """A database of its own on a server, dropped at the end."""
    import psycopg
    from sqlalchemy import make_url

    name = f"polyseme_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    try:
        yield make_url(url).set(database=name).render_as_string(hide_password=False)
    finally:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())


# -- the server ------------------------------------------------------------------------------------------------------


def free_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as free:
        free.bind((HOST, 0))
        found: int = free.getsockname()[1]
    return found


@dataclass
class Serving:
    """``polyseme annotate serve`` as a program of its own."""

    study: Path
    store: str
    workers: int = 1
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None
    log: IO[bytes] | None = None

    async def start(self) -> None:
        """Start it, and wait until it answers."""
        options = ["--store", self.store, "--port", str(self.port), "--workers", str(self.workers), "--insecure"]
        command = [sys.executable, "-c", PROGRAM, "annotate", "serve", str(self.study), *options]
        self.log = self.log or (self.study.parent / "server.log").open("ab")
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log)
        until = time.monotonic() + STARTING
        while time.monotonic() < until and self.process.poll() is None:
            with suppress(OSError, EOFError, TimeoutError):
                async with asyncio.timeout(5):
                    if (await Connection(self.port).ask("GET", "/healthz")).status == 200:
                        return
            await asyncio.sleep(0.05)
        raise RuntimeError(f"the server does not answer:\n{self.said()}")

    def said(self) -> str:
        """The last that it wrote."""
        return (self.study.parent / "server.log").read_text(errors="replace")[-3000:]

    def pids(self) -> list[int]:
        """Its processes, the one that was started first."""
        return [] if self.process is None or self.process.poll() is not None else list(_tree(self.process.pid))

    def kill(self) -> None:
        """End all of its processes at once, by SIGKILL: none of them can do anything about it."""
        for pid in self.pids():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if self.process is not None:
            self.process.wait(PATIENCE)

    def close(self) -> None:
        """End it, and what it writes to."""
        self.kill()
        if self.log is not None:
            self.log.close()

    def memory(self) -> float:
        """MiB that its processes hold, by what each has to itself and its share of what is shared."""
        return sum(map(_proportional, self.pids())) / 1024

    def seconds(self) -> float:
        """The time of processors that it took."""
        ticks = 0
        for pid in self.pids():
            with suppress(OSError):
                after = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                ticks += int(after[11]) + int(after[12])
        return ticks / os.sysconf("SC_CLK_TCK")


def _tree(pid: int) -> Iterator[int]:
    yield pid
    with suppress(OSError):
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            yield from _tree(int(child))


def _proportional(pid: int) -> int:
    with suppress(OSError):
        found = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M)
        return int(found[1]) if found else 0
    return 0


# -- visitors --------------------------------------------------------------------------------------------------------


class Answer(NamedTuple):
    """What the server says."""

    status: int
    location: str
    body: bytes


class Connection:
    """HTTP on a connection that is kept, with cookies, as a browser does it, and with as little work as may be."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[bytes, bytes] = {}
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
        """Send a request; a connection that breaks is an ``OSError`` or an ``EOFError``, and the next one is new."""
        try:
            if self._streams is None or self._streams[0].at_eof():  # the server ends those that nobody uses
                self.close()
                self._streams = await asyncio.open_connection(HOST, self.port)
            reader, writer = self._streams
            writer.write(self._head(method, path, len(body), headers) + body)
            return await self._answer(reader)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the connection; the cookies stay."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    def _head(self, method: str, path: str, length: int, headers: dict[str, str]) -> bytes:
        lines = [f"{method} {path} HTTP/1.1", f"Host: {HOST}:{self.port}", f"Content-Length: {length}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        cookies = b"; ".join(name + b"=" + value for name, value in self.cookies.items())
        return "\r\n".join(lines).encode() + (b"\r\nCookie: " + cookies if cookies else b"") + b"\r\n\r\n"

    async def _answer(self, reader: asyncio.StreamReader) -> Answer:
        head = await reader.readuntil(b"\r\n\r\n")
        status, length, location = int(head[9:12]), 0, ""
        for line in head.split(b"\r\n")[1:]:
            name, _, value = line.partition(b": ")
            match name.lower():
                case b"content-length":
                    length = int(value)
                case b"location":
                    location = value.decode()
                case b"set-cookie":
                    key, _, kept = value.partition(b";")[0].partition(b"=")
                    self.cookies[key] = kept
        return Answer(status, location, await reader.readexactly(length) if length else b"")


class Refused(Exception):
    """The server answers, but not as it should."""


@dataclass
class Visitor:
    """An annotator: where they are, and which answers each question of that page takes."""

    name: str
    token: str
    connection: Connection
    csrf: str = ""
    number: int = 0
    questions: dict[str, list[str]] = field(default_factory=dict)

    async def enter(self) -> None:
        """Follow the invitation, and go to the first page."""
        address = f"/invitation/{self.token}"
        csrf = _hidden(_expected(await self.connection.ask("GET", address), 200))
        form = f"csrf={csrf}".encode()
        sent = self.connection.ask("POST", address, form, content_type="application/x-www-form-urlencoded")
        _expected(await sent, 303)
        await self.go_on()

    async def go_on(self) -> bool:
        """Go to the page that is to be answered; whether there is one."""
        where = _expected(await self.connection.ask("GET", "/"), 303).location
        if where == "/done":
            return False
        await self.look(where)
        return True

    async def look(self, where: str) -> None:
        """Look at a page."""
        shown = _expected(await self.connection.ask("GET", where), 200)
        self.number, self.csrf = int(where.rpartition("/")[2]), _hidden(shown)
        self.questions = {}
        for name, value in re.findall(r'name="(rating\d+|best)"\s+value="([^"]+)"', shown.body.decode()):
            self.questions.setdefault(name, []).append(value)

    async def answer(self, number: int, body: dict[str, object]) -> dict[str, object]:
        """Send one answer as the script of the page does; what the server says when it has saved it."""
        address, sent = f"/page/{number}/answer", json.dumps(body).encode()
        said = await self.connection.ask("POST", address, sent, content_type="application/json", x_csrf_token=self.csrf)
        found: dict[str, object] = json.loads(_expected(said, 200).body)
        return found


def visitors(people: dict[str, str], port: int) -> list[Visitor]:
    """Those who were invited, before their first visit."""
    return [Visitor(name, token, Connection(port)) for name, token in people.items()]


def _expected(answer: Answer, status: int) -> Answer:
    if answer.status != status:
        raise Refused(f"{answer.status} instead of {status}: {answer.body[:300].decode(errors='replace')}")
    return answer


def _hidden(answer: Answer) -> str:
    found = re.search(r'name="csrf" value="([^"]*)"', answer.body.decode())
    if found is None:
        raise Refused("the page has no form")
    return found[1]

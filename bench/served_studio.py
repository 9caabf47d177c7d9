"""Shared by the benchmarks of the studio: a study, databases, a served studio, and visitors without a browser.

This module is not a script. All addresses are local, and every wait has a limit.
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
TIMEOUT = 30.0
"""Seconds that a visitor waits for a reply."""
START_TIMEOUT = 120.0
"""Seconds that a server may take to start."""
PROGRAM = "from polyseme.cli import main; main()"
BINARIES = (*Path("/usr/lib/postgresql").glob("*/bin"), Path("/usr/local/bin"), Path("/usr/bin"))
SENSES = ("money kept", "land beside water", "a supply in reserve", "a row of things", "a turn of an aircraft")


class MissingProgram(Exception):
    """A program is not installed."""


# -- a study ---------------------------------------------------------------------------------------------------------


def write_study(folder: Path, usages: int, tasks: Mapping[str, Sequence[str]], judgements: int = 0) -> Path:
    """Write a study of artificial usages of one lemma with five senses.

    Args:
        folder: Where to write it.
        usages: The number of usages.
        tasks: The tasks of each group, in their order.
        judgements: The number of judgements per page; 0: one by every annotator.
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


def invite_annotators(study: Path, store: str, count: int) -> dict[str, str]:
    """Begin the study and invite so many annotators; return name → token."""
    from polyseme.studio.store.startup import start_study

    opened = start_study(study, store)
    try:
        return {f"ann{number:03}": opened.add_annotator(f"ann{number:03}") for number in range(count)}
    finally:
        opened.close()


# -- databases -------------------------------------------------------------------------------------------------------


@contextmanager
def database(kind: str, folder: Path) -> Iterator[str]:
    """Yield the URL of an empty store: a file in the folder, or a new PostgreSQL database."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'study.db'}"
        return
    with server() as url, new_database(url) as database_url:
        yield database_url


@contextmanager
def server() -> Iterator[str]:
    """Yield a PostgreSQL server: that of POLYSEME_TEST_POSTGRES, or a new one with durable commits."""
    if url := os.environ.get("POLYSEME_TEST_POSTGRES"):
        yield url
        return
    folder = Path(tempfile.mkdtemp(prefix="polyseme-bench-"))
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c max_connections=200"
    try:
        as_user, data = _user_command(folder), str(folder / "data")
        _run([*as_user, binary("initdb"), "-D", data, "-U", "test", "-A", "trust", "-E", "UTF8", "--no-sync"], folder)
        control = [*as_user, binary("pg_ctl"), "-D", data, "-w", "-t", str(int(START_TIMEOUT))]
        _run([*control, "-o", options, "-l", str(folder / "log"), "start"], folder)
        try:
            yield f"postgresql://test@/postgres?host={folder}"
        finally:
            _run([*control, "-m", "fast", "stop"], folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def binary(name: str) -> str:
    """Return the path of a program of PostgreSQL."""
    path = next((str(folder / name) for folder in BINARIES if (folder / name).exists()), shutil.which(name))
    if path is None:
        raise MissingProgram(
            f"PostgreSQL is not installed ({name} is missing), and POLYSEME_TEST_POSTGRES names no server"
        )
    return path


def _user_command(folder: Path) -> list[str]:
    """Return the command that runs PostgreSQL as another user than root; the folder then belongs to that user."""
    if os.getuid():
        return []
    user = (
        "postgres" if not subprocess.run(["id", "postgres"], capture_output=True, check=False).returncode else "nobody"
    )
    if not shutil.which("setpriv"):
        raise MissingProgram("PostgreSQL does not run as root, and setpriv is not installed to run it as another user")
    shutil.chown(folder, user)
    return ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]


def _run(command: list[str], folder: Path) -> None:
    with (folder / "out").open("w+b") as out:  # no pipe: the server would hold it open
        ran = subprocess.run(command, stdout=out, stderr=out, cwd=folder, check=False)
        out.seek(0)
        if ran.returncode:
            raise MissingProgram(f"{Path(command[-1]).name}: {out.read().decode(errors='replace').strip()[-500:]}")


@contextmanager
def new_database(url: str) -> Iterator[str]:
    """Yield a new database on a server; drop it at the end."""
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
    """Return a free port."""
    with socket.socket() as free:
        free.bind((HOST, 0))
        port: int = free.getsockname()[1]
    return port


@dataclass
class ServedStudio:
    """``polyseme annotate serve`` as a process."""

    study: Path
    store: str
    workers: int = 1
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None
    log: IO[bytes] | None = None

    async def start(self) -> None:
        """Start the process and wait until it answers."""
        options = ["--store", self.store, "--port", str(self.port), "--workers", str(self.workers), "--insecure"]
        command = [sys.executable, "-c", PROGRAM, "annotate", "serve", str(self.study), *options]
        self.log = self.log or (self.study.parent / "server.log").open("ab")
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log)
        until = time.monotonic() + START_TIMEOUT
        while time.monotonic() < until and self.process.poll() is None:
            with suppress(OSError, EOFError, TimeoutError):
                async with asyncio.timeout(5):
                    if (await Connection(self.port).request("GET", "/healthz")).status == 200:
                        return
            await asyncio.sleep(0.05)
        raise RuntimeError(f"the server does not answer:\n{self.last_output()}")

    def last_output(self) -> str:
        """The last output of the server."""
        return (self.study.parent / "server.log").read_text(errors="replace")[-3000:]

    def pids(self) -> list[int]:
        """The ids of its processes, the parent first."""
        return [] if self.process is None or self.process.poll() is not None else list(_process_tree(self.process.pid))

    def kill(self) -> None:
        """End all its processes at once by SIGKILL."""
        for pid in self.pids():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if self.process is not None:
            self.process.wait(TIMEOUT)

    def close(self) -> None:
        """End the process and close its log."""
        self.kill()
        if self.log is not None:
            self.log.close()

    def memory(self) -> float:
        """The memory of its processes in MiB, with shared memory counted proportionally."""
        return sum(map(_proportional_memory, self.pids())) / 1024

    def seconds(self) -> float:
        """The processor time that it used."""
        ticks = 0
        for pid in self.pids():
            with suppress(OSError):
                after = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                ticks += int(after[11]) + int(after[12])
        return ticks / os.sysconf("SC_CLK_TCK")


def _process_tree(pid: int) -> Iterator[int]:
    yield pid
    with suppress(OSError):
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            yield from _process_tree(int(child))


def _proportional_memory(pid: int) -> int:
    with suppress(OSError):
        match = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M)
        return int(match[1]) if match else 0
    return 0


# -- visitors --------------------------------------------------------------------------------------------------------


class Reply(NamedTuple):
    """A reply of the server."""

    status: int
    location: str
    body: bytes


class Connection:
    """A persistent HTTP connection with cookies, as a browser has it, with as little work as possible."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[bytes, bytes] = {}
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def request(self, method: str, path: str, body: bytes = b"", **headers: str) -> Reply:
        """Send a request; ``OSError`` or ``EOFError`` if the connection breaks, after which the next one is new."""
        try:
            if self._streams is None or self._streams[0].at_eof():  # the server closes idle connections
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

    async def _answer(self, reader: asyncio.StreamReader) -> Reply:
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
                    key, _, cookie = value.partition(b";")[0].partition(b"=")
                    self.cookies[key] = cookie
        return Reply(status, location, await reader.readexactly(length) if length else b"")


class UnexpectedReply(Exception):
    """The server sends another reply than expected."""


@dataclass
class Visitor:
    """An annotator: the current page, and the possible answers to its questions."""

    name: str
    token: str
    connection: Connection
    csrf: str = ""
    number: int = 0
    questions: dict[str, list[str]] = field(default_factory=dict)

    async def enter(self) -> None:
        """Accept the invitation and open the first page."""
        address = f"/invitation/{self.token}"
        csrf = _csrf_token(_check_status(await self.connection.request("GET", address), 200))
        form = f"csrf={csrf}".encode()
        reply = self.connection.request("POST", address, form, content_type="application/x-www-form-urlencoded")
        _check_status(await reply, 303)
        await self.open_current_page()

    async def open_current_page(self) -> bool:
        """Open the current page; return whether there is one."""
        address = _check_status(await self.connection.request("GET", "/"), 303).location
        if address == "/done":
            return False
        await self.open_page(address)
        return True

    async def open_page(self, address: str) -> None:
        """Open a page."""
        page = _check_status(await self.connection.request("GET", address), 200)
        self.number, self.csrf = int(address.rpartition("/")[2]), _csrf_token(page)
        self.questions = {}
        for name, value in re.findall(r'name="(rating\d+|best)"\s+value="([^"]+)"', page.body.decode()):
            self.questions.setdefault(name, []).append(value)

    async def answer(self, number: int, body: dict[str, object]) -> dict[str, object]:
        """Send one answer, as the script of the page does; return the reply."""
        address, content = f"/page/{number}/answer", json.dumps(body).encode()
        reply = await self.connection.request(
            "POST", address, content, content_type="application/json", x_csrf_token=self.csrf
        )
        result: dict[str, object] = json.loads(_check_status(reply, 200).body)
        return result


def create_visitors(people: dict[str, str], port: int) -> list[Visitor]:
    """Create a visitor for each invitation token."""
    return [Visitor(name, token, Connection(port)) for name, token in people.items()]


def _check_status(answer: Reply, status: int) -> Reply:
    if answer.status != status:
        raise UnexpectedReply(f"{answer.status} instead of {status}: {answer.body[:300].decode(errors='replace')}")
    return answer


def _csrf_token(answer: Reply) -> str:
    match = re.search(r'name="csrf" value="([^"]*)"', answer.body.decode())
    if match is None:
        raise UnexpectedReply("the page has no form")
    return match[1]

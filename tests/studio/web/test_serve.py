"""``polyseme annotate serve`` as a process."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the studio needs polyseme[annotate]")

from typer.testing import CliRunner

from polyseme.cli import app
from polyseme.errors import InputError
from polyseme.formats import write_usages
from polyseme.usage import Usage
from studies import passages

PROGRAM = "from polyseme.cli import main; main()"

STUDY = """
title = "Which word could stand here?"
[items]
usages = "usages.jsonl"
[tasks]
a = ["SYNbest"]
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    usages = [Usage(each.usage, "bank.n", each.text, each.start, each.end) for each in passages()]
    write_usages(usages, tmp_path / "usages.jsonl")
    path = tmp_path / "study.toml"
    path.write_text(STUDY)
    return path


@contextmanager
def served(study: Path, *options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run the program from its first answer until it is stopped; yield it with its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-c", PROGRAM, "annotate", "serve", str(study), "--port", str(port), *options]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    ) as program:
        try:
            _wait(f"http://127.0.0.1:{port}/healthz", program)
            yield f"http://127.0.0.1:{port}", program
        finally:
            program.terminate()


def _wait(address: str, program: subprocess.Popen[str]) -> None:
    for _ in range(600):
        try:
            with urllib.request.urlopen(address) as answer:
                assert answer.read() == b"ok"
                return
        except OSError:
            assert program.poll() is None, program.stdout and program.stdout.read()
            time.sleep(0.1)
    raise AssertionError("the server does not answer")


def test_serve_continues_where_it_stopped(study: Path) -> None:
    with served(study, "--insecure", "--workers", "2") as (address, program):
        with urllib.request.urlopen(f"{address}/login") as page:
            assert b"Which word could stand here?" in page.read()
        program.terminate()
        output = program.communicate(timeout=30)[0]
    link = re.search(r"The link of its manager, shown only once: (\S+)", output)
    assert link, output
    token = link[1].rpartition("/")[2]
    with served(study, "--insecure") as (address, program):
        with urllib.request.urlopen(f"{address}/invitation/{token}") as page:
            assert b"Welcome, manager" in page.read()
        program.terminate()
        output = program.communicate(timeout=30)[0]
    assert "invitation" not in output  # neither a new link, nor the address that was asked for
    assert token not in output


def test_without_https_only_this_machine_is_served(study: Path) -> None:
    run = CliRunner().invoke(app, ["annotate", "serve", str(study), "--insecure", "--host", "0.0.0.0"])
    assert isinstance(run.exception, InputError)
    assert "proxy with HTTPS" in str(run.exception)
    assert not study.with_suffix(".db").exists()

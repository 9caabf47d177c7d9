"""The command, as it is typed."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

pytest.importorskip("uvicorn", reason="the explorer needs polyseme[explore]")

from polyseme.cli.explore import explore
from polyseme.corpus.index import Index
from polyseme.errors import InputError

COMMAND = "import typer; from polyseme.cli.explore import explore; typer.run(explore)"


def test_a_folder_that_is_no_index_is_refused(tmp_path: Path) -> None:
    app = typer.Typer()
    app.command()(explore)
    ran = CliRunner().invoke(app, [str(tmp_path)])
    assert isinstance(ran.exception, InputError)
    assert "polyseme index SOURCE -o FOLDER" in str(ran.exception)


def test_it_is_served_until_it_is_interrupted(index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-u", "-c", COMMAND, str(index.folder), "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as served:
        try:
            page = answer(f"http://127.0.0.1:{port}/", served)
            assert "What does a word mean here?" in page
        finally:
            served.send_signal(signal.SIGINT)
            said, complained = served.communicate(timeout=60)
    assert said.startswith(f"planted.index: http://127.0.0.1:{port}/")
    assert "Traceback" not in complained


def answer(address: str, served: subprocess.Popen[str]) -> str:
    """The page, as soon as somebody answers."""
    for _ in range(600):
        try:
            with urllib.request.urlopen(address, timeout=30) as page:
                return str(page.read().decode())
        except (urllib.error.URLError, ConnectionError):
            assert served.poll() is None
            time.sleep(0.1)
    raise AssertionError("nobody answers")

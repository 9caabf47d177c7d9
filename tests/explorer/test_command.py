"""The command ``polyseme explore``."""

from __future__ import annotations

import shutil
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

from polyseme.cli.explore import explore_command
from polyseme.corpus.index import Index
from polyseme.errors import InputError

COMMAND = "import typer; from polyseme.cli.explore import explore_command; typer.run(explore_command)"


def test_a_folder_without_an_index_is_an_error(tmp_path: Path) -> None:
    app = typer.Typer()
    app.command()(explore_command)
    result = CliRunner().invoke(app, [str(tmp_path)])
    assert isinstance(result.exception, InputError)
    assert "polyseme index SOURCE -o FOLDER" in str(result.exception)


@pytest.mark.parametrize("table", ["tokens", "words", "sentences", "documents"])
def test_a_damaged_index_is_an_error(index: Index, tmp_path: Path, table: str) -> None:
    shutil.copytree(index.folder, tmp_path / "cut.index")
    path = tmp_path / "cut.index" / table / "00000.parquet"
    path.write_bytes(path.read_bytes()[:100])
    app = typer.Typer()
    app.command()(explore_command)
    result = CliRunner().invoke(app, [str(tmp_path / "cut.index")])
    assert isinstance(result.exception, InputError)
    assert str(result.exception).startswith(f"{path}: a file of the index is missing or damaged")


def test_the_explorer_runs_until_it_is_interrupted(
    index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path))
    with socket.socket() as free_socket:
        free_socket.bind(("127.0.0.1", 0))
        port = free_socket.getsockname()[1]
    command = [sys.executable, "-u", "-c", COMMAND, str(index.folder), "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            page = wait_for_page(f"http://127.0.0.1:{port}/", process)
            assert "Find out what a word means in this corpus" in page
        finally:
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=60)
    assert output.startswith(f"planted.index: http://127.0.0.1:{port}/")
    assert "Traceback" not in errors


def wait_for_page(address: str, process: subprocess.Popen[str]) -> str:
    """The page, as soon as the server answers."""
    for _ in range(600):
        try:
            with urllib.request.urlopen(address, timeout=30) as page:
                return str(page.read().decode())
        except (urllib.error.URLError, ConnectionError):
            assert process.poll() is None
            time.sleep(0.1)
    raise AssertionError("the server does not wait_for_page")

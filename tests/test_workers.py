"""Workers: what they are given, and what they may use."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from polyseme.workers import THREADS, mapped


def test_one_thread_each(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in THREADS:
        monkeypatch.delenv(name, raising=False)
    assert list(mapped(os.getenv, THREADS, processes=2)) == ["1"] * len(THREADS)
    monkeypatch.setenv(THREADS[0], "3")
    assert list(mapped(os.getenv, THREADS[:1], processes=2)) == ["3"], "who says otherwise is heard"


SCRIPT = """
from polyseme.workers import mapped

class Mine:
    pass

print(list(mapped(repr, [Mine()], processes=2)))
"""


def test_things_that_another_process_does_not_know(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert "another process cannot find what it needs" in done.stderr
    assert "define it in a module, or say processes=1" in done.stderr

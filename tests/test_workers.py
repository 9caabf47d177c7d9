"""Workers: what they are given, and what they may use."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from polyseme.workers import THREAD_VARIABLES, parallel_map


def test_one_thread_each(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in THREAD_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    assert list(parallel_map(os.getenv, THREAD_VARIABLES, processes=2)) == ["1"] * len(THREAD_VARIABLES)
    monkeypatch.setenv(THREAD_VARIABLES[0], "3")
    assert list(parallel_map(os.getenv, THREAD_VARIABLES[:1], processes=2)) == ["3"], "who says otherwise is heard"


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

"""Workers: their results, their errors, and the threads and time they may use."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from polyseme.errors import PolysemeError
from polyseme.workers import THREAD_VARIABLES, WorkerProcess, parallel_map


def test_each_worker_has_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in THREAD_VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    assert list(parallel_map(os.getenv, THREAD_VARIABLES, processes=2)) == ["1"] * len(THREAD_VARIABLES)
    monkeypatch.setenv(THREAD_VARIABLES[0], "3")
    assert list(parallel_map(os.getenv, THREAD_VARIABLES[:1], processes=2)) == ["3"], "the environment decides"


SCRIPT = """
from polyseme.workers import parallel_map

class Mine:
    pass

print(list(parallel_map(repr, [Mine()], processes=2)))
"""


def test_classes_of_a_script_cannot_be_sent(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    completed = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert "another process cannot find what it needs" in completed.stderr
    assert "define it in a module, or use processes=1" in completed.stderr


def test_classes_of_a_script_are_used_in_its_own_process_by_default(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.replace(", processes=2", ""))
    completed = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert "__main__.Mine object" in completed.stdout, completed.stderr


def test_a_worker_is_reused_until_it_is_stopped() -> None:
    worker = WorkerProcess(abs)
    assert worker.run([-1, 2]) == [1, 2]
    assert worker.run([-3]) == [3]
    assert worker.is_alive
    worker.stop()
    assert not worker.is_alive


def test_work_that_takes_too_long_is_stopped() -> None:
    worker = WorkerProcess(time.sleep)
    assert worker.run([0], timeout=60) == [None]
    with pytest.raises(TimeoutError, match=r"longer than 0\.2 seconds"):
        worker.run([60], timeout=0.2)
    with pytest.raises(PolysemeError, match=r"ended with code -?\d+ before its work was done"):
        worker.run([0])
    worker.stop()


def test_an_error_of_the_function_comes_with_its_traceback() -> None:
    worker = WorkerProcess(int)
    with pytest.raises(RuntimeError, match=r"invalid literal for int\(\) with base 10: 'seven'"):
        worker.run(["7", "seven"])
    assert worker.run(["7"]) == [7], "the worker goes on"
    worker.stop()

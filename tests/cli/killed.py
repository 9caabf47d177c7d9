"""A command that hangs when it is half done, so that it can be killed there."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

HANGING = """
import sys, time
{before}
from polyseme.cli import main
sys.argv = ["polyseme", *{arguments!r}]
main()
"""


def killed(folder: Path, before: str, arguments: list[str], half_done: Callable[[], bool]) -> None:
    """Start a command with a line that makes it hang, wait until it is half done, and kill it."""
    script = HANGING.format(before=before, arguments=arguments)
    process = subprocess.Popen([sys.executable, "-c", script], cwd=folder, stderr=subprocess.PIPE)
    try:
        until = time.monotonic() + 60
        while not half_done() and process.poll() is None and time.monotonic() < until:
            time.sleep(0.02)
        assert process.poll() is None, process.communicate()[1].decode()
        assert half_done()
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == -9

"""Commands that run a benchmark with a single repetition, for tests of its output."""

import sys
from pathlib import Path

ONCE = """
import runpy, sys
from pathlib import Path

del sys.argv[0]
sys.path.insert(0, str(Path(sys.argv[0]).parent))
import timing

time_best = timing.time_best
timing.time_best = lambda work, repeats=3: time_best(work, 1)
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def single_run_command(script: Path, *arguments: str) -> list[str]:
    """The command that runs a benchmark once; warnings are errors."""
    return [sys.executable, "-W", "error", "-c", ONCE, str(script), *arguments]

"""Benchmarks, run as programs for what they print: how long work takes is measured once, not as the best of several."""

import sys
from pathlib import Path

ONCE = """
import runpy, sys
from pathlib import Path

del sys.argv[0]
sys.path.insert(0, str(Path(sys.argv[0]).parent))
import timing

measured = timing.best
timing.best = lambda work, repeats=3: measured(work, 1)
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def once(script: Path, *arguments: str) -> list[str]:
    """The command that runs a benchmark so; warnings are errors."""
    return [sys.executable, "-W", "error", "-c", ONCE, str(script), *arguments]

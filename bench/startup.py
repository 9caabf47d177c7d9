"""How long polyseme takes to start: the import, the shortest command, and the score of one key.

Run with ``python bench/startup.py`` on a quiet machine. It prints the best of three whole processes beside the limits,
and fails if one is missed or if the import loads a library for numbers.
"""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path

from timing import time_best

EXAMPLES = Path(__file__).parents[1] / "examples"
COMMAND = "from polyseme.cli import main; main()"
SCORE = ("score", "semeval-2013", str(EXAMPLES / "system-a.key"), "--gold", str(EXAMPLES / "gold.key"))
STARTS = {
    "import polyseme": (("import polyseme",), 0.2),
    "polyseme --version": ((COMMAND, "--version"), 0.15),
    "polyseme score, one key": ((COMMAND, *SCORE), 0.6),
}
HEAVY = "{'numpy', 'scipy', 'sklearn', 'pandas', 'pyarrow'}"
LIST_HEAVY = f"import polyseme, sys; print(*sorted(sys.modules.keys() & {HEAVY}))"


def run_python(*arguments: str) -> str:
    """Run a program in a new Python, and return its output."""
    return subprocess.run([sys.executable, "-c", *arguments], capture_output=True, text=True, check=True).stdout


def main() -> int:
    """Print each start with its limit; 1 if a limit is missed."""
    missed = False
    for name, (arguments, limit) in STARTS.items():
        run_python(*arguments)  # once, so that the files are compiled and cached
        seconds = time_best(partial(run_python, *arguments))
        missed |= seconds > limit
        print(f"{name:24} {seconds:6.3f} s, limit {limit:.2f} s")
    loaded = run_python(LIST_HEAVY).split()
    print(f"import polyseme loads:   {', '.join(loaded) or 'no library for numbers'}")
    return int(missed or bool(loaded))


if __name__ == "__main__":
    sys.exit(main())

"""Reading answer keys: 5,000 graded lines and 1,000,000 hard ones, beside a plain loop over the lines.

Run with ``python bench/keys.py [LINES]``. The plain loop checks nothing and builds only dictionaries.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from polyseme.formats.answer_key import read_key


def read_plainly(path: Path) -> dict[str, dict[str, float]]:
    """Read a key with a minimal loop."""
    usages = {}
    for line in path.read_text().splitlines():
        _, usage, *labels = line.split()
        usages[usage] = {sense: float(weight) for sense, _, weight in (label.rpartition("/") for label in labels)}
    return usages


def best_of_three(work: Callable[[Path], object], path: Path) -> float:
    """Return the shortest of three runs, in seconds."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        work(path)
        times.append(time.perf_counter() - start)
    return min(times)


def main(hard: int = 1_000_000) -> None:
    """Print the times and their ratio."""
    print(f"{'':32}{'read_key s':>12}{'plain s':>10}{'ratio':>7}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "system.key")
        for lines, senses in ((5_000, 8), (hard, 1)):
            labels = [" ".join(f"c{(row + sense) % 50}/{sense + 1}" for sense in range(senses)) for row in range(50)]
            path.write_text("".join(f"x{row % 50}.n u{row} {labels[row % 50]}\n" for row in range(lines)))
            seconds, plain_seconds = best_of_three(read_key, path), best_of_three(read_plainly, path)
            name = f"{lines:,} lines of {senses} senses"
            print(f"{name:32}{seconds:12.3f}{plain_seconds:10.3f}{plain_seconds / seconds:7.1f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

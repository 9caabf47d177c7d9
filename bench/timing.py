"""How long work takes, for the benchmarks beside this file."""

from __future__ import annotations

import time
from collections.abc import Callable


def best(work: Callable[[], object], repeats: int = 3) -> float:
    """The least seconds of several times."""
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)

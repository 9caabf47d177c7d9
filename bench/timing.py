"""Timing for the benchmarks."""

from __future__ import annotations

import time
from collections.abc import Callable


def time_best(work: Callable[[], object], repeats: int = 3) -> float:
    """The fewest seconds of several repetitions."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)

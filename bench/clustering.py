"""Clusters of vectors: agglomerative trees beside scipy's, bisections beside scikit-learn's, S-CODE with numba, and
what it costs to find clusters on which many clusterings agree, and how many of them there are.

Run with ``python bench/clustering.py [ROWS]``. Rows have 300 dimensions and lie around 50 directions. Each tree is made
in a process of its own, whose seconds and peak memory are printed; scipy's are those of ``linkage``. The exit code is 1
if a tree of ours takes more than 2 GB, or its memory is not less than scipy's where rows are many.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from polyseme.arrays import Floats
from timing import best

ROWS, DIMENSIONS, GROUPS = 20_000, 300, 50
CLUSTERS, USAGES = 20, 100
MEMORY = 2000.0
LINKAGES = {"average": "cosine", "ward": "euclidean", "single": "cosine", "complete": "cosine"}


def made(rows: int, seed: int = 0) -> Floats:
    """Rows around some directions."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(GROUPS, DIMENSIONS))
    found: Floats = centres[rng.integers(GROUPS, size=rows)] + 1.5 * rng.normal(size=(rows, DIMENSIONS))
    return found


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds, and what came of it."""
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found


# -- trees ---------------------------------------------------------------------------------------------------------


def ours(rows: Floats, linkage: Any, metric: Any) -> Floats:
    """The tree of polyseme."""
    from polyseme.clustering.agglomerative import Agglomerative

    return Agglomerative(linkage, metric).merges(rows)


def theirs(rows: Floats, linkage: Any, metric: Any) -> Floats:
    """The tree of scipy, which scikit-learn uses too for all but single link and ward on graphs."""
    from scipy.cluster.hierarchy import linkage as linked

    found: Floats = linked(rows, linkage, metric)
    return found


def tree(who: str, linkage: str, rows: int, folder: Path) -> tuple[float, float, Floats]:
    """Seconds, MB and heights of a tree, made in another process."""
    heights = folder / f"{who}.npy"
    command = [sys.executable, __file__, "--tree", who, linkage, str(rows), str(heights)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise RuntimeError(ran.stderr)
    seconds, peak = json.loads(ran.stdout)
    return seconds, peak, np.load(heights)


def make_tree(who: str, linkage: str, rows: int, heights: str) -> None:
    """What that process does."""
    work = {"ours": ours, "theirs": theirs}[who]
    given = made(rows)
    work(made(100), linkage, LINKAGES[linkage])
    seconds, found = timed(lambda: work(given, linkage, LINKAGES[linkage]))
    np.save(heights, found[:, 2])
    print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000]))


def trees(rows: int) -> bool:
    """Print all; whether ours stay within limits."""
    print(f"Agglomerative clustering of {rows:,} rows of {DIMENSIONS} dimensions")
    print(f"{'linkage':9}{'polyseme':>12}{'MB':>7}{'scipy':>12}{'MB':>7}{'faster':>8}{'smaller':>9}")
    fits = True
    for linkage in LINKAGES:
        with tempfile.TemporaryDirectory() as folder:
            mine = tree("ours", linkage, rows, Path(folder))
            other = tree("theirs", linkage, rows, Path(folder))
        same = "the same tree" if np.allclose(mine[2], other[2], atol=1e-4) else "ANOTHER TREE"
        figures = f"{mine[0]:10.2f} s{mine[1]:7.0f}{other[0]:10.2f} s{other[1]:7.0f}"
        ratios = f"{other[0] / mine[0]:7.1f}×{other[1] / mine[1]:8.1f}×"
        print(f"{linkage:9}{figures}{ratios}  {same}", flush=True)
        fits &= mine[1] < MEMORY and (rows < ROWS or mine[1] < other[1])
    return fits


# -- the rest ------------------------------------------------------------------------------------------------------


def bisections(rows: int) -> None:
    """Print seconds, and I2, of our bisections and of scikit-learn's k-means ones."""
    from sklearn.cluster import BisectingKMeans

    from polyseme.clustering.clusterer import as_clusterer
    from polyseme.clustering.criteria import criterion_value
    from polyseme.clustering.repeated_bisections import RepeatedBisections

    given = made(rows)
    given /= np.linalg.norm(given, axis=1, keepdims=True)
    print(f"Bisections of {rows:,} rows into {CLUSTERS} clusters, best of ten each")
    for name, part in {
        "RepeatedBisections": RepeatedBisections(),
        "without refinement": RepeatedBisections(refine=False),
        "BisectingKMeans": as_clusterer(BisectingKMeans(n_init=10, random_state=0)),
    }.items():
        seconds, labels = timed(lambda part=part: part(given, CLUSTERS))  # type: ignore[misc]
        print(f"{name:20}{seconds:8.2f} s   I2 {criterion_value(given, labels):10.1f}", flush=True)


def criteria() -> None:
    """Print seconds for as many rows as a word has usages: of each way to say how many clusters there are."""
    from polyseme.clustering.consensus import Consensus
    from polyseme.clustering.number_of_clusters import AdaptedGap, Fixed, Silhouette
    from polyseme.induction.pipeline import Pipeline

    given = made(USAGES)
    print(f"Consensus of {USAGES} rows, and how many clusters there are")
    found = {}
    for number in (Fixed(5), Silhouette(), AdaptedGap()):
        steps = Pipeline(cluster=Consensus(), number=number)
        found[type(number).__name__] = best(lambda steps=steps: steps.senses(given))  # type: ignore[misc]
    for name, seconds in found.items():
        print(f"{name:20}{seconds:8.2f} s{seconds / found['Silhouette']:8.1f}× the time of Silhouette", flush=True)


def threads() -> None:
    """Print what one thread gains Consensus against one for each processor, alone and with all of these busy."""
    for name, busy in {"alone": 0, "beside others": os.cpu_count() or 1}.items():
        others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(busy)]
        try:
            one, many = consented(), consented(threaded=True)
        finally:
            for other in others:
                other.kill()
                other.wait()
        print(f"Consensus, {name}: {one:.2f} s in one thread, {many:.2f} s in several: {many / one:.1f}×", flush=True)


def consented(threaded: bool = False) -> float:
    """Seconds that Consensus takes, with threads if these are wanted."""
    from polyseme.clustering.consensus import Consensus

    given = made(USAGES)
    with mock.patch("threadpoolctl.threadpool_limits", nullcontext) if threaded else nullcontext():
        return best(lambda: Consensus().merges(given))


def scode(pairs: int) -> None:
    """Print how many pairs S-CODE goes through in a second, with and without numba."""
    from polyseme.clustering.scode import SCode

    rng = np.random.default_rng(0)
    x, y = rng.integers(100, size=pairs), rng.integers(1000, size=pairs)
    compiled = importlib.import_module("polyseme.clustering._scode_loop")
    if hasattr(compiled.embedded, "py_func"):
        SCode(passes=1)(x[:10], y[:10])
        print_speed("compiled", pairs * 5, lambda: SCode(passes=5)(x, y))
        for name in ("_moved", "embedded"):
            setattr(compiled, name, getattr(compiled, name).py_func)
    print_speed("plain Python", pairs // 5, lambda: SCode(passes=1)(x[: pairs // 5], y[: pairs // 5]))


def print_speed(name: str, count: int, work: Callable[[], Any]) -> None:
    """Print pairs a second."""
    print(f"S-CODE, 25 dimensions, {name}: {count / timed(work)[0]:,.0f} pairs a second", flush=True)


def main(rows: int) -> int:
    """Print all; 1 if a limit is missed."""
    fits = trees(rows)
    bisections(rows)
    criteria()
    threads()
    scode(5 * rows)
    return int(not fits)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--tree"]:
        make_tree(sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5])
    else:
        sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROWS))

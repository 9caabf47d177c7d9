"""Clustering of vectors: trees beside those of scipy, bisections beside those of scikit-learn, S-CODE with numba.

Also the cost of Consensus, and of criteria for the number of clusters. Run with ``python bench/clustering.py [ROWS]``.
Rows have 300 dimensions and lie around 50 directions; by default they are as many as the defaults of induction reach.
Each tree is built in a process of its own; its seconds and peak memory are printed. The exit code is 1 if a tree takes
more than 2 GB, or differs from that of scipy.
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
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from polyseme.arrays import Floats
from timing import time_best

ROWS, DIMENSIONS, GROUPS = 5_000, 300, 50
CLUSTERS, USAGES = 20, 100
MEMORY = 2000.0
LINKAGES = {"average": "cosine", "ward": "euclidean", "single": "cosine", "complete": "cosine"}


def draw_rows(rows: int, seed: int = 0) -> Floats:
    """Random rows around a few directions."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(GROUPS, DIMENSIONS))
    matrix: Floats = centres[rng.integers(GROUPS, size=rows)] + 1.5 * rng.normal(size=(rows, DIMENSIONS))
    return matrix


def time_once(work: Callable[[], Any]) -> tuple[float, Any]:
    """The seconds, and the result."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


# -- trees ---------------------------------------------------------------------------------------------------------


def polyseme_tree(rows: Floats, linkage: Any, metric: Any) -> Floats:
    """The tree of polyseme."""
    from polyseme.clustering.agglomerative import Agglomerative

    return Agglomerative(linkage, metric).merges(rows)


def scipy_tree(rows: Floats, linkage: Any, metric: Any) -> Floats:
    """The tree of scipy from rows, whose distances scipy computes."""
    from scipy.cluster.hierarchy import linkage as scipy_linkage

    tree: Floats = scipy_linkage(rows, linkage, metric)
    return tree


def measure_tree(library: str, linkage: str, rows: int, folder: Path) -> tuple[float, float, Floats]:
    """Seconds, MB and heights of a tree, built in another process."""
    heights = folder / f"{library}.npy"
    command = [sys.executable, __file__, "--tree", library, linkage, str(rows), str(heights)]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    if process.returncode:
        raise RuntimeError(process.stderr)
    seconds, peak = json.loads(process.stdout)
    return seconds, peak, np.load(heights)


def build_tree(library: str, linkage: str, rows: int, heights: str) -> None:
    """Build a tree, save its heights, and print its seconds and MB: the main function of that process."""
    build = {"polyseme": polyseme_tree, "scipy": scipy_tree}[library]
    matrix = draw_rows(rows)
    build(draw_rows(100), linkage, LINKAGES[linkage])
    seconds, tree = time_once(lambda: build(matrix, linkage, LINKAGES[linkage]))
    np.save(heights, tree[:, 2])
    print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000]))


def compare_trees(rows: int) -> bool:
    """Print all trees; whether ours are those of scipy and stay within the limit."""
    print(f"Agglomerative clustering of {rows:,} rows of {DIMENSIONS} dimensions")
    print(f"{'linkage':9}{'polyseme':>12}{'MB':>7}{'scipy':>12}{'MB':>7}{'faster':>8}{'smaller':>9}")
    fits = True
    for linkage in LINKAGES:
        with tempfile.TemporaryDirectory() as folder:
            seconds, peak, heights = measure_tree("polyseme", linkage, rows, Path(folder))
            scipy_seconds, scipy_peak, scipy_heights = measure_tree("scipy", linkage, rows, Path(folder))
        is_same = np.allclose(heights, scipy_heights, atol=1e-4)
        figures = f"{seconds:10.2f} s{peak:7.0f}{scipy_seconds:10.2f} s{scipy_peak:7.0f}"
        ratios = f"{scipy_seconds / seconds:7.1f}×{scipy_peak / peak:8.1f}×"
        print(f"{linkage:9}{figures}{ratios}  {'the same tree' if is_same else 'ANOTHER TREE'}", flush=True)
        fits &= peak < MEMORY and is_same
    return fits


# -- the rest ------------------------------------------------------------------------------------------------------


def compare_bisections(rows: int) -> None:
    """Print seconds, and I2, of our bisections and of scikit-learn's k-means ones."""
    from sklearn.cluster import BisectingKMeans

    from polyseme.clustering.clusterer import as_clusterer
    from polyseme.clustering.criteria import criterion_value
    from polyseme.clustering.repeated_bisections import RepeatedBisections

    matrix = draw_rows(rows)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    print(f"Bisections of {rows:,} rows into {CLUSTERS} clusters, best of ten each")
    for name, part in {
        "RepeatedBisections": RepeatedBisections(),
        "without refinement": RepeatedBisections(refine=False),
        "BisectingKMeans": as_clusterer(BisectingKMeans(n_init=10, random_state=0)),
    }.items():
        seconds, labels = time_once(partial(part, matrix, CLUSTERS))
        print(f"{name:20}{seconds:8.2f} s   I2 {criterion_value(matrix, labels):10.1f}", flush=True)


def compare_criteria() -> None:
    """Print the seconds of each criterion for the number of clusters, for as many rows as a word has usages."""
    from polyseme.clustering.consensus import Consensus
    from polyseme.clustering.number_of_clusters import AdaptedGap, Fixed, Silhouette
    from polyseme.induction.pipeline import Pipeline

    matrix = draw_rows(USAGES)
    print(f"Consensus of {USAGES} rows, and the number of clusters")
    seconds_by_criterion = {}
    for number in (Fixed(5), Silhouette(), AdaptedGap()):
        steps = Pipeline(cluster=Consensus(), number=number)
        run = partial(steps.senses, matrix)
        seconds_by_criterion[type(number).__name__] = time_best(run)
    silhouette = seconds_by_criterion["Silhouette"]
    for name, seconds in seconds_by_criterion.items():
        print(f"{name:20}{seconds:8.2f} s{seconds / silhouette:8.1f}× the time of Silhouette", flush=True)


def compare_threads() -> None:
    """Print the seconds of Consensus with one thread and with several, alone and while all processors are busy."""
    for name, busy in {"alone": 0, "beside others": os.cpu_count() or 1}.items():
        others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(busy)]
        try:
            one, many = time_consensus(), time_consensus(threaded=True)
        finally:
            for other in others:
                other.kill()
                other.wait()
        print(f"Consensus, {name}: {one:.2f} s in one thread, {many:.2f} s in several: {many / one:.1f}×", flush=True)


def time_consensus(threaded: bool = False) -> float:
    """The seconds of Consensus, with one thread or several."""
    from polyseme.clustering.consensus import Consensus

    matrix = draw_rows(USAGES)
    with mock.patch("threadpoolctl.threadpool_limits", nullcontext) if threaded else nullcontext():
        return time_best(lambda: Consensus().merges(matrix))


def time_scode(pairs: int) -> None:
    """Print how many pairs a second S-CODE takes, with and without numba."""
    from polyseme.clustering.scode import SCode

    rng = np.random.default_rng(0)
    x, y = rng.integers(100, size=pairs), rng.integers(1000, size=pairs)
    compiled = importlib.import_module("polyseme.clustering._scode_loop")
    if hasattr(compiled.run_pass, "py_func"):
        SCode(passes=1)(x[:10], y[:10])
        print_speed("compiled", pairs * 5, lambda: SCode(passes=5)(x, y))
        for name in ("_move_point", "run_pass"):
            setattr(compiled, name, getattr(compiled, name).py_func)
    print_speed("plain Python", pairs // 5, lambda: SCode(passes=1)(x[: pairs // 5], y[: pairs // 5]))


def print_speed(name: str, count: int, work: Callable[[], Any]) -> None:
    """Print pairs a second."""
    print(f"S-CODE, 25 dimensions, {name}: {count / time_once(work)[0]:,.0f} pairs a second", flush=True)


def main(rows: int) -> int:
    """Print all; 1 if a tree misses a limit."""
    fits = compare_trees(rows)
    compare_bisections(rows)
    compare_criteria()
    compare_threads()
    time_scode(5 * rows)
    return int(not fits)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--tree"]:
        build_tree(sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5])
    else:
        sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROWS))

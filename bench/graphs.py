"""Clusterings of graphs: Chinese Whispers beside the package ``chinese-whispers``, and the cost of link communities.

Run with ``python bench/graphs.py [EDGES]``. The graphs are random, with a few nodes of very many neighbours, as graphs
of words have: each new node gets ten neighbours, in proportion to their degrees. Both programs run twenty rounds of
Chinese Whispers; the package needs ``pip install chinese-whispers networkx``. Times are the best of three, without
compilation. The exit code is 1 if Chinese Whispers is less than 50 times as fast, if the package is missing, or if link
communities of 100,000 edges take more than 30 s or 2 GB.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import resource
import subprocess
import sys
from typing import Any

import numpy as np
import scipy.sparse as sp

from timing import time_best

EDGES = 100_000
NEIGHBOURS = 10
ROUNDS = 20
RATIO, SECONDS, MEMORY = 50.0, 30.0, 2000.0


def grow_graph(edges: int, seed: int = 0) -> sp.csr_array[Any]:
    """A graph of this many edges by preferential attachment (Barabási & Albert 1999), with random weights."""
    rng = np.random.default_rng(seed)
    ends = list(range(NEIGHBOURS))
    pairs: set[tuple[int, int]] = set()
    node = NEIGHBOURS - 1
    while len(pairs) < edges:
        node += 1
        chosen = {ends[int(place)] for place in rng.integers(len(ends), size=NEIGHBOURS)}
        pairs |= {(other, node) for other in chosen}
        ends += [*chosen, *[node] * len(chosen)]
    rows, columns, size = *np.array(sorted(pairs)).T, node + 1
    upper = sp.csr_array((rng.random(len(rows)) + 0.1, (rows, columns)), shape=(size, size))
    graph: sp.csr_array[Any] = (upper + upper.T).tocsr()
    return graph


def compare_whispers(edges: int) -> float:
    """Print the times of Chinese Whispers; return how many times as fast ours is, or 0 without the package."""
    from polyseme.graphs.chinese_whispers import ChineseWhispers

    graph = grow_graph(edges)
    clusterer = ChineseWhispers(rounds=ROUNDS)
    clusterer(grow_graph(1000))
    seconds = time_best(lambda: clusterer(graph))
    print(f"Chinese Whispers, {graph.nnz // 2:,} edges, {ROUNDS} rounds\n  polyseme {seconds:9.3f} s")
    if missing := [name for name in ("chinese-whispers", "networkx") if not _is_installed(name)]:
        problem = f"{' and '.join(missing)} is not installed, so that nothing can be compared"
        print(f"  {problem}. Type: pip install {' '.join(missing)}", flush=True)
        return 0.0
    package: Any = importlib.import_module("chinese_whispers")
    network = importlib.import_module("networkx").from_scipy_sparse_array(graph)
    repeats = 1 if edges > EDGES else 3
    peer_seconds = time_best(lambda: package.chinese_whispers(network, iterations=ROUNDS, seed=0), repeats)
    print(f"  chinese-whispers {peer_seconds:.2f} s, ratio {peer_seconds / seconds:.0f}", flush=True)
    return peer_seconds / seconds


def _is_installed(name: str) -> bool:
    return importlib.util.find_spec(name.replace("-", "_")) is not None


def measure_links(edges: int, *, weighted: bool) -> tuple[float, float]:
    """Seconds and MB of link communities, in a process of its own."""
    process = subprocess.run(
        [sys.executable, __file__, "--links", str(edges), str(int(weighted))],
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode:
        raise RuntimeError(process.stderr)
    seconds, peak = json.loads(process.stdout)
    return seconds, peak


def run_links(edges: int, *, weighted: bool) -> None:
    """Print the seconds and MB of link communities: the main function of that process."""
    from polyseme.graphs.link_communities import LinkCommunities

    clusterer = LinkCommunities(weighted=weighted)
    clusterer(grow_graph(500))
    graph = grow_graph(edges)
    seconds = time_best(lambda: clusterer(graph), 1)
    print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000]))


def main(edges: int) -> int:
    """Print all; 1 if a limit is missed."""
    ratio = compare_whispers(edges)
    sizes = [edges // 8, edges // 4, edges // 2, edges]
    print(f"Link communities\n{'edges':>10}{'seconds':>10}{'MB':>8}{'weighted':>10}{'MB':>8}")
    for size in sizes:
        plain, weighted = measure_links(size, weighted=False), measure_links(size, weighted=True)
        print(f"{size:10,}{plain[0]:10.2f}{plain[1]:8.0f}{weighted[0]:10.2f}{weighted[1]:8.0f}", flush=True)
    slow = max(plain[0], weighted[0]) > SECONDS or max(plain[1], weighted[1]) > MEMORY
    return int(ratio < RATIO or slow)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--links"]:
        run_links(int(sys.argv[2]), weighted=sys.argv[3] == "1")
    else:
        sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else EDGES))

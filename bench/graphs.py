"""Clusterings of graphs: Chinese Whispers beside the package ``chinese-whispers``, and how link communities grow.

Run with ``python bench/graphs.py [EDGES]``. The graphs are random, with some nodes of very many neighbours, as those of
words have: each new node is joined to ten others, in proportion to how many neighbours these have. Both programs do
twenty rounds of Chinese Whispers; the package needs ``pip install chinese-whispers networkx``. Times are the best of
three, compiling not counted. The exit code is 1 if Chinese Whispers is less than 50 times as fast, or if the package is
missing, so that nobody can tell, or if link communities of 100,000 edges take more than 30 s or 2 GB.
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

from timing import best

EDGES = 100_000
EACH = 10
ROUNDS = 20
RATIO, SECONDS, MEMORY = 50.0, 30.0, 2000.0


def grown(edges: int, seed: int = 0) -> sp.csr_array[Any]:
    """A graph that grew by preferential attachment (Barabási & Albert 1999) to so many edges, with random weights."""
    rng = np.random.default_rng(seed)
    ends = list(range(EACH))
    pairs: set[tuple[int, int]] = set()
    node = EACH - 1
    while len(pairs) < edges:
        node += 1
        chosen = {ends[int(place)] for place in rng.integers(len(ends), size=EACH)}
        pairs |= {(other, node) for other in chosen}
        ends += [*chosen, *[node] * len(chosen)]
    rows, columns, size = *np.array(sorted(pairs)).T, node + 1
    upper = sp.csr_array((rng.random(len(rows)) + 0.1, (rows, columns)), shape=(size, size))
    found: sp.csr_array[Any] = (upper + upper.T).tocsr()
    return found


def whispers(edges: int) -> float:
    """Print times of Chinese Whispers; how many times as fast ours is, or 0 without the other."""
    from polyseme.graphs.chinese_whispers import ChineseWhispers

    graph = grown(edges)
    ours = ChineseWhispers(rounds=ROUNDS)
    ours(grown(1000))
    mine = best(lambda: ours(graph))
    print(f"Chinese Whispers, {graph.nnz // 2:,} edges, {ROUNDS} rounds\n  polyseme {mine:9.3f} s")
    if missing := [name for name in ("chinese-whispers", "networkx") if not _is_installed(name)]:
        said = f"{' and '.join(missing)} is not installed, so that nothing can be compared"
        print(f"  {said}. Type: pip install {' '.join(missing)}", flush=True)
        return 0.0
    package: Any = importlib.import_module("chinese_whispers")
    theirs = importlib.import_module("networkx").from_scipy_sparse_array(graph)
    other = best(lambda: package.chinese_whispers(theirs, iterations=ROUNDS, seed=0), 1 if edges > EDGES else 3)
    print(f"  chinese-whispers {other:.2f} s, ratio {other / mine:.0f}", flush=True)
    return other / mine


def _is_installed(name: str) -> bool:
    return importlib.util.find_spec(name.replace("-", "_")) is not None


def links(edges: int, *, weighted: bool) -> tuple[float, float]:
    """Seconds and MB of link communities, in a process of its own."""
    ran = subprocess.run(
        [sys.executable, __file__, "--links", str(edges), str(int(weighted))],
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode:
        raise RuntimeError(ran.stderr)
    seconds, peak = json.loads(ran.stdout)
    return seconds, peak


def run_links(edges: int, *, weighted: bool) -> None:
    """What that process does."""
    from polyseme.graphs.link_communities import LinkCommunities

    made = LinkCommunities(weighted=weighted)
    made(grown(500))
    graph = grown(edges)
    seconds = best(lambda: made(graph), 1)
    print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000]))


def main(edges: int) -> int:
    """Print all; 1 if a limit is missed."""
    ratio = whispers(edges)
    sizes = [edges // 8, edges // 4, edges // 2, edges]
    print(f"Link communities\n{'edges':>10}{'seconds':>10}{'MB':>8}{'weighted':>10}{'MB':>8}")
    for size in sizes:
        plain, weighted = links(size, weighted=False), links(size, weighted=True)
        print(f"{size:10,}{plain[0]:10.2f}{plain[1]:8.0f}{weighted[0]:10.2f}{weighted[1]:8.0f}", flush=True)
    slow = max(plain[0], weighted[0]) > SECONDS or max(plain[1], weighted[1]) > MEMORY
    return int(ratio < RATIO or slow)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--links"]:
        run_links(int(sys.argv[2]), weighted=sys.argv[3] == "1")
    else:
        sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else EDGES))

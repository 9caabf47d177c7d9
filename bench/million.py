"""A million usages in hard clusters: V-measure, paired F, B-Cubed and AMI, beside scikit-learn's V-measure.

Run with ``python bench/million.py [USAGES]``; the four measures together must take less than 5 s (best of three).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

from polyseme import Labelling
from polyseme.measures.partitions import AdjustedMutualInformation, BCubed, PairedF, VMeasure

LIMIT = 5.0


def best_of_three(work: Callable[..., object], *arguments: object) -> float:
    """The shortest of three runs, in seconds."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        work(*arguments)
        times.append(time.perf_counter() - start)
    return min(times)


def clusterings(usages: int, classes: int, clusters: int) -> tuple[list[str], list[str]]:
    """Two labellings of the same usages that agree about half the time."""
    rng = np.random.default_rng(0)
    gold = rng.zipf(1.5, usages) % classes
    system = np.where(rng.random(usages) < 0.5, gold * 7 % clusters, rng.integers(clusters, size=usages))
    return [f"g{label}" for label in gold.tolist()], [f"c{label}" for label in system.tolist()]


def compared(names: list[str], classes: int, clusters: int) -> float:
    """Print one table; the seconds of the four measures together."""
    from sklearn.metrics import adjusted_mutual_info_score, v_measure_score

    print(f"{classes} classes, {clusters} clusters\n{'':34}{'seconds':>9}{'value':>9}")
    ours, theirs = clusterings(len(names), classes, clusters)
    gold, system = (Labelling.hard(names, labels, lemma="x") for labels in (ours, theirs))
    seconds = {}
    for measure in (VMeasure(), PairedF(), BCubed(), AdjustedMutualInformation()):
        seconds[measure] = best_of_three(measure, gold, system)
        print(f"{type(measure).__name__:34}{seconds[measure]:9.2f}{measure(gold, system).figure():9.4f}")
    for peer, mine in (
        (v_measure_score, seconds[VMeasure()]),
        (adjusted_mutual_info_score, seconds[AdjustedMutualInformation()]),
    ):
        took = best_of_three(peer, ours, theirs)
        ratio = f"{took / mine:.1f} times as long as ours"
        print(f"{'scikit-learn ' + peer.__name__:34}{took:9.2f}{peer(ours, theirs):9.4f}  {ratio}")
    total = sum(seconds.values())
    print(f"the four measures together: {total:.2f} s\n")
    return total


def main(usages: int = 1_000_000) -> int:
    """Print the tables; 1 if the four measures take too long."""
    print(f"{usages:,} usages of one lemma\n")
    names = [f"u{number}" for number in range(usages)]
    slowest = max(compared(names, classes, clusters) for classes, clusters in ((10, 20), (100, 1000)))
    return int(slowest > LIMIT)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))

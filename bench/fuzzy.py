"""Fuzzy B-Cubed and fuzzy NMI on 1,000 to 100,000 graded usages of one lemma, without an n × n matrix.

Run with ``python bench/fuzzy.py [LARGEST]``. Four kinds of data: one or two senses rated on a 3-point scale (many
usages share a pattern of weights, as in real keys), one to three on a 5-point scale, and weights that are all
different (the worst case), and gold against one cluster for each usage (as many senses as usages). Beside them stands
the plain way with n × n matrices, as far as memory allows.
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections.abc import Callable

import numpy as np

from polyseme import Labelling
from polyseme.baselines import OneClusterEach
from polyseme.measures.bcubed import FuzzyBCubed
from polyseme.measures.nmi import FuzzyNMI

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)
PLAIN_LIMIT = 10_000


SINGLETONS = "1-3 senses, 5-point scale, against one cluster each"
KINDS = {
    "1-2 senses, 3-point scale": (2, 3),
    "1-3 senses, 5-point scale": (3, 5),
    "1-3 senses, all different": (3, 0),
    SINGLETONS: (3, 5),
}


def graded(usages: int, senses: int, seed: int, most: int, points: int) -> Labelling:
    """Usages with up to ``most`` of the senses, weighted on a scale of some points or with a random number."""
    rng = np.random.default_rng(seed)
    rows = []
    for number in range(usages):
        chosen = rng.choice(senses, size=rng.integers(1, most + 1), replace=False).tolist()
        weights = rng.integers(1, points + 1, len(chosen)) / points if points else rng.random(len(chosen)) + 0.01
        rows.append(("x", f"x.{number}", dict(zip(map(str, chosen), weights.tolist(), strict=True))))
    return Labelling(rows)


def plain_bcubed(gold: Labelling, system: Labelling) -> float:
    """Fuzzy B-Cubed straight from the definition, with matrices of usages × usages."""
    agreement, shared = [], []
    for side in (gold.normalise("max"), system.normalise("max")):
        weights, member = side.matrix.toarray(), np.zeros((len(side), len(side.columns)), np.bool_)
        member[side.entry_rows, side.indices] = True
        c, s = np.zeros((len(side), len(side))), np.zeros((len(side), len(side)), np.bool_)
        for sense in range(len(side.columns)):
            both = np.outer(member[:, sense], member[:, sense])
            c += both * (1 - np.abs(weights[:, sense, None] - weights[:, sense]))
            s |= both
        np.fill_diagonal(s, False)
        agreement.append(c)
        shared.append(s)
    least = np.minimum(*agreement)
    means = []
    for c, s in zip(agreement, shared, strict=True):
        share = np.divide(least, c, out=np.zeros_like(c), where=s & (c > 0))
        means.append((share.sum(axis=1) / np.maximum(s.sum(axis=1), 1)).mean())
    return float(2 * means[0] * means[1] / (means[0] + means[1]))


def main(largest: int) -> None:
    """Print the curve."""
    for name, (most, points) in KINDS.items():
        print(name)
        print(f"{'usages':>9}{'FNMI s':>9}{'FBC s':>9}{'peak MB':>9}{'plain s':>9}{'ratio':>7}{'difference':>12}")
        for size in (size for size in SIZES if size <= largest):
            gold = graded(size, 6, 1, most, points)
            system = OneClusterEach()(gold) if name == SINGLETONS else graded(size, 8, 2, most, points)
            nmi, _ = timed(lambda gold, system: FuzzyNMI()(gold, system).figure(), gold, system)
            ours, value = timed(lambda gold, system: FuzzyBCubed()(gold, system).figure(), gold, system)
            tracemalloc.start()  # a second run, because counting memory takes time
            FuzzyBCubed()(gold, system)
            peak = tracemalloc.get_traced_memory()[1] / 1e6
            tracemalloc.stop()
            line = f"{size:9,}{nmi:9.2f}{ours:9.2f}{peak:9.0f}"
            if size <= PLAIN_LIMIT and name != SINGLETONS:
                plain, reference = timed(plain_bcubed, gold, system)
                line += f"{plain:9.2f}{plain / ours:7.1f}{abs(value - reference):12.1e}"
            print(line, flush=True)
        print()


def timed(measure: Callable[[Labelling, Labelling], float], gold: Labelling, system: Labelling) -> tuple[float, float]:
    """Seconds and value."""
    start = time.perf_counter()
    value = measure(gold, system)
    return time.perf_counter() - start, value


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SIZES[-1])

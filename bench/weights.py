"""The weights of senses beside people's ratings: when the model says .5, what do people say?

Run with ``python bench/weights.py [SOURCE …]``. Usages of WSsim-1 (the trial data of SemEval-2013 Task 13, on which the
temperature of ``Substitution`` was chosen), of WSsim-2 and of Task 13 are clustered and labelled by the default model.
Induced senses are not those of WordNet, so each is read as people rated its other usages: the share of WordNet sense w
in usage u is predicted as Σ_s weight(u, s) · r(s, w), where r(s, w) is the mean share of w in all usages but u,
weighted by their weights of s. Shares are applicabilities divided by their sum in the usage. Lemmas with one induced
sense are left out, as their weights say nothing. Printed are the mean predicted share and the mean share by people in
ten bins; the expected calibration error (ECE; Naeini et al. 2015); the slope of what people say on what is predicted,
both less the mean of the lemma, which is 1 for calibrated weights; and how many usages have several senses, by the
model and by people.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

import polyseme as ps
from polyseme.arrays import Floats
from polyseme.labelling import Labelling
from polyseme.tasks.wssim import applicability

BINS = np.linspace(0, 1, 11)
SEVERAL = 0.5
"""A usage has several senses if a second one has at least this share of the weight of the first."""

SOURCES: Mapping[str, str] = {
    "WSsim-1": "semeval-2013-task-13-trial",
    "WSsim-2": "erk-2013-round-2",
    "Task 13": "semeval-2013-task-13",
}


class Shares(NamedTuple):
    """Shares of WordNet senses in usages, all lemmas together.

    Args:
        predicted: By the model.
        people: By people.
        usual: The mean of the other usages of the lemma by people.
    """

    predicted: Floats
    people: Floats
    usual: Floats


def load_gold(name: str) -> Labelling:
    """Return how far people say that each sense applies: the mean of ratings, less 1; or the gold labels of Task 13."""
    data = ps.load(name)
    if name == SOURCES["Task 13"]:
        return data.gold
    ratings = data.ratings.filter(lambda row: row.task.lower() == "wssim")
    return applicability(ratings, data.inventory)


def predict_shares(labels: Labelling, gold: Labelling) -> Shares:
    """Predict the shares of WordNet senses in each usage from those of the other usages with its induced senses."""
    parts = list(_predict_lemmas(labels, gold))
    return Shares(*(np.concatenate([getattr(part, field).ravel() for part in parts]) for field in Shares._fields))


def _predict_lemmas(labels: Labelling, gold: Labelling) -> Iterator[Shares]:
    names_by_lemma: dict[str, list[str]] = {}
    for name in gold:
        names_by_lemma.setdefault(gold.lemma(name), []).append(name)
    for names in names_by_lemma.values():
        weights, ratings = (_share_matrix([source[name] for name in names]) for source in (labels, gold))
        if weights.shape[1] > 1:
            mass, total = weights.sum(axis=0), weights.T @ ratings
            others = (total - weights[:, :, None] * ratings[:, None, :]) / np.maximum(mass - weights, 1e-9)[:, :, None]
            usual = (ratings.sum(axis=0) - ratings) / max(len(names) - 1, 1)
            yield Shares(np.einsum("us,usw->uw", weights, others), ratings, usual)


def _share_matrix(rows: list[Mapping[str, float]]) -> Floats:
    """Usages × senses, as shares of each usage."""
    senses = sorted({sense for row in rows for sense in row})
    matrix = np.array([[row.get(sense, 0.0) for sense in senses] for row in rows])
    shares: Floats = matrix / np.maximum(matrix.sum(axis=1, keepdims=True), 1e-12)
    return shares


def several_senses(labels: Labelling) -> float:
    """Return the share of usages with several senses."""
    heaviest = [sorted(labels[name].values(), reverse=True) for name in labels]
    return float(np.mean([len(row) > 1 and row[1] >= SEVERAL * row[0] > 0 for row in heaviest]))


def calibration_error(shares: Shares) -> float:
    """Return the expected calibration error: the mean distance of both shares in a bin, weighted by its size."""
    return sum(size * abs(predicted - people) for size, predicted, people in bins(shares)) / len(shares.predicted)


def bins(shares: Shares) -> Iterator[tuple[int, float, float]]:
    """Yield the size of each bin that is not empty, with its mean predicted share and its mean share by people."""
    numbers = np.clip(np.digitize(shares.predicted, BINS) - 1, 0, len(BINS) - 2)
    for number in range(len(BINS) - 1):
        inside = numbers == number
        if inside.any():
            yield int(inside.sum()), float(shares.predicted[inside].mean()), float(shares.people[inside].mean())


def main() -> int:
    """Print the figures of the sources."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="*", metavar="SOURCE", help=f"{', '.join(SOURCES)}; default: all")
    for title in parser.parse_args().sources or SOURCES:
        name = SOURCES[title]
        gold = load_gold(name)
        usages = [usage for usage in ps.load(name).usages if usage.id in gold]
        labels = ps.induce(usages).label(usages)
        shares = predict_shares(labels, gold)
        slope = np.polyfit(shares.predicted - shares.usual, shares.people - shares.usual, 1)[0]
        print(f"{title}: ECE {calibration_error(shares):.3f}, slope {slope:.2f}", end="; ")
        print(f"several senses: model {several_senses(labels):.1%}, people {several_senses(gold):.1%} of usages")
        for size, predicted, people in bins(shares):
            print(f"  {predicted:.2f} people {people:.2f}  ({size:,})")
    return 0


if __name__ == "__main__":
    sys.exit(main())

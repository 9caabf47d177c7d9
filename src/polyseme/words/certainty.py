"""How sure we are of a portrait: the same word by the same model again, with other seeds or other data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from polyseme.arrays import Floats
from polyseme.labelling import Labelling
from polyseme.measures.bcubed import FuzzyBCubed
from polyseme.measures.partitions import AdjustedMutualInformation
from polyseme.words.profile import WordProfile

COMPARED_USAGES = 600
"""Of so many usages graded labellings are compared."""

VERDICTS = (
    (0.8, "The runs find almost the same senses."),
    (0.5, "The runs find mostly the same senses."),
    (0.25, "The runs agree on part of the senses only; look at the usages before you rely on one."),
    (-1.0, "The runs hardly agree: these senses are one way to divide the usages among many."),
)
"""What an agreement beyond chance means, from the greatest down."""

ONE_RUN = "There is one run only, and nothing to say how far another would agree with it."
ONE_SEED = "The model draws lots, and was run with one seed only: nothing says how far another run would agree."
DETERMINISTIC = (
    "The model is deterministic: it draws no lots, and run again on the same usages, it says the same. That it is right"
    " does not follow."
)
ON_HALVES = "Each run but the first learnt from another half of these usages, drawn at random."
FEWEST_HALVED = 20
"""Fewer usages are not halved: how far runs on a handful of usages agree means nothing."""
TOO_FEW_USAGES = (
    f"There are fewer than {FEWEST_HALVED} usages, too few to run the model on halves of them:"
    " nothing says how far another run would agree."
)
NO_SHARED_USAGES = "The runs label no usages in common, or one only, and so cannot be compared."
SAVED_MODEL = (
    "The first run is a saved model, which may have learnt from other texts; the others were fitted on this index with"
    " other seeds."
)


@dataclass(frozen=True)
class Certainty:
    """How far several labellings of the same usages agree.

    ``agreement`` is the mean over pairs of runs of the adjusted mutual information of the usages' heaviest senses: 1 if
    they are the same, 0 as by chance. ``graded`` is the mean fuzzy B-cubed F1, which looks at all weights, ``shuffled``
    that of a run with another one whose labels are dealt out anew among usages, and ``one`` with all usages in a single
    sense. ``senses``: for each sense of the first run, how far it is found again: the overlap Σ min / Σ max of its
    weights with those of the most similar sense of another run, as a mean.
    """

    runs: int
    agreement: float
    graded: float
    shuffled: float
    one: float
    senses: tuple[float, ...]

    @property
    def words(self) -> str:
        """What that means, for people."""
        return next(words for least, words in VERDICTS if self.agreement >= least)


def measure_certainty(portraits: Sequence[WordProfile], *, seed: int = 0) -> Certainty | None:
    """How far the portraits of one lemma agree; they must have usages in common, and there must be two at least.

    Runs with different seeds that are the same count as what they are, agreement. A model that draws no lots is not to
    be run twice for this.
    """
    runs = list(portraits)
    shared = _shared_usages(runs) if len(runs) > 1 else []
    if len(shared) < 2:
        return None
    rng = np.random.default_rng(seed)
    few = [shared[row] for row in np.sort(rng.permutation(len(shared))[:COMPARED_USAGES]).tolist()]
    every = [run.labelling.restrict(shared) for run in runs]
    graded, shuffled, one = [], [], []
    for first, second in combinations([each.restrict(few) for each in every], 2):
        graded.append(_f(first, second))
        shuffled.append(_f(first, _shuffle_labels(second, rng)))
        one.append(_f(first, Labelling.hard(first.usages, ["one"] * len(first), lemma=first.lemmas[0])))
    hard = [_heaviest(each) for each in every]
    agreement = [_score(first, second) for first, second in combinations(hard, 2)]
    again = np.mean([_recovered_shares(runs[0], other, shared) for other in runs[1:]], axis=0)
    mean = [float(np.mean(each)) for each in (agreement, graded, shuffled, one)]
    return Certainty(len(runs), mean[0], mean[1], mean[2], mean[3], tuple(again.tolist()))


def _shared_usages(portraits: Sequence[WordProfile]) -> list[str]:
    """The usages that all of them label."""
    common = set.intersection(*(set(portrait.labelling) for portrait in portraits))
    return [usage.id for usage in portraits[0].usages if usage.id in common]


def _heaviest(given: Labelling) -> Labelling:
    return given.top().with_weights(np.ones(len(given)))


def _score(first: Labelling, second: Labelling) -> float:
    return AdjustedMutualInformation()(first, second).total()["score"]


def _f(first: Labelling, second: Labelling) -> float:
    return FuzzyBCubed()(first, second).total()["f1"]


def _shuffle_labels(given: Labelling, rng: np.random.Generator) -> Labelling:
    """The same labels on other usages: what a run of the same shares gives that knows nothing of usages."""
    rows = list(given.rows())
    order = rng.permutation(len(rows)).tolist()
    return Labelling((lemma, usage, rows[at][2]) for (lemma, usage, _), at in zip(rows, order, strict=True))


def _recovered_shares(first: WordProfile, second: WordProfile, shared: Sequence[str]) -> Floats:
    """For each sense of the first, the overlap with the most similar one of the second."""
    ours, theirs = (_shared_weights(portrait, shared) for portrait in (first, second))
    found = np.zeros(ours.shape[1])
    for column in range(ours.shape[1]):
        least = np.minimum(ours[:, [column]], theirs).sum(axis=0)
        most = np.maximum(ours[:, [column]], theirs).sum(axis=0)
        found[column] = float(np.max(least / np.maximum(most, 1e-12), initial=0.0))
    return found


def _shared_weights(portrait: WordProfile, shared: Sequence[str]) -> Floats:
    place = {usage.id: row for row, usage in enumerate(portrait.usages)}
    return portrait.weights[[place[usage] for usage in shared]]

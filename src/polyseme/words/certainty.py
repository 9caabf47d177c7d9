"""Certainty of a word profile: the agreement of several runs of the same model on the same usages."""

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
"""Graded labellings are compared on a sample of this size."""

VERDICTS = (
    (0.8, "Certainty is high: repeated runs of the model give almost the same senses."),
    (0.5, "Certainty is fair: repeated runs of the model give mostly the same senses."),
    (0.25, "Certainty is low: repeated runs of the model agree on only some senses. Read the usages of a sense first."),
    (-1.0, "Certainty is very low: repeated runs of the model give different senses."),
)
"""The meaning of an agreement beyond chance, from this value upwards."""
LOW = 0.5
"""Below this agreement, certainty is low."""


def is_low(agreement: float) -> bool:
    """Whether an agreement, or the share of a sense that other runs recover, is low."""
    return agreement < LOW


@dataclass(frozen=True)
class Certainty:
    """The agreement of several labellings of the same usages.

    Args:
        runs: The number of runs.
        agreement: The adjusted mutual information of the heaviest senses, as a mean over pairs of runs: 1 if they are
            the same, 0 by chance.
        graded: The mean fuzzy B-cubed F1, which compares all weights.
        shuffled: The same measure between a run and another whose labels are shuffled among the usages.
        one: The same measure between a run and all usages in a single sense.
        senses: How far other runs recover each sense of the first run: the overlap Σ min / Σ max with the most similar
            sense, as a mean over the other runs.
    """

    runs: int
    agreement: float
    graded: float
    shuffled: float
    one: float
    senses: tuple[float, ...]

    @property
    def verdict(self) -> str:
        """The meaning of the agreement, as a sentence."""
        return next(sentence for least, sentence in VERDICTS if self.agreement >= least)


def measure_certainty(profiles: Sequence[WordProfile], *, seed: int = 0) -> Certainty | None:
    """Measure how far several profiles of one lemma agree.

    Runs with different seeds that are equal count as full agreement, so do not repeat a deterministic model.

    Args:
        profiles: The profiles, one a run.
        seed: The random seed of the sample and of the shuffling.

    Returns:
        The agreement, or ``None`` with fewer than two runs or fewer than two usages that all runs label.
    """
    shared = _shared_usages(profiles) if len(profiles) > 1 else []
    if len(shared) < 2:
        return None
    rng = np.random.default_rng(seed)
    sample = [shared[row] for row in np.sort(rng.permutation(len(shared))[:COMPARED_USAGES]).tolist()]
    labellings = [profile.labelling.restrict(shared) for profile in profiles]
    graded, shuffled, one = [], [], []
    for first, second in combinations([labelling.restrict(sample) for labelling in labellings], 2):
        graded.append(_graded_f1(first, second))
        shuffled.append(_graded_f1(first, _shuffle_labels(second, rng)))
        one.append(_graded_f1(first, Labelling.hard(first.usages, ["one"] * len(first), lemma=first.lemmas[0])))
    hard = [labelling.top().with_weights(np.ones(len(labelling))) for labelling in labellings]
    agreement = [AdjustedMutualInformation()(*pair).total()["score"] for pair in combinations(hard, 2)]
    recovered = np.mean([_recovered_shares(profiles[0], other, shared) for other in profiles[1:]], axis=0)
    means = [float(np.mean(values)) for values in (agreement, graded, shuffled, one)]
    return Certainty(len(profiles), means[0], means[1], means[2], means[3], tuple(recovered.tolist()))


def _shared_usages(profiles: Sequence[WordProfile]) -> list[str]:
    """The usages that all profiles label."""
    common = set.intersection(*(set(profile.labelling) for profile in profiles))
    return [usage.id for usage in profiles[0].usages if usage.id in common]


def _graded_f1(first: Labelling, second: Labelling) -> float:
    return FuzzyBCubed()(first, second).total()["f1"]


def _shuffle_labels(labelling: Labelling, rng: np.random.Generator) -> Labelling:
    """The same labels on other usages: a run with the same shares that knows nothing of the usages."""
    rows = list(labelling.rows())
    order = rng.permutation(len(rows)).tolist()
    return Labelling((lemma, usage, rows[row][2]) for (lemma, usage, _), row in zip(rows, order, strict=True))


def _recovered_shares(first: WordProfile, second: WordProfile, shared: Sequence[str]) -> Floats:
    """For each sense of the first profile, the overlap with the most similar sense of the second."""
    weights, other_weights = (profile.weights[[profile.rows[usage] for usage in shared]] for profile in (first, second))
    overlaps = np.zeros(weights.shape[1])
    for column in range(weights.shape[1]):
        intersection = np.minimum(weights[:, [column]], other_weights).sum(axis=0)
        union = np.maximum(weights[:, [column]], other_weights).sum(axis=0)
        overlaps[column] = float(np.max(intersection / np.maximum(union, 1e-12), initial=0.0))
    return overlaps

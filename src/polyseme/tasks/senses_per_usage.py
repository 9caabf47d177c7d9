"""How many senses the usages of a labelling have."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polyseme.labelling import Labelling
from polyseme.scores import Scores, ScoreSummary

UnlabelledLines = Sequence[tuple[str, str]]
"""Lemma and usage of the lines of a key that name no sense."""


def mean_senses_per_usage(labelling: Labelling) -> float:
    """Return the mean number of senses of a usage.

    >>> mean_senses_per_usage(Labelling.from_dict({"u1": {"a": 1, "b": 1}, "u2": {"a": 1}}, lemma="x"))
    1.5
    """
    return len(labelling.weights) / len(labelling) if len(labelling) else 0.0


def count_senses_per_usage(system: Labelling, unlabelled: UnlabelledLines = ()) -> Scores:
    """Count the senses of each usage; usages of unlabelled lines have none."""
    sizes = np.concatenate([system.sizes, np.zeros(len(unlabelled))])
    usages = (*system.usages, *(usage for _, usage in unlabelled))
    lemmas = (*system.usage_lemmas, *(lemma for lemma, _ in unlabelled))
    sums = np.column_stack([sizes, np.ones(len(sizes))])
    return Scores("senses per usage", usages, lemmas, sums, ScoreSummary.mean)

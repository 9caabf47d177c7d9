"""How probable it is that two usages of a word have the same sense, and the senses that follow from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log
from typing import Any, ClassVar

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.clustering.correlation import CorrelationClusters, recurrence
from polyseme.lm.substitutes import target_pos
from polyseme.parts import CheckedOptions, Ranges
from polyseme.usage import Usage

READ_WORDS = 128
"""The small model reads no more words than this around the target; further ones make usages no more similar."""

TYPICAL_WORDS = 25
"""The length of a text if there is none: that of a sentence."""


@dataclass(frozen=True)
class SameSense(CheckedOptions):
    """Usages that probably have the same sense, by a calibrated probability for each pair.

    Two usages with the cosine c, in texts of w₁ and w₂ words, have the same sense with the probability

        p = 1 / (1 + exp(−(``slope`` · c + ``length`` · (ln w₁ + ln w₂) / 2 + ``intercept``)))

    with ``verb`` or ``adjective`` added for these parts of speech. (Platt 1999) A pair weighs the log-odds of p less
    those of ``probability``, and correlation clustering says which usages form a sense, and how many senses there are.
    The values are for the kernel of :class:`~polyseme.induction.substitution.Substitution` with the small model;
    ``bench/same_sense.py`` learns them from the development lemmas of SemCor-WSI, sentences and paragraphs.

    Args:
        probability: How probable the same sense must be for two groups of usages, on balance, to form one sense. The
            higher it is, the finer the senses.
        slope: The weight of the cosine.
        intercept: The log-odds without the other terms.
        length: The weight of the logarithm of the number of words: in long texts, all usages are more similar.
        verb: What is added for verbs.
        adjective: What is added for adjectives and adverbs.
        halves: The number of random halves of the usages on which a sense has to recur.
        restarts: The number of searches for the best clustering.
        seed: The random seed of the searches and halves.

    >>> usages = [Usage(f"u{n}", "bank.n", "the bank " * 10, 4, 8) for n in range(2)]
    >>> SameSense().probabilities(np.array([[1.0, 0.2], [0.2, 1.0]]), usages).round(2).tolist()
    [[0.97, 0.19], [0.19, 0.97]]
    """

    kind: ClassVar[str] = "clusterer"
    decides_number: ClassVar[bool] = True
    ranges: ClassVar[Ranges] = {
        "probability": (0.01, 0.99),
        "slope": (0, inf),
        **dict.fromkeys(("intercept", "length", "verb", "adjective"), (-inf, inf)),
        "halves": (0, inf),
        "restarts": (1, inf),
        "seed": (0, inf),
    }
    probability: float = 0.42
    slope: float = 6.22
    intercept: float = -1.85
    length: float = -0.281
    verb: float = -0.398
    adjective: float = 0.143
    halves: int = 20
    restarts: int = 5
    seed: int = 0

    def __call__(self, matrix: Any, number: int | None = None, weights: Floats | None = None) -> Ints:
        """The cluster of each row, for usages of a noun in sentences; see :meth:`for_usages` for others."""
        return self.for_usages(())(matrix, number, weights)

    def for_usages(self, usages: Sequence[Usage]) -> CorrelationClusters:
        """The clusterer for usages of a word: its threshold is the cosine of usages that have p = ``probability``."""
        odds = log(self.probability / (1 - self.probability))
        offset = float(np.mean(self._offsets(usages))) if usages else self._offset("", TYPICAL_WORDS)
        return CorrelationClusters((odds - offset) / max(self.slope, 1e-9), self.restarts, self.seed)

    def recurrence(self, matrix: Any, labels: Ints, usages: Sequence[Usage]) -> Floats:
        """The share of random halves of the usages in which each cluster recurs."""
        return recurrence(self.for_usages(usages).signed_pairs(matrix), labels, self.halves, self.seed)

    def probabilities(self, cosines: Floats, usages: Sequence[Usage], others: Sequence[Usage] | None = None) -> Floats:
        """The probability of the same sense, usages × others; by default the others are the usages themselves."""
        offsets = self._offsets(usages)
        means = np.add.outer(offsets, offsets if others is None else self._offsets(others)) / 2
        shares: Floats = 1 / (1 + np.exp(-(self.slope * np.asarray(cosines, float) + means)))
        return shares

    def _offsets(self, usages: Sequence[Usage]) -> Floats:
        """What each usage adds to the log-odds, apart from cosines."""
        return np.array([self._offset(target_pos(usage), len(usage.text.split())) for usage in usages])

    def _offset(self, pos: str, words: int) -> float:
        of_pos = {"v": self.verb, "a": self.adjective, "r": self.adjective}.get(pos, 0.0)
        return self.intercept + self.length * log(min(max(words, 1), READ_WORDS)) + of_pos

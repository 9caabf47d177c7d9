"""Perception: measures of the *weights* of a usage's senses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from polyseme.arrays import Floats
from polyseme.labelling import Labelling
from polyseme.measures.alignment import Alignment
from polyseme.measures.protocol import TASK_13, MeasurePart, MeasureProperties, Variant
from polyseme.scores import FloatArray, Scores, Totals, harmonic_mean, safe_ratio


@dataclass(frozen=True)
class WNDCG(MeasurePart):
    """Perception: weighted normalised discounted cumulative gain, usage by usage.

    The senses of the union are ranked by system weight t, ties by name; with the gold weight g of the i-th of them

        WDCG = Σ min(g, t)/max(g, t) · (2^(g+1) − 1) / log2(i + 1),

    where a sense with g = t = 0 adds 1/log2(i + 1), so that listing zeros can lift a score above 1. The scorer divides
    by Σ 2^(g+1)/log2(i + 1) over the gold senses in gold order, *without* the −1, so that gold against gold stays below
    1. (The printed discount log2(i) would divide by zero at i = 1: a slip.) (Jurgens & Klapaftis 2013, §3.1.4)

    Args:
        variant: ``"official"`` divides as the scorer does; ``"paper"`` has the −1 in the divisor too.

    >>> gold = Labelling.from_dict({"u": {"a": 1.0}}, lemma="x")
    >>> WNDCG()(gold, gold).total()["f1"], WNDCG("paper")(gold, gold).total()["f1"]
    (0.75, 1.0)
    """

    variant: Variant = "official"
    properties: ClassVar[MeasureProperties] = MeasureProperties(
        citation=f"{TASK_13}, §3.1.4", high=float("inf"), self_is_best=False
    )

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score each gold usage."""
        table = Alignment.from_labellings(gold, system)
        position = table.positions(np.lexsort((table.rank, -table.system, table.usage)))
        largest = np.maximum(table.gold, table.system)
        agreement = safe_ratio(np.minimum(table.gold, table.system), largest, empty=1.0)
        gain = table.per_usage(agreement * (2 ** (table.gold + 1) - 1) / np.log2(position + 2))
        ideal_position = table.positions(np.lexsort((table.rank, -table.gold, ~table.in_gold, table.usage)))
        top = 2 ** (table.gold + 1) - (0 if self.variant == "official" else 1)
        ideal = table.per_usage(np.where(table.in_gold, top / np.log2(ideal_position + 2), 0.0))
        return table.scores(self, gain / ideal)


@dataclass(frozen=True)
class Cosine(MeasurePart):
    """Perception: the cosine of the two weight vectors, Σ g·t / (√Σ g² · √Σ t²). (Jurgens 2012, "Perception")

    >>> gold = Labelling.from_dict({"win.v.i": {"win.v.1": 0.6, "win.v.2": 0.4}}, lemma="win.v")
    >>> system = Labelling.from_dict({"win.v.i": {"win.v.1": 0.7, "win.v.2": 0.3}}, lemma="win.v")
    >>> round(Cosine()(gold, system).total()["f1"], 3)
    0.983
    """

    properties: ClassVar[MeasureProperties] = MeasureProperties(citation="Jurgens 2012, §2", symmetric=True)

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score each gold usage."""
        table = Alignment.from_labellings(gold.normalise("max"), system.normalise("max"))
        lengths = np.sqrt(table.per_usage(table.gold**2) * table.per_usage(table.system**2))
        return table.scores(self, safe_ratio(table.per_usage(table.gold * table.system), lengths, empty=0.0))


@dataclass(frozen=True)
class JensenShannonDivergence(MeasurePart):
    """JSD(G‖T) = ½ KL(G‖M) + ½ KL(T‖M) with M = ½(G + T) and natural logarithms, on weights that sum to 1.

    Lower is better, and 0 is best; two disjoint labellings have ln 2. It has no recall: a usage that the system leaves
    unlabelled has ln 2. (Erk & McCarthy 2009)

    >>> gold = Labelling.from_dict({"u": {"a": 1.0}}, lemma="x")
    >>> JensenShannonDivergence()(gold, gold).total()
    {'score': 0.0}
    """

    properties: ClassVar[MeasureProperties] = MeasureProperties(
        citation="Erk & McCarthy 2009, Graded word sense assignment",
        high=float(np.log(2)),
        best=0.0,
        symmetric=True,
        missing="worst",
    )

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score each gold usage."""
        table, divergence = _compute_divergence(gold, system)
        values = np.where(table.answered, divergence, np.log(2))
        return Scores.from_means(repr(self), gold.usages, table.lemmas, values)


@dataclass(frozen=True)
class JensenShannonSimilarity(MeasurePart):
    """Perception: JSS = 1 − JSD with natural logarithms, on weights that sum to 1. (Jurgens 2012, §2 and §5.4)

    Two disjoint labellings still score 1 − ln 2, which is why Jurgens prefers the cosine.

    >>> gold = Labelling.from_dict({"win.v.i": {"win.v.1": 0.6, "win.v.2": 0.4}}, lemma="win.v")
    >>> system = Labelling.from_dict({"win.v.i": {"win.v.3": 0.5, "win.v.1": 0.3, "win.v.4": 0.2}}, lemma="win.v")
    >>> round(JensenShannonSimilarity()(gold, system).total()["f1"], 3)
    0.593
    """

    properties: ClassVar[MeasureProperties] = MeasureProperties(
        citation="Jurgens 2012, §2; Erk & McCarthy 2009", symmetric=True
    )

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score each gold usage."""
        table, divergence = _compute_divergence(gold, system)
        return table.scores(self, 1 - divergence)


def _compute_divergence(gold: Labelling, system: Labelling) -> tuple[Alignment, Floats]:
    table = Alignment.from_labellings(gold.normalise("sum"), system.normalise("sum"))
    middle = (table.gold + table.system) / 2
    entropy = sum((_relative_entropy(p, middle) for p in (table.gold, table.system)), np.zeros(len(middle)))
    # Weights that are all 0 are no distribution: their divergence from any distribution is the largest.
    empty = [table.per_usage(side) == 0 for side in (table.gold, table.system)]
    return table, np.where(empty[0] != empty[1], np.log(2), np.maximum(table.per_usage(entropy) / 2, 0.0))


def _relative_entropy(p: Floats, q: Floats) -> Floats:
    return np.where(p > 0, p * np.log(safe_ratio(p, q, empty=1.0), where=p > 0, out=np.zeros_like(p)), 0.0)


@dataclass(frozen=True)
class WeightedOverlap(MeasurePart):
    """Weighted precision and recall: P = Σ min(g, t) / Σ t and R = Σ min(g, t) / Σ g, usage by usage.

    Precision is the mean over the answered usages, recall over all; F1 is their harmonic mean. Weights are not
    normalised, so both sides must have the same scale. (Erk & McCarthy 2009)

    >>> gold = Labelling.from_dict({"u": {"a": 4, "b": 1}}, lemma="x")
    >>> system = Labelling.from_dict({"u": {"a": 2}}, lemma="x")
    >>> WeightedOverlap()(gold, system).total()
    {'precision': 1.0, 'recall': 0.4, 'f1': 0.5714285714285715}
    """

    properties: ClassVar[MeasureProperties] = MeasureProperties(
        citation="Erk & McCarthy 2009, Graded word sense assignment", symmetric=True
    )

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score each gold usage."""
        table = Alignment.from_labellings(gold, system)
        least = table.per_usage(np.minimum(table.gold, table.system))
        masses = table.per_usage(table.system), table.per_usage(table.gold)
        for mass in masses:
            table.check(self, mass)
        precision, recall = (safe_ratio(least, mass, empty=0.0) for mass in masses)
        sums = np.column_stack([precision, recall, table.answered, np.ones(len(gold))])
        return Scores(repr(self), gold.usages, table.lemmas, sums, _summarise_overlap)


def _summarise_overlap(sums: FloatArray) -> Totals:
    """Statistics (precision, recall, answered, 1) → precision over the answered, recall over all, F1."""
    precision, recall, answered, units = np.moveaxis(sums, -1, 0)
    precision, recall = safe_ratio(precision, answered, empty=0.0), safe_ratio(recall, units)
    return {"precision": precision, "recall": recall, "f1": harmonic_mean(precision, recall)}

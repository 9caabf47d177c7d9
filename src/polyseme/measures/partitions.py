"""Measures of hard clusterings: each usage has a single answer, as in SemEval-2010 Task 14.

The answer is the first sense on the line of an answer key, and the heaviest of a labelling that is no key.

The unlabelled usages of a lemma form one cluster. The system's usages outside gold are ignored. Totals are means over
lemmas, weighted by their number of usages.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from polyseme.arrays import Floats, Ints, count_at, expand_runs, positions_by_value, sum_at
from polyseme.labelling import Labelling
from polyseme.measures.protocol import MeasurePart, MeasureProperties
from polyseme.scores import Scores, ScoreSummary, Totals, harmonic_mean, safe_ratio

TASK_14 = "Manandhar, Klapaftis, Dligach & Pradhan 2010, SemEval-2010 Task 14"


def _declare(citation: str, low: float = 0.0) -> MeasureProperties:
    """Return the properties that all measures of hard clusterings share."""
    return MeasureProperties(citation, low, symmetric=True, missing="cluster", same_inventory=False)


@dataclass(frozen=True)
class Contingency:
    """The tables of gold classes × system clusters of all lemmas, cell by cell, without empty cells.

    Args:
        count: The usages of each cell.
        lemma: The lemma of each cell.
        in_class: The class of each cell.
        in_cluster: The cluster of each cell.
        classes: The size of each class.
        clusters: The size of each cluster.
        class_lemma: The lemma of each class.
        cluster_lemma: The lemma of each cluster.
        usages: The number of usages of each lemma.
    """

    count: Floats
    lemma: Ints
    in_class: Ints
    in_cluster: Ints
    classes: Floats
    clusters: Floats
    class_lemma: Ints
    cluster_lemma: Ints
    usages: Floats

    @classmethod
    def from_labellings(cls, gold: Labelling, system: Labelling) -> Contingency:
        """Count the answers of both labellings."""
        gold_column = gold.indices[gold.answer_entries()]
        system_column = system.indices[system.answer_entries()]
        rows = system.row_numbers(gold.usages)
        unlabelled = len(system.columns) + gold.row_lemmas
        cluster = np.where(rows >= 0, np.append(system_column, 0)[rows], unlabelled)
        width = len(system.columns) + len(gold.lemmas)
        cells, count = np.unique(gold_column * width + cluster, return_counts=True)
        lemma_of_class = np.zeros(len(gold.columns), np.intp)
        lemma_of_class[gold_column] = gold.row_lemmas
        lemma = lemma_of_class[cells // width]
        classes, in_class = np.unique(cells // width, return_inverse=True)
        clusters, in_cluster = np.unique(lemma * width + cells % width, return_inverse=True)
        return cls(
            count.astype(np.float64),
            lemma,
            in_class,
            in_cluster,
            sum_at(in_class, count, len(classes)),
            sum_at(in_cluster, count, len(clusters)),
            lemma_of_class[classes],
            clusters // width,
            count_at(gold.row_lemmas, len(gold.lemmas)).astype(np.float64),
        )

    def per_lemma(self, cells: Floats) -> Floats:
        """Sum values of cells over each lemma."""
        return sum_at(self.lemma, cells, len(self.usages))

    def over_classes(self, values: Floats) -> Floats:
        """Sum values of classes over each lemma."""
        return sum_at(self.class_lemma, values, len(self.usages))

    def over_clusters(self, values: Floats) -> Floats:
        """Sum values of clusters over each lemma."""
        return sum_at(self.cluster_lemma, values, len(self.usages))

    def entropies(self) -> tuple[Floats, Floats, Floats]:
        """Return H(classes), H(clusters) and their mutual information for each lemma, in nats."""
        n = self.usages
        h_class = self.over_classes(_information(self.classes, n[self.class_lemma]))
        h_cluster = self.over_clusters(_information(self.clusters, n[self.cluster_lemma]))
        joint = self.per_lemma(_information(self.count, n[self.lemma]))
        return h_class, h_cluster, np.maximum(h_class + h_cluster - joint, 0.0)


def _information(counts: Floats, totals: Floats) -> Floats:
    p = counts / totals
    return -p * np.log(p)


def _count_pairs(sizes: Floats) -> Floats:
    return sizes * (sizes - 1) / 2


@dataclass(frozen=True)
class VMeasure(MeasurePart):
    """V-measure: the harmonic mean of homogeneity h = 1 − H(S|K)/H(S) and completeness c = 1 − H(K|S)/H(K).

    S are the gold classes, K the clusters; where H = 0 that component is 1. (Rosenberg & Hirschberg 2007; SemEval-2010
    Task 14, §3.1.1)

    >>> gold = Labelling.hard(["u1", "u2", "u3", "u4"], list("aabb"), lemma="x")
    >>> VMeasure()(gold, Labelling.hard(["u1", "u2", "u3", "u4"], list("ccdd"), lemma="x")).total()
    {'homogeneity': 1.0, 'completeness': 1.0, 'score': 1.0}
    """

    properties: ClassVar[MeasureProperties] = _declare(f"Rosenberg & Hirschberg 2007; {TASK_14}, §3.1.1")

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score each of gold's lemmas."""
        table = Contingency.from_labellings(gold, system)
        h_class, h_cluster, mutual = table.entropies()
        homogeneity = safe_ratio(mutual, h_class, empty=1.0)
        completeness = safe_ratio(mutual, h_cluster, empty=1.0)
        return _weigh_by_usages(
            self, gold, table, homogeneity, completeness, harmonic_mean(homogeneity, completeness), _summarise_v_measure
        )


@dataclass(frozen=True)
class PairedF(MeasurePart):
    """Paired F-score: precision and recall of pairs: those in one cluster against those in one class.

    A cluster of n > 1 usages has n(n − 1)/2 pairs; one of a single usage a contributes the pair (a, a). (Artiles, Amigó
    & Gonzalo 2009; SemEval-2010 Task 14, §3.1.2)

    >>> gold = Labelling.hard(["u1", "u2", "u3", "u4"], list("aabb"), lemma="x")
    >>> PairedF()(gold, Labelling.hard(["u1", "u2", "u3", "u4"], list("cccc"), lemma="x")).total()["f1"]
    0.5
    """

    properties: ClassVar[MeasureProperties] = _declare(f"Artiles, Amigó & Gonzalo 2009; {TASK_14}, §3.1.2")

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score each of gold's lemmas."""
        table = Contingency.from_labellings(gold, system)
        alone = (table.classes[table.in_class] == 1) & (table.clusters[table.in_cluster] == 1)
        common = table.per_lemma(_count_pairs(table.count) + alone)
        precision = common / table.over_clusters(np.maximum(_count_pairs(table.clusters), 1))
        recall = common / table.over_classes(np.maximum(_count_pairs(table.classes), 1))
        return _weigh_by_usages(
            self, gold, table, precision, recall, harmonic_mean(precision, recall), ScoreSummary.mean_f
        )


@dataclass(frozen=True)
class BCubed(MeasurePart):
    """B-Cubed: for each usage, the share of its cluster that is of its class, and of its class that is in its cluster.

    F is taken for each lemma. (Bagga & Baldwin 1998)

    >>> gold = Labelling.hard(["u1", "u2", "u3", "u4"], list("aabb"), lemma="x")
    >>> BCubed()(gold, Labelling.hard(["u1", "u2", "u3", "u4"], list("cccc"), lemma="x")).total()["precision"]
    0.5
    """

    properties: ClassVar[MeasureProperties] = _declare(
        "Bagga & Baldwin 1998, Algorithms for scoring coreference chains"
    )

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score each of gold's lemmas."""
        table = Contingency.from_labellings(gold, system)
        squared = table.count**2
        precision = table.per_lemma(squared / table.clusters[table.in_cluster]) / table.usages
        recall = table.per_lemma(squared / table.classes[table.in_class]) / table.usages
        return _weigh_by_usages(
            self, gold, table, precision, recall, harmonic_mean(precision, recall), ScoreSummary.mean_f
        )


@dataclass(frozen=True)
class AdjustedRand(MeasurePart):
    """Adjusted Rand index: agreement on pairs of usages, corrected for chance: 1 is perfect, 0 is what chance gives.

    (Hubert & Arabie 1985)

    >>> gold = Labelling.hard(["u1", "u2", "u3", "u4"], list("aabb"), lemma="x")
    >>> AdjustedRand()(gold, Labelling.hard(["u1", "u2", "u3", "u4"], list("ccdd"), lemma="x")).total()
    {'score': 1.0}
    """

    properties: ClassVar[MeasureProperties] = _declare("Hubert & Arabie 1985, Comparing partitions", low=-1.0)

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score each of gold's lemmas."""
        table = Contingency.from_labellings(gold, system)
        common = table.per_lemma(_count_pairs(table.count))
        classes, clusters = (
            table.over_classes(_count_pairs(table.classes)),
            table.over_clusters(_count_pairs(table.clusters)),
        )
        chance = safe_ratio(classes * clusters, _count_pairs(table.usages), empty=0.0)
        value = safe_ratio(common - chance, (classes + clusters) / 2 - chance, empty=1.0)
        return Scores.from_lemmas(repr(self), gold.lemmas, value, table.usages)


@dataclass(frozen=True)
class AdjustedMutualInformation(MeasurePart):
    """Mutual information corrected for chance: AMI = (I − E[I]) / (mean(H(S), H(K)) − E[I]).

    E[I] is the expectation over all clusterings with the same sizes. (Vinh, Epps & Bailey 2010)

    Args:
        average: The mean in the denominator: ``"arithmetic"``, or ``"max"``, the larger entropy.

    >>> gold = Labelling.hard(["u1", "u2", "u3", "u4"], list("aabb"), lemma="x")
    >>> AdjustedMutualInformation()(gold, Labelling.hard(["u1", "u2", "u3", "u4"], list("ccdd"), lemma="x")).total()
    {'score': 1.0}
    """

    average: Literal["arithmetic", "max"] = "arithmetic"
    properties: ClassVar[MeasureProperties] = _declare(
        "Vinh, Epps & Bailey 2010, Information theoretic measures for clusterings comparison", low=-1.0
    )

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score each of gold's lemmas."""
        table = Contingency.from_labellings(gold, system)
        h_class, h_cluster, mutual = table.entropies()
        mean = np.maximum(h_class, h_cluster) if self.average == "max" else (h_class + h_cluster) / 2
        chance = self._expected(table)
        # Two clusterings that are both trivial in the same way (one cluster, or all singletons) agree perfectly.
        trivial = (np.abs(mean - chance) < 1e-12) & (np.abs(mutual - mean) < 1e-12)
        bound = np.where(np.abs(mean - chance) < np.finfo(np.float64).eps, np.finfo(np.float64).eps, mean - chance)
        return Scores.from_lemmas(
            repr(self), gold.lemmas, np.where(trivial, 1.0, (mutual - chance) / bound), table.usages
        )

    def _expected(self, table: Contingency) -> Floats:
        lemmas = len(table.usages)
        parts = zip(
            positions_by_value(table.class_lemma, lemmas), positions_by_value(table.cluster_lemma, lemmas), strict=True
        )
        return np.array([expected_information(table.classes[a], table.clusters[b]) for a, b in parts])


def expected_information(classes: Floats, clusters: Floats) -> float:
    """Return E[I] of two clusterings with these sizes when usages are dealt out at random, in nats.

    The overlap of a class of size a and a cluster of size b is hypergeometric. Equal sizes are counted once, and the
    sum runs over overlaps within 40 standard deviations of the mean; the rest adds nothing.

    >>> round(expected_information(np.array([2.0, 2.0]), np.array([2.0, 2.0])), 12)
    0.231049060187
    """
    from scipy.special import gammaln

    n = classes.sum()
    (a, a_times), (b, b_times) = (np.unique(sizes, return_counts=True) for sizes in (classes, clusters))
    a, b = (grid.ravel() for grid in np.meshgrid(a, b, indexing="ij"))
    times = np.outer(a_times, b_times).ravel()
    mean = a * b / n
    reach = 40 * np.sqrt(mean * (1 - a / n) * (n - b) / max(n - 1, 1)) + 40
    low = np.maximum(np.maximum(np.floor(mean - reach), a + b - n), 1)
    high = np.minimum(np.minimum(np.ceil(mean + reach), a), b)
    log_factorial = gammaln(np.arange(int(n) + 1) + 1.0)
    total = 0.0
    for start in range(0, len(a), 4096):
        part = slice(start, start + 4096)
        total += _expected_terms(a[part], b[part], times[part], low[part], high[part], n, log_factorial)
    return float(total)


def _expected_terms(
    a: Floats, b: Floats, times: Ints, low: Floats, high: Floats, n: float, log_factorial: Floats
) -> float:
    """Return Σ times · Σ_k (k/n) log(n k / (a b)) · P(overlap = k), for k from low to high."""
    sizes = np.maximum(high - low + 1, 0).astype(np.intp)
    m = expand_runs(low.astype(np.intp), sizes)
    i, j = (np.repeat(values, sizes).astype(np.intp) for values in (a, b))
    log, size = log_factorial.take, int(n)
    log_p = log(i) + log(j) + log(size - i) + log(size - j)
    log_p -= log_factorial[size] + log(m) + log(i - m) + log(j - m) + log(size - i - j + m)
    information = (m / n) * (np.log(n * m) - np.log(i.astype(np.float64) * j))
    return float(np.sum(np.repeat(times, sizes) * information * np.exp(log_p)))


def _summarise_v_measure(sums: Floats) -> Totals:
    """Statistics (w · h, w · c, w · V, w) → three weighted means."""
    homogeneity, completeness, v, weight = np.moveaxis(sums, -1, 0)
    return {
        "homogeneity": safe_ratio(homogeneity, weight),
        "completeness": safe_ratio(completeness, weight),
        "score": safe_ratio(v, weight),
    }


def _weigh_by_usages(
    measure: object,
    gold: Labelling,
    table: Contingency,
    first: Floats,
    second: Floats,
    both: Floats,
    summary: Callable[[Floats], Totals],
) -> Scores:
    weight = table.usages
    sums = np.column_stack([first * weight, second * weight, both * weight, weight])
    return Scores(repr(measure), gold.lemmas, gold.lemmas, sums, summary)

"""Usim → clusters of usages: senses without names."""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from polyseme.agreement.judgements import collect_judgements
from polyseme.arrays import count_at
from polyseme.clustering.correlation_clustering import cluster_by_correlation
from polyseme.errors import InputWarning
from polyseme.gold.adjudication import apply_adjudications
from polyseme.gold.combination import AnnotatorModel, check_combination, combine_ratings
from polyseme.gold.usage_graph import UsageClustering, UsageGraph, build_graph_from_judgements
from polyseme.labelling import Labelling
from polyseme.parts import check_ranges
from polyseme.rating import Ratings


@dataclass(frozen=True)
class UsageClusters:
    """A labelling from ratings of pairs of usages: correlation clusters of the usage graph.

    The ratings of a pair are combined, as in :class:`~polyseme.gold.rule.Gold`; the weight of the pair is the combined
    rating minus the threshold. Clusters lose as little weight as possible: that of pairs above the threshold in
    different clusters, and of pairs below it in one. (Schlechtweg et al. 2020, 2021; Bansal, Blum & Chawla 2004) A
    lemma's clusters are called ``lemma.1``, ``lemma.2``, …, from the largest.

    Args:
        threshold: The rating between different and similar usages; by default the middle of the scale from 1 to the
            highest rating: 2.5 on the scale of DURel, 3 on that of Usim.
        combine: How ratings are combined, as in ``Gold``.
        graded: Whether a usage also has other clusters: each with the share of its judged pairs with members of that
            cluster that are above the threshold.
        unjudged: A usage without a judged pair is a cluster (``alone``), or unlabelled (``left out``).
        smallest: Usages in smaller clusters are unlabelled.
        rounds: How long graphs are searched that are too large to be solved exactly.
        seed: The random seed of this search.

    >>> from polyseme.rating import Rating
    >>> rows = [("u1", "u2", 4), ("u2", "u3", 1), ("u3", "u4", 4), ("u1", "u5", 4)]
    >>> ratings = Ratings(Rating("ann", "Usim", "win.v", one, two, value) for one, two, value in rows)
    >>> dict(UsageClusters()(ratings).items())
    {'u1': {'win.v.1': 1.0}, 'u2': {'win.v.1': 1.0}, 'u3': {'win.v.2': 1.0}, 'u4': {'win.v.2': 1.0}, \
'u5': {'win.v.1': 1.0}}
    """

    threshold: float | int | Literal["middle"] = "middle"
    combine: str | AnnotatorModel = "mean"
    graded: bool = False
    unjudged: Literal["alone", "left out"] = "alone"
    smallest: int = 1
    rounds: int = 5
    seed: int = 0
    kind: ClassVar[str] = "gold"

    def __str__(self) -> str:
        """Return the rule in words."""
        threshold = self.threshold if self.threshold == "middle" else f"{self.threshold:g}"
        similar = "the middle of the scale" if threshold == "middle" else threshold
        return f"Usages rated above {similar} are similar, and clusters keep similar usages together."

    def __post_init__(self) -> None:
        check_combination(self.combine)
        check_ranges(self, threshold=(0, 1e9), smallest=(1, 1e9), rounds=(0, 1e9))

    def __call__(self, ratings: Ratings) -> Labelling:
        """Label the usages of rated pairs with their clusters."""
        return self.label(self.cluster(self.build_graph(ratings)))

    def build_graph(self, ratings: Ratings) -> UsageGraph:
        """Build the usage graph of ratings of Usim."""
        adjudicated = apply_adjudications(ratings)
        judgements = collect_judgements(adjudicated.judgements)
        estimates = combine_ratings(self.combine, judgements)
        for note in estimates.notes:
            warnings.warn(note, InputWarning, stacklevel=3)
        return build_graph_from_judgements(judgements, estimates.value, adjudicated.values)

    def cluster(self, graph: UsageGraph) -> UsageClustering:
        """Cluster the usages of a graph."""
        threshold = graph.middle if isinstance(self.threshold, str) else float(self.threshold)
        partition = cluster_by_correlation(graph.edges(threshold), self.rounds, self.seed)
        labels = partition.labels
        stays = count_at(labels, int(labels.max(initial=-1)) + 1)[labels] >= self.smallest
        if self.unjudged == "left out":
            stays &= graph.judged
        return UsageClustering(graph, threshold, np.where(stays, labels, -1), partition)

    def label(self, clustering: UsageClustering) -> Labelling:
        """Label each usage with its cluster; if ``graded``, with its clusters."""
        names, shares = _name_clusters(clustering), _cluster_shares(clustering) if self.graded else {}
        rows = []
        for number, (lemma, usage) in enumerate(clustering.graph.usages):
            cluster = int(clustering.cluster[number])
            if cluster >= 0:
                weights = {cluster: 1.0} | shares.get(number, {})
                order = sorted(weights, key=lambda other: -weights[other])
                rows.append((lemma, usage, {names[other]: weights[other] for other in order}))
        return Labelling(rows)


def _name_clusters(clustering: UsageClustering) -> dict[int, str]:
    """Name each lemma's clusters ``lemma.1``, ``lemma.2``, …; they are numbered by size over all lemmas."""
    lemmas = dict(zip(clustering.cluster.tolist(), (lemma for lemma, _ in clustering.graph.usages), strict=True))
    names: dict[int, str] = {}
    counts: Counter[str] = Counter()
    for cluster in sorted(lemmas.keys() - {-1}):
        counts[lemmas[cluster]] += 1
        names[cluster] = f"{lemmas[cluster]}.{counts[lemmas[cluster]]}"
    return names


def _cluster_shares(clustering: UsageClustering) -> dict[int, dict[int, float]]:
    """Compute for each usage and cluster the share of their pairs above the threshold, unless it is 0."""
    edges = clustering.graph.edges(clustering.threshold)
    is_above: dict[tuple[int, int], list[bool]] = {}
    for usages, others in ((edges.first, edges.second), (edges.second, edges.first)):
        pairs = zip(usages.tolist(), clustering.cluster[others].tolist(), (edges.weight > 0).tolist(), strict=True)
        for usage, cluster, above in pairs:
            if cluster >= 0:
                is_above.setdefault((usage, cluster), []).append(above)
    shares: dict[int, dict[int, float]] = {}
    for (usage, cluster), values in sorted(is_above.items()):
        if any(values):
            shares.setdefault(usage, {})[cluster] = sum(values) / len(values)
    return shares

"""Usim → clusters of usages, which are senses that nobody named."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from polyseme.agreement.judgements import collect_judgements
from polyseme.arrays import Ints, count_at, sum_at
from polyseme.errors import InputWarning
from polyseme.gold.combination import AnnotatorModel, check_combination, combine_ratings, select_annotator_model
from polyseme.gold.correlation_clustering import cluster_by_correlation
from polyseme.gold.usage_graph import UsageClustering, UsageGraph, build_graph_from_judgements, build_graph_from_pairs
from polyseme.labelling import Labelling
from polyseme.parts import check_ranges
from polyseme.rating import Ratings
from polyseme.usage import UsagePair


@dataclass(frozen=True)
class UsageClusters:
    """A labelling from ratings of pairs of usages: correlation clusters of the usage graph.

    The annotators' ratings of a pair are combined, as :class:`~polyseme.gold.rule.Gold` does; the weight of the pair is
    what is left of it above the ``threshold``, which is the middle of the scale from 1 to the highest rating unless it
    is given: 2.5 on the scale of DURel, 3 on that of Usim. Usages are put into clusters so that as little weight as
    possible is lost, of pairs above the threshold in different clusters, and of pairs below it in one. (Schlechtweg et
    al. 2020, 2021; Bansal, Blum & Chawla 2004) A lemma's clusters are called ``lemma.1``, ``lemma.2``, …, from the
    largest.

    A usage with no judged pair is a cluster of its own, or, if ``unjudged`` is ``"left out"``, unlabelled, as are those
    in clusters smaller than ``smallest``. With ``graded``, a usage has other clusters, too: each with the share of its
    judged pairs with members of that cluster that are above the threshold. ``rounds`` and ``seed`` are for graphs too
    large to be solved exactly.

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

    def __post_init__(self) -> None:
        check_combination(self.combine)
        check_ranges(self, threshold=(0, 1e9), smallest=(1, 1e9), rounds=(0, 1e9))

    def __call__(self, ratings: Ratings) -> Labelling:
        """Label the usages of which pairs were rated with their clusters."""
        return self.labelling(self.clustering(self.graph(ratings)))

    def cluster_pairs(self, pairs: Iterable[UsagePair]) -> Labelling:
        """As of ratings, from similarities that have been combined before, such as the averages of Usim."""
        return self.labelling(self.clustering(build_graph_from_pairs(pairs)))

    def graph(self, ratings: Ratings) -> UsageGraph:
        """The usage graph of ratings of Usim."""
        given = collect_judgements(ratings)
        if model := select_annotator_model(self.combine, given):
            found = model.fit(given)
            for note in found.notes:
                warnings.warn(note, InputWarning, stacklevel=3)
            return build_graph_from_judgements(given, found.value)
        return build_graph_from_judgements(given, combine_ratings(str(self.combine), given))

    def clustering(self, graph: UsageGraph) -> UsageClustering:
        """The clusters of a graph; how good they are is known, too."""
        threshold = graph.middle if isinstance(self.threshold, str) else float(self.threshold)
        found = cluster_by_correlation(graph.edges(threshold), self.rounds, self.seed)
        sizes = count_at(found.labels, int(found.labels.max(initial=-1)) + 1)
        kept = sizes[found.labels] >= self.smallest
        if self.unjudged == "left out":
            kept &= graph.judged
        return UsageClustering(graph, threshold, np.where(kept, found.labels, -1), found)

    def labelling(self, found: UsageClustering) -> Labelling:
        """Usage → its cluster, or its clusters."""
        names, shares = _name_clusters(found), _cluster_shares(found) if self.graded else {}
        own = zip(found.graph.usages, found.cluster.tolist(), strict=True)
        return Labelling(
            (lemma, usage, _sort_shares({cluster: 1.0} | shares.get(number, {}), names))
            for number, ((lemma, usage), cluster) in enumerate(own)
            if cluster >= 0
        )


def _name_clusters(found: UsageClustering) -> dict[int, str]:
    """``lemma.1``, ``lemma.2``, … of each lemma's clusters, which are numbered by size over all lemmas."""
    names: dict[int, str] = {}
    seen: dict[str, int] = {}
    lemma_of = dict(zip(found.cluster.tolist(), (lemma for lemma, _ in found.graph.usages), strict=True))
    for cluster in sorted(lemma_of.keys() - {-1}):
        seen[lemma_of[cluster]] = seen.get(lemma_of[cluster], 0) + 1
        names[cluster] = f"{lemma_of[cluster]}.{seen[lemma_of[cluster]]}"
    return names


def _sort_shares(shares: dict[int, float], names: dict[int, str]) -> dict[str, float]:
    return {names[cluster]: share for cluster, share in sorted(shares.items(), key=lambda pair: -pair[1])}


def _cluster_shares(found: UsageClustering) -> dict[int, dict[int, float]]:
    """Usage → cluster → share of the pairs of the two that are above the threshold, where that is not 0."""
    edges = found.graph.edges(found.threshold)
    usage, other = np.concatenate([edges.first, edges.second]), np.concatenate([edges.second, edges.first])
    above = np.concatenate([edges.weight, edges.weight]) > 0
    clusters = int(found.cluster.max(initial=-1)) + 1
    into: Ints = found.cluster[other]
    pairs, place = np.unique((usage * clusters + into)[into >= 0], return_inverse=True)
    share = sum_at(place.astype(np.intp), above[into >= 0], len(pairs)) / count_at(place.astype(np.intp), len(pairs))
    made: dict[int, dict[int, float]] = {}
    for pair, value in zip(pairs[share > 0].tolist(), share[share > 0].tolist(), strict=True):
        made.setdefault(pair // clusters, {})[pair % clusters] = value
    return made

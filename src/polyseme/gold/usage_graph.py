"""A graph of usages: how similar annotators find two usages of a lemma, above or below a threshold."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from polyseme.agreement.judgements import Judgements
from polyseme.arrays import Bools, Floats, Ints, count_at
from polyseme.clustering.correlation_clustering import SignedEdges, SignedPartition
from polyseme.errors import InputError
from polyseme.gold.rule import check_usage_lemmas
from polyseme.rating import WSSIM, Item
from polyseme.usage import UsagePair


@dataclass(frozen=True, eq=False)
class UsageGraph:
    """Usages, and the judged pairs of them with their similarity. (McCarthy et al. 2016)

    Args:
        usages: The lemma and the name of each usage.
        first: The number of the first usage of each pair.
        second: The number of the second usage of each pair.
        similarity: The similarity of each pair.
        highest: The highest value of the scale.
    """

    usages: tuple[tuple[str, str], ...]
    first: Ints
    second: Ints
    similarity: Floats
    highest: float

    @property
    def middle(self) -> float:
        """The middle between the lowest value, 1, and the highest: 2.5 on a scale to 4, and 3 on one to 5."""
        return (WSSIM.lowest + self.highest) / 2 if math.isfinite(self.highest) else math.nan

    def edges(self, threshold: float) -> SignedEdges:
        """Return positive weights for pairs above the threshold, and negative ones for those below."""
        return SignedEdges(self.first, self.second, self.similarity - threshold, len(self.usages))

    @property
    def judged(self) -> Bools:
        """Whether an annotator decided on a pair of each usage."""
        return np.asarray(count_at(np.concatenate([self.first, self.second]), len(self.usages)) > 0)


def build_graph_from_judgements(
    judgements: Judgements, similarity: Floats, decisions: Mapping[Item, float] | None = None
) -> UsageGraph:
    """Build the graph of judgements of Usim; undecided items have no edge.

    Args:
        judgements: The judgements.
        similarity: The similarity of each of their items.
        decisions: The similarity of pairs that a manager decided.

    Raises:
        InputError: The judgements are of another task.
    """
    items = dict(zip(judgements.items, similarity.tolist(), strict=True)) | dict(decisions or {})
    if task := next((item.task for item in items if item.task != "Usim"), ""):
        raise InputError(f"the ratings are of {task}; clusters are made of pairs of usages, which Usim rates")
    pairs = (UsagePair(item.lemma, item.usage, item.target, value) for item, value in items.items())
    highest = np.nanmax([float(judgements.value.max(initial=-np.inf)), *(decisions or {}).values()])
    return build_graph_from_pairs(pairs, float(highest))


def build_graph_from_pairs(pairs: Iterable[UsagePair], highest: float | None = None) -> UsageGraph:
    """Build the graph of pairs of usages.

    Args:
        pairs: The pairs; the similarity of undecided ones is NaN.
        highest: The highest value of the scale; by default the highest similarity, rounded up.
    """
    rows, numbers = tuple(pairs), dict[tuple[str, str], int]()
    first = np.array([numbers.setdefault((pair.lemma, pair.first), len(numbers)) for pair in rows], np.intp)
    second = np.array([numbers.setdefault((pair.lemma, pair.second), len(numbers)) for pair in rows], np.intp)
    check_usage_lemmas((usage, lemma) for lemma, usage in numbers)
    similarity = np.array([pair.similarity for pair in rows], float)
    decided = ~np.isnan(similarity)
    top = float(np.ceil(similarity[decided].max(initial=-np.inf))) if highest is None else highest
    return UsageGraph(tuple(numbers), first[decided], second[decided], similarity[decided], top)


@dataclass(frozen=True, eq=False)
class UsageClustering:
    """The clusters of a usage graph.

    Args:
        graph: The graph.
        threshold: The similarity between different and similar usages.
        cluster: The cluster of each usage, numbered by size; −1 for a usage that is in none.
        partition: The partition of the graph, with its loss.
    """

    graph: UsageGraph
    threshold: float
    cluster: Ints
    partition: SignedPartition

    @property
    def noise(self) -> dict[str, str]:
        """The usages that are in no cluster, with their lemmas."""
        numbers = np.flatnonzero(self.cluster < 0).tolist()
        return {usage: lemma for lemma, usage in (self.graph.usages[number] for number in numbers)}

    def counts(self) -> dict[str, int]:
        """Count the clusters of each lemma."""
        clusters: dict[str, set[int]] = {}
        for (lemma, _), cluster in zip(self.graph.usages, self.cluster.tolist(), strict=True):
            clusters.setdefault(lemma, set()).update({cluster} - {-1})
        return {lemma: len(numbers) for lemma, numbers in clusters.items()}

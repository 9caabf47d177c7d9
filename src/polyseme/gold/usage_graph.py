"""A graph of usages: how similar people find two usages of a lemma, above or below a threshold."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from polyseme.agreement.judgements import Judgements
from polyseme.arrays import Bools, Floats, Ints, count_at
from polyseme.errors import InputError
from polyseme.gold.correlation_clustering import SignedEdges, SignedPartition
from polyseme.gold.rule import check_usage_lemmas
from polyseme.rating import WSSIM
from polyseme.usage import UsagePair


@dataclass(frozen=True, eq=False)
class UsageGraph:
    """Usages with their lemmas, and the judged pairs of them with their similarity. (McCarthy et al. 2016)"""

    usages: tuple[tuple[str, str], ...]
    first: Ints
    second: Ints
    similarity: Floats
    highest: float
    """The highest value that occurs in the ratings."""

    @property
    def middle(self) -> float:
        """Halfway between the lowest value, 1, and the highest: 2.5 on a scale to 4, and 3 on one to 5."""
        return (WSSIM.lowest + self.highest) / 2 if math.isfinite(self.highest) else math.nan

    def edges(self, threshold: float) -> SignedEdges:
        """Positive weights for pairs above the threshold, and negative ones for those below."""
        return SignedEdges(self.first, self.second, self.similarity - threshold, len(self.usages))

    @property
    def judged(self) -> Bools:
        """Whether somebody decided on any pair of each usage."""
        found: Bools = count_at(np.concatenate([self.first, self.second]), len(self.usages)) > 0
        return found


def build_graph_from_judgements(judgements: Judgements, similarity: Floats) -> UsageGraph:
    """The graph of judgements of Usim, with a similarity of each item; one that nobody decided has no edge."""
    if judgements.items and (task := judgements.items[0].task) != "Usim":
        raise InputError(f"the ratings are of {task}, and clusters are made of pairs of usages, which Usim rates")
    pairs = zip(judgements.items, similarity.tolist(), strict=True)
    made = (UsagePair(item.lemma, item.usage, item.target, value) for item, value in pairs)
    return build_graph_from_pairs(made, float(judgements.value.max(initial=-np.inf)))


def build_graph_from_pairs(pairs: Iterable[UsagePair], highest: float | None = None) -> UsageGraph:
    """The graph of pairs of usages; not a number is the similarity of those that nobody decided.

    The highest value of the scale is the next whole number to the highest similarity unless it is given.
    """
    given = tuple(pairs)
    number: dict[tuple[str, str], int] = {}
    first = [number.setdefault((pair.lemma, pair.first), len(number)) for pair in given]
    second = [number.setdefault((pair.lemma, pair.second), len(number)) for pair in given]
    check_usage_lemmas((usage, lemma) for lemma, usage in number)
    value = np.array([pair.similarity for pair in given], float)
    decided = ~np.isnan(value)
    one, two = (np.array(each, np.intp)[decided] for each in (first, second))
    top = float(np.ceil(value[decided].max(initial=-np.inf))) if highest is None else highest
    return UsageGraph(tuple(number), one, two, value[decided], top)


@dataclass(frozen=True, eq=False)
class UsageClustering:
    """The clusters of a graph of usages, by lemma and size; −1 for a usage that is in none."""

    graph: UsageGraph
    threshold: float
    cluster: Ints
    partition: SignedPartition

    @property
    def noise(self) -> dict[str, str]:
        """The usages that are in no cluster, with their lemmas."""
        lone = np.flatnonzero(self.cluster < 0).tolist()
        return {self.graph.usages[number][1]: self.graph.usages[number][0] for number in lone}

    def counts(self) -> dict[str, int]:
        """How many clusters each lemma has."""
        found: dict[str, set[int]] = {}
        for (lemma, _), cluster in zip(self.graph.usages, self.cluster.tolist(), strict=True):
            found.setdefault(lemma, set()).update({cluster} - {-1})
        return {lemma: len(clusters) for lemma, clusters in found.items()}

"""Multi-prototype: senses as the means of clusters of a word's contexts."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from polyseme.clustering.clusterer import GREATEST_NUMBER
from polyseme.clustering.graders import Softmax, Top
from polyseme.clustering.number_of_clusters import Fixed
from polyseme.clustering.scikit_learn import KMeans
from polyseme.induction.inducer import VectorInducer
from polyseme.induction.pipeline import Pipeline
from polyseme.parts import check_ranges
from polyseme.vectors.bag_of_words import Bag


@dataclass(frozen=True)
class MultiPrototype(VectorInducer):
    """Clusters of contexts as tf-idf vectors of length 1; the mean of each is a prototype. (Reisinger & Mooney 2010)

    The paper clusters by a mixture of von Mises–Fisher distributions, whose means k-means on vectors of length 1 finds.
    A usage has only the prototypes that it is most similar to, by a softmax over all. If usages had every prototype,
    measures that ignore weights could not distinguish them.

    Args:
        clusters: The number of prototypes of a word.
        temperature: The temperature of the softmax.
        top: How many prototypes a usage has.
        most: The greatest number of usages of a lemma.
        seed: The random seed.
    """

    clusters: int = 10
    temperature: float = 0.05
    top: int = 3
    most: int = 5000
    seed: int = 0

    def __post_init__(self) -> None:
        check_ranges(
            self, clusters=(1, GREATEST_NUMBER), temperature=(0, inf), top=(1, inf), most=(1, inf), seed=(0, inf)
        )

    def steps(self) -> Pipeline:
        """Vectors, clusters and similarities."""
        return Pipeline(
            Bag(weighting="tfidf"),
            cluster=KMeans(seed=self.seed, metric="cosine"),
            number=Fixed(self.clusters),
            grade=Top(Softmax(self.temperature), self.top),
            most=self.most,
        )

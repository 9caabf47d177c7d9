"""KSU KDD: usages by their topics, in clusters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf

from polyseme.clustering.clusterer import GREATEST_NUMBER
from polyseme.clustering.graders import Nearest
from polyseme.clustering.scikit_learn import KMeans
from polyseme.induction.inducer import VectorInducer
from polyseme.induction.pipeline import Pipeline
from polyseme.lemma import normalise_lemma, pos_of_lemma
from polyseme.parts import check_ranges
from polyseme.vectors.bag_of_words import Bag
from polyseme.vectors.topics import LDA

NOUN_CLUSTERS, OTHER_CLUSTERS = 23, 12
"""How many clusters a noun and a verb have in the submitted key."""

PRIOR_SUM = 50.0
"""The sum of the priors of topics in a usage. (Griffiths & Steyvers 2004)"""


@dataclass(frozen=True)
class KSU(VectorInducer):
    """Clusters of usages by k-means on their topic proportions. (Elshamy, Caragea & Hsu 2010)

    Latent Dirichlet allocation is learnt from the corpus, once for all lemmas of a part of speech. Then the usages to
    label are clustered, if they are known. The numbers of clusters are those of the submitted key: 23 of each noun and
    12 of each verb, most of them of one usage beside a large one. We chose the other options by the sizes of its
    clusters. Many topics with a strong prior that is not learnt come near them; 50 topics with a learnt prior give
    clusters of about the same size.

    Args:
        topics: The number of topics.
        clusters: The number of clusters of a lemma; 0 stands for 23 of a noun and 12 of other words.
        most: The greatest number of usages of a lemma.
        iterations: Rounds of Gibbs sampling.
        seed: The random seed.
    """

    topics: int = 400
    clusters: int = 0
    most: int = 1000
    iterations: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        check_ranges(self, topics=(1, GREATEST_NUMBER), clusters=(0, GREATEST_NUMBER))
        check_ranges(self, most=(1, inf), iterations=(1, inf), seed=(0, inf))

    def steps(self) -> Pipeline:
        """Topics, and clusters of their proportions."""
        alpha = PRIOR_SUM / self.topics
        return _PipelineByPos(
            LDA(Bag(), self.topics, alpha, iterations=self.iterations, seed=self.seed, learn_alpha=False),
            cluster=KMeans(seed=self.seed),
            number=self.clusters or None,
            grade=Nearest("euclidean"),
            on="usages",
            most=self.most,
            mixed=True,
        )


@dataclass(frozen=True)
class _PipelineByPos(Pipeline):
    """A pipeline that learns from all lemmas of a part of speech together."""

    def split_lemmas(self, lemmas: Sequence[str]) -> Iterator[tuple[Pipeline, Sequence[str]]]:
        """Split lemmas by part of speech, each with its number of clusters."""
        groups: dict[str, list[str]] = {}
        for lemma in lemmas:
            groups.setdefault(pos_of_lemma(normalise_lemma(lemma)), []).append(lemma)
        for pos, group in groups.items():
            default = NOUN_CLUSTERS if pos == "n" else OTHER_CLUSTERS
            yield replace(self, number=default if self.number is None else self.number), group

"""KSU KDD: usages by their topics, in clusters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

from polyseme.induce.clusters.graders import Nearest
from polyseme.induce.clusters.number import Fixed
from polyseme.induce.clusters.partitions import KMeans
from polyseme.induce.fitting import Corpus
from polyseme.induce.pipeline import Pipeline
from polyseme.induce.vector_fitting import fitted_vectors
from polyseme.induce.vector_model import VectorModel
from polyseme.induce.vectors.topics import LDA
from polyseme.induce.vectors.words import Bag
from polyseme.parts import check_ranges


@dataclass(frozen=True)
class KSU:
    """The proportions of topics in a usage, in clusters by k-means. (Elshamy, Caragea & Hsu 2010)

    Latent Dirichlet allocation with so many ``topics``, learnt from the corpus; then as many ``clusters`` of the usages
    that are to be labelled, where these are known. Both numbers of the submitted system are lost; its key has 15 to 18
    clusters of a lemma.
    """

    kind: ClassVar[str] = "inducer"
    topics: int = 50
    clusters: int = 17
    most: int = 2000
    iterations: int = 300
    seed: int = 0

    def __post_init__(self) -> None:
        check_ranges(self, topics=(1, inf), clusters=(1, inf), most=(1, inf), iterations=(1, inf))
        check_ranges(self, seed=(0, inf))

    def steps(self) -> Pipeline:
        """Topics, then clusters."""
        return Pipeline(
            LDA(Bag(), self.topics, iterations=self.iterations, seed=self.seed),
            cluster=KMeans(seed=self.seed),
            number=Fixed(self.clusters),
            grade=Nearest("euclidean"),
            on="usages",
            most=self.most,
        )

    def fit(self, corpus: Corpus, lemmas: Iterable[str], **options: Any) -> VectorModel:
        """Induce the senses of lemmas; see :func:`~polyseme.induce.vector_fitting.fitted_vectors`."""
        return fitted_vectors(self, corpus, lemmas, **options)

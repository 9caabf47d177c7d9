"""Several prototypes for a word: clusters of its contexts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

from polyseme.clustering.graders import Softmax, Top
from polyseme.clustering.number_of_clusters import Fixed
from polyseme.clustering.scikit_learn import KMeans
from polyseme.induction.fitting import Corpus
from polyseme.induction.pipeline import Pipeline
from polyseme.induction.vector_fitting import fit_vector_model
from polyseme.induction.vector_model import VectorModel
from polyseme.parts import check_ranges
from polyseme.vectors.bag_of_words import Bag


@dataclass(frozen=True)
class MultiPrototype:
    """Contexts as tf-idf vectors, clustered on the sphere; the mean of each is a prototype. (Reisinger & Mooney 2010)

    The paper clusters by a mixture of von Mises–Fisher distributions, whose means k-means on vectors of length 1
    finds; ``clusters`` prototypes of each word. A usage has the ``top`` of them that it is most like, by the softmax of
    its similarity to all, with ``temperature``: with every prototype, measures that do not look at weights could not
    tell two usages apart.
    """

    kind: ClassVar[str] = "inducer"
    clusters: int = 10
    temperature: float = 0.05
    top: int = 3
    most: int = 5000
    seed: int = 0

    def __post_init__(self) -> None:
        check_ranges(self, clusters=(1, inf), temperature=(0, inf), top=(1, inf), most=(1, inf))
        check_ranges(self, seed=(0, inf))

    def steps(self) -> Pipeline:
        """Vectors, clusters, similarities."""
        return Pipeline(
            Bag(weighting="tfidf"),
            cluster=KMeans(seed=self.seed, metric="cosine"),
            number=Fixed(self.clusters),
            grade=Top(Softmax(self.temperature), self.top),
            most=self.most,
        )

    def fit(self, corpus: Corpus, lemmas: Iterable[str], **options: Any) -> VectorModel:
        """Induce the senses of lemmas; see :func:`~polyseme.induction.vector_fitting.fit_vector_model`."""
        return fit_vector_model(self, corpus, lemmas, **options)

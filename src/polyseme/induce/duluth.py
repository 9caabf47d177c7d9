"""Duluth: second-order context vectors in clusters, as SenseClusters makes them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, Literal

from polyseme.induce.clusters.graders import Nearest, Proportions
from polyseme.induce.clusters.number import PK2, AdaptedGap
from polyseme.induce.clusters.repeated_bisections import RepeatedBisections
from polyseme.induce.fitting import Corpus
from polyseme.induce.pipeline import Pipeline
from polyseme.induce.vector_fitting import fitted_vectors
from polyseme.induce.vector_model import VectorModel
from polyseme.induce.vectors.orders import SVD, FirstOrder, SecondOrder
from polyseme.induce.vectors.random import Random
from polyseme.induce.vectors.representation import Representation
from polyseme.induce.vectors.words import Bag
from polyseme.parts import check_options, check_ranges

RANDOM = {"R-12": 2, "R-13": 3, "R-15": 5, "R-110": 10}
"""The systems that draw lots: among how many clusters."""


@dataclass(frozen=True)
class Duluth:
    """The contexts of usages, each the mean of its words' vectors, in clusters. (Pedersen 2010)

    ``variant`` is what a submitted system is called. *WSI* has bigrams as features, *Co* co-occurrences, *SVD* 300
    dimensions of these; *Mix* learns them from the usages of all lemmas together, *Narrow* from few words around each,
    *Uni* has single words. Repeated bisections with the criterion I2 make the clusters, of the usages that are to be
    labelled where these are known; PK2 or the adapted *Gap* says how many. *R-1n* draws lots among n. What the paper
    leaves open, a feature's least frequency and G², is ours.
    """

    kind: ClassVar[str] = "inducer"
    variant: Literal[
        "WSI",
        "WSI-Gap",
        "WSI-Co",
        "WSI-Co-Gap",
        "WSI-SVD",
        "WSI-SVD-Gap",
        "Mix-PK2",
        "Mix-Gap",
        "Mix-Narrow-PK2",
        "Mix-Narrow-Gap",
        "Mix-Uni-PK2",
        "Mix-Uni-Gap",
        "R-12",
        "R-13",
        "R-15",
        "R-110",
    ] = "WSI"
    most: int = 2000
    seed: int = 0

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, most=(1, inf))
        check_ranges(self, seed=(0, inf))

    def steps(self) -> Pipeline:
        """What the variant does."""
        if self.variant in RANDOM:
            drawn = Random(RANDOM[self.variant], self.seed)
            return Pipeline(drawn, cluster=None, number=None, grade=Proportions(), on="usages", most=1)
        said = self.variant.split("-")
        return Pipeline(
            self._represent(said),
            cluster=RepeatedBisections("I2", seed=self.seed),
            number=AdaptedGap(seed=self.seed) if "Gap" in said else PK2(around="mean"),
            grade=Nearest(),
            on="usages",
            most=self.most,
            mixed="Mix" in said,
        )

    def _represent(self, said: list[str]) -> Representation:
        if "Uni" in said:
            return FirstOrder(Bag(weighting="binary"))
        by: Literal["passage", "bigram"] = "passage" if "Co" in said else "bigram"
        order = SecondOrder(Bag(), by=by, gap=0 if "Narrow" in said else 3)
        return SVD(order, 300, self.seed) if "SVD" in said else order

    def fit(self, corpus: Corpus, lemmas: Iterable[str], **options: Any) -> VectorModel:
        """Induce the senses of lemmas; see :func:`~polyseme.induce.vector_fitting.fitted_vectors`."""
        return fitted_vectors(self, corpus, lemmas, **options)

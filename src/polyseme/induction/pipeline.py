"""Senses as clusters of usages: a representation, a clusterer, the number of clusters, and a grader."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, inf
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from polyseme.arrays import Floats
from polyseme.clustering.clusterer import (
    Clusterer,
    SklearnEstimator,
    as_clusterer,
    check_number,
    cluster_memberships,
    decides_number,
)
from polyseme.clustering.estimators import specify_estimator
from polyseme.clustering.graders import Softmax, VectorGrader
from polyseme.clustering.number_of_clusters import Fixed, NumberCriterion, Sizeable
from polyseme.clustering.scikit_learn import KMeans, SklearnClusterer
from polyseme.induction.inducer import VectorInducer
from polyseme.induction.same_sense import SameSense
from polyseme.matrices import to_dense
from polyseme.parts import check_options, check_ranges
from polyseme.usage import Usage
from polyseme.vectors.bag_of_words import Bag
from polyseme.vectors.representation import Matrix, Representation

LEMMA_BATCH = 100
"""The number of lemmas whose usages are in memory at a time."""

NO_SINGLES = 20
"""Among this many usages, one alone is no sense if ``smallest`` is a share."""


class ClusteredSenses(NamedTuple):
    """Clusters of usages.

    Args:
        means: Senses × dimensions.
        recurrence: The share of random halves of the usages in which each sense recurs; ``None`` if that is unknown.
    """

    means: Matrix
    recurrence: Floats | None = None


@dataclass(frozen=True)
class Pipeline(VectorInducer):
    """Represent usages as vectors, and cluster these; the mean of each cluster is a sense. (Schütze 1998)

    Args:
        represent: How usages become vectors.
        cluster: A clusterer, its specification, or an estimator of scikit-learn. ``None`` makes each dimension a
            sense, as for topics. Where usages belong to several clusters, as in mixtures, so do the means.
        number: The number of clusters, or a part that chooses it. ``None``, the default, takes the number of the
            clusterer itself: of an estimator with ``n_clusters`` or ``n_components``, or of one that finds it, such as
            DBSCAN. Otherwise there are 7.
        grade: How usages are weighed against senses.
        on: Which usages are clustered: those of the ``corpus``, with the sentences around them; or the ``usages`` to
            label, if they are known when the model is fitted.
        most: The greatest number of usages of a lemma.
        share: The share of a lemma's usages in the corpus that is drawn.
        sentences: The passage of a usage has the sentences less than this away.
        smallest: Clusters with fewer usages are merged into the nearest, so that there may be fewer senses than
            ``number``. Below 1, it is a share of all usages, and a single one of 20 usages or more is too few.
        mixed: Whether the representation is learnt from the usages of all lemmas together.
        add: How many usages of the corpus are clustered with those to label.
        told: What describes senses: the ``words`` around their usages, or ``substitutes``, if the representation has
            them.
        learn: What the representation is learnt from: usages of the ``corpus``, the ``usages`` to label, or ``both``.
            A representation that reads texts learns from the usages that are clustered, unless it is ``both``.
    """

    kind: ClassVar[str] = "inducer"
    represent: Representation = Bag(weighting="tfidf")
    cluster: Clusterer | SklearnEstimator | str | None = KMeans()
    number: int | NumberCriterion | None = None
    grade: VectorGrader = Softmax()
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
        check_number(self)
        check_ranges(self, most=(1, inf), share=(0, 1), sentences=(1, inf), smallest=(0, inf), add=(0, inf))

    @property
    def specification(self) -> str:
        """The specification, with an estimator by its name: a saved model does not need the estimator itself."""
        is_estimator = isinstance(self.cluster, SklearnEstimator)
        return repr(replace(self, cluster=SklearnClusterer(specify_estimator(self.cluster))) if is_estimator else self)

    def steps(self) -> Pipeline:
        """Return the pipeline itself."""
        return self

    def split_lemmas(self, lemmas: Sequence[str]) -> Iterator[tuple[Pipeline, Sequence[str]]]:
        """Split lemmas into batches, each with its steps; those that are learnt from together are in one."""
        size = max(len(lemmas), 1) if self.mixed else LEMMA_BATCH
        yield from ((self, lemmas[start : start + size]) for start in range(0, len(lemmas), size))

    def senses(self, matrix: Matrix, usages: Sequence[Usage] = ()) -> ClusteredSenses:
        """Cluster usages.

        Args:
            matrix: Usages × dimensions.
            usages: The usages themselves, for clusterers that read them, as :class:`.same_sense.SameSense` does.

        Returns:
            The means of the clusters; without a clusterer, the dimensions.
        """
        if self.cluster is None:
            return ClusteredSenses(np.eye(matrix.shape[1]))
        clusterer = as_clusterer(self.cluster)
        own = clusterer.for_usages(usages) if isinstance(clusterer, SameSense) else clusterer
        memberships = cluster_memberships(own, matrix, self._choose_number(matrix, own))
        memberships = _merge_small_clusters(matrix, memberships, self._least_size(matrix.shape[0]))
        means = cluster_means(matrix, memberships)
        if not isinstance(clusterer, SameSense):
            return ClusteredSenses(means)
        labels = np.asarray(memberships.argmax(axis=1)).ravel()
        return ClusteredSenses(means, clusterer.recurrence(matrix, labels, usages))

    def _least_size(self, rows: int) -> float:
        """The least size of a cluster among this many rows."""
        if self.smallest >= 1:
            smallest: float = self.smallest
        else:
            smallest = max(ceil(self.smallest * rows - 1e-9), 2 if self.smallest and rows >= NO_SINGLES else 1)
        return max(smallest, self.number.least_size(rows)) if isinstance(self.number, Sizeable) else smallest

    def _choose_number(self, matrix: Matrix, clusterer: Clusterer) -> int | None:
        """Choose the number of clusters; ``None`` if the clusterer decides it."""
        if self.number is None:
            return None if decides_number(clusterer) else Fixed()(matrix, clusterer)
        return self.number if isinstance(self.number, int) else int(self.number(matrix, clusterer))


def cluster_means(matrix: Matrix, memberships: Matrix) -> Matrix:
    """Compute the mean row of each cluster, weighted by how far each row belongs to it.

    Args:
        matrix: Rows × dimensions.
        memberships: Rows × clusters.

    >>> cluster_means(np.array([[1.0, 0.0], [3.0, 0.0], [0.0, 5.0]]), np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    array([[2., 0.],
           [0., 5.]])
    """
    import scipy.sparse as sp

    if not memberships.shape[1]:
        return matrix[:0]
    averaging = sp.csr_array(sp.csr_array(memberships).T)
    return sp.diags_array(1 / averaging.sum(axis=1)).tocsr() @ averaging @ matrix


def _merge_small_clusters(matrix: Matrix, memberships: Matrix, smallest: float) -> Matrix:
    """Merge clusters of too few usages into the cluster with the nearest mean; never all of them."""
    sizes = np.asarray(memberships.sum(axis=0)).ravel()
    memberships, sizes = memberships[:, sizes > 0], sizes[sizes > 0]
    large = np.flatnonzero(sizes >= smallest)
    if len(large) in (0, len(sizes)):
        return memberships
    centres = to_dense(cluster_means(matrix, memberships))
    target = np.arange(len(sizes))
    for small in np.flatnonzero(sizes < smallest).tolist():
        distances = np.linalg.norm(centres[large] - centres[small], axis=1)
        target[small] = large[np.argmin(distances)]
    return memberships @ np.eye(len(sizes))[target][:, large]

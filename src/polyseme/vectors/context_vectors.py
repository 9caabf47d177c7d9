"""Vectors of the co-occurrence of words in passages, and their reduction to fewer dimensions."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from polyseme.arrays import Floats
from polyseme.corpus.association import G2
from polyseme.corpus.passages import Passages
from polyseme.errors import TooLittleData
from polyseme.matrices import to_dense, unit_rows
from polyseme.parts import CheckedOptions, Ranges
from polyseme.vectors.bag_of_words import Bag, FittedBag
from polyseme.vectors.representation import (
    FittedRepresentation,
    Matrix,
    Representation,
    RepresentationState,
    inner_state,
    prefix_state,
)

if TYPE_CHECKING:
    import scipy.sparse as sp


@dataclass(frozen=True)
class FirstOrder(CheckedOptions):
    """A 1 for each word of a usage that co-occurs with the target more often than by chance.

    The G² of a word compares being near the target with being anywhere in a passage. (Purandare & Pedersen 2004)

    Args:
        of: The bag whose words are taken.
        reach: A word is near the target if it is at most this many words away.
        association: The least G².
    """

    kind: ClassVar[str] = "representation"
    reads_text: ClassVar[bool] = False
    ranges: ClassVar[Ranges] = {"reach": (1, inf), "association": (0, inf)}
    of: Bag = Bag(weighting="binary")
    reach: int = 5
    association: float = 3.841

    def fit(self, passages: Passages) -> FittedBag:
        """Select the words."""
        bag = self.of.fit(passages)
        near = _cut_to_reach(passages, self.reach)
        joint, frequencies = (np.asarray(bag.counts(each).sum(axis=0), float).ravel() for each in (near, passages))
        near_total = np.full(len(frequencies), float(np.diff(near.starts).sum()))
        association = G2(signed=True).compute(joint, near_total, frequencies, float(np.diff(passages.starts).sum()))
        words = np.flatnonzero(association >= self.association)
        if not len(words):
            raise TooLittleData(f"no word is near it more often than by chance, with G² of {self.association:g}")
        return FittedBag(self.of, tuple(bag.names[word] for word in words.tolist()), bag.weights[words])

    def restore(self, state: RepresentationState) -> FittedBag:
        """Rebuild the bag from its words."""
        return self.of.restore(state)


def _cut_to_reach(passages: Passages, reach: int) -> Passages:
    """Cut passages to this many words on either side of the target."""
    targets = passages.targets[passages.rows]
    is_near = (targets >= 0) & (np.abs(np.arange(len(passages.tokens)) - targets) <= reach)
    sizes = np.bincount(passages.rows[is_near], minlength=len(passages))
    starts = np.concatenate([[0], np.cumsum(sizes)])
    positions = np.full(len(passages.tokens), -1)
    positions[is_near] = np.arange(int(is_near.sum()))
    new_targets = np.where(passages.targets >= 0, positions[np.maximum(passages.targets, 0)], -1)
    return Passages(passages.usages, passages.words, passages.tokens[is_near], starts, new_targets)


@dataclass(frozen=True)
class SecondOrder(CheckedOptions):
    """The mean of the co-occurrence vectors of the words of a usage. (Schütze 1998)

    The entries of a word's vector are G², where it is high enough. (Purandare & Pedersen 2004)

    Args:
        of: The bag whose words are taken.
        by: When two words co-occur: ``passage``, if they are in one passage; ``bigram``, if the second follows the
            first with at most ``gap`` words between them; ``window``, the same in either order.
        gap: The greatest number of words between two words.
        association: The least G².
        minimum: The least number of co-occurrences of two words.
        scale: Whether the vectors of words are scaled to length 1 before their mean is taken.
    """

    kind: ClassVar[str] = "representation"
    reads_text: ClassVar[bool] = False
    ranges: ClassVar[Ranges] = {"gap": (0, inf), "association": (0, inf), "minimum": (1, inf)}
    of: Bag = Bag()
    by: Literal["passage", "bigram", "window"] = "passage"
    gap: int = 3
    association: float = 3.841
    minimum: int = 2
    scale: bool = True

    def fit(self, passages: Passages) -> FittedSecondOrder:
        """Count which words co-occur."""
        words = self.of.fit(passages)
        vectors = self._associate(self._count(words, passages))
        if not vectors.nnz:
            raise TooLittleData(f"no two words around it co-occur with a G² of {self.association:g}")
        return FittedSecondOrder(self, words, vectors)

    def _count(self, words: FittedBag, passages: Passages) -> sp.csr_array[Any]:
        """Words × words: how often two words co-occur."""
        import scipy.sparse as sp

        if self.by == "passage":
            return _count_passages_with_both(words, passages)
        following = _count_following(words, passages, self.gap)
        return following if self.by == "bigram" else sp.csr_array(following + following.T)

    def _associate(self, counts: sp.csr_array[Any]) -> sp.csr_array[Any]:
        """G² of the pairs that co-occur often enough, where it is high enough."""
        pairs = counts.tocoo()
        first, second = (np.asarray(counts.sum(axis=axis), float).ravel() for axis in (1, 0))
        joint = pairs.data.astype(float)
        association = G2(signed=True).compute(joint, first[pairs.row], second[pairs.col], float(counts.sum()))
        is_strong = (joint >= self.minimum) & (association >= self.association)
        pairs.data = np.where(is_strong, association, 0.0)
        vectors: sp.csr_array[Any] = pairs.tocsr()
        vectors.eliminate_zeros()
        return unit_rows(vectors) if self.scale else vectors

    def restore(self, state: RepresentationState) -> FittedSecondOrder:
        """Rebuild the vectors of words."""
        import scipy.sparse as sp

        words = self.of.restore(inner_state(state, "of"))
        size = len(words.names)
        vectors = sp.csr_array((state["data"], state["indices"], state["indptr"]), shape=(size, size))
        return FittedSecondOrder(self, words, vectors)


@dataclass(frozen=True, eq=False)
class FittedSecondOrder:
    """Words and their vectors."""

    spec: SecondOrder
    words: FittedBag
    vectors: sp.csr_array[Any]

    @property
    def state(self) -> RepresentationState:
        """The words, and the entries of their vectors."""
        entries = {name: getattr(self.vectors, name) for name in ("data", "indices", "indptr")}
        return {**prefix_state(self.words.state, "of"), **entries}

    def __call__(self, passages: Passages) -> sp.csr_array[Any]:
        """Usages × words: the mean of the vectors of the words of a passage."""
        import scipy.sparse as sp

        counts = self.words.counts(passages).astype(float)
        totals = np.asarray(counts.sum(axis=1)).ravel()
        return sp.csr_array(sp.diags_array(1 / np.maximum(totals, 1)) @ (counts @ self.vectors))


def _count_passages_with_both(words: FittedBag, passages: Passages) -> sp.csr_array[Any]:
    """Words × words: how many passages have both words."""
    import scipy.sparse as sp

    occurs = words.counts(passages)
    occurs.data = np.ones(len(occurs.data), np.int64)
    counts = sp.csr_array(occurs.T @ occurs)
    counts.setdiag(0)
    counts.eliminate_zeros()
    return counts


def _count_following(words: FittedBag, passages: Passages, gap: int) -> sp.csr_array[Any]:
    """Words × words: how often the second follows the first with at most this many words between them."""
    import scipy.sparse as sp

    columns = {name: column for column, name in enumerate(words.names)}
    numbers, inverse = np.unique(passages.tokens, return_inverse=True)
    features = np.array([columns.get(passages.words[number], -1) for number in numbers.tolist()], np.intp)
    tokens, rows = features[inverse], passages.rows
    size = len(words.names)
    counts = sp.csr_array((size, size), dtype=np.int64)
    for step in range(1, gap + 2):
        first, second = tokens[:-step], tokens[step:]
        is_pair = (first >= 0) & (second >= 0) & (rows[:-step] == rows[step:])
        ones = np.ones(int(is_pair.sum()), np.int64)
        counts = counts + sp.csr_array((ones, (first[is_pair], second[is_pair])), shape=(size, size))
    return sp.csr_array(counts)


@dataclass(frozen=True)
class SVD(CheckedOptions):
    """The first dimensions of the singular value decomposition of another representation. (Deerwester et al. 1990)

    X ≈ U S Vᵀ, and a usage x is x V.

    Args:
        of: The other representation.
        dimensions: The number of dimensions, at most the rank of X.
        seed: The random seed.
    """

    kind: ClassVar[str] = "representation"
    ranges: ClassVar[Ranges] = {"dimensions": (1, inf)}
    of: Representation = SecondOrder()
    dimensions: int = 300
    seed: int = 0

    @property
    def reads_text(self) -> bool:
        """Whether the other representation reads the texts themselves."""
        return self.of.reads_text

    def fit(self, passages: Passages) -> FittedSVD:
        """Decompose the matrix of these usages."""
        inner = self.of.fit(passages)
        return FittedSVD(inner, self._axes(inner(passages)))

    def _axes(self, matrix: Matrix) -> Floats:
        size = min(self.dimensions, *matrix.shape)
        if size >= min(matrix.shape):
            return np.asarray(np.linalg.svd(to_dense(matrix), full_matrices=False)[2][:size].T)
        from sklearn.utils.extmath import randomized_svd

        return np.asarray(randomized_svd(matrix, size, random_state=self.seed)[2].T)

    def restore(self, state: RepresentationState) -> FittedSVD:
        """Rebuild the inner representation and the axes."""
        return FittedSVD(self.of.restore(inner_state(state, "of")), state["axes"])


@dataclass(frozen=True, eq=False)
class FittedSVD:
    """A fitted representation, and the axes of fewer dimensions."""

    inner: FittedRepresentation
    axes: Floats

    @property
    def state(self) -> RepresentationState:
        """The state of the inner representation, and the axes."""
        return {**prefix_state(self.inner.state, "of"), "axes": self.axes}

    def __call__(self, passages: Passages) -> Floats:
        """Usages × dimensions."""
        return np.asarray(self.inner(passages) @ self.axes)

"""Usages by how the words around them co-occur with others; and fewer dimensions."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from polyseme.arrays import Floats
from polyseme.corpus.association import G2
from polyseme.corpus.passages import Passages
from polyseme.induction.fitting import TooLittleData
from polyseme.parts import check_options, check_ranges
from polyseme.vectors.bag_of_words import Bag, FittedBag, scale_to_unit_rows
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
class FirstOrder:
    """Which words that co-occur with the target more often than by chance are around a usage.

    Words of the bag ``of`` whose G² between being in a passage near the target (``reach`` words away or less) and
    being anywhere in one is ``association`` or more; with ones. (Purandare & Pedersen 2004)
    """

    kind: ClassVar[str] = "representation"
    reads_text: ClassVar[bool] = False
    of: Bag = Bag(weighting="binary")
    reach: int = 5
    association: float = 3.841

    def __post_init__(self) -> None:
        check_ranges(self, reach=(1, inf), association=(0, inf))

    def fit(self, passages: Passages) -> FittedBag:
        """Choose the words."""
        every = self.of.fit(passages)
        near = _cut_to_reach(passages, self.reach)
        joint = np.asarray(every.counts(near).sum(axis=0), float).ravel()
        each = np.asarray(every.counts(passages).sum(axis=0), float).ravel()
        total = float(np.diff(passages.starts).sum())
        first = np.full(len(each), float(np.diff(near.starts).sum()))
        value = G2(signed=True).of(joint, first, each, total)
        kept = np.flatnonzero(value >= self.association)
        if not len(kept):
            raise TooLittleData(f"no word is near it more often than by chance, with G² of {self.association:g}")
        return FittedBag(self.of, tuple(every.names[at] for at in kept.tolist()), every.weights[kept])

    def restore(self, state: RepresentationState) -> FittedBag:
        """The same words again."""
        return self.of.restore(state)


def _cut_to_reach(passages: Passages, reach: int) -> Passages:
    """The passages, cut to so many words on either side of the target."""
    place = np.arange(len(passages.tokens))
    target = passages.targets[passages.rows]
    kept = (target >= 0) & (np.abs(place - target) <= reach)
    sizes = np.bincount(passages.rows[kept], minlength=len(passages))
    starts = np.concatenate([[0], np.cumsum(sizes)])
    moved = np.full(len(passages.tokens), -1)
    moved[kept] = np.arange(int(kept.sum()))
    targets = np.where(passages.targets >= 0, moved[np.maximum(passages.targets, 0)], -1)
    return Passages(passages.usages, passages.words, passages.tokens[kept], starts, targets)


@dataclass(frozen=True)
class SecondOrder:
    """The mean of the vectors of the words around a usage, each the words that it co-occurs with. (Schütze 1998)

    A word's vector has G² where it is high enough. (Purandare & Pedersen 2004)

    Args:
        of: The bag whose words are taken.
        by: When two words co-occur: ``passage``, if they are in one passage; ``bigram``, if the second follows the
            first with at most ``gap`` words between them; ``window``, the same in either order.
        gap: The words between, at most.
        association: The least G².
        minimum: How often two words co-occur at least.
        scale: Whether the vectors of words are brought to length 1 before their mean is taken.
    """

    kind: ClassVar[str] = "representation"
    reads_text: ClassVar[bool] = False
    of: Bag = Bag()
    by: Literal["passage", "bigram", "window"] = "passage"
    gap: int = 3
    association: float = 3.841
    minimum: int = 2
    scale: bool = True

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, gap=(0, inf), association=(0, inf), minimum=(1, inf))

    def fit(self, passages: Passages) -> FittedSecondOrder:
        """Count which words co-occur."""
        words = self.of.fit(passages)
        vectors = self._associated(self._counts(words, passages))
        if not vectors.nnz:
            raise TooLittleData(f"no two words around it co-occur with a G² of {self.association:g}")
        return FittedSecondOrder(self, words, vectors)

    def _counts(self, words: FittedBag, passages: Passages) -> sp.csr_array[Any]:
        """How often two words co-occur."""
        import scipy.sparse as sp

        if self.by == "passage":
            return _count_passages_with_both(words, passages)
        following = _count_following(words, passages, self.gap)
        return following if self.by == "bigram" else sp.csr_array(following + following.T)

    def _associated(self, counts: sp.csr_array[Any]) -> sp.csr_array[Any]:
        """G² of the pairs that co-occur often enough, where it is large enough."""
        pairs = counts.tocoo()
        first, second = np.asarray(counts.sum(axis=1)).ravel(), np.asarray(counts.sum(axis=0)).ravel()
        joint = pairs.data.astype(float)
        value = G2(signed=True).of(
            joint, first[pairs.row].astype(float), second[pairs.col].astype(float), float(counts.sum())
        )
        pairs.data = np.where((joint >= self.minimum) & (value >= self.association), value, 0.0)
        found: sp.csr_array[Any] = pairs.tocsr()
        found.eliminate_zeros()
        return scale_to_unit_rows(found) if self.scale else found

    def restore(self, state: RepresentationState) -> FittedSecondOrder:
        """The same vectors again."""
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
        kept = {name: getattr(self.vectors, name) for name in ("data", "indices", "indptr")}
        return {**prefix_state(self.words.state, "of"), **kept}

    def __call__(self, passages: Passages) -> sp.csr_array[Any]:
        """Usages × words: the mean of the vectors of the words that are there."""
        there = self.words.counts(passages).astype(float)
        total = np.asarray(there.sum(axis=1)).ravel()
        summed: sp.csr_array[Any] = there @ self.vectors
        import scipy.sparse as sp

        return sp.csr_array(sp.diags_array(1 / np.maximum(total, 1)) @ summed)


def _count_passages_with_both(words: FittedBag, passages: Passages) -> sp.csr_array[Any]:
    """In how many passages two words are."""
    import scipy.sparse as sp

    there = words.counts(passages)
    there.data = np.ones(len(there.data), np.int64)
    found = sp.csr_array(there.T @ there)
    found.setdiag(0)
    found.eliminate_zeros()
    return found


def _count_following(words: FittedBag, passages: Passages, gap: int) -> sp.csr_array[Any]:
    """How often the second word follows the first with at most so many words between."""
    import scipy.sparse as sp

    number = {name: at for at, name in enumerate(words.names)}
    there, back = np.unique(passages.tokens, return_inverse=True)
    named = np.array([number.get(passages.words[at], -1) for at in there.tolist()], np.intp)
    tokens, rows = named[back], passages.rows
    size = len(words.names)
    found = sp.csr_array((size, size), dtype=np.int64)
    for step in range(1, gap + 2):
        one, other = tokens[:-step], tokens[step:]
        kept = (one >= 0) & (other >= 0) & (rows[:-step] == rows[step:])
        data = np.ones(int(kept.sum()), np.int64)
        found = found + sp.csr_array((data, (one[kept], other[kept])), shape=(size, size))
    return sp.csr_array(found)


@dataclass(frozen=True)
class SVD:
    """The first dimensions of the singular value decomposition of another representation. (Deerwester et al. 1990)

    X ≈ U S Vᵀ, and a usage x is x V. There are no more than the rank of X has.
    """

    kind: ClassVar[str] = "representation"
    of: Representation = SecondOrder()
    dimensions: int = 300
    seed: int = 0

    def __post_init__(self) -> None:
        check_ranges(self, dimensions=(1, inf))

    @property
    def reads_text(self) -> bool:
        """What the other reads."""
        return self.of.reads_text

    def fit(self, passages: Passages) -> FittedSVD:
        """Decompose the matrix of these usages."""
        inner = self.of.fit(passages)
        return FittedSVD(inner, self._axes(inner(passages)))

    def _axes(self, matrix: Matrix) -> Floats:
        size = min(self.dimensions, *matrix.shape)
        if size >= min(matrix.shape):
            dense = matrix if isinstance(matrix, np.ndarray) else matrix.toarray()
            return np.asarray(np.linalg.svd(dense, full_matrices=False)[2][:size].T)
        from sklearn.utils.extmath import randomized_svd

        return np.asarray(randomized_svd(matrix, size, random_state=self.seed)[2].T)

    def restore(self, state: RepresentationState) -> FittedSVD:
        """The same axes again."""
        return FittedSVD(self.of.restore(inner_state(state, "of")), state["axes"])


@dataclass(frozen=True, eq=False)
class FittedSVD:
    """A representation, and the axes of fewer dimensions."""

    inner: FittedRepresentation
    axes: Floats

    @property
    def state(self) -> RepresentationState:
        """What the other learnt, and the axes."""
        return {**prefix_state(self.inner.state, "of"), "axes": self.axes}

    def __call__(self, passages: Passages) -> Floats:
        """Usages × dimensions."""
        return np.asarray(self.inner(passages) @ self.axes)

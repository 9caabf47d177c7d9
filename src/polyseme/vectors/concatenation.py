"""Several representations of usages as one: the sum of their kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import Any, ClassVar

import numpy as np

from polyseme.corpus.passages import Passages
from polyseme.errors import InputError
from polyseme.matrices import unit_rows
from polyseme.vectors.bag_of_words import Bag
from polyseme.vectors.representation import (
    FittedRepresentation,
    Matrix,
    NamedFeatures,
    Representation,
    RepresentationState,
    inner_state,
    needs_one_process,
    prefix_state,
)


@dataclass(frozen=True)
class Joined:
    """Representations side by side, so that the product of two usages is Σ w · cos, over the representations.

    (Lanckriet et al. 2004)

    ``of`` are representations, ``weights`` what each counts for; 1, if none are given.
    """

    kind: ClassVar[str] = "representation"
    of: tuple[Any, ...] = (Bag(weighting="tfidf"),)
    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if not self.of or not all(isinstance(each, Representation) for each in self.of):
            raise InputError("Joined takes representations, as in Joined((Bag(), SubstituteVector()))")
        if self.weights and len(self.weights) != len(self.of):
            raise InputError(
                f"Joined has {len(self.of)} representations and {len(self.weights)} weights; give one each"
            )
        if not all(0 <= weight < inf for weight in self.weights) or (self.weights and not any(self.weights)):
            raise InputError("the weights of Joined are 0 or more, and one of them is more than 0")

    @property
    def reads_text(self) -> bool:
        """Whether any of them looks at texts themselves."""
        return any(each.reads_text for each in self.of)

    @property
    def alone(self) -> bool:
        """Whether one process should do it all."""
        return any(map(needs_one_process, self.of))

    def fit(self, passages: Passages) -> FittedJoined:
        """Fit each of them."""
        return FittedJoined(self, tuple(each.fit(passages) for each in self.of))

    def restore(self, state: RepresentationState) -> FittedJoined:
        """Each of them as it was."""
        return FittedJoined(self, tuple(each.restore(inner_state(state, str(at))) for at, each in enumerate(self.of)))


@dataclass(frozen=True, eq=False)
class FittedJoined:
    """The fitted ones."""

    spec: Joined
    parts: tuple[FittedRepresentation, ...]

    @property
    def state(self) -> RepresentationState:
        """What each of them learnt."""
        return {
            key: value for at, part in enumerate(self.parts) for key, value in prefix_state(part.state, str(at)).items()
        }

    def __call__(self, passages: Passages) -> Matrix:
        """Usages × the dimensions of all, each block of length √w."""
        weights = self.spec.weights or (1.0,) * len(self.parts)
        return hstack_blocks(
            [unit_rows(part(passages)) * sqrt(weight) for part, weight in zip(self.parts, weights, strict=True)]
        )

    def telling(self, passages: Passages) -> NamedFeatures | None:
        """What those of them say that can tell: the sum, by names."""
        asked = (part.telling(passages) for part in self.parts if hasattr(part, "telling"))
        found = [each for each in asked if each is not None]
        return _sum_features(found) if found else None


def _sum_features(found: Sequence[NamedFeatures]) -> NamedFeatures:
    import scipy.sparse as sp

    names = tuple(sorted({name for each in found for name in each.names}))
    number = {name: at for at, name in enumerate(names)}
    total = sp.csr_array((found[0].weights.shape[0], len(names)))
    for each in found:
        columns = [number[name] for name in each.names]
        ones = (np.ones(len(columns)), (range(len(columns)), columns))
        total = total + each.weights @ sp.csr_array(ones, shape=(len(columns), len(names)))
    return NamedFeatures(names, total)


def hstack_blocks(blocks: Sequence[Matrix]) -> Matrix:
    """Blocks side by side: a sparse matrix, if one of them is."""
    import scipy.sparse as sp

    if any(map(sp.issparse, blocks)):
        return sp.csr_array(sp.hstack([sp.csr_array(block) for block in blocks]))
    return np.hstack(blocks)

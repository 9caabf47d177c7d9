"""Several representations of usages as one: the sum of their kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import Any, ClassVar

import numpy as np

from polyseme.corpus.passages import Passages
from polyseme.errors import InputError
from polyseme.matrices import hstack_blocks, unit_rows
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
    """Several representations side by side; the dot product of two usages is Σ w · cos over the representations.

    (Lanckriet et al. 2004)

    Args:
        of: The representations.
        weights: The weight w of each; 1 by default.
    """

    kind: ClassVar[str] = "representation"
    of: tuple[Any, ...] = (Bag(weighting="tfidf"),)
    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if not self.of or not all(isinstance(part, Representation) for part in self.of):
            raise InputError("Joined takes representations, as in Joined((Bag(), SubstituteVector()))")
        if self.weights and len(self.weights) != len(self.of):
            raise InputError(
                f"Joined has {len(self.of)} representations and {len(self.weights)} weights; give one weight for each"
            )
        if not all(0 <= weight < inf for weight in self.weights) or (self.weights and not any(self.weights)):
            raise InputError("the weights of Joined must be 0 or more, and one of them above 0")

    @property
    def reads_text(self) -> bool:
        """Whether any of them reads the texts themselves."""
        return any(part.reads_text for part in self.of)

    @property
    def single_process(self) -> bool:
        """Whether one process should do all the work."""
        return any(map(needs_one_process, self.of))

    def fit(self, passages: Passages) -> FittedJoined:
        """Fit each of them."""
        return FittedJoined(self, tuple(part.fit(passages) for part in self.of))

    def restore(self, state: RepresentationState) -> FittedJoined:
        """Rebuild each of them from its state."""
        parts = (part.restore(inner_state(state, str(number))) for number, part in enumerate(self.of))
        return FittedJoined(self, tuple(parts))


@dataclass(frozen=True, eq=False)
class FittedJoined:
    """Fitted representations side by side."""

    spec: Joined
    parts: tuple[FittedRepresentation, ...]

    @property
    def state(self) -> RepresentationState:
        """The states of all."""
        states = (prefix_state(part.state, str(number)) for number, part in enumerate(self.parts))
        return {key: value for state in states for key, value in state.items()}

    def __call__(self, passages: Passages) -> Matrix:
        """Usages × the dimensions of all; the rows of each block have the length √w."""
        weights = self.spec.weights or (1.0,) * len(self.parts)
        pairs = zip(self.parts, weights, strict=True)
        return hstack_blocks([unit_rows(part(passages)) * sqrt(weight) for part, weight in pairs])

    def named_features(self, passages: Passages) -> NamedFeatures | None:
        """The sum of the readable features of the representations that have any, by name."""
        features = [part.named_features(passages) for part in self.parts if hasattr(part, "named_features")]
        features = [each for each in features if each is not None]
        return _sum_features(features) if features else None


def _sum_features(features: Sequence[NamedFeatures]) -> NamedFeatures:
    import scipy.sparse as sp

    names = tuple(sorted({name for each in features for name in each.names}))
    number = {name: position for position, name in enumerate(names)}
    total = sp.csr_array((features[0].weights.shape[0], len(names)))
    for own_names, weights in features:
        columns = [number[name] for name in own_names]
        ones = (np.ones(len(columns)), (range(len(columns)), columns))
        total = total + weights @ sp.csr_array(ones, shape=(len(columns), len(names)))
    return NamedFeatures(names, total)

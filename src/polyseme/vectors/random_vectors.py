"""Random vectors: a baseline that every other representation must beat."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from math import inf
from typing import ClassVar

import numpy as np

from polyseme.arrays import Floats
from polyseme.corpus.passages import Passages
from polyseme.parts import CheckedOptions, Ranges
from polyseme.vectors.representation import RepresentationState


@dataclass(frozen=True)
class Random(CheckedOptions):
    """A random dimension for each usage, determined by its id and the seed; a baseline of Pedersen (2010).

    Args:
        dimensions: The number of dimensions.
        seed: The random seed.

    >>> from polyseme.corpus.passages import passages_without_words
    >>> from polyseme.usage import Usage
    >>> usages = [Usage(f"u{number}", "bank", "bank", 0, 4) for number in range(3)]
    >>> passages = passages_without_words(usages)["bank"]
    >>> Random(2).fit(passages)(passages).sum(axis=1).tolist()
    [1.0, 1.0, 1.0]
    """

    kind: ClassVar[str] = "representation"
    reads_text: ClassVar[bool] = True
    ranges: ClassVar[Ranges] = {"dimensions": (1, inf)}
    dimensions: int = 2
    seed: int = 0

    def fit(self, passages: Passages) -> Random:
        """Return the part itself: it learns nothing."""
        return self

    def restore(self, state: RepresentationState) -> Random:
        """Return the part itself: it has learnt nothing."""
        return self

    @property
    def state(self) -> RepresentationState:
        """Nothing."""
        return {}

    def __call__(self, passages: Passages) -> Floats:
        """Usages × dimensions, with a single one in each row."""
        vectors = np.zeros((len(passages), self.dimensions))
        for row, usage in enumerate(passages.usages):
            digest = hashlib.sha256(f"{self.seed} {usage.id}".encode()).digest()
            vectors[row, int.from_bytes(digest[:8], "big") % self.dimensions] = 1
        return vectors

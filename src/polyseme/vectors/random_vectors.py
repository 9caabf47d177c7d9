"""Usages by lot: what every other representation must beat."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from math import inf
from typing import ClassVar

import numpy as np

from polyseme.arrays import Floats
from polyseme.corpus.passages import Passages
from polyseme.parts import check_ranges
from polyseme.vectors.representation import RepresentationState


@dataclass(frozen=True)
class Random:
    """One of so many dimensions for each usage, drawn by its name and ``seed``; a baseline of Pedersen (2010).

    >>> from polyseme.corpus.passages import passages_without_words
    >>> from polyseme.usage import Usage
    >>> given = passages_without_words([Usage(f"u{number}", "bank", "bank", 0, 4) for number in range(3)])["bank"]
    >>> Random(2).fit(given)(given).sum(axis=1).tolist()
    [1.0, 1.0, 1.0]
    """

    kind: ClassVar[str] = "representation"
    reads_text: ClassVar[bool] = True
    dimensions: int = 2
    seed: int = 0

    def __post_init__(self) -> None:
        check_ranges(self, dimensions=(1, inf))

    def fit(self, passages: Passages) -> Random:
        """There is nothing to learn."""
        return self

    def restore(self, state: RepresentationState) -> Random:
        """There was nothing to learn."""
        return self

    @property
    def state(self) -> RepresentationState:
        """Nothing."""
        return {}

    def __call__(self, passages: Passages) -> Floats:
        """Usages × dimensions, with a single one in each row."""
        found = np.zeros((len(passages), self.dimensions))
        for row, usage in enumerate(passages.usages):
            digest = hashlib.sha256(f"{self.seed} {usage.id}".encode()).digest()
            found[row, int.from_bytes(digest[:8], "big") % self.dimensions] = 1
        return found

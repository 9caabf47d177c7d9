"""Chinese Whispers: clusters of a graph by what the neighbours of each node say."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, Literal

import numpy as np

from polyseme.arrays import Ints
from polyseme.graphs.adjacency import as_undirected, degrees, renumber
from polyseme.parts import check_ranges


@dataclass(frozen=True)
class ChineseWhispers:
    """Each node takes, round after round in random order, the strongest label among its neighbours. (Biemann 2006)

    A neighbour says its label with the edge's weight w (``top``), w / d (``linear``) or w / ln(1 + d) (``log``), where
    d is how many neighbours it has. Labels of equal strength are drawn by lot. It ends when a round changes nothing, or
    after so many ``rounds``. The same seed, which is any whole number, gives the same clusters, everywhere.

    >>> graph = np.kron(np.eye(2), np.ones((3, 3)))
    >>> ChineseWhispers(seed=1)(graph).tolist()
    [0, 0, 0, 1, 1, 1]
    """

    kind: ClassVar[str] = "clustering"
    weighting: Literal["top", "linear", "log"] = "top"
    rounds: int = 20
    seed: int = 0

    def __post_init__(self) -> None:
        check_ranges(self, rounds=(1, inf))

    def __call__(self, graph: Any) -> Ints:
        """The cluster of each node, numbered in the order of the nodes."""
        from polyseme.graphs._loops import initial_state, whisper

        given = as_undirected(graph)
        spoken = degrees(given)[given.indices].astype(float)
        divisor = {"top": 1.0, "linear": spoken, "log": np.log1p(spoken)}[self.weighting]
        weights = given.data / divisor
        return renumber(whisper(given.indptr, given.indices, weights, self.rounds, initial_state(self.seed)))

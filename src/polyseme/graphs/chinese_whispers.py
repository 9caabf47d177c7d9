"""Chinese Whispers: each node of a graph takes the strongest label among its neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, Literal

import numpy as np

from polyseme.arrays import Ints, number_by_first_appearance
from polyseme.graphs.adjacency import as_undirected, degrees
from polyseme.parts import CheckedOptions, Ranges


@dataclass(frozen=True)
class ChineseWhispers(CheckedOptions):
    """Each node takes, in random order, the strongest label among its neighbours, round after round. (Biemann 2006)

    A tie is broken at random. It ends when a round changes nothing. The same seed gives the same clusters everywhere.

    Args:
        weighting: The weight of a neighbour's label, from the weight w of the edge and the number d of the neighbour's
            own neighbours: w (``top``), w / d (``linear``) or w / ln(1 + d) (``log``).
        rounds: The greatest number of rounds.
        seed: The random seed, any whole number.

    >>> graph = np.kron(np.eye(2), np.ones((3, 3)))
    >>> ChineseWhispers(seed=1)(graph).tolist()
    [0, 0, 0, 1, 1, 1]
    """

    kind: ClassVar[str] = "clustering"
    ranges: ClassVar[Ranges] = {"rounds": (1, inf)}
    weighting: Literal["top", "linear", "log"] = "top"
    rounds: int = 20
    seed: int = 0

    def __call__(self, graph: Any) -> Ints:
        """The cluster of each node, numbered in the order of the nodes."""
        from polyseme.graphs._loops import initial_state, whisper

        edges = as_undirected(graph)
        degree = degrees(edges)[edges.indices].astype(float)
        divisor = {"top": 1.0, "linear": degree, "log": np.log1p(degree)}[self.weighting]
        labels = whisper(edges.indptr, edges.indices, edges.data / divisor, self.rounds, initial_state(self.seed))
        return number_by_first_appearance(labels)[1]

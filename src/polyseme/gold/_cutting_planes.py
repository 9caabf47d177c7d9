"""Correlation clustering as a linear programme with cutting planes: the optimum, or how far one can be from it at most.

A variable an edge says whether its ends are in different clusters. They are clusters if no cycle has just one such
edge; only those of these inequalities that a solution breaks are added. (Grötschel & Wakabayashi 1989; Kappes et al.
2011) Without demanding whole numbers, the solution is a lower bound of the loss, and often whole by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.arrays import Floats, Ints

if TYPE_CHECKING:
    from scipy.optimize import LinearConstraint
    from scipy.sparse import csr_array

CUT_TOLERANCE = 1e-6
MAX_ROUNDS = 40
"""How often inequalities are added, at most: a count, not a time, so that results do not depend on the machine."""

MAX_BRANCHES = 100
"""How many branches of the search for whole numbers are looked at, at most."""

ChordCycle = tuple[int, list[int]]


class CutSolution(NamedTuple):
    """What is known of the best partition: none has a smaller loss than the bound; one that has it, if it was found."""

    bound: float
    labels: Ints | None
    broken: int = 0
    """How many edges are neither within a cluster nor between two, if none was found."""


class CutProgramme:
    """The edges of a graph, and the inequalities that were needed so far."""

    def __init__(self, weights: csr_array) -> None:
        from scipy.sparse import triu

        upper = triu(weights, k=1).tocoo()
        self.nodes: int = weights.shape[0]
        self.first, self.second = upper.row.astype(np.intp), upper.col.astype(np.intp)
        self.weight: Floats = upper.data
        ends = zip(self.first.tolist(), self.second.tolist(), strict=True)
        self.edge = {pair: number for number, pair in enumerate(ends)}
        self.cycles: list[ChordCycle] = []

    def relaxed(self) -> CutSolution:
        """Without whole numbers."""
        return self._solved(whole=False)

    def whole(self) -> CutSolution:
        """With whole numbers, which takes longer; without a partition if it would take too long."""
        return self._solved(whole=True)

    def _solved(self, whole: bool) -> CutSolution:
        bound = 0.0
        for _ in range(MAX_ROUNDS):
            apart, lower = self._solution(whole)
            bound = max(bound, lower)
            if apart is None:
                return CutSolution(bound, None, len(self.weight))
            broken = self._broken(apart)
            if not broken:
                halves = int((np.minimum(apart, 1 - apart) > CUT_TOLERANCE).sum())
                return CutSolution(bound, None if halves else self._components(apart), halves)
            self.cycles += broken
        return CutSolution(bound, None, len(self.weight))

    def _solution(self, whole: bool) -> tuple[Floats | None, float]:
        """Which edges are between clusters, and a lower bound of the loss."""
        from scipy.optimize import Bounds, milp

        found = milp(
            self.weight,
            integrality=np.full(len(self.weight), int(whole)),
            bounds=Bounds(0, 1),
            constraints=self._constraints(),
            options={"node_limit": MAX_BRANCHES, "mip_rel_gap": 0.0},
        )
        always = float(-self.weight[self.weight < 0].sum())
        lower = found.fun if found.status == 0 else found.get("mip_dual_bound")
        solution = found.x.clip(0, 1) if found.status == 0 else None
        return solution, always + lower if lower is not None and np.isfinite(lower) else 0.0

    def _constraints(self) -> list[LinearConstraint]:
        from scipy.optimize import LinearConstraint
        from scipy.sparse import csr_array

        if not self.cycles:
            return []
        sizes = [1 + len(path) for _, path in self.cycles]
        columns = [edge for chord, path in self.cycles for edge in (chord, *path)]
        signs = [sign for _, path in self.cycles for sign in (1.0, *[-1.0] * len(path))]
        ends = np.concatenate([[0], np.cumsum(sizes)])
        matrix = csr_array((signs, columns, ends), shape=(len(sizes), len(self.weight)))
        return [LinearConstraint(matrix, -np.inf, 0)]

    def _broken(self, apart: Floats) -> list[ChordCycle]:
        """Edges whose ends are farther apart than a path between them allows, each with the shortest such path."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import dijkstra

        lengths = csr_array((apart + CUT_TOLERANCE / 100, (self.first, self.second)), shape=(self.nodes,) * 2)
        distance, before = dijkstra(lengths, directed=False, return_predecessors=True)
        too_far = np.flatnonzero(apart > distance[self.first, self.second] + CUT_TOLERANCE * 10)
        return [(edge, self._path(before, edge)) for edge in too_far.tolist()]

    def _path(self, before: NDArray[np.int32], edge: int) -> list[int]:
        start, node = int(self.first[edge]), int(self.second[edge])
        path = []
        while node != start:
            previous = int(before[start, node])
            path.append(self.edge[min(previous, node), max(previous, node)])
            node = previous
        return path

    def _components(self, apart: Floats) -> Ints:
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        kept = apart < 0.5
        ends = (self.first[kept], self.second[kept])
        joined = csr_array((np.ones(int(kept.sum())), ends), shape=(self.nodes,) * 2)
        return connected_components(joined, directed=False)[1].astype(np.intp)

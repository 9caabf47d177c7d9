"""Correlation clustering as a linear programme with cutting planes: the optimum, or a bound on the distance from it.

A variable of each edge says whether its ends are in different clusters. They are clusters if no cycle has exactly one
such edge; only inequalities that a solution violates are added. (Grötschel & Wakabayashi 1989; Kappes et al. 2011) The
relaxed solution, without integrality, is a lower bound of the loss, and often integral itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.arrays import Floats, Ints

if TYPE_CHECKING:
    from scipy.optimize import LinearConstraint

    from polyseme.clustering.correlation_clustering import SignedEdges

CUT_TOLERANCE = 1e-6
"""Distances that differ by less are equal."""

MAX_ROUNDS = 40
"""How often inequalities are added: a count, not a time, so that results do not depend on the machine."""

MAX_BRANCHES = 100
"""How many branches of the integral search are examined."""

ChordCycle = tuple[int, list[int]]


class CutSolution(NamedTuple):
    """The solution of a programme.

    Args:
        bound: No partition has a smaller loss.
        labels: A partition with this loss; ``None`` if there is none yet.
        open_edges: How many edges are neither within a cluster nor between two.
    """

    bound: float
    labels: Ints | None
    open_edges: int = 0


class CutProgramme:
    """The linear programme of a graph, with the inequalities that were needed so far.

    Args:
        edges: The edges; the first node of each has the lower number.
    """

    def __init__(self, edges: SignedEdges) -> None:
        self.first, self.second, self.weight, self.nodes = edges
        ends = zip(self.first.tolist(), self.second.tolist(), strict=True)
        self.edge = {pair: number for number, pair in enumerate(ends)}
        self.cycles: list[ChordCycle] = []

    def solve(self, integral: bool) -> CutSolution:
        """Solve the programme.

        Args:
            integral: Whether variables must be integers. It takes longer, and gives no partition if it takes too long.
        """
        bound = 0.0
        for _ in range(MAX_ROUNDS):
            distances, lower = self._solve_relaxation(integral)
            bound = max(bound, lower)
            if distances is None:
                break
            cycles = self._find_violated_cycles(distances)
            if not cycles:
                open_edges = int((np.minimum(distances, 1 - distances) > CUT_TOLERANCE).sum())
                return CutSolution(bound, None if open_edges else self._find_components(distances), open_edges)
            self.cycles += cycles
        return CutSolution(bound, None, len(self.weight))

    def _solve_relaxation(self, integral: bool) -> tuple[Floats | None, float]:
        """Compute which edges are between clusters, and a lower bound of the loss."""
        from scipy.optimize import Bounds, milp

        result = milp(
            self.weight,
            integrality=np.full(len(self.weight), int(integral)),
            bounds=Bounds(0, 1),
            constraints=self._constraints(),
            options={"node_limit": MAX_BRANCHES, "mip_rel_gap": 0.0},
        )
        always = float(-self.weight[self.weight < 0].sum())
        lower = result.fun if result.status == 0 else result.get("mip_dual_bound")
        solution = result.x.clip(0, 1) if result.status == 0 else None
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

    def _find_violated_cycles(self, distances: Floats) -> list[ChordCycle]:
        """Find the edges whose ends are farther apart than a path between them allows, with the shortest such path."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import dijkstra

        lengths = csr_array((distances + CUT_TOLERANCE / 100, (self.first, self.second)), shape=(self.nodes,) * 2)
        shortest, predecessors = dijkstra(lengths, directed=False, return_predecessors=True)
        too_far = np.flatnonzero(distances > shortest[self.first, self.second] + CUT_TOLERANCE * 10)
        return [(edge, self._trace_path(predecessors, edge)) for edge in too_far.tolist()]

    def _trace_path(self, predecessors: NDArray[np.int32], edge: int) -> list[int]:
        start, node = int(self.first[edge]), int(self.second[edge])
        path = []
        while node != start:
            previous = int(predecessors[start, node])
            path.append(self.edge[min(previous, node), max(previous, node)])
            node = previous
        return path

    def _find_components(self, distances: Floats) -> Ints:
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        is_within = distances < 0.5
        ends = (self.first[is_within], self.second[is_within])
        graph = csr_array((np.ones(len(ends[0])), ends), shape=(self.nodes,) * 2)
        return connected_components(graph, directed=False)[1].astype(np.intp)

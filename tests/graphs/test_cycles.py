"""Triangles and squares: as many as brute force counts."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given

from graphs.example_graphs import graph_from_edges, graphs, planted
from polyseme.arrays import number_by_first_appearance
from polyseme.errors import InputError
from polyseme.graphs import cycles
from polyseme.graphs.adjacency import as_undirected, degrees


def entries(graph: Any) -> list[tuple[int, int]]:
    matrix = as_undirected(graph).tocoo()
    return list(zip(matrix.row.tolist(), matrix.col.tolist(), strict=True))


@given(graph=graphs())
def test_cycles_are_counted_as_by_brute_force(graph: sp.csr_array[Any]) -> None:
    near = [set(np.flatnonzero(row).tolist()) for row in graph.toarray()]
    edges = entries(graph)
    assert cycles.count_triangles(graph).tolist() == [len(near[u] & near[v]) for u, v in edges]
    assert cycles.count_possible_triangles(graph).tolist() == [len((near[u] | near[v]) - {u, v}) for u, v in edges]
    possible = [[(x, y) for x in near[u] - {v} for y in near[v] - {u} if x != y] for u, v in edges]
    assert cycles.count_possible_squares(graph).tolist() == [len(pairs) for pairs in possible]
    assert cycles.count_squares(graph).tolist() == [sum(y in near[x] for x, y in pairs) for pairs in possible]
    neighbour_pairs = [list(combinations(sorted(nodes), 2)) for nodes in near]
    closed = [sum(b in near[a] for a, b in pairs) / len(pairs) if pairs else 0.0 for pairs in neighbour_pairs]
    assert np.allclose(cycles.curvature(graph), closed)


def test_blocks_of_rows_do_not_change_the_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = planted(2, 30, 0.4, 0.1)[0]
    whole = cycles.count_squares(graph)
    monkeypatch.setattr(cycles, "BLOCK_ROWS", 7)
    assert cycles.count_squares(graph).tolist() == whole.tolist()
    assert whole.sum() > 0


def test_edges_with_a_low_square_ratio_are_removed() -> None:
    square_and_tail = graph_from_edges(6, [(0, 1), (1, 2), (2, 3), (0, 3), (3, 4), (4, 5)])
    ratio = dict(zip(entries(square_and_tail), cycles.square_ratio(square_and_tail).tolist(), strict=True))
    assert ratio[0, 1] == ratio[1, 2] == 1.0
    assert ratio[2, 3] == ratio[0, 3] == 0.5
    assert ratio[3, 4] == ratio[4, 5] == 0.0
    left = cycles.keep_edges(square_and_tail, cycles.square_ratio(square_and_tail) >= 0.5)
    assert degrees(left).tolist() == [2, 2, 2, 2, 0, 0]
    assert cycles.triangle_ratio(graph_from_edges(3, [(0, 1), (1, 2), (0, 2)])).tolist() == [1.0] * 6


def test_matrices_that_are_no_graphs_are_refused() -> None:
    with pytest.raises(InputError, match="a graph is a square matrix; this one has 2 rows, 3 columns"):
        as_undirected(np.ones((2, 3)))
    with pytest.raises(InputError, match="must be symmetric"):
        as_undirected([[0, 1], [0, 0]])
    with pytest.raises(InputError, match="finite numbers above 0"):
        as_undirected([[0, -1], [-1, 0]])
    with pytest.raises(InputError, match="finite numbers above 0"):
        as_undirected([[0, np.inf], [np.inf, 0]])
    assert cycles.count_squares(np.zeros((3, 3))).tolist() == []
    assert number_by_first_appearance(np.array([]))[1].tolist() == []

"""PageRank against what it is by definition, and against networkx."""

import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from polyseme.errors import InputError
from polyseme.graphs import pagerank as module
from polyseme.graphs.pagerank import RandomWalk, pagerank, rank_nodes, unit_columns
from polyseme.graphs.transition_graph import TransitionGraph, undirected_edges

EXACT = RandomWalk(iterations=500, tolerance=1e-9)


def planted(size: int = 40, seed: int = 0, *, undirected: bool = True) -> TransitionGraph:
    """A random graph with weights, of which the last two nodes have no edge."""
    rng = np.random.default_rng(seed)
    ends = rng.integers(size - 2, size=(3 * size, 2))
    weights = rng.random(len(ends)) + 0.1
    if undirected:
        return TransitionGraph(undirected_edges(size, ends[:, 0], ends[:, 1], weights))
    return TransitionGraph(sp.csr_array((weights, (ends[:, 0], ends[:, 1])), shape=(size, size)), undirected=False)


def solved(graph: TransitionGraph, starts: Any, damping: float = 0.85) -> Any:
    """(1 − c)·(I − c·M)⁻¹·v as a dense equation, each column made to sum to 1."""
    edges = graph.edges.toarray()
    strength = edges.sum(axis=1, keepdims=True)
    moves = np.divide(edges, strength, where=strength > 0, out=np.zeros_like(edges)).T
    ranks = np.linalg.solve(np.eye(len(graph)) - damping * moves, (1 - damping) * starts)
    return ranks / ranks.sum(axis=0)


both = pytest.mark.parametrize("undirected", [True, False], ids=["undirected", "directed"])


@both
@pytest.mark.parametrize("damping", [0.5, 0.85, 0.95])
def test_pagerank_solves_its_equation(undirected: bool, damping: float) -> None:
    graph = planted(undirected=undirected)
    starts = np.random.default_rng(1).random((40, 7))
    ranks = pagerank(graph, starts, RandomWalk(damping, 500, 1e-9))
    assert ranks.dtype == np.float32
    np.testing.assert_allclose(ranks, solved(graph, starts, damping), atol=2e-6)


@pytest.mark.skipif(importlib.util.find_spec("networkx") is None, reason="networkx is not installed")
@both
def test_pagerank_equals_networkx(undirected: bool) -> None:
    import networkx as nx

    graph = planted(undirected=undirected)
    theirs = nx.from_scipy_sparse_array(graph.edges, create_using=nx.Graph if undirected else nx.DiGraph)
    starts = np.zeros((40, 1))
    starts[[2, 3, 39], 0] = 0.5, 0.25, 0.25
    ranked = nx.pagerank(theirs, 0.85, dict(enumerate(starts[:, 0])), max_iter=500, tol=1e-12)
    np.testing.assert_allclose(pagerank(graph, starts, EXACT)[:, 0], [ranked[node] for node in range(40)], atol=1e-6)


def test_it_stops_after_so_many_iterations() -> None:
    graph = planted(undirected=False)
    start = unit_columns(40, np.array([3]))
    moves = graph.transitions.toarray()
    vector = start.toarray()[:, 0]
    expected = 0.85 * moves @ (0.85 * moves @ vector + 0.15 * vector) + 0.15 * vector
    ranks = pagerank(graph, start, RandomWalk(iterations=2, tolerance=0))[:, 0]
    np.testing.assert_allclose(ranks, expected / expected.sum(), atol=1e-6)


def test_each_column_stops_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that starts at a node without edges is done at once; the others are what they are alone."""
    graph = planted()
    starts = unit_columns(40, np.array([39, 3, 0, 38]))
    walk = RandomWalk(tolerance=1e-3, threads=1)
    widths: list[int] = []
    change = module._column_distances

    def watched(old: Any, *others: Any) -> Any:
        widths.append(old.shape[1])
        return change(old, *others)

    monkeypatch.setattr(module, "_column_distances", watched)
    together = pagerank(graph, starts, walk)
    assert widths[0] == 4
    assert 2 in widths, "those without edges have left"
    assert widths == sorted(widths, reverse=True)
    alone = [pagerank(graph, starts[:, [column]], walk) for column in range(4)]
    np.testing.assert_allclose(together, np.hstack(alone), atol=1e-7)


@both
@pytest.mark.parametrize("way", ["forwards", "backwards", "fewer"])
def test_ranks_are_the_same_either_way(undirected: bool, way: Any) -> None:
    graph = planted(undirected=undirected)
    rng = np.random.default_rng(2)
    starts = rng.random((40, 70)) * (rng.random((40, 70)) < 0.2)
    columns, nodes = rng.integers(70, size=300), rng.integers(40, size=300)
    moves = graph.transitions.toarray().astype(float)
    every = np.linalg.solve(np.eye(40) - 0.85 * moves, 0.15 * starts)
    np.testing.assert_allclose(
        rank_nodes(graph, starts, columns, nodes, EXACT, way=way), every[nodes, columns], atol=1e-5
    )


@both
def test_the_way_that_needs_fewer_walks_is_taken(undirected: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = planted(undirected=undirected)
    walks: list[int] = []
    batches: Callable[..., Any] = module.map_batches

    def count_walks(starts: Any, *others: Any) -> Any:
        walks.append(starts.shape[1])
        return batches(starts, *others)

    monkeypatch.setattr(module, "map_batches", count_walks)
    few, many = np.array([3, 3, 4]), np.array([0, 1, 2])
    rank_nodes(graph, np.eye(40)[:, :5], many, few)
    rank_nodes(graph, np.eye(40)[:, :1], np.zeros(3, np.intp), many)
    assert walks == [2, 1]


@given(st.integers(0, 5), st.integers(1, 4))
def test_batches_and_threads_change_nothing(seed: int, threads: int) -> None:
    graph = planted(seed=seed)
    starts = np.random.default_rng(seed).random((40, 9))
    before = module.COLUMN_BATCH
    try:
        module.COLUMN_BATCH = 2
        several = pagerank(graph, starts, RandomWalk(threads=threads))
    finally:
        module.COLUMN_BATCH = before
    np.testing.assert_allclose(several, pagerank(graph, starts, RandomWalk(threads=1)), atol=1e-7)


def test_nothing_to_walk_from() -> None:
    graph = planted()
    assert pagerank(graph, np.zeros((40, 0))).shape == (40, 0)
    assert not pagerank(graph, np.zeros((40, 2))).any()
    assert rank_nodes(graph, np.eye(40), np.zeros(0, np.intp), np.zeros(0, np.intp)).shape == (0,)


def test_start_vectors_need_a_row_for_each_node() -> None:
    with pytest.raises(InputError, match=r"^3 rows for a graph of 40 nodes; start vectors need a row for each node$"):
        pagerank(planted(), np.eye(3))

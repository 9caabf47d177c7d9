"""Correlation clusters against all partitions there are, and against planted ones."""

from itertools import combinations, product
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from polyseme.gold import correlation
from polyseme.gold.correlation import Edges, by_size, correlation_clusters, loss


def partitions(nodes: int) -> NDArray[np.intp]:
    """All partitions, as the clusters of the nodes, a row each."""
    rows: list[list[int]] = [[]]
    for _ in range(nodes):
        rows = [[*row, label] for row in rows for label in range(max(row, default=-1) + 2)]
    return np.array(rows, np.intp)


def least(edges: Edges) -> float:
    """The smallest loss of all partitions."""
    every = partitions(edges.nodes)
    within = every[:, edges.first] == every[:, edges.second]
    return float(np.abs(np.where(within != (edges.weight > 0), edges.weight, 0)).sum(axis=1).min())


def graph(weights: list[float], nodes: int) -> Edges:
    """A weight for every pair of nodes; 0 is no edge."""
    pairs = np.array(list(combinations(range(nodes), 2)), np.intp).reshape(-1, 2)
    return Edges(pairs[:, 0], pairs[:, 1], np.array(weights, float), nodes)


def random_graph(nodes: int, seed: int, share: float = 1.0) -> Edges:
    dice = np.random.default_rng([nodes, seed])
    count = nodes * (nodes - 1) // 2
    return graph((dice.normal(0.1, 1, count) * (dice.random(count) < share)).tolist(), nodes)


@pytest.mark.parametrize("nodes", [1, 2, 3, 4])
def test_all_small_graphs_with_signs(nodes: int) -> None:
    for signs in product((-1.0, 0.0, 1.0), repeat=nodes * (nodes - 1) // 2):
        edges = graph(list(signs), nodes)
        found = correlation_clusters(edges)
        assert found.loss == loss(edges, found.labels) == least(edges)
        assert found.proven


WAYS = {"exact": {}, "programme": {"EXACT": 1}, "search": {"EXACT": 1, "MOST_EDGES": 0}}
"""How components are solved, whatever their sizes."""


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("nodes", [5, 6, 7, 8])
def test_random_graphs_against_all_partitions(nodes: int, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in WAYS[way].items():
        monkeypatch.setattr(correlation, name, value)
    for seed in range(10):
        edges = random_graph(nodes, seed, share=0.7 if seed % 2 else 1.0)
        found = correlation_clusters(edges, rounds=20)
        assert found.loss == pytest.approx(least(edges))
        assert found.bound <= found.loss
        assert found.proven or way == "search"


@pytest.mark.parametrize("way", ["programme", "search"])
def test_planted_clusters_are_found(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in WAYS[way].items():
        monkeypatch.setattr(correlation, name, value)
    edges, truth = planted(nodes=80, clusters=4, edges=900, noise=0.7)
    found = correlation_clusters(edges)
    assert found.labels.tolist() == by_size(truth).tolist()


def planted(nodes: int, clusters: int, edges: int, noise: float) -> tuple[Edges, NDArray[np.intp]]:
    dice = np.random.default_rng(nodes)
    truth = dice.integers(0, clusters, nodes)
    first, second = dice.integers(0, nodes, (2, edges))
    weight = np.where(truth[first] == truth[second], 1, -1) + noise * dice.standard_normal(edges)
    return Edges(first, second, weight, nodes), truth


def test_the_search_is_near_the_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    edges, _ = planted(nodes=60, clusters=5, edges=500, noise=1.0)
    best = correlation_clusters(edges)
    assert best.proven
    for name, value in WAYS["search"].items():
        monkeypatch.setattr(correlation, name, value)
    found = correlation_clusters(edges)
    assert best.loss - 1e-9 <= found.loss <= 1.03 * best.loss
    assert not found.proven


def test_the_same_seed_gives_the_same_clusters(monkeypatch: pytest.MonkeyPatch) -> None:
    edges, _ = planted(nodes=150, clusters=5, edges=1500, noise=1.2)
    monkeypatch.setattr(correlation, "MOST_EDGES", 0)
    once, again = (correlation_clusters(edges, rounds=2, seed=3).labels for _ in range(2))
    assert once.tolist() == again.tolist()


def test_the_order_of_edges_does_not_matter() -> None:
    edges = random_graph(8, 1)
    order = list(range(len(edges.weight)))
    Random(0).shuffle(order)
    turned = Edges(edges.second[order], edges.first[order], edges.weight[order], edges.nodes)
    assert correlation_clusters(turned).labels.tolist() == correlation_clusters(edges).labels.tolist()


def test_pairs_that_come_twice_count_together_and_loops_do_not() -> None:
    edges = Edges(np.array([0, 1, 0]), np.array([1, 0, 0]), np.array([1.0, -2.0, 5.0]), 2)
    assert correlation_clusters(edges).labels.tolist() == [0, 1]


def test_nothing() -> None:
    none = np.zeros(0, np.intp)
    assert correlation_clusters(Edges(none, none, np.zeros(0), 0)).labels.tolist() == []
    assert correlation_clusters(Edges(none, none, np.zeros(0), 2)).labels.tolist() == [0, 1]

"""Correlation clusters against all partitions there are, and against planted ones."""

from itertools import combinations, product
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from polyseme.gold import correlation_clustering
from polyseme.gold.correlation_clustering import SignedEdges, cluster_by_correlation, number_by_size, partition_loss


def partitions(nodes: int) -> NDArray[np.intp]:
    """All partitions, as the clusters of the nodes, a row each."""
    rows: list[list[int]] = [[]]
    for _ in range(nodes):
        rows = [[*row, label] for row in rows for label in range(max(row, default=-1) + 2)]
    return np.array(rows, np.intp)


def least(edges: SignedEdges) -> float:
    """The smallest loss of all partitions."""
    every = partitions(edges.nodes)
    within = every[:, edges.first] == every[:, edges.second]
    return float(np.abs(np.where(within != (edges.weight > 0), edges.weight, 0)).sum(axis=1).min())


def graph(weights: list[float], nodes: int) -> SignedEdges:
    """A weight for every pair of nodes; 0 is no edge."""
    pairs = np.array(list(combinations(range(nodes), 2)), np.intp).reshape(-1, 2)
    return SignedEdges(pairs[:, 0], pairs[:, 1], np.array(weights, float), nodes)


def random_graph(nodes: int, seed: int, share: float = 1.0) -> SignedEdges:
    dice = np.random.default_rng([nodes, seed])
    count = nodes * (nodes - 1) // 2
    return graph((dice.normal(0.1, 1, count) * (dice.random(count) < share)).tolist(), nodes)


@pytest.mark.parametrize("nodes", [1, 2, 3, 4])
def test_all_small_graphs_with_signs(nodes: int) -> None:
    for signs in product((-1.0, 0.0, 1.0), repeat=nodes * (nodes - 1) // 2):
        edges = graph(list(signs), nodes)
        found = cluster_by_correlation(edges)
        assert found.loss == partition_loss(edges, found.labels) == least(edges)
        assert found.proven


WAYS = {"exact": {}, "programme": {"EXACT": 1}, "search": {"EXACT": 1, "MOST_EDGES": 0}}
"""How components are solved, whatever their sizes."""


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("nodes", [5, 6, 7, 8])
def test_random_graphs_against_all_partitions(nodes: int, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in WAYS[way].items():
        monkeypatch.setattr(correlation_clustering, name, value)
    for seed in range(10):
        edges = random_graph(nodes, seed, share=0.7 if seed % 2 else 1.0)
        found = cluster_by_correlation(edges, rounds=20)
        assert found.loss == pytest.approx(least(edges))
        assert found.bound <= found.loss
        assert found.proven or way == "search"


@pytest.mark.parametrize("way", ["programme", "search"])
def test_planted_clusters_are_found(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in WAYS[way].items():
        monkeypatch.setattr(correlation_clustering, name, value)
    edges, truth = planted(nodes=80, clusters=4, edges=900, noise=0.7)
    found = cluster_by_correlation(edges)
    assert found.labels.tolist() == number_by_size(truth).tolist()


def planted(nodes: int, clusters: int, edges: int, noise: float) -> tuple[SignedEdges, NDArray[np.intp]]:
    dice = np.random.default_rng(nodes)
    truth = dice.integers(0, clusters, nodes)
    first, second = dice.integers(0, nodes, (2, edges))
    weight = np.where(truth[first] == truth[second], 1, -1) + noise * dice.standard_normal(edges)
    return SignedEdges(first, second, weight, nodes), truth


def test_the_search_is_near_the_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    edges, _ = planted(nodes=60, clusters=5, edges=500, noise=1.0)
    best = cluster_by_correlation(edges)
    assert best.proven
    for name, value in WAYS["search"].items():
        monkeypatch.setattr(correlation_clustering, name, value)
    found = cluster_by_correlation(edges)
    assert best.loss - 1e-9 <= found.loss <= 1.03 * best.loss
    assert not found.proven


def test_the_same_seed_gives_the_same_clusters(monkeypatch: pytest.MonkeyPatch) -> None:
    edges, _ = planted(nodes=150, clusters=5, edges=1500, noise=1.2)
    monkeypatch.setattr(correlation_clustering, "MAX_PROGRAMME_EDGES", 0)
    once, again = (cluster_by_correlation(edges, rounds=2, seed=3).labels for _ in range(2))
    assert once.tolist() == again.tolist()


def test_the_order_of_edges_does_not_matter() -> None:
    edges = random_graph(8, 1)
    order = list(range(len(edges.weight)))
    Random(0).shuffle(order)
    turned = SignedEdges(edges.second[order], edges.first[order], edges.weight[order], edges.nodes)
    assert cluster_by_correlation(turned).labels.tolist() == cluster_by_correlation(edges).labels.tolist()


def test_pairs_that_come_twice_count_together_and_loops_do_not() -> None:
    edges = SignedEdges(np.array([0, 1, 0]), np.array([1, 0, 0]), np.array([1.0, -2.0, 5.0]), 2)
    assert cluster_by_correlation(edges).labels.tolist() == [0, 1]


def test_nothing() -> None:
    none = np.zeros(0, np.intp)
    assert cluster_by_correlation(SignedEdges(none, none, np.zeros(0), 0)).labels.tolist() == []
    assert cluster_by_correlation(SignedEdges(none, none, np.zeros(0), 2)).labels.tolist() == [0, 1]

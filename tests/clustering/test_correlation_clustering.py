"""Correlation clusters against all partitions there are, and against planted ones."""

from itertools import combinations, product
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from polyseme.clustering import correlation_clustering
from polyseme.clustering.correlation_clustering import (
    SignedEdges,
    cluster_by_correlation,
    number_by_size,
    partition_loss,
)


def list_partitions(nodes: int) -> NDArray[np.intp]:
    """All partitions, as the clusters of the nodes, a row each."""
    rows: list[list[int]] = [[]]
    for _ in range(nodes):
        rows = [[*row, label] for row in rows for label in range(max(row, default=-1) + 2)]
    return np.array(rows, np.intp)


def smallest_loss(edges: SignedEdges) -> float:
    """The smallest loss of all partitions."""
    every = list_partitions(edges.nodes)
    within = every[:, edges.first] == every[:, edges.second]
    return float(np.abs(np.where(within != (edges.weight > 0), edges.weight, 0)).sum(axis=1).min())


def make_graph(weights: list[float], nodes: int) -> SignedEdges:
    """A weight for every pair of nodes; 0 is no edge."""
    pairs = np.array(list(combinations(range(nodes), 2)), np.intp).reshape(-1, 2)
    return SignedEdges(pairs[:, 0], pairs[:, 1], np.array(weights, float), nodes)


def random_graph(nodes: int, seed: int, share: float = 1.0) -> SignedEdges:
    random = np.random.default_rng([nodes, seed])
    count = nodes * (nodes - 1) // 2
    return make_graph((random.normal(0.1, 1, count) * (random.random(count) < share)).tolist(), nodes)


@pytest.mark.parametrize("nodes", [1, 2, 3, 4])
def test_all_small_graphs_are_solved_exactly(nodes: int) -> None:
    for signs in product((-1.0, 0.0, 1.0), repeat=nodes * (nodes - 1) // 2):
        edges = make_graph(list(signs), nodes)
        partition = cluster_by_correlation(edges)
        assert partition.loss == partition_loss(edges, partition.labels) == smallest_loss(edges)
        assert partition.proven


WAYS = {
    "exact": {},
    "programme": {"MAX_EXACT_NODES": 1},
    "search": {"MAX_EXACT_NODES": 1, "MAX_PROGRAMME_EDGES": 0},
}
"""How components are solved, whatever their sizes."""


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("nodes", [5, 6, 7, 8])
def test_random_graphs_against_all_partitions(nodes: int, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in WAYS[way].items():
        monkeypatch.setattr(correlation_clustering, name, value)
    for seed in range(10):
        edges = random_graph(nodes, seed, share=0.7 if seed % 2 else 1.0)
        partition = cluster_by_correlation(edges, rounds=20)
        assert partition.loss == pytest.approx(smallest_loss(edges))
        assert partition.bound <= partition.loss
        assert partition.proven or way == "search"


@pytest.mark.parametrize("way", ["programme", "search"])
def test_planted_clusters_are_recovered(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in WAYS[way].items():
        monkeypatch.setattr(correlation_clustering, name, value)
    edges, truth = draw_planted_graph(nodes=80, clusters=4, edges=900, noise=0.7)
    partition = cluster_by_correlation(edges)
    assert partition.labels.tolist() == number_by_size(truth).tolist()


def draw_planted_graph(nodes: int, clusters: int, edges: int, noise: float) -> tuple[SignedEdges, NDArray[np.intp]]:
    random = np.random.default_rng(nodes)
    truth = random.integers(0, clusters, nodes)
    first, second = random.integers(0, nodes, (2, edges))
    weight = np.where(truth[first] == truth[second], 1, -1) + noise * random.standard_normal(edges)
    return SignedEdges(first, second, weight, nodes), truth


def test_the_search_is_near_the_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    edges, _ = draw_planted_graph(nodes=60, clusters=5, edges=500, noise=1.0)
    best = cluster_by_correlation(edges)
    assert best.proven
    for name, value in WAYS["search"].items():
        monkeypatch.setattr(correlation_clustering, name, value)
    partition = cluster_by_correlation(edges)
    assert best.loss - 1e-9 <= partition.loss <= 1.03 * best.loss
    assert not partition.proven


def test_the_same_seed_gives_the_same_clusters(monkeypatch: pytest.MonkeyPatch) -> None:
    edges, _ = draw_planted_graph(nodes=150, clusters=5, edges=1500, noise=1.2)
    monkeypatch.setattr(correlation_clustering, "MAX_PROGRAMME_EDGES", 0)
    once, again = (cluster_by_correlation(edges, rounds=2, seed=3).labels for _ in range(2))
    assert once.tolist() == again.tolist()


def test_the_order_of_edges_does_not_matter() -> None:
    edges = random_graph(8, 1)
    order = list(range(len(edges.weight)))
    Random(0).shuffle(order)
    turned = SignedEdges(edges.second[order], edges.first[order], edges.weight[order], edges.nodes)
    assert cluster_by_correlation(turned).labels.tolist() == cluster_by_correlation(edges).labels.tolist()


def test_weights_of_repeated_pairs_are_summed_and_loops_ignored() -> None:
    edges = SignedEdges(np.array([0, 1, 0]), np.array([1, 0, 0]), np.array([1.0, -2.0, 5.0]), 2)
    assert cluster_by_correlation(edges).labels.tolist() == [0, 1]


def test_graphs_without_edges_have_single_nodes() -> None:
    none = np.zeros(0, np.intp)
    assert cluster_by_correlation(SignedEdges(none, none, np.zeros(0), 0)).labels.tolist() == []
    assert cluster_by_correlation(SignedEdges(none, none, np.zeros(0), 2)).labels.tolist() == [0, 1]

"""Clusterings of graphs: they find planted clusters, and what brute force finds."""

import importlib
import time
from itertools import combinations
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from scipy.cluster.hierarchy import fcluster, linkage
from sklearn.metrics import adjusted_rand_score

from graphs.example_graphs import graph_from_edges, graphs, planted
from polyseme.graphs.chinese_whispers import ChineseWhispers
from polyseme.graphs.link_communities import LinkCommunities
from polyseme.graphs.maxmax import MaxMax

# -- Chinese Whispers ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weighting", ["top", "linear", "log"])
@pytest.mark.parametrize("seed", [0, 1, 2, 12345678901])
def test_a_planted_partition_is_found(weighting: Any, seed: int) -> None:
    graph, block = planted(4, 60, 0.3, 0.005)
    assert adjusted_rand_score(block, ChineseWhispers(weighting, seed=seed)(graph)) > 0.99


def test_the_same_seed_gives_the_same_clusters() -> None:
    graph = planted(3, 40, 0.15, 0.05)[0]
    results = [ChineseWhispers(seed=seed, rounds=1)(graph).tolist() for seed in (0, 0, 1, 2, 3)]
    assert results[0] == results[1]
    assert len({tuple(labels) for labels in results}) > 1


def test_a_node_follows_its_heaviest_edge() -> None:
    """A node with two light edges and a heavy one goes where the heavy one leads."""
    graph = graph_from_edges(
        7, [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (6, 0), (6, 1), (6, 3)], [9.0] * 6 + [1, 1, 5]
    )
    for seed in range(10):
        labels = ChineseWhispers(seed=seed)(graph)
        assert labels[6] == labels[3] != labels[0]


def test_a_hub_counts_less_when_weights_are_divided() -> None:
    """A node between a triangle and a hub goes to the hub by weight alone, and to the triangle if that is divided.

    The label of the hub, in a clique of twelve, weighs 3 / 12 or 3 / ln 13; that of the triangle weighs 2 · 1 / 3 or
    2 · 1 / ln 4.
    """
    clique = list(combinations(range(12), 2))
    node, a, b = 12, 13, 14
    graph = graph_from_edges(
        15, [*clique, (node, 0), (node, a), (node, b), (a, b)], [9.0] * len(clique) + [3.0, 1, 1, 9]
    )
    for seed in range(20):
        top, linear, log = (ChineseWhispers(weighting, seed=seed)(graph) for weighting in ("top", "linear", "log"))
        assert top[node] == top[0] != top[a]
        assert linear[node] == linear[a] != linear[0]
        assert log[node] == log[a] != log[0]


def test_nodes_without_edges_stay_alone() -> None:
    assert ChineseWhispers()(np.zeros((3, 3))).tolist() == [0, 1, 2]
    assert ChineseWhispers()(np.zeros((0, 0))).tolist() == []


@settings(max_examples=30)
@given(graph=graphs())
def test_interpreted_and_compiled_are_the_same(graph: sp.csr_array[Any]) -> None:
    compiled = importlib.import_module("polyseme.graphs._loops")
    arguments = (graph.indptr, graph.indices, graph.data, 5, 7)
    interpreted = getattr(compiled.whisper, "py_func", compiled.whisper)
    assert compiled.whisper(*arguments).tolist() == interpreted(*arguments).tolist()


@pytest.mark.parametrize("seed", [0, -1, -(2**65), 2**31 - 2, 2**63 - 1, 2**63 + 12345, 2**70])
def test_any_whole_number_is_a_seed(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled and interpreted loops draw the same numbers."""
    compiled = importlib.import_module("polyseme.graphs._loops")
    graph = planted(3, 40, 0.15, 0.05)[0]
    labels = ChineseWhispers(seed=seed, rounds=1)(graph).tolist()
    monkeypatch.setattr(compiled, "whisper", getattr(compiled.whisper, "py_func", compiled.whisper))
    assert ChineseWhispers(seed=seed, rounds=1)(graph).tolist() == labels


# -- link communities ----------------------------------------------------------------------------------------------


def similarities(graph: sp.csr_array[Any], edges: list[tuple[int, int]], *, weighted: bool) -> Any:
    """Edge × edge, by definition."""
    dense = graph.toarray() if weighted else (graph.toarray() > 0).astype(float)
    for node in range(len(dense)):
        own = dense[node][dense[node] > 0]
        dense[node, node] = (own.mean() if weighted else 1.0) if len(own) else 0.0
    values = np.zeros((len(edges), len(edges)))
    for one, other in combinations(range(len(edges)), 2):
        if len(shared := set(edges[one]) & set(edges[other])) == 1:
            (i,), (j,) = set(edges[one]) - shared, set(edges[other]) - shared
            product = dense[i] @ dense[j]
            values[one, other] = values[other, one] = product / (dense[i] @ dense[i] + dense[j] @ dense[j] - product)
    return values


def density(edges: list[tuple[int, int]], labels: Any) -> float:
    total = 0.0
    for label in set(labels):
        members = [edge for edge, each in zip(edges, labels, strict=True) if each == label]
        m, n = len(members), len({node for edge in members for node in edge})
        total += m * (m - n + 1) / ((n - 2) * (n - 1)) if n > 2 else 0.0
    return 2 * total / len(edges)


def brute_force(graph: sp.csr_array[Any], *, weighted: bool) -> tuple[float, list[Any]]:
    """The greatest density of all levels of a single-linkage tree, and the partitions that have it."""
    upper = sp.triu(graph).tocoo()
    edges = sorted(zip(upper.row.tolist(), upper.col.tolist(), strict=True))
    distance = 2 - similarities(graph, edges, weighted=weighted)
    np.fill_diagonal(distance, 0)
    tree = linkage(distance[np.triu_indices(len(edges), 1)], "single")
    cuts = [fcluster(tree, level, "distance") for level in [0, *np.unique(tree[:, 2][tree[:, 2] < 2 - 1e-12]) + 1e-9]]
    densities = [density(edges, cut) for cut in cuts]
    best = max(densities)
    return best, [cut for cut, value in zip(cuts, densities, strict=True) if abs(value - best) < 1e-9]


def check_communities(graph: sp.csr_array[Any], *, weighted: bool) -> None:
    communities = LinkCommunities(weighted=weighted)(graph)
    best, partitions = brute_force(graph, weighted=weighted)
    labels, edges = communities.labels, [tuple(edge) for edge in communities.edges.tolist()]
    assert communities.density == pytest.approx(best, abs=1e-9)
    assert any(adjusted_rand_score(partition, labels) == pytest.approx(1.0) for partition in partitions)
    assert density(edges, labels) == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("network", [nx.karate_club_graph, nx.les_miserables_graph], ids=["karate", "miserables"])
def test_communities_of_textbook_networks_are_the_densest(network: Any, weighted: bool) -> None:
    check_communities(sp.csr_array(nx.to_scipy_sparse_array(network()), dtype=float), weighted=weighted)


@settings(max_examples=60)
@given(graph=graphs())
def test_communities_of_any_graph_are_the_densest(graph: sp.csr_array[Any]) -> None:
    for weighted in (False, True):
        if graph.nnz > 2:
            check_communities(graph, weighted=weighted)
        else:
            assert LinkCommunities(weighted=weighted)(graph).density == 0.0


def test_a_node_can_be_in_several_communities() -> None:
    """Three triangles around one node."""
    edges = [(0, a) for a in range(1, 7)] + [(1, 2), (3, 4), (5, 6)]
    communities = LinkCommunities()(graph_from_edges(7, edges))
    assert sorted(nodes.tolist() for nodes in communities.nodes()) == [[0, 1, 2], [0, 3, 4], [0, 5, 6]]
    assert communities.density == 1.0
    assert LinkCommunities()(np.zeros((2, 2))).nodes() == []


def test_weights_can_separate_equal_neighbourhoods() -> None:
    """In a clique with two strong halves, only the weights separate them."""
    edges = list(combinations(range(6), 2))
    weights = [10.0 if (a < 3) == (b < 3) else 0.1 for a, b in edges]
    graph = graph_from_edges(6, edges, weights)
    assert len(LinkCommunities()(graph).nodes()) == 1
    strong = LinkCommunities(weighted=True)(graph)
    labels = {tuple(edge): label for edge, label in zip(strong.edges.tolist(), strong.labels.tolist(), strict=True)}
    assert strong.threshold > 0
    assert labels[0, 1] == labels[0, 2] == labels[1, 2]


# -- MaxMax --------------------------------------------------------------------------------------------------------


def test_maxmax_follows_a_worked_example() -> None:
    """By hand: r's strongest is s and the other way round; t's are r and s; u's is v and the other way round.

    Arcs r→s, s→r, r→t, s→t, u→v, v→u and, as w's strongest are v and t, v→w and t→w. r, the first, makes s, t and w no
    roots; u makes v none. So there are two clusters, and w is in both.
    """
    r, s, t, u, v, w = range(6)
    edges = [(r, s), (r, t), (s, t), (u, v), (v, w), (t, w), (t, u)]
    graph = graph_from_edges(6, edges, [5.0, 3.0, 3.0, 4.0, 2.0, 2.0, 1.0])
    assert [nodes.tolist() for nodes in MaxMax()(graph)] == [[r, s, t, w], [u, v, w]]


def test_every_node_is_in_a_cluster_and_no_root_is_reached_by_another() -> None:
    graph = planted(5, 20, 0.4, 0.02, seed=3)[0]
    rng = np.random.default_rng(0)
    upper = sp.triu(graph).tocsr()
    upper.data = rng.random(len(upper.data)) + 0.1
    weighted = (upper + upper.T).tocsr()
    clusters = MaxMax()(weighted)
    assert set(np.concatenate(clusters).tolist()) == set(range(100))
    roots = [int(nodes[0]) for nodes in clusters]
    assert all(root not in nodes[1:] or root == nodes[0] for nodes in clusters for root in roots)
    assert 1 < len(clusters) < 50


def test_nodes_without_edges_are_clusters_of_their_own() -> None:
    assert [nodes.tolist() for nodes in MaxMax()(np.zeros((2, 2)))] == [[0], [1]]


def test_a_later_root_strikes_out_an_earlier_one() -> None:
    """0's strongest is 1, 1's are 0 and 2, 2's is 3: so 3 reaches all, over nodes that 0 reached before."""
    graph = graph_from_edges(4, [(0, 1), (1, 2), (2, 3)], [5.0, 5.0, 9.0])
    assert [nodes.tolist() for nodes in MaxMax()(graph)] == [[2, 0, 1, 3]]


def maxmax_by_definition(graph: sp.csr_array[Any]) -> list[list[int]]:
    """Step by step, by definition."""
    weights = graph.toarray()
    size = len(weights)
    arcs = {u: [v for v in range(size) if weights[u, v] and weights[u, v] == weights[v].max()] for u in range(size)}

    def descendants(start: int) -> set[int]:
        reached: set[int] = set()
        waiting = [start]
        while waiting:
            waiting += set(arcs[node := waiting.pop()]) - reached
            reached |= set(arcs[node])
        return reached - {start}

    root = [True] * size
    for node in range(size):
        if root[node]:
            for other in descendants(node):
                root[other] = False
    return [[node, *sorted(descendants(node))] for node in range(size) if root[node]]


@settings(max_examples=300)
@given(graph=graphs())
def test_clusters_are_those_of_the_definition(graph: sp.csr_array[Any]) -> None:
    """Many weights are equal, so that a node has several strongest neighbours."""
    assert [nodes.tolist() for nodes in MaxMax()(graph)] == maxmax_by_definition(graph)


def test_a_long_chain_is_clustered_quickly() -> None:
    """Each node's strongest neighbour is the next: one root reaches all, whatever the order."""
    size = 100_000
    row = np.arange(size - 1)
    upper = sp.csr_array((row + 1.0, (row, row + 1)), shape=(size, size))
    start = time.perf_counter()
    (only,) = MaxMax()((upper + upper.T).tocsr())
    assert (len(only), only[0]) == (size, size - 2)
    assert time.perf_counter() - start < 10

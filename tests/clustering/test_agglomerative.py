"""Agglomerative clustering gives the trees that scipy gives."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.cluster.hierarchy import fcluster, is_valid_linkage, linkage
from sklearn.metrics import adjusted_rand_score

from clustering.planted import planted
from polyseme.clustering.agglomerative import Agglomerative, cut_tree
from polyseme.errors import InputError

LINKAGES = ["average", "complete", "single", "ward"]
METRICS = ["cosine", "euclidean"]


def scipy_tree(rows: Any, method: Any, metric: Any) -> Any:
    if metric == "cosine":
        rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return linkage(rows, method, "euclidean" if method == "ward" else metric)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("method", LINKAGES)
@pytest.mark.parametrize("size, dimensions", [(2, 3), (3, 2), (50, 2), (300, 20)])
def test_trees_are_those_of_scipy(method: Any, metric: Any, size: int, dimensions: int) -> None:
    rows = np.random.default_rng(size).normal(size=(size, dimensions)) + 0.3
    expected = scipy_tree(rows, method, metric)
    for matrix in (rows, sp.csr_array(rows)):
        np.testing.assert_allclose(Agglomerative(method, metric).merges(matrix), expected, atol=1e-7)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("method", ["average", "ward"])
def test_trees_of_planted_clusters_are_cut_into_them(method: Any, metric: Any) -> None:
    rows, labels = planted(4, 300, noise=0.15)
    assert adjusted_rand_score(labels, cut_tree(Agglomerative(method, metric).merges(rows), 4)) == 1


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("method", LINKAGES)
def test_equal_rows_merge_at_distance_zero(method: Any, metric: Any) -> None:
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(40, 5))[rng.integers(40, size=120)]
    heights = scipy_tree(rows, method, metric)[:, 2]
    for matrix in (rows, sp.csr_array(rows)):
        tree = Agglomerative(method, metric).merges(matrix)
        np.testing.assert_allclose(tree[:, 2], heights, atol=1e-6)
        assert is_valid_linkage(tree)


def test_many_equal_distances_give_a_valid_tree() -> None:
    """On a grid almost all distances are equal: any valid tree is right."""
    grid = np.stack(np.meshgrid(np.arange(12.0), np.arange(12.0)), axis=-1).reshape(-1, 2)
    for method in LINKAGES:
        tree = Agglomerative(method, "euclidean").merges(grid)  # type: ignore[arg-type]
        assert is_valid_linkage(tree)
        assert tree[-1, 3] == 144
    assert Agglomerative("single", "euclidean").merges(grid)[:, 2] == pytest.approx(1)


@pytest.mark.parametrize("method", LINKAGES)
def test_trees_are_cut_as_scipy_cuts_them(method: Any) -> None:
    rows = np.random.default_rng(5).normal(size=(60, 4))
    tree = scipy_tree(rows, method, "euclidean")
    for number in (1, 2, 7, 60):
        labels = Agglomerative(method, "euclidean")(rows, number)
        assert adjusted_rand_score(fcluster(tree, number, "maxclust"), labels) == 1
    for threshold in (0.0, 0.8, 1.5, 99.0):
        labels = Agglomerative(method, "euclidean", threshold)(rows)
        assert adjusted_rand_score(fcluster(tree, threshold, "distance"), labels) == 1


def test_a_number_of_clusters_overrides_the_threshold() -> None:
    assert Agglomerative("single", "euclidean", 0.5)([[0], [1], [4]]).tolist() == [0, 1, 2]
    assert Agglomerative("single", "euclidean", 0.5)([[0], [1], [4]], 2).tolist() == [0, 0, 1]
    with pytest.raises(InputError, match="threshold is -1"):
        Agglomerative(threshold=-1)


def test_a_row_of_zeros_is_similar_to_nothing() -> None:
    tree = Agglomerative().merges([[1, 0], [0, 0], [1, 0.1]])
    assert tree[-1, 2] == pytest.approx(1)

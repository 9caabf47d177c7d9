"""Agglomerative clustering gives the trees that scipy gives."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.cluster.hierarchy import fcluster, is_valid_linkage, linkage
from sklearn.metrics import adjusted_rand_score

from clustering.planted import planted
from polyseme.clustering import _linkage
from polyseme.clustering.agglomerative import Agglomerative, build_tree, cut_tree
from polyseme.errors import InputError
from polyseme.matrices import unit_rows

LINKAGES = ["average", "complete", "single", "ward"]
METRICS = ["cosine", "euclidean"]


def theirs(rows: Any, method: Any, metric: Any) -> Any:
    if metric == "cosine":
        rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return linkage(rows, method, "euclidean" if method == "ward" else metric)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("method", LINKAGES)
@pytest.mark.parametrize("size, dimensions", [(2, 3), (3, 2), (50, 2), (300, 20)])
def test_trees_are_those_of_scipy(method: Any, metric: Any, size: int, dimensions: int) -> None:
    rows = np.random.default_rng(size).normal(size=(size, dimensions)) + 0.3
    expected = theirs(rows, method, metric)
    seen = rows if metric == "euclidean" else unit_rows(rows)
    for given in (rows, sp.csr_array(rows)):
        np.testing.assert_allclose(Agglomerative(method, metric).merges(given), expected, atol=1e-7)
    for given in (seen, sp.csr_array(seen)):
        found = build_tree(*_linkage.merge_rows(given, method, metric))
        np.testing.assert_allclose(found, expected, atol=1e-7)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("method", LINKAGES)
def test_single_precision_is_enough(method: Any, metric: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_linkage, "SCIPY_LIMIT", 0)
    rows, labels = planted(4, 300, noise=0.15)
    found = Agglomerative(method, metric).merges(rows)
    assert is_valid_linkage(found)
    np.testing.assert_allclose(found[:, 2], theirs(rows, method, metric)[:, 2], atol=1e-5)
    if method in ("average", "ward"):
        assert adjusted_rand_score(labels, cut_tree(found, 4)) == 1


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("method", LINKAGES)
@pytest.mark.parametrize("small", [0, 8192])
def test_rows_that_are_the_same(method: Any, metric: Any, small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_linkage, "SCIPY_LIMIT", small)
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(40, 5))[rng.integers(40, size=120)]
    heights = theirs(rows, method, metric)[:, 2]
    for given in (rows, sp.csr_array(rows)):
        found = Agglomerative(method, metric).merges(given)
        np.testing.assert_allclose(found[:, 2], heights, atol=1e-6)
        assert is_valid_linkage(found)


def test_many_ties_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A grid, in which almost all distances are the same: any tree will do, if it is one."""
    monkeypatch.setattr(_linkage, "SCIPY_LIMIT", 0)
    grid = np.stack(np.meshgrid(np.arange(12.0), np.arange(12.0)), axis=-1).reshape(-1, 2)
    for method in LINKAGES:
        found = Agglomerative(method, "euclidean").merges(grid)  # type: ignore[arg-type]
        assert is_valid_linkage(found)
        assert found[-1, 3] == 144
    assert Agglomerative("single", "euclidean").merges(grid)[:, 2] == pytest.approx(1)


@pytest.mark.parametrize("method", LINKAGES)
def test_cutting_is_that_of_scipy(method: Any) -> None:
    rows = np.random.default_rng(5).normal(size=(60, 4))
    tree = theirs(rows, method, "euclidean")
    for number in (1, 2, 7, 60):
        ours = Agglomerative(method, "euclidean")(rows, number)
        assert adjusted_rand_score(fcluster(tree, number, "maxclust"), ours) == 1
    for threshold in (0.0, 0.8, 1.5, 99.0):
        ours = Agglomerative(method, "euclidean", threshold)(rows)
        assert adjusted_rand_score(fcluster(tree, threshold, "distance"), ours) == 1


def test_a_number_goes_before_the_threshold() -> None:
    assert Agglomerative("single", "euclidean", 0.5)([[0], [1], [4]]).tolist() == [0, 1, 2]
    assert Agglomerative("single", "euclidean", 0.5)([[0], [1], [4]], 2).tolist() == [0, 0, 1]
    with pytest.raises(InputError, match="threshold is -1"):
        Agglomerative(threshold=-1)


def test_a_row_of_zeros_is_like_nothing() -> None:
    found = Agglomerative().merges([[1, 0], [0, 0], [1, 0.1]])
    assert found[-1, 2] == pytest.approx(1)

"""Correlation clustering of dense pairs, against exact partitions and planted ones."""

import numpy as np
import pytest

from polyseme.arrays import Floats
from polyseme.clustering import correlation
from polyseme.clustering.correlation import CorrelationClusters, cluster_signed_pairs, recurrence, weight_within
from polyseme.clustering.correlation_clustering import solve_exactly
from polyseme.errors import InputError


def random_pairs(size: int, seed: int, mean: float = 0.0) -> Floats:
    weights = np.random.default_rng([size, seed]).normal(mean, 1, (size, size))
    pairs: Floats = np.triu(weights, 1) + np.triu(weights, 1).T
    return pairs


@pytest.mark.parametrize("size", [1, 2, 3, 6, 10])
def test_small_partitions_are_optimal(size: int) -> None:
    for seed in range(10):
        pairs = random_pairs(size, seed)
        labels = cluster_signed_pairs(pairs, restarts=30)
        assert weight_within(pairs, labels) == pytest.approx(weight_within(pairs, solve_exactly(pairs)))


def test_a_partition_is_never_worse_than_one_cluster_or_than_single_rows() -> None:
    for seed, mean in enumerate((-0.3, 0.0, 0.05, 0.3)):
        pairs = random_pairs(60, seed, mean)
        assert weight_within(pairs, cluster_signed_pairs(pairs, 1)) >= max(float(pairs.sum()), 0.0)


def test_similar_rows_are_one_cluster_and_dissimilar_rows_many() -> None:
    rows = np.abs(np.random.default_rng(0).normal(size=(30, 4))) + 1
    assert CorrelationClusters(0.3)(rows).tolist() == [0] * 30
    assert CorrelationClusters(1.1)(rows).tolist() == list(range(30))


def test_clusters_of_chance_do_not_recur_as_planted_ones_do() -> None:
    planted = np.where(np.equal.outer(np.arange(40) % 4, np.arange(40) % 4), 0.5, -0.5) + random_pairs(40, 1) / 4
    labels = cluster_signed_pairs(planted)
    assert recurrence(planted, labels).min() > 0.8
    noise = random_pairs(40, 2)
    assert recurrence(noise, cluster_signed_pairs(noise)).mean() < 0.7


def test_too_few_rows_are_not_halved() -> None:
    pairs = random_pairs(5, 0)
    assert np.isnan(recurrence(pairs, cluster_signed_pairs(pairs))).all()


def test_too_many_rows_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(correlation, "ROW_LIMIT", 3)
    with pytest.raises(InputError, match="all pairs of 4 rows"):
        CorrelationClusters()(np.eye(4))

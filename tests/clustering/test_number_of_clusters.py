"""The number of clusters: of planted clusters, and of data without any."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from clustering.planted import planted, texts
from polyseme.clustering import number_of_clusters
from polyseme.clustering.agglomerative import Agglomerative
from polyseme.clustering.clusterer import as_clusterer
from polyseme.clustering.number_of_clusters import (
    PK1,
    PK2,
    PK3,
    AdaptedGap,
    Eigengap,
    Fixed,
    Silhouette,
    Sizeable,
    criterion_values,
)
from polyseme.clustering.reference_data import draw_with_marginals, shuffle_columns
from polyseme.clustering.repeated_bisections import RepeatedBisections
from polyseme.clustering.scikit_learn import KMeans
from polyseme.errors import InputError
from polyseme.parts import parts_by_name

QUICK = RepeatedBisections(trials=3)
GAP = AdaptedGap(references=5, most=7)
CRITERIA = [Fixed(3), Sizeable(3), PK1(), PK2(), PK2(around="mean"), PK3(), GAP, Silhouette(), Eigengap()]


def test_every_kind_is_tested() -> None:
    assert {type(part) for part in CRITERIA} == {part for part in parts_by_name().values() if part.kind == "number"}


@pytest.mark.parametrize("part", [part for part in CRITERIA if not isinstance(part, PK3)], ids=repr)
@pytest.mark.parametrize("data", [planted, texts])
def test_three_planted_clusters_are_counted(part: Any, data: Any) -> None:
    assert part(data(3)[0], QUICK) == 3


def test_pk3_sees_the_knee_of_compact_clusters() -> None:
    for rows, labels in (planted(2, noise=0.05), planted(3, noise=0.03), texts(2)):
        assert PK3()(rows, QUICK) == labels.max() + 1


@pytest.mark.parametrize("number", [2, 5])
@pytest.mark.parametrize("part", [PK2(), GAP, Silhouette(), Eigengap()], ids=repr)
@pytest.mark.parametrize("data", [planted, texts])
def test_other_numbers_are_counted(part: Any, data: Any, number: int) -> None:
    assert part(data(number)[0], QUICK) == number


def test_pk1_and_pk3_see_fewer_of_equidistant_clusters() -> None:
    assert PK1()(planted(5)[0], QUICK) == 4
    assert PK3()(planted(5)[0], QUICK) == 2


@pytest.mark.parametrize("part", [PK2(), Silhouette()], ids=repr)
@pytest.mark.parametrize(
    "clustering", [KMeans(metric="cosine"), Agglomerative("ward"), Agglomerative("average")], ids=repr
)
def test_other_clusterers_are_used(part: Any, clustering: Any) -> None:
    assert part(planted(4)[0], clustering) == 4


def test_estimators_are_used() -> None:
    from sklearn.cluster import AgglomerativeClustering

    assert PK2()(planted(4)[0], as_clusterer(AgglomerativeClustering())) == 4


def test_a_single_cluster_is_recognised() -> None:
    """Only these criteria can answer 1; the others find clusters in anything."""
    for seed in range(3):
        rows = planted(1, seed=seed)[0]
        assert Eigengap()(rows, QUICK) == 1
        assert AdaptedGap(references=5, most=4)(rows, QUICK) <= 2
        assert Silhouette(minimum=0.15)(rows, QUICK) == 1
    isotropic = np.random.default_rng(0).normal(size=(120, 30))
    assert AdaptedGap(references=5, most=4)(isotropic, QUICK) == 1
    assert Eigengap()(isotropic, QUICK) == 1
    assert PK2()(planted(1)[0], QUICK) > 1


@pytest.mark.parametrize("part", CRITERIA, ids=repr)
@pytest.mark.parametrize("rows", [[[1.0, 2.0]], [[1.0, 2.0]] * 5, [[0.0, 0.0]] * 5, np.zeros((0, 2))], ids=len)
def test_equal_rows_are_one_cluster(part: Any, rows: Any) -> None:
    assert part(np.array(rows), QUICK) == 1


@pytest.mark.parametrize("part", CRITERIA, ids=repr)
def test_the_number_is_at_most_that_of_distinct_rows(part: Any) -> None:
    assert 1 <= part(np.eye(2), QUICK) <= 2
    assert 1 <= part(np.eye(3), QUICK) <= 3


def test_small_clusters_are_not_counted() -> None:
    rows = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2], [50.0], [99.0]])
    link = Agglomerative("average", "euclidean")
    assert Sizeable(2, 0.3)(rows, link) == 4
    assert Sizeable(2, 0.3, most=3)(rows, link) == 1
    assert Sizeable(5, 0.3)(rows, link) == 4


def test_most_limits_the_number() -> None:
    for part in (PK1(most=2), PK2(most=2), PK3(most=2), AdaptedGap(3, 2), Silhouette(most=2), Eigengap(most=2)):
        assert part(planted(4)[0], QUICK) <= 2


def test_pk_criteria_follow_their_formulas(monkeypatch: pytest.MonkeyPatch) -> None:
    """PK1 is −2.08, −0.47, 0.5, …; PK2 1.5, 1.2, 1.03, 1.01, 1 with sd 0.19; PK3 1.07, 1.07, 1.01, 1 with sd 0.03.

    At 18.61 the plateau starts; later values do not count.
    """
    monkeypatch.setattr(
        number_of_clusters, "criterion_values", lambda *_: np.array([10, 15, 18, 18.5, 18.6, 18.61, 30])
    )
    assert number_of_clusters.PK1()(None, QUICK) == 2
    assert number_of_clusters.PK1(threshold=0.4)(None, QUICK) == 3
    assert number_of_clusters.PK2()(None, QUICK) == 3
    assert number_of_clusters.PK2(around="mean")(None, QUICK) == 2, "1.15 + 0.19"
    assert number_of_clusters.PK3()(None, QUICK) in (2, 3)


@pytest.mark.parametrize("criterion", ["I1", "I2", "E1", "H1", "H2"])
def test_criterion_values_rise(criterion: Any) -> None:
    values = criterion_values(texts(3)[0], RepeatedBisections(criterion, trials=3), 6)
    assert (np.diff(values) > 0).all()
    assert PK2()(texts(3)[0], RepeatedBisections(criterion, trials=3)) == 3


def test_weights_are_passed_on() -> None:
    rows = planted(3, 60)[0]
    weights = np.ones(60)
    assert PK2()(rows, QUICK, weights) == PK2()(rows, QUICK) == 3
    with pytest.raises(InputError, match="cannot weigh rows"):
        PK2()(rows, Agglomerative(), weights)


def test_shuffled_references_have_the_same_columns() -> None:
    rows = texts(3)[0]
    reference = shuffle_columns(rows, np.random.default_rng(0))
    assert reference.sum(axis=0).tolist() == rows.sum(axis=0).tolist()
    assert sorted(reference.data.tolist()) == sorted(rows.data.tolist())
    assert (reference != rows).nnz
    dense = rows.toarray()
    assert shuffle_columns(dense, np.random.default_rng(0)).sum(axis=0).tolist() == dense.sum(axis=0).tolist()


def test_gaps_are_reproducible() -> None:
    rows = planted(3, 60)[0]
    first, again = list(GAP.gaps(rows, QUICK)), list(GAP.gaps(rows, QUICK))
    assert first == again
    assert np.argmax([gap for gap, _ in first]) == 2
    assert AdaptedGap(references=5, most=7, reference="uniform")(rows, QUICK) == 3


@pytest.mark.parametrize("sparse", [False, True])
def test_references_have_the_sums_of_rows_and_columns(sparse: bool) -> None:
    """Negative numbers, too, have their sums."""
    rng = np.random.default_rng(3)
    for rows in (rng.random((9, 5)), np.eye(6), np.zeros((2, 3)), rng.normal(size=(7, 4))):
        reference = draw_with_marginals(sp.csr_array(rows) if sparse else rows, np.random.default_rng(1))
        assert hasattr(reference, "toarray") == sparse
        dense = reference.toarray() if sparse else reference
        assert dense.sum(axis=0) == pytest.approx(rows.sum(axis=0))
        assert dense.sum(axis=1) == pytest.approx(rows.sum(axis=1))
        assert not np.array_equal(dense, rows) or not rows.any()


def test_references_with_fixed_sums_find_fewer_clusters() -> None:
    """Half of the words of each text are of its cluster; shuffled columns have none of them together."""
    rows = texts(4)[0]
    fixed = AdaptedGap(references=3, most=6, reference="marginals")
    assert fixed(rows, QUICK) == fixed(rows, QUICK) <= AdaptedGap(references=3, most=6)(rows, QUICK)

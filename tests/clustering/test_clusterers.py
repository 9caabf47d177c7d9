"""All clusterers: they find planted clusters and take the smallest matrices."""

import inspect
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.cluster import DBSCAN, AffinityPropagation, AgglomerativeClustering, BisectingKMeans
from sklearn.cluster import KMeans as SklearnKMeans
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture

from clustering.planted import planted, texts
from polyseme.clustering.agglomerative import Agglomerative
from polyseme.clustering.clusterer import Clusterer, as_clusterer, cluster_memberships, decides_number, solutions
from polyseme.clustering.consensus import Consensus
from polyseme.clustering.correlation import CorrelationClusters
from polyseme.clustering.estimators import estimators_by_name
from polyseme.clustering.repeated_bisections import RepeatedBisections
from polyseme.clustering.scikit_learn import HDBSCAN, KMeans, Mixture, SklearnClusterer, Spectral
from polyseme.errors import InputError, TooLittleData
from polyseme.induction.same_sense import SameSense
from polyseme.parts import build, parts_by_name

CLUSTERERS: list[Any] = [
    KMeans(),
    KMeans(metric="cosine"),
    *(Agglomerative(linkage) for linkage in ("average", "complete", "single", "ward")),
    *(Agglomerative(linkage, "euclidean") for linkage in ("average", "complete", "single", "ward")),
    SklearnClusterer("Birch(threshold=0.1)"),
    SklearnClusterer("GaussianMixture(covariance_type='diag')"),
    *(RepeatedBisections(criterion, trials=3) for criterion in ("I1", "I2", "E1", "H1", "H2")),
    RepeatedBisections(refine=False),
    Spectral(),
    HDBSCAN(),
    Mixture(),
    Mixture("spherical"),
    Consensus(draws=20, fewest=3, most=5),
    Consensus(KMeans(restarts=2), draws=5, fewest=3, most=5),
    CorrelationClusters(0.5, restarts=1),
    SameSense(restarts=1),
]


def test_every_kind_is_tested() -> None:
    kinds = {part for part in parts_by_name().values() if part.kind == "clusterer"}
    assert {type(part) for part in CLUSTERERS} == kinds


@pytest.mark.parametrize("part", CLUSTERERS, ids=repr)
def test_planted_clusters_are_found(part: Clusterer) -> None:
    rows, labels = planted(4, noise=0.06)
    assert adjusted_rand_score(labels, part(rows, 4)) > 0.98
    assert part(rows, 4).tolist() == part(sp.csr_array(rows), 4).tolist()


@pytest.mark.parametrize(
    "part",
    [RepeatedBisections(), RepeatedBisections("H2"), RepeatedBisections("E1"), Spectral(), KMeans(metric="cosine")],
    ids=repr,
)
def test_planted_texts_are_found(part: Clusterer) -> None:
    rows, labels = texts(3)
    assert adjusted_rand_score(labels, part(rows, 3)) > 0.98


@pytest.mark.parametrize("part", CLUSTERERS, ids=repr)
@pytest.mark.parametrize("sparse", [False, True])
def test_the_smallest_matrices_are_clustered(part: Clusterer, sparse: bool) -> None:
    build_matrix = sp.csr_array if sparse else np.array
    assert part(build_matrix(np.zeros((0, 3))), 3).tolist() == []
    assert part(build_matrix([[1.0, 2.0]]), 3).tolist() == [0]
    assert part(build_matrix([[0.0, 0.0]]), 3).tolist() == [0]
    assert part(build_matrix([[1.0, 2.0]] * 9), 3).tolist() == [0] * 9
    assert part(build_matrix(np.zeros((9, 2))), 3).tolist() == [0] * 9
    few = part(build_matrix([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]), 5).tolist()
    assert few == ([-1] * 3 if isinstance(part, HDBSCAN) else [0, 1, 0])
    labels = part(build_matrix([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 0.0], [2.0, 0.1]]), 3)
    assert len(labels) == 5
    assert labels[0] == labels[3] or isinstance(part, HDBSCAN)


@pytest.mark.parametrize("part", CLUSTERERS, ids=repr)
def test_clusters_are_numbered_in_order_and_reproducible(part: Clusterer) -> None:
    rows, _ = planted(3, 50, noise=0.4, seed=2)
    labels = part(rows, 5)
    seen = list(dict.fromkeys(labels[labels >= 0].tolist()))
    assert seen == sorted(seen) == list(range(len(seen)))
    assert labels.tolist() == build(repr(part))(rows, 5).tolist()
    if not isinstance(part, HDBSCAN | Mixture):
        assert len(seen) == 5


def test_hdbscan_leaves_out_outliers() -> None:
    rows, labels = planted(3, 90, noise=0.03)
    strange = np.vstack([rows, -rows[:3].sum(axis=0, keepdims=True)])
    clusters = HDBSCAN()(strange)
    assert clusters[-1] == -1
    assert adjusted_rand_score(labels, clusters[:-1]) == 1


@pytest.mark.parametrize("part", [KMeans(), RepeatedBisections(trials=3)], ids=repr)
def test_a_weight_counts_as_so_many_rows(part: Clusterer) -> None:
    rng = np.random.default_rng(3)
    rows, weights = rng.random((30, 4)), rng.integers(1, 6, 30)
    repeated = part(np.repeat(rows, weights, axis=0), 3)
    weighted = part(rows, 3, weights.astype(float))
    assert adjusted_rand_score(repeated, np.repeat(weighted, weights)) > 0.5
    assert part(rows, 3, np.ones(30)).tolist() == part(rows, 3).tolist()


def test_weights_move_the_means() -> None:
    """Two distant points are one cluster if another pair weighs enough."""
    rows = np.array([[0.0], [1.0], [10.0], [13.0]])
    assert KMeans()(rows, 2).tolist() == [0, 0, 1, 1]
    assert KMeans()(rows, 3).tolist() == [0, 0, 1, 2]
    assert KMeans()(rows, 3, np.array([50.0, 50.0, 1.0, 1.0])).tolist() == [0, 1, 2, 2]
    assert KMeans()(rows, 3, np.array([0.0, 1.0, 1.0, 0.0])).tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize("weights", [[1.0], [-1.0, 1, 1], [0.0, 0, 0], [np.nan, 1, 1]])
def test_wrong_weights_are_refused(weights: Any) -> None:
    with pytest.raises(InputError, match="weights must be 3 numbers"):
        KMeans()(np.eye(3), 2, np.array(weights))


@pytest.mark.parametrize(
    "part", [Agglomerative(), Spectral(), HDBSCAN(), Mixture(), Consensus(), CorrelationClusters()], ids=repr
)
def test_clusterers_without_weights_refuse_them(part: Clusterer) -> None:
    with pytest.raises(InputError, match="cannot weigh rows"):
        part(np.eye(3), 2, np.ones(3))


@pytest.mark.parametrize("part", [part for part in CLUSTERERS if not decides_number(part)], ids=repr)
def test_a_number_of_clusters_is_required(part: Clusterer) -> None:
    with pytest.raises(InputError, match="needs the number of clusters"):
        part(np.eye(3))
    with pytest.raises(InputError, match="the number of clusters is 0"):
        part(np.eye(3), 0)


@pytest.mark.parametrize("rows", [[1, 2, 3], [[np.nan]], [[np.inf, 1]]])
def test_invalid_matrices_are_refused(rows: Any) -> None:
    with pytest.raises(InputError):
        KMeans()(rows, 2)


# -- estimators --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "estimator",
    [SklearnKMeans(random_state=0), AgglomerativeClustering(), GaussianMixture(random_state=0), BisectingKMeans()],
)
def test_estimators_cluster_without_being_changed(estimator: Any) -> None:
    rows, labels = planted(4, noise=0.05)
    before = estimator.get_params()
    clusters = as_clusterer(estimator)(rows, 4)
    assert adjusted_rand_score(labels, clusters) == 1
    assert clusters[0] == 0
    assert estimator.get_params() == before
    assert not hasattr(estimator, "labels_")
    assert as_clusterer(estimator)(np.eye(2), 5).tolist() == [0, 1]


def test_estimators_without_a_number_and_with_weights() -> None:
    rows, expected = planted(3, noise=0.02)
    assert adjusted_rand_score(expected, as_clusterer(DBSCAN(eps=0.5))(rows, 9)) == 1
    assert as_clusterer(SklearnKMeans(2, random_state=0))(rows).max() == 1
    labels = as_clusterer(SklearnKMeans(random_state=0))(
        np.array([[0.0], [1], [10], [13]]), 3, np.array([50.0, 50, 1, 1])
    )
    assert labels.tolist() == [0, 1, 2, 2]
    with pytest.raises(InputError, match="cannot weigh rows"):
        as_clusterer(AgglomerativeClustering())(rows, 2, np.ones(len(rows)))


def test_parts_specifications_and_functions_can_cluster() -> None:
    assert as_clusterer("KMeans(restarts=3)") == KMeans(3)
    assert as_clusterer(KMeans()) == KMeans()
    assert as_clusterer(KMeans().__call__)(np.eye(2), 2).tolist() == [0, 1]
    for wrong in (3, KMeans, None):
        with pytest.raises(InputError, match="cannot cluster"):
            as_clusterer(wrong)
    with pytest.raises(InputError, match="is not a clusterer"):
        as_clusterer("PK2")


@pytest.mark.parametrize("part", [RepeatedBisections(trials=2), Agglomerative(), KMeans()], ids=repr)
def test_solutions_equal_single_calls(part: Clusterer) -> None:
    rows, _ = planted(3, 40, noise=0.3)
    for number, labels in enumerate(solutions(part, rows, 6), start=1):
        assert labels.tolist() == part(rows, number).tolist()
    assert len(list(solutions(part, np.eye(3)[[0, 1, 2, 2]], 6))) == 3


@pytest.mark.parametrize(
    "estimator",
    [
        AgglomerativeClustering(n_clusters=3),
        AgglomerativeClustering(n_clusters=None, distance_threshold=2.0),
        AffinityPropagation(damping=0.9, max_iter=1000, random_state=0),
        DBSCAN(eps=1.0),
        GaussianMixture(n_components=3, random_state=0),
    ],
    ids=repr,
)
def test_estimators_keep_their_own_number(estimator: Any) -> None:
    rows = np.repeat(np.eye(3) * 9, 8, axis=0) + np.random.default_rng(0).random((24, 3)) / 10
    clusterer = as_clusterer(estimator)
    assert decides_number(clusterer)
    assert len(np.unique(clusterer(rows))) == 3


def test_numbers_of_numpy_are_accepted() -> None:
    rows = [[0, 0], [9, 9], [5, 5], [5, 4]]
    number: Any = np.int64(3)
    assert as_clusterer(AgglomerativeClustering(n_clusters=2))(rows, number).tolist() == [0, 1, 2, 2]
    assert as_clusterer(AgglomerativeClustering(n_clusters=np.int64(9)))(rows).tolist() == [0, 1, 2, 3]


def test_a_number_overrides_the_distance_of_an_estimator() -> None:
    rows = [[0, 0], [9, 9], [5, 5], [5, 4]]
    estimator = AgglomerativeClustering(n_clusters=None, distance_threshold=1e9)
    assert as_clusterer(estimator)(rows, 3).tolist() == [0, 1, 2, 2]
    assert not decides_number(as_clusterer("KMeans"))


# -- estimators by name ------------------------------------------------------------------------------------------------


def test_every_clusterer_of_scikit_learn_has_a_name() -> None:
    rows, labels = planted(3, noise=0.05)
    counted = [name for name, kind in estimators_by_name().items() if {"n_clusters", "n_components"} & vars_of(kind)]
    assert {"Birch", "BisectingKMeans", "SpectralClustering", "BayesianGaussianMixture"} <= set(counted)
    for name in counted:
        assert adjusted_rand_score(labels, SklearnClusterer(name)(rows, 3)) == 1, name
    assert SklearnClusterer("KMeans", 3)(rows, 2).tolist() == SklearnClusterer("KMeans", 3)(rows, 2).tolist()


def vars_of(estimator: type[Any]) -> set[str]:
    return set(inspect.signature(estimator).parameters)


@pytest.mark.parametrize(
    "text, message",
    [
        ("Brich", "did you mean Birch"),
        ("FeatureAgglomeration", "has no clusterer"),
        ("Birch(treshold=2)", "did you mean threshold"),
        ("Birch(threshold=x)", "'x' in .* is not a plain value"),
        ("Birch(**{})", "is not a plain value|has no option"),
        ("Birch(0.3, 2)", "has values without names"),
        ("KMeans(3, n_clusters=2)", "has values without names, or one twice"),
        ("1 + 1", "write Name"),
        ("", "write Name"),
        ("(" * 300, "write Name"),
    ],
)
def test_an_estimator_that_is_not_one_is_refused_before_any_work(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        SklearnClusterer(text)


def test_only_clusterers_of_scikit_learn_are_built_by_name() -> None:
    with pytest.raises(InputError, match="give the estimator itself"):
        SklearnClusterer("os.system('true')")(np.eye(2), 2)
    with pytest.raises(InputError, match="'threshold' parameter of Birch"):
        SklearnClusterer("Birch(threshold=-1)")(np.eye(2), 2)
    with pytest.raises(TooLittleData, match="OPTICS cannot cluster 2 usages"):
        SklearnClusterer("OPTICS")(np.eye(2))


def test_mixtures_say_how_far_a_row_belongs_to_a_cluster() -> None:
    rows = [[0.0], [0.1], [0.5], [0.9], [1.0]]
    mixture = as_clusterer(GaussianMixture(2, reg_covar=0.1, random_state=0))
    memberships = cluster_memberships(mixture, rows)
    assert memberships.sum(axis=1) == pytest.approx(1)
    assert 0.2 < memberships[2].min() < 0.8
    assert cluster_memberships(KMeans(), rows, 2).toarray()[[0, 4]].tolist() == [[1, 0], [0, 1]]
    assert cluster_memberships(as_clusterer(DBSCAN(eps=0.2, min_samples=2)), rows)[2].sum() == 0


def test_there_is_a_greatest_number_of_clusters() -> None:
    for part in ("Pipeline(number=100000)", "Fixed(100000)", "TokenClusters(number=100000)", "Substitution(number=0)"):
        with pytest.raises(InputError, match="number from 1 to 1000"):
            build(part)
    with pytest.raises(InputError, match="it must be from 1 to 1000"):
        KMeans()(np.eye(2), 1001)

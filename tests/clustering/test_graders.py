"""Graders: the weights of rows in clusters."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from polyseme.clustering.graders import (
    InverseDistance,
    Nearest,
    PositiveCosine,
    Proportions,
    Softmax,
    Top,
    Votes,
    Within,
)
from polyseme.errors import InputError
from polyseme.parts import build, parts_by_name

GRADERS: list[Any] = [
    Nearest(),
    Nearest("euclidean"),
    Softmax(),
    Softmax(metric="euclidean"),
    PositiveCosine(),
    PositiveCosine(2.0),
    InverseDistance(),
    InverseDistance(metric="cosine"),
    Votes(),
    Proportions(),
    Proportions(0.2),
    Top(),
    Top(Votes(), 1),
    Within(),
    Within(Votes(), 0.5),
]

USAGES = np.array([[5.0, 1, 0], [0, 0, 3], [1, 1, 1], [0, 0, 0]])
SENSES = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0.5, 1]])


def test_every_kind_is_tested() -> None:
    assert {type(part) for part in GRADERS} == {part for part in parts_by_name().values() if part.kind == "grader"}


@pytest.mark.parametrize("part", GRADERS, ids=repr)
def test_weights_are_not_negative_and_greatest_for_the_best_cluster(part: Any) -> None:
    weights = part(USAGES, SENSES)
    assert weights.shape == (4, 3)
    assert weights.min() >= 0
    assert weights[0].argmax() == 0
    assert np.isfinite(weights).all()
    assert (part(USAGES / 10, SENSES)[1].argmax()) == 2 or getattr(part, "metric", "") == "euclidean"
    np.testing.assert_allclose(part(sp.csr_array(USAGES), sp.csr_array(SENSES)), weights, atol=1e-12)
    assert build(repr(part)) == part


@pytest.mark.parametrize("part", GRADERS, ids=repr)
def test_rows_that_fit_nothing_have_zeros(part: Any) -> None:
    if getattr(part, "metric", "cosine") == "cosine":
        assert part(USAGES, SENSES)[3].tolist() == [0, 0, 0]
        assert part([[0, 0, 7]], [[1, 0, 0], [0, 1, 0]]).tolist() == [[0, 0]]


@pytest.mark.parametrize("part", GRADERS, ids=repr)
def test_no_rows_and_no_clusters_are_accepted(part: Any) -> None:
    assert part(np.zeros((0, 3)), SENSES).shape == (0, 3)
    assert part(USAGES, np.zeros((0, 3))).shape == (4, 0)
    assert part(USAGES, SENSES[:1]).shape == (4, 1)


def test_normalised_weights_sum_to_one() -> None:
    for part in (Nearest(), Softmax(), InverseDistance(), InverseDistance(metric="cosine")):
        assert part(USAGES, SENSES)[:3].sum(axis=1) == pytest.approx(1)


def test_softmax_follows_its_formula() -> None:
    raised = np.exp(np.array([0.6, 0.8]) / 0.25)
    assert Softmax(0.25)([[3, 4]], np.eye(2))[0] == pytest.approx(raised / raised.sum())
    raised = np.exp(-np.array([1.0, 2.0]) / 0.5)
    assert Softmax(0.5, "euclidean")([[1.0]], [[0.0], [3.0]])[0] == pytest.approx(raised / raised.sum())
    assert Softmax(1e-6)([[3, 4]], np.eye(2)).tolist() == [[0, 1]]


def test_inverse_distances_are_memberships_of_fuzzy_c_means() -> None:
    """u = 1 / Σ (d/d')^(2/(m−1)); Bezdek 1981."""
    rng = np.random.default_rng(0)
    usages, senses = rng.random((5, 3)), rng.random((4, 3))
    far = np.linalg.norm(usages[:, None] - senses, axis=2)
    expected = 1 / ((far[:, :, None] / far[:, None]) ** (2 / (1.5 - 1))).sum(axis=2)
    np.testing.assert_allclose(InverseDistance(power=4)(usages, senses), expected)


def test_clusters_at_distance_zero_share_the_weight() -> None:
    assert InverseDistance()([[1.0, 0]], [[1, 0], [0, 1], [1, 0]]).tolist() == [[0.5, 0, 0.5]]


def test_negative_products_are_no_votes() -> None:
    assert Votes()([[1, -2]], np.eye(2)).tolist() == [[1, 0]]
    assert Proportions()([[1, -2]], np.eye(2)).tolist() == [[1, 0]]
    assert Proportions(0.5)([[0.5, 0.4]], np.eye(2)).tolist() == [[0.5, 0]]


def test_only_the_greatest_weights_stay() -> None:
    assert Top(Votes(), 1)([[2, 2, 1]], np.eye(3)).tolist() == [[2, 0, 0]]
    assert build("Top(Votes, 2)") == Top(Votes(), 2)
    for wrong in ("Top(KMeans, 2)", "Top(3)", "Top(count=0)", "Softmax(temperature=0)", "Nearest(metric='city')"):
        with pytest.raises(InputError):
            build(wrong)

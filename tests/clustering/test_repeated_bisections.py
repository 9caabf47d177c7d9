"""Repeated bisections and their criterion functions."""

from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from clustering.planted import planted, texts
from polyseme.clustering.criteria import criterion_value
from polyseme.clustering.repeated_bisections import RepeatedBisections
from polyseme.errors import InputError

CRITERIA = ["I1", "I2", "E1", "H1", "H2"]


def cosine(one: Any, other: Any) -> float:
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


def by_definition(rows: Any, labels: Any, criterion: str) -> float:
    """As in Zhao & Karypis (2004), with sums over pairs for I1 and over rows for I2 and E1."""
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    parts = [rows[labels == label] for label in sorted(set(labels.tolist()))]
    inner_1 = sum(float(len(part) * (part @ part.T).mean()) for part in parts)
    inner_2 = sum(cosine(row, part.mean(axis=0)) for part in parts for row in part)
    outer = sum(len(part) * cosine(part.sum(axis=0), rows.sum(axis=0)) for part in parts)
    values: dict[str, float] = {"I1": inner_1, "I2": inner_2, "E1": outer, "H1": inner_1 / outer, "H2": inner_2 / outer}
    return values[criterion]


@pytest.mark.parametrize("criterion", CRITERIA)
def test_values_are_those_of_the_definition(criterion: Any) -> None:
    rng = np.random.default_rng(0)
    rows, labels = rng.random((30, 6)), rng.integers(4, size=30)
    expected = by_definition(rows, labels, criterion)
    assert criterion_value(rows, labels, criterion) == pytest.approx(expected)
    assert criterion_value(sp.csr_array(rows), labels, criterion) == pytest.approx(expected)
    counts = rng.integers(1, 4, 30)
    repeated = by_definition(np.repeat(rows, counts, axis=0), np.repeat(labels, counts), criterion)
    assert criterion_value(rows, labels, criterion, counts.astype(float)) == pytest.approx(repeated)


def test_rows_of_no_cluster_do_not_count() -> None:
    assert criterion_value(np.eye(3), np.array([0, -1, 1])) == 2


@pytest.mark.parametrize("criterion", CRITERIA)
def test_two_clusters_are_the_best_of_all(criterion: Any) -> None:
    """All partitions of nine rows are compared."""
    for seed in range(3):
        rows = np.random.default_rng(seed).random((9, 4))
        ways = [np.array([0, *way]) for way in product([0, 1], repeat=8) if any(way)]
        values = [by_definition(rows, way, criterion) for way in ways]
        best = min(values) if criterion == "E1" else max(values)
        labels = RepeatedBisections(criterion, trials=30)(rows, 2)
        assert by_definition(rows, labels, criterion) == pytest.approx(best)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_no_single_move_improves_the_criterion(criterion: Any) -> None:
    rows, _ = texts(3, 40)
    labels = RepeatedBisections(criterion, trials=2)(rows, 4)
    sign = -1 if criterion == "E1" else 1
    value = sign * criterion_value(rows, labels, criterion)
    for row in range(40):
        for cluster in range(4):
            moved = labels.copy()
            moved[row] = cluster
            if len(set(moved.tolist())) == 4:
                assert sign * criterion_value(rows, moved, criterion) <= value + 1e-9


def test_refinement_does_not_worsen_the_criterion() -> None:
    rows, _ = planted(5, 150, noise=0.4)
    plain, better = (RepeatedBisections(trials=2, refine=refine)(rows, 6) for refine in (False, True))
    assert criterion_value(rows, better) >= criterion_value(rows, plain)


def test_without_refinement_clusters_are_nested() -> None:
    rows, _ = planted(4, 60, noise=0.3)
    nested = RepeatedBisections(trials=2, refine=False).solutions(rows, 8)
    for number, (before, after) in enumerate(pairwise(nested), start=1):
        assert after.max() == number
        assert len({*zip(before.tolist(), after.tolist(), strict=True)}) == number + 1


def test_wrong_options_are_refused() -> None:
    with pytest.raises(InputError, match="criterion is 'I3'"):
        RepeatedBisections("I3")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="trials is 0"):
        RepeatedBisections(trials=0)

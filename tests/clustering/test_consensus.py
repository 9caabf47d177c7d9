"""Consensus: rows that many clusterings put together; single rows do not take clusters of their own."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics import adjusted_rand_score

from clustering.planted import planted
from polyseme.arrays import Floats, Ints
from polyseme.clustering import consensus
from polyseme.clustering.agglomerative import Agglomerative
from polyseme.clustering.consensus import Consensus
from polyseme.errors import InputError
from polyseme.parts import build


def blurred_groups(size: int, strange: int = 6) -> tuple[Floats, list[int]]:
    """Two groups that are near each other, and a few outliers."""
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 2, size)
    rows = np.array([[1.0, 0.35], [0.35, 1.0]])[labels]
    rows = np.hstack([rows, np.zeros((size, strange))]) + rng.normal(scale=0.12, size=(size, 2 + strange))
    rows[:strange, 2:] += 1.6 * np.eye(strange)
    return rows, labels.tolist()


def test_single_rows_do_not_take_the_clusters() -> None:
    rows, labels = blurred_groups(120)
    assert adjusted_rand_score(labels[6:], Agglomerative()(rows, 5)[6:]) < 0.05
    assert adjusted_rand_score(labels[6:], Consensus()(rows, 5)[6:]) > 0.6


def test_coassociation_is_the_share_of_draws() -> None:
    rows, labels = planted(3, 30, noise=0.02)
    shares = Consensus(draws=10, fewest=3, most=3).coassociation(rows)
    assert shares.shape == (30, 30)
    assert np.array_equal(shares, shares.T)
    assert np.array_equal(shares == 1, np.equal.outer(labels, labels))


def test_samples_do_not_grow_with_the_rows() -> None:
    sizes: list[int] = []

    def count_rows(matrix: Floats, number: int | None = None, weights: Floats | None = None) -> Ints:
        sizes.append(len(matrix))
        return Agglomerative()(matrix, number, weights)

    part = Consensus(count_rows, draws=3, sample=20)
    part(planted(3, 90)[0], 3)
    part(planted(3, 15)[0], 3)
    assert sizes == [20, 20, 20, 12, 12, 12]


def test_compact_rows_have_fewer_columns_and_the_same_cosines() -> None:
    rows = np.random.default_rng(0).random((4, 50))
    rows[3] = rows[0]
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    compact = consensus._compact(unit)
    assert compact.shape == (4, 4)
    assert compact @ compact.T == pytest.approx(unit @ unit.T)
    assert compact[3].tolist() == compact[0].tolist()


def test_solutions_equal_single_calls_and_depend_on_the_seed() -> None:
    rows, _ = planted(4, 60, noise=0.5, seed=3)
    part = Consensus(draws=10)
    assert [labels.tolist() for labels in part.solutions(rows, 6)] == [part(rows, m).tolist() for m in range(1, 7)]
    assert part(rows, 6).tolist() != Consensus(draws=10, seed=1)(rows, 6).tolist()


def test_sparse_rows_are_clustered_like_dense_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, _ = blurred_groups(60)
    few = Consensus(draws=20)(sp.csr_array(rows), 4).tolist()
    monkeypatch.setattr(consensus, "COMPACTION_LIMIT", 10)
    assert Consensus(draws=20)(sp.csr_array(rows), 4).tolist() == few
    assert Consensus(draws=20)(rows, 4).tolist() == few


def test_rows_of_zeros_are_similar_only_to_each_other() -> None:
    rows = np.vstack([planted(3, 15, noise=0.02)[0], np.zeros((3, planted(3, 15)[0].shape[1]))])
    for matrix in (rows, sp.csr_array(rows)):
        labels = Consensus(draws=20, fewest=3, most=5)(matrix, 4)
        assert labels.tolist() == Agglomerative()(rows, 4).tolist()
        assert len(set(labels[15:].tolist())) == 1


def test_too_many_rows_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consensus, "ROW_LIMIT", 20)
    with pytest.raises(InputError, match="compares all pairs of 21 rows; 20 rows are the most"):
        Consensus()(np.eye(21), 2)


@pytest.mark.parametrize(
    "options", ["draws=0", "share=0", "share=2", "sample=0", "fewest=0", "fewest=6, most=5", "of=3"]
)
def test_wrong_options_are_refused(options: str) -> None:
    with pytest.raises(InputError):
        build(f"Consensus({options})")

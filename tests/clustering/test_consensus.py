"""Consensus: what stays together in many clusterings; single rows are set apart no more than they deserve."""

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


def blurred(size: int, strange: int = 6) -> tuple[Floats, list[int]]:
    """Two groups that are near each other, and some rows that are like no other."""
    draw = np.random.default_rng(1)
    labels = draw.integers(0, 2, size)
    rows = np.array([[1.0, 0.35], [0.35, 1.0]])[labels]
    rows = np.hstack([rows, np.zeros((size, strange))]) + draw.normal(scale=0.12, size=(size, 2 + strange))
    rows[:strange, 2:] += 1.6 * np.eye(strange)
    return rows, labels.tolist()


def test_single_rows_do_not_take_the_clusters() -> None:
    rows, labels = blurred(120)
    ours, theirs = (adjusted_rand_score(labels[6:], part(rows, 5)[6:]) for part in (Consensus(), Agglomerative()))
    assert theirs < 0.05
    assert ours > 0.6


def test_how_often_rows_were_together() -> None:
    rows, labels = planted(3, 30, noise=0.02)
    found = Consensus(draws=10, fewest=3, most=3).together(rows)
    assert found.shape == (30, 30)
    assert np.array_equal(found, found.T)
    assert np.array_equal(found == 1, np.equal.outer(labels, labels))


def test_samples_do_not_grow_with_the_rows() -> None:
    seen: list[int] = []

    def counting(rows: Floats, number: int) -> Ints:
        seen.append(len(rows))
        return Agglomerative()(rows, number)

    part = Consensus(counting, draws=3, sample=20)
    part(planted(3, 90)[0], 3)
    part(planted(3, 15)[0], 3)
    assert seen == [20, 20, 20, 12, 12, 12]


def test_columns_are_no_more_than_rows_and_cosines_stay() -> None:
    rows = np.random.default_rng(0).random((4, 50))
    rows[3] = rows[0]
    given = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    found = consensus._compact(given)
    assert found.shape == (4, 4)
    assert found @ found.T == pytest.approx(given @ given.T)
    assert found[3].tolist() == found[0].tolist()


def test_seeds_and_solutions() -> None:
    rows, _ = planted(4, 60, noise=0.5, seed=3)
    part = Consensus(draws=10)
    assert [labels.tolist() for labels in part.solutions(rows, 6)] == [part(rows, m).tolist() for m in range(1, 7)]
    assert part(rows, 6).tolist() != Consensus(draws=10, seed=1)(rows, 6).tolist()


def test_many_sparse_rows_are_as_few_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, _ = blurred(60)
    few = Consensus(draws=20)(sp.csr_array(rows), 4).tolist()
    monkeypatch.setattr(consensus, "COMPACTION_LIMIT", 10)
    assert Consensus(draws=20)(sp.csr_array(rows), 4).tolist() == few
    assert Consensus(draws=20)(rows, 4).tolist() == few


def test_rows_of_zeros_are_like_nothing_but_each_other() -> None:
    rows = np.vstack([planted(3, 15, noise=0.02)[0], np.zeros((3, planted(3, 15)[0].shape[1]))])
    for given in (rows, sp.csr_array(rows)):
        found = Consensus(draws=20, fewest=3, most=5)(given, 4)
        assert found.tolist() == Agglomerative()(rows, 4).tolist()
        assert len(set(found[15:].tolist())) == 1


def test_too_many_rows_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consensus, "ROW_LIMIT", 20)
    with pytest.raises(InputError, match="compares each two of 21 rows; 20 are the most"):
        Consensus()(np.eye(21), 2)


@pytest.mark.parametrize(
    "options", ["draws=0", "share=0", "share=2", "sample=0", "fewest=0", "fewest=6, most=5", "of=3"]
)
def test_what_makes_no_sense(options: str) -> None:
    with pytest.raises(InputError):
        build(f"Consensus({options})")

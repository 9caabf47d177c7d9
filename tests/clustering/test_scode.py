"""S-CODE: things that occur together come near each other."""

import importlib
from itertools import pairwise

import numpy as np
import pytest

from polyseme.arrays import Ints
from polyseme.clustering.scode import PairEmbedding, SCode, log_likelihood
from polyseme.errors import InputError


def draw_pairs(groups: int = 15, size: int = 5, count: int = 4000, seed: int = 0) -> tuple[Ints, Ints]:
    """Pairs of an x and a y, most of them from the same group."""
    rng = np.random.default_rng(seed)
    x, y = rng.integers(groups * size, size=(2, count))
    together = rng.random(count) < 0.9
    return x, np.where(together, y % size + x // size * size, y)


def test_planted_groups_come_near() -> None:
    embedding = SCode()(*draw_pairs())
    near = embedding.x @ embedding.y.T
    group = np.arange(75) // 5
    same = group[:, None] == group
    assert near[same].mean() > 0.9
    assert near[~same].mean() < 0.1
    assert (near.argmax(axis=1) // 5).tolist() == group.tolist()


def test_points_are_on_the_sphere() -> None:
    for embedding in SCode(passes=3).steps(*draw_pairs()):
        for vectors in embedding:
            np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1)
            assert vectors.shape == (75, 25)


@pytest.mark.parametrize("z", [None, 0.166])
def test_the_likelihood_rises(z: float | None) -> None:
    x, y = draw_pairs()
    values = np.array([log_likelihood(embedding, x, y, z) for embedding in SCode(passes=30).steps(x, y)])
    means = [part.mean() for part in np.array_split(values, 5)]
    assert all(before < after for before, after in pairwise(means))
    assert values[0] + 1 < values[1] < values[2] < values[3] < values[30]


def test_the_likelihood_follows_its_definition() -> None:
    x, y = draw_pairs(count=200)
    embedding = SCode(passes=2)(x, y, sizes=(75, 80))
    shares = np.bincount(x, minlength=75) / 200, np.bincount(y, minlength=80) / 200
    far = ((embedding.x[:, None] - embedding.y) ** 2).sum(axis=2)
    joint = np.outer(*shares) * np.exp(-far)
    assert log_likelihood(embedding, x, y) == pytest.approx(np.log((joint / joint.sum())[x, y]).mean())
    assert log_likelihood(embedding, x, y, 0.5) == pytest.approx(np.log((joint / 0.5)[x, y]).mean())


def test_the_same_seed_gives_the_same_embedding() -> None:
    first, again, other = (SCode(passes=2, seed=seed)(*draw_pairs()) for seed in (1, 1, 2))
    assert first.x.tolist() == again.x.tolist()
    assert first.y.tolist() == again.y.tolist()
    assert first.x.tolist() != other.x.tolist()


def test_stopping_early_is_having_fewer_passes() -> None:
    steps = list(SCode(passes=5).steps(*draw_pairs()))
    assert len(steps) == 6
    assert steps[2].x.tolist() == SCode(passes=2)(*draw_pairs()).x.tolist()


def test_one_step_follows_its_formula() -> None:
    """With a single pair, its two things are their own strangers."""
    start, after = SCode(dimensions=3, passes=1, z=0.5, eta=0.1).steps([0], [0])
    x, y = start.x[0], start.y[0]
    drive = np.exp(-((x - y) ** 2).sum()) / 0.5
    moved = x + 0.1 * ((y - x) + drive * (x - y))
    np.testing.assert_allclose(after.x[0], moved / np.linalg.norm(moved))
    moved = y + 0.1 * ((x - y) + drive * (y - x))
    np.testing.assert_allclose(after.y[0], moved / np.linalg.norm(moved))


def test_interpreted_and_compiled_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = importlib.import_module("polyseme.clustering._scode_loop")
    expected = SCode(passes=3)(*draw_pairs(count=300))
    for name in ("_move_point", "run_pass"):
        function = getattr(compiled, name)
        monkeypatch.setattr(compiled, name, getattr(function, "py_func", function))
    embedding = SCode(passes=3)(*draw_pairs(count=300))
    np.testing.assert_allclose(embedding.x, expected.x, atol=1e-9)
    np.testing.assert_allclose(embedding.y, expected.y, atol=1e-9)


def test_wrong_pairs_are_refused() -> None:
    for x, y in (([0, 1], [0]), ([-1], [0]), ([[0]], [[0]])):
        with pytest.raises(InputError, match="pairs are two columns"):
            SCode()(x, y)
    with pytest.raises(InputError, match="sizes says 1 and 9"):
        SCode()([1], [1], sizes=(1, 9))
    with pytest.raises(InputError, match="passes is -1"):
        SCode(passes=-1)


def test_no_pairs_and_no_passes_are_accepted() -> None:
    assert SCode()([], [], sizes=(2, 3)).y.shape == (3, 25)
    assert isinstance(SCode(passes=0)([0], [0]), PairEmbedding)

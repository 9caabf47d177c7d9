"""The hierarchical Dirichlet process: samples have the right distribution, and planted topics are found."""

from itertools import islice
from typing import Any

import numpy as np
import pytest

from polyseme.labelling import Labelling
from polyseme.measures.partitions import VMeasure
from polyseme.vectors._hdp_sampler import sample_topics

ROUNDS = 20_000


@pytest.fixture(scope="module")
def numba() -> Any:
    return pytest.importorskip("numba", reason="thousands of rounds take minutes without: pip install 'polyseme[fast]'")


@pytest.mark.usefixtures("numba")
@pytest.mark.parametrize("means", [(10.0, 1.0), (1.0, 5.0)])
def test_words_without_information_return_the_prior(means: tuple[float, float]) -> None:
    """With one word only, all topics are equal, and γ and α₀ are drawn from their prior, Gamma(1, 1/mean).

    The mean of the logarithm of such a number is log(mean) − 0.577, its standard deviation 1.28. Consecutive
    samples are similar, so that the mean of thousands is about as certain as that of a hundred.
    """
    rows = np.repeat(np.arange(4), 3)
    rounds = sample_topics(np.zeros(len(rows), np.intp), rows, 1, means, 0.5, seed=1)
    drawn = np.log([(each.gamma, each.alpha) for each in islice(rounds, ROUNDS)])
    assert drawn.mean(axis=0) == pytest.approx(np.log(means) - 0.577, abs=0.25)
    assert drawn.std(axis=0) == pytest.approx([1.28, 1.28], abs=0.25)


@pytest.mark.usefixtures("numba")
@pytest.mark.parametrize("gamma", [0.1, 10.0])
@pytest.mark.parametrize("topics", [2, 5, 10])
def test_planted_topics_are_found_whatever_their_number(topics: int, gamma: float) -> None:
    """Documents of forty words, four in five of their own topic; topics share no words."""
    rng = np.random.default_rng(topics)
    planted = rng.integers(topics, size=60 * topics)
    is_own = rng.random((len(planted), 40)) < 0.8
    token_topics = np.where(is_own, planted[:, None], rng.integers(topics, size=(len(planted), 40)))
    tokens = (token_topics * 20 + rng.integers(20, size=token_topics.shape)).ravel()
    rows = np.repeat(np.arange(len(planted)), 40)
    last = next(islice(sample_topics(tokens, rows, 20 * topics, (gamma, 1.0), 0.5, seed=0), 199, None))
    large = np.flatnonzero(last.total > 0.01 * last.total.sum())
    assert len(large) == topics
    owner = last.words[:, tokens].argmax(axis=0)
    main = [np.bincount(owner[rows == row]).argmax() for row in range(len(planted))]
    names = [f"u{number}" for number in range(len(planted))]
    gold, system = (Labelling.hard(names, [f"t{one}" for one in each], lemma="x") for each in (planted, main))
    assert VMeasure()(gold, system).figure() > 0.95


def test_samples_depend_on_the_seed() -> None:
    tokens, rows = np.arange(30) % 5, np.repeat(np.arange(10), 3)
    first, again, other = (
        [each.words.tolist() for each in islice(sample_topics(tokens, rows, 5, (10.0, 1.0), 0.5, seed), 5)]
        for seed in (1, 1, 2)
    )
    assert first == again != other


def test_room_grows_with_the_topics(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polyseme.vectors._hdp_sampler.INITIAL_ROOM", 1)
    tokens, rows = np.arange(40) % 4, np.repeat(np.arange(10), 4)
    last = next(islice(sample_topics(tokens, rows, 4, (10.0, 5.0), 0.1, seed=0), 9, None))
    assert last.total.sum() == last.words.sum() == 40
    assert len(last.total) > 1

"""Is a difference real?"""

import numpy as np
import pytest
import scipy.stats

from polyseme.errors import InputError
from polyseme.labelling import Labelling
from polyseme.scores import Scores
from polyseme.tasks.comparison import bootstrap_scores, compare_results, percentile_interval, randomise_scores
from polyseme.tasks.protocols import semeval_2013
from polyseme.tasks.result import TaskResult

LEMMAS = [f"l{number}" for number in range(40)]


def lemma_scores(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Scores:
    return Scores.of_lemmas("V()", LEMMAS[: len(values)], values)


def test_intervals_contain_the_truth_about_as_often_as_they_say() -> None:
    rng = np.random.default_rng(1)
    inside = 0
    for run in range(200):
        values = rng.beta(2, 3, size=40)
        low, high = percentile_interval(bootstrap_scores(lemma_scores(values), LEMMAS, samples=400, seed=run)["score"])
        inside += low <= 0.4 <= high
    assert 0.89 < inside / 200 < 0.99


def test_p_is_uniform_when_the_systems_are_alike() -> None:
    rng = np.random.default_rng(2)
    found = []
    for run in range(200):
        first, second = (lemma_scores(rng.random(25)) for _ in range(2))
        found.append(randomise_scores(first, second, LEMMAS[:25], samples=400, seed=run)["score"])
    assert scipy.stats.kstest(found, "uniform").pvalue > 0.01


def test_p_is_small_when_they_differ() -> None:
    values = np.random.default_rng(3).random(40)
    first, second = lemma_scores(values), lemma_scores(values + 0.1)
    assert randomise_scores(first, second, LEMMAS, samples=1000, seed=0) == {"score": pytest.approx(1 / 1001)}
    assert randomise_scores(first, first, LEMMAS, samples=1000, seed=0) == {"score": 1.0}


def test_p_by_hand() -> None:
    """Two lemmas can be swapped in four ways, of which half leave a difference as large."""
    first, second = lemma_scores(np.array([0.0, 0.0])), lemma_scores(np.array([0.4, 0.2]))
    assert randomise_scores(first, second, LEMMAS[:2], samples=4000, seed=0)["score"] == pytest.approx(0.5, abs=0.03)


def test_an_undefined_difference_is_not_significant() -> None:
    nothing = lemma_scores(np.full(10, np.nan))
    assert not randomise_scores(nothing, nothing, LEMMAS[:10], samples=100, seed=0)["score"] < 0.05


def test_the_interval_of_nothing() -> None:
    assert all(np.isnan(percentile_interval(np.array([np.nan, np.nan]))))
    assert percentile_interval(np.array([1.0, np.nan, 1.0])) == (1.0, 1.0)


def results() -> tuple[TaskResult, TaskResult]:
    rng = np.random.default_rng(4)
    rows = [(lemma, f"{lemma}.{number}") for lemma in LEMMAS[:6] for number in range(10)]
    gold = Labelling((lemma, usage, {"ab"[int(rng.integers(2))]: 1.0}) for lemma, usage in rows)
    better = Labelling((lemma, usage, {next(iter(gold[usage])): 1.0, "c": 0.2}) for lemma, usage in rows)
    worse = Labelling((lemma, usage, {"ab"[int(rng.integers(2))]: 1.0}) for lemma, usage in rows)
    return semeval_2013(gold, worse), semeval_2013(gold, better)


def test_every_figure_is_compared() -> None:
    worse, better = results()
    rows = compare_results(worse, better, samples=300)
    assert [row.figure for row in rows] == list(worse.figures())[:-1]
    for row in rows:
        assert row.first == worse.figures()[row.figure]
        assert row.second == better.figures()[row.figure]
        assert row.difference == pytest.approx(row.second - row.first)
        assert row.interval[0] - 1e-9 <= row.difference <= row.interval[1] + 1e-9
        assert row.first_interval[0] - 1e-9 <= row.first <= row.first_interval[1] + 1e-9
        assert 0 < row.p <= 1
    assert {row.figure: row for row in rows}["fuzzy_nmi"].p < 0.1


def test_it_is_the_same_every_time() -> None:
    worse, better = results()
    assert compare_results(worse, better, samples=200) == compare_results(worse, better, samples=200)
    assert compare_results(worse, better, samples=200) != compare_results(worse, better, samples=200, seed=1)


def test_a_wider_interval_for_more_confidence() -> None:
    worse, better = results()
    for narrow, wide in zip(
        *(compare_results(worse, better, samples=300, confidence=c) for c in (0.8, 0.99)), strict=True
    ):
        assert wide.interval[0] <= narrow.interval[0] <= narrow.interval[1] <= wide.interval[1]


def test_a_system_is_no_different_from_itself() -> None:
    worse, _ = results()
    for row in compare_results(worse, worse, samples=100):
        assert (row.difference, row.interval, row.p) == (0, (0, 0), 1)


def test_one_lemma_is_too_few() -> None:
    gold = Labelling.hard(["u1", "u2"], list("ab"), lemma="x")
    result = semeval_2013(gold, gold)
    with pytest.raises(InputError, match="only 1 lemma"):
        compare_results(result, result)

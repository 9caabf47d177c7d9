"""The comparison of two systems."""

import numpy as np
import pytest
import scipy.stats

from polyseme.arrays import Floats
from polyseme.errors import InputError
from polyseme.labelling import Labelling
from polyseme.scores import Scores
from polyseme.tasks.comparison import compare_results
from polyseme.tasks.resampling import AdditiveFigure, bootstrap, percentile_interval, randomisation_test
from polyseme.tasks.result import TaskResult
from polyseme.tasks.semeval_2013 import SemEval2013

LEMMAS = [f"l{number}" for number in range(40)]


def make_figure(values: Floats) -> AdditiveFigure:
    lemmas = LEMMAS[: len(values)]
    result = TaskResult({"v": Scores.from_lemmas("V()", lemmas, values)})
    figure = AdditiveFigure.from_results([result], "v", lemmas)
    assert figure is not None
    return figure


def compute_p(first: Floats, second: Floats, *, samples: int, seed: int = 0) -> float:
    pair = (make_figure(first), make_figure(second))
    (p,) = randomisation_test([pair], len(first), samples=samples, seed=seed)
    return p


def test_intervals_contain_the_truth_about_as_often_as_they_say() -> None:
    rng = np.random.default_rng(1)
    inside = 0
    for run in range(200):
        values = rng.beta(2, 3, size=40)
        (resamples,) = bootstrap([make_figure(values)], len(LEMMAS), samples=400, seed=run)
        low, high = percentile_interval(resamples)
        inside += low <= 0.4 <= high
    assert 0.89 < inside / 200 < 0.99


def test_p_is_uniform_for_equal_systems() -> None:
    rng = np.random.default_rng(2)
    p = [compute_p(rng.random(25), rng.random(25), samples=400, seed=run) for run in range(200)]
    assert scipy.stats.kstest(p, "uniform").pvalue > 0.01


def test_p_is_small_for_different_systems() -> None:
    values = np.random.default_rng(3).random(40)
    assert compute_p(values, values + 0.1, samples=1000) == pytest.approx(1 / 1001)
    assert compute_p(values, values, samples=1000) == 1.0


def test_p_of_two_lemmas_is_as_computed_by_hand() -> None:
    """Two lemmas can be swapped in four ways, of which half leave a difference as large."""
    p = compute_p(np.array([0.0, 0.0]), np.array([0.4, 0.2]), samples=4000)
    assert p == pytest.approx(0.5, abs=0.03)


def test_an_undefined_difference_is_not_significant() -> None:
    undefined = np.full(10, np.nan)
    assert not compute_p(undefined, undefined, samples=100) < 0.05


def test_undefined_values_are_left_out_of_an_interval() -> None:
    assert all(np.isnan(percentile_interval(np.array([np.nan, np.nan]))))
    assert percentile_interval(np.array([1.0, np.nan, 1.0])) == (1.0, 1.0)


def make_results() -> tuple[TaskResult, TaskResult]:
    rng = np.random.default_rng(4)
    rows = [(lemma, f"{lemma}.{number}") for lemma in LEMMAS[:6] for number in range(10)]
    gold = Labelling((lemma, usage, {"ab"[int(rng.integers(2))]: 1.0}) for lemma, usage in rows)
    better = Labelling((lemma, usage, {next(iter(gold[usage])): 1.0, "c": 0.2}) for lemma, usage in rows)
    worse = Labelling((lemma, usage, {"ab"[int(rng.integers(2))]: 1.0}) for lemma, usage in rows)
    return SemEval2013().score(gold, worse), SemEval2013().score(gold, better)


def test_every_figure_is_compared() -> None:
    worse, better = make_results()
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


def test_geometric_means_are_compared_like_other_figures() -> None:
    results = make_results()
    average = next(column for column in SemEval2013.columns if column.heading == "AVG")
    *rows, row = compare_results(*results, averages=[average], samples=300)
    assert rows == compare_results(*results, samples=300)
    assert (row.figure, row.first, row.second) == ("AVG", *(average.cell(result.figures()) for result in results))
    assert row.interval[0] <= row.difference <= row.interval[1]
    assert row.p < 0.1


def test_a_seed_gives_the_same_comparison_every_time() -> None:
    worse, better = make_results()
    assert compare_results(worse, better, samples=200) == compare_results(worse, better, samples=200)
    assert compare_results(worse, better, samples=200) != compare_results(worse, better, samples=200, seed=1)


def test_more_confidence_gives_wider_intervals() -> None:
    worse, better = make_results()
    for narrow, wide in zip(
        *(compare_results(worse, better, samples=300, confidence=c) for c in (0.8, 0.99)), strict=True
    ):
        assert wide.interval[0] <= narrow.interval[0] <= narrow.interval[1] <= wide.interval[1]


def test_a_system_does_not_differ_from_itself() -> None:
    worse, _ = make_results()
    for row in compare_results(worse, worse, samples=100):
        assert (row.difference, row.interval, row.p) == (0, (0, 0), 1)


def test_one_lemma_is_too_few_for_intervals() -> None:
    gold = Labelling.hard(["u1", "u2"], list("ab"), lemma="x")
    result = SemEval2013().score(gold, gold)
    with pytest.raises(InputError, match="only 1 lemma"):
        compare_results(result, result)

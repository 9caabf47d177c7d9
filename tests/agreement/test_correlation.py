"""Spearman's ρ between annotators."""

import math
import warnings
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from agreement.tables import Matrix, judged, random_table
from polyseme import load
from polyseme.agreement import correlation
from polyseme.agreement.correlation import correlate_annotators, correlate_with_others
from polyseme.agreement.judgements import collect_judgements
from polyseme.rating import Ratings
from polyseme.wordnet import WordNet


def theirs(first: Matrix, second: Matrix) -> tuple[float, float, int]:
    """ρ, p and the number of items by scipy, on the rows that both have."""
    both = ~np.isnan(first) & ~np.isnan(second)
    with warnings.catch_warnings(action="ignore"):
        result = spearmanr(first[both], second[both])
    return float(result.statistic), float(result.pvalue), int(both.sum())


@pytest.mark.parametrize("levels", [2, 5, 12, 13, 500])
@pytest.mark.parametrize("room, dense", [(1 << 23, 200), (1 << 23, 0), (100, 1e9)])
def test_pairs_as_scipy_says(levels: int, room: int, dense: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(correlation, "MAX_TABLE_CELLS", room)
    monkeypatch.setattr(correlation, "DENSE_SPEED_UP", dense)
    table = random_table(levels, levels)
    result = correlate_annotators(judged(table))
    for pair in result:
        rho, p, items = theirs(*(table[:, int(name[1:])] for name in (pair.first, pair.second)))
        assert (pair.value, pair.p, pair.items) == pytest.approx((rho, p, items), abs=1e-12)
        assert pair.reason == ""
    assert result.mean.value == pytest.approx(np.mean([pair.value for pair in result]))
    assert (result.defined, len(result)) == (15, 15)


@pytest.mark.parametrize("levels", [5, 50])
def test_each_against_the_mean_of_the_others_as_scipy_says(levels: int) -> None:
    table = random_table(3, levels)
    for name, result in correlate_with_others(judged(table)).items():
        who = int(name[1:])
        with warnings.catch_warnings(action="ignore"):
            others = np.nanmean(np.delete(table, who, axis=1), axis=1)
        assert result[:3] == pytest.approx(theirs(table[:, who], others), abs=1e-12)


def test_the_mean_without_each() -> None:
    table = random_table(4)
    result = correlate_annotators(judged(table))
    for name, value in zip(result.annotators, result.means_without_annotators().tolist(), strict=True):
        rest = correlate_annotators(judged(np.delete(table, int(name[1:]), axis=1)))
        assert value == pytest.approx(rest.mean.value, abs=1e-12)


def test_ratings_of_wssim(wordnet_30: WordNet, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Published is .504 for 430 usages, of which 400 are here, and .47 to .54 for the pairs; all p < .001."""
    monkeypatch.setenv("POLYSEME_DATA", str(data))
    judgements = collect_judgements(load("semeval-2013-task-13-trial").ratings.complete(wordnet_30))
    result, table = correlate_annotators(judgements), judgements.matrix()
    assert result.mean.value == pytest.approx(0.499, abs=5e-4)
    for pair in result:
        columns = (table[:, judgements.annotators.index(name)] for name in (pair.first, pair.second))
        assert (pair.value, pair.p, pair.items) == pytest.approx(theirs(*columns), abs=1e-12)
        assert pair.p < 0.001
    assert min(each.rho for each in correlate_with_others(judgements).values()) == pytest.approx(0.558, abs=5e-4)


# -- what is undefined ---------------------------------------------------------------------------------------------


def test_undefined_pairs_say_why() -> None:
    nan = math.nan
    table = [
        [1, 3, nan, 1, 1],
        [2, 3, nan, nan, 2],
        [4, 3, nan, nan, nan],
        [nan, nan, 2, nan, nan],
        [nan, nan, 4, 2, nan],
    ]
    result = correlate_annotators(judged(table))
    reasons = {(pair.first, pair.second): pair.reason for pair in result}
    assert reasons["p0", "p1"] == "p1 gave the same value to all 3 items in common with p0"
    assert reasons["p0", "p2"] == "p0 and p2 judged no item in common"
    assert reasons["p0", "p3"] == "p0 and p3 judged only 1 item in common"
    assert reasons["p0", "p4"] == "p0 and p4 judged only 2 items in common, too few for a p-value"
    assert result.pair("p0", "p4").value == 1
    assert math.isnan(result.pair("p0", "p4").p)
    assert (result.defined, result.mean.value) == (1, 1)
    others = correlate_with_others(judged(table))
    assert others["p1"].reason == "p1 gave the same value to all 3 items that another annotator judged too"
    assert others["p2"].reason == "p2 judged only 1 item that another annotator judged too"
    assert others["p3"].reason == "p3 judged only 2 items that another annotator judged too, too few for a p-value"


def test_others_who_all_say_the_same() -> None:
    result = correlate_with_others(judged([[1, 3], [2, 3], [5, 3]]))
    assert result["p0"].reason == "the others gave the same value on average to all 3 items that p0 judged"


@pytest.mark.parametrize("table", [[[1.0, 2.0]], [[3.0, 3.0], [3.0, 3.0], [3.0, 3.0]], [[1.0], [2.0]]])
def test_one_item_one_annotator_or_always_the_same(table: list[list[float]]) -> None:
    result = correlate_annotators(judged(table))
    assert math.isnan(result.mean.value)
    assert result.mean.reason
    assert np.isnan(result.annotator_means()).all()
    assert np.isnan(result.means_without_annotators()).all()
    assert all(each.reason for each in correlate_with_others(judged(table)).values())


def test_nothing() -> None:
    result = correlate_annotators(collect_judgements(Ratings([])))
    assert (list(result), result.mean.reason) == ([], "there are no two annotators to compare")
    assert correlate_with_others(collect_judgements(Ratings([]))) == {}


def test_perfect_agreement_and_its_reverse() -> None:
    result = correlate_annotators(judged([[1, 1, 5], [2, 2, 4], [2, 2, 4], [5, 5, 1]]))
    assert result.pair("p0", "p1")[2:4] == (1, 0)
    assert result.pair("p0", "p2")[2:4] == (-1, 0)

"""Correlations between senses, and the graph of those that are related."""

import math
from collections.abc import Mapping

import numpy as np
import pytest
from scipy.stats import spearmanr

from polyseme.agreement.correlation import Correlation
from polyseme.agreement.related_senses import (
    SensePair,
    build_sense_graph,
    correlate_senses,
    correlation_histogram,
    lay_out_senses,
)
from polyseme.agreement.sense_ratings import average_sense_ratings
from polyseme.errors import InputError
from polyseme.rating import UNDECIDED, Rating, Ratings

COLUMNS = {"a": (5, 4, 3, 1, 1), "b": (4, 5, 3, 2, 1), "c": (1, 1, 3, 4, 5), "d": (2, 2, 2, 2, 2), "e": (1, 2, 1, 2, 1)}


def ratings(*people: Mapping[str, tuple[float, ...]]) -> Ratings:
    """By several annotators, each with the ratings of senses over usages."""
    return Ratings(
        Rating(f"annotator {number}", "WSsim", "x.n", str(usage), sense, value)
        for number, columns in enumerate(people)
        for sense, values in columns.items()
        for usage, value in enumerate(values)
    )


def test_means_of_annotators() -> None:
    other = {"a": (3, 2, 3, 1, UNDECIDED)}
    result = average_sense_ratings(ratings(COLUMNS, other))["x.n"]
    assert result.senses == tuple("abcde")
    assert result.means[:, 0].tolist() == [4, 3, 3, 1, 1], "who cannot decide is left out of the mean"
    assert result.unrated == 0
    assert average_sense_ratings(ratings({"a": (1, 2)}, {"b": (1,)}))["x.n"].unrated == 1


def test_only_ratings_of_senses() -> None:
    with pytest.raises(InputError, match="the ratings are of Usim; ratings of senses"):
        average_sense_ratings(Ratings([Rating("ann", "Usim", "x.n", "1", "2", 3)]))


def test_as_scipy_says() -> None:
    result = {(pair.first, pair.second): pair.correlation for pair in correlate_senses(ratings(COLUMNS))}
    assert len(result) == 10
    for (one, other), ours in result.items():
        if "d" in (one, other):
            assert math.isnan(ours.rho)
            assert ours.reason == "d has the same value for all 5 items, so there is nothing to rank"
        else:
            expected = spearmanr(COLUMNS[one], COLUMNS[other])
            assert ours[:2] == pytest.approx((expected.statistic, expected.pvalue))
            assert ours[2:] == (5, "")


def test_a_histogram_counts_every_pair_once() -> None:
    result = correlation_histogram(correlate_senses(ratings(COLUMNS)), bars=10)
    assert sum(bar.pairs for bar in result.bars) + result.undefined == 10
    assert result.undefined == 4
    assert (result.bars[0].low, result.bars[-1].high) == (-1.0, 1.0)
    same = correlation_histogram(correlate_senses(ratings({"a": (1, 2, 3), "b": (1, 2, 3), "c": (3, 2, 1)})), bars=2)
    assert [bar.pairs for bar in same.bars] == [2, 1]
    assert (same.negative, same.positive) == (2, 1)


def test_the_graph_has_what_is_related_at_the_cut_off() -> None:
    pairs = correlate_senses(ratings(COLUMNS))
    graph = build_sense_graph(pairs, "x.n")
    assert [(edge.first, edge.second) for edge in graph.edges] == [("a", "b")]
    assert list(graph.positions) == ["a", "b"]
    assert graph.alone == ("c", "d", "e")
    assert build_sense_graph(pairs, "x.n", 0.99).positions == {}
    assert len(build_sense_graph(pairs, "x.n", -1).edges) == 6, "all but those without a correlation"
    with pytest.raises(InputError, match=r"no two senses of 'y.n' were rated; there are pairs of senses of: x.n"):
        build_sense_graph(pairs, "y.n")


def related(first: str, second: str, rho: float) -> SensePair:
    return SensePair("x.n", first, second, Correlation(rho, 0.0, 10))


def test_related_senses_are_drawn_near_and_none_on_another() -> None:
    """Two triangles: each sense lies nearer to its own than to the others."""
    senses = tuple("abcdef")
    edges = [related(one, other, 0.8) for one, other in ("ad", "af", "df", "be", "bc", "ce")]
    place = lay_out_senses(senses, edges)
    assert np.array_equal(place, lay_out_senses(senses, edges)), "the same graph is drawn the same way"
    assert np.abs(place).max() == 1
    distance = np.linalg.norm(place[:, None] - place, axis=2)
    joined = {tuple(sorted((edge.first, edge.second))) for edge in edges}
    near = [distance[i, j] for i in range(6) for j in range(i) if (senses[j], senses[i]) in joined]
    far = [distance[i, j] for i in range(6) for j in range(i) if (senses[j], senses[i]) not in joined]
    assert max(near) < min(far)
    assert min(near) > 0.1


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_senses(count: int) -> None:
    senses = tuple("ab"[:count])
    place = lay_out_senses(senses, [related("a", "b", 1.0)] if count == 2 else [])
    assert place.shape == (count, 2)
    assert np.isfinite(place).all()

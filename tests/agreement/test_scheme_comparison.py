"""One table for all schemes: annotators, means, distances, substitutes and models."""

import math
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.distance import euclidean
from scipy.stats import spearmanr

import polyseme
from polyseme.agreement.scheme_comparison import (
    DISTANCE,
    OVERLAP,
    TAGS,
    USIM,
    WSSIM_MEAN,
    compute_substitute_overlaps,
    tabulate_usage_pairs,
    tabulate_usage_senses,
)
from polyseme.errors import InputError
from polyseme.labelling import Labelling
from polyseme.rating import UNDECIDED, Item, Rating, Ratings
from polyseme.tasks.usim import Usim
from polyseme.usage import UsagePair

VECTORS = {"1": (5, 1, 1), "2": (4, 2, 1), "3": (1, 5, 3), "4": (2, 5, 5)}


def wssim(**people: Mapping[str, tuple[float, ...]]) -> Ratings:
    """Ratings of senses a, b, c of one lemma."""
    return Ratings(
        Rating(who, "WSsim", "x.n", usage, sense, value)
        for who, usages in people.items()
        for usage, values in usages.items()
        for sense, value in zip("abc", values, strict=True)
    )


def pairs() -> list[UsagePair]:
    """Usim goes down as the vectors lie apart."""
    return [UsagePair("x.n", a, b, 6 - euclidean(VECTORS[a], VECTORS[b]) / 2) for a, b in combinations("1234", 2)]


# -- usages --------------------------------------------------------------------------------------------------------


def test_distance_of_sense_vectors_is_that_of_scipy() -> None:
    table = tabulate_usage_pairs(pairs(), wssim=wssim(ann=VECTORS))
    expected = [euclidean(VECTORS[a], VECTORS[b]) for a, b in combinations("1234", 2)]
    assert table.columns[DISTANCE] == pytest.approx(expected)
    result = table.correlation(USIM, DISTANCE)
    assert (round(result.rho, 9), result.items, result.reason) == (-1.0, 6, "")


def test_without_usim_all_pairs_that_were_rated() -> None:
    other = {usage: tuple(6 - value for value in values) for usage, values in VECTORS.items()}
    table = tabulate_usage_pairs(
        wssim=wssim(ann=VECTORS, bob=other), substitutes=Labelling.hard("1234", "sstt", lemma="x.n")
    )
    assert len(table.items) == 6
    assert table.names == (DISTANCE, OVERLAP)
    assert table.columns[DISTANCE].tolist() == [0.0] * 6, "opposite ratings have the same mean everywhere"
    with pytest.raises(InputError, match="there are no pairs of usages; pass ratings of Usim"):
        tabulate_usage_pairs()


def test_a_usage_that_was_not_rated_for_all_senses_has_no_distance() -> None:
    incomplete = Ratings(row for row in wssim(ann=VECTORS) if (row.usage, row.target) != ("4", "c"))
    table = tabulate_usage_pairs([*pairs(), UsagePair("x.n", "1", "9", 3.0)], wssim=incomplete)
    assert table.missing(DISTANCE) == 4, "the three pairs of usage 4, and the one with a usage that nobody rated"
    assert table.correlation(USIM, DISTANCE).items == 3


@pytest.mark.parametrize(
    "one, other, expected",
    [
        ({"a": 2, "b": 1}, {"a": 2, "b": 1}, 1.0),
        ({"a": 3, "b": 1}, {"a": 2, "c": 1}, 2 / 4),
        ({"a": 1, "b": 1}, {"a": 5}, 1 / 5),
        ({"a": 2}, {"b": 2}, 0.0),
        ({"a": 1}, {"a": 2}, math.nan),
    ],
)
def test_overlap_of_substitutes(one: dict[str, float], other: dict[str, float], expected: float) -> None:
    """Σ min / max; a usage with a single substitute is left out."""
    labelling = Labelling.from_dict({"1": one, "2": other}, lemma="x.n")
    result = compute_substitute_overlaps([Item("Usim", "x.n", "1", "2")], labelling).tolist()
    assert result == pytest.approx([expected], nan_ok=True)


def test_substitutes_go_with_usim_and_against_distance() -> None:
    substitutes = {"1": {"s": 3}, "2": {"s": 2, "t": 1}, "3": {"t": 1, "u": 2}, "4": {"u": 3}}
    labelling = Labelling.from_dict(substitutes, lemma="x.n")
    table = tabulate_usage_pairs(pairs(), wssim=wssim(ann=VECTORS), substitutes=labelling)
    assert table.correlation(OVERLAP, USIM).rho > 0
    assert table.correlation(OVERLAP, DISTANCE).rho == pytest.approx(-table.correlation(OVERLAP, USIM).rho)


def test_a_model_is_one_more_annotator() -> None:
    """Its column correlates with Usim as ``polyseme score usim`` says."""
    model = Labelling.from_dict({"1": {"m": 2, "n": 1}, "2": {"m": 1}, "3": {"n": 1}}, lemma="x.n")
    table = tabulate_usage_pairs(pairs(), labellings={"model": model})
    assert table.missing("model") == 3
    scores = Usim().score(pairs(), model)
    assert table.correlation(USIM, "model").rho == pytest.approx(scores.pooled)
    assert table.correlation(USIM, "model").items == scores.pairs == 3


def test_annotators_of_usim_and_their_mean() -> None:
    values = {"ann": (5, 4, 1, 2), "bob": (4, 4, 2, UNDECIDED), "eve": (1, 2, 5, 4)}
    rows = [
        Rating(who, "Usim", "x.n", "0", str(number), value)
        for who, labelling in values.items()
        for number, value in enumerate(labelling, 1)
    ]
    table = tabulate_usage_pairs(Ratings(rows))
    assert table.names == ("ann", "bob", "eve", USIM)
    assert table.correlation("ann", "eve").rho == pytest.approx(spearmanr(values["ann"], values["eve"]).statistic)
    assert table.correlation("ann", "bob").items == 3
    mine = table.correlation("ann", USIM)
    assert math.isnan(mine.rho)
    assert mine.reason == "Usim is a mean that ann is part of; compare ann with the mean of the others"
    assert len(table.correlations()) == 6


def test_what_cannot_be_correlated_says_why() -> None:
    same = Labelling.hard("1234", "aaaa", lemma="x.n")
    table = tabulate_usage_pairs(
        pairs(), labellings={"one sense": same, "others": Labelling.hard(["8", "9"], "ab", lemma="y")}
    )
    assert table.correlation(USIM, "one sense").reason == (
        "one sense has the same value for all 6 items, so there is nothing to rank"
    )
    assert table.correlation(USIM, "others").reason == "Usim and others have no item in common"
    two = tabulate_usage_pairs(pairs()[:2]).with_columns({"two": np.array([1.0, 2.0])})
    assert two.correlation(USIM, "two").reason == "Usim and two have only 2 in common; a correlation needs 3 items"


def test_names_must_differ_and_be_there() -> None:
    with pytest.raises(InputError, match="there is a column 'Usim' already"):
        tabulate_usage_pairs(pairs(), labellings={"Usim": Labelling.hard("12", "aa", lemma="x.n")})
    with pytest.raises(InputError, match="no column 'nobody'; there are Usim"):
        tabulate_usage_pairs(pairs()).correlation("nobody", USIM)
    with pytest.raises(InputError, match="the labelling is empty"):
        tabulate_usage_pairs(pairs(), labellings={"empty": Labelling()})
    with pytest.raises(InputError, match="the ratings are of WSsim; ratings of Usim are needed"):
        tabulate_usage_pairs(wssim(ann=VECTORS))


def test_by_lemma() -> None:
    labelling = [*pairs(), UsagePair("y.n", "8", "9", 2.0)]
    parts = tabulate_usage_pairs(labelling).broken_down()
    assert {name: len(part.items) for name, part in parts.items()} == {"x.n": 6, "y.n": 1}


# -- senses --------------------------------------------------------------------------------------------------------


def test_single_sense_tags_as_ratings() -> None:
    """5 where a sense is assigned, 1 elsewhere; a usage without a tag is left out."""
    tags = Labelling.from_dict({"1": {"a": 1}, "2": {"a": 1, "b": 1}, "3": {"b": 1}}, lemma="x.n")
    table = tabulate_usage_senses(wssim(ann=VECTORS), tags=tags)
    assert table.columns[TAGS].tolist()[:9] == [5, 1, 1, 5, 5, 1, 1, 5, 1]
    assert table.missing(TAGS) == 3
    rated = [value for usage in "123" for value in VECTORS[usage]]
    result = table.correlation(WSSIM_MEAN, TAGS)
    expected = spearmanr(rated, table.columns[TAGS][:9])
    assert (result.rho, result.p) == pytest.approx((expected.statistic, expected.pvalue))
    assert result.items == 9


def test_a_model_of_the_dictionary_beside_annotators() -> None:
    model = Labelling.from_dict({"1": {"a": 0.9, "b": 0.1}, "3": {"b": 0.7, "c": 0.3}}, lemma="x.n")
    other = {usage: tuple(6 - value for value in values) for usage, values in VECTORS.items()}
    table = tabulate_usage_senses(wssim(ann=VECTORS, bob=other), labellings={"model": model})
    assert table.names == ("ann", "bob", WSSIM_MEAN, "model")
    assert table.columns["model"][:3].tolist() == [0.9, 0.1, 0.0]
    assert table.missing("model") == 6
    assert table.correlation("ann", "model").rho == pytest.approx(-table.correlation("bob", "model").rho)


# -- the public data -----------------------------------------------------------------------------------------------


def test_substitutes_of_lexsub_and_averages_of_usim(data: Path) -> None:
    labelling = polyseme.load("lexsub", data=data).substitutes
    table = tabulate_usage_pairs(polyseme.load("usim", data=data).pairs, substitutes=labelling)
    result = table.correlation(OVERLAP, USIM)
    assert (round(result.rho, 4), result.items, table.missing(OVERLAP)) == (0.7439, 1125, 8)

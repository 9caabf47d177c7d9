"""Mean Usim within and across groups."""

import math
from pathlib import Path

import pytest

import polyseme
from polyseme.agreement.group_similarity import compare_group_similarity
from polyseme.agreement.sense_groups import SenseGrouping
from polyseme.labelling import Labelling
from polyseme.tasks.usim import Usim
from polyseme.usage import UsagePair

SENSES = Labelling(
    [
        *(("x.n", f"x{number}", {sense: 1.0, "other": 0.1}) for number, sense in enumerate("aabbc")),
        *(("y.n", f"y{number}", {sense: 1.0}) for number, sense in enumerate("pq")),
    ]
)
GROUPS = SenseGrouping.from_dict({"a": "1", "b": "1", "c": "2", "p": "3"})
VALUES = {("x0", "x1"): 5, ("x0", "x2"): 2, ("x0", "x4"): 4, ("x1", "x2"): 1, ("x2", "x3"): 4, ("x3", "x4"): 2}
VALUES |= {("y0", "y1"): 3}
PAIRS = [UsagePair(f"{first[0]}.n", first, second, value) for (first, second), value in VALUES.items()]


def test_by_sense() -> None:
    similarity = compare_group_similarity(PAIRS, SENSES)
    assert similarity.overall == ("all", 4.5, 2, 2.4, 5)
    assert [(each.lemma, each.group, each.usages, each.mean) for each in similarity.groups] == [
        ("x.n", "b", 2, 4.0),
        ("x.n", "a", 2, 5.0),
    ]
    assert similarity.alone == 3, "c, p and q have one usage each"


def test_by_group_of_senses() -> None:
    similarity = compare_group_similarity(PAIRS, SENSES, GROUPS)
    assert similarity.left_out == 1, "q is in no group"
    assert similarity.overall == ("all", 3.0, 4, 3.0, 2)
    (group,) = similarity.groups
    assert (group.group, group.usages, group.pairs, group.mean) == ("1", 4, 4, 3.0)
    assert [pair.similarity for pair in group.least_similar] == [1, 2, 4]
    (between,) = similarity.neighbours
    assert (between.first, between.second, between.mean) == ("1", "2", 3.0)
    assert between.most_similar[0].similarity == 4
    assert similarity.share_above(2.5) == 1
    assert similarity.share_above(3) == 0


def test_what_to_revise_comes_first() -> None:
    """Groups least alike, neighbours most alike, lemmas with the smallest difference; undefined ones last."""
    similarity = compare_group_similarity(PAIRS, SENSES)
    assert [each.name for each in similarity.lemmas] == ["x.n", "y.n"]
    last = similarity.lemmas[-1]
    assert math.isnan(last.within)
    assert last.reason == "no pair of usages within one group"
    means = [each.mean for each in similarity.neighbours]
    assert means == sorted(means, reverse=True)


def test_nothing_to_compare() -> None:
    similarity = compare_group_similarity(PAIRS, Labelling.hard(["z"], ["a"], lemma="z.n"))
    assert similarity.left_out == len(PAIRS)
    assert math.isnan(similarity.overall.within)
    assert math.isnan(similarity.share_above(4))


def test_as_usim_scores(data: Path) -> None:
    """Within and across are those of ``polyseme score usim``; the labelling is of the first substitutes."""
    pairs = polyseme.load("usim", data=data).pairs
    substitutes = polyseme.load("lexsub", data=data).substitutes
    similarity, scores = compare_group_similarity(pairs, substitutes), Usim().score(pairs, substitutes)
    assert (similarity.overall.within, similarity.overall.across) == pytest.approx((scores.within, scores.across))
    assert similarity.left_out == scores.left_out

"""Ratings of pairs of usages become clusters."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from polyseme.datasets import load
from polyseme.errors import InputError, InputWarning
from polyseme.gold import GradedResponse, UsageClusters
from polyseme.gold.record import clusters_from_pairs
from polyseme.parts import build
from polyseme.rating import UNDECIDED, Rating, Ratings
from polyseme.usage import UsagePair


def rate_pairs(*pairs: tuple[str, str, float], lemma: str = "win", name: str = "ann") -> list[Rating]:
    return [Rating(name, "Usim", lemma, one, two, value) for one, two, value in pairs]


def draw_planted_ratings(people: int = 3, sizes: tuple[int, ...] = (6, 4, 2)) -> Ratings:
    """Rate all pairs of usages from 1 to 4: high within a sense, low across, with some noise."""
    random = np.random.default_rng(0)
    sense = [number for number, size in enumerate(sizes) for _ in range(size)]
    return Ratings(
        Rating(
            f"p{name}", "Usim", "win", f"u{one:02}", f"u{two:02}", float(draw_rating(sense[one] == sense[two], random))
        )
        for one, two in combinations(range(len(sense)), 2)
        for name in range(people)
    )


def draw_rating(same: bool, random: np.random.Generator) -> int:
    return int((4 if same else 1) + (-1 if same else 1) * (random.random() < 0.3))


def test_planted_senses_become_clusters() -> None:
    clusters = UsageClusters()(draw_planted_ratings())
    expected = ["win.1"] * 6 + ["win.2"] * 4 + ["win.3"] * 2
    assert [clusters[f"u{number:02}"] for number in range(12)] == [{name: 1.0} for name in expected]


def test_the_threshold_is_the_middle_of_the_scale() -> None:
    part = UsageClusters()
    four, five = (part.build_graph(Ratings(rate_pairs(("u", "v", 1), ("v", "w", highest)))) for highest in (4, 5))
    assert (part.cluster(four).threshold, part.cluster(five).threshold) == (2.5, 3.0)
    assert UsageClusters(2).cluster(five).threshold == 2.0
    pair = Ratings(rate_pairs(("u", "v", 2), ("v", "w", 4)))
    assert UsageClusters(1.5)(pair)["u"] == UsageClusters(1.5)(pair)["w"]
    assert UsageClusters()(pair)["u"] != UsageClusters()(pair)["w"]


def test_either_order_is_the_same_pair_and_annotators_are_combined() -> None:
    ratings = Ratings(
        [*rate_pairs(("u", "v", 4)), *rate_pairs(("v", "u", 1), name="bob"), *rate_pairs(("v", "u", 1), name="cy")]
    )
    assert len(set(map(str, UsageClusters(combine="mean")(ratings).values()))) == 2
    ratings = Ratings([*ratings, *rate_pairs(("u", "v", 4), name="dee"), *rate_pairs(("u", "v", 4), name="eve")])
    assert len(set(map(str, UsageClusters(2.5, combine="median")(ratings).values()))) == 1


def test_undecided_usages_are_alone_or_left_out() -> None:
    ratings = Ratings(rate_pairs(("u", "v", 4), ("u", "w", UNDECIDED)))
    assert UsageClusters()(ratings)["w"] == {"win.2": 1.0}
    assert "w" not in UsageClusters(unjudged="left out")(ratings)


def test_small_clusters_are_noise() -> None:
    part = UsageClusters(smallest=2)
    clusters = part.cluster(part.build_graph(Ratings(rate_pairs(("u", "v", 4), ("u", "w", 1)))))
    assert clusters.noise == {"w": "win"}
    assert clusters.counts() == {"win": 1}
    assert list(part.label(clusters)) == ["u", "v"]


def test_graded_clusters_have_shares_of_pairs() -> None:
    """Of w, one of the two pairs with the first cluster is above the threshold."""
    pairs = rate_pairs(("a", "b", 4), ("b", "c", 4), ("a", "c", 4), ("x", "y", 4), ("w", "x", 4), ("w", "y", 4))
    ratings = Ratings([*pairs, *rate_pairs(("w", "a", 3), ("w", "b", 1), ("a", "x", 1), ("b", "y", 1))])
    clusters = UsageClusters(graded=True)(ratings)
    assert clusters["w"] == {"win.2": 1.0, "win.1": 0.5} or clusters["w"] == {"win.1": 1.0, "win.2": 0.5}
    assert clusters["c"] == UsageClusters()(ratings)["c"]


def test_each_lemma_has_clusters_of_its_own() -> None:
    ratings = Ratings([*rate_pairs(("a", "b", 4)), *rate_pairs(("c", "d", 1), lemma="bar")])
    assert dict(UsageClusters()(ratings)) == {
        "a": {"win.1": 1.0},
        "b": {"win.1": 1.0},
        "c": {"bar.1": 1.0},
        "d": {"bar.2": 1.0},
    }


def test_the_model_of_annotators_weighs_pairs() -> None:
    random = np.random.default_rng(1)
    guesses = [
        row._replace(annotator=f"g{name}", value=float(random.integers(1, 5)))
        for name in range(3)
        for row in draw_planted_ratings(1)
    ]
    ratings = Ratings([*draw_planted_ratings(), *guesses])
    clusters = UsageClusters(combine=GradedResponse())(ratings)
    assert len({str(clusters[f"u{number:02}"]) for number in range(6)}) == 1
    with pytest.warns(InputWarning, match="judged with fewer than two others"):
        UsageClusters(combine="model")(Ratings(rate_pairs(("u", "v", 4))))


def test_ratings_of_senses_are_refused() -> None:
    with pytest.raises(InputError, match="the ratings are of WSsim; clusters are made of pairs of usages"):
        UsageClusters()(Ratings([Rating("ann", "WSsim", "win", "u", "a", 4)]))
    with pytest.raises(InputError, match="usage 'u' is rated under two lemmas"):
        UsageClusters()(Ratings([*rate_pairs(("u", "v", 4)), *rate_pairs(("u", "w", 4), lemma="bar")]))
    assert len(UsageClusters()(Ratings([]))) == 0


def test_it_is_built_from_its_specification() -> None:
    assert build("UsageClusters(threshold=3)", "gold") == UsageClusters(3)
    assert build(repr(UsageClusters(2.5, "median"))) == UsageClusters(2.5, "median")
    with pytest.raises(InputError, match="threshold is 'low'"):
        build("UsageClusters(threshold='low')")


def test_clusters_of_word_usage_graphs_are_optimal(data: Path) -> None:
    """The four words of the test data; a linear programme proves that no clusters are better."""
    part = UsageClusters()
    clusters = part.cluster(part.build_graph(load("word-usage-graphs", data).ratings))
    assert clusters.counts() == {"Aufkommen": 6, "Manschette": 25, "plane_nn": 10, "chairman_nn": 1}
    assert clusters.partition.loss == pytest.approx(24.5 + 18.9333333 + 20.8333333)
    assert clusters.partition.proven


def test_averages_of_usim_are_clustered(data: Path) -> None:
    pairs = load("usim", data).pairs
    clusters = clusters_from_pairs(UsageClusters(), pairs).labelling
    assert set(clusters) == {usage for pair in pairs for usage in (pair.first, pair.second)}
    means = {True: [], False: []}  # type: dict[bool, list[float]]
    for pair in pairs:
        means[clusters[pair.first] == clusters[pair.second]].append(pair.similarity)
    assert np.mean(means[True]) > 4 > 2.2 > np.mean(means[False])


def test_pairs_with_a_similarity_are_clustered() -> None:
    pairs = [UsagePair("win", "u", "v", 4.6), UsagePair("win", "v", "w", 1.2)]
    assert dict(clusters_from_pairs(UsageClusters(), pairs).labelling) == {
        "u": {"win.1": 1.0},
        "v": {"win.1": 1.0},
        "w": {"win.2": 1.0},
    }

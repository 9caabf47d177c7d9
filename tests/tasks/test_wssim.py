"""Weights beside ratings of senses, and people beside one another."""

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon
from scipy.stats import spearmanr

from polyseme.baselines import MFS, AllSenses
from polyseme.datasets import load
from polyseme.errors import InputError
from polyseme.gold import Gold
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling
from polyseme.rating import UNDECIDED, Rating, Ratings
from polyseme.tasks import protocols
from polyseme.tasks.wssim import PAIRS, applicability, mean_figures, score_annotators, wssim
from polyseme.wordnet import WordNet

SENSES = Inventory([Sense("a", "x.n"), Sense("b", "x.n"), Sense("c", "x.n"), Sense("d", "y.v"), Sense("e", "y.v")])
SAID = {
    "ann": {"u1": {"a": 5, "b": 3}, "u2": {"b": 5, "c": 1}, "u3": {"d": 4, "e": 2}},
    "bob": {"u1": {"a": 4, "b": 1}, "u2": {"b": 3, "c": 3}, "u3": {"d": 5, "e": 1}},
}
LEMMAS = {"u1": "x.n", "u2": "x.n", "u3": "y.v"}
MEANS: dict[str, list[float]] = {"u1": [4.5, 2, 1], "u2": [1, 4, 2], "u3": [4.5, 1.5]}
"""By hand, for the senses a, b, c and d, e; those that nobody rated count as 1."""
SYSTEM = Labelling.from_dict({"u1": {"a": 0.6, "b": 0.4}, "u3": {"e": 0.5, "d": 0.25}}, lemma=LEMMAS)
WEIGHTS: dict[str, list[float]] = {"u1": [0.6, 0.4, 0], "u2": [0, 0, 0], "u3": [0.25, 0.5]}


def rated(said: dict[str, dict[str, dict[str, int]]]) -> Ratings:
    return Ratings(
        Rating(who, "WSsim", LEMMAS[usage], usage, sense, value)
        for who, usages in said.items()
        for usage, senses in usages.items()
        for sense, value in senses.items()
    )


def all_of(given: dict[str, list[float]], *usages: str) -> list[float]:
    return [value for usage in usages or given for value in given[usage]]


def test_how_far_senses_apply() -> None:
    found = applicability(rated(SAID), SENSES)
    assert found["u1"] == {"a": 0.875, "b": 0.25, "c": 0.0}
    assert [weight for usage in MEANS for _, weight in sorted(found[usage].items())] == [
        (mean - 1) / 4 for mean in all_of(MEANS)
    ]
    undecided = Ratings([*rated(SAID), Rating("cyd", "WSsim", "y.v", "u3", "d", UNDECIDED)])
    assert applicability(undecided, SENSES)["u3"] == {"d": 0.875, "e": pytest.approx(0.25 / 3)}, "cyd says nothing of e"
    nobody = Ratings([Rating("cyd", "WSsim", "y.v", "u3", "d", UNDECIDED)])
    assert applicability(nobody, SENSES)["u3"] == {"d": 0.0, "e": 0.0}


def test_every_figure_by_hand() -> None:
    found = wssim(rated(SAID), SYSTEM, SENSES).figures()
    assert found["pooled"] == pytest.approx(spearmanr(all_of(MEANS), all_of(WEIGHTS)).statistic)
    of_x = spearmanr(all_of(MEANS, "u1", "u2"), all_of(WEIGHTS, "u1", "u2")).statistic
    assert found["lemmas.x.n"] == pytest.approx(of_x)
    assert found["lemmas.y.v"] == pytest.approx(-1.0)
    assert found["spearman"] == pytest.approx((of_x - 1) / 2)
    apart = [
        float(jensenshannon(np.array(MEANS[usage]) - 1, WEIGHTS[usage]) ** 2) if any(WEIGHTS[usage]) else math.log(2)
        for usage in MEANS
    ]
    assert found["divergence"] == pytest.approx(np.mean(apart))
    # u1: g = .875 .25 0, t = 1 2/3 0; u3: g = .875 .125, t = .5 1
    precisions, recalls = [(0.875 + 0.25) / (5 / 3), 0.625 / 1.5], [1.0, 0.0, 0.625]
    precision, recall = float(np.mean(precisions)), float(np.mean(recalls))
    assert found["overlap.precision"] == pytest.approx(precision)
    assert found["overlap.recall"] == pytest.approx(recall)
    assert found["overlap.f1"] == pytest.approx(2 * precision * recall / (precision + recall))
    assert found["detection"] == pytest.approx((1 + 1) / 2), "of the usages that are labelled"
    assert found["ranking"] == pytest.approx((1 - 1) / 2)
    both = (([4.5, 2], [6, 4]), ([4.5, 1.5], [1, 2]))
    cosines = [np.dot(g, t) / np.linalg.norm(g) / np.linalg.norm(t) for g, t in both]
    assert found["perception"] == pytest.approx(np.mean(cosines))


def test_weights_that_are_on_the_scale_of_ratings() -> None:
    ratings = rated(SAID)
    same = applicability(ratings, SENSES)
    figures = wssim(ratings, same, SENSES, calibrated=True).figures()
    assert figures["overlap.precision"] == figures["overlap.recall"] == figures["pooled"] == 1.0
    assert figures["divergence"] == pytest.approx(0.0)
    scaled = wssim(ratings, same, SENSES).figures()
    assert scaled["overlap.recall"] == 1.0
    assert scaled["overlap.precision"] == pytest.approx(np.mean([0.875, 0.75, 0.875]))
    assert scaled["pooled"] == 1.0, "for ρ weights are what they are"


def test_usages_and_senses_elsewhere_do_not_count() -> None:
    more = Labelling([*SYSTEM.rows(), ("x.n", "u9", {"a": 1.0})])
    assert wssim(rated(SAID), more, SENSES).figures() == wssim(rated(SAID), SYSTEM, SENSES).figures()


def test_people_beside_one_another() -> None:
    found = score_annotators(rated(SAID), SENSES)
    assert list(found) == ["annotator ann, against the others", "annotator bob, against the others", PAIRS]
    ann, bob = [5, 3, 1, 1, 5, 1, 4, 2], [4, 1, 1, 1, 3, 3, 5, 1]
    expected = spearmanr(ann, bob).statistic
    assert [figures["pooled"] for figures in found.values()] == pytest.approx([expected] * 3)
    one, other, both = found.values()
    assert one["overlap.precision"] == pytest.approx(other["overlap.recall"])
    assert both["overlap.precision"] == pytest.approx((one["overlap.precision"] + other["overlap.precision"]) / 2)


def test_three_people_of_whom_two_have_nothing_in_common() -> None:
    said = {**SAID, "cyd": {"u1": SAID["ann"]["u1"]}}
    del said["bob"]
    said["bob"] = {"u3": SAID["bob"]["u3"]}
    found = score_annotators(rated(said), SENSES)
    assert found["annotator cyd, against the others"]["pooled"] == 1.0
    ann = found["annotator ann, against the others"]
    assert ann["lemmas.x.n"] == ann["lemmas.y.v"] == 1.0
    assert found[PAIRS]["pooled"] == 1.0
    with pytest.raises(InputError, match="of 1 annotator; agreement needs two or more"):
        score_annotators(rated({"ann": SAID["ann"]}), SENSES)


def test_means_of_what_there_is() -> None:
    found = mean_figures([{"a": 1.0, "b": math.nan}, {"a": 2.0, "b": math.nan, "c": 3.0}])
    assert (found["a"], found["c"]) == (1.5, 3.0)
    assert math.isnan(found["b"])


def test_the_ratings_of_three_people(data: Path, wordnet_30: WordNet) -> None:
    """Erk, McCarthy & Gaylord (2013, §4.2) have .504 and .56 at least, with three more words than there are here."""
    ratings = load("semeval-2013-task-13-trial", data).ratings
    found = score_annotators(ratings, wordnet_30)
    assert found[PAIRS]["pooled"] == pytest.approx(0.499, abs=5e-4)
    assert [round(figures["pooled"], 3) for figures in list(found.values())[:3]] == [0.558, 0.603, 0.572]


def test_the_baselines_of_jurgens(data: Path, wordnet_30: WordNet) -> None:
    """Table 3 of Jurgens (2012): MFS .204, .334, .469; ASE .846, .000, .862."""
    task = load("semeval-2013-task-13-trial", data)
    gold = Gold("mean", "sum")(task.ratings)
    for baseline, printed in ((MFS(), [0.204, 0.334, 0.469]), (AllSenses(), [0.846, 0.0, 0.863])):
        labelling = baseline(task.usages, wordnet_30)
        found = wssim(task.ratings, labelling, wordnet_30).figures()
        assert [round(found[name], 3) for name in ("detection", "ranking", "perception")] == printed
        same = protocols.jurgens_2012(gold, labelling, mapping="none", inventory=wordnet_30).figures()
        assert found["perception"] == pytest.approx(same["perception"])

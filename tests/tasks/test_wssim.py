"""Weights against ratings of senses, and annotators against each other."""

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
from polyseme.tasks.jurgens_2012 import Jurgens2012
from polyseme.tasks.result import mean_figures
from polyseme.tasks.wssim import Wssim, applicability, score_annotators
from polyseme.wordnet import WordNet

PAIRS = "annotators, mean of pairs"
SENSES = Inventory([Sense("a", "x.n"), Sense("b", "x.n"), Sense("c", "x.n"), Sense("d", "y.v"), Sense("e", "y.v")])
ANSWERS = {
    "ann": {"u1": {"a": 5, "b": 3}, "u2": {"b": 5, "c": 1}, "u3": {"d": 4, "e": 2}},
    "bob": {"u1": {"a": 4, "b": 1}, "u2": {"b": 3, "c": 3}, "u3": {"d": 5, "e": 1}},
}
LEMMAS = {"u1": "x.n", "u2": "x.n", "u3": "y.v"}
MEANS: dict[str, list[float]] = {"u1": [4.5, 2, 1], "u2": [1, 4, 2], "u3": [4.5, 1.5]}
"""By hand, for the senses a, b, c and d, e; those that nobody rated count as 1."""
SYSTEM = Labelling.from_dict({"u1": {"a": 0.6, "b": 0.4}, "u3": {"e": 0.5, "d": 0.25}}, lemma=LEMMAS)
WEIGHTS: dict[str, list[float]] = {"u1": [0.6, 0.4, 0], "u2": [0, 0, 0], "u3": [0.25, 0.5]}


def make_ratings(answers: dict[str, dict[str, dict[str, int]]]) -> Ratings:
    return Ratings(
        Rating(who, "WSsim", LEMMAS[usage], usage, sense, value)
        for who, usages in answers.items()
        for usage, senses in usages.items()
        for sense, value in senses.items()
    )


def flatten(values: dict[str, list[float]], *usages: str) -> list[float]:
    return [value for usage in usages or values for value in values[usage]]


def test_applicability_is_the_mean_rating_from_0_to_1() -> None:
    shares = applicability(make_ratings(ANSWERS), SENSES)
    assert shares["u1"] == {"a": 0.875, "b": 0.25, "c": 0.0}
    assert [weight for usage in MEANS for _, weight in sorted(shares[usage].items())] == [
        (mean - 1) / 4 for mean in flatten(MEANS)
    ]
    undecided = Ratings([*make_ratings(ANSWERS), Rating("cyd", "WSsim", "y.v", "u3", "d", UNDECIDED)])
    assert applicability(undecided, SENSES)["u3"] == {"d": 0.875, "e": pytest.approx(0.25 / 3)}, "cyd says nothing of e"
    only_undecided = Ratings([Rating("cyd", "WSsim", "y.v", "u3", "d", UNDECIDED)])
    assert applicability(only_undecided, SENSES)["u3"] == {"d": 0.0, "e": 0.0}


def test_every_figure_is_as_computed_by_hand() -> None:
    figures = Wssim().score_ratings(make_ratings(ANSWERS), SYSTEM, SENSES).figures()
    assert figures["pooled"] == pytest.approx(spearmanr(flatten(MEANS), flatten(WEIGHTS)).statistic)
    of_x = spearmanr(flatten(MEANS, "u1", "u2"), flatten(WEIGHTS, "u1", "u2")).statistic
    assert figures["lemmas.x.n"] == pytest.approx(of_x)
    assert figures["lemmas.y.v"] == pytest.approx(-1.0)
    assert figures["spearman"] == pytest.approx((of_x - 1) / 2)
    apart = [
        float(jensenshannon(np.array(MEANS[usage]) - 1, WEIGHTS[usage]) ** 2) if any(WEIGHTS[usage]) else math.log(2)
        for usage in MEANS
    ]
    assert figures["divergence"] == pytest.approx(np.mean(apart))
    # u1: g = .875 .25 0, t = 1 2/3 0; u3: g = .875 .125, t = .5 1
    precisions, recalls = [(0.875 + 0.25) / (5 / 3), 0.625 / 1.5], [1.0, 0.0, 0.625]
    precision, recall = float(np.mean(precisions)), float(np.mean(recalls))
    assert figures["overlap.precision"] == pytest.approx(precision)
    assert figures["overlap.recall"] == pytest.approx(recall)
    assert figures["overlap.f1"] == pytest.approx(2 * precision * recall / (precision + recall))
    assert figures["detection"] == pytest.approx((1 + 1) / 2), "of the usages that are labelled"
    assert figures["ranking"] == pytest.approx((1 - 1) / 2)
    both = (([4.5, 2], [6, 4]), ([4.5, 1.5], [1, 2]))
    cosines = [np.dot(g, t) / np.linalg.norm(g) / np.linalg.norm(t) for g, t in both]
    assert figures["perception"] == pytest.approx(np.mean(cosines))


def test_calibrated_weights_are_not_divided() -> None:
    ratings = make_ratings(ANSWERS)
    same = applicability(ratings, SENSES)
    figures = Wssim(calibrated=True).score_ratings(ratings, same, SENSES).figures()
    assert figures["overlap.precision"] == figures["overlap.recall"] == figures["pooled"] == 1.0
    assert figures["divergence"] == pytest.approx(0.0)
    scaled = Wssim().score_ratings(ratings, same, SENSES).figures()
    assert scaled["overlap.recall"] == 1.0
    assert scaled["overlap.precision"] == pytest.approx(np.mean([0.875, 0.75, 0.875]))
    assert scaled["pooled"] == 1.0, "for ρ weights are what they are"


def test_usages_and_senses_elsewhere_do_not_count() -> None:
    more = Labelling([*SYSTEM.rows(), ("x.n", "u9", {"a": 1.0})])
    assert (
        Wssim().score_ratings(make_ratings(ANSWERS), more, SENSES).figures()
        == Wssim().score_ratings(make_ratings(ANSWERS), SYSTEM, SENSES).figures()
    )


def test_annotators_are_scored_against_each_other() -> None:
    figures = score_annotators(make_ratings(ANSWERS), SENSES)
    assert list(figures) == ["annotator ann, against the others", "annotator bob, against the others", PAIRS]
    ann, bob = [5, 3, 1, 1, 5, 1, 4, 2], [4, 1, 1, 1, 3, 3, 5, 1]
    expected = spearmanr(ann, bob).statistic
    assert [figures["pooled"] for figures in figures.values()] == pytest.approx([expected] * 3)
    one, other, both = figures.values()
    assert one["overlap.precision"] == pytest.approx(other["overlap.recall"])
    assert both["overlap.precision"] == pytest.approx((one["overlap.precision"] + other["overlap.precision"]) / 2)


def test_annotators_without_common_usages_are_left_out() -> None:
    answers = {**ANSWERS, "cyd": {"u1": ANSWERS["ann"]["u1"]}}
    del answers["bob"]
    answers["bob"] = {"u3": ANSWERS["bob"]["u3"]}
    figures = score_annotators(make_ratings(answers), SENSES)
    assert figures["annotator cyd, against the others"]["pooled"] == 1.0
    ann = figures["annotator ann, against the others"]
    assert ann["lemmas.x.n"] == ann["lemmas.y.v"] == 1.0
    assert figures[PAIRS]["pooled"] == 1.0
    with pytest.raises(InputError, match="of 1 annotator; agreement needs two or more"):
        score_annotators(make_ratings({"ann": ANSWERS["ann"]}), SENSES)


def test_undefined_figures_are_left_out_of_means() -> None:
    means = mean_figures([{"a": 1.0, "b": math.nan}, {"a": 2.0, "b": math.nan, "c": 3.0}])
    assert (means["a"], means["c"]) == (1.5, 3.0)
    assert math.isnan(means["b"])


def test_annotators_of_wssim_1_agree_as_published(data: Path, wordnet_30: WordNet) -> None:
    """Erk, McCarthy & Gaylord (2013, §4.2) have .504 and .56 at least, with three more words than there are here."""
    ratings = load("semeval-2013-task-13-trial", data).ratings
    figures = score_annotators(ratings, wordnet_30)
    assert figures[PAIRS]["pooled"] == pytest.approx(0.499, abs=5e-4)
    assert [round(figures["pooled"], 3) for figures in list(figures.values())[:3]] == [0.558, 0.603, 0.572]


def test_baselines_score_as_in_jurgens_2012(data: Path, wordnet_30: WordNet) -> None:
    """Table 3 of Jurgens (2012): MFS .204, .334, .469; ASE .846, .000, .862."""
    task = load("semeval-2013-task-13-trial", data)
    gold = Gold("mean", "sum")(task.ratings)
    for baseline, printed in ((MFS(), [0.204, 0.334, 0.469]), (AllSenses(), [0.846, 0.0, 0.863])):
        labelling = baseline(task.usages, wordnet_30)
        figures = Wssim().score_ratings(task.ratings, labelling, wordnet_30).figures()
        assert [round(figures[name], 3) for name in ("detection", "ranking", "perception")] == printed
        same = Jurgens2012(mapping="none").score(gold, labelling, inventory=wordnet_30).figures()
        assert figures["perception"] == pytest.approx(same["perception"])

"""The model of annotators who rate recovers what is known in simulated studies, and says where it cannot."""

import math
import time

import numpy as np
import pytest
from scipy.stats import spearmanr

from polyseme.agreement.judgements import collect_judgements
from polyseme.errors import InputError
from polyseme.gold.graded_response import GradedResponse
from polyseme.parts import build
from polyseme.rating import UNDECIDED, Rating, Ratings
from simulated_annotators import error, study

MODEL = GradedResponse()


def errors(kind: str, people: int, each: int, skewed: bool = False) -> tuple[float, float]:
    """Of the means and of the model, over a few studies."""
    made = [study(kind, seed, people=people, each=each, skewed=skewed) for seed in range(3)]
    plain = np.mean([error(one.judgements.means, one.truth) for one in made])
    return float(plain), float(np.mean([error(MODEL.fit(one.judgements).value, one.truth) for one in made]))


@pytest.mark.parametrize("people, each", [(8, 8), (20, 5)])
@pytest.mark.parametrize("kind", ["biased", "compressing", "careless", "mixed"])
def test_it_is_nearer_to_the_truth_than_the_mean_where_annotators_differ(kind: str, people: int, each: int) -> None:
    plain, ours = errors(kind, people, each)
    assert ours < 0.93 * plain


@pytest.mark.parametrize("skewed", [False, True])
@pytest.mark.parametrize("people, each", [(3, 3), (8, 8), (20, 5)])
def test_it_is_as_near_as_the_mean_where_they_are_alike(people: int, each: int, skewed: bool) -> None:
    plain, ours = errors("alike", people, each, skewed)
    assert ours < 1.05 * plain


def test_careless_annotators_are_found() -> None:
    made = study("careless", 1)
    found = MODEL.fit(made.judgements).annotators
    reliability = np.array([each.figures["reliability"].value for each in found])
    assert reliability[made.careless].max() < 0.5 < 0.8 < reliability[~made.careless].min()


def test_bias_and_stretch_are_found() -> None:
    made = study("biased", 2, items=600)
    bias = np.array([each.figures["bias"].value for each in MODEL.fit(made.judgements).annotators])
    assert bias == pytest.approx(made.bias - made.bias.mean(), abs=0.2)
    made = study("compressing", 2, items=600)
    stretch = np.array([each.figures["stretch"].value for each in MODEL.fit(made.judgements).annotators])
    assert spearmanr(stretch, made.stretch).statistic > 0.9


def test_intervals_cover_differences_of_bias() -> None:
    """What is common to all cannot be known; how far an annotator is from the others can."""
    inside = []
    for seed in range(5):
        made = study("biased", seed, items=300)
        found = [each.figures["bias"] for each in MODEL.fit(made.judgements).annotators]
        shift = np.mean([figure.value for figure in found]) - made.bias.mean()
        inside += [one.low <= true + shift <= one.high for one, true in zip(found, made.bias.tolist(), strict=True)]
    assert np.mean(inside) > 0.75


def test_errors_say_how_far_values_are_off() -> None:
    made = study("mixed", 3)
    found = MODEL.fit(made.judgements)
    away = np.abs(found.value - made.truth) / found.error
    assert 0.4 < np.median(away) < 1.6
    few = study("alike", 3, people=8, each=2)
    assert MODEL.fit(few.judgements).error.mean() > found.error.mean()


def test_the_same_ratings_give_the_same_values() -> None:
    made = study("mixed", 4)
    assert MODEL.fit(made.judgements).value.tolist() == MODEL.fit(made.judgements).value.tolist()


def ratings(*said: tuple[str, str, float]) -> Ratings:
    return Ratings(Rating(who, "WSsim", "win.v", usage, "a", value) for who, usage, value in said)


def test_one_annotator_and_two() -> None:
    alone = MODEL.fit(collect_judgements(ratings(("ann", "u", 3), ("ann", "v", 5))))
    assert alone.value.tolist() == [3.0, 5.0]
    assert alone.annotators[0].reason == "judged no item that anybody else judged"
    both = MODEL.fit(collect_judgements(ratings(("ann", "u", 3), ("bob", "u", 4))))
    assert both.value.tolist() == [3.5]
    assert "of two nobody can say who is right" in both.annotators[0].reason
    assert math.isnan(both.error[0])


def test_one_item_and_nothing_to_tell_apart() -> None:
    one = MODEL.fit(collect_judgements(ratings(("ann", "u", 3), ("bob", "u", 4), ("cy", "u", 5))))
    assert 3 <= one.value[0] <= 5
    same = MODEL.fit(collect_judgements(ratings(*((who, "u", 4.0) for who in "abc"))))
    assert same.value.tolist() == [4.0]
    assert same.annotators[0].reason == "all judgements are 4: nothing tells annotators apart"


def test_a_constant_annotator_is_not_relied_on() -> None:
    made = study("alike", 5)
    value = np.where(made.judgements.annotator == 0, 3.0, made.judgements.value)
    from dataclasses import replace

    found = MODEL.fit(replace(made.judgements, value=value))
    assert abs(found.annotators[0].figures["reliability"].value) < 0.6
    assert min(each.figures["reliability"].value for each in found.annotators[1:]) > 0.8
    assert error(found.value, made.truth) < error(replace(made.judgements, value=value).means, made.truth)


def test_an_annotator_who_could_not_decide_anything() -> None:
    said = [(who, usage, value) for who, value in (("a", 1.0), ("b", 2.0), ("c", 2.0)) for usage in "uvw"]
    found = MODEL.fit(collect_judgements(ratings(*said, ("d", "u", UNDECIDED))))
    assert found.annotators[-1].reason == "decided on no item"
    assert not found.notes


def test_groups_that_share_no_item() -> None:
    dice = np.random.default_rng(0)
    truth = dice.integers(1, 6, 40).tolist()
    said = [
        (who, f"{group}{number}", float(np.clip(value + dice.integers(-1, 2), 1, 5)))
        for group, people in (("x", "abc"), ("y", "def"))
        for who in people
        for number, value in enumerate(truth)
    ]
    found = MODEL.fit(collect_judgements(ratings(*said, ("g", "z", 2))))
    first, second = found.notes
    assert first.startswith("the annotators fall into 3 groups that share no item (a, b, c | d, e, f | g); whether one")
    assert second == "1 annotator judged with fewer than two others; for items that only they judged the mean is taken"
    assert found.value[-1] == 2.0
    assert np.corrcoef(found.value[:40], truth)[0, 1] > 0.9


def test_other_scales() -> None:
    made = study("mixed", 6)
    from dataclasses import replace

    usual = MODEL.fit(made.judgements)
    percent = MODEL.fit(replace(made.judgements, value=25 * (made.judgements.value - 1)))
    assert percent.value / 25 + 1 == pytest.approx(usual.value)
    one, other = usual.annotators[0].figures, percent.annotators[0].figures
    assert other["bias"].value == pytest.approx(25 * one["bias"].value)
    assert other["stretch"].value == pytest.approx(one["stretch"].value)


def test_it_is_a_part() -> None:
    assert build("GradedResponse(points=9)", "annotators") == GradedResponse(points=9)
    with pytest.raises(InputError, match="points is 1; it must be a number from 3 to 1000"):
        GradedResponse(points=1)


def test_many_ratings_take_seconds() -> None:
    """A twentieth of a million ratings by 200 annotators."""
    made = study("mixed", 7, items=10_000, people=200, each=5)
    start = time.perf_counter()
    assert MODEL.fit(made.judgements).settled
    assert time.perf_counter() - start < 30

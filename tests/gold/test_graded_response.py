"""The model of annotators who rate recovers the truth of simulated studies, and notes its limits."""

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
from simulated_annotators import root_mean_square_error, simulate_study

MODEL = GradedResponse()


def errors(kind: str, people: int, per_item: int, skewed: bool = False) -> tuple[float, float]:
    """Compute the errors of the means and of the model, over a few studies."""
    studies = [simulate_study(kind, seed, annotators=people, per_item=per_item, skewed=skewed) for seed in range(3)]
    of_means = np.mean([root_mean_square_error(one.judgements.means, one.truth) for one in studies])
    return float(of_means), float(
        np.mean([root_mean_square_error(MODEL.fit(one.judgements).value, one.truth) for one in studies])
    )


@pytest.mark.parametrize("people, per_item", [(8, 8), (20, 5)])
@pytest.mark.parametrize("kind", ["biased", "compressing", "careless", "mixed"])
def test_it_beats_the_mean_if_annotators_differ(kind: str, people: int, per_item: int) -> None:
    of_means, of_model = errors(kind, people, per_item)
    assert of_model < 0.93 * of_means


@pytest.mark.parametrize("skewed", [False, True])
@pytest.mark.parametrize("people, per_item", [(3, 3), (8, 8), (20, 5)])
def test_it_equals_the_mean_if_annotators_do_not_differ(people: int, per_item: int, skewed: bool) -> None:
    of_means, of_model = errors("alike", people, per_item, skewed)
    assert of_model < 1.05 * of_means


def test_careless_annotators_are_unreliable() -> None:
    simulated = simulate_study("careless", 1)
    annotators = MODEL.fit(simulated.judgements).annotators
    reliability = np.array([annotator.figures["reliability"].value for annotator in annotators])
    assert reliability[simulated.careless].max() < 0.5 < 0.8 < reliability[~simulated.careless].min()


def test_bias_and_stretch_are_estimated() -> None:
    simulated = simulate_study("biased", 2, items=600)
    bias = np.array([annotator.figures["bias"].value for annotator in MODEL.fit(simulated.judgements).annotators])
    assert bias == pytest.approx(simulated.bias - simulated.bias.mean(), abs=0.2)
    simulated = simulate_study("compressing", 2, items=600)
    stretch = np.array([annotator.figures["stretch"].value for annotator in MODEL.fit(simulated.judgements).annotators])
    assert spearmanr(stretch, simulated.stretch).statistic > 0.9


def test_intervals_cover_differences_of_bias() -> None:
    """What is common to all cannot be known; how far an annotator is from the others can."""
    inside = []
    for seed in range(5):
        simulated = simulate_study("biased", seed, items=300)
        figures = [annotator.figures["bias"] for annotator in MODEL.fit(simulated.judgements).annotators]
        shift = np.mean([figure.value for figure in figures]) - simulated.bias.mean()
        inside += [
            one.low <= true + shift <= one.high for one, true in zip(figures, simulated.bias.tolist(), strict=True)
        ]
    assert np.mean(inside) > 0.75


def test_errors_are_the_scale_of_deviations() -> None:
    simulated = simulate_study("mixed", 3)
    estimates = MODEL.fit(simulated.judgements)
    ratio = np.abs(estimates.value - simulated.truth) / estimates.error
    assert 0.4 < np.median(ratio) < 1.6
    few = simulate_study("alike", 3, annotators=8, per_item=2)
    assert MODEL.fit(few.judgements).error.mean() > estimates.error.mean()


def test_the_same_ratings_give_the_same_values() -> None:
    simulated = simulate_study("mixed", 4)
    assert MODEL.fit(simulated.judgements).value.tolist() == MODEL.fit(simulated.judgements).value.tolist()


def make_ratings(*rows: tuple[str, str, float]) -> Ratings:
    return Ratings(Rating(name, "WSsim", "win.v", usage, "a", value) for name, usage, value in rows)


def test_one_or_two_annotators_give_means() -> None:
    alone = MODEL.fit(collect_judgements(make_ratings(("ann", "u", 3), ("ann", "v", 5))))
    assert alone.value.tolist() == [3.0, 5.0]
    assert alone.annotators[0].reason == "judged no item that another annotator judged"
    both = MODEL.fit(collect_judgements(make_ratings(("ann", "u", 3), ("bob", "u", 4))))
    assert both.value.tolist() == [3.5]
    assert "of two, nothing shows who is right" in both.annotators[0].reason
    assert math.isnan(both.error[0])


def test_equal_judgements_give_means() -> None:
    one = MODEL.fit(collect_judgements(make_ratings(("ann", "u", 3), ("bob", "u", 4), ("cy", "u", 5))))
    assert 3 <= one.value[0] <= 5
    same = MODEL.fit(collect_judgements(make_ratings(*((name, "u", 4.0) for name in "abc"))))
    assert same.value.tolist() == [4.0]
    assert same.annotators[0].reason == "all judgements are 4: nothing tells annotators apart"


def test_a_constant_annotator_is_unreliable() -> None:
    simulated = simulate_study("alike", 5)
    value = np.where(simulated.judgements.annotator == 0, 3.0, simulated.judgements.value)
    from dataclasses import replace

    estimates = MODEL.fit(replace(simulated.judgements, value=value))
    assert abs(estimates.annotators[0].figures["reliability"].value) < 0.6
    assert min(annotator.figures["reliability"].value for annotator in estimates.annotators[1:]) > 0.8
    assert root_mean_square_error(estimates.value, simulated.truth) < root_mean_square_error(
        replace(simulated.judgements, value=value).means, simulated.truth
    )


def test_an_undecided_annotator_has_a_reason() -> None:
    rows = [(name, usage, value) for name, value in (("a", 1.0), ("b", 2.0), ("c", 2.0)) for usage in "uvw"]
    estimates = MODEL.fit(collect_judgements(make_ratings(*rows, ("d", "u", UNDECIDED))))
    assert estimates.annotators[-1].reason == "decided on no item"
    assert not estimates.notes


def test_groups_that_share_no_item_are_noted() -> None:
    random = np.random.default_rng(0)
    truth = random.integers(1, 6, 40).tolist()
    rows = [
        (name, f"{group}{number}", float(np.clip(value + random.integers(-1, 2), 1, 5)))
        for group, people in (("x", "abc"), ("y", "def"))
        for name in people
        for number, value in enumerate(truth)
    ]
    estimates = MODEL.fit(collect_judgements(make_ratings(*rows, ("g", "z", 2))))
    first, second = estimates.notes
    assert first.startswith("the annotators fall into 3 groups that share no item (a, b, c | d, e, f | g); whether one")
    assert second == "1 annotator judged with fewer than two others; for items that only they judged the mean is taken"
    assert estimates.value[-1] == 2.0
    assert np.corrcoef(estimates.value[:40], truth)[0, 1] > 0.9


def test_values_and_bias_follow_the_scale() -> None:
    simulated = simulate_study("mixed", 6)
    from dataclasses import replace

    default = MODEL.fit(simulated.judgements)
    percent = MODEL.fit(replace(simulated.judgements, value=25 * (simulated.judgements.value - 1)))
    assert percent.value / 25 + 1 == pytest.approx(default.value)
    one, other = default.annotators[0].figures, percent.annotators[0].figures
    assert other["bias"].value == pytest.approx(25 * one["bias"].value)
    assert other["stretch"].value == pytest.approx(one["stretch"].value)


def test_it_is_built_from_its_specification() -> None:
    assert build("GradedResponse(points=9)", "annotators") == GradedResponse(points=9)
    with pytest.raises(InputError, match="points is 1; it must be a number from 3 to 1000"):
        GradedResponse(points=1)


def test_many_ratings_take_seconds() -> None:
    """A twentieth of a million ratings by 200 annotators."""
    simulated = simulate_study("mixed", 7, items=10_000, annotators=200, per_item=5)
    start = time.perf_counter()
    assert MODEL.fit(simulated.judgements).settled
    assert time.perf_counter() - start < 30

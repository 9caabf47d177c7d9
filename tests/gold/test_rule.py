"""Ratings become weights: the rules of Jurgens 2012 and of SemEval-2013 Task 13."""

from pathlib import Path

import pytest

from polyseme.datasets import load
from polyseme.errors import InputError, InputWarning
from polyseme.gold import Gold, GradedResponse
from polyseme.labelling import Labelling
from polyseme.parts import build
from polyseme.rating import UNDECIDED, Rating, Ratings


def rate(*values: float, sense: str = "a", usage: str = "u") -> list[Rating]:
    return [Rating(str(name), "WSsim", "win.v", usage, sense, value) for name, value in enumerate(values)]


@pytest.mark.parametrize(
    "rule, expected",
    [
        (Gold(), {"a": 3.0, "b": 4 / 3}),
        (Gold("median"), {"a": 3.0}),
        (Gold("mode"), {"a": 5.0, "b": 2.0}),
        (Gold("mean", "sum"), {"a": 3 / (13 / 3), "b": (4 / 3) / (13 / 3)}),
        (Gold("mean", "max"), {"a": 1.0, "b": 4 / 9}),
    ],
)
def test_rules_combine_and_normalise_ratings(rule: Gold, expected: dict[str, float]) -> None:
    ratings = Ratings([*rate(1, 3, 5), *rate(1, 1, 2, sense="b"), *rate(1, 1, 1, sense="c")])
    if rule.combine == "mode":
        ratings = Ratings([*rate(1, 3, 5), *rate(1, 2, 2, sense="b"), *rate(1, 1, 1, sense="c")])
    assert rule(ratings)["u"] == pytest.approx(expected)


def test_undecided_is_left_out_and_not_taken_for_the_lowest() -> None:
    assert Gold()(Ratings(rate(5, UNDECIDED)))["u"] == {"a": 5.0}
    assert len(Gold()(Ratings(rate(UNDECIDED, UNDECIDED)))) == 0


def test_a_usage_to_which_nothing_applies_is_unlabelled() -> None:
    gold = Gold()(Ratings([*rate(1, 1), *rate(4, usage="v")]))
    assert list(gold) == ["v"]


def test_the_lowest_value_can_be_another() -> None:
    assert Gold(lowest=0)(Ratings(rate(0, 1)))["u"] == {"a": 0.5}


def test_ratings_of_several_tasks_scales_or_lemmas_are_refused() -> None:
    other = [row._replace(task="Usim") for row in rate(5)]
    with pytest.raises(InputError, match=r"of several tasks \(Usim, WSsim\), whose values cannot be compared"):
        Gold()(Ratings([*rate(5), *other]))
    with pytest.raises(InputError, match="a rating is 0, lower than the scale's 1; give lowest=0"):
        Gold()(Ratings(rate(0, 1)))
    with pytest.raises(InputError, match="usage 'u' is rated under two lemmas"):
        Gold()(Ratings([*rate(5), *(row._replace(lemma="ask.v") for row in rate(5))]))


def test_a_rule_is_built_from_its_specification() -> None:
    assert build("Gold(combine='median')", "gold") == Gold("median")
    with pytest.raises(InputError, match="combine 'average' is not known; allowed are mean, median, mode"):
        Gold("average")


@pytest.mark.parametrize(
    "rule, key", [(Gold("mean"), "trial.gold-standard"), (Gold("median"), "trial.gold-standard.median")]
)
def test_rules_make_the_keys_of_the_trial_data(data: Path, rule: Gold, key: str) -> None:
    """Both gold keys of the task's trial data, weight by weight."""
    trial = load("semeval-2013-task-13-trial", data)
    gold, published = rule(trial.ratings), trial.golds[key]
    assert set(gold) == set(published)
    assert all(gold[usage] == published[usage] for usage in published)


def test_gold_is_a_labelling() -> None:
    assert Gold("mean", "sum")(Ratings(rate(3, 5))) == Labelling.from_dict({"u": {"a": 1.0}}, lemma="win.v")


def test_threshold_and_support_restrict_senses() -> None:
    ratings = Ratings([*rate(4, 5, 3), *rate(1, 1, 5, sense="b"), *rate(2, 2, 2, sense="c")])
    assert Gold()(ratings)["u"] == {"a": 4.0, "b": 7 / 3, "c": 2.0}
    assert Gold(threshold=2.1)(ratings)["u"] == {"a": 4.0, "b": 7 / 3}
    assert Gold(threshold=4)(ratings)["u"] == {"a": 4.0}
    assert Gold(support=2)(ratings)["u"] == {"a": 4.0, "c": 2.0}
    assert len(Gold(threshold=4.5)(ratings)) == 0
    with pytest.raises(InputError, match="Gold: support is -1; it must be 0 or more"):
        Gold(support=-1)


def choose(*choices: str, usage: str = "u", task: str = "WSbest") -> list[Rating]:
    """One answer an annotator; several senses with a comma."""
    return [
        Rating(str(name), task, "win.v", usage, sense, 1)
        for name, senses in enumerate(choices)
        for sense in senses.split(",")
    ]


def test_gold_of_choices_counts_annotators() -> None:
    """A sense that is not listed is not chosen; the mode is the most frequent choice, or all if they are equal."""
    ratings = Ratings([*choose("a", "a", "b", "a,b"), *choose("a", "b", usage="v"), *choose("a", "b", "c", usage="w")])
    assert Gold()(ratings)["u"] == {"a": 0.75, "b": 0.5}
    assert dict(Gold("mode")(ratings)) == {
        "u": {"a": 1.0},
        "v": {"a": 1.0, "b": 1.0},
        "w": {"a": 1.0, "b": 1.0, "c": 1.0},
    }
    assert dict(Gold(support=2)(ratings)) == {"u": {"a": 0.75, "b": 0.5}}
    assert dict(Gold(threshold=0.6)(ratings)) == {"u": {"a": 0.75}}
    assert Gold("mean", "sum")(ratings)["u"] == {"a": 0.6, "b": 0.4}


def test_substitutes_are_choices_too() -> None:
    assert Gold()(Ratings(choose("gain", "gain", "beat", task="SYNbest")))["u"] == {"gain": 2 / 3, "beat": 1 / 3}


def test_repeats_and_training_are_no_gold() -> None:
    again = [row._replace(role="repeat", value=1) for row in rate(5, 5)]
    assert Gold()(Ratings([*rate(5, 3), *again]))["u"] == {"a": 4.0}


def test_pairs_of_usages_are_refused() -> None:
    with pytest.raises(
        InputError, match=r"of Usim, of pairs of usages, and name no senses; .*UsageClusters.*--clusters"
    ):
        Gold()(Ratings([Rating("ann", "Usim", "win.v", "1", "2", 4)]))


def test_no_ratings_are_no_gold() -> None:
    for combine in ("mean", "median", "mode", "model"):
        assert len(Gold(combine)(Ratings([]))) == 0


def test_a_model_of_annotators_can_be_the_rule() -> None:
    assert build("Gold(GradedResponse(points=9))") == Gold(GradedResponse(points=9))
    ratings = Ratings([*rate(5, 4, 5, 4), *rate(1, 1, 1, 2, sense="b"), *rate(3, 3, 2, 3, sense="c")])
    gold = Gold("model")(ratings)["u"]
    assert list(gold) == ["a", "c"], "a value that rounds to the lowest is the lowest"
    assert 2 < gold["c"] < 3.5 < gold["a"] <= 5
    assert Gold("model")(ratings) == Gold(GradedResponse())(ratings)


def test_a_model_warns_of_its_limits() -> None:
    with pytest.warns(InputWarning, match="2 annotators judged with fewer than two others"):
        assert Gold("model")(Ratings(rate(3, 4)))["u"] == {"a": 3.5}

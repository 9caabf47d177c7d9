"""Ratings become weights: the rules of Jurgens 2012 and of SemEval-2013 Task 13."""

from pathlib import Path

import pytest

from polyseme.datasets import load
from polyseme.errors import InputError
from polyseme.gold import Gold
from polyseme.labelling import Labelling
from polyseme.parts import build
from polyseme.rating import UNDECIDED, Rating, Ratings


def rated(*values: float, sense: str = "a", usage: str = "u") -> list[Rating]:
    return [Rating(str(who), "WSsim", "win.v", usage, sense, value) for who, value in enumerate(values)]


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
def test_rules(rule: Gold, expected: dict[str, float]) -> None:
    ratings = Ratings([*rated(1, 3, 5), *rated(1, 1, 2, sense="b"), *rated(1, 1, 1, sense="c")])
    if rule.combine == "mode":
        ratings = Ratings([*rated(1, 3, 5), *rated(1, 2, 2, sense="b"), *rated(1, 1, 1, sense="c")])
    assert rule(ratings)["u"] == pytest.approx(expected)


def test_undecided_is_left_out_and_not_taken_for_the_lowest() -> None:
    assert Gold()(Ratings(rated(5, UNDECIDED)))["u"] == {"a": 5.0}
    assert len(Gold()(Ratings(rated(UNDECIDED, UNDECIDED)))) == 0


def test_a_usage_to_which_nothing_applies_is_unlabelled() -> None:
    gold = Gold()(Ratings([*rated(1, 1), *rated(4, usage="v")]))
    assert list(gold) == ["v"]


def test_another_scale() -> None:
    assert Gold(lowest=0)(Ratings(rated(0, 1)))["u"] == {"a": 0.5}


def test_ratings_that_do_not_go_together() -> None:
    other = [row._replace(task="Usim") for row in rated(5)]
    with pytest.raises(InputError, match=r"of several tasks \(Usim, WSsim\), whose values do not mean the same"):
        Gold()(Ratings([*rated(5), *other]))
    with pytest.raises(InputError, match="a rating is 0, lower than the scale's 1; give lowest=0"):
        Gold()(Ratings(rated(0, 1)))
    with pytest.raises(InputError, match="usage 'u' is rated under two lemmas"):
        Gold()(Ratings([*rated(5), *(row._replace(lemma="ask.v") for row in rated(5))]))


def test_a_rule_is_a_part() -> None:
    assert build("Gold(combine='median')", "gold") == Gold("median")
    with pytest.raises(InputError, match="combine 'average' is not known; allowed are mean, median, mode"):
        Gold("average")


@pytest.mark.parametrize(
    "rule, key", [(Gold("mean"), "trial.gold-standard"), (Gold("median"), "trial.gold-standard.median")]
)
def test_the_keys_of_the_trial_data(data: Path, rule: Gold, key: str) -> None:
    """Both gold keys of the task's trial data, weight by weight."""
    trial = load("semeval-2013-task-13-trial", data)
    ours, theirs = rule(trial.ratings), trial.golds[key]
    assert set(ours) == set(theirs)
    assert all(ours[usage] == theirs[usage] for usage in theirs)


def test_gold_is_a_labelling() -> None:
    assert Gold("mean", "sum")(Ratings(rated(3, 5))) == Labelling.from_dict({"u": {"a": 1.0}}, lemma="win.v")

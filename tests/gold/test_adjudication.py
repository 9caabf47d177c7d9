"""Decisions of managers replace the judgements of annotators, whatever the rule."""

import pytest

from polyseme.gold import Gold, UsageClusters, find_disputed_items
from polyseme.gold.record import clusters_from_ratings, gold_from_ratings
from polyseme.rating import ADJUDICATION, UNDECIDED, Rating, Ratings

ANNOTATORS = ("ann", "bob", "cat", "dan")


def rate(target: str, *values: float, task: str = "WSsim") -> list[Rating]:
    return [Rating(name, task, "win.v", "u", target, value) for name, value in zip(ANNOTATORS, values, strict=False)]


def decide(target: str, value: float, task: str = "WSsim", manager: str = "boss") -> Rating:
    return Rating(manager, task, "win.v", "u", target, value, role=ADJUDICATION)


@pytest.mark.parametrize("rule", [Gold(), Gold("median"), Gold("mode"), Gold("model"), Gold(support=2)])
def test_a_decision_counts_as_it_is_under_every_rule(rule: Gold) -> None:
    ratings = [*rate("a", 5, 5, 5, 4), *rate("b", 1, 5, 1, 4), *rate("c", 2, 2, 3, 2)]
    weights = rule(Ratings([*ratings, decide("b", 3), decide("c", 1)]))["u"]
    assert (weights["b"], "c" in weights) == (3.0, False)
    assert weights["a"] == rule(Ratings(rate("a", 5, 5, 5, 4)))["u"]["a"]


def test_the_last_decision_counts_and_an_undecided_one_leaves_the_item_out() -> None:
    ratings = Ratings([*rate("a", 5, 4), *rate("b", 5, 4), decide("a", 2), decide("a", 4, manager="chief")])
    assert Gold()(ratings)["u"] == {"a": 4.0, "b": 4.5}
    assert Gold()(Ratings([*ratings, decide("b", UNDECIDED)]))["u"] == {"a": 4.0}
    assert Gold()(Ratings([decide("a", 4)]))["u"] == {"a": 4.0}


def test_a_decision_about_choices_replaces_all_of_the_usage() -> None:
    ratings = Ratings([*rate("a", 1, 1, task="WSbest"), *rate("b", 1, task="WSbest"), decide("c", 1, "WSbest")])
    assert Gold("mode")(ratings)["u"] == {"c": 1.0}


def test_a_decision_about_a_pair_counts_in_either_order() -> None:
    pairs = [("u1", "u2", 4), ("u2", "u3", 4), ("u1", "u3", 4)]
    rows = [Rating(name, "Usim", "win.v", *pair) for name in ANNOTATORS for pair in pairs]
    decisions = [
        Rating("boss", "Usim", "win.v", *pair, role=ADJUDICATION) for pair in (("u3", "u2", 1), ("u3", "u1", 1))
    ]
    gold = clusters_from_ratings(UsageClusters(), Ratings([*rows, *decisions]))
    assert gold.labelling["u1"] == gold.labelling["u2"] != gold.labelling["u3"]
    assert gold.record["adjudicated"] == {"items": 2, "judgements replaced": 8}


def test_the_record_counts_decisions_and_disputes_are_without_them() -> None:
    ratings = Ratings([*rate("a", 5, 1), *rate("b", 5, 4), decide("a", 2)])
    record = gold_from_ratings(Gold(), ratings).record
    assert record["adjudicated"] == {"items": 1, "judgements replaced": 2}
    assert (record["judgements"], record["items"], record["annotators"]) == (2, 2, 2)
    assert [dispute.item.target for dispute in find_disputed_items(ratings)] == ["b"]

"""The most disputed items come first, with the answers."""

import math
from pathlib import Path

import numpy as np
import pytest

from polyseme.datasets import load
from polyseme.gold import find_disputed_items
from polyseme.rating import UNDECIDED, Rating, Ratings


def rate(sense: str, *values: float) -> list[Rating]:
    return [Rating(f"p{number}", "WSsim", "win.v", "u", sense, value) for number, value in enumerate(values)]


def test_many_who_differ_weigh_more_than_two() -> None:
    disputed = find_disputed_items(
        Ratings([*rate("a", 1, 5), *rate("b", 1, 5, 1, 5), *rate("c", 3, 3), *rate("d", 4, 5)])
    )
    assert [item.item.target for item in disputed] == ["b", "a", "d"]
    assert [item.dispute for item in disputed] == pytest.approx([16 / 5, 8 / 3, 0.5 / 3])
    assert [item.judged for item in disputed] == [4, 2, 2]
    assert len(find_disputed_items(Ratings(rate("a", 1, 5)), most=0)) == 0


def test_answers_and_comments_are_listed() -> None:
    rows = rate("a", 1, 5, UNDECIDED)
    rows[2] = rows[2]._replace(comment="an idiom?")
    rows += [rows[0]._replace(value=2), rows[1]._replace(value=1, role="repeat")]
    (disputed,) = find_disputed_items(Ratings(rows))
    assert disputed.answers == {"p0": "2", "p1": "5", "p2": "?"}
    assert disputed.comments == {"p2": "an idiom?"}
    assert disputed.judged == 2


def test_pairs_in_either_order_are_one_item() -> None:
    pairs = [Rating("ann", "Usim", "win", "u", "v", 1), Rating("bob", "Usim", "win", "v", "u", 4)]
    (disputed,) = find_disputed_items(Ratings(pairs))
    assert disputed.answers == {"ann": "1", "bob": "4"}


def test_disputes_of_choices_are_entropies() -> None:
    choices = {"u": ("a", "a", "b"), "v": ("a", "b", "c"), "w": ("a", "a", "a")}
    rows = [
        Rating(f"p{number}", "WSbest", "win.v", usage, sense, 1)
        for usage, senses in choices.items()
        for number, sense in enumerate(senses)
    ]
    rows.append(Rating("p0", "WSbest", "win.v", "u", "c", 1))
    first, second = find_disputed_items(Ratings(rows))
    assert (first.item.usage, second.item.usage) == ("v", "u")
    assert first.dispute == pytest.approx(math.log2(3) * 3 / 4)
    shares = np.array([0.5, 1 / 3, 1 / 6])  # p0 chose a and c, half each
    assert second.dispute == pytest.approx(-(shares * np.log2(shares)).sum() * 3 / 4)
    assert second.answers == {"p0": "a, c", "p1": "a", "p2": "b"}


def test_items_without_differences_are_not_disputed() -> None:
    assert find_disputed_items(Ratings([])) == ()
    assert find_disputed_items(Ratings(rate("a", 3))) == ()


def test_items_of_the_trial_data_differ_from_end_to_end(data: Path) -> None:
    disputed = find_disputed_items(load("semeval-2013-task-13-trial", data).ratings, most=10)
    assert len(disputed) == 10
    assert all(sorted(item.answers.values())[::2] == ["1", "5"] for item in disputed)


def test_choices_are_listed_once_and_nothing_is_named() -> None:
    rows = [("ann", "a", 1), ("ann", "a", 1), ("bob", "b", 1), ("cat", "a", 0), ("dan", "a", UNDECIDED)]
    ratings = Ratings(Rating(name, "WSbest", "win.v", "u", sense, value) for name, sense, value in rows)
    assert find_disputed_items(ratings)[0].answers == {"ann": "a", "bob": "b", "cat": "nothing", "dan": "?"}

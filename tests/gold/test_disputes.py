"""The most disputed items come first, with what was said."""

import math
from pathlib import Path

import numpy as np
import pytest

from polyseme.datasets import load
from polyseme.gold import find_disputed_items
from polyseme.rating import UNDECIDED, Rating, Ratings


def rated(sense: str, *values: float) -> list[Rating]:
    return [Rating(f"p{who}", "WSsim", "win.v", "u", sense, value) for who, value in enumerate(values)]


def test_many_who_differ_weigh_more_than_two() -> None:
    found = find_disputed_items(
        Ratings([*rated("a", 1, 5), *rated("b", 1, 5, 1, 5), *rated("c", 3, 3), *rated("d", 4, 5)])
    )
    assert [each.item.target for each in found] == ["b", "a", "d"]
    assert [each.dispute for each in found] == pytest.approx([16 / 5, 8 / 3, 0.5 / 3])
    assert [each.judged for each in found] == [4, 2, 2]
    assert len(find_disputed_items(Ratings(rated("a", 1, 5)), most=0)) == 0


def test_what_was_said() -> None:
    rows = rated("a", 1, 5, UNDECIDED)
    rows[2] = rows[2]._replace(comment="an idiom?")
    rows += [rows[0]._replace(value=2), rows[1]._replace(value=1, role="repeat")]
    (found,) = find_disputed_items(Ratings(rows))
    assert found.said == {"p0": "2", "p1": "5", "p2": "?"}
    assert found.comments == {"p2": "an idiom?"}
    assert found.judged == 2


def test_pairs_in_either_order() -> None:
    pairs = [Rating("ann", "Usim", "win", "u", "v", 1), Rating("bob", "Usim", "win", "v", "u", 4)]
    (found,) = find_disputed_items(Ratings(pairs))
    assert found.said == {"ann": "1", "bob": "4"}


def test_choices_by_entropy() -> None:
    said = {"u": ("a", "a", "b"), "v": ("a", "b", "c"), "w": ("a", "a", "a")}
    rows = [
        Rating(f"p{who}", "WSbest", "win.v", usage, sense, 1)
        for usage, senses in said.items()
        for who, sense in enumerate(senses)
    ]
    rows.append(Rating("p0", "WSbest", "win.v", "u", "c", 1))
    first, second = find_disputed_items(Ratings(rows))
    assert (first.item.usage, second.item.usage) == ("v", "u")
    assert first.dispute == pytest.approx(math.log2(3) * 3 / 4)
    shares = np.array([0.5, 1 / 3, 1 / 6])  # p0 chose a and c, half each
    assert second.dispute == pytest.approx(-(shares * np.log2(shares)).sum() * 3 / 4)
    assert second.said == {"p0": "a, c", "p1": "a", "p2": "b"}


def test_nobody_differs() -> None:
    assert find_disputed_items(Ratings([])) == ()
    assert find_disputed_items(Ratings(rated("a", 3))) == ()


def test_the_trial_data(data: Path) -> None:
    found = find_disputed_items(load("semeval-2013-task-13-trial", data).ratings, most=10)
    assert len(found) == 10
    assert all(sorted(each.said.values())[::2] == ["1", "5"] for each in found)


def test_what_was_chosen_is_said_once_and_so_is_nothing() -> None:
    rows = [("ann", "a", 1), ("ann", "a", 1), ("bob", "b", 1), ("cat", "a", 0), ("dan", "a", UNDECIDED)]
    given = Ratings(Rating(who, "WSbest", "win.v", "u", sense, value) for who, sense, value in rows)
    assert find_disputed_items(given)[0].said == {"ann": "a", "bob": "b", "cat": "nothing", "dan": "?"}

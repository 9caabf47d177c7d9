"""Ratings as columns."""

import numpy as np
import pytest

from polyseme.agreement.judgements import Judgements, collect_judgements
from polyseme.errors import InputError
from polyseme.rating import UNDECIDED, Rating, Ratings


def wssim(who: str, usage: str, sense: str, value: float, role: str = "") -> Rating:
    return Rating(who, "WSsim", f"{usage[0]}.n", usage, sense, value, role=role)


def test_the_last_judgement_counts_and_all_that_is_left_out_is_counted() -> None:
    rows = [
        wssim("ann", "a1", "s", 1),
        wssim("bob", "a1", "s", 2),
        wssim("ann", "a1", "s", 4),
        wssim("bob", "b1", "s", UNDECIDED),
        wssim("ann", "b1", "s", 3),
        wssim("ann", "b1", "s", 1, role="repeat"),
        wssim("cat", "c1", "s", 5, role="training"),
    ]
    found = collect_judgements(Ratings(rows))
    assert found.annotators == ("ann", "bob")
    assert found.matrix()[0].tolist() == [4, 2]
    assert found.matrix()[1][0] == 3
    assert np.isnan(found.matrix()[1][1])
    assert tuple(found.left_out) == (1, 2, 1)
    assert found.judged.tolist() == [2, 1]
    assert found.means.tolist() == [3, 3]


def test_an_item_that_is_decided_first_and_not_last_is_undecided() -> None:
    found = collect_judgements(Ratings([wssim("ann", "a1", "s", 4), wssim("ann", "a1", "s", UNDECIDED)]))
    assert len(found) == 0
    assert found.left_out == (1, 0, 1)
    assert np.isnan(found.means).tolist() == [True]


def test_pairs_of_usages_have_no_direction() -> None:
    rows = [Rating("ann", "Usim", "a.n", "1", "2", 4), Rating("bob", "Usim", "a.n", "2", "1", 5)]
    found = collect_judgements(Ratings(rows))
    assert len(found.items) == 1
    assert found.value.tolist() == [4, 5]


def test_one_task_at_a_time() -> None:
    rows = [Rating("ann", "Usim", "a.n", "1", "2", 4), wssim("ann", "a1", "s", 4)]
    with pytest.raises(InputError, match=r"several tasks \(Usim, WSsim\)"):
        collect_judgements(Ratings(rows))


def random_judgements(seed: int, items: int = 60, people: int = 5) -> Judgements:
    rng = np.random.default_rng(seed)
    rows = [
        wssim(f"p{person}", f"{'abc'[item % 3]}{item}", "s", int(rng.integers(1, 6)))
        for item in range(items)
        for person in range(people)
        if rng.random() < 0.7
    ]
    return collect_judgements(Ratings([rows[place] for place in rng.permutation(len(rows))]))


@pytest.mark.parametrize("seed", range(3))
def test_parts_are_the_rows_of_the_matrix(seed: int) -> None:
    found = random_judgements(seed)
    assert (np.diff(found.item * 10 + found.annotator) > 0).all()
    for lemma, part in found.broken_down(lambda item: item.lemma).items():
        rows = [number for number, item in enumerate(found.items) if item.lemma == lemma]
        assert part.items == tuple(found.items[number] for number in rows)
        np.testing.assert_array_equal(part.matrix(), found.matrix()[rows])
    some = np.array([True, False, True, True, False])
    np.testing.assert_array_equal(found.by_annotators(some).matrix(), found.matrix()[:, some])
    np.testing.assert_array_equal(found.levels[found.level], found.value)


def test_nothing() -> None:
    found = collect_judgements(Ratings([]))
    assert (len(found), found.items, found.annotators) == (0, (), ())
    assert found.broken_down(lambda item: item.lemma) == {}

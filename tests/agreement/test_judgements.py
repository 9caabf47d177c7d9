"""Ratings as columns."""

import numpy as np
import pytest

from polyseme.agreement.judgements import Judgements, collect_judgements, find_undecided
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
    judgements = collect_judgements(Ratings(rows))
    assert judgements.annotators == ("ann", "bob")
    assert judgements.matrix()[0].tolist() == [4, 2]
    assert judgements.matrix()[1][0] == 3
    assert np.isnan(judgements.matrix()[1][1])
    assert tuple(judgements.left_out) == (1, 2, 1)
    assert judgements.judged.tolist() == [2, 1]
    assert judgements.means.tolist() == [3, 3]


def test_an_item_that_is_decided_first_and_not_last_is_undecided() -> None:
    judgements = collect_judgements(Ratings([wssim("ann", "a1", "s", 4), wssim("ann", "a1", "s", UNDECIDED)]))
    assert len(judgements) == 0
    assert judgements.left_out == (1, 0, 1)
    assert np.isnan(judgements.means).tolist() == [True]


def test_pairs_of_usages_have_no_direction() -> None:
    rows = [Rating("ann", "Usim", "a.n", "1", "2", 4), Rating("bob", "Usim", "a.n", "2", "1", 5)]
    judgements = collect_judgements(Ratings(rows))
    assert len(judgements.items) == 1
    assert judgements.value.tolist() == [4, 5]


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
    judgements = random_judgements(seed)
    assert (np.diff(judgements.item * 10 + judgements.annotator) > 0).all()
    for lemma, part in judgements.broken_down(lambda item: item.lemma).items():
        rows = [number for number, item in enumerate(judgements.items) if item.lemma == lemma]
        assert part.items == tuple(judgements.items[number] for number in rows)
        np.testing.assert_array_equal(part.matrix(), judgements.matrix()[rows])
    selected = np.array([True, False, True, True, False])
    np.testing.assert_array_equal(judgements.by_annotators(selected).matrix(), judgements.matrix()[:, selected])
    np.testing.assert_array_equal(judgements.levels[judgements.level], judgements.value)


def test_nothing() -> None:
    judgements = collect_judgements(Ratings([]))
    assert (len(judgements), judgements.items, judgements.annotators) == (0, (), ())
    assert judgements.broken_down(lambda item: item.lemma) == {}


def test_undecided_judgements_keep_the_numbers_of_items_and_annotators() -> None:
    rng = np.random.default_rng(0)
    rows = [
        Rating(
            f"p{who}", "Usim", "a.n", f"u{min(one, two)}", f"u{max(one, two)}", UNDECIDED if rng.random() < 0.3 else 4.0
        )
        for who, one, two in rng.integers(0, 6, (80, 3)).tolist()
    ]
    ratings = Ratings(rows)
    judgements = collect_judgements(ratings)
    undecided = find_undecided(ratings, judgements)
    assert (undecided.items, undecided.annotators) == (judgements.items, judgements.annotators)
    assert len(undecided) == judgements.left_out.undecided > 0
    cells = [set(zip(part.item.tolist(), part.annotator.tolist(), strict=True)) for part in (judgements, undecided)]
    assert not cells[0] & cells[1]
    assert len(cells[0] | cells[1]) == len({(row.annotator, row.item) for row in rows})


def test_no_judgement_is_undecided_if_all_are_decided() -> None:
    ratings = Ratings([Rating("ann", "WSsim", "a.n", "u", "s", 3)])
    assert len(find_undecided(ratings, collect_judgements(ratings))) == 0

"""Judgements as a long table, and scales."""

import math

import numpy as np
import pytest
from hypothesis import given

from polyseme.inventory import Inventory, Sense
from polyseme.rating import CHOICE, DUREL, UNDECIDED, WSSIM, Item, Rating, Ratings, Scale
from values import ratings

ANN = Rating("ann", "WSsim", "win.v", "win.v.1", "a", 5)
BOB = ANN._replace(annotator="bob", value=3)


@pytest.mark.parametrize("scale", [WSSIM, DUREL, CHOICE])
def test_every_value_of_a_scale_has_a_label(scale: Scale) -> None:
    values = range(scale.lowest, scale.highest + 1)
    assert [scale.label(value) for value in values] == list(scale.labels)
    assert all(scale.allows(value) for value in values)
    assert not any(scale.allows(value) for value in (scale.lowest - 1, scale.highest + 1, scale.lowest + 0.5))


def test_undecided_is_on_every_scale_and_means_none_of_its_values() -> None:
    assert WSSIM.allows(UNDECIDED)
    with pytest.raises(ValueError, match="nan is not on the scale from 1 to 5"):
        WSSIM.label(UNDECIDED)


def test_nothing_is_merged() -> None:
    twice = Ratings([ANN, ANN._replace(value=4, round="2"), BOB])
    assert len(twice) == 3
    assert twice.items == (Item("WSsim", "win.v", "win.v.1", "a"),)
    assert twice.group_by_item() == {twice.items[0]: {"ann": 4, "bob": 3}}


def test_the_matrix_has_a_gap_where_nobody_judged_or_could_decide() -> None:
    matrix = Ratings([ANN, BOB._replace(target="b"), ANN._replace(target="b", value=UNDECIDED)]).matrix()
    np.testing.assert_array_equal(matrix, [[5, np.nan], [np.nan, 3]])


def test_counting_the_undecided() -> None:
    assert Ratings([ANN, BOB._replace(value=UNDECIDED)]).undecided == 1


def test_complete_adds_a_judgement_for_every_sense() -> None:
    senses = Inventory([Sense("a", "win.v"), Sense("b", "win.v"), Sense("c", "ask.v")])
    full = Ratings([ANN, BOB, BOB._replace(usage="win.v.2", target="b")]).complete(senses, 1)
    assert [(row.annotator, row.usage, row.target, row.value) for row in full][3:] == [
        ("ann", "win.v.1", "b", 1),
        ("bob", "win.v.1", "b", 1),
        ("bob", "win.v.2", "a", 1),
    ]


@given(ratings())
def test_equal_to_itself_even_if_undecided(table: Ratings) -> None:
    copy = Ratings(Rating(*row) for row in table)
    assert table == copy
    assert hash(table) == hash(copy)
    assert len(table.filter(lambda row: math.isnan(row.value))) == table.undecided


def test_unequal() -> None:
    assert Ratings([ANN]) != Ratings([BOB])
    assert Ratings([ANN]) != Ratings([ANN, BOB])
    assert Ratings([ANN._replace(value=UNDECIDED)]) != Ratings([ANN])
    assert Ratings([ANN]) != [ANN]

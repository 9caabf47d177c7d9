"""Associations, computed by hand from 2×2 tables."""

import math
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from polyseme import parts
from polyseme.corpus.association import G2, NPMI, PMI, ConditionalProbability, Dice, association_matrix
from polyseme.corpus.counts import CooccurrenceCounts, equal_matrices
from polyseme.corpus.vocabulary import Vocabulary

MEASURES = [Dice(), G2(), G2(signed=True), PMI(), PMI(positive=True), NPMI(), ConditionalProbability()]


def value(measure: Any, joint: float, first: float, second: float, total: float) -> float:
    arrays = (np.array([each], float) for each in (joint, first, second))
    return float(measure.compute(*arrays, float(total))[0])


def g_squared(joint: int, first: int, second: int, total: int) -> float:
    """2 Σ O ln(O / E), cell by cell."""
    rows, columns = (first, total - first), (second, total - second)
    cells = ((joint, first - joint), (second - joint, total - first - second + joint))
    return 2 * sum(
        cells[row][column] * math.log(cells[row][column] * total / (rows[row] * columns[column]))
        for row in range(2)
        for column in range(2)
        if cells[row][column]
    )


def test_measures_follow_a_worked_example() -> None:
    """|10 20| / |30 40|: expected 12, 18, 28, 42."""
    joint, first, second, total = 10, 30, 40, 100
    assert value(Dice(), joint, first, second, total) == pytest.approx(20 / 70)
    by_hand = 2 * (10 * math.log(10 / 12) + 20 * math.log(20 / 18) + 30 * math.log(30 / 28) + 40 * math.log(40 / 42))
    assert value(G2(), joint, first, second, total) == pytest.approx(by_hand)
    assert value(G2(), joint, first, second, total) == pytest.approx(0.8043, abs=1e-4)
    assert value(G2(signed=True), joint, first, second, total) == pytest.approx(-by_hand)
    assert value(PMI(), joint, first, second, total) == pytest.approx(math.log2(10 / 12))
    assert value(PMI(positive=True), joint, first, second, total) == 0
    assert value(NPMI(), joint, first, second, total) == pytest.approx(math.log2(10 / 12) / math.log2(10))
    assert value(ConditionalProbability(), joint, first, second, total) == pytest.approx(1 / 3)


def test_g2_agrees_with_dunnings_figures() -> None:
    """The first rows of Table 1 in Dunning (1993): AB, A¬B, ¬AB, ¬A¬B and −2 log λ."""
    for table, expected in {(110, 2442, 111, 29114): 270.72, (29, 13, 123, 31612): 263.90}.items():
        both, first, second, neither = table
        values = value(G2(), both, both + first, both + second, both + first + second + neither)
        assert values == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize(
    "table, expected",
    [
        ((2, 4, 4, 8), {"Dice": 0.5, "G2": 0, "PMI": 0, "NPMI": 0, "ConditionalProbability": 0.5}),  # independent
        ((4, 4, 4, 8), {"Dice": 1, "G2": 16 * math.log(2), "PMI": 1, "NPMI": 1}),  # always together
        ((8, 8, 8, 8), {"Dice": 1, "G2": 0, "PMI": 0, "NPMI": 1, "ConditionalProbability": 1}),  # there is nothing else
    ],
)
def test_extremes(table: tuple[int, int, int, int], expected: dict[str, float]) -> None:
    for name, figure in expected.items():
        assert value(parts.build(name, "association"), *table) == pytest.approx(figure, abs=1e-12)


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, int, int, int]:
    cells = [draw(st.integers(1, 10**6)), *(draw(st.integers(0, 10**9)) for _ in range(3))]
    return cells[0], cells[0] + cells[1], cells[0] + cells[2], sum(cells)


@settings(max_examples=200, deadline=None)
@given(tables())
def test_measures_stay_in_their_range_and_are_symmetric(table: tuple[int, int, int, int]) -> None:
    joint, first, second, total = table
    assert 0 <= value(Dice(), *table) <= 1
    assert 0 <= value(ConditionalProbability(), *table) <= 1
    assert -1 - 1e-9 <= value(NPMI(), *table) <= 1 + 1e-9
    assert value(G2(), *table) >= 0
    assert value(G2(), *table) == pytest.approx(max(g_squared(*table), 0), rel=1e-4, abs=1e-3)
    assert abs(value(G2(signed=True), *table)) == value(G2(), *table)
    for measure in (Dice(), G2(), PMI(), NPMI()):
        assert value(measure, *table) == pytest.approx(value(measure, joint, second, first, total), rel=1e-6, abs=1e-9)


def random_counts(symmetric: bool) -> CooccurrenceCounts:
    rng = np.random.default_rng(4)
    matrix = sp.csr_array(np.triu(rng.integers(0, 3, (40, 40)), 0 if symmetric else -40))
    words = Vocabulary([f"w{number}" for number in range(40)], np.full(40, 9))
    first, second = rng.integers(4, 9, 40), rng.integers(4, 9, 40)
    return CooccurrenceCounts(matrix, words, words, first, first if symmetric else second, 99, symmetric)


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("measure", MEASURES, ids=repr)
def test_each_pair_of_a_matrix_has_its_value(measure: Any, symmetric: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """In chunks as well as entry by entry; and those above a minimum only."""
    monkeypatch.setattr("polyseme.corpus.association.CHUNK_PAIRS", 7)
    counts = random_counts(symmetric)
    values = association_matrix(measure, counts)
    dense = counts.matrix.toarray()
    expected = np.zeros(dense.shape)
    for row, column in zip(*np.nonzero(dense), strict=True):
        totals = counts.row_totals[row], counts.column_totals[column]
        expected[row, column] = value(measure, dense[row, column], *totals, counts.total)
    np.testing.assert_allclose(values.toarray(), expected, rtol=1e-12, atol=1e-12)
    if symmetric and measure.symmetric:
        assert equal_matrices(values, values.T.tocsr())
    strong = association_matrix(measure, counts, 0.3).toarray()
    np.testing.assert_array_equal(strong, np.where(values.toarray() >= 0.3, values.toarray(), 0))


def test_counts_without_pairs_are_accepted() -> None:
    words = Vocabulary(["a", "b"], [1, 1])
    counts = CooccurrenceCounts(
        sp.csr_array((2, 2), dtype=np.int64), words, words, np.ones(2, int), np.ones(2, int), 2, True
    )
    assert association_matrix(G2(), counts).nnz == 0


def test_every_association_is_a_part() -> None:
    names = {name for name, part in parts.parts_by_name().items() if part.kind == "association"}
    assert names == {type(measure).__name__ for measure in MEASURES}

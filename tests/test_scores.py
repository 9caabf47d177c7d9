"""Scores: per unit first, aggregation second."""

import math
import pickle
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.scores import Scores, ScoreSummary, harmonic_mean, safe_ratio

value = st.one_of(st.just(math.nan), st.floats(0, 1))
LEMMAS = ("add.v", "cat.n", "win.v")


@st.composite
def unit_scores(draw: st.DrawFn) -> tuple[Scores, list[float]]:
    """Scores of usages, and the values they were made from; NaN is a usage without an answer."""
    lemmas = draw(st.lists(st.sampled_from(LEMMAS), min_size=1, max_size=20))
    values = draw(st.lists(value, min_size=len(lemmas), max_size=len(lemmas)))
    units = [f"{lemma}.{number}" for number, lemma in enumerate(lemmas)]
    return Scores.from_units("Jaccard()", units, lemmas, values), values


def answered(values: Sequence[float]) -> list[float]:
    return [value for value in values if not math.isnan(value)]


def f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


# -- arithmetic ----------------------------------------------------------------------------------------------------


def test_a_ratio_by_zero_has_a_default() -> None:
    above, below = np.array([1.0, 1.0, 0.0]), np.array([2.0, 0.0, 0.0])
    np.testing.assert_array_equal(safe_ratio(above, below), [0.5, np.nan, np.nan])
    np.testing.assert_array_equal(safe_ratio(above, below, empty=1.0), [0.5, 1.0, 1.0])


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_harmonic_mean_of_zero_is_zero(a: float, b: float) -> None:
    mean = float(harmonic_mean(np.array(a), np.array(b)))
    assert mean == pytest.approx(f1(a, b))
    assert mean == float(harmonic_mean(np.array(b), np.array(a)))
    assert mean <= max(a, b) + 1e-12


def test_harmonic_of_nothing() -> None:
    np.testing.assert_array_equal(harmonic_mean(np.array([0.0, np.nan, 1.0]), np.array([0.0, 1.0, np.nan])), [0, 0, 0])


def test_summaries_turn_sums_into_figures() -> None:
    def figures(totals: dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float64]]]) -> dict[str, float]:
        return {name: float(value) for name, value in totals.items()}

    assert figures(ScoreSummary.answered(np.array([1.0, 2.0, 4.0]))) == pytest.approx(
        {"precision": 0.5, "recall": 0.25, "f1": 1 / 3}
    )
    assert figures(ScoreSummary.mean(np.array([3.0, 4.0]))) == {"score": 0.75}
    assert figures(ScoreSummary.f_of_means(np.array([1.0, 0.5, 2.0]))) == pytest.approx(
        {"precision": 0.5, "recall": 0.25, "f1": 1 / 3}
    )
    assert figures(ScoreSummary.mean_f(np.array([1.0, 2.0, 3.0, 4.0]))) == {
        "precision": 0.25,
        "recall": 0.5,
        "f1": 0.75,
    }


# -- making --------------------------------------------------------------------------------------------------------


@given(unit_scores())
def test_units_are_summarised_by_precision_and_recall(drawn: tuple[Scores, list[float]]) -> None:
    scores, values = drawn
    expected = answered(values)
    precision = sum(expected) / len(expected) if expected else 0.0
    recall = sum(expected) / len(values)
    total = {"precision": precision, "recall": recall, "f1": f1(precision, recall)}
    assert scores.total() == pytest.approx(total)
    assert scores.figure() == pytest.approx(total["f1"])
    assert len(scores) == len(values)


@given(st.lists(st.tuples(value, st.integers(1, 9)), min_size=1, max_size=9))
def test_lemmas_are_summarised_by_their_mean(pairs: list[tuple[float, int]]) -> None:
    lemmas = [f"l{number}" for number in range(len(pairs))]
    values, weights = [value for value, _ in pairs], [float(weight) for _, weight in pairs]
    defined = [(value, weight) for value, weight in pairs if not math.isnan(value)]
    plain, weighted = Scores.from_lemmas("V()", lemmas, values), Scores.from_lemmas("V()", lemmas, values, weights)
    if defined:
        total = sum(weight for _, weight in defined)
        assert plain.total() == pytest.approx({"score": sum(value for value, _ in defined) / len(defined)})
        assert weighted.figure() == pytest.approx(sum(value * weight for value, weight in defined) / total)
    else:
        assert math.isnan(plain.figure())
        assert math.isnan(weighted.figure())
    assert plain.units == plain.lemmas == tuple(lemmas)


def test_parts_must_match() -> None:
    with pytest.raises(ValueError, match="1 units, 2 lemmas, 1 rows of statistics"):
        Scores.from_units("Jaccard()", ["u1"], ["x", "y"], [0.5])


def test_it_cannot_be_changed() -> None:
    scores = Scores.from_lemmas("V()", ["a"], [0.5])
    with pytest.raises(AttributeError, match="cannot assign"):
        scores.measure = "F()"  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        scores.sums[0] = 1


@given(unit_scores())
def test_equality_ignores_nan(drawn: tuple[Scores, list[float]]) -> None:
    scores, values = drawn
    assert scores == Scores.from_units("Jaccard()", scores.units, scores.lemmas, values)
    assert scores == pickle.loads(pickle.dumps(scores))
    assert scores != Scores.from_units("Ksim()", scores.units, scores.lemmas, values)
    assert scores != Scores.from_units("Jaccard()", scores.units, scores.lemmas, [2.0] * len(values))
    assert scores != "Jaccard()"


# -- reading -------------------------------------------------------------------------------------------------------


@given(unit_scores())
def test_figures_of_each_unit(drawn: tuple[Scores, list[float]]) -> None:
    scores, values = drawn
    figures_by_unit = scores.per_unit()
    assert list(figures_by_unit) == list(scores.units)
    for unit, value in zip(scores.units, values, strict=True):
        expected = 0.0 if math.isnan(value) else value
        assert figures_by_unit[unit] == pytest.approx({"precision": expected, "recall": expected, "f1": expected})


def test_each_is_undefined_where_a_lemma_has_no_score() -> None:
    figures_by_unit = Scores.from_lemmas("V()", ["a", "b"], [0.5, math.nan]).per_unit()
    assert figures_by_unit["a"] == {"score": 0.5}
    assert math.isnan(figures_by_unit["b"]["score"])


@given(unit_scores(), st.sampled_from(["precision", "recall", "f1"]))
def test_only_makes_one_figure_the_score(drawn: tuple[Scores, list[float]], figure: str) -> None:
    scores, _ = drawn
    only = scores.only(figure)
    assert only.total() == {"score": scores.total()[figure]}
    assert only.figure() == scores.total()[figure]
    assert only == scores.only(figure)


@given(unit_scores(), st.data())
def test_select_keeps_the_chosen_units(drawn: tuple[Scores, list[float]], data: st.DataObject) -> None:
    scores, values = drawn
    keep = data.draw(st.lists(st.booleans(), min_size=len(scores), max_size=len(scores)))
    selected = scores.select(np.array(keep))
    rows = [row for row, is_selected in enumerate(keep) if is_selected]
    assert selected == Scores.from_units(
        "Jaccard()",
        [scores.units[row] for row in rows],
        [scores.lemmas[row] for row in rows],
        [values[row] for row in rows],
    )


@given(unit_scores())
def test_by_lemma_is_a_partition(drawn: tuple[Scores, list[float]]) -> None:
    scores, _ = drawn
    parts = scores.group_by_lemma()
    assert list(parts) == list(dict.fromkeys(scores.lemmas))
    assert all(set(part.lemmas) == {lemma} for lemma, part in parts.items())
    assert sum(map(len, parts.values())) == len(scores)
    np.testing.assert_allclose(sum(part.sums.sum(axis=0) for part in parts.values()), scores.sums.sum(axis=0))


@given(unit_scores())
def test_groups_of_lemmas_and_of_units(drawn: tuple[Scores, list[float]]) -> None:
    scores, _ = drawn
    by_pos = scores.group_by_lemma({"add.v": "verb", "win.v": "verb"})
    assert {lemma for part in by_pos.values() for lemma in part.lemmas} == set(scores.lemmas) - {"cat.n"}
    by_unit = scores.group_by(lambda unit: unit[:5])
    assert {name: part.total() for name, part in by_unit.items()} == {
        name: part.total() for name, part in scores.group_by_lemma().items()
    }
    assert scores.group_by({}) == {}


@given(unit_scores())
def test_statistics_are_summed_by_lemma(drawn: tuple[Scores, list[float]]) -> None:
    scores, _ = drawn
    sums = scores.lemma_sums(LEMMAS)
    parts = scores.group_by_lemma()
    for row, lemma in enumerate(LEMMAS):
        expected = parts[lemma].sums.sum(axis=0) if lemma in parts else [0, 0, 0]
        np.testing.assert_allclose(sums[row], expected)


def test_lemma_sums_of_nothing() -> None:
    nothing = Scores.from_lemmas("V()", ["a"], [0.5]).select(np.array([False]))
    np.testing.assert_array_equal(nothing.lemma_sums(["a"]), [[0.0, 0.0]])


def test_lemma_sums_leave_other_lemmas_out() -> None:
    np.testing.assert_array_equal(Scores.from_lemmas("V()", ["a", "b"], [0.5, 1]).lemma_sums(["b"]), [[1.0, 1.0]])

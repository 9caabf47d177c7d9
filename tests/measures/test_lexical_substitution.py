"""Measures of lexical substitution, by hand and by brute force."""

import math
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polyseme.errors import InputError
from polyseme.labelling import Labelling
from polyseme.measures.lexical_substitution import BestGuess, GeneralisedAveragePrecision, OutOfTen, PrecisionAt
from polyseme.measures.protocol import Measure

GOLD = {"clever": 3.0, "intelligent": 2.0, "smart": 1.0}
"""Six responses; clever is the mode."""


def labelled(*usages: dict[str, float]) -> Labelling:
    return Labelling((("bright.a", f"bright.a.{number}", senses) for number, senses in enumerate(usages) if senses))


def score(measure: Measure, gold: dict[str, float], system: dict[str, float]) -> float:
    """The score of one usage."""
    return measure(labelled(gold), labelled(system)).total()["recall"]


def in_order(*substitutes: str) -> dict[str, float]:
    """Substitutes from the best to the worst."""
    return {name: 1 / place for place, name in enumerate(substitutes, start=1)}


# -- best ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "system, guesses, best",
    [
        (in_order("clever"), 1, 3 / 6),
        (in_order("smart", "clever"), 1, 1 / 6),
        (in_order("smart", "clever"), None, (1 + 3) / 2 / 6),
        (in_order("smart", "clever"), 3, (1 + 3) / 2 / 6),
        (in_order("clever", "intelligent", "smart"), 2, (3 + 2) / 2 / 6),
        (in_order("shiny", "sunny"), None, 0.0),
        ({"clever": 1.0, "shiny": 1.0}, 1, 3 / 6 / 2),
    ],
)
def test_best_divides_by_the_number_of_guesses(system: dict[str, float], guesses: int | None, best: float) -> None:
    assert score(BestGuess(guesses), GOLD, system) == pytest.approx(best)


@pytest.mark.parametrize(
    "system, guesses, mode",
    [
        (in_order("clever", "smart"), None, 1.0),
        (in_order("smart", "clever"), None, 0.0),
        (in_order("smart", "clever"), 2, 0.0),
        ({"clever": 1.0, "shiny": 1.0}, 1, 0.5),
    ],
)
def test_only_the_first_guess_can_be_the_mode(system: dict[str, float], guesses: int | None, mode: float) -> None:
    assert score(BestGuess(guesses, mode=True), GOLD, system) == pytest.approx(mode)


def test_usages_with_no_mode_or_several_are_not_scored_by_it() -> None:
    gold = labelled(GOLD, {"lit": 2.0, "shiny": 2.0, "gay": 1.0}, {"lit": 1.0, "shiny": 1.0}, {"sunny": 2.0})
    system = labelled(in_order("clever"), in_order("lit"), in_order("lit"), in_order("lit", "sunny"))
    best, oot = BestGuess(mode=True)(gold, system), OutOfTen(mode=True)(gold, system)
    assert best.units == oot.units == ("bright.a.0", "bright.a.3")
    assert best.total()["recall"] == 0.5
    assert oot.total()["recall"] == 1.0


def test_without_any_mode_there_is_no_figure() -> None:
    scores = BestGuess(mode=True)(labelled({"lit": 1.0, "shiny": 1.0}), labelled(in_order("lit")))
    assert len(scores) == 0
    assert math.isnan(scores.total()["recall"])


def test_unanswered_usages_cost_recall_and_not_precision() -> None:
    gold, system = labelled(GOLD, GOLD), labelled(in_order("clever"))
    for measure, value in ((BestGuess(), 0.5), (BestGuess(mode=True), 1.0), (OutOfTen(), 0.5), (PrecisionAt(), 1.0)):
        total = measure(gold, system).total()
        assert (total["precision"], total["recall"]) == (value, value / 2)


# -- out of ten ----------------------------------------------------------------------------------------------------


def test_out_of_ten_is_not_divided() -> None:
    others = [f"word{number}" for number in range(8)]
    assert score(OutOfTen(), GOLD, in_order(*others, "clever", "smart")) == pytest.approx(4 / 6)
    assert score(OutOfTen(), GOLD, in_order("clever", "smart")) == pytest.approx(4 / 6)


def test_the_eleventh_substitute_does_not_count() -> None:
    others = [f"word{number}" for number in range(9)]
    eleven = in_order(*others, "smart", "clever")
    assert score(OutOfTen(), GOLD, eleven) == pytest.approx(1 / 6)
    assert score(OutOfTen(mode=True), GOLD, eleven) == 0.0
    assert score(OutOfTen(mode=True), GOLD, in_order(*others, "clever", "smart")) == 1.0


def test_of_twenty_that_weigh_the_same_each_is_out_of_ten_with_chance_a_half() -> None:
    twenty = dict.fromkeys(["clever", *(f"word{number}" for number in range(19))], 1.0)
    assert score(OutOfTen(), GOLD, twenty) == pytest.approx(0.5 * 3 / 6)
    assert score(OutOfTen(mode=True), GOLD, twenty) == pytest.approx(0.5)


def test_expressions_are_substitutes_like_others() -> None:
    gold = {"quick on the uptake": 1.0, "clever": 1.0}
    assert score(OutOfTen(), gold, in_order("quick on the uptake")) == 0.5
    assert score(OutOfTen(), gold, in_order("quick", "uptake")) == 0.0


# -- precision at k ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "system, rank, precision",
    [
        (in_order("smart", "shiny", "clever", "intelligent"), 1, 1.0),
        (in_order("smart", "shiny", "clever", "intelligent"), 3, 2 / 3),
        (in_order("smart"), 3, 1 / 3),
        ({"smart": 1.0, "shiny": 1.0}, 1, 0.5),
        (in_order("shiny"), 1, 0.0),
    ],
)
def test_precision_at_k(system: dict[str, float], rank: int, precision: float) -> None:
    assert score(PrecisionAt(rank), GOLD, system) == pytest.approx(precision)


def test_what_nobody_gave_is_no_gold_substitute() -> None:
    assert score(PrecisionAt(), {"clever": 1.0, "shiny": 0.0}, in_order("shiny")) == 0.0


# -- generalised average precision ---------------------------------------------------------------------------------

BRIGHT = labelled({"clever": 3.0, "smart": 1.0}, {"shiny": 2.0, "clever": 1.0}, {"sunny": 1.0})
"""The candidates of the lemma are clever, smart, shiny and sunny."""


@pytest.mark.parametrize(
    "system, gap",
    [
        (in_order("clever", "smart", "shiny", "sunny"), 1.0),
        (in_order("smart", "clever"), (1 + 4 / 2) / (3 + 4 / 2)),
        (in_order("shiny", "clever", "sunny", "smart"), (3 / 2 + 4 / 4) / (3 + 4 / 2)),
        (in_order("lit", "brainy", "smart", "clever"), (1 + 4 / 2) / (3 + 4 / 2)),
        (in_order("clever"), (3 + (4 / 2 + 4 / 3 + 4 / 4) / 3) / 5),
    ],
)
def test_candidates_are_ranked_and_the_rest_passed_over(system: dict[str, float], gap: float) -> None:
    scores = GeneralisedAveragePrecision()(BRIGHT, labelled(system))
    assert scores.per_unit()["bright.a.0"]["recall"] == pytest.approx(gap)


@pytest.mark.parametrize(
    "system, gap",
    [
        (in_order("clever", "smart"), 1.0),
        (in_order("lit", "clever"), (3 / 2) / (3 + 4 / 2)),
        (in_order("lit", "brainy"), 0.0),
        (in_order("smart", "lit", "clever"), (1 + 4 / 3) / (3 + 4 / 2)),
    ],
)
def test_answers_are_ranked_and_what_is_missing_costs(system: dict[str, float], gap: float) -> None:
    scores = GeneralisedAveragePrecision("answers")(BRIGHT, labelled(system))
    assert scores.per_unit()["bright.a.0"]["recall"] == pytest.approx(gap)


def plain_gap(gold: dict[str, float], ranking: tuple[str, ...]) -> float:
    """GAP of one ranking, as the formula reads."""

    def summed(values: list[float]) -> float:
        return sum(sum(values[:place]) / place for place, value in enumerate(values, start=1) if value > 0)

    return summed([gold.get(name, 0.0) for name in ranking]) / summed(sorted(gold.values(), reverse=True))


counts = st.sampled_from([0.0, 1.0, 2.0, 3.0])
weights = st.dictionaries(st.sampled_from("abcdef"), counts, min_size=1)


@settings(max_examples=80, deadline=None)
@given(gold=weights, system=weights)
def test_ties_are_scored_by_the_mean_over_their_orders(gold: dict[str, float], system: dict[str, float]) -> None:
    if not any(gold.values()):
        return
    blocks = [[name for name in gold if system.get(name, 0.0) == weight] for weight in (3.0, 2.0, 1.0, 0.0)]
    rankings = [sum(order, ()) for order in product(*(permutations(block) for block in blocks))]
    expected = math.fsum(plain_gap(gold, ranking) for ranking in rankings) / len(rankings)
    assert score(GeneralisedAveragePrecision(), gold, system) == pytest.approx(expected)


@settings(max_examples=80, deadline=None)
@given(gold=weights, system=weights, rank=st.integers(1, 4))
def test_ties_at_the_cut_are_scored_by_the_mean_too(
    gold: dict[str, float], system: dict[str, float], rank: int
) -> None:
    blocks = [[name for name, weight in system.items() if weight == value] for value in (3.0, 2.0, 1.0, 0.0)]
    rankings = [sum(order, ()) for order in product(*(permutations(block) for block in blocks))]
    hits = [sum(gold.get(name, 0.0) > 0 for name in ranking[:rank]) for ranking in rankings]
    assert score(PrecisionAt(rank), gold, system) == pytest.approx(sum(hits) / len(hits) / rank)


def test_options_out_of_range() -> None:
    with pytest.raises(InputError, match=r"BestGuess\(guesses=0, mode=False\): guesses must be 1 or more, or None"):
        BestGuess(0)
    with pytest.raises(InputError, match="rank must be 1 or more"):
        PrecisionAt(0)
    with pytest.raises(InputError, match="candidates"):
        GeneralisedAveragePrecision("all")  # type: ignore[arg-type]

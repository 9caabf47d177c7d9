"""Every measure has the properties that it declares; a new one fails here until it is classified."""

import dataclasses
import math
import random
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairs import Pair, above_zero, pairs, without
from polyseme import parts
from polyseme.labelling import Labelling
from polyseme.measures.protocol import Measure, MeasureProperties
from polyseme.scores import Scores
from rules import check_every
from strategies import tied

UNITS = {
    "AdjustedMutualInformation": "lemma",
    "AdjustedRand": "lemma",
    "BCubed": "lemma",
    "BestGuess": "usage",
    "Cosine": "usage",
    "ExtendedBCubed": "lemma",
    "FuzzyBCubed": "lemma",
    "FuzzyNMI": "lemma",
    "GeneralisedAveragePrecision": "usage",
    "GoodmanKruskal": "usage",
    "Jaccard": "usage",
    "JensenShannonDivergence": "usage",
    "JensenShannonSimilarity": "usage",
    "Ksim": "usage",
    "MelamedResnik": "usage",
    "OutOfTen": "usage",
    "OverlappingNMI": "lemma",
    "PairedF": "lemma",
    "PrecisionAt": "usage",
    "Spearman": "lemma",
    "VMeasure": "lemma",
    "WNDCG": "usage",
    "WeightedOverlap": "usage",
}
"""The units of each measure: usages or lemmas. A new measure is classified here first."""

FIRST_SENSE_ONLY = {"AdjustedMutualInformation", "AdjustedRand", "BCubed", "PairedF", "VMeasure"}
"""Measures of clusterings use the first sense of a line; for them the order of senses matters."""

few_examples = settings(max_examples=60, deadline=None)
TOLERANCE = 1e-9


def list_variants(part: type[Any]) -> Iterator[Any]:
    """Yield a measure with every combination of the options whose values can be listed."""
    hints = get_type_hints(part)
    choices = {
        option.name: get_args(hints[option.name]) if get_origin(hints[option.name]) is Literal else (False, True)
        for option in dataclasses.fields(part)
        if get_origin(hints[option.name]) is Literal or hints[option.name] is bool
    }
    yield from (part(**dict(zip(choices, values, strict=True))) for values in product(*choices.values()))


MEASURES: list[Any] = [
    measure for part in parts.parts_by_name().values() if part.kind == "measure" for measure in list_variants(part)
]


def get_name(measure: Measure) -> str:
    return type(measure).__name__


def is_scored(measure: Measure, senses: Mapping[str, float]) -> bool:
    """Whether a measure scores a usage with these gold senses; some score usages with one sense, or with a mode."""
    if getattr(measure, "mode", False):
        return max(senses.values()) > 0 and list(senses.values()).count(max(senses.values())) == 1
    return len(senses) == 1 or not getattr(measure, "single", False)


def assert_equal(one: Scores, other: Scores) -> None:
    """Check that figures and units are equal, whatever the order of units."""
    assert one.total() == pytest.approx(other.total(), abs=TOLERANCE, nan_ok=True)
    first, second = one.per_unit(), other.per_unit()
    assert first.keys() == second.keys()
    for unit, figures in first.items():
        assert figures == pytest.approx(second[unit], abs=TOLERANCE, nan_ok=True), unit


def make_example(seed: int) -> Pair:
    """Return two complete labellings of the same ten usages of two lemmas."""
    rng = random.Random(seed)
    usages = [(lemma, f"{lemma}.{number}") for lemma in ("add.v", "cat.n") for number in range(5)]

    def labels() -> dict[str, float]:
        return {sense: rng.choice([0.25, 0.5, 1.0]) for sense in rng.sample("abc", rng.randint(1, 3))}

    gold, system = (Labelling((lemma, usage, labels()) for lemma, usage in usages) for _ in range(2))
    return gold, system


# -- declarations -- ----------------------------------------------------------------------------------------------


def test_every_measure_is_classified() -> None:
    assert {get_name(measure) for measure in MEASURES} == set(UNITS)


def test_a_measure_is_a_value() -> None:
    def check(measure: Any) -> None:
        assert isinstance(measure.properties, MeasureProperties)
        assert parts.build(repr(measure), "measure") == measure
        assert hash(parts.build(repr(measure))) == hash(measure)
        with pytest.raises(dataclasses.FrozenInstanceError):
            measure.kind = "mapping"
        assert isinstance(measure, Measure)

    check_every(MEASURES, check)


def test_declared_properties_are_consistent() -> None:
    def check(measure: Measure) -> None:
        properties = measure.properties
        assert re.search(r"\b(19|20)\d\d\b", properties.citation), "a citation has a year"
        assert properties.low < properties.high
        assert properties.low <= properties.best <= properties.high

    check_every(MEASURES, check)


# -- figures ----- -------------------------------------------------------------------------------------------------


@few_examples
@given(pair=pairs(outside=2))
def test_figures_lie_in_the_range(pair: Pair) -> None:
    def check(measure: Measure) -> None:
        scores = measure(*pair)
        low, high = measure.properties.low - TOLERANCE, measure.properties.high + TOLERANCE
        for figures in (scores.total(), *scores.per_unit().values()):
            assert all(math.isnan(value) or low <= value <= high for value in figures.values()), figures

    check_every(MEASURES, check)


@few_examples
@given(pair=pairs(outside=2))
def test_units_are_those_of_gold(pair: Pair) -> None:
    def check(measure: Measure) -> None:
        gold, system = pair
        scores = measure(gold, system)
        if UNITS[get_name(measure)] == "lemma":
            assert scores.units == scores.lemmas == gold.lemmas
        else:
            assert scores.units == tuple(usage for usage in gold if is_scored(measure, gold[usage]))
            assert scores.lemmas == tuple(gold.lemma(usage) for usage in scores.units)
        assert scores.measure == repr(measure)

    check_every(MEASURES, check)


@few_examples
@given(pair=pairs())
def test_gold_is_its_own_best_answer_if_so_declared(pair: Pair) -> None:
    """Weights are above 0, and on one scale."""

    def check(measure: Measure) -> None:
        gold = above_zero(pair[0]).normalise("sum")
        scores = measure(gold, gold)
        if len(scores) and not math.isnan(scores.figure()) and measure.properties.self_is_best:
            assert scores.figure() == pytest.approx(measure.properties.best, abs=TOLERANCE)

    check_every(MEASURES, check)


BELOW_BEST: dict[str, Labelling] = {
    "BestGuess": Labelling.from_dict({"u": {"a": 2, "b": 1}}, lemma="x"),
    "FuzzyBCubed": Labelling.hard(["u1", "u2", "u3"], list("aab"), lemma="x"),
    "GoodmanKruskal": Labelling.hard(["u1", "u2"], list("aa"), lemma="x"),
    "WNDCG": Labelling.hard(["u1", "u2"], list("ab"), lemma="x"),
}
"""For each measure by which gold may fall short of itself, a labelling that does."""


def test_gold_may_fall_short_of_itself() -> None:
    short = {part.__name__: part for part in parts.parts_by_name().values() if part.kind == "measure"}
    short = {name: part for name, part in short.items() if not part.properties.self_is_best}
    assert set(short) == set(BELOW_BEST)
    for name, part in short.items():
        assert part()(BELOW_BEST[name], BELOW_BEST[name]).figure() < part.properties.best - 0.1


@few_examples
@given(pair=pairs(complete=True))
def test_measures_are_symmetric_if_so_declared(pair: Pair) -> None:
    def check(measure: Measure) -> None:
        gold, system = pair
        if measure.properties.symmetric:
            assert measure(gold, system).figure() == pytest.approx(
                measure(system, gold).figure(), abs=TOLERANCE, nan_ok=True
            )

    check_every(MEASURES, check)


def test_measures_without_declared_symmetry_are_not_symmetric() -> None:
    def check(measure: Measure) -> None:
        pairs_of_figures = (
            (measure(gold, system).figure(), measure(system, gold).figure())
            for gold, system in map(make_example, range(30))
        )
        is_symmetric = all(math.isclose(a, b, abs_tol=TOLERANCE) for a, b in pairs_of_figures)
        assert measure.properties.symmetric == is_symmetric

    check_every(MEASURES, check)


# -- invariances ------ ------------------------------------------------------------------------------------------


def rename_senses(labelling: Labelling) -> Labelling:
    """Return the labelling with new names of senses, different for each lemma and in another order."""
    return Labelling(
        (lemma, usage, {f"{ord('z') - ord(sense[0])}-{lemma}-{sense}": weight for sense, weight in senses.items()})
        for lemma, usage, senses in labelling.rows()
    )


@few_examples
@given(pair=pairs(outside=2))
def test_names_do_not_matter_if_so_declared(pair: Pair) -> None:
    def check(measure: Measure) -> None:
        gold, system = pair
        if not measure.properties.same_inventory:
            assert_equal(measure(gold, system), measure(gold, rename_senses(system)))
            assert_equal(measure(gold, system), measure(rename_senses(gold), system))

    check_every(MEASURES, check)


def test_names_matter_if_so_declared() -> None:
    def check(measure: Measure) -> None:
        pairs_of_figures = [
            (measure(gold, system).figure(), measure(gold, rename_senses(system)).figure())
            for gold, system in map(make_example, range(10))
        ]
        matters = not all(math.isclose(a, b, abs_tol=TOLERANCE) for a, b in pairs_of_figures)
        assert measure.properties.same_inventory == matters or getattr(measure, "single", False)

    check_every(MEASURES, check)


def shuffle_rows(labelling: Labelling, rng: random.Random, *, senses: bool) -> Labelling:
    rows = list(labelling.rows())
    rng.shuffle(rows)
    return Labelling(
        (lemma, usage, dict(rng.sample(list(labels.items()), len(labels))) if senses else labels)
        for lemma, usage, labels in rows
    )


@few_examples
@given(pair=pairs(outside=2), rng=st.randoms(use_true_random=False))
def test_order_does_not_matter(pair: Pair, rng: random.Random) -> None:
    gold, system = (shuffle_rows(side, rng, senses=True) for side in pair)
    gold_lines, system_lines = (shuffle_rows(side, rng, senses=False) for side in pair)

    def check(measure: Measure) -> None:
        if get_name(measure) in FIRST_SENSE_ONLY:
            assert_equal(measure(*pair), measure(gold_lines, system_lines))
        else:
            assert_equal(measure(*pair), measure(gold, system))

    check_every(MEASURES, check)


@few_examples
@given(pair=pairs(outside=2))
def test_clusterings_depend_on_the_answer_only(pair: Pair) -> None:
    def check(measure: Measure) -> None:
        gold, system = pair
        if get_name(measure) in FIRST_SENSE_ONLY:
            assert_equal(measure(gold, system), measure(gold.single(), system.single()))

    check_every(MEASURES, check)


# -- missing usages ---------- ------------------------------------------------------------------------------------


def costs_recall(measure: Measure, gold: Labelling, system: Labelling, usage: str) -> None:
    """Precision is that of the other usages; recall counts the missing one as 0."""
    scores = measure(gold, system)
    others = scores.select(np.array([unit != usage for unit in scores.units], np.bool_))
    assert scores.total()["precision"] == pytest.approx(others.total()["precision"], abs=TOLERANCE)
    if others.units:
        recall = others.total()["recall"] * len(others) / len(scores)
        assert scores.total()["recall"] == pytest.approx(recall, abs=TOLERANCE)


def costs_zeros(measure: Measure, gold: Labelling, system: Labelling, usage: str) -> None:
    """The same as listing one of the lemma's gold senses with weight 0."""
    zero = Labelling([(gold.lemma(usage), usage, dict.fromkeys(gold[usage], 0.0))])
    assert_equal(measure(gold, system), measure(gold, system | zero))


def costs_most(measure: Measure, gold: Labelling, system: Labelling, usage: str) -> None:
    """The worst value of the range."""
    properties = measure.properties
    worst = properties.high if properties.best == properties.low else properties.low
    assert measure(gold, system).per_unit()[usage] == pytest.approx({"score": worst})


def costs_a_cluster(measure: Measure, gold: Labelling, system: Labelling, usage: str) -> None:
    """The same as one cluster of all unlabelled usages of a lemma."""
    left_out = [other for other in gold if other not in system]
    assert usage in left_out
    cluster = Labelling((gold.lemma(other), other, {"left out": 1.0}) for other in left_out)
    assert_equal(measure(gold, system), measure(gold, system | cluster))


def costs_its_senses(measure: Measure, gold: Labelling, system: Labelling, usage: str) -> None:
    """The same as a sense that no other usage has, with weight 0 where usages are also compared with themselves."""
    weight = 1.0 if get_name(measure) == "FuzzyBCubed" else 0.0
    alone = Labelling([(gold.lemma(usage), usage, {"of its own": weight})])
    if any(other in system for other in gold.for_lemma(gold.lemma(usage))):
        assert_equal(measure(gold, system), measure(gold, system | alone))


COSTS: dict[str, Callable[[Measure, Labelling, Labelling, str], None]] = {
    "recall": costs_recall,
    "zero": costs_zeros,
    "worst": costs_most,
    "cluster": costs_a_cluster,
    "absent": costs_its_senses,
}


@few_examples
@given(pair=pairs(outside=2, weights=tied), data=st.data())
def test_a_missing_usage_costs_what_is_declared(pair: Pair, data: st.DataObject) -> None:
    gold, system = pair
    usage = data.draw(st.sampled_from(gold.usages))
    rest = without(system, usage)
    check_every(MEASURES, lambda measure: COSTS[measure.properties.missing](measure, gold, rest, usage))


def test_a_system_without_labels_is_scored() -> None:
    gold, _ = make_example(1)

    def check(measure: Measure) -> None:
        total = measure(gold, Labelling()).total()
        low, high = measure.properties.low, measure.properties.high
        assert all(math.isnan(value) or low <= value <= high for value in total.values())
        if measure.properties.missing == "recall":
            assert set(total.values()) == {0.0} or getattr(measure, "single", False)

    check_every(MEASURES, check)

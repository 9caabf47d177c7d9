"""Every measure is held to what it declares about itself; a new one fails here until it is classified."""

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
"""What each measure scores: usages or lemmas. A new measure is classified here first."""

FIRST_SENSE_ONLY = {"AdjustedMutualInformation", "AdjustedRand", "BCubed", "PairedF", "VMeasure"}
"""Measures of clusterings look at the first sense on the line, so for them the order of senses has a meaning."""

some = settings(max_examples=60, deadline=None)
TOLERANCE = 1e-9


def variants(part: type[Any]) -> Iterator[Any]:
    """A measure with every combination of its options, where these can be listed."""
    hints = get_type_hints(part)
    choices = {
        option.name: get_args(hints[option.name]) if get_origin(hints[option.name]) is Literal else (False, True)
        for option in dataclasses.fields(part)
        if get_origin(hints[option.name]) is Literal or hints[option.name] is bool
    }
    yield from (part(**dict(zip(choices, chosen, strict=True))) for chosen in product(*choices.values()))


MEASURES: list[Any] = [
    each for part in parts.parts_by_name().values() if part.kind == "measure" for each in variants(part)
]
every_measure = pytest.mark.parametrize("measure", MEASURES, ids=repr)


def all_hold(check: Callable[[Any], None]) -> None:
    """Check every measure on the same labellings, and name those that fail."""
    failures = []
    for measure in MEASURES:
        try:
            check(measure)
        except AssertionError as error:
            failures.append(f"{measure!r}: {error}")
    assert not failures, "\n".join(failures)


def name_of(measure: Measure) -> str:
    return type(measure).__name__


def is_scored(measure: Measure, senses: Mapping[str, float]) -> bool:
    """Whether a measure scores a usage with these gold senses; some look at usages with one sense, or with a mode."""
    if getattr(measure, "mode", False):
        return max(senses.values()) > 0 and list(senses.values()).count(max(senses.values())) == 1
    return len(senses) == 1 or not getattr(measure, "single", False)


def same(one: Scores, other: Scores) -> None:
    """The same figures for the same units, in whatever order these stand."""
    assert one.total() == pytest.approx(other.total(), abs=TOLERANCE, nan_ok=True)
    ours, theirs = one.each(), other.each()
    assert ours.keys() == theirs.keys()
    for unit, figures in ours.items():
        assert figures == pytest.approx(theirs[unit], abs=TOLERANCE, nan_ok=True), unit


def example(seed: int) -> Pair:
    """Two complete labellings of the same ten usages of two lemmas, without hypothesis."""
    rng = random.Random(seed)
    usages = [(lemma, f"{lemma}.{number}") for lemma in ("add.v", "cat.n") for number in range(5)]

    def labels() -> dict[str, float]:
        return {sense: rng.choice([0.25, 0.5, 1.0]) for sense in rng.sample("abc", rng.randint(1, 3))}

    gold, system = (Labelling((lemma, usage, labels()) for lemma, usage in usages) for _ in range(2))
    return gold, system


# -- what is declared ----------------------------------------------------------------------------------------------


def test_every_measure_is_classified() -> None:
    assert {name_of(measure) for measure in MEASURES} == set(UNITS)


@every_measure
def test_a_measure_is_a_value(measure: Any) -> None:
    assert isinstance(measure.properties, MeasureProperties)
    assert parts.build(repr(measure), "measure") == measure
    assert hash(parts.build(repr(measure))) == hash(measure)
    with pytest.raises(dataclasses.FrozenInstanceError):
        measure.kind = "mapping"
    assert isinstance(measure, Measure)


@every_measure
def test_the_declaration_makes_sense(measure: Measure) -> None:
    declared = measure.properties
    assert re.search(r"\b(19|20)\d\d\b", declared.citation), "a citation has a year"
    assert declared.low < declared.high
    assert declared.low <= declared.best <= declared.high


# -- what it gives -------------------------------------------------------------------------------------------------


@some
@given(pair=pairs(outside=2))
def test_figures_lie_in_the_range(pair: Pair) -> None:
    def holds(measure: Measure) -> None:
        scores = measure(*pair)
        low, high = measure.properties.low - TOLERANCE, measure.properties.high + TOLERANCE
        for figures in (scores.total(), *scores.each().values()):
            assert all(math.isnan(value) or low <= value <= high for value in figures.values()), figures

    all_hold(holds)


@some
@given(pair=pairs(outside=2))
def test_units_are_those_of_gold(pair: Pair) -> None:
    def holds(measure: Measure) -> None:
        gold, system = pair
        scores = measure(gold, system)
        if UNITS[name_of(measure)] == "lemma":
            assert scores.units == scores.lemmas == gold.lemmas
        else:
            assert scores.units == tuple(usage for usage in gold if is_scored(measure, gold[usage]))
            assert scores.lemmas == tuple(gold.lemma(usage) for usage in scores.units)
        assert scores.measure == repr(measure)

    all_hold(holds)


@some
@given(pair=pairs())
def test_gold_against_gold(pair: Pair) -> None:
    """With weights that say something, and are on one scale, gold is its own best answer, if that is declared."""

    def holds(measure: Measure) -> None:
        gold = above_zero(pair[0]).normalise("sum")
        scores = measure(gold, gold)
        if len(scores) and not math.isnan(scores.figure()) and measure.properties.self_is_best:
            assert scores.figure() == pytest.approx(measure.properties.best, abs=TOLERANCE)

    all_hold(holds)


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


@some
@given(pair=pairs(complete=True))
def test_symmetric_if_so_declared(pair: Pair) -> None:
    def holds(measure: Measure) -> None:
        gold, system = pair
        if measure.properties.symmetric:
            assert measure(gold, system).figure() == pytest.approx(
                measure(system, gold).figure(), abs=TOLERANCE, nan_ok=True
            )

    all_hold(holds)


@every_measure
def test_what_is_not_declared_symmetric_is_not(measure: Measure) -> None:
    found = [
        (measure(gold, system).figure(), measure(system, gold).figure()) for gold, system in map(example, range(30))
    ]
    assert measure.properties.symmetric == all(math.isclose(a, b, abs_tol=TOLERANCE) for a, b in found)


# -- what does not matter ------------------------------------------------------------------------------------------


def other_names(labelling: Labelling) -> Labelling:
    """New names for the senses, others for each lemma, whose order is not that of the old ones."""
    return Labelling(
        (lemma, usage, {f"{ord('z') - ord(sense[0])}-{lemma}-{sense}": weight for sense, weight in senses.items()})
        for lemma, usage, senses in labelling.rows()
    )


@some
@given(pair=pairs(outside=2))
def test_names_do_not_matter_if_so_declared(pair: Pair) -> None:
    def holds(measure: Measure) -> None:
        gold, system = pair
        if not measure.properties.named:
            same(measure(gold, system), measure(gold, other_names(system)))
            same(measure(gold, system), measure(other_names(gold), system))

    all_hold(holds)


@every_measure
def test_names_matter_if_so_declared(measure: Measure) -> None:
    found = [
        (measure(gold, system).figure(), measure(gold, other_names(system)).figure())
        for gold, system in map(example, range(10))
    ]
    matters = not all(math.isclose(a, b, abs_tol=TOLERANCE) for a, b in found)
    assert measure.properties.named == matters or getattr(measure, "single", False)


def reordered(labelling: Labelling, rng: random.Random, *, senses: bool) -> Labelling:
    rows = list(labelling.rows())
    rng.shuffle(rows)
    return Labelling(
        (lemma, usage, dict(rng.sample(list(labels.items()), len(labels))) if senses else labels)
        for lemma, usage, labels in rows
    )


@some
@given(pair=pairs(outside=2), rng=st.randoms(use_true_random=False))
def test_order_does_not_matter(pair: Pair, rng: random.Random) -> None:
    gold, system = (reordered(side, rng, senses=True) for side in pair)
    gold_of_clusters, system_of_clusters = (reordered(side, rng, senses=False) for side in pair)

    def holds(measure: Measure) -> None:
        if name_of(measure) in FIRST_SENSE_ONLY:
            same(measure(*pair), measure(gold_of_clusters, system_of_clusters))
        else:
            same(measure(*pair), measure(gold, system))

    all_hold(holds)


@some
@given(pair=pairs(outside=2))
def test_clusterings_look_at_the_answer_only(pair: Pair) -> None:
    def holds(measure: Measure) -> None:
        gold, system = pair
        if name_of(measure) in FIRST_SENSE_ONLY:
            same(measure(gold, system), measure(gold.single(), system.single()))

    all_hold(holds)


# -- what a missing usage costs ------------------------------------------------------------------------------------


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
    same(measure(gold, system), measure(gold, system | zero))


def costs_most(measure: Measure, gold: Labelling, system: Labelling, usage: str) -> None:
    """The worst value of the range."""
    declared = measure.properties
    worst = declared.high if declared.best == declared.low else declared.low
    assert measure(gold, system).each()[usage] == pytest.approx({"score": worst})


def costs_a_cluster(measure: Measure, gold: Labelling, system: Labelling, usage: str) -> None:
    """The same as one cluster of all unlabelled usages of a lemma."""
    left_out = [other for other in gold if other not in system]
    assert usage in left_out
    cluster = Labelling((gold.lemma(other), other, {"left out": 1.0}) for other in left_out)
    same(measure(gold, system), measure(gold, system | cluster))


def costs_its_senses(measure: Measure, gold: Labelling, system: Labelling, usage: str) -> None:
    """The same as a sense that no other usage has, with weight 0 where usages are also compared with themselves."""
    weight = 1.0 if name_of(measure) == "FuzzyBCubed" else 0.0
    alone = Labelling([(gold.lemma(usage), usage, {"of its own": weight})])
    if any(other in system for other in gold.of(gold.lemma(usage))):
        same(measure(gold, system), measure(gold, system | alone))


COSTS: dict[str, Callable[[Measure, Labelling, Labelling, str], None]] = {
    "recall": costs_recall,
    "zero": costs_zeros,
    "worst": costs_most,
    "cluster": costs_a_cluster,
    "absent": costs_its_senses,
}


@some
@given(pair=pairs(outside=2, weights=tied), data=st.data())
def test_a_missing_usage_costs_what_is_declared(pair: Pair, data: st.DataObject) -> None:
    gold, system = pair
    usage = data.draw(st.sampled_from(gold.usages))
    left = without(system, usage)
    all_hold(lambda measure: COSTS[measure.properties.missing](measure, gold, left, usage))


@every_measure
def test_a_system_that_labels_nothing(measure: Measure) -> None:
    gold, _ = example(1)
    total = measure(gold, Labelling()).total()
    low, high = measure.properties.low, measure.properties.high
    assert all(math.isnan(value) or low <= value <= high for value in total.values())
    if measure.properties.missing == "recall":
        assert set(total.values()) == {0.0} or getattr(measure, "single", False)

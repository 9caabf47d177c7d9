"""Every mapping follows the common rules and its formula; a new one fails here until it is classified."""

import dataclasses
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import references
from pairs import Pair, pairs
from polyseme import parts
from polyseme.labelling import Labelling
from polyseme.mapping import SenseMapping
from rules import check_every
from strategies import as_rows, tied

REFERENCES: dict[str, Callable[..., dict[str, Fraction]]] = {
    "Agirre": references.agirre,
    "Distribution": references.distribution,
    "Graded": references.graded,
    "MostProbable": references.most_probable,
    "WeightedDistribution": references.weighted_distribution,
}
"""Each mapping in plain Python: the table, and one usage's labels."""

SUM_TO_ONE = {"Agirre", "Distribution", "Graded"}
MAPPINGS: list[Any] = [part() for part in parts.parts_by_name().values() if part.kind == "mapping"]
few_examples = settings(max_examples=40, deadline=None)
training_pairs = pairs(outside=2, weights=tied, senses=st.sampled_from(["s", "t", "u"]))


def test_every_mapping_is_classified() -> None:
    assert {type(mapping).__name__ for mapping in MAPPINGS} == set(REFERENCES)


def test_a_mapping_is_a_value() -> None:
    def check(mapping: Any) -> None:
        assert parts.build(repr(mapping), "mapping") == mapping
        assert hash(parts.build(repr(mapping))) == hash(mapping)
        with pytest.raises(dataclasses.FrozenInstanceError):
            mapping.kind = "measure"

    check_every(MAPPINGS, check)


@few_examples
@given(pair=training_pairs)
def test_mapped_weights_follow_the_formula(pair: Pair) -> None:
    """Exactly so: of senses that tie, mathematically, any may be the heaviest one by rounding."""

    def check(mapping: SenseMapping) -> None:
        gold, system = pair
        mapped = mapping.fit(system, gold)(system)
        name = type(mapping).__name__
        sides = {
            lemma: (system_side, gold_side) for lemma, gold_side, system_side in references.lemmas_of(gold, system)
        }
        for lemma, usage, labels in system.rows():
            expected = REFERENCES[name](*sides.get(lemma, ({}, {})), labels)
            answer = mapped.get(usage, {})
            if name == "MostProbable":
                assert sorted(answer.values()) == pytest.approx(sorted(map(float, expected.values())))
                assert answer.keys() == expected.keys() or _are_tied(
                    sides[lemma], labels, answer.keys() | expected.keys()
                )
            else:
                assert answer == pytest.approx({sense: float(weight) for sense, weight in expected.items()})

    check_every(MAPPINGS, check)


def _are_tied(training: tuple[references.Side, references.Side], labels: references.Labels, senses: set[str]) -> bool:
    table = references.table(*training, references.share)
    totals = {
        sense: sum(Fraction(weight) * table.get(induced, {}).get(sense, 0) for induced, weight in labels.items())
        for sense in senses
    }
    return len(set(totals.values())) == 1


@few_examples
@given(pair=training_pairs)
def test_mapped_senses_are_gold_senses_of_the_lemma(pair: Pair) -> None:
    def check(mapping: SenseMapping) -> None:
        gold, system = pair
        mapped = mapping.fit(system, gold)(system)
        for lemma, usage, senses in mapped.rows():
            assert system.lemma(usage) == lemma
            assert set(senses) <= set(gold.senses(lemma))
        assert [usage for usage in system if usage in mapped] == list(mapped)

    check_every(MAPPINGS, check)


@few_examples
@given(pair=training_pairs)
def test_unseen_senses_are_ignored(pair: Pair) -> None:
    """They change no sense's share; a usage with nothing else is not mapped at all."""

    def check(mapping: SenseMapping) -> None:
        gold, system = pair
        fitted = mapping.fit(system, gold)
        more = Labelling((lemma, usage, labels | {"unseen": 1.0}) for lemma, usage, labels in system.rows())
        with_more, without_more = fitted(more).normalise("sum"), fitted(system).normalise("sum")
        assert list(with_more) == list(without_more)
        for usage, senses in with_more.items():
            assert senses == pytest.approx(without_more[usage])
        assert not len(fitted(Labelling((lemma, usage, {"unseen": 1.0}) for lemma, usage, _ in system.rows())))

    check_every(MAPPINGS, check)


@few_examples
@given(pair=training_pairs)
def test_weights_sum_to_one_where_so_classified(pair: Pair) -> None:
    def check(mapping: SenseMapping) -> None:
        gold, system = pair
        mapped = mapping.fit(system, gold)(system)
        for usage, senses in mapped.items():
            seen = [sense for sense in system[usage] if _is_seen(system.lemma(usage), sense, gold, system)]
            if type(mapping).__name__ in SUM_TO_ONE and len(seen) == len(system[usage]) and any(senses.values()):
                assert sum(senses.values()) == pytest.approx(1.0)

    check_every(MAPPINGS, check)


def _is_seen(lemma: str, sense: str, gold: Labelling, system: Labelling) -> bool:
    return any(sense in labels and usage in gold and other == lemma for other, usage, labels in system.rows())


@few_examples
@given(pair=training_pairs, rng=st.randoms(use_true_random=False))
def test_fitting_does_not_change_its_input(pair: Pair, rng: random.Random) -> None:
    def check(mapping: SenseMapping) -> None:
        gold, system = pair
        before = repr(mapping), as_rows(gold), as_rows(system)
        fitted = mapping.fit(system, gold)
        first = fitted(system)
        assert as_rows(fitted(system)) == as_rows(first), "a fitted mapping can be used again"
        assert as_rows(mapping.fit(system, gold)(system)) == as_rows(first), "and so can a mapping"
        assert (repr(mapping), as_rows(gold), as_rows(system)) == before
        rows = list(system.rows())
        rng.shuffle(rows)
        other = mapping.fit(Labelling(rows), gold)(system)
        assert {usage: pytest.approx(senses) for usage, senses in other.items()} == dict(first)

    check_every(MAPPINGS, check)


def test_without_training_data_nothing_is_mapped() -> None:
    def check(mapping: SenseMapping) -> None:
        system = Labelling.hard(["u1", "u2"], ["s", "t"], lemma="x")
        assert len(mapping.fit(system, Labelling())(system)) == 0
        assert len(mapping.fit(Labelling(), system)(system)) == 0
        assert len(mapping.fit(system, system)(Labelling())) == 0

    check_every(MAPPINGS, check)

"""Every mapping does what all promise and what its formula says; a new one fails here until it is classified."""

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
every_mapping = pytest.mark.parametrize("mapping", MAPPINGS, ids=repr)
some = settings(max_examples=40, deadline=None)
learnt_from = pairs(outside=2, weights=tied, senses=st.sampled_from(["s", "t", "u"]))


def test_every_mapping_is_classified() -> None:
    assert {type(mapping).__name__ for mapping in MAPPINGS} == set(REFERENCES)


@every_mapping
def test_a_mapping_is_a_value(mapping: Any) -> None:
    assert parts.build(repr(mapping), "mapping") == mapping
    assert hash(parts.build(repr(mapping))) == hash(mapping)
    with pytest.raises(dataclasses.FrozenInstanceError):
        mapping.kind = "measure"


@every_mapping
@some
@given(pair=learnt_from)
def test_it_is_what_its_formula_says(mapping: SenseMapping, pair: Pair) -> None:
    """Exactly so: of senses that tie, mathematically, any may be the heaviest one by rounding."""
    gold, system = pair
    mapped = mapping.fit(system, gold)(system)
    name = type(mapping).__name__
    of_lemma = {lemma: (theirs, ours) for lemma, ours, theirs in references.lemmas_of(gold, system)}
    for lemma, usage, labels in system.rows():
        expected = REFERENCES[name](*of_lemma.get(lemma, ({}, {})), labels)
        found = mapped.get(usage, {})
        if name == "MostProbable":
            assert sorted(found.values()) == pytest.approx(sorted(map(float, expected.values())))
            assert found.keys() == expected.keys() or _ties(of_lemma[lemma], labels, found.keys() | expected.keys())
        else:
            assert found == pytest.approx({sense: float(weight) for sense, weight in expected.items()})


def _ties(learnt: tuple[references.Side, references.Side], labels: references.Labels, senses: set[str]) -> bool:
    table = references.table(*learnt, references.share)
    totals = {
        sense: sum(Fraction(weight) * table.get(induced, {}).get(sense, 0) for induced, weight in labels.items())
        for sense in senses
    }
    return len(set(totals.values())) == 1


@every_mapping
@some
@given(pair=learnt_from)
def test_it_names_gold_senses_of_the_lemma_only(mapping: SenseMapping, pair: Pair) -> None:
    gold, system = pair
    mapped = mapping.fit(system, gold)(system)
    for lemma, usage, senses in mapped.rows():
        assert system.lemma(usage) == lemma
        assert set(senses) <= set(gold.senses(lemma))
    assert [usage for usage in system if usage in mapped] == list(mapped)


@every_mapping
@some
@given(pair=learnt_from)
def test_unseen_senses_are_passed_over(mapping: SenseMapping, pair: Pair) -> None:
    """They change no sense's share; a usage with nothing else is not mapped at all."""
    gold, system = pair
    fitted = mapping.fit(system, gold)
    more = Labelling((lemma, usage, labels | {"unseen": 1.0}) for lemma, usage, labels in system.rows())
    with_more, without_more = fitted(more).normalise("sum"), fitted(system).normalise("sum")
    assert list(with_more) == list(without_more)
    for usage, senses in with_more.items():
        assert senses == pytest.approx(without_more[usage])
    assert not len(fitted(Labelling((lemma, usage, {"unseen": 1.0}) for lemma, usage, _ in system.rows())))


@every_mapping
@some
@given(pair=learnt_from)
def test_weights_sum_to_one_where_so_classified(mapping: SenseMapping, pair: Pair) -> None:
    gold, system = pair
    mapped = mapping.fit(system, gold)(system)
    for usage, senses in mapped.items():
        seen = [sense for sense in system[usage] if _seen(system.lemma(usage), sense, gold, system)]
        if type(mapping).__name__ in SUM_TO_ONE and len(seen) == len(system[usage]) and any(senses.values()):
            assert sum(senses.values()) == pytest.approx(1.0)


def _seen(lemma: str, sense: str, gold: Labelling, system: Labelling) -> bool:
    return any(sense in labels and usage in gold and of == lemma for of, usage, labels in system.rows())


@every_mapping
@some
@given(pair=learnt_from, rng=st.randoms(use_true_random=False))
def test_fitting_changes_nothing(mapping: SenseMapping, pair: Pair, rng: random.Random) -> None:
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


@every_mapping
def test_nothing_to_learn_from(mapping: SenseMapping) -> None:
    system = Labelling.hard(["u1", "u2"], ["s", "t"], lemma="x")
    assert len(mapping.fit(system, Labelling())(system)) == 0
    assert len(mapping.fit(Labelling(), system)(system)) == 0
    assert len(mapping.fit(system, system)(Labelling())) == 0

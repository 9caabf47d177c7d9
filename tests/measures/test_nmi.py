"""Normalised mutual information of covers."""

from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings

import references
from pairs import Pair, pairs
from polyseme.labelling import Labelling
from polyseme.measures import nmi
from polyseme.measures.nmi import FuzzyNMI, OverlappingNMI

few_examples = settings(max_examples=60, deadline=None)


@pytest.mark.parametrize("cells", [1, 3, 1 << 22])
@pytest.mark.parametrize("outside", [True, False])
@few_examples
@given(pair=pairs(outside=3, max_size=10))
def test_fuzzy_nmi_follows_its_definition(outside: bool, cells: int, pair: Pair) -> None:
    gold, system = pair
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nmi, "MAX_CELLS", cells)
        per_lemma = FuzzyNMI(outside)(gold, system).per_unit()
    for lemma, gold_members, system_members in references.lemmas_of(gold, system):
        members = {usage: labels for usage, labels in system_members.items() if outside or usage in gold_members}
        expected = references.nmi_by_largest(
            references.by_max(gold_members), references.by_max(members), references.ten_bins
        )
        assert per_lemma[lemma]["score"] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("normaliser", ["max", "lfk"])
@few_examples
@given(pair=pairs(outside=2, max_size=10))
def test_overlapping_nmi_follows_its_definition(normaliser: Literal["max", "lfk"], pair: Pair) -> None:
    gold, system = pair
    reference = {"max": references.nmi_by_largest, "lfk": references.nmi_by_own}[normaliser]
    per_lemma = OverlappingNMI(normaliser)(gold, system).per_unit()
    for lemma, gold_members, system_members in references.lemmas_of(gold, system):
        members = {usage: labels for usage, labels in system_members.items() if usage in gold_members}
        assert per_lemma[lemma]["score"] == pytest.approx(
            reference(gold_members, members, references.two_bins), abs=1e-9
        )


def test_the_size_of_blocks_does_not_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    gold, system = (
        Labelling(
            ("x", f"x.{number}", {f"{side}{sense}": float(rng.random()) for sense in rng.integers(20, size=3)})
            for number in range(60)
        )
        for side in "gs"
    )
    whole = FuzzyNMI()(gold, system).figure()
    monkeypatch.setattr(nmi, "MAX_CELLS", 37)
    assert FuzzyNMI()(gold, system).figure() == pytest.approx(whole, abs=1e-12)


@pytest.mark.parametrize("weight, same", [(0.1, True), (np.nextafter(0.1, 1), False), (0.3, False)])
def test_bins_are_closed_on_the_right_without_tolerance(weight: float, same: bool) -> None:
    """0 and (0, .1] share the first bin, so such a weight tells no usage from another."""
    gold = Labelling.from_dict({"u1": {"a": 1, "b": weight}, "u2": {"a": 1}, "u3": {"a": 1}}, lemma="x")
    apart = Labelling.from_dict({"u1": {"c": 1}, "u2": {"d": 1}, "u3": {"d": 1}}, lemma="x")
    assert (FuzzyNMI()(gold, apart).figure() == 0) is same


@pytest.mark.parametrize("measure", [FuzzyNMI(), OverlappingNMI(), OverlappingNMI("lfk")], ids=repr)
def test_covers_that_distinguish_no_usages_are_equal(measure: FuzzyNMI | OverlappingNMI) -> None:
    """If neither side tells usages apart they agree; if one does, it says all there is to say, and shares nothing."""
    one, two = (Labelling.hard(["u1", "u2"], list(labels), lemma="x") for labels in ("aa", "ab"))
    assert [measure(one, one).figure(), measure(one, two).figure(), measure(two, one).figure()] == [1, 0, 0]
    assert measure(one, Labelling()).figure() == 0

"""Mapping fold by fold; the mappings themselves are tested in conformance/."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from pairs import Pair, pairs
from polyseme import arrays
from polyseme.formats.answer_key import read_key
from polyseme.labelling import Labelling
from polyseme.mapping import (
    Agirre,
    Distribution,
    FittedMapping,
    Graded,
    MostProbable,
    SenseMapping,
    WeightedDistribution,
    map_in_folds,
)
from strategies import as_dict


class Spy:
    """A mapping that keeps what it learns from and what it is used on."""

    def __init__(self) -> None:
        self.folds: list[tuple[list[str], list[str]]] = []

    def fit(self, system: Labelling, gold: Labelling) -> FittedMapping:
        def apply(labelling: Labelling) -> Labelling:
            self.folds.append((list(gold), list(labelling)))
            return labelling

        return apply


def test_usages_are_dealt_out_in_turn_lemma_after_lemma() -> None:
    gold = Labelling((lemma, f"{lemma}.{number}", {"a": 1.0}) for number in range(4) for lemma in ("x", "y"))
    spy = Spy()
    map_in_folds(spy, gold, gold)
    in_turn = [f"{lemma}.{number}" for lemma in ("x", "y") for number in range(4)]
    assert [set(test) for _, test in spy.folds] == [set(in_turn[fold::5]) for fold in range(5)]
    assert all(set(learn) == set(gold) - set(test) for learn, test in spy.folds)


def test_the_published_folds(data: Path) -> None:
    folder = data / "semeval-2013-task-13"
    gold = read_key(folder / "keys" / "gold" / "all.key", "semeval-2013")
    spy = Spy()
    map_in_folds(spy, gold, gold)
    for number, (learn, test) in enumerate(spy.folds):
        assert set(learn) == set(read_key(folder / "folds" / f"split-{number}.train.key"))
        assert set(test) == set(read_key(folder / "folds" / f"split-{number}.eval.key"))


@settings(max_examples=40, deadline=None)
@given(pair=pairs(outside=3, min_size=5, max_size=15))
def test_each_fold_is_mapped_by_what_the_others_teach(pair: Pair) -> None:
    gold, system = pair
    mapping = WeightedDistribution()
    folded = map_in_folds(mapping, gold, system)
    in_turn = [usage for lemma in gold.lemmas for usage in gold.for_lemma(lemma)]
    outside = [usage for usage in system if usage not in gold]
    expected: dict[str, dict[str, float]] = {}
    sizes = []
    for fold in range(5):
        held_out = in_turn[fold::5]
        fitted = mapping.fit(system, gold.restrict(usage for usage in gold if usage not in held_out))
        for usage in [*held_out, *outside]:
            if usage in system:
                senses = dict(fitted(system.restrict([usage]))).get(usage, {})
                sizes.append(len(senses))
                if senses and usage in gold:
                    expected[usage] = senses
    assert dict(folded.labelling) == expected
    assert folded.senses == pytest.approx(sum(sizes) / len(sizes) if sizes else 0.0)


def test_a_mapping_can_exceed_one() -> None:
    gold = Labelling.hard(["u1", "u2"], list("aa"), lemma="x")
    system = Labelling.from_dict({"u1": {"s": 1.0, "t": 1.0}, "u2": {"s": 1.0, "t": 0.5}}, lemma="x")
    assert WeightedDistribution().fit(system, gold)(system)["u1"] == {"a": 2.0}


def test_ties_go_to_the_first_sense_by_name() -> None:
    gold = Labelling.from_dict({"u1": {"b": 1, "a": 1}, "u2": {"b": 1, "a": 1}}, lemma="x")
    system = Labelling.hard(["u1", "u2"], list("ss"), lemma="x")
    for mapping in (Agirre(), Graded(), MostProbable()):
        assert list(mapping.fit(system, gold)(system)["u1"]) == ["a"]


def test_lemmas_with_equal_names_of_senses_stay_apart() -> None:
    gold = Labelling([("x", "x.1", {"a": 1.0}), ("y", "y.1", {"b": 1.0})])
    system = Labelling([("x", "x.1", {"C_0": 1.0}), ("y", "y.1", {"C_0": 1.0})])
    for mapping in (Agirre(), Graded(), MostProbable(), WeightedDistribution()):
        assert as_dict(mapping.fit(system, gold)(system)) == {"x.1": ("x", {"a": 1.0}), "y.1": ("y", {"b": 1.0})}


@pytest.mark.parametrize("mapping", [Agirre(), Graded(), MostProbable(), WeightedDistribution()], ids=repr)
def test_weights_of_any_size(mapping: Agirre | Graded | MostProbable | WeightedDistribution) -> None:
    """The largest weights that a key may hold overflow nothing."""
    gold = Labelling.hard(["u1", "u2"], list("aa"), lemma="x")
    system = Labelling.from_dict({"u1": {"s": 1e308, "t": 1e308}, "u2": {"t": 1e308}}, lemma="x")
    assert list(mapping.fit(system, gold)(system)["u1"]) == ["a"]


@pytest.mark.parametrize("mapping", [Agirre(), Graded(), Distribution(), WeightedDistribution(), MostProbable()])
def test_many_senses_are_taken_in_parts(mapping: SenseMapping, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)

    def labelling(senses: int) -> Labelling:
        rows = ((f"u{usage}", rng.choice(senses, 5, replace=False).tolist()) for usage in range(40))
        return Labelling.from_dict({u: {f"s{s}": s + 1 for s in chosen} for u, chosen in rows}, lemma="x")

    gold, system = labelling(9), labelling(12)
    whole = mapping.fit(system, gold)(system)
    monkeypatch.setattr(arrays, "CHUNK_COST", 60)
    parts = mapping.fit(system, gold)(system)
    assert parts.usages == whole.usages
    for usage in whole:
        assert parts[usage] == pytest.approx(whole[usage])

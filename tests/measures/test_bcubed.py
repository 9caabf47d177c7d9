"""B-Cubed of covers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import references
from pairs import Pair, pairs
from polyseme.labelling import Labelling
from polyseme.measures import bcubed
from polyseme.measures.bcubed import ExtendedBCubed, FuzzyBCubed
from polyseme.measures.protocol import Variant

few_examples = settings(max_examples=50, deadline=None)


def fuzzy(gold: Labelling, system: Labelling, *, paper: bool, outside: bool) -> dict[str, dict[str, float]]:
    """Fuzzy B-Cubed in plain Python, lemma by lemma."""
    figures_by_lemma = {}
    for lemma, ours, theirs in references.lemmas_of(gold, system):
        members = {usage: labels for usage, labels in theirs.items() if outside or usage in ours}
        sides = references.by_max(ours), references.by_max(members)
        usages = list({**ours, **members})
        divisor = len(usages) if paper else len(ours)
        precision = references.fuzzy_side(*sides, usages, union=paper) / divisor
        recall = references.fuzzy_side(*sides[::-1], usages, union=paper) / divisor
        figures_by_lemma[lemma] = {"precision": precision, "recall": recall, "f1": references.f_of(precision, recall)}
    return figures_by_lemma


@pytest.mark.parametrize("tile", [3, 512])
@pytest.mark.parametrize("outside", [True, False])
@pytest.mark.parametrize("variant", ["official", "paper"])
@few_examples
@given(pair=pairs(outside=3, max_size=10))
def test_fuzzy_bcubed_follows_its_definition(variant: Variant, outside: bool, tile: int, pair: Pair) -> None:
    gold, system = pair
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bcubed, "TILE_SIZE", tile)
        scores = FuzzyBCubed(variant, outside)(gold, system)
    expected = fuzzy(gold, system, paper=variant == "paper", outside=outside)
    per_lemma = scores.per_unit()
    for lemma, figures in expected.items():
        assert per_lemma[lemma] == pytest.approx(figures, abs=1e-9)
    means = [references.mean([figures[name] for figures in expected.values()]) for name in ("precision", "recall")]
    assert scores.total() == pytest.approx(
        {"precision": means[0], "recall": means[1], "f1": references.f_of(*means)}, abs=1e-9
    )


@pytest.mark.parametrize("tile", [7, 512])
@pytest.mark.parametrize("variant", ["official", "paper"])
def test_tiles_and_cores_do_not_change_the_result(variant: Variant, tile: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over seven tiles the squares go to a pool of threads; patterns that repeat are taken together."""
    rng = np.random.default_rng(3)

    def side(senses: str) -> Labelling:
        return Labelling(
            (
                "x",
                f"x.{number}",
                {s: float(rng.integers(1, 6)) for s in senses if rng.random() < 0.6} or {senses[0]: 1.0},
            )
            for number in range(130)
        )

    gold, system = side("abc"), side("pqrs")
    monkeypatch.setattr(bcubed, "TILE_SIZE", tile)
    expected = fuzzy(gold, system, paper=variant == "paper", outside=True)["x"]
    assert FuzzyBCubed(variant)(gold, system).per_unit()["x"] == pytest.approx(expected, abs=1e-9)


def test_usages_outside_gold_stay_within_the_range() -> None:
    """By Eq. 5 two usages agree on what neither has, so outside usages do score in the paper's variant."""
    gold = Labelling.from_dict({"u1": {"a": 1.0, "b": 0.0}}, lemma="x")
    system = Labelling.hard(["u1", "v1", "v2", "v3"], ["c"] * 4, lemma="x")
    assert FuzzyBCubed("paper")(gold, system).total()["recall"] == pytest.approx((1 + 3 / 3) / 4)
    assert FuzzyBCubed()(gold, system).total()["recall"] == 0


@few_examples
@given(pair=pairs(outside=2, max_size=10))
def test_extended_bcubed_follows_its_definition(pair: Pair) -> None:
    gold, system = pair
    per_lemma = ExtendedBCubed()(gold, system).per_unit()
    for lemma, ours, theirs in references.lemmas_of(gold, system):
        crisp = [
            {usage for usage in ours if any(weight > 0 for weight in side.get(usage, {}).values())}
            for side in (ours, theirs)
        ]
        recall = references.extended_side(ours, theirs, ours) / max(len(crisp[0]), 1)
        precision = references.extended_side(theirs, ours, ours) / max(len(crisp[1]), 1)
        assert per_lemma[lemma]["precision"] == pytest.approx(precision, abs=1e-9)
        assert per_lemma[lemma]["recall"] == pytest.approx(recall, abs=1e-9)


@few_examples
@given(labels=st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("pqr")), min_size=1, max_size=10))
def test_extended_bcubed_of_clusterings_is_bcubed(labels: list[tuple[str, str]]) -> None:
    usages = [f"x.{number}" for number in range(len(labels))]
    gold = Labelling.hard(usages, [of_gold for of_gold, _ in labels], lemma="x")
    system = Labelling.hard(usages, [of_system for _, of_system in labels], lemma="x")
    precision, recall = references.bcubed([g for g, _ in labels], [s for _, s in labels])
    total = ExtendedBCubed()(gold, system).total()
    assert (total["precision"], total["recall"]) == pytest.approx((precision, recall))

"""How strongly do the senses apply?"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.spatial.distance import cosine, jensenshannon

import references
from pairs import Pair, above_zero, pairs
from polyseme.errors import InputError
from polyseme.labelling import Labelling
from polyseme.measures.perception import (
    WNDCG,
    Cosine,
    JensenShannonDivergence,
    JensenShannonSimilarity,
    WeightedOverlap,
)
from polyseme.measures.protocol import Variant

few_examples = settings(max_examples=60, deadline=None)


def vectors(gold: Labelling, system: Labelling, usage: str) -> tuple[list[float], list[float]]:
    senses = sorted({*gold[usage], *system[usage]})
    return [gold[usage].get(sense, 0.0) for sense in senses], [system[usage].get(sense, 0.0) for sense in senses]


@pytest.mark.parametrize("variant", ["official", "paper"])
@few_examples
@given(pair=pairs(outside=1))
def test_wndcg_follows_its_definition(variant: Variant, pair: Pair) -> None:
    gold, system = pair
    per_usage = WNDCG(variant)(gold, system).per_unit()
    for usage, senses in gold.items():
        answer = system.get(usage)
        expected = references.wndcg(senses, answer, paper=variant == "paper") if answer else 0.0
        assert per_usage[usage]["recall"] == pytest.approx(expected, abs=1e-9)


def test_wndcg_of_gold_is_one_in_the_paper_only() -> None:
    gold = Labelling.from_dict({"u1": {"a": 1.0, "b": 0.5}, "u2": {"b": 1.0, "c": 0.0}}, lemma="x")
    assert WNDCG("paper")(gold, gold).figure() == pytest.approx(1.0)
    assert WNDCG()(gold, gold).figure() < 0.8


def test_wndcg_can_exceed_one() -> None:
    """A sense with weight 0 on both sides adds to the gain but, if gold does not list it, not to the ideal."""
    gold = Labelling.from_dict({"u": {"a": 1.0}}, lemma="x")
    system = Labelling.from_dict({"u": {"a": 1.0, "b": 0.0, "c": 0.0, "d": 0.0}}, lemma="x")
    assert WNDCG()(gold, system).figure() == pytest.approx((3 + 1 / math.log2(3) + 1 / 2 + 1 / math.log2(5)) / 4)


@few_examples
@given(pair=pairs(complete=True))
def test_cosine_follows_its_definition(pair: Pair) -> None:
    gold, system = map(above_zero, pair)
    per_usage = Cosine()(gold, system).per_unit()
    for usage in gold:
        x, y = (by[usage] for by in (gold.normalise("max"), system.normalise("max")))
        senses = sorted({*x, *y})
        expected = 1 - cosine([x.get(s, 0.0) for s in senses], [y.get(s, 0.0) for s in senses])
        assert per_usage[usage]["f1"] == pytest.approx(expected, abs=1e-9)


@few_examples
@given(pair=pairs(complete=True))
def test_jensen_shannon_follows_its_definition(pair: Pair) -> None:
    gold, system = map(above_zero, pair)
    divergence, similarity = (
        m(gold, system).per_unit() for m in (JensenShannonDivergence(), JensenShannonSimilarity())
    )
    for usage in gold:
        sides = vectors(gold.normalise("max"), system.normalise("max"), usage)
        # scipy divides by half of a weight, which is 0 for the smallest of floats
        g, s = ([0.0 if weight < 1e-300 else weight for weight in side] for side in sides)
        expected = float(jensenshannon(g, s)) ** 2
        assert divergence[usage]["score"] == pytest.approx(expected, abs=1e-7)
        assert similarity[usage]["f1"] == pytest.approx(1 - expected, abs=1e-7)


def test_weights_that_are_all_zero_are_no_distribution() -> None:
    """An answer of zeros must not do better than a wrong one."""
    gold = Labelling.from_dict({"u": {"a": 1}}, lemma="x")
    zeros, wrong = (Labelling.from_dict({"u": {"b": weight}}, lemma="x") for weight in (0, 1))
    assert JensenShannonDivergence()(gold, zeros).figure() == pytest.approx(math.log(2))
    assert JensenShannonSimilarity()(gold, zeros).figure() == JensenShannonSimilarity()(gold, wrong).figure()
    assert JensenShannonDivergence()(zeros, zeros).figure() == 0


def test_weights_too_large_are_an_error_not_an_unanswered_usage() -> None:
    huge = Labelling.from_dict({"u": {"a": 2000}}, lemma="x")
    with pytest.raises(InputError, match="usage 'u': its weights are too large for WNDCG"), np.errstate(all="ignore"):
        WNDCG()(huge, huge)


def test_divergence_of_an_unlabelled_usage_is_the_largest() -> None:
    gold = Labelling.hard(["u1", "u2"], list("ab"), lemma="x")
    scores = JensenShannonDivergence()(gold, gold.restrict(["u1"]))
    assert scores.total() == {"score": pytest.approx(math.log(2) / 2)}


@few_examples
@given(pair=pairs(outside=1))
def test_weighted_overlap_follows_its_definition(pair: Pair) -> None:
    gold, system = pair
    overlaps = []
    for usage in gold:
        if usage in system:
            g, s = vectors(gold, system, usage)
            least = sum(map(min, g, s))
            overlaps.append((least / sum(s) if sum(s) else 0.0, least / sum(g) if sum(g) else 0.0))
    precision = references.mean([p for p, _ in overlaps]) if overlaps else 0.0
    recall = sum(r for _, r in overlaps) / len(gold)
    assert WeightedOverlap()(gold, system).total() == pytest.approx(
        {"precision": precision, "recall": recall, "f1": references.f_of(precision, recall)}, abs=1e-9
    )

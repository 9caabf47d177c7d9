"""In what order do the senses apply?"""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

import references
from pairs import Pair, pairs
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling
from polyseme.measures import ranking
from polyseme.measures.protocol import Variant
from polyseme.measures.ranking import GoodmanKruskal, Ksim, Spearman, rank_correlation
from strategies import tied

few_examples = settings(max_examples=60, deadline=None)


def list_senses(lemma: str, gold: Labelling, system: Labelling) -> set[str]:
    return {*gold.senses(lemma), *system.senses(lemma)}


@pytest.mark.parametrize("variant", ["official", "paper"])
@few_examples
@given(pair=pairs(outside=2))
def test_ksim_follows_its_definition(variant: Variant, pair: Pair) -> None:
    gold, system = pair
    per_unit = Ksim(variant)(gold, system).per_unit()
    for lemma, usage, senses in gold.rows():
        count = len(list_senses(lemma, gold, system))
        answer = system.get(usage)
        expected = references.ksim(senses, answer, count, paper=variant == "paper") if answer else 0.0
        assert per_unit[usage]["recall"] == pytest.approx(expected, abs=1e-9)


def test_ksim_can_be_negative() -> None:
    """K_max is that of the reversed ranking, but a sense that keeps its place weighs 1, so others may cost more."""
    gold = Labelling.from_dict({"u": {"a": 4, "b": 3, "c": 2, "d": 1}}, lemma="x")
    system = Labelling.from_dict({"u": {"d": 4, "b": 3, "c": 2, "a": 1}}, lemma="x")
    assert Ksim()(gold, system).figure() == pytest.approx(-1 / 18)
    assert Ksim("paper")(gold, system).figure() == pytest.approx(-0.5)


def test_ksim_breaks_ties_by_name_in_reverse() -> None:
    gold = Labelling.from_dict({"u": {"a": 1, "b": 1}}, lemma="x")
    assert Ksim()(gold, Labelling.from_dict({"u": {"b": 2, "a": 1}}, lemma="x")).figure() == 1
    assert Ksim()(gold, Labelling.from_dict({"u": {"a": 2, "b": 1}}, lemma="x")).figure() == 0


@few_examples
@given(pair=pairs(outside=2), extra=st.integers(0, 3))
def test_goodman_kruskal_follows_its_definition(pair: Pair, extra: int) -> None:
    gold, system = pair
    inventory = Inventory(Sense(f"extra.{number}", lemma) for lemma in gold.lemmas for number in range(extra))
    per_unit = GoodmanKruskal(inventory)(gold, system).per_unit()
    for lemma, usage, senses in gold.rows():
        all_senses = list_senses(lemma, gold, system) | {f"extra.{number}" for number in range(extra)}
        answer = system.get(usage)
        expected = references.gamma(senses, answer, all_senses) if answer else 0.0
        assert per_unit[usage]["recall"] == pytest.approx(expected, abs=1e-9)


def test_pairs_are_compared_in_bounded_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    gold, system = (
        Labelling(
            (
                ("x", f"x.{number}", dict(zip("abcd", row, strict=True)))
                for number, row in enumerate(rng.random((40, 4)))
            )
        )
        for _ in range(2)
    )
    whole = [measure(gold, system).sums for measure in (Ksim(), GoodmanKruskal())]
    monkeypatch.setattr(ranking, "MAX_PAIRS", 50)
    blocks = [measure(gold, system).sums for measure in (Ksim(), GoodmanKruskal())]
    np.testing.assert_allclose(blocks, whole)


@few_examples
@given(pair=pairs(outside=2, weights=tied))
def test_spearman_follows_its_definition(pair: Pair) -> None:
    """Over all usages × senses of a lemma, those that neither side lists included."""
    gold, system = pair
    per_unit = Spearman()(gold, system).per_unit()
    for lemma, ours, theirs in references.lemmas_of(gold, system):
        cells = [(usage, sense) for usage in ours for sense in list_senses(lemma, gold, system)]
        x = [ours[usage].get(sense, 0.0) for usage, sense in cells]
        y = [theirs.get(usage, {}).get(sense, 0.0) for usage, sense in cells]
        defined = len(set(x)) > 1 and len(set(y)) > 1
        expected = float(scipy.stats.spearmanr(x, y).statistic) if defined else math.nan
        assert per_unit[lemma]["score"] == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_pooled_spearman_ranks_all_lemmas_together() -> None:
    gold = Labelling([("x", "x.1", {"a": 3, "b": 1}), ("y", "y.1", {"a": 2, "b": 5})])
    system = Labelling([("x", "x.1", {"a": 1, "b": 2}), ("y", "y.1", {"b": 4})])
    expected = scipy.stats.spearmanr([3, 1, 2, 5], [1, 2, 0, 4]).statistic
    assert Spearman().pooled(gold, system) == pytest.approx(expected)
    assert Spearman()(gold, system).total() == {"score": 0.0}


@few_examples
@given(values=st.lists(st.tuples(tied, tied), min_size=2, max_size=20), zeros=st.integers(0, 5))
def test_rank_correlation_agrees_with_scipy(values: list[tuple[float, float]], zeros: int) -> None:
    x, y = ([*side, *[0.0] * zeros] for side in zip(*values, strict=True))
    defined = len(set(x)) > 1 and len(set(y)) > 1
    expected = float(scipy.stats.spearmanr(x, y).statistic) if defined else math.nan
    correlation = rank_correlation(np.array([a for a, _ in values]), np.array([b for _, b in values]), zeros)
    assert correlation == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_rank_correlation_of_no_values_is_undefined() -> None:
    assert math.isnan(rank_correlation(np.array([]), np.array([])))


@few_examples
@given(pair=pairs(outside=1))
def test_long_rankings_are_halved(pair: Pair) -> None:
    """Usages with very many senses take another way, to the same figures."""
    gold, system = pair
    for measure in (Ksim(), GoodmanKruskal()):
        whole = measure(gold, system).total()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ranking, "DIRECT_LIMIT", 1)
            assert measure(gold, system).total() == pytest.approx(whole)


def test_a_usage_with_very_many_senses_is_scored() -> None:
    gold = Labelling.from_dict({"u": {"s0": 1.0, "s1": 0.5}}, lemma="x")
    system = Labelling.from_dict({"u": {f"s{number}": number for number in range(20_000)}}, lemma="x")
    assert 0 < Ksim()(gold, system).figure() < 1
    assert GoodmanKruskal()(gold, system).figure() == -1

"""Which senses apply?"""

import pytest
from hypothesis import given, settings

from pairs import Pair, pairs
from polyseme.labelling import Labelling
from polyseme.measures.detection import Jaccard


@settings(max_examples=50, deadline=None)
@given(pair=pairs(outside=1))
def test_jaccard_follows_its_definition(pair: Pair) -> None:
    gold, system = pair
    per_usage = Jaccard()(gold, system).per_unit()
    for usage, senses in gold.items():
        answer = system.get(usage)
        expected = len(senses.keys() & answer) / len(senses.keys() | answer) if answer else 0.0
        assert per_usage[usage]["recall"] == pytest.approx(expected)


def test_a_listed_zero_is_a_member() -> None:
    gold = Labelling.from_dict({"u": {"a": 1.0, "b": 0.0}}, lemma="x")
    system = Labelling.from_dict({"u": {"b": 1.0}}, lemma="x")
    assert Jaccard()(gold, system).figure() == 0.5


def test_senses_belong_to_a_lemma() -> None:
    gold = Labelling([("x", "x.1", {"C_0": 1.0}), ("y", "y.1", {"C_0": 1.0, "C_1": 1.0})])
    system = Labelling([("x", "x.1", {"C_1": 1.0}), ("y", "y.1", {"C_1": 1.0})])
    assert {unit: figures["f1"] for unit, figures in Jaccard()(gold, system).per_unit().items()} == {
        "x.1": 0,
        "y.1": 0.5,
    }

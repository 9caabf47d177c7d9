"""Inventories: lemma → senses, a dictionary's or an induced one."""

import pickle
from collections import Counter
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.errors import count_noun
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling
from strategies import LEMMAS, labellings

senses = st.lists(
    st.builds(Sense, st.sampled_from("abcdef"), st.sampled_from(LEMMAS), frequency=st.integers(0, 3).map(float)),
    unique_by=lambda sense: (sense.lemma, sense.id),
)


@given(senses)
def test_every_sense_is_under_its_lemma_in_the_order_given(senses: list[Sense]) -> None:
    inventory = Inventory(senses)
    assert list(inventory) == list(dict.fromkeys(sense.lemma for sense in senses))
    assert len(inventory) == len({sense.lemma for sense in senses})
    for lemma in inventory:
        assert inventory[lemma] == tuple(sense for sense in senses if sense.lemma == lemma)
    assert all(inventory.sense(sense.lemma, sense.id) is sense for sense in senses)
    assert (
        repr(inventory) == f"<Inventory of {count_noun(len(senses), 'sense')} of {count_noun(len(inventory), 'lemma')}>"
    )


def test_sense_given_twice() -> None:
    with pytest.raises(ValueError, match="lemma 'x' has the sense 'a' twice"):
        Inventory([Sense("a", "x"), Sense("a", "y"), Sense("a", "x", gloss="other")])


def test_what_is_not_there() -> None:
    inventory = Inventory([Sense("a", "x")])
    assert "y" not in inventory
    for lemma, sense in (("y", "a"), ("x", "b")):
        with pytest.raises(KeyError, match=lemma if lemma == "y" else sense):
            inventory.sense(lemma, sense)
    with pytest.raises(KeyError, match="y"):
        inventory["y"]


def test_sense_cannot_be_changed() -> None:
    sense = Sense("a", "x")
    with pytest.raises(FrozenInstanceError):
        sense.gloss = "new"  # type: ignore[misc]


@given(senses)
def test_equality_and_pickling(senses: list[Sense]) -> None:
    inventory = Inventory(senses)
    assert Inventory(senses) == inventory
    assert pickle.loads(pickle.dumps(inventory)) == inventory
    assert Inventory([*senses, Sense("z", "zoo.n")]) != inventory


@given(senses)
def test_by_frequency(senses: list[Sense]) -> None:
    inventory = Inventory(senses)
    for lemma in inventory:
        ranked = inventory.by_frequency(lemma)
        assert Counter(ranked) == Counter(inventory[lemma])
        places = {sense: place for place, sense in enumerate(inventory[lemma])}
        keys = [(-sense.frequency, places[sense]) for sense in ranked]
        assert keys == sorted(keys)


@given(labellings())
def test_an_inventory_is_collected_from_a_labelling(labelling: Labelling) -> None:
    inventory = Inventory.from_labelling(labelling)
    assert tuple(inventory) == labelling.lemmas
    for lemma, senses in inventory.items():
        counts = Counter(
            sense for weights in labelling.for_lemma(lemma).values() for sense in weights
        )  # listed zeros count
        assert {sense.id: sense.frequency for sense in senses} == counts
        assert [sense.id for sense in senses] == sorted(counts, key=lambda name: (-counts[name], name))

"""Sense keys from one version to another."""

from dataclasses import replace
from pathlib import Path

import pytest

from polyseme import wordnet
from polyseme.labelling import Labelling
from polyseme.wordnet import Carried, WordNet, carry
from wordnet.tiny import ENTRIES, Entry, files, write

NEXT = {
    "lamp-2": {"words": [("lamp", "lamp%1:10:05::", 2, 7)]},  # the same definition under another key
    "stop": {"words": [("stop", "stop%2:38:00::", 1, 3)], "gloss": "go no further; halt"},  # nearly the same
    "goose": {"words": [("goose", "goose%1:13:00::", 1, 2)], "gloss": "the meat of a fowl"},  # something else
    "dim": {"gloss": "not clever at all"},  # the same key with another definition
}


def changed(entry: Entry) -> Entry:
    return replace(entry, **NEXT.get(entry.name, {}))  # type: ignore[arg-type]


@pytest.fixture
def later(tmp_path: Path, tiny: WordNet) -> WordNet:
    """The small WordNet in a later version."""
    assert tiny
    return wordnet.load(None, write(tmp_path / "later", files([changed(entry) for entry in ENTRIES])))


def test_what_carries_over(tiny: WordNet, later: WordNet) -> None:
    carried = carry(tiny, later)
    assert {key: (move.key, move.how) for key, move in carried.moved.items()} == {
        "lamp%1:10:00::": ("lamp%1:10:05::", "definition"),
        "stop%2:42:00::": ("stop%2:38:00::", "closest"),
    }
    assert carried.lost == ("goose%1:05:00::",)
    assert carried.new == ("goose%1:13:00::",)
    assert [(doubt.key, doubt.source, doubt.target) for doubt in carried.doubtful] == [
        ("dim%3:00:00::", "with little light", "not clever at all")
    ]
    assert len(carried.same) + len(carried.moved) + len(carried.lost) == len(tiny.sense_keys)
    assert [carried.key(key) for key in ("lamp%1:06:00::", "lamp%1:10:00::", "goose%1:05:00::", "none")] == [
        "lamp%1:06:00::",
        "lamp%1:10:05::",
        None,
        None,
    ]


def test_and_back(tiny: WordNet, later: WordNet) -> None:
    there, back = carry(tiny, later), carry(later, tiny)
    assert {move.key: key for key, move in back.moved.items()} == {key: move.key for key, move in there.moved.items()}
    assert (back.lost, back.new) == (there.new, there.lost)


def test_to_itself(tiny: WordNet) -> None:
    carried = carry(tiny, tiny)
    assert carried.same == frozenset(tiny.sense_keys)
    assert [len(part) for part in (carried.moved, carried.lost, carried.new, carried.doubtful)] == [0, 0, 0, 0]


def test_a_labelling(tiny: WordNet, later: WordNet) -> None:
    gold = Labelling(
        [
            ("lamp.n", "lamp.n.1", {"lamp%1:10:00::": 0.4, "lamp%1:06:00::": 1.0}),
            ("goose.n", "goose.n.1", {"goose%1:05:00::": 1.0}),
            ("goose.n", "goose.n.2", {"goose%1:05:00::": 1.0, "none": 0.5}),
        ]
    )
    found = carry(tiny, later).labelling(gold)
    assert dict(found.labelling) == {"lamp.n.1": {"lamp%1:10:05::": 0.4, "lamp%1:06:00::": 1.0}}
    assert found.moved == {"lamp%1:10:00::": "lamp%1:10:05::"}
    assert found.lost == {"goose%1:05:00::": 2, "none": 1}
    assert found.unlabelled == ("goose.n.1", "goose.n.2")


def test_senses_that_become_one() -> None:
    from polyseme.wordnet.carry import Move

    both = Carried(frozenset({"b"}), {"a": Move("b", "closest", 0.5)}, (), (), ())
    gold = Labelling.from_dict({"u": {"a": 0.4, "b": 0.2}}, lemma="x.n")
    assert both.labelling(gold).labelling["u"] == {"b": 0.4}
    assert both.labelling(gold, merge=float.__add__).labelling["u"] == pytest.approx({"b": 0.6})


# -- the real ones -------------------------------------------------------------------------------------------------


def test_from_30_to_31(wordnet_30: WordNet, wordnet_31: WordNet) -> None:
    carried = carry(wordnet_30, wordnet_31)
    how = [move.how for move in carried.moved.values()]
    assert (len(carried.same), how.count("definition"), how.count("closest")) == (206_559, 18, 38)
    assert (len(carried.lost), len(carried.new), len(carried.doubtful)) == (326, 639, 84)
    assert all(wordnet_31.by_key(move.key).lemma == wordnet_30.by_key(key).lemma for key, move in carried.moved.items())


def test_from_31_to_30(wordnet_30: WordNet, wordnet_31: WordNet) -> None:
    carried = carry(wordnet_31, wordnet_30)
    how = [move.how for move in carried.moved.values()]
    assert (len(carried.same), how.count("definition"), how.count("closest")) == (206_559, 18, 35)
    assert (len(carried.lost), len(carried.new), len(carried.doubtful)) == (623, 344, 84)

"""Sense keys from one version to another."""

from dataclasses import replace
from pathlib import Path

import pytest

from polyseme import wordnet
from polyseme.labelling import Labelling
from polyseme.wordnet import SenseKeyMapping, WordNet, map_sense_keys
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
    carried = map_sense_keys(tiny, later)
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
    forth, back = map_sense_keys(tiny, later), map_sense_keys(later, tiny)
    assert {move.key: key for key, move in back.moved.items()} == {key: move.key for key, move in forth.moved.items()}
    assert (back.lost, back.new) == (forth.new, forth.lost)


def test_a_version_maps_to_itself_unchanged(tiny: WordNet) -> None:
    carried = map_sense_keys(tiny, tiny)
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
    mapped = map_sense_keys(tiny, later).labelling(gold)
    assert dict(mapped.labelling) == {"lamp.n.1": {"lamp%1:10:05::": 0.4, "lamp%1:06:00::": 1.0}}
    assert mapped.moved == {"lamp%1:10:00::": "lamp%1:10:05::"}
    assert mapped.lost == {"goose%1:05:00::": 2, "none": 1}
    assert mapped.unlabelled == ("goose.n.1", "goose.n.2")


def versions(tmp_path: Path, before: list[Entry], after: list[Entry]) -> tuple[WordNet, WordNet]:
    one, other = write(tmp_path / "before", files(before)), write(tmp_path / "after", files(after))
    return wordnet.load(None, one), wordnet.load(None, other)


def thing(key: str, number: int, gloss: str) -> Entry:
    return Entry(key, "n", 6, [("thing", key, number, 0)], gloss)


@pytest.mark.usefixtures("_elsewhere")
def test_a_key_that_another_sense_keeps_is_no_target(tmp_path: Path) -> None:
    red, like = thing("thing%1:06:00::", 1, "a red box of wood"), thing("thing%1:06:01::", 2, "a blue box of wood")
    carried = map_sense_keys(*versions(tmp_path, [red, like], [red]))
    assert (dict(carried.moved), carried.lost) == ({}, ("thing%1:06:01::",))


@pytest.mark.usefixtures("_elsewhere")
@pytest.mark.parametrize("gloss, moved", [("a red tin box", {"thing%1:06:00::"}), ("a box of tin", set())])
def test_two_senses_never_become_one(tmp_path: Path, gloss: str, moved: set[str]) -> None:
    old = [thing("thing%1:06:00::", 1, "a red box made of tin"), thing("thing%1:06:01::", 2, "a blue box made of tin")]
    carried = map_sense_keys(*versions(tmp_path, old, [thing("thing%1:06:02::", 1, gloss)]))
    assert set(carried.moved) == moved
    assert set(carried.lost) == {entry.name for entry in old} - moved


@pytest.mark.usefixtures("_elsewhere")
def test_a_definition_that_went_to_another_key_is_doubtful(tmp_path: Path) -> None:
    old = [thing("thing%1:06:00::", 1, "a red box made of tin"), thing("thing%1:06:01::", 2, "an idea")]
    new = [thing("thing%1:06:00::", 1, "a red box for tea"), thing("thing%1:06:01::", 2, "a box made of tin, red")]
    doubts = map_sense_keys(*versions(tmp_path, old, new)).doubtful
    assert [(doubt.key, doubt.closer) for doubt in doubts] == [
        ("thing%1:06:01::", None),
        ("thing%1:06:00::", "thing%1:06:01::"),
    ]


def is_one_to_one(carried: SenseKeyMapping) -> None:
    reached = [move.key for move in carried.moved.values()]
    assert len(set(reached)) == len(reached)
    assert not carried.same & set(reached)


# -- the real ones -------------------------------------------------------------------------------------------------


def test_from_30_to_31(wordnet_30: WordNet, wordnet_31: WordNet) -> None:
    carried = map_sense_keys(wordnet_30, wordnet_31)
    how = [move.how for move in carried.moved.values()]
    assert (len(carried.same), how.count("definition"), how.count("closest")) == (206_559, 17, 21)
    assert (len(carried.lost), len(carried.new), len(carried.doubtful)) == (344, 638, 91)
    assert "seaward%3:00:04::" in carried.lost  # once carried to its opposite
    assert {"decadent%5:00:00:indulgent:00", "fur%1:06:00::"} < {
        doubt.key for doubt in carried.doubtful if doubt.closer
    }
    is_one_to_one(carried)
    assert all(wordnet_31.by_key(move.key).lemma == wordnet_30.by_key(key).lemma for key, move in carried.moved.items())


def test_from_31_to_30(wordnet_30: WordNet, wordnet_31: WordNet) -> None:
    carried = map_sense_keys(wordnet_31, wordnet_30)
    how = [move.how for move in carried.moved.values()]
    assert (len(carried.same), how.count("definition"), how.count("closest")) == (206_559, 17, 21)
    assert (len(carried.lost), len(carried.new), len(carried.doubtful)) == (638, 344, 94)
    assert {"win%2:40:06::", "used_to%3:00:03::"} < set(carried.lost)
    is_one_to_one(carried)

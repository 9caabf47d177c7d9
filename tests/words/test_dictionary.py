"""Induced senses beside a dictionary's."""

import numpy as np
import pytest

from polyseme.inventory import Sense
from polyseme.labelling import Labelling
from polyseme.words.dictionary import (
    compare_descriptions_with_dictionary,
    compare_labels_with_dictionary,
    make_description_usages,
)
from word_profiles import portrait, usage

SENSES = [Sense(name, "bank.n", gloss=name) for name in ("institution", "slope", "row")]
USAGES = [usage(number, f"the {{}} {number}") for number in range(4)]


def test_shares_by_usages() -> None:
    found = portrait([(1.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.5, 0.5)], USAGES)
    theirs = {"u0": {"institution": 2.0, "slope": 2.0}, "u1": {"institution": 1.0}, "u2": {"slope": 1.0}}
    beside = compare_labels_with_dictionary(found, Labelling.from_dict(theirs, lemma="bank.n"), SENSES)
    assert beside.table == pytest.approx(np.array([[0.75, 0.25, 0.0], [0.0, 1.0, 0.0]]))
    assert beside.overall.tolist() == pytest.approx([0.5, 0.5, 0.0])
    [match] = beside.matches("bank.n.s1")
    assert (match.sense.id, match.share, match.ratio) == ("institution", 0.75, 1.5)
    assert [each.sense.id for each in beside.matches("bank.n.s2")] == ["slope"]
    assert [sense.id for sense in beside.unmatched] == ["row"]


def test_a_sense_that_is_everywhere_is_a_match_of_none() -> None:
    found = portrait([(1.0, 0.0), (0.0, 1.0), (1.0, 0.0), (0.0, 1.0)], USAGES)
    same = Labelling.from_dict({each.id: {"row": 1.0} for each in USAGES}, lemma="bank.n")
    beside = compare_labels_with_dictionary(found, same, SENSES)
    assert beside.matches("bank.n.s1") == []
    assert len(beside.unmatched) == 3


def test_by_the_words_that_tell_senses() -> None:
    found = portrait([(1.0, 0.0)] * 3 + [(0.0, 1.0)], USAGES)
    made = make_description_usages(found)
    assert [each.text for each in made] == ["bank: money, loan, interest.", "bank: river, water, be."]
    assert (made[0].id, made[0].target, made[0].pos) == ("bank.n.s1", "bank", "n")
    said = {"bank.n.s1": {"institution": 1.0}, "bank.n.s2": {"slope": 0.8, "institution": 0.2, "unknown": 5.0}}
    beside = compare_descriptions_with_dictionary(found, Labelling.from_dict(said, lemma="bank.n"), SENSES)
    assert beside.table == pytest.approx(np.array([[1.0, 0.0, 0.0], [0.2, 0.8, 0.0]]))
    assert beside.overall.tolist() == pytest.approx([0.8, 0.2, 0.0])
    assert [each.sense.id for each in beside.matches("bank.n.s1")] == ["institution"]


def test_a_sense_that_was_not_looked_up_is_no_part_of_the_whole() -> None:
    """The second sense has half of the weight and no entry: the first alone is the whole."""
    found = portrait([(1.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.0, 1.0)], USAGES)
    said = {"bank.n.s1": {"institution": 0.5, "slope": 0.5}}
    beside = compare_descriptions_with_dictionary(found, Labelling.from_dict(said, lemma="bank.n"), SENSES)
    assert beside.overall.tolist() == pytest.approx([0.5, 0.5, 0.0])
    assert beside.matches("bank.n.s1") == []
    assert beside.table[1].tolist() == [0.0, 0.0, 0.0]


def test_a_third_sense_that_matches_is_not_listed_as_unlike_all() -> None:
    found = portrait([(1.0, 0.0), (0.0, 1.0), (1.0, 0.0), (0.0, 1.0)], USAGES)
    senses = [*SENSES, Sense("plane", "bank.n", gloss="plane")]
    said = {"bank.n.s1": {"institution": 0.4, "slope": 0.35, "row": 0.25}, "bank.n.s2": {"plane": 1.0}}
    beside = compare_descriptions_with_dictionary(found, Labelling.from_dict(said, lemma="bank.n"), senses)
    assert [each.sense.id for each in beside.matches("bank.n.s1")] == ["institution", "slope"]
    assert beside.unmatched == ()


def test_nothing_is_labelled() -> None:
    beside = compare_labels_with_dictionary(portrait([(1.0, 0.0)] * 4, USAGES), Labelling(), SENSES)
    assert beside.matches("bank.n.s1") == []
    assert beside.table.shape == (2, 3)

"""Comparison of induced senses with a dictionary."""

import numpy as np
import pytest

from polyseme.disambiguation.definitions import Definition, DefinitionCandidate
from polyseme.inventory import Sense
from polyseme.labelling import Labelling
from polyseme.words.dictionary import (
    add_examples,
    compare_with_dictionary,
    make_description_usages,
)
from word_profiles import bank_profile, usage

SENSES = [Sense(name, "bank.n", gloss=name) for name in ("institution", "slope", "row")]
USAGES = [usage(number, f"the {{}} {number}") for number in range(4)]


def test_matches_exceed_their_overall_share() -> None:
    profile = bank_profile([(1.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.0, 1.0)], USAGES)
    labels = {"bank.n.s1": {"institution": 3.0, "slope": 1.0}, "bank.n.s2": {"slope": 1.0}}
    comparison = compare_with_dictionary(profile, Labelling.from_dict(labels, lemma="bank.n"), SENSES)
    assert comparison.table == pytest.approx(np.array([[0.75, 0.25, 0.0], [0.0, 1.0, 0.0]]))
    assert comparison.overall.tolist() == pytest.approx([0.375, 0.625, 0.0])
    [match] = comparison.matches("bank.n.s1")
    assert (match.sense.id, match.share, match.ratio) == ("institution", 0.75, 2.0)
    assert [match.sense.id for match in comparison.matches("bank.n.s2")] == ["slope"]
    assert [sense.id for sense in comparison.unmatched] == ["row"]


def test_a_sense_that_is_frequent_everywhere_matches_none() -> None:
    profile = bank_profile([(1.0, 0.0), (0.0, 1.0), (1.0, 0.0), (0.0, 1.0)], USAGES)
    same = Labelling.from_dict({sense.id: {"row": 1.0} for sense in profile.senses}, lemma="bank.n")
    comparison = compare_with_dictionary(profile, same, SENSES)
    assert comparison.matches("bank.n.s1") == []
    assert len(comparison.unmatched) == 3


def test_senses_are_compared_by_their_descriptive_words() -> None:
    profile = bank_profile([(1.0, 0.0)] * 3 + [(0.0, 1.0)], USAGES)
    usages = make_description_usages(profile)
    assert [item.text for item in usages] == ["bank: money, loan, interest.", "bank: river, water, be."]
    assert (usages[0].id, usages[0].target, usages[0].pos) == ("bank.n.s1", "bank", "n")
    labels = {"bank.n.s1": {"institution": 1.0}, "bank.n.s2": {"slope": 0.8, "institution": 0.2, "unknown": 5.0}}
    comparison = compare_with_dictionary(profile, Labelling.from_dict(labels, lemma="bank.n"), SENSES)
    assert comparison.table == pytest.approx(np.array([[1.0, 0.0, 0.0], [0.2, 0.8, 0.0]]))
    assert comparison.overall.tolist() == pytest.approx([0.8, 0.2, 0.0])
    assert [match.sense.id for match in comparison.matches("bank.n.s1")] == ["institution"]


def test_a_sense_without_labels_does_not_count_in_the_overall_share() -> None:
    """The second sense has half of the weight and no labels: the first alone is the whole."""
    profile = bank_profile([(1.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.0, 1.0)], USAGES)
    labels = {"bank.n.s1": {"institution": 0.5, "slope": 0.5}}
    comparison = compare_with_dictionary(profile, Labelling.from_dict(labels, lemma="bank.n"), SENSES)
    assert comparison.overall.tolist() == pytest.approx([0.5, 0.5, 0.0])
    assert comparison.matches("bank.n.s1") == []
    assert comparison.table[1].tolist() == [0.0, 0.0, 0.0]


def test_a_third_match_is_not_listed_as_unmatched() -> None:
    profile = bank_profile([(1.0, 0.0), (0.0, 1.0), (1.0, 0.0), (0.0, 1.0)], USAGES)
    senses = [*SENSES, Sense("plane", "bank.n", gloss="plane")]
    labels = {"bank.n.s1": {"institution": 0.4, "slope": 0.35, "row": 0.25}, "bank.n.s2": {"plane": 1.0}}
    comparison = compare_with_dictionary(profile, Labelling.from_dict(labels, lemma="bank.n"), senses)
    assert [match.sense.id for match in comparison.matches("bank.n.s1")] == ["institution", "slope"]
    assert comparison.unmatched == ()


def test_a_sense_that_defines_another_is_not_listed_as_unmatched() -> None:
    profile = bank_profile([(1.0, 0.0), (0.0, 1.0), (1.0, 0.0), (0.0, 1.0)], USAGES)
    same = Labelling.from_dict({sense.id: {"row": 1.0} for sense in profile.senses}, lemma="bank.n")
    definitions = [
        Definition("bank.n.s1", "bank.n", (DefinitionCandidate(SENSES[1], 0.7),), 0.3),
        Definition("bank.n.s2", "bank.n", (DefinitionCandidate(SENSES[0], 0.2),), 0.8),
    ]
    comparison = compare_with_dictionary(profile, same, SENSES, definitions)
    assert comparison.matches("bank.n.s1") == []
    assert [sense.id for sense in comparison.unmatched] == ["institution", "row"]


def test_without_labels_nothing_matches() -> None:
    comparison = compare_with_dictionary(bank_profile([(1.0, 0.0)] * 4, USAGES), Labelling(), SENSES)
    assert comparison.matches("bank.n.s1") == []
    assert comparison.table.shape == (2, 3)


def test_a_sense_has_the_definition_with_its_id() -> None:
    profile = bank_profile([(1.0, 0.0)] * 3 + [(0.0, 1.0)], USAGES)
    definition = Definition("bank.n.s1", "bank.n", (DefinitionCandidate(SENSES[0], 0.62),), 0.38)
    comparison = compare_with_dictionary(profile, Labelling(), SENSES, [definition])
    assert comparison.definition("bank.n.s1") is definition
    assert comparison.definition("bank.n.s2") is None


def test_a_sense_is_defined_by_its_clearest_usages() -> None:
    profile = bank_profile([(1.0, 0.0), (0.0, 1.0), (0.9, 0.1), (0.0, 1.0)], USAGES)
    examples = {sense.id: {usage.id for usage in sense.usages} for sense in add_examples(profile)}
    assert examples["bank.n.s2"] >= {"u1", "u3"}
    assert "u1" not in examples["bank.n.s1"]

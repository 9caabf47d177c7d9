"""Definitions of induced senses: probabilities of WordNet's senses, and that none fits."""

from pathlib import Path

import numpy as np
import pytest

from disambiguation.banks import MONEY, RIVER, ROW, banks
from polyseme.disambiguation.definitions import Definition, GlossProbability, list_example_usages
from polyseme.disambiguation.lesk import Lesk
from polyseme.disambiguation.model import DictionaryModel
from polyseme.errors import InputError
from polyseme.inventory import Sense
from polyseme.labelling import Labelling
from polyseme.usage import Usage

PART = GlossProbability(slope=8, prior=0.5, none=3, missing=0.5)
COSINES, SHARES = np.array([0.5, 0.3, 0.2]), np.array([0.5, 0.4, 0.1])


def induced(name: str, *texts: str, lemma: str = "bank.n") -> Sense:
    usages = (Usage(f"u{n}", lemma, text, text.index("bank"), text.index("bank") + 4) for n, text in enumerate(texts))
    return Sense(name, lemma, usages=tuple(usages))


def test_probabilities_follow_the_formula() -> None:
    weights = [*(np.exp(8 * COSINES) * (3 * SHARES) ** 0.5), np.exp(3)]
    assert PART(COSINES, SHARES) == pytest.approx(weights / np.sum(weights))
    assert PART(COSINES, SHARES).sum() == pytest.approx(1)


def test_the_more_senses_are_missing_the_more_probable_is_it_that_none_fits() -> None:
    nones = [GlossProbability(missing=share)(COSINES, SHARES)[-1] for share in (0.01, 0.1, 0.5, 0.9)]
    assert nones == sorted(nones)
    first, second = (GlossProbability(missing=share)(COSINES, SHARES) for share in (0.1, 0.5))
    assert first[0] / first[1] == pytest.approx(second[0] / second[1])


def test_without_a_sense_none_fits() -> None:
    assert PART(np.zeros(0), np.zeros(0)).tolist() == [1.0]


def test_a_share_of_all_senses_is_refused() -> None:
    with pytest.raises(InputError, match="missing"):
        GlossProbability(missing=1.0)


def test_the_mean_of_the_examples_decides(tmp_path: Path) -> None:
    sense = induced("bank.n.s1", "a bank lends", "the bank floods")
    first, second = (usage.id for usage in list_example_usages([sense]))
    cosines = Labelling.from_dict({first: {MONEY: 0.6, RIVER: 0.2}, second: {MONEY: 0.4, RIVER: 0.4}}, lemma="bank.n")
    [definition] = PART.define([sense], cosines, banks(tmp_path).wordnet)
    expected = PART(np.array([0.5, 0.3, 0.0]), np.array([6, 4, 1]) / 11)
    assert [row.sense.id for row in definition.candidates] == [MONEY, RIVER, ROW]
    assert [*(row.probability for row in definition.candidates), definition.none] == pytest.approx(expected)
    assert definition.best == definition.candidates[0]


def test_senses_are_defined_by_a_model_of_similarity(tmp_path: Path) -> None:
    senses = [induced("bank.n.s1", "The bank lends money."), induced("bank.n.s2", "A river bank, with a boat.")]
    model = DictionaryModel(Lesk(extended=True, prior=0), banks(tmp_path))
    definitions = GlossProbability(slope=9, prior=0, none=0).define_by(model, senses)
    assert [definition.sense for definition in definitions] == ["bank.n.s1", "bank.n.s2"]
    assert [best.sense.id for definition in definitions if (best := definition.best)] == [MONEY, RIVER]


def test_none_fits_a_lemma_that_the_dictionary_lacks(tmp_path: Path) -> None:
    [definition] = PART.define([induced("xyzzy.s1", "the bank", lemma="xyzzy")], Labelling(), banks(tmp_path).wordnet)
    assert definition == Definition("xyzzy.s1", "xyzzy", (), 1.0)
    assert definition.best is None
    assert repr(definition) == "<Definition of xyzzy.s1: none 1.00>"


def test_senses_without_examples_are_left_out(tmp_path: Path) -> None:
    assert PART.define([Sense("bank.n.s1", "bank.n")], Labelling(), banks(tmp_path).wordnet) == []

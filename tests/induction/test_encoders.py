"""Substitution with an encoder, which predicts no words: a tiny one with random weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polyseme.clustering.number_of_clusters import Silhouette
from polyseme.disambiguation.substitute_similarity import SubstituteSimilarity
from polyseme.errors import InputError, InputWarning
from polyseme.induction.model import SenseModel
from polyseme.induction.same_sense import SameSense
from polyseme.induction.substitution import Substitution
from polyseme.induction.usage_similarity import compare_usages
from polyseme.lm.language_model import MissingHead
from polyseme.usage import Usage

TEXTS = ["the bank lends money", "a bank lends money", "the river bank floods", "a wide river bank floods"]
USAGES = [Usage(f"u{at}", "bank.n", text, text.index("bank"), text.index("bank") + 4) for at, text in enumerate(TEXTS)]


def test_vectors_of_an_encoder_are_clustered_alone(encoder_model: str, tmp_path: Path) -> None:
    inducer = Substitution(encoder_model, smallest=1)
    with pytest.warns(InputWarning, match=r"is an encoder and predicts no words, so its vectors alone are clustered"):
        model = inducer.fit(USAGES, ["bank.n"], usages=USAGES)
    labels = model.label(USAGES)
    assert list(labels) == [usage.id for usage in USAGES]
    assert any("lend.v" in dict(sense.features) for sense in model.inventory["bank.n"])
    model.save(tmp_path / "m")
    assert SenseModel.load(tmp_path / "m").label(USAGES) == labels


def test_without_patterns_nobody_is_warned(encoder_model: str, recwarn: pytest.WarningsRecorder) -> None:
    one, other = Substitution(encoder_model), Substitution(encoder_model, patterns=())
    assert one.steps() == other.steps()
    other.fit(USAGES, ["bank.n"], usages=USAGES)
    assert not [warning for warning in recwarn if issubclass(warning.category, InputWarning)]


def test_the_silhouette_chooses_the_number_of_senses_unless_an_option_does(encoder_model: str) -> None:
    assert Substitution(encoder_model).steps().number == Silhouette()
    assert Substitution(encoder_model, number=3).steps().number == 3
    steps = Substitution(encoder_model, probability=0.6).steps()
    assert (steps.number, steps.cluster) == (None, SameSense(0.6))
    assert Substitution(encoder=encoder_model).steps().number == Silhouette()


def test_a_masked_model_is_asked_for_substitutes(masked_model: str, encoder_model: str) -> None:
    steps = Substitution(masked_model, encoder=encoder_model).steps()
    represent: Any = steps.represent
    assert [type(part).__name__ for part in represent.of] == ["SubstituteVector", "TokenEncoder", "TokenEncoder"]
    assert steps.told == "substitutes"
    assert Substitution(masked_model).steps().cluster == SameSense()


def test_a_model_that_is_not_on_this_computer_may_be_a_masked_one() -> None:
    assert Substitution("nobody/has-this-model").has_substitutes()


def test_an_encoder_is_refused_where_only_substitutes_are_asked_for(encoder_model: str) -> None:
    for inducer in (Substitution(encoder_model, vectors=0), Substitution(encoder_model, patterns=("_",))):
        with pytest.raises(MissingHead, match=r"use its vectors alone: Substitution\(model='.*', patterns=\(\)\)"):
            inducer.fit(USAGES, ["bank.n"], usages=USAGES)
    with pytest.raises(InputError, match=r"SubstituteSimilarity compares; .* or use GlossSimilarity\(encoder='"):
        SubstituteSimilarity(encoder_model).prepare(None, [])  # type: ignore[arg-type]


def test_usages_are_compared_by_the_vectors_of_an_encoder(encoder_model: str) -> None:
    pairs = list(compare_usages(Substitution(encoder_model), USAGES))
    rows: Any = Substitution(encoder_model).representation()
    vectors = rows.of[0].vectors(USAGES)
    assert [pair.similarity for pair in pairs] == pytest.approx((vectors @ vectors.T)[np.triu_indices(4, 1)].tolist())
    with pytest.raises(InputError, match="has no probability of the same sense; name Substitution with a masked"):
        list(compare_usages(Substitution(encoder_model), USAGES, probability=True))

"""Models of all kinds are saved and loaded by the same code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from induction.corpora import background, usages
from polyseme.clustering.scikit_learn import KMeans
from polyseme.corpus.simple_analyser import Simple
from polyseme.disambiguation.lesk import Lesk
from polyseme.disambiguation.model import DictionaryModel
from polyseme.errors import InputError
from polyseme.induction.inducer import Inducer
from polyseme.induction.pipeline import Pipeline
from polyseme.induction.squares import Squares
from polyseme.models import Model, load_model

INDUCERS = [Squares(delta=0.2, sigma=0.3), Pipeline(cluster=KMeans(), number=2)]


def check_same_after_loading(model: Model, folder: Path) -> None:
    model.save(folder)
    again = load_model(folder)
    assert type(again) is type(model)
    assert again.label(usages(10, seed=3)) == model.label(usages(10, seed=3))


@pytest.mark.parametrize("inducer", INDUCERS, ids=lambda inducer: type(inducer).__name__)
def test_an_induced_model_gives_the_same_labels_after_loading(inducer: Inducer, tmp_path: Path) -> None:
    model = inducer.fit([*usages(), *background()], ["bank.n"], processes=1)
    check_same_after_loading(model, tmp_path)


def test_a_dictionary_model_gives_the_same_labels_after_loading(tmp_path: Path) -> None:
    check_same_after_loading(DictionaryModel(Lesk(), keep=0.5), tmp_path)


def test_lemmas_of_usages_are_fitted_by_default() -> None:
    model = Pipeline(number=2).fit(usages(40), analyser=Simple(lemmatise=False), processes=1)
    assert list(model.inventory) == ["bank.n"]


def test_a_model_of_an_earlier_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_text(json.dumps({"layout": 2, "inducer": "Squares()"}))
    with pytest.raises(InputError, match=r"format 2; this one reads 3\)\. Fit it again: polyseme induce"):
        load_model(tmp_path)

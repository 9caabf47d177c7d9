"""Transformers of scikit-learn: they compose, are cloned, and keep the order of usages."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline, make_union

from induction.corpora import usages
from polyseme import SenseVectorizer, Usage, UsageVectorizer, wordnet
from polyseme.disambiguation.model import DictionaryModel
from polyseme.errors import InputError
from polyseme.parts import build

INDUCER = "Pipeline(Bag(minimum=3), number=2)"
USAGES = usages(40)
IS_MONEY = [number % 2 for number in range(len(USAGES))]


def fields(matrix: Any) -> list[list[float]]:
    rows: list[list[float]] = sp.csr_array(matrix).toarray().tolist()
    return rows


def test_a_model_is_a_table_of_usages_and_senses() -> None:
    model = build(INDUCER).fit(USAGES, processes=1)
    matrix, labels = model.transform(USAGES), model.label(USAGES)
    assert matrix.shape == (40, 2)
    assert model.get_feature_names_out().tolist() == ["bank.n.s1", "bank.n.s2"]
    assert fields(matrix)[3] == [labels[USAGES[3].id].get(sense, 0) for sense in ("bank.n.s1", "bank.n.s2")]
    stranger = Usage("x", "tree.n", "a tree", 2, 6)
    assert fields(model.transform([stranger, USAGES[3]])) == [[0, 0], fields(matrix)[3]]
    fitted = SenseVectorizer(model).fit(USAGES[:1])
    assert fields(fitted.transform(USAGES)) == fields(matrix), "a fitted model is used as it is"


def test_senses_are_features_of_a_classifier(tmp_path: Path) -> None:
    senses = SenseVectorizer(INDUCER, processes=1)
    assert senses.get_params() == {"model": INDUCER, "processes": 1}
    assert clone(senses).get_params() == senses.get_params()
    with pytest.raises(NotFittedError):
        senses.transform(USAGES)
    steps = make_pipeline(make_union(senses, UsageVectorizer("Bag(minimum=3)", processes=1)), LogisticRegression())
    assert cross_val_score(steps, USAGES, IS_MONEY, cv=2).mean() > 0.8
    search = GridSearchCV(make_pipeline(senses, LogisticRegression()), {"sensevectorizer__model": [INDUCER]}, cv=2)
    search.fit(USAGES, IS_MONEY)
    again = pickle.loads(pickle.dumps(search.best_estimator_))
    assert again.predict(USAGES).tolist() == search.predict(USAGES).tolist()
    search.best_estimator_[0].model_.save(tmp_path / "model")
    loaded = SenseVectorizer(str(tmp_path / "model")).fit(USAGES)
    assert fields(loaded.transform(USAGES)) == fields(search.best_estimator_[0].transform(USAGES))


def test_dictionary_models_have_the_senses_of_the_lemmas() -> None:
    if wordnet.find_wordnet("3.1") is None:
        pytest.skip("WordNet 3.1 is not here; type: polyseme data install wordnet-3.1")
    senses = SenseVectorizer("SemCorMFS").fit(USAGES)
    assert isinstance(senses.model_, DictionaryModel)
    assert len(senses.get_feature_names_out()) == 10
    assert fields(senses.transform(USAGES[:1]))[0].count(1) == 1
    bare = [Usage("1", "bank", "The bank of the river", 4, 8), Usage("2", "bank", "The bank lends", 4, 8)]
    matrix = SenseVectorizer("PPR", processes=1).fit_transform(bare)
    assert matrix.shape == (2, 10)
    assert np.array(fields(matrix)).sum(axis=1) == pytest.approx([1, 1])
    with pytest.raises(InputError, match=r"no senses of bnak\.n; name lemmas such as 'bank.n'"):
        SenseVectorizer("PPR").fit([Usage("1", "bnak.n", "The bnak", 4, 8)])


def test_vectors_keep_the_order_of_usages_of_several_lemmas() -> None:
    words = ["bank.n", "tree.n", "bank.n", "tree.n"]
    texts = ["a bank lends", "a tree grows", "a bank pays", "a tree falls"]
    rows = [Usage(str(n), lemma, text, 2, 6) for n, (lemma, text) in enumerate(zip(words, texts, strict=True))]
    bags = UsageVectorizer("Bag(minimum=1, stop=0)", processes=1).fit(rows)
    matrix = np.array(fields(bags.transform(rows)))
    assert len(np.unique(matrix, axis=0)) == 4
    assert np.array(fields(bags.transform(rows[::-1]))).tolist() == matrix[::-1].tolist()
    assert len(bags.get_feature_names_out()) == matrix.shape[1]
    assert bags.transform([]).shape == (0, matrix.shape[1])
    with pytest.raises(InputError, match="is not a representation"):
        UsageVectorizer("KMeans").fit(rows)

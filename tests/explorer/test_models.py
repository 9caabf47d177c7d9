"""The models of the explorer."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.conftest import Get
from polyseme.corpus.analysers import as_analyser
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.errors import InputError
from polyseme.explorer import background_tasks, profile_cache
from polyseme.explorer.explorer import Explorer
from polyseme.explorer.fineness import STEPS, measure_fineness
from polyseme.explorer.models import (
    OFFERED_MODELS,
    build_inducer,
    full_specification,
    is_offered,
    model_title,
    models_for_index,
    usage_limit,
)
from polyseme.induction import defaults
from polyseme.induction.substitution import Substitution
from polyseme.usage import Usage
from word_profiles import changing_profile


def test_the_small_model_is_the_default_if_it_is_installed(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(defaults, "SMALL_MODEL_PACKAGES", ())
    assert models_for_index(index) == OFFERED_MODELS
    monkeypatch.setattr(defaults, "SMALL_MODEL_PACKAGES", ("polyseme_smaller",))
    assert models_for_index(index)[0].title == "Context clusters"


def test_the_small_model_is_offered_for_english_only(tmp_path: Path) -> None:
    usages = [Usage("u", "bank", "Die Bank ist alt.", 4, 8)]
    german = build_index(usages, tmp_path / "german.index", as_analyser("Simple('de', lemmatise=False)"), processes=1)
    assert models_for_index(german) == OFFERED_MODELS[1:]


def test_remote_users_can_use_offered_models_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(defaults, "SMALL_MODEL_PACKAGES", ())
    for language in ("de", "en"):
        usages = [Usage("u", "bank", "Die Bank ist alt.", 4, 8)]
        index = build_index(usages, tmp_path / language, as_analyser(f"Simple('{language}')"), processes=1)
        explorer = Explorer(index, tmp_path / f"{language}.cache", any_model=False)
        try:
            explorer.check_model(defaults.CONTEXT_INDUCER)
            if language == "en":
                explorer.check_model(defaults.SUBSTITUTE_INDUCER)
                continue
            for specification in (defaults.SUBSTITUTE_INDUCER, repr(build_inducer(defaults.SUBSTITUTE_INDUCER))):
                with pytest.raises(InputError, match="only the listed models"):
                    explorer.check_model(specification)
        finally:
            explorer.stop()


def test_the_start_page_names_the_missing_extra(get: Get, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(defaults, "SMALL_MODEL_PACKAGES", ())
    assert "polyseme[small]" not in get("/").text
    monkeypatch.setattr(defaults, "SMALL_MODEL_PACKAGES", ("polyseme_smaller",))
    assert "polyseme[small]" in get("/").text


def test_a_language_model_reads_a_part_of_the_sample_of_others(index: Index, tmp_path: Path) -> None:
    pytest.importorskip("polyseme_small", reason="type: pip install ./models/small")
    background_tasks.InductionTask(full_specification(defaults.CONTEXT_INDUCER), "bank", tmp_path / "whole", 50).run(
        index
    )
    background_tasks.InductionTask(
        full_specification(defaults.SUBSTITUTE_INDUCER), "bank", tmp_path / "sampled", 20
    ).run(index)
    whole, sampled = profile_cache.read_profile(tmp_path / "whole"), profile_cache.read_profile(tmp_path / "sampled")
    assert len(whole.usages) == 50
    assert len(sampled.usages) == len(sampled.labelled) == 20
    assert {usage.id for usage in sampled.usages} < {usage.id for usage in whole.usages}


def test_a_language_model_profiles_a_lemma_in_an_index_without_parts_of_speech(tmp_path: Path) -> None:
    pytest.importorskip("polyseme_small", reason="type: pip install ./models/small")
    index = build_index(changing_profile().usages, tmp_path / "simple.index", as_analyser("Simple('en')"), processes=1)
    background_tasks.InductionTask(
        full_specification(defaults.SUBSTITUTE_INDUCER), "bank.n", tmp_path / "kept", 20
    ).run(index)
    profile = profile_cache.read_profile(tmp_path / "kept")
    assert len(profile.usages) == len(profile.labelled) == 20
    assert {(usage.lemma, usage.pos) for usage in profile.usages} == {("bank.n", "n")}


def test_a_language_model_reads_fewer_usages() -> None:
    assert (usage_limit(defaults.SUBSTITUTE_INDUCER), usage_limit(defaults.CONTEXT_INDUCER)) == (300, 2000)


def test_coarser_and_finer_models_are_offered_with_the_default() -> None:
    inducer = build_inducer("Substitution(probability=0.58)")
    for specification in ("Substitution(probability=0.58)", repr(inducer)):
        assert is_offered(specification, OFFERED_MODELS)
        assert not is_offered(specification, OFFERED_MODELS[1:])
        assert model_title(specification) == "Substitutes (small model), finer: .58"
    for specification in ("Substitution(probability=0.61)", "Substitution(probability=0.58, number=3)"):
        assert not is_offered(specification, OFFERED_MODELS)
    assert model_title("Substitution(probability=0.18)") == "Substitutes (small model), coarser: .18"


def test_steps_end_and_begin_between_others() -> None:
    ends = [measure_fineness(Substitution(probability=probability)) for probability in (STEPS[0], STEPS[-1], 0.45)]
    assert [(bool(end.coarser), bool(end.finer)) for end in ends if end] == [(False, True), (True, False), (True, True)]
    between = measure_fineness(Substitution("my-model", probability=0.45))
    assert between
    assert between.coarser == "Substitution(model='my-model')"
    assert between.finer == "Substitution(model='my-model', probability=0.5)"
    assert measure_fineness(Substitution(number=3)) is measure_fineness(build_inducer("UoY()")) is None


def test_the_default_is_the_first_offered_model(explorer: Explorer) -> None:
    assert explorer.model_or_default("") == explorer.offered[0].specification
    assert explorer.model_or_default("UoY()") == "UoY()"

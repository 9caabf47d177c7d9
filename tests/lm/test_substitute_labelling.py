"""Usages labelled with substitutes, and lemmas of an n-gram model."""

from pathlib import Path

import numpy as np
import pytest

from polyseme.inventory import Inventory
from polyseme.lm import substitute_labelling
from polyseme.lm.ngram_substitutes import NGramSubstitutes, find_gap
from polyseme.lm.ngrams.fastsubs import score_words
from polyseme.lm.ngrams.model import NGrams
from polyseme.lm.substitute_labelling import label_with_substitutes
from substitution import GOLD, USAGES, write


@pytest.fixture
def model(tmp_path: Path) -> str:
    write(tmp_path)
    return str(tmp_path / "ngrams")


def test_lemmas_have_the_probabilities_of_their_forms(model: str) -> None:
    usage, ngrams = USAGES[1], NGrams.load(model)
    [substitutes] = NGramSubstitutes(model, own=False, lemmas=True).substitutes([usage], 50)
    assert "shop" in substitutes.words
    assert not {"shops", "bank", "banks"} & set(substitutes.words)
    scores = 10 ** score_words(ngrams, find_gap(usage), np.array([ngrams.number(word) for word in ngrams.words]))
    probability = dict(zip(ngrams.words, scores.tolist(), strict=True))
    shares = dict(zip(substitutes.words, substitutes.probabilities.tolist(), strict=True))
    shop, lender = (probability[word] + probability[f"{word}s"] for word in ("shop", "lender"))
    assert shares["shop"] / shares["lender"] == pytest.approx(shop / lender)


def test_forms_are_lemmas_of_the_target_s_part_of_speech(model: str) -> None:
    [verb] = NGramSubstitutes(model, own=False, lemmas=True).substitutes([USAGES[2]], 50)
    assert "lift" in verb.words
    assert not {"lifted", "raise", "raised"} & set(verb.words)


def test_without_lemmas_forms_are_separate(model: str) -> None:
    [substitutes] = NGramSubstitutes(model, own=False).substitutes([USAGES[1]], 50)
    assert {"shop", "shops"} <= set(substitutes.words)


def test_the_likeliest_words_and_the_candidates_are_listed(model: str) -> None:
    part = NGramSubstitutes(model, own=False, lemmas=True)
    two = label_with_substitutes(part, USAGES, 2)
    assert [len(weights) for weights in two.values()] == [2, 2, 2]
    assert two.lemma("raise.v.3") == "raise.v"
    more = label_with_substitutes(part, USAGES, 2, Inventory.from_labelling(GOLD))
    assert {"shore", "edge", "shop", "lender"} <= set(more["bank.n.1"])
    assert not {"river side", "increase"} & {word for _, word in more.columns}  # the model does not know them
    for usage in two:
        assert list(more[usage])[:2] == list(two[usage])
        assert list(more[usage].values()) == sorted(more[usage].values(), reverse=True)


def test_batches_do_not_change_the_labelling(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    part = NGramSubstitutes(model, own=False)
    whole = label_with_substitutes(part, USAGES, 3)
    monkeypatch.setattr(substitute_labelling, "USAGE_BATCH", 2)
    done: list[int] = []
    assert label_with_substitutes(part, USAGES, 3, show=done.append) == whole
    assert done == [2, 3]

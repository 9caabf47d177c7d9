"""Lemmas of the words that a language model knows."""

from __future__ import annotations

import numpy as np
import pytest

from polyseme.lm.word_tokens import WordTokens, lemmatise_tokens

PIECES = "ga bu len new economic corp br nee she th fee tri carrie academie tend bit h"
"""Tokens that look like lemmas of other words, and some of which are words."""

LEMMAS = {
    "n": "gas gases>gas bus buses>bus lens lenses>lens news economics corps cats>cat taxis>taxi taxes>tax glass"
    " princes>prince princesses>princess theses>thesis carries>carry academies>academy ties>tie men>man us as"
    " organisation organization",
    "v": "gas bring bringing>bring need needed>need feed feeding>feed fed>feed led>lead shed thing tried>try"
    " carried>carry tied>tie trying>try going>go goes>go found>find building>build buildings>building"
    " realise realises>realise realize realized>realize",
    "a": "tender tenderly bitter bitterly her higher>high highest>high better>good happier>happy elder>old elderly",
}


@pytest.mark.parametrize("pos", LEMMAS)
def test_forms_are_replaced_by_lemmas(pos: str) -> None:
    pairs = {form: lemma or form for form, _, lemma in (pair.partition(">") for pair in LEMMAS[pos].split())}
    names = tuple(dict.fromkeys([*pairs, *pairs.values(), *PIECES.split()]))
    lemmas = lemmatise_tokens(WordTokens(names, np.arange(len(names))), pos)
    lemma_by_form = dict(zip(names, (lemmas.words[number] for number in lemmas.word_numbers), strict=True))
    assert {form: lemma_by_form[form] for form in pairs} == pairs


def test_a_lemma_must_be_a_token() -> None:
    words = WordTokens(("cats", "[mask]"), np.array([0, -1, 1]))
    assert lemmatise_tokens(words, "n").words == words.words
    assert lemmatise_tokens(words, "n").word_numbers.tolist() == [0, -1, 1]
    assert lemmatise_tokens(words, "") is words

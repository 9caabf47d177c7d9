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
def test_lemmas(pos: str) -> None:
    pairs = {form: lemma or form for form, _, lemma in (each.partition(">") for each in LEMMAS[pos].split())}
    names = tuple(dict.fromkeys([*pairs, *pairs.values(), *PIECES.split()]))
    made = lemmatise_tokens(WordTokens(names, np.arange(len(names))), pos)
    found = dict(zip(names, (made.words[number] for number in made.word_numbers), strict=True))
    assert {form: found[form] for form in pairs} == pairs


def test_lemmas_that_are_not_known_are_none() -> None:
    words = WordTokens(("cats", "[mask]"), np.array([0, -1, 1]))
    assert lemmatise_tokens(words, "n").words == words.words
    assert lemmatise_tokens(words, "n").word_numbers.tolist() == [0, -1, 1]
    assert lemmatise_tokens(words, "") is words

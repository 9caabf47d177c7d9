"""Sentences of analysed words."""

import pickle

import pytest
from hypothesis import given

from polyseme.lemma import pos_from_tag
from polyseme.sentence import Sentence, Token
from values import sentences


@pytest.mark.parametrize(
    "tags, pos",
    [
        ("NOUN PROPN NN NNS NNP NP NPS nn1 np1", "n"),
        ("VERB AUX VB VBD VBZ VV VVG VH VD vvn vbz vhd", "v"),
        ("ADJ JJ JJR JJS jj", "a"),
        ("ADV RB RBR rr rrt", "r"),
        ("DT IN , . CD PRON MD at1 XX", ""),
    ],
)
def test_parts_of_speech(tags: str, pos: str) -> None:
    assert {pos_from_tag(tag) for tag in tags.split()} == {pos}


def test_a_word_outside_the_text() -> None:
    with pytest.raises(ValueError, match="sentence 's1': word 1 lies outside its text"):
        Sentence("s1", "Hi", (Token("Hello", 0, 5),))


def test_usages_are_the_words_with_lemma_and_part_of_speech() -> None:
    words = ["Banks", "lend", "."]
    sentence = Sentence.from_words("s", words, lemmas=["bank", "lend", ""], pos=["n", "v", ""], meta={"year": "1900"})
    (bank, lend) = sentence.usages()
    assert (bank.id, bank.lemma, bank.target, bank.pos, bank.meta["year"]) == ("s.1", "bank.n", "Banks", "n", "1900")
    assert lend.lemma == "lend.v"
    assert list(sentence.usages({"lend.v"})) == [lend]


@given(sentences())
def test_a_sentence_can_be_pickled(sentences: list[Sentence]) -> None:
    assert pickle.loads(pickle.dumps(sentences)) == sentences

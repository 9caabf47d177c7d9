"""Lemmas and parts of speech: splitting, normalising, and the tag sets."""

from hypothesis import given
from hypothesis import strategies as st

from polyseme.lemma import (
    DATA_SET_POS_LETTERS,
    POS_LETTERS,
    POS_NAMES,
    SYNSET_TYPES,
    UNIVERSAL_TAGS,
    normalise_lemma,
    plain_text,
    pos_from_tag,
    pos_of_lemma,
    split_lemma,
    strip_pos,
    wordnet_pos,
)


@given(st.text(min_size=1), st.sampled_from(POS_LETTERS))
def test_a_lemma_is_split_into_the_word_and_pos_that_make_it(word: str, pos: str) -> None:
    lemma = f"{word}.{pos}"
    assert split_lemma(lemma) == (word, pos)
    assert (strip_pos(lemma), pos_of_lemma(lemma)) == (word, pos)
    assert normalise_lemma(word, pos) in (lemma, word, f"{word[:-2]}.a")


@given(st.text())
def test_a_lemma_without_pos_is_its_own_word(text: str) -> None:
    word, pos = split_lemma(text, DATA_SET_POS_LETTERS)
    assert text == (f"{word}.{pos}" if pos else word)


def test_all_tables_agree_on_the_parts_of_speech() -> None:
    assert {wordnet_pos(letter) for letter in DATA_SET_POS_LETTERS} == set(POS_LETTERS) == set(UNIVERSAL_TAGS)
    assert set(POS_NAMES) == set(DATA_SET_POS_LETTERS) == {*SYNSET_TYPES, "j"}
    assert [pos_from_tag(tag) for tag in UNIVERSAL_TAGS.values()] == list(UNIVERSAL_TAGS)


def test_features_become_plain_words() -> None:
    assert plain_text("world.n cup.n") == "world cup"
    assert plain_text("u.s. p.m") == "u.s. p.m"

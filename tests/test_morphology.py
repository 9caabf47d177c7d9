"""English inflection without a dictionary."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme import morphology
from polyseme.errors import InputError
from polyseme.inventory import Inventory
from polyseme.morphology import is_form_of, possible_forms, possible_lemmas, wordnet_candidates

words = st.text("abcdefghiklmnoprstuyz", min_size=1, max_size=10) | st.sampled_from(
    ["organize", "analyse", "give_up", "step-child", "withstand", "undertake", "panic", "quiz", "boxful", "man", "be"]
)
parts_of_speech = st.sampled_from("nvajr")

FORMS = """
v: swimming swim, stopped stop, travelled travel, traveled travel, dying die, dyeing dye, panicked panic, studies study,
v: studied study, goes go, was be, went go, understood understand, undertaken undertake, withstood withstand, got get,
v: organised organize, organizing organise, analysed analyze, gave_up give_up, hoped hope, hopped hop, quizzed quiz,
v: equipped equip, agreed agree, seeing see, making make, tied tie, tying tie, lied lie, lay lie, laid lay, boxes box,
v: buzzes buzz, echoes echo, referring refer, visited visit, re-read re-read, unwound unwind, cost cost, burnt burn
n: children child, men man, women woman, policemen policeman, feet foot, geese goose, mice mouse, teeth tooth,
n: lives life, wolves wolf, leaves leaf, leaves leave, cities city, boys boy, boxes box, churches church, buses bus,
n: potatoes potato, pianos piano, analyses analysis, axes axis, axes axe, axes ax, quizzes quiz, criteria criterion,
n: organisations organization, boxesful boxful, mothers-in-law mother-in-law, ice_creams ice_cream, Dogs dog
a: bigger big, happiest happy, nicer nice, better good, better well, worst bad, further far, cleverest clever
r: better well, best well, worse badly, sooner soon, faster fast, earlier early
"""

NOT_FORMS = """
v: hoped hop, seed see, bed be, hopping hope, gooses goose_step, lived leave, winded win, needed knee, doing dog
n: lived life, goose geese, less les, men wolf
a: bigest big, worse war
"""


def pairs(text: str) -> list[tuple[str, str, str]]:
    cases = []
    for line in text.strip().splitlines():
        pos, _, listed = line.partition(": ")
        cases += [(form, lemma, pos) for form, lemma in (pair.split() for pair in listed.strip(",").split(","))]
    return cases


@pytest.mark.parametrize("form, lemma, pos", pairs(FORMS))
def test_forms_of_english(form: str, lemma: str, pos: str) -> None:
    assert is_form_of(form, lemma, pos)
    assert form.lower() in possible_forms(lemma, pos)
    assert lemma in possible_lemmas(form, pos)


@pytest.mark.parametrize("form, lemma, pos", pairs(NOT_FORMS))
def test_words_that_only_look_like_a_form(form: str, lemma: str, pos: str) -> None:
    assert not is_form_of(form, lemma, pos)
    assert lemma not in possible_lemmas(form, pos)


@given(words, parts_of_speech)
def test_lemmas_is_the_inverse_of_forms(word: str, pos: str) -> None:
    assert word in possible_forms(word, pos)
    assert word in possible_lemmas(word, pos)
    assert all(word in possible_lemmas(form, pos) for form in possible_forms(word, pos))
    assert all(word in possible_forms(lemma, pos) for lemma in possible_lemmas(word, pos))


def test_capitals_and_letters() -> None:
    assert is_form_of("STOPPED", "Stop", "v")
    assert possible_forms("dark", "j") == possible_forms("dark", "a")
    for pos in ("x", "", "noun", "s"):
        with pytest.raises(InputError, match=f"there is no part of speech '{pos}'; allowed are n, v, a .or j. and r"):
            possible_forms("dark", pos)


def test_wordnets_own_rules() -> None:
    assert wordnet_candidates("geese", "n", {"geese": ["goose"]})[:2] == ("goose", "geese")
    assert wordnet_candidates("churches", "n") == ("churches", "churche", "church")
    assert wordnet_candidates("taxes", "v") == ("taxes", "taxe", "tax")
    assert wordnet_candidates("Boxesful", "n") == ("boxesful", "boxeful", "boxful")
    assert wordnet_candidates("class", "n") == ("class",)
    assert wordnet_candidates("is", "n") == ("is",)
    assert wordnet_candidates("nicer", "j") == ("nicer", "nic", "nice")
    assert wordnet_candidates("soon", "r") == ("soon",)
    assert wordnet_candidates("asks_for", "v") == ("asks_for", "ask_for")
    assert wordnet_candidates("gave up", "v", {"gave": ["give"]}) == ("give up", "gave up")


def test_exceptions_stop_detachment() -> None:
    assert wordnet_candidates("axes", "n", {"axes": ["ax", "axis"]}) == ("ax", "axis", "axes")
    assert wordnet_candidates("seed", "v", {"seed": ["seed"]}) == ("seed",)
    assert wordnet_candidates("seeds", "v", {"seed": ["seed"]}) == ("seeds", "seed")


def test_the_table_is_sound() -> None:
    for pos, forms_by_lemma in morphology._irregular_forms_by_lemma().items():
        assert len(forms_by_lemma) == len(morphology._read_irregular_forms()[pos].split(",")), (
            "a lemma stands in it twice"
        )
        for lemma, forms in forms_by_lemma.items():
            assert forms, lemma
            assert all(re.fullmatch(r"[a-z]+([-_][a-z]+)*", word) for word in (lemma, *forms)), lemma
    assert len(morphology._irregular_forms_by_lemma()["v"]) > 200


def test_every_lemma_of_wordnet(wordnet_31: Inventory) -> None:
    for lemma in list(wordnet_31)[::20]:
        word, _, pos = lemma.rpartition(".")
        assert all(word in possible_lemmas(form, pos) for form in possible_forms(word, pos)), lemma

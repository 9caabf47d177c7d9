"""Analysers: what all must do, and the results of English and Simple."""

import importlib
import importlib.util
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polyseme import parts
from polyseme.corpus.analysers import Analyser, as_analyser
from polyseme.corpus.english_analyser import English
from polyseme.corpus.simple_analyser import Simple
from polyseme.corpus.spacy_analyser import Spacy
from polyseme.errors import InputError
from polyseme.sentence import Sentence

needs_hanta = pytest.mark.skipif(not importlib.util.find_spec("HanTa"), reason="HanTa is not installed")

PLAIN = Simple(lemmatise=False)
ANALYSERS = [
    pytest.param(PLAIN, id="plain"),
    pytest.param(Simple(), id="simple"),
    pytest.param(English(), id="english", marks=needs_hanta),
]

TEXT = """THE BANKS

Mr. Hall's bank raised its rates yesterday. "Why?" she asked; nobody didn't know — not even the U.S.
banks’ owners, who’d been to https://example.com/rates.

The river bank was green. It was the largest one."""


def words(analyser: Analyser, text: str) -> list[tuple[str, str, str]]:
    return [(token.form, token.lemma, token.pos) for _, sentence in analyser.analyse(text) for token in sentence.tokens]


def lemma(form: str, text: str) -> str:
    return next(lemma for each, lemma, _ in words(English(), text) if each == form)


def pos(form: str, text: str) -> str:
    return next(pos for each, _, pos in words(English(), text) if each == form)


# -- all -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("analyser", ANALYSERS)
def test_offsets_are_exact_and_no_character_is_lost(analyser: Analyser) -> None:
    covered = set()
    for start, sentence in analyser.analyse(TEXT):
        assert TEXT[start : start + len(sentence.text)] == sentence.text
        for token in sentence.tokens:
            assert TEXT[start + token.start : start + token.end] == token.form
            assert token.lemma
            covered |= set(range(start + token.start, start + token.end))
    assert covered == {at for at, character in enumerate(TEXT) if not character.isspace()}


@pytest.mark.parametrize("analyser", ANALYSERS)
def test_sentences_are_named_after_the_document(analyser: Analyser) -> None:
    assert [sentence.id for _, sentence in analyser.analyse(TEXT, "d1")] == [f"d1.{number}" for number in range(1, 6)]
    assert [sentence.id for _, sentence in analyser.analyse("One. Two.")] == ["1", "2"]


@pytest.mark.parametrize("analyser", ANALYSERS)
def test_analysis_is_reproducible(analyser: Analyser) -> None:
    assert list(analyser.analyse(TEXT)) == list(analyser.analyse(TEXT))


@pytest.mark.parametrize("analyser", ANALYSERS)
@pytest.mark.parametrize("text", ["", " \n\n\t"])
def test_text_without_words_has_no_sentences(analyser: Analyser, text: str) -> None:
    assert list(analyser.analyse(text)) == []


@pytest.mark.parametrize("analyser", ANALYSERS)
def test_sentences_are_yielded_one_by_one(analyser: Analyser) -> None:
    sentences = analyser.analyse("One is here. " * 100_000)
    assert isinstance(sentences, Iterator)
    assert next(sentences)[1].text == "One is here."


@pytest.mark.parametrize("analyser", ANALYSERS)
@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
@settings(max_examples=50, deadline=None)
def test_no_character_of_any_text_is_lost(analyser: Analyser, text: str) -> None:
    tokens = [token for _, sentence in analyser.analyse(text) for token in sentence.tokens]
    assert "".join(token.form for token in tokens) == "".join(text.split())
    assert all(token.form and token.lemma for token in tokens)


# -- names ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "specification, expected",
    [
        ("english", English()),
        ("English", English()),
        (" English() ", English()),
        ("simple", Simple()),
        ("simple:de", Simple("de")),
        ("Simple(language='de', lemmatise=False)", Simple("de", lemmatise=False)),
        ("spacy", Spacy()),
        ("spacy:en_core_web_trf", Spacy("en_core_web_trf")),
        ("spacy:C:/my/model", Spacy("C:/my/model")),
        ("Spacy(model='a:b')", Spacy("a:b")),
    ],
)
def test_analysers_are_built_from_specifications(specification: str, expected: Analyser) -> None:
    assert as_analyser(specification) == expected
    assert parts.build(repr(expected)) == expected


@pytest.mark.parametrize(
    "specification, message",
    [
        ("simpl", "there is no part 'simpl'; did you mean Simple"),
        ("simple:", "'simple:' is not an analyser: simple:LANGUAGE needs its language"),
        ("english:en", "'english:en' is not an analyser: english has no options"),
        ("Simple(lang='de')", "Simple has no option 'lang'; did you mean 'language'?"),
        ("Jaccard()", "'Jaccard()' is not an analyser; allowed are English, Simple, Spacy"),
    ],
)
def test_wrong_specifications_are_refused(specification: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        as_analyser(specification)
    assert message in str(error.value)


def test_analysers_do_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        PLAIN.language = "de"  # type: ignore[misc]


# -- simple --------------------------------------------------------------------------------------------------------


def test_without_lemmas_the_lemma_is_the_form_in_small_letters() -> None:
    assert words(PLAIN, "The Banks lent.") == [
        ("The", "the", ""),
        ("Banks", "banks", ""),
        ("lent", "lent", ""),
        (".", ".", ""),
    ]


@pytest.mark.parametrize(
    "code, text, lemmas",
    [
        ("en", "The banks lent money.", "the bank lend money ."),
        ("de", "Die Häuser standen leer.", "der Haus stehen leer ."),
        ("fr", "L'homme les mange.", "le homme le manger ."),
    ],
)
def test_lemmas_of_some_languages(code: str, text: str, lemmas: str) -> None:
    assert [lemma.lower() for _, lemma, _ in words(Simple(code), text)] == lemmas.lower().split()


def test_a_language_without_lemmas() -> None:
    with pytest.raises(InputError, match=r"no lemmas for the language 'tlh'; it has ar, .*lemmatise=False\)"):
        next(Simple("tlh").analyse("Hol"))


# -- English -------------------------------------------------------------------------------------------------------


@needs_hanta
def test_lemmas_and_parts_of_speech() -> None:
    assert words(English(), "The children weren't quickly raising the banks’ lowest rates.") == [
        ("The", "the", ""),
        ("children", "child", "n"),
        ("were", "be", "v"),
        ("n't", "not", "r"),
        ("quickly", "quickly", "r"),
        ("raising", "raise", "v"),
        ("the", "the", ""),
        ("banks", "bank", "n"),
        ("’", "'", ""),
        ("lowest", "low", "a"),
        ("rates", "rate", "n"),
        (".", ".", ""),
    ]


@needs_hanta
@pytest.mark.parametrize(
    "form, text, expected",
    [
        ("houses", "Many houses burnt.", "house"),
        ("left", "He left the house.", "leave"),
        ("U.S.", "He left the U.S. for good.", "u.s."),
    ],
)
def test_lemmas(form: str, text: str, expected: str) -> None:
    assert lemma(form, text) == expected


@needs_hanta
@pytest.mark.parametrize(
    "form, text, expected",
    [
        ("bank", "The bank closed.", "n"),
        ("bank", "You can bank on it.", "v"),
        ("this", "I know this man.", ""),
        ("more", "He was more tired.", "r"),
        ("can", "We can go.", ""),
        ("first", "The first man left.", "a"),
    ],
)
def test_parts_of_speech(form: str, text: str, expected: str) -> None:
    assert pos(form, text) == expected


@needs_hanta
@pytest.mark.parametrize("sign", ["“", "•", "§", "→", "***", "…", "–", "😀"])
def test_a_sign_is_no_word(sign: str) -> None:
    assert pos(sign, f"We went {sign} home.") == ""


@needs_hanta
def test_a_very_long_word_takes_no_time() -> None:
    form = "a" * 1_000_000
    assert words(English(), form) == [(form, form, "n")]


@needs_hanta
def test_the_cache_of_forms_changes_no_result(data: Any) -> None:
    """The tags of sentences are those of a model without a cache."""
    from polyseme.corpus.tagger import MODEL, Tagger
    from polyseme.datasets import load

    hanta: Any = importlib.import_module("HanTa.HanoverTagger")
    plain, cached = hanta.HanoverTagger(MODEL), hanta.HanoverTagger(MODEL)
    tagger = Tagger(cached)
    for sentence in load("wsd-semeval2013", data).sentences():
        forms = [token.form for token in sentence.tokens]
        assert cached.tag_sent(forms) == plain.tag_sent(forms)
        assert tagger.tag(forms) == Tagger(plain).tag(forms)
    assert cached.analyze_viterbi.cache_info().hits > 1000


@pytest.mark.parametrize("analyser", ANALYSERS)
def test_columns_hold_the_same_sentences(analyser: Any) -> None:
    sentences = [
        (columns.start, columns.sentence(str(number))) for number, columns in enumerate(analyser.rows(TEXT), start=1)
    ]
    assert sentences == list(analyser.analyse(TEXT))


@needs_hanta
def test_agreement_with_annotators(data: Any) -> None:
    """On one text that is not in the Brown Corpus: nine of ten parts of speech, more of the lemmas."""
    from polyseme.datasets import load

    right, count, lemmas = 0, 0, 0
    for sentence in load("wsd-semeval2013", data).sentences():
        right_here, lemmas_here, count_here = agreement(sentence)
        right, lemmas, count = right + right_here, lemmas + lemmas_here, count + count_here
    assert count > 1000
    assert right / count > 0.97
    assert lemmas / count > 0.97


def agreement(sentence: Sentence) -> tuple[int, int, int]:
    """How many parts of speech and lemmas of the sense-tagged single words are right, and of how many."""
    gold = {(token.start, token.end): token for token in sentence.tokens if "id" in token.features}
    tags = {
        (start + token.start, start + token.end): token
        for start, analysed in English().analyse(sentence.text)
        for token in analysed.tokens
    }
    both = [(gold[place], tags[place]) for place in gold if place in tags]
    rights = [(one.pos == other.pos, one.lemma.lower() == other.lemma) for one, other in both]
    return sum(pos for pos, _ in rights), sum(lemma for _, lemma in rights), len(rights)

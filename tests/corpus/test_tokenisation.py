"""Tokenisation: exact offsets, no character lost, and the words and sentences that readers expect."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.corpus import tokenisation
from polyseme.corpus.tokenisation import find_sentences, find_words, text_blocks

CODES = ("en", "de", "fr", "it", "fi", "tlh")

TEXTS = st.text(
    st.characters(exclude_categories=["Cs"]) | st.sampled_from(".!?…'’\"“”-,;:()[]@#$/&\n\r\t aAnNtTsS1203 ")
)
"""Any Unicode text, rich in characters that matter for tokenisation."""


def cut(text: str, code: str = "en") -> list[str]:
    return [text[start:end] for start, end in find_words(text, code)]


def split(text: str, code: str = "en") -> list[str]:
    return [text[spans[0][0] : spans[-1][1]] for spans in find_sentences(text, code)]


# -- words ---------------------------------------------------------------------------------------------------------


@given(TEXTS, st.sampled_from(CODES))
def test_every_character_but_white_space_is_in_exactly_one_word(text: str, code: str) -> None:
    for forms in (list(find_words(text, code)), [span for spans in find_sentences(text, code) for span in spans]):
        covered = [at for start, end in forms for at in range(start, end)]
        assert covered == [at for at, character in enumerate(text) if not character.isspace()]
        assert all(start < end for start, end in forms)


@given(TEXTS, st.sampled_from(CODES))
def test_no_sentence_is_empty_and_no_word_differs(text: str, code: str) -> None:
    forms = list(find_sentences(text, code))
    assert all(forms)
    assert [span for spans in forms for span in spans] == list(find_words(text, code))


@pytest.mark.parametrize(
    "text, expected",
    [
        ("don't can’t won't cannot", "do n't ca n’t wo n't can not"),
        ("She's I'm we'll they'd you're I've", "She 's I 'm we 'll they 'd you 're I 've"),
        ("the dogs' tails, James's", "the dogs ' tails , James 's"),
        ("shouldn't've", "should n't 've"),
        ("I'm gonna go", "I 'm gon na go"),
        ("O'Connor at ten o'clock, ma'am", "O'Connor at ten o'clock , ma'am"),
        ("get 'em in the '80s", "get 'em in the '80s"),
        ("a well-known mother-in-law's e-mail", "a well-known mother-in-law 's e-mail"),
        ("1,000.5 3.14 .22 10:30 1/2 50% $1,000 £5m 19th 1990s 10-year", None),
        ("paid $5.", "paid $5 ."),
        ("in 1990–2000", "in 1990 – 2000"),
        ("see https://example.com/a?b=c(d), www.example.com.", "see https://example.com/a?b=c(d ) , www.example.com ."),
        ("write to a.b+c@example.co.uk!", "write to a.b+c@example.co.uk !"),
        ("#sense @home R&D AT&T", None),
        ("wait... what?! No… yes--no — so", "wait ... what ?! No … yes -- no — so"),
        ("``so'' \"he\" said, 'no'", "`` so '' \" he \" said , ' no '"),
        (
            "Mr. Hall, Ph.D., of the U.S.A. and J. B. Smith Jr. et al.",
            "Mr. Hall , Ph.D. , of the U.S.A. and J. B. Smith Jr. et al.",
        ),
        ("e.g. this, i.e. that, No. 5 and no.", "e.g. this , i.e. that , No. 5 and no ."),
        ("cafe\u0301 na\u00efve हिन्दी", None),
    ],
)
def test_english_words(text: str, expected: str | None) -> None:
    assert cut(text) == (text if expected is None else expected).split()


@pytest.mark.parametrize(
    "code, text, expected",
    [
        ("fr", "L'homme d’hier, aujourd'hui", "L' homme d’ hier , aujourd' hui"),
        ("it", "dell'arte", "dell' arte"),
        ("de", "Das ist z.B. Peter's Auto", "Das ist z.B. Peter's Auto"),
        ("tlh", "tlhIngan Hol'e' can't", "tlhIngan Hol'e ' can't"),
    ],
)
def test_words_of_other_languages(code: str, text: str, expected: str) -> None:
    assert cut(text, code) == expected.split()


# -- sentences -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Mr. and Mrs. Hall met Dr. Lee.|They spoke.",
        "He left the U.S. in 1990.|She stayed.",
        "He lives in the U.S.|The house is old.",
        "We met at 5 p.m.|It was late.",
        "It costs $3.50.|That is 1,000.5 less.",
        "J. R. R. Tolkien wrote it.|I read it.",
        "It was I.|You knew.",
        "He likes e.g. Bach.|She does not.",
        '"Why?" she asked.|"Because," he said.|They went.',
        "“Stop!”|“Why?”|He ran.",
        "(He ran.)|She did not.",
        "Wait...|What is it?!|Nothing…|Well.",
        "I was... surprised.",
        "Yahoo! is a firm.",
        "See No. 5 and Fig. 3.|No.|Yes.",
        "The file index.html is here.|Good.",
        "1. Buy milk.|2. Drink it.",
        "First line\nsecond line.|Third.",
        "你好。|再见！",
    ],
)
def test_english_sentences(text: str) -> None:
    expected = text.split("|")
    assert split(text.replace("|", " ")) == expected


def test_a_blank_line_ends_a_sentence() -> None:
    assert split("A TITLE\n\nSome text\r\n \t\r\nand more\r\rend") == ["A TITLE", "Some text", "and more", "end"]
    assert split("and\r\r\nmore") == ["and\r\r\nmore"]


def test_items_of_a_list_that_begin_with_a_dash() -> None:
    assert split("Bring:\n- milk.\n- bread.") == ["Bring:\n- milk.", "- bread."]
    assert split("He left. - So she said.") == ["He left. - So she said."]


@pytest.mark.parametrize(
    "code, text",
    [
        ("de", "Am 3. Mai kam Dr. Groß.|Er blieb bis 1999.|Dann ging er."),
        ("fr", "M. Hulot est là.|Il dort."),
        ("es", "El Sr. García llegó.|¿Quién?|Nadie."),
    ],
)
def test_sentences_of_other_languages(code: str, text: str) -> None:
    assert split(text.replace("|", " "), code) == text.split("|")


def test_a_sentence_without_an_end_is_cut() -> None:
    forms = list(find_sentences("word " * 2500))
    assert [len(spans) for spans in forms] == [1000, 1000, 500]


# -- large and hostile text ----------------------------------------------------------------------------------------


def test_blocks_cover_the_text_and_end_after_blank_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "One is here.\n\nTwo.\n\nThree is long, too.\n\n" * 20
    whole = split(text)
    monkeypatch.setattr(tokenisation, "BLOCK", 30)
    monkeypatch.setattr(tokenisation, "LINE_LIMIT", 300)
    forms = list(text_blocks(text))
    assert len(forms) > 10
    assert "".join(text[start:end] for start, end in forms) == text
    assert all(text[:end].endswith("\n\n") for _, end in forms)
    assert split(text) == whole


def test_blocks_of_a_very_long_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenisation, "BLOCK", 5)
    monkeypatch.setattr(tokenisation, "LINE_LIMIT", 20)
    text = "one two three four five six seven eight " + "x" * 50 + " y"
    assert [text[start:end] for start, end in text_blocks(text)] == [
        "one two three four five ",
        "six seven eight " + "x" * 50 + " ",
        "y",
    ]


@pytest.mark.parametrize(
    "piece", ["a", "a.", "+a", "-", "a-", "'", "a'", ".", "1,", "www.", "@a", "http://.", "A.", "é&A"]
)
def test_time_grows_with_the_length_of_the_text_only(piece: str) -> None:
    start = time.process_time()
    assert list(find_sentences(piece * (200_000 // len(piece))))
    assert time.process_time() - start < 5


def test_a_quotation_mark_alone_after_a_blank_line() -> None:
    """As in text that was split into pieces: the quotation belongs to no sentence before it."""
    text = "He left.\n\n” Again."
    assert [text[forms[0][0] : forms[-1][1]] for forms in find_sentences(text)] == ["He left.", "”", "Again."]

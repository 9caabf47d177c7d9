"""Verticalised text."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.errors import InputError
from polyseme.formats import read_sentences, write_sentences
from polyseme.formats.files import Blob
from polyseme.formats.vrt import VrtText, read_vrt_sentences, read_vrt_texts, write_vrt_sentences
from polyseme.lemma import POS_BY_TAG_PREFIX
from polyseme.sentence import Sentence, Token
from strategies import attempt
from values import sentences, texts, tokens

TEXT = b"""\
<?xml version="1.0"?>
<corpus name="ours">
<text id="http://a.b/?x=1&amp;y=2" title='One &quot;two&quot;'>
<p>
<s id="s1" n="1">
Ann\tNP\tAnn
&amp;\tCC\t&amp;
Bo\tNP\t<unknown>
<hi>
&lt;won&gt;\tVVD\twin
</hi>
<g/>
!\tSENT\t!
</s>
</p>
</text>
<text id="two">
<s>
AT&T\tNP\tAT&T
</s>
</text>
</corpus>
"""


def read(text: bytes, columns: tuple[str, ...] | None = None) -> list[Sentence]:
    return list(read_vrt_sentences(Blob("a.vrt", text), columns))


def test_three_columns_are_form_tag_and_lemma() -> None:
    first, second = read(TEXT)
    assert (first.id, first.text) == ("s1", "Ann & Bo <won>!")
    assert dict(first.meta) == {
        "corpus_name": "ours",
        "text_id": "http://a.b/?x=1&y=2",
        "text_title": 'One "two"',
        "n": "1",
    }
    assert [token.lemma for token in first.tokens] == ["Ann", "&", "Bo", "win", "!"]
    assert [token.pos for token in first.tokens] == ["n", "", "n", "v", ""]
    assert all(first.text[token.start : token.end] == token.form for token in first.tokens)
    assert (second.id, second.text, second.meta["text_id"]) == ("2", "AT&T", "two")


def test_six_columns_and_heads_by_the_index() -> None:
    (sentence,) = read(b"<s>\nBirds\tbird\tNNS\t4\t5\tSBJ\nsing\tsing\tVV\t5\t0\tROOT\n</s>\n")
    assert [(token.head, token.relation) for token in sentence.tokens] == [(2, "SBJ"), (0, "ROOT")]


@pytest.mark.parametrize("line, tag", [(b"Birds", ""), (b"Birds\tNNS", "NNS")])
def test_one_and_two_columns(line: bytes, tag: str) -> None:
    (sentence,) = read(b"<s>\n</s>\n<s>\n" + line + b"\n</s>\n")[1:]
    assert (sentence.text, sentence.tokens[0].tag, sentence.tokens[0].lemma) == ("Birds", tag, "")


def test_columns_by_name() -> None:
    (sentence,) = read(b"<s>\nBirds\tbird\tn\tanimal\n</s>\n", ("form", "lemma", "pos", "topic"))
    assert sentence.tokens == (Token("Birds", 0, 5, "bird", "n", features={"topic": "animal"}),)


def test_read_and_written_and_read(tmp_path: Path) -> None:
    sentences = read(TEXT)
    write_sentences(sentences, tmp_path / "out.vrt.zst")
    assert list(read_sentences(tmp_path / "out.vrt.zst", "vrt")) == sentences
    write_vrt_sentences(sentences, tmp_path / "out.vrt")
    text = (tmp_path / "out.vrt").read_text()
    assert text.startswith(
        '<corpus name="ours">\n<text id="http://a.b/?x=1&amp;y=2" title="One &quot;two&quot;">\n<s id="s1"'
    )
    assert text.count("<corpus") == 1


tagged = st.sampled_from([(tag, part) for tag, part in POS_BY_TAG_PREFIX.items()] + [("IN", "")])
names = st.from_regex(r"[a-z]{1,5}(_[a-z]{1,5})?", fullmatch=True).filter(
    lambda name: name[:2] != "s_" and name != "id"
)
structured = st.dictionaries(names, texts.filter(lambda text: "\0" not in text), max_size=3)


@st.composite
def vertical(draw: st.DrawFn) -> list[Token]:
    """Words as a file of six columns has them."""
    tokens, at = [], 0
    forms = st.text(st.characters(categories=["L", "P", "S"]), min_size=1, max_size=5)
    for form in draw(st.lists(forms, min_size=1, max_size=5)):
        tag, pos = draw(tagged)
        tokens.append(
            Token(form, at, at + len(form), draw(st.just("") | forms), pos, tag, draw(st.just(0) | st.none()))
        )
        at += len(form) + 1
    return tokens


@given(sentences=sentences(words=vertical(), meta=structured))
def test_written_values_are_read_back_unchanged(
    sentences: list[Sentence], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("vrt") / "out.vrt"
    write_vrt_sentences(sentences, path)
    assert list(read_vrt_sentences(path)) == sentences


@given(
    sentences=sentences(
        words=tokens(forms=texts, names=texts), ids=texts, meta=st.dictionaries(texts, texts, max_size=2)
    )
)
def test_anything_is_kept_or_refused(sentences: list[Sentence], tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("vrt") / "out.vrt"
    columns = ("form", "pos", "tag", "lemma", "head", "relation")
    if not isinstance(attempt(lambda: write_vrt_sentences(sentences, path, columns)), InputError):
        assert list(read_vrt_sentences(path, columns)) == sentences


@pytest.mark.parametrize(
    "text, message",
    [
        (b"<text>\nBirds\n</text>\n", "a.vrt:2: 'Birds' is outside of a sentence"),
        (b"<text>\n<s>\nBirds\tNNS\tbird\n", "a.vrt:2: <s> is not closed; is the file cut short?"),
        (b"<s>\nx\n</s>\n<text>\n", "a.vrt:4: <text> is not closed"),
        (b"<text>\n<s>\nx\n</text>\n", "a.vrt:2: <s> is not closed"),
        (b"<s>\nx\n<s>\n", "a.vrt:3: a sentence begins inside another"),
        (b"</s>\n", "a.vrt:1: </s> closes what was not opened"),
        (b"<text id=1>\n", "a.vrt:1: '<text id=1>' cannot be read. A structure reads"),
        (b"<s>\na\tb\tc\td\n</s>\n", "a.vrt:2: 4 columns, whose names are unknown; known are 1: form; 2: form, tag"),
        (b"<s>\na\tb\tc\na\tb\n</s>\n", "a.vrt:3: 2 columns where 3 are due: form, tag, lemma"),
        (b"<s>\na\tb\tc\t1\t7\te\n</s>\n", "a.vrt:2: head '7' is not the number of a word"),
        (b"<s>\nh\xe9\n</s>\n", "a.vrt:2: byte 0xe9 in column 2 is not UTF-8"),
    ],
)
def test_what_cannot_be_read(text: bytes, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(text)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    "sentence",
    [
        Sentence("s", "x", (Token("x", 0, 1, senses=("a",)),)),
        Sentence("s", "x", (Token("x", 0, 1, pos="n"),)),
        Sentence("s", "x  y", (Token("x", 0, 1), Token("y", 3, 4))),
        Sentence("s", "x", (Token("x", 0, 1),), {"two words": "a"}),
        Sentence("s", "x", (Token("x", 0, 1, lemma="<unknown>"),)),
    ],
)
def test_what_cannot_be_written(sentence: Sentence, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="sentence 's' cannot be written as VRT with the columns form, tag, lemma"):
        write_vrt_sentences([sentence], tmp_path / "out.vrt")


def test_the_text_of_a_sentence() -> None:
    sentence = b"<s>\nWe\n</s>\n"
    text = sentence + b"<text>\n" + sentence * 2 + b"</text>\n<doc id='d'>\n<text id='t'>\n" + sentence + b"</text>\n"
    texts = [texts for texts, _ in read_vrt_texts(Blob("a.vrt", text + sentence + b"</doc>\n"))]
    assert texts == [VrtText(0, ""), VrtText(4, ""), VrtText(4, ""), VrtText(13, "t"), VrtText(12, "d")]

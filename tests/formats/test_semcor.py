"""SemCor's tag files: sentences, usages and labellings, and what is said of broken files."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.errors import InputError
from polyseme.formats.archives import iterate_files
from polyseme.formats.files import Blob
from polyseme.formats.semcor import (
    FORMAT,
    extract_tagged_usages,
    label_tagged_usages,
    read_semcor_labelling,
    read_semcor_sentences,
    read_semcor_usages,
)
from polyseme.formats.semeval_2013_xml import read_semeval_2013_usages
from polyseme.sentence import Sentence, Token
from polyseme.usage import Usage
from strategies import attempt

WORDS = """\
<wf cmd=ignore pos=PRP>We</wf>
<wf cmd=done pos=VB lemma=win wnsn=1;0;2 lexsn=2:33:00::;2:33:09::;2:33:01::>won</wf>
<wf cmd=done rdf=group pos=NNP lemma=group wnsn=1 lexsn=1:03:00:: pn=group>Boat_Club_Cup</wf>
<wf cmd=done pos=RB ot=notag>so</wf>
<wf cmd=done pos=JJ lemma=late wnsn=0 lexsn=5:00:00:past:00>late</wf>
<punc>&</punc>
"""


def file(
    words: str = WORDS, sentence: str = "<s snum=1>", context: str = "<context filename=br-x01 paras=yes>"
) -> Blob:
    start = f"<contextfile concordance=brown>\n{context}\n<p pnum=3>\n{sentence}\n"
    return Blob("br-x01", f"{start}{words}</s>\n</p>\n</context>\n</contextfile>\n".encode())


def test_sentences_are_read_with_their_words() -> None:
    (sentence,) = read_semcor_sentences(file())
    assert sentence.id == "br-x01.snum=1"
    assert sentence.text == "We won Boat Club Cup so late &"
    assert dict(sentence.meta) == {"document": "br-x01", "paragraph": "3"}
    assert [sentence.text[token.start : token.end] for token in sentence.tokens] == [
        token.form for token in sentence.tokens
    ]
    assert [(token.lemma, token.pos, token.tag) for token in sentence.tokens] == [
        ("", "", "PRP"),
        ("win", "v", "VB"),
        ("group", "n", "NNP"),
        ("", "r", "RB"),
        ("late", "a", "JJ"),
        ("", "", ""),
    ]


def test_senses_that_wordnet_no_longer_has_are_left_out() -> None:
    (sentence,) = read_semcor_sentences(file())
    assert [token.senses for token in sentence.tokens] == [
        *((), ("win%2:33:00::", "win%2:33:01::"), ("group%1:03:00::",)),
        *((), (), ()),
    ]


def test_features_are_the_other_attributes() -> None:
    (sentence,) = read_semcor_sentences(file())
    assert sentence.tokens[2].features == {"cmd": "done", "rdf": "group", "wnsn": "1", "pn": "group"}
    assert sentence.tokens[3].features == {"cmd": "done", "ot": "notag"}
    assert sentence.tokens[5].features == {}


def test_usages_and_their_senses() -> None:
    text = "We won Boat Club Cup so late &"
    usages = [
        Usage("br-x01.snum=1.2", "win.v", text, 3, 6, "v"),
        Usage("br-x01.snum=1.3", "group.n", text, 7, 20, "n"),
    ]
    assert list(read_semcor_usages(file())) == usages
    labelling = read_semcor_labelling(file())
    assert dict(labelling) == {
        "br-x01.snum=1.2": {"win%2:33:00::": 1.0, "win%2:33:01::": 1.0},
        "br-x01.snum=1.3": {"group%1:03:00::": 1.0},
    }
    assert labelling.lemmas == ("win.v", "group.n")


def test_usages_are_called_as_a_sentence_calls_them() -> None:
    (sentence,) = read_semcor_sentences(file())
    assert {usage.id for usage in read_semcor_usages(file())} <= {usage.id for usage in sentence.usages()}


def test_several_documents_paragraphs_and_line_ends() -> None:
    second = file(context="<context filename=br-x02>").data.replace(b"\n", b"\r\n\r\n")
    sentences = list(read_semcor_sentences(Blob("both", file().data + second)))
    assert [sentence.id for sentence in sentences] == ["br-x01.snum=1", "br-x02.snum=1"]


forms = st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters="<>_"), min_size=1, max_size=8)


@given(st.lists(st.lists(forms, min_size=1, max_size=3), max_size=5))
def test_any_words(words: list[list[str]]) -> None:
    lines = "".join(f"<wf cmd=tag pos=NN>{'_'.join(parts)}</wf>\n" for parts in words)
    (sentence,) = read_semcor_sentences(file(lines))
    assert sentence.text == " ".join(part for parts in words for part in parts)
    assert [token.form for token in sentence.tokens] == [" ".join(parts) for parts in words]


# -- broken files --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source, message",
    [
        (file("<wf pos=PRP>We\n"), r"br-x01:5: '<wf pos=PRP>We' is not a line of a tag file\. A line reads"),
        (file("We won\n"), r"br-x01:5: 'We won' is not a line of a tag file"),
        (file("<wf pos=PRP></wf>\n"), r"br-x01:5: .* is not a line of a tag file"),
        (file(sentence="<s>"), r"br-x01:4: <s> lacks the attribute 'snum'; it has none"),
        (file(context="<context paras=yes>"), r"br-x01:2: <context> lacks the attribute 'filename'; it has paras"),
        (file(context=""), r"br-x01:4: a sentence must lie in a <context filename=…>"),
        (file("<s snum=2>\n"), r"br-x01:5: a sentence must lie in .*, and not in another sentence"),
        (file(WORDS + "<p pnum=4>\n"), r"br-x01:11: <p> after words"),
        (file(WORDS + "</s>\n<s snum=1>\n"), r"br-x01:12: sentence 'br-x01\.snum=1' is given in line 4 already"),
        (file("</p>\n"), r"br-x01:5: </p> closes nothing that is open"),
        (file(sentence=""), r"br-x01:11: </s> closes nothing that is open"),
        (file(WORDS.replace("1;0;2", "1;2")), r"br-x01:6: 2 numbers in wnsn but 3 keys in lexsn; each sense has both"),
        (file(WORDS.replace(" lemma=win", "")), r"br-x01:6: a sense in lexsn has no lemma"),
        (file("<!DOCTYPE x [<!ENTITY a 'ha'>]>\n"), r"br-x01:5: .* is not a line of a tag file"),
        (Blob("br-x01", file(WORDS.replace("We", "Né")).data.decode().encode("latin-1")), "br-x01:5: .* not UTF-8"),
    ],
)
def test_broken_files_are_errors(source: Blob, message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(read_semcor_sentences(source))


def test_a_file_cut_short_is_an_error() -> None:
    lines = file().data.splitlines(keepends=True)
    for end in range(1, len(lines)):
        with pytest.raises(InputError, match=rf"br-x01:{end}: the file is cut short: <\w+> is not closed"):
            list(read_semcor_sentences(Blob("br-x01", b"".join(lines[:end]))))


@pytest.mark.filterwarnings("ignore::polyseme.errors.InputWarning")
@given(
    st.integers(0, 500), st.integers(0, 9), st.binary(max_size=4) | st.sampled_from([b"<", b"&", b'"', b"\n", b"\xe9"])
)
def test_any_damage_is_an_input_error(at: int, cut: int, piece: bytes) -> None:
    whole = file().data
    damaged = Blob("in.xml", whole[:at] + piece + whole[at + cut :])
    attempt(lambda: (list(read_semcor_sentences(damaged)), read_semcor_labelling(damaged)))


def test_its_files_are_recognised() -> None:
    assert FORMAT.recognises(file().data)
    assert not FORMAT.recognises(b"<contextfiles>")
    assert not FORMAT.recognises(b"<corpus><contextfile>")


# -- the data set --------------------------------------------------------------------------------------------------


def test_semcor(data: Path) -> None:
    """From the archive; half of the trial usages of Task 13 are sentences of SemCor, and are called after them."""
    files, sentences, words = 0, set(), 0
    tagged = []
    for source in iterate_files(data / "semcor-3.0.tar.xz", "br-*"):
        files += 1
        for sentence in read_semcor_sentences(source):
            sentences.add(sentence.id)
            words += len(sentence.tokens)
            tagged += list(extract_tagged_usages([sentence]))
    assert (files, len(sentences), words, len(tagged)) == (352, 37_176, 778_587, 226_036)
    assert all(usage.target.strip() == usage.target != "" and usage.pos for usage, _ in tagged)
    assert len(label_tagged_usages(tagged)) == len(tagged)
    (trial,) = (data / "semeval-2013-task-13-trial" / "data").iterdir()
    brown = [usage.id for usage in read_semeval_2013_usages(trial) if usage.id.startswith("br-")]
    assert len(brown) == 200
    assert set(brown) <= sentences


def test_labelled_takes_any_sense_tagged_sentences() -> None:
    token = Token("won", 0, 3, "win", "v", senses=("a", "b"))
    assert dict(label_tagged_usages(extract_tagged_usages([Sentence("s", "won", (token,))]))) == {
        "s.1": {"a": 1.0, "b": 1.0}
    }

"""CoNLL-U."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.errors import InputError
from polyseme.formats import read_sentences, write_sentences
from polyseme.formats.conllu import read_conllu, universal_tag, write_conllu
from polyseme.formats.files import Blob
from polyseme.sentence import Sentence, Token
from strategies import attempt
from values import sentences, texts, tokens

TEXT = """\
# newdoc id = d1
# sent_id = first
# text = We can't win, Ann.
# note = one
# note = two
# checked
1 We we PRON PRP Case=Nom 4 nsubj _ _
2-3 can't _ _ _ _ _ _ _ Typo=No
2 ca can AUX MD _ 4 aux _ _
3 n't not PART RB _ 4 advmod _ _
4 win win VERB VB _ 0 root 0:root SpaceAfter=No|Gloss=x|Gloss=y
5 , , PUNCT , _ 4 punct _ _
5.1 we we PRON _ _ _ _ 4:nsubj _
6 Ann Ann PROPN NNP _ 4 vocative _ SpaceAfter=No|Sense=ann%1:18:00::|Sense=b
7 . _ PUNCT . _ 4 punct _ _

1 Yes yes INTJ _ _ 0 root _ _
"""


def tabbed(text: str) -> bytes:
    """Words' lines with tabs for the blanks between columns."""
    return "\n".join(line if line[:1] == "#" else line.replace(" ", "\t") for line in text.split("\n")).encode()


def read(text: str) -> list[Sentence]:
    return list(read_conllu(Blob("a.conllu", tabbed(text))))


def word(id: str, form: str = "x", head: str = "_", misc: str = "_") -> str:
    return f"{id} {form} _ _ _ _ {head} _ _ {misc}"


def test_a_sentence() -> None:
    first, second = read(TEXT)
    assert (first.id, first.text, second.id, second.text) == ("first", "We can't win, Ann.", "2", "Yes")
    assert dict(first.meta) == {"newdoc id": "d1", "note": "one\ntwo", "checked": ""}
    assert [first.text[token.start : token.end] for token in first.tokens] == [
        *("We", "can't", "can't", "win", ",", "Ann", ".")
    ]
    assert [token.form for token in first.tokens] == ["We", "ca", "n't", "win", ",", "Ann", "."]
    we, ca, _, win, _, ann, stop = first.tokens
    assert (we.tag, we.pos, we.head, we.relation) == ("PRP", "", 4, "nsubj")
    assert we.features == {"upos": "PRON", "feats": "Case=Nom"}
    assert (ca.pos, ca.features) == ("v", {"upos": "AUX", "multiword_misc": "Typo=No"})
    assert (win.pos, win.head, win.features) == ("v", 0, {"deps": "0:root", "Gloss": "x|Gloss=y"})
    assert (ann.pos, ann.senses, stop.lemma) == ("n", ("ann%1:18:00::", "b"), "")
    assert [universal_tag(token) for token in (we, win, ann)] == ["PRON", "VERB", "PROPN"]


def test_the_text_is_made_of_the_words_where_it_is_missing() -> None:
    (sentence,) = read("\n".join([word("1", "Oh", misc="SpaceAfter=No"), word("2", "!"), word("3", "Yes")]))
    assert (sentence.text, [token.start for token in sentence.tokens]) == ("Oh! Yes", [0, 2, 4])


def test_read_and_written_and_read(tmp_path: Path) -> None:
    sentences = read(TEXT)
    write_sentences(sentences, tmp_path / "out.conllu.gz")
    assert list(read_sentences(tmp_path / "out.conllu.gz")) == sentences
    write_conllu(sentences, tmp_path / "again.conllu")
    text = (tmp_path / "again.conllu").read_text()
    assert "\n2-3\tcan't\t_\t_\t_\t_\t_\t_\t_\tTypo=No\n" in text
    assert "\n4\twin\twin\tVERB\tVB\t_\t0\troot\t0:root\tGloss=x|Gloss=y|SpaceAfter=No\n" in text


plain = st.text(st.characters(categories=["L", "Nd", "P"], exclude_characters="_|=#"), min_size=1, max_size=8)


@given(sentences=sentences(words=tokens(forms=plain, names=plain), meta=st.dictionaries(plain, plain, max_size=2)))
def test_written_values_are_read_back_unchanged(
    sentences: list[Sentence], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("conllu") / "out.conllu"
    write_conllu(sentences, path)
    assert list(read_conllu(path)) == sentences


@given(
    sentences=sentences(
        words=tokens(forms=texts, names=texts), ids=texts, meta=st.dictionaries(texts, texts, max_size=2)
    )
)
def test_anything_is_kept_or_refused(sentences: list[Sentence], tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("conllu") / "out.conllu"
    if not isinstance(attempt(lambda: write_conllu(sentences, path)), InputError):
        assert list(read_conllu(path)) == sentences


@pytest.mark.parametrize(
    "text, message",
    [
        ("1 x\n", "a.conllu:1: 2 columns. The line of a word has ten columns"),
        (word("1") + "\n\n# a comment\n", "a.conllu:3: a sentence without a word"),
        (word("one"), "a.conllu:1: ID 'one' is not a number"),
        (word("1").replace("x", ""), "a.conllu:1: an empty column, where '_' is due"),
        (word("1") + "\n" + word("3"), "a.conllu:2: ID 3 where 2 is due"),
        (word("1-2"), "a.conllu:1: a sentence without a word"),
        (word("1-3") + "\n" + word("1"), "a.conllu:2: the sentence ends inside a multiword token"),
        (word("1-3") + "\n" + word("1") + "\n" + word("2-3"), "a.conllu:3: ID 2-3 where 2 is due"),
        (word("1", head="2"), "a.conllu:1: HEAD '2' is not the number of a word of this sentence"),
        (word("1", head="x"), "a.conllu:1: HEAD 'x' is not the number of a word"),
        ("# text = y\n" + word("1"), "a.conllu:2: 'x' does not come next in the sentence's '# text'"),
        (
            "# sent_id = s\n" + word("1") + "\n\n# sent_id = s\n" + word("1"),
            "a.conllu:4: sentence 's' is given in line 1",
        ),
    ],
)
def test_what_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(text)
    assert str(caught.value).startswith(message)


def test_a_wrong_encoding_is_an_error() -> None:
    with pytest.raises(InputError, match=r"a\.conllu:2: byte 0xe9"):
        list(read_conllu(Blob("a.conllu", tabbed(word("1")) + b"\n2\th\xe9\n")))


@pytest.mark.parametrize(
    "token, message",
    [
        (Token("x", 0, 1, features={"a": "b|c"}), "the word 'x' cannot be written as CoNLL-U"),
        (Token("x", 0, 1, lemma="_"), "the word 'x' cannot be written as CoNLL-U"),
        (Token("y", 0, 1), "a word, its text or its meta cannot be written as CoNLL-U"),
    ],
)
def test_what_cannot_be_written(token: Token, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        write_conllu([Sentence("s", "x", (token,))], tmp_path / "out.conllu")


def test_two_sentences_of_one_name_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="two sentences are called 's'"):
        write_conllu([Sentence.from_words("s", ["x"])] * 2, tmp_path / "out.conllu")


@pytest.mark.parametrize(
    "marks", [("newdoc id = a", "newdoc id = b"), ("newdoc", "newdoc"), ("note", "newdoc date = 1")]
)
def test_ids_begin_anew_in_each_document(marks: tuple[str, str], tmp_path: Path) -> None:
    sentences = read("\n\n".join(f"# {mark}\n# sent_id = s\n{word('1')}" for mark in marks))
    assert [sentence.id for sentence in sentences] == ["s", "s"]
    write_conllu(sentences, tmp_path / "out.conllu")
    assert list(read_conllu(tmp_path / "out.conllu")) == sentences


def test_a_document_that_goes_on() -> None:
    with pytest.raises(InputError, match="sentence 's' is given in line 1"):
        read("\n\n".join(f"# newdoc id = a\n# sent_id = s\n{word('1')}" for _ in range(2)))

"""Packed documents: every word occurs, in the order of the text."""

from pathlib import Path

import pytest

from polyseme.corpus.concordance import find_usages
from polyseme.corpus.documents import DocumentTarget
from polyseme.corpus.english_analyser import English
from polyseme.corpus.indexing import build_index
from polyseme.corpus.packed_documents import PackedDocument, pack_documents, pack_sentences, set_target
from polyseme.corpus.simple_analyser import Simple
from polyseme.sentence import Sentence
from polyseme.usage import Usage

PLAIN = Simple(lemmatise=False)


def sentences(words: str) -> PackedDocument:
    """One sentence of ``form/lemma/part`` each."""
    forms, lemmas, pos = zip(*(word.split("/") for word in words.split()), strict=True)
    return pack_sentences([(0, Sentence.from_words("1", forms, lemmas=lemmas, pos=pos))])


def list_words(packed: PackedDocument) -> list[str]:
    """The word of each token."""
    return [packed.words[number] for number in packed.tokens.column("word").to_numpy().tolist()]


@pytest.mark.parametrize(
    "tokens, words",
    [
        ("a/a/ saw/saw/n broke/break/v", ["a", "see.v", "break.v"]),  # the old word is gone
        ("a/a/ saw/saw/n saw/saw/n", ["a", "see.v", "saw.n"]),  # it occurs later
        ("a/a/ saw/saw/n seen/see/v", ["a", "see.v", "see.v"]),  # the new one does
        ("a/a/ saw/see/v broke/break/v", ["a", "see.v", "break.v"]),  # nothing to do
    ],
)
def test_every_word_occurs_in_the_order_of_the_text(tokens: str, words: list[str]) -> None:
    packed = set_target(sentences(tokens), DocumentTarget(2, 5, "see.v"))
    assert list_words(packed) == words
    assert packed.words == list(dict.fromkeys(words))
    assert packed.tokens.column_names == sentences(tokens).tokens.column_names


def test_a_target_keeps_its_lemma_where_words_have_no_part_of_speech() -> None:
    (plain,) = pack_documents(PLAIN, [("a", "Aim at an aim")], processes=1)
    assert set_target(plain, DocumentTarget(0, 3, "aim.v")).words == ["aim.v", "at", "an", "aim"]
    assert not set_target(plain, DocumentTarget(0, 3, "aim.v")).has_pos


def test_words_that_only_look_as_if_they_had_a_part_of_speech() -> None:
    (plain,) = pack_documents(PLAIN, [("a", "U.n u.n saw it")], processes=1)
    assert not plain.has_pos
    assert not sentences("u.n/u.n/ saw/saw/").has_pos
    few = sentences("the/the/ " * 30 + "saw/saw/n")
    assert list_words(set_target(few, DocumentTarget(120, 123, "see.v")))[-1] == "see.v"


def test_a_target_outside_the_text_changes_nothing() -> None:
    packed = sentences("a/a/ saw/saw/n")
    assert set_target(packed, DocumentTarget(90, 93, "see.v")) is packed
    assert pack_sentences([]).words == set_target(pack_sentences([]), DocumentTarget(0, 3, "see.v")).words == []


@pytest.mark.parametrize("analyser", [PLAIN, English()], ids=repr)
def test_the_vocabulary_has_all_words_and_no_others(tmp_path: Path, analyser: Simple | English) -> None:
    (tmp_path / "us.csv").write_text(
        "id,lemma,text,start,end,pos\n1,see.v,The saw broke.,4,7,v\n2,see.v,He had a saw and a saw.,9,12,v\n"
    )
    usages = [Usage("3", "bank.v", "The bank of it.", 4, 8), Usage("4", "it.n", "It rains.", 0, 2)]
    index = build_index([tmp_path / "us.csv", *usages], tmp_path / "i", analyser, processes=1)
    assert len(index.vocabulary) == index.manifest["words"]
    assert index.vocabulary.counts.min() > 0
    assert index.vocabulary.counts.sum() == len(index)
    if isinstance(analyser, English):
        assert [usage.target for usage in find_usages(index, "see.v")] == ["saw", "saw"]

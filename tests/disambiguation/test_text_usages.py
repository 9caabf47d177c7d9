"""Texts as usages, of all words or of one."""

from pathlib import Path

import pytest

from disambiguation.planted import small
from polyseme.corpus.documents import Document
from polyseme.disambiguation.contexts import build_contexts
from polyseme.disambiguation.sources import Sources
from polyseme.disambiguation.text_usages import (
    TargetWord,
    describe_unknown_words,
    find_text_usages,
    no_usages_error,
    suggest_spellings,
)
from polyseme.sentence import Sentence, Token
from polyseme.usage import Usage
from polyseme.wordnet import WordNet


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sources:
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path / "home"))
    return small(tmp_path)


def targets(sources: Sources, text: str, target: str = "") -> list[tuple[str, str]]:
    return [
        (usage.target, usage.lemma) for usage in find_text_usages([Document("", text)], sources, target=target).usages
    ]


def test_words_are_found_inflected_in_capitals_and_as_one_entry(sources: Sources) -> None:
    text = "THE LAMPS shone Brightly, and geese stopped at two oil lamps."
    assert targets(sources, text) == [
        ("LAMPS", "lamp.n"),
        ("shone", "shine.v"),
        ("Brightly", "brightly.r"),
        ("geese", "goose.n"),
        ("stopped", "stop.v"),
        ("oil lamps", "oil_lamp.n"),
    ]


def test_a_text_in_capitals(wordnet_31: WordNet) -> None:
    sources = Sources(wordnet_31)
    assert targets(sources, "THE BANKS OF THE RIVERS.") == [("BANKS", "bank.n"), ("RIVERS", "river.n")]
    assert targets(sources, "NATO") == [("NATO", "nato.n")]


def test_a_usage_knows_its_sentence_and_its_place_in_the_document(sources: Sources) -> None:
    text = "A goose stops.\n\nThe lamp  glows.  "
    result = find_text_usages([Document("my letters/a.txt", text)], sources)
    assert [usage.id for usage in result.usages][2:] == ["my_letters/a.txt:20-24", "my_letters/a.txt:26-31"]
    lamp = result.usages[2]
    assert (lamp.text, lamp.target, lamp.pos) == ("The lamp  glows.", "lamp", "n")
    assert dict(lamp.meta) == {"document": "my letters/a.txt", "offset": 16}
    assert text[20:24] == "lamp"
    assert result.read["The lamp  glows."] == [("lamp.n", 4, 8), ("glow.v", 10, 15)]


def test_sentences_of_one_document_lend_each_other_words(sources: Sources) -> None:
    text = "A goose stops. The lamp glows."
    together = find_text_usages([Document("a", text)], sources).usages
    assert build_contexts(together, sources)[2].words == ("lamp.n", "glow.v", "goose.n", "stop.v")
    apart = find_text_usages([Document("a", text[:14]), Document("b", text[15:])], sources).usages
    assert build_contexts(apart, sources)[2].words == ("lamp.n", "glow.v")


def test_a_document_that_is_analysed_already(sources: Sources) -> None:
    tokens = (Token("Dimmer", 0, 6, "dim", "a"), Token("lamps", 7, 12, "lamp", "n"))
    documents = Document("d", "", sentences=(Sentence("s", "Dimmer lamps", tokens),) * 2)
    result = find_text_usages([Document("", "A wick."), documents], sources).usages
    assert [usage.id for usage in result] == ["2-6", "d#1:0-6", "d#1:7-12", "d#2:0-6", "d#2:7-12"]
    assert [usage.lemma for usage in result[1:3]] == ["dim.a", "lamp.n"]


def test_several_processes_find_the_same(sources: Sources) -> None:
    documents = [Document(str(number), f"The lamp glows. Geese stop {number} times.") for number in range(20)]
    assert find_text_usages(documents, sources, processes=2) == find_text_usages(documents, sources, processes=1)


def test_words_that_the_dictionary_has_not_got(sources: Sources) -> None:
    result = find_text_usages([Document("", "The zebra saw a lamp, a Zebra and 12 of 1990.")], sources)
    assert result.listed == ("lamp",)
    assert result.unknown == ("zebra", "saw", "Zebra")
    assert find_text_usages([Document("", "Über den Straßen")], sources).unknown == ("Über", "den", "Straßen")
    assert find_text_usages([Document("", "  \n ")], sources) == find_text_usages([], sources)


# -- one word ------------------------------------------------------------------------------------------------------

TEXT = "Lamps glow by an oil lamp, and a bright lamp shines."


@pytest.mark.parametrize("target", ["lamp", "Lamps", "LAMP.n", "lamp.N", " lamp "])
def test_a_target_in_any_form(sources: Sources, target: str) -> None:
    assert targets(sources, TEXT, target) == [("Lamps", "lamp.n"), ("lamp", "lamp.n")]


@pytest.mark.parametrize("target", ["oil lamp", "Oil_lamps", "oil lamp.n"])
def test_a_target_of_several_words(sources: Sources, target: str) -> None:
    assert targets(sources, TEXT, target) == [("oil lamp", "oil_lamp.n")]


def test_a_target_has_a_part_of_speech(sources: Sources) -> None:
    assert targets(sources, TEXT, "bright.a") == targets(sources, TEXT, "bright.j") == [("bright", "bright.a")]
    assert targets(sources, TEXT, "lamp.v") == []
    assert targets(sources, TEXT, "shine") == [("shines", "shine.v")]


def test_a_noun_is_no_verb_unless_nothing_else_is_there(wordnet_31: WordNet) -> None:
    sources = Sources(wordnet_31)
    text = "He banks on it. The bank is closed."
    assert targets(sources, text, "bank.n") == [("bank", "bank.n")]
    assert targets(sources, text, "bank") == [("banks", "bank.v"), ("bank", "bank.n")]
    assert targets(sources, text[:15], "bank.n") == [("banks", "bank.n")], "the analyser may err"


def test_a_target_within_an_entry_of_several_words(sources: Sources) -> None:
    """It is found there if it is nowhere else in the sentence."""
    text = "An oil lamp glows."
    assert targets(sources, text, "lamp") == [("lamp", "lamp.n")]
    (result,) = build_contexts(find_text_usages([Document("", text)], sources, target="lamp").usages, sources)
    assert result.words == ("lamp.n", "glow.v")


def test_a_particle_is_an_adverb(wordnet_31: WordNet) -> None:
    sources = Sources(wordnet_31)
    assert targets(sources, "The blood bank went down.", "bank") == [("bank", "bank.n")]
    assert targets(sources, "The blood bank went down.", "down") == [("down", "down.r")]


def test_usages_of_a_target(sources: Sources) -> None:
    documents = [
        Usage("1", "lamp", "Lamps", 0, 5),
        Usage("2", "glow.v", "Glow", 0, 4),
        Usage("3", "x.n", "zebra", 0, 5),
    ]
    assert [usage.id for usage in TargetWord("lamps", sources).select_usages(documents)] == ["1"]
    assert TargetWord("Zebra", sources).select_usages(documents) == []


# -- messages ------------------------------------------------------------------------------------------------------


def test_similar_spellings_are_suggested(wordnet_31: WordNet) -> None:
    assert suggest_spellings("bnak", wordnet_31)[0] == "bank"
    assert suggest_spellings("recieve", wordnet_31)[0] == "receive"
    assert suggest_spellings("ice craem", wordnet_31)[0] == "ice cream"
    assert suggest_spellings("Café", wordnet_31) == ["cafe"]
    assert suggest_spellings("Straßenbahn", wordnet_31) == []
    assert suggest_spellings("xq", wordnet_31) == []


def test_what_is_said_of_words_that_are_not_there(sources: Sources) -> None:
    result = find_text_usages([Document("", "The lamp and the lmap.")], sources)
    assert (
        describe_unknown_words(result, sources.wordnet)
        == "1 word is not in WordNet of an unknown version: 'lmap' (lamp?)"
    )
    result = find_text_usages([Document("", "Das ist die Straße von Fritz und Franz.")], sources)
    message = describe_unknown_words(result, sources.wordnet)
    assert message.startswith(
        "8 words are not in WordNet of an unknown version, a dictionary of English: 'Das', 'ist', "
    )
    assert message.endswith(", …")


@pytest.mark.parametrize(
    "text, target, message",
    [
        (
            "The lamp glows.",
            "goose",
            "the target 'goose' does not occur; in the text, the words with senses are lamp, glows",
        ),
        (
            "The lamp glows.",
            "zebra",
            "the target 'zebra' is not in WordNet of an unknown version; in the text, the words with senses are",
        ),
        ("The glowing.", "goosse", "the target 'goosse' (goose?) is not in WordNet of an unknown version"),
        ("Of the.", "goose", "in the text, no word has senses"),
        ("Of the.", "", "no word of the text has senses: it has no noun, verb, adjective or adverb"),
        ("Zebras ran.", "", "no word of the text has senses: 2 words are not in WordNet of an unknown version"),
    ],
)
def test_errors_explain_texts_without_usages(sources: Sources, text: str, target: str, message: str) -> None:
    result = find_text_usages([Document("", text)], sources, target=target)
    assert not result.usages
    assert message in str(no_usages_error(result, target, sources))

"""The words of texts that WordNet has, and the contexts of usages."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, NoReturn

import pytest

from polyseme import wordnet
from polyseme.baselines import MFS
from polyseme.corpus.simple_analyser import Simple
from polyseme.disambiguation.contexts import Context, build_contexts
from polyseme.disambiguation.dictionary_words import DictionaryWord
from polyseme.disambiguation.model import DictionaryModel, SenseWeigher, SenseWeights
from polyseme.disambiguation.sources import Sources
from polyseme.errors import InputError, InputWarning
from polyseme.formats.semcor import SenseTaggedUsage
from polyseme.sentence import Token
from polyseme.usage import Usage
from polyseme.wordnet import WordNet
from wordnet.tiny import write


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sources:
    """The small WordNet, and the analyser that English has."""
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path / "home"))
    return Sources(wordnet.load(None, write(tmp_path / "tiny")))


def usage(text: str, target: str, lemma: str, id: str = "u", **meta: str) -> Usage:
    start = text.index(target)
    return Usage(id, lemma, text, start, start + len(target), meta=meta)


def test_the_entries_of_a_text(sources: Sources) -> None:
    text = "The LAMPS shone brightly, and geese stopped at an oil lamp that nobody knew."
    (contexts,) = build_contexts([usage(text, "shone", "shine.v")], sources)
    assert contexts.words == ("lamp.n", "shine.v", "brightly.r", "goose.n", "stop.v", "oil_lamp.n")
    assert contexts.words[contexts.target] == contexts.lemma == "shine.v"
    assert "shine.v" not in contexts.others
    assert len(contexts.others) == 5


@pytest.mark.parametrize("form, pos, lemma", [("Geese", "n", "goose.n"), ("glowing", "n", "glow.v"), ("Haus", "n", "")])
def test_a_form_without_an_entry_of_its_part_of_speech_has_one_of_another(
    sources: Sources, form: str, pos: str, lemma: str
) -> None:
    assert sources.reader.lemma(form, pos) == lemma


def test_words_in_one_entry_are_found_whatever_stands_around_them(sources: Sources) -> None:
    tokens = [Token("Oil", 0, 3, "oil", "n"), Token("lamps", 4, 9, "lamp", "n"), Token("glow", 10, 14, "glow", "v")]
    assert list(sources.reader.words(tokens, start=5)) == [("oil_lamp.n", 5, 14), ("glow.v", 15, 19)]


@pytest.mark.parametrize("lemma", ["lamp.n", "Lamp.n", "lamp"])
def test_the_lemma_of_a_usage_may_be_written_in_several_ways(sources: Sources, lemma: str) -> None:
    assert build_contexts([usage("A lamp.", "lamp", lemma)], sources)[0].lemma == "lamp.n"


@pytest.mark.parametrize("lemma, pos", [("lamp.x", ""), ("lamp", "NOUN"), ("lamp", "N"), ("Lamp.NN", "x")])
def test_a_part_of_speech_that_wordnet_has_not_got_is_passed_over(sources: Sources, lemma: str, pos: str) -> None:
    assert build_contexts([Usage("u", lemma, "", 0, 0, pos)], sources)[0].lemma == "lamp.n"
    assert build_contexts([Usage("u", "bright", "", 0, 0, "j")], sources)[0].lemma == "bright.a"


def test_a_lemma_that_ends_with_a_full_stop(wordnet_31: WordNet) -> None:
    assert build_contexts([Usage("u", "U.S.", "", 0, 0)], Sources(wordnet_31))[0].lemma == "u.s..n"


def words(sources: Sources, text: str) -> list[str]:
    return [*build_contexts([Usage("u", "lamp.n", text, 0, 0)], sources)[0].others]


def test_an_article_is_part_of_a_name_alone(wordnet_31: WordNet) -> None:
    """WordNet has *the City* of London, *the Street* where stocks are sold and the *AND gate*."""
    sources = Sources(wordnet_31)
    assert words(sources, "He saw the street, the city, a level, walls and gates.") == [
        "see.v",
        "street.n",
        "city.n",
        "level.n",
        "wall.n",
        "gate.n",
    ]
    assert words(sources, "He saw the City and an AND gate.") == ["see.v", "the_city.n", "and_gate.n"]
    assert words(sources, "He waited a bit.") == ["wait.v", "a_bit.r"]


def test_a_word_in_capitals(wordnet_31: WordNet) -> None:
    """*BANKS* are not Sir Joseph, who is *Banks*; *AIDS* is no plural."""
    sources = Sources(wordnet_31)
    assert words(sources, "He saw the BANKS.") == ["see.v", "bank.n"]
    assert words(sources, "Mr. Banks saw AIDS.")[1:] == ["banks.n", "see.v", "aids.n"]


def test_a_lemma_that_is_also_a_form_of_another_is_itself(wordnet_30: WordNet) -> None:
    contexts = build_contexts([usage("They founded a bank.", "founded", "found.v")], Sources(wordnet_30))
    assert contexts[0].words == ("found.v", "bank.n")


def test_adjectives_have_either_letter(sources: Sources) -> None:
    assert build_contexts([usage("A bright lamp.", "bright", "bright.j")], sources)[0].lemma == "bright.a"


def test_usages_of_one_text_tell_each_other_lemmas(sources: Sources) -> None:
    text = "The glow stops."
    usages = [usage(text, "glow", "glow.v", "a", document="d"), usage(text, "stops", "stop.v", "b", document="d")]
    assert [each.words for each in build_contexts(usages, sources)] == [("glow.v", "stop.v")] * 2


def test_short_contexts_borrow_from_their_neighbours(sources: Sources) -> None:
    texts = ["A goose stops.", "A lamp.", "It shines.", "A wick glows."]
    usages = [
        usage(text, target, lemma, str(number), document="d")
        for number, (text, target, lemma) in enumerate(
            zip(texts, ["goose", "lamp", "shines", "wick"], ["goose.n", "lamp.n", "shine.v", "wick.n"], strict=True)
        )
    ]
    contexts = build_contexts(usages, sources, least=3)
    assert contexts[1].words == ("lamp.n", "shine.v", "goose.n", "stop.v")
    assert contexts[1].target == 0
    assert build_contexts(usages, sources, least=1)[1].words == ("lamp.n",)
    apart = [Usage(each.id, each.lemma, each.text, each.start, each.end) for each in usages]
    assert build_contexts(apart, sources, least=3)[1].words == ("lamp.n",)


def test_contexts_are_in_the_order_of_usages(sources: Sources) -> None:
    one, other = "A lamp.", "A goose."
    usages = [
        usage(one, "lamp", "lamp.n", "1"),
        usage(other, "goose", "goose.n", "2"),
        usage(one, "lamp", "lamp.n", "3"),
    ]
    assert [each.usage.id for each in build_contexts(usages, sources)] == ["1", "2", "3"]


def test_a_usage_without_text_or_place_still_has_its_lemma(sources: Sources) -> None:
    contexts = build_contexts([Usage("u", "lamp.n", "", 0, 0), Usage("v", "lamp.n", "It glows.", 0, 0)], sources)
    assert contexts[0].words == ("lamp.n",)
    assert contexts[0].others == ()
    assert contexts[1].words == ("glow.v", "lamp.n")
    assert contexts[1].target == 1


def test_a_usage_of_no_entry_has_all_words_around_it(sources: Sources) -> None:
    (contexts,) = build_contexts([usage("A zebra and a lamp glow.", "zebra", "zebra.n")], sources)
    assert (contexts.lemma, contexts.target) == ("", -1)
    assert contexts.others == contexts.words == ("lamp.n", "glow.v")


class Unwanted:
    """An analyser that is not to be asked."""

    def __call__(self, text: str) -> NoReturn:
        raise AssertionError(text)


def test_a_text_that_is_read_is_not_analysed_again(sources: Sources) -> None:
    usages = [usage("A lamp glows.", "lamp", "lamp.n")]
    read = {"A lamp glows.": [DictionaryWord("lamp.n", 2, 6), DictionaryWord("goose.n", 7, 12)]}
    other = Sources(sources.wordnet, analysed_by=Unwanted())  # type: ignore[arg-type]
    assert build_contexts(usages, other, read=read)[0].words == ("lamp.n", "goose.n")


@dataclass(frozen=True)
class ByNumber:
    """Weighs the n-th sense of a lemma by n, whatever the context."""

    kind: ClassVar[str] = "disambiguator"

    def prepare(self, sources: Sources, lemmas: Collection[str]) -> SenseWeigher:
        keys = {lemma: [sense.id for sense in sources.wordnet[lemma]] for lemma in lemmas}

        def weigh(contexts: Sequence[Context]) -> Sequence[SenseWeights]:
            return [{key: float(place) for place, key in enumerate(keys[each.lemma], 1)} for each in contexts]

        return weigh


def test_a_model_gives_weights_that_sum_to_one(sources: Sources) -> None:
    model = DictionaryModel(ByNumber(), sources)
    labelled = model.label([usage("A bright lamp.", "lamp", "lamp.n")])
    assert labelled["u"] == pytest.approx({"lamp%1:06:00::": 1 / 3, "lamp%1:10:00::": 2 / 3})
    assert DictionaryModel(ByNumber(), sources, keep=0.6).label([usage("A lamp.", "lamp", "lamp.n")])["u"] == {
        "lamp%1:10:00::": 1.0
    }
    assert model.inventory["lamp.n"][0].id == "lamp%1:06:00::"


@pytest.mark.parametrize("keep", [-0.1, 1.5, math.nan])
def test_a_share_that_is_none(sources: Sources, keep: float) -> None:
    with pytest.raises(InputError, match=r"keep is .*; it must be a share of the greatest weight, from 0 to 1"):
        DictionaryModel(ByNumber(), sources, keep)


def test_a_model_says_which_lemmas_the_dictionary_has_not(sources: Sources) -> None:
    usages = [usage("A zebra.", "zebra", "zebra.n"), usage("A lamp.", "lamp", "lamp.n", "v")]
    with pytest.warns(InputWarning, match="1 lemma not in WordNet.*zebra.n"):
        labelled = DictionaryModel(ByNumber(), sources).label(usages)
    assert list(labelled) == ["v"]


def test_a_baseline_is_a_model_too(sources: Sources) -> None:
    usages = [usage("A bright lamp.", "bright", "bright.j")]
    assert DictionaryModel(MFS(), sources).label(usages)["u"] == {"bright%5:00:00:smart:00": 1.0}


def test_tagged_text_of_ones_own(sources: Sources) -> None:
    own: list[SenseTaggedUsage] = [(usage("A lamp.", "lamp", "lamp.n"), ("lamp%1:06:00::",))]
    assert Sources(sources.wordnet, analysed_by=Simple(), tagged=own).tagged == own


def test_semcor_has_the_keys_of_the_version(data: Path, wordnet_31: WordNet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEME_DATA", str(data))
    contexts = Sources(wordnet_31).tagged
    keys = set(wordnet_31.sense_keys)
    assert len(contexts) > 224_000
    assert all(sense in keys for _, senses in contexts for sense in senses)

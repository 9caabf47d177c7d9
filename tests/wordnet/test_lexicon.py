"""Senses, synsets and forms of WordNet."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from polyseme import wordnet
from polyseme.errors import InputError
from polyseme.formats.answer_key import read_key
from polyseme.inventory import Inventory, Sense
from polyseme.wordnet import WordNet
from polyseme.wordnet.synset import split_gloss
from wordnet.tiny import ENTRIES


def test_senses_of_a_lemma(tiny: WordNet) -> None:
    assert isinstance(tiny, Inventory)
    lamp, look = tiny["lamp.n"]
    examples = ("she lit the lamp", "Lamp of my feet")
    assert lamp == Sense("lamp%1:06:00::", "lamp.n", "a thing that gives light", ("Oil lamp",), examples, 7.0)
    assert (look.id, look.gloss, look.frequency) == ("lamp%1:10:00::", "(slang) a look", 7.0)
    assert tiny.sense("lamp.n", look.id) == look
    assert tiny.by_frequency("bright.a")[0].id == "bright%5:00:00:smart:00"


def test_satellites_are_adjectives_and_j_is_a(tiny: WordNet) -> None:
    ids = [sense.id for sense in tiny["bright.a"]]
    assert ids == ["bright%5:00:00:smart:00", "bright%3:00:00::"]
    assert [sense.id for sense in tiny["bright.j"]] == ids
    assert {sense.lemma for sense in tiny["bright.j"]} == {"bright.j"}
    assert tiny["bright.a"][0].synonyms == ("clever",)
    assert "bright.j" in tiny
    assert "bright.s" not in tiny


def test_lemmas_as_people_write_them(tiny: WordNet) -> None:
    assert tiny["Oil lamp.n"][0].lemma == "Oil lamp.n"
    assert tiny["oil_lamp.n"][0].id == "oil_lamp%1:06:00::"


def test_it_is_a_mapping(tiny: WordNet) -> None:
    keys = [key for entry in ENTRIES for _, key, _, _ in entry.words if key]
    assert len(tiny) == len(list(tiny)) == len(set(tiny))
    assert sorted(sense.id for senses in tiny.values() for sense in senses) == sorted(keys)
    assert all(sense.lemma == lemma for lemma, senses in tiny.items() for sense in senses)
    assert repr(tiny) == f"<WordNet of an unknown version: {len(keys)} senses of {len(tiny)} lemmas in 12 synsets>"
    assert pickle.loads(pickle.dumps(tiny))["lamp.n"] == tiny["lamp.n"]


def test_it_is_itself_only(tiny: WordNet, folder: Path) -> None:
    assert {tiny: 1}[tiny] == 1
    assert tiny != wordnet.load(None, folder)


@pytest.mark.parametrize("lemma", ["lamp", "lamp.v", "nobody.n", "", ".n", "lamp.", "\ud800.n"])
def test_what_is_not_there(tiny: WordNet, lemma: str) -> None:
    assert lemma not in tiny
    assert tiny.get(lemma) is None
    with pytest.raises(KeyError):
        tiny[lemma]


def test_sense_by_key(tiny: WordNet) -> None:
    for entry in ENTRIES:
        for _, key, number, count in entry.words:
            if key:
                sense = tiny.by_key(key)
                assert (sense.id, sense.frequency, tiny.number(key)) == (key, count, number)
                assert tiny.sense(sense.lemma, key) == sense
                assert tiny.sense_keys[tiny.sense_row(key)] == key
    for unknown in ("lamp%1:06:09::", "zzz", ""):
        with pytest.raises(KeyError):
            tiny.by_key(unknown)


def test_synsets_are_read_from_the_database(tiny: WordNet) -> None:
    synset = tiny.synset("oil_lamp%1:06:00::")
    assert (synset.pos, synset.file, synset.words) == ("n", "noun.artifact", ("lamp", "Oil lamp"))
    assert synset.keys == ("lamp%1:06:00::", "oil_lamp%1:06:00::")
    assert synset.definition == "a thing that gives light"
    assert tiny.synset(synset.id) == tiny.synset(synset.row) == tiny.synset("lamp%1:06:00::") == synset
    satellite = tiny.synset("clever%5:00:00:smart:00")
    assert satellite.id.endswith("-s")
    assert tiny.synset(satellite.id.replace("-s", "-a")) == satellite
    assert tiny.synset("a%1:10:00::").words == ("A",)
    assert [tiny.synset(row).row for row in range(12)] == list(range(12))
    for unknown in ("00000001-n", synset.id.replace("-n", "-v"), "x-n", "00000001-", "٣-n"):
        with pytest.raises(KeyError):
            tiny.synset(unknown)
    assert tiny.synset(np.int32(3)) == tiny.synset(3)
    with pytest.raises(IndexError):
        tiny.synset(12)
    with pytest.raises(TypeError):
        tiny.synset(1.0)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "gloss, definition, examples",
    [
        ("plain", "plain", ()),
        ('one; two; "an example; of it"; "another"', "one; two", ("an example; of it", "another")),
        ('with a colon: "an example"', "with a colon", ("an example",)),
        ('cited; "well said"--Somebody; "again" (Nobody)', "cited", ("well said", "again")),
        ('side by side; "one" "two"', "side by side", ("one", "two")),
        ('as in "a phrase"; "an example"', 'as in "a phrase"', ("an example",)),
        ('of a word; "word" is archaic; "an example"', 'of a word; "word" is archaic', ("an example",)),
        ('never closed; "an exam', "never closed", ("an exam",)),
        ('a comma between; "one", "two"', "a comma between", ("one", "two")),
        ('after a comma, "one"; "two"', "after a comma", ("one", "two")),
        ('(of a ball) "it is dead"', "(of a ball)", ("it is dead",)),
        ('reach a goal, e.g., "make the team"', 'reach a goal, e.g., "make the team"', ()),
        ('go on; "it\'s hard," he said, "but so"', 'go on; "it\'s hard," he said, "but so"', ()),
        ('an ancestry, "one" and "two" are archaic', 'an ancestry, "one" and "two" are archaic', ()),
        ("", "", ()),
    ],
)
def test_glosses_are_split_into_definition_and_examples(gloss: str, definition: str, examples: tuple[str, ...]) -> None:
    assert split_gloss(gloss) == (definition, examples)


def test_forms_without_exception_lists(tiny: WordNet) -> None:
    assert tiny.lemmas("geese", "n") == ("goose",)
    assert tiny.lemmas("Lamps", "n") == ("lamp",)
    assert tiny.lemmas("oil lamps", "n") == ("oil_lamp",)
    assert tiny.lemmas("stopped", "v") == ("stop",)
    assert tiny.lemmas("shone", "v") == ("shine",)
    assert tiny.lemmas("brightest", "j") == ("bright",)
    assert tiny.lemmas("lamps", "v") == ()
    with pytest.raises(InputError, match="no part of speech 'x'; allowed are n, v, a"):
        tiny.lemmas("lamps", "x")


def test_forms_with_exception_lists(folder: Path) -> None:
    (folder / "noun.exc").write_text("gaggles goose\n\nlampen lamp wick\nthing wick\nlamps lamps\nlampen thing\n")
    inventory = wordnet.load(None, folder)
    assert inventory.lemmas("gaggles", "n") == ("goose",)
    assert inventory.lemmas("lampen", "n") == ("lamp", "wick", "thing")
    assert inventory.lemmas("thing", "n") == ("wick", "thing")  # a lemma itself
    assert inventory.lemmas("lamps", "n") == ()  # that is what the line is for
    assert inventory.lemmas("wicks", "n") == ("wick",)
    assert inventory.lemmas("oil  Lamps", "n") == ("oil_lamp",)
    assert inventory.lemmas("oils_lamp", "n") == ("oil_lamp",)
    assert inventory.lemmas("geese", "n") == ()


@pytest.mark.parametrize("text, problem", [("lampen\n", r":1: 'lampen' has no lemma\."), ("\n", r": there is no form")])
def test_broken_exception_lists(folder: Path, text: str, problem: str) -> None:
    (folder / "noun.exc").write_text(text)
    with pytest.raises(
        InputError, match=rf"noun\.exc{problem}.* A line reads: form lemma lemma …\. Copy the files again"
    ):
        wordnet.load(None, folder).lemmas("geese", "n")


# -- the real ones -------------------------------------------------------------------------------------------------


def test_sizes_count_the_senses_of_each_usage(wordnet_30: WordNet, wordnet_31: WordNet) -> None:
    assert repr(wordnet_30) == "<WordNet 3.0: 206941 senses of 155287 lemmas in 117659 synsets>"
    assert repr(wordnet_31) == "<WordNet 3.1: 207235 senses of 155467 lemmas in 117791 synsets>"


def test_dark(wordnet_31: WordNet) -> None:
    first = wordnet_31["dark.j"][0]
    assert (first.id, first.lemma, first.frequency) == ("dark%3:00:01::", "dark.j", 49)
    assert first.examples[0] == "sitting in a dark corner"
    assert [wordnet_31.number(sense.id) for sense in wordnet_31["dark.j"]] == list(range(1, 11))
    assert [sense.id for sense in wordnet_31.related_senses(first.id, "antonym")] == ["light%3:00:06::"]


def test_every_gold_key_of_task_13_is_there(wordnet_31: WordNet, data: Path) -> None:
    gold = read_key(data / "semeval-2013-task-13" / "keys" / "gold" / "all.key")
    keys = {sense for _, sense in gold.columns}
    assert len(keys) == 339
    for lemma, key in gold.columns:
        assert wordnet_31.sense(lemma, key) == wordnet_31.sense(lemma, wordnet_31.by_key(key).id)


@pytest.mark.parametrize("version", ["3.0", "3.1"])
def test_sense_numbers_are_complete(version: str, request: pytest.FixtureRequest) -> None:
    columns = request.getfixturevalue(f"wordnet_{version.replace('.', '')}").columns
    numbers = columns.sense_number[columns.by_lemma]
    sizes = np.diff(columns.lemma_senses)
    expected = np.arange(len(numbers)) - np.repeat(columns.lemma_senses[:-1], sizes) + 1
    wrong = np.flatnonzero(numbers != expected)
    assert not len(wrong), [columns.key[columns.by_lemma[place]] for place in wrong[:5].tolist()]


FORMS = {
    "geese n": "goose",
    "axes n": "ax axis",
    "stopped v": "stop",
    "better r": "well better",
    "lay v": "lie lay",
    "seed v": "seed",
    "opener a": "",
    "old-timer a": "",
    "gave up v": "give_up",
    "looked_up v": "look_up",
    "looking after v": "look_after",
    "asks for v": "ask_for",
    "attorneys general n": "attorney_general",
    "men of letters n": "man_of_letters",
    "ice creams n": "ice_cream",
}


@pytest.mark.parametrize("form", FORMS)
def test_forms(wordnet_31: WordNet, form: str) -> None:
    word, _, pos = form.rpartition(" ")
    if not (wordnet_31.folder / "noun.exc").is_file():
        pytest.skip("this WordNet has no exception lists")
    assert " ".join(wordnet_31.lemmas(word, pos)) == FORMS[form]


def test_forms_of_several_words_without_lists(wordnet_31: WordNet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordnet_31, "_exceptions", dict.fromkeys("nvar"))
    for form in ("gave up v", "looking after v", "asks for v", "attorneys general n", "men of letters n"):
        word, _, pos = form.rpartition(" ")
        assert " ".join(wordnet_31.lemmas(word, pos)) == FORMS[form]

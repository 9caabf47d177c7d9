"""A dictionary as text: which lines are made of an entry, and what of it is left out."""

import doctest
import json
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from training.dictionary import (
    Entry,
    find_usage,
    inflect,
    list_originals,
    read_entries,
    substitute_synonyms,
    write_dictionary,
    write_lines,
)
from training.overlap import HeldOutContexts

from polyseme import wordnet
from polyseme.usage import Usage
from training import dictionary
from wordnet.tiny import write as write_tiny

VOCABULARY = frozenset({"pond", "ponds", "pool", "pools", "lake", "lakes"})
POND = Entry(("pond", "pool"), "n", "a small lake", ("Two ponds froze.", "It is deep."), ("pond", "pool"), ("lake",))


@pytest.fixture
def tiny(tmp_path: Path) -> wordnet.WordNet:
    """A WordNet of a few synsets."""
    return wordnet.load(None, write_tiny(tmp_path / "tiny"))


def test_examples() -> None:
    assert not doctest.testmod(dictionary).failed


def test_an_example_comes_in_every_pattern() -> None:
    assert list(write_lines(POND, frozenset(list_originals([POND])), VOCABULARY)) == [
        "pond: a small lake",
        "pond (or even pool): a small lake",
        "Two ponds froze.",
        "Two pools froze.",
        "Two ponds (or even pools) froze.",
        "Two ponds and lakes froze.",
        "Two pools and ponds froze.",
        "It is deep.",
    ]


def test_what_is_not_allowed_is_left_out() -> None:
    assert list(write_lines(POND, frozenset({"It is deep."}), VOCABULARY)) == ["It is deep."]


def test_a_more_general_word_stands_beside_but_never_in_the_place() -> None:
    lone = POND._replace(words=("pond",), synonyms=("pond",))
    usage = find_usage("The pond froze.", lone)
    assert usage is not None
    sentences = ["The pond (or even lake) froze.", "The pond and lake froze.", "The lake and pond froze."]
    assert list(substitute_synonyms(usage, lone, VOCABULARY)) == sentences
    assert list(substitute_synonyms(usage, lone._replace(general=()), VOCABULARY)) == []


def test_words_are_found_in_any_form() -> None:
    entry = POND._replace(words=("give up", "stop"), pos="v")
    usage = find_usage("She Gave up too early.", entry)
    assert usage is not None
    assert (usage.lemma, usage.target) == ("give up.v", "Gave up")
    assert inflect("quit", usage, frozenset()) == "quitted"
    assert find_usage("They paused.", entry) is None


@pytest.mark.parametrize(
    "word, lemma, text, form",
    [
        ("take", "choose.v", "chosen", "taken"),
        ("walk", "enter upon.v", "entered upon", "walked"),
        ("fine", "good.a", "better", None),
        ("child", "pupil.n", "pupils", "children"),
        ("child", "pupil.n", "Pupil", "child"),
    ],
)
def test_other_words_take_the_form_of_the_target(word: str, lemma: str, text: str, form: str | None) -> None:
    assert inflect(word, Usage("", lemma, text, 0, len(text)), frozenset({"taken", "walked", "children"})) == form


def test_entries_are_synsets_with_words_that_a_model_knows(tiny: wordnet.WordNet) -> None:
    vocabulary = frozenset({"lamp", "thing", "bright", "glow"})
    entries = {entry.definition: entry for entry in read_entries(tiny, vocabulary)}
    lamp = entries["a thing that gives light"]
    assert (lamp.words, lamp.pos, lamp.synonyms, lamp.general) == (("lamp",), "n", ("lamp",), ("thing",))
    assert lamp.examples == ("she lit the lamp", "Lamp of my feet")
    assert entries["give off light"].synonyms == ("glow",)
    assert (entries["quick of mind"].pos, entries["quick of mind"].general) == ("a", ("bright",))


def test_pieces_without_what_overlaps(tiny: wordnet.WordNet, tmp_path: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers", reason="needs tokenizers: pip install 'polyseme[lm]'")
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "lamp", "thing", "the", "lit", "and", "shines", "glows"]
    (tmp_path / "vocab.txt").write_text("".join(f"{piece}\n" for piece in pieces))
    model = tokenizers.models.WordPiece({piece: at for at, piece in enumerate(pieces)}, unk_token="[UNK]")
    tokenizers.Tokenizer(model).save(str(tmp_path / "tokenizer.json"))
    report = write_dictionary(tmp_path, tiny, HeldOutContexts({"test": ["when she lit the lamp"]}, size=4), seed=0)
    text = np.fromfile(tmp_path / "dictionary.bin", np.uint16)
    assert (text == 3).sum() == report["documents"]
    assert len(text) == report["documents"] + report["pieces"]
    assert pieces.index("lit") not in text
    assert report["texts"]["by_test"]["test"] == {"documents": 1, "words": 4, "contexts": 1}
    documents = [[pieces[at] for at in each] for each in np.split(text, np.flatnonzero(text == 3) + 1)]
    assert ["the", "lamp", "shines", "[SEP]"] in documents
    assert json.loads(json.dumps(report)) == report

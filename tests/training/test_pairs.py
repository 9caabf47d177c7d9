"""Pairs of usages in one sense from a dictionary: which there are, and how they are written."""

import doctest
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from training.dictionary import Entry, list_originals
from training.overlap import HeldOutContexts
from training.pairs import PLACES, SensePair, pair_examples, pair_senses, write_pairs

from polyseme import wordnet
from training import pairs as module
from wordnet.tiny import write as write_tiny

BANK = Entry(("bank", "lender"), "n", "a house that lends", ("Two banks closed.",), (), ())
SHORE = Entry(("bank", "shore"), "n", "land by water", (), (), ())


def test_examples() -> None:
    assert not doctest.testmod(module).failed


def describe_pairs(pairs: Iterable[SensePair]) -> list[tuple[str, str, str, int]]:
    return [(pair.example.text, pair.example.target, pair.definition.text, pair.sense) for pair in pairs]


def test_examples_stand_beside_definitions() -> None:
    both = [SHORE, BANK]
    expected = ("Two banks closed.", "banks", "bank: a house that lends", 1)
    assert describe_pairs(pair_examples(both, list_texts(both))) == [expected]
    assert describe_pairs(pair_examples(both, list_texts(both) - {"Two banks closed."})) == []
    assert describe_pairs(pair_examples(both, list_texts(both) - {BANK.definition})) == []


def test_words_with_several_senses_have_a_pair_for_each() -> None:
    both = [BANK, SHORE]
    assert describe_pairs(pair_senses(both, list_texts(both))) == [
        ("Two banks closed.", "banks", "bank: a house that lends", 0),
        ("land by water, that is, bank", "bank", "bank: land by water", 1),
    ]
    left = list_texts(both) - {"Two banks closed.", "land by water"}
    assert [text for text, *_ in describe_pairs(pair_senses(both, left))] == ["a house that lends, that is, bank"]


def list_texts(entries: list[Entry]) -> frozenset[str]:
    return frozenset(list_originals(entries))


def test_arrays_say_where_the_word_is(tmp_path: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers", reason="needs tokenizers: pip install 'polyseme[lm]'")
    lexicon = wordnet.load(None, write_tiny(tmp_path / "tiny"))
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *sorted(set(" ".join(lexicon.columns.gloss).split()))]
    (tmp_path / "vocab.txt").write_text("".join(f"{piece}\n" for piece in pieces))
    words = tokenizers.models.WordPiece({piece: at for at, piece in enumerate(pieces)}, unk_token="[UNK]")
    tokeniser = tokenizers.Tokenizer(words)
    tokeniser.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokeniser.save(str(tmp_path / "tokenizer.json"))
    counts = write_pairs(tmp_path, lexicon, HeldOutContexts({"test": ["nothing of it"]}, size=3))
    with np.load(tmp_path / "pairs.npz") as arrays:
        assert len(arrays["senses"]) == counts["pairs"] > 0
        assert arrays["pieces"].shape == (counts["pairs"], 2, PLACES)
        starts, ends = arrays["spans"][:, :, 0], arrays["spans"][:, :, 1]
        assert (starts >= 1).all()
        assert (ends > starts).all()
        assert (starts[:, 1] == 1).all()
        assert (arrays["pieces"][:, :, 0] == 2).all()
        lengths = (arrays["pieces"] > 0).sum(axis=2)
        assert (ends < lengths).all()
        assert (np.take_along_axis(arrays["pieces"], lengths[:, :, None] - 1, 2) == 3).all()

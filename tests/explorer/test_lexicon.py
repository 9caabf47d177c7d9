from __future__ import annotations

import time

import pytest

from polyseme.corpus.index import Index
from polyseme.explorer.lexicon import Lexicon


@pytest.fixture(scope="module")
def lexicon(index: Index) -> Lexicon:
    return Lexicon(index)


@pytest.mark.parametrize("typed", ["bank", "Bank", "BANKS", "banks", "bank.n"])
def test_a_word_is_found_however_it_is_written(lexicon: Lexicon, typed: str) -> None:
    found = lexicon.meant(typed)
    assert found.word is not None
    assert found.word.word == "bank"
    assert found.word.count == 121


@pytest.mark.parametrize("typed, near", [("bnak", "bank"), ("rivver", "river"), ("monney", "money")])
def test_words_that_are_spelt_alike_are_suggested(lexicon: Lexicon, typed: str, near: str) -> None:
    found = lexicon.meant(typed)
    assert found.word is None
    assert near in [each.word for each in found.near]


@pytest.mark.parametrize(
    "typed",
    [
        "",
        " ",
        "x" * 10_000,
        "'; DROP TABLE words; --",
        "<script>",
        "🦘",
        "בנק",
        "\u202ebank",
        "%00",
        "a b c",
        "..",
        "'",
    ],
)
def test_nothing_strange_is_found_or_takes_long(lexicon: Lexicon, typed: str) -> None:
    begun = time.perf_counter()
    found = lexicon.meant(typed)
    assert found.word is None or found.word.count
    assert time.perf_counter() - begun < 5


def test_frequent_words_are_there_to_try(lexicon: Lexicon) -> None:
    assert all(each.word.isalpha() for each in lexicon.to_try)

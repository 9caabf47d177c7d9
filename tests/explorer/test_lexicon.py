"""Looking up the word that a user types."""

from __future__ import annotations

import time

import pytest

from polyseme.corpus.index import Index
from polyseme.explorer.lexicon import Lexicon


@pytest.fixture(scope="module")
def lexicon(index: Index) -> Lexicon:
    return Lexicon(index)


@pytest.mark.parametrize("typed", ["bank", "Bank", "BANKS", "banks", "bank.n"])
def test_a_word_is_found_in_any_spelling_and_form(lexicon: Lexicon, typed: str) -> None:
    lookup = lexicon.look_up(typed)
    assert lookup.word is not None
    assert lookup.word.lemma == "bank"
    assert lookup.word.count == 121


@pytest.mark.parametrize("typed, similar", [("bnak", "bank"), ("rivver", "river"), ("monney", "money")])
def test_words_with_similar_spelling_are_suggested(lexicon: Lexicon, typed: str, similar: str) -> None:
    lookup = lexicon.look_up(typed)
    assert lookup.word is None
    assert similar in [word.word for word in lookup.similar]


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
def test_strange_input_is_harmless_and_fast(lexicon: Lexicon, typed: str) -> None:
    start = time.perf_counter()
    lookup = lexicon.look_up(typed)
    assert lookup.word is None or lookup.word.count
    assert time.perf_counter() - start < 5


def test_frequent_words_are_content_words(lexicon: Lexicon) -> None:
    assert all(word.word.isalpha() for word in lexicon.frequent_words)

"""The selection of words to count."""

import pytest

from polyseme.corpus.vocabulary import Vocabulary
from polyseme.corpus.word_selection import WordSelection, get_word_numbers
from polyseme.errors import InputError

WORDS = Vocabulary(["the", "bank.n", "lend.v", "money.n", "U.S."], [9, 3, 1, 2, 1])


@pytest.mark.parametrize(
    "selection, words",
    [
        (WordSelection(), ["the", "bank.n", "lend.v", "money.n", "U.S."]),
        (WordSelection(pos="n"), ["bank.n", "money.n"]),
        (WordSelection(pos="nv"), ["bank.n", "lend.v", "money.n"]),
        (WordSelection(minimum=2, maximum=3), ["bank.n", "money.n"]),
        (WordSelection(among=["money.n", "the", "absent.n"]), ["the", "money.n"]),
        (WordSelection(pos="n", minimum=3), ["bank.n"]),
        (WordSelection(among=[]), []),
    ],
)
def test_words_are_selected_by_pos_frequency_and_name(selection: WordSelection, words: list[str]) -> None:
    assert [WORDS[number] for number in selection.numbers(WORDS).tolist()] == words


def test_a_wrong_part_of_speech_is_refused() -> None:
    with pytest.raises(InputError, match="'z' is not a part of speech; allowed are n, v, a, r"):
        WordSelection(pos="nz")


def test_missing_words_are_refused() -> None:
    assert get_word_numbers(["money.n", "bank.n", "bank.n"], WORDS).tolist() == [1, 3]
    with pytest.raises(InputError, match=r"'banks.n' does not occur in this corpus; did you mean bank.n"):
        get_word_numbers(["banks.n"], WORDS)

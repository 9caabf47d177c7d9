"""Which words are counted."""

import pytest

from polyseme.corpus.selection import Selection, numbers_of
from polyseme.corpus.vocabulary import Vocabulary
from polyseme.errors import InputError

WORDS = Vocabulary(["the", "bank.n", "lend.v", "money.n", "U.S."], [9, 3, 1, 2, 1])


@pytest.mark.parametrize(
    "selection, words",
    [
        (Selection(), ["the", "bank.n", "lend.v", "money.n", "U.S."]),
        (Selection(pos="n"), ["bank.n", "money.n"]),
        (Selection(pos="nv"), ["bank.n", "lend.v", "money.n"]),
        (Selection(minimum=2, maximum=3), ["bank.n", "money.n"]),
        (Selection(among=["money.n", "the", "absent.n"]), ["the", "money.n"]),
        (Selection(pos="n", minimum=3), ["bank.n"]),
        (Selection(among=[]), []),
    ],
)
def test_selections(selection: Selection, words: list[str]) -> None:
    assert [WORDS[number] for number in selection.numbers(WORDS).tolist()] == words


def test_a_part_of_speech_that_is_none() -> None:
    with pytest.raises(InputError, match="'z' is no part of speech; allowed are n, v, a, r"):
        Selection(pos="nz")


def test_words_that_must_occur() -> None:
    assert numbers_of(["money.n", "bank.n", "bank.n"], WORDS).tolist() == [1, 3]
    with pytest.raises(InputError, match=r"'banks.n' does not occur in this corpus; did you mean bank.n"):
        numbers_of(["banks.n"], WORDS)

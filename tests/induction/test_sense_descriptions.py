"""The words and the examples that show people what a sense is."""

import numpy as np
import pytest

from polyseme.induction.descriptive_lemmas import find_descriptive_lemmas, is_derivation
from polyseme.induction.sense_descriptions import describe_by_substitutes
from polyseme.induction.sense_examples import select_examples
from polyseme.usage import Usage
from polyseme.vectors.representation import NamedFeatures

DERIVATIONS = [
    *("administrative administer", "bank banker", "sense sensitive", "current currency", "science scientist"),
    *("happy happiness", "define definition", "authority authorize", "special specialized", "employ unemployed"),
    *("plan planner", "state statement", "serve servant", "possible possibility", "decide decision"),
]
UNRELATED = [
    *("sense sentence", "bank bankrupt", "worker workshop", "table tablet", "plan plant", "plan plane", "party part"),
    *("interest internet", "special species", "count county", "light lightning", "river rivet", "authority audience"),
]


@pytest.mark.parametrize("pair", DERIVATIONS)
def test_derivations_share_a_stem(pair: str) -> None:
    one, other = pair.split()
    assert is_derivation(one, other)
    assert is_derivation(other, one)


@pytest.mark.parametrize("pair", UNRELATED)
def test_other_words_with_the_same_beginning_stay(pair: str) -> None:
    one, other = pair.split()
    assert not is_derivation(one, other)
    assert not is_derivation(other, one)


def test_words_of_another_language_stay_as_they_are() -> None:
    words = ["flusses", "ufer", "geldinstitut", "sparkasse", "##en", "der"]
    assert find_descriptive_lemmas(words, "bank.n") == ["flusses", "ufer", "geldinstitut", "sparkasse", "", "der"]


def test_without_any_descriptive_word_all_stay() -> None:
    assert find_descriptive_lemmas(["12", "banker"], "bank.n") == ["12", "banker"]


def test_a_substitute_describes_the_sense_with_the_greatest_share_of_it() -> None:
    weights = np.array([[0.6, 0.4, 0.0, 0.0], [0.3, 0.0, 0.7, 0.0], [0.4, 0.0, 0.0, 0.6]])
    substitutes = NamedFeatures(("place", "shore", "lender", "row"), weights)
    described = describe_by_substitutes(substitutes, np.eye(3), "bank.n")
    assert [list(words) for words in described] == [["shore", "place"], ["lender"], ["row"]]


def test_inflected_substitutes_add_up() -> None:
    substitutes = NamedFeatures(("lender", "loan", "rivers", "river"), np.array([[0.6, 0.4, 0, 0], [0, 0, 0.5, 0.5]]))
    [money, river] = describe_by_substitutes(substitutes, np.eye(2), "bank.n")
    assert list(money) == ["lender", "loan"]
    assert list(river) == ["river"]
    assert describe_by_substitutes(substitutes, np.ones((2, 1)), "bank.n") == [
        pytest.approx({"river": 0.5, "lender": 0.3, "loan": 0.2})
    ]


def test_whole_sentences_of_moderate_length_come_first_among_typical_usages() -> None:
    texts = [
        "the bank of the river, where we sat for the whole afternoon and talked",
        "The bank.",
        "At last we sat down on the bank of the river and talked of the old days.",
        "Nobody could have guessed that such a bank would ever lend them any money.",
    ]
    usages = [
        Usage(f"u{row}", "bank.n", text, text.index("bank"), text.index("bank") + 4) for row, text in enumerate(texts)
    ]
    assert select_examples(usages, np.array([1.0, 1.0, 1.0, 0.4]), ["shore"], 4) == [2, 0, 1, 3]
    assert select_examples(usages, np.array([0.0, 0.0, 0.0, 0.4]), [], 4) == [3]

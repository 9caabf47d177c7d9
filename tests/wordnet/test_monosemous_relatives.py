"""Words that point at one sense."""

import pytest

from polyseme.wordnet import WordNet
from polyseme.wordnet.monosemous_relatives import find_monosemous_relatives


def test_relatives_have_one_sense(wordnet_31: WordNet) -> None:
    relatives = find_monosemous_relatives(wordnet_31, "bank%1:14:00::")
    assert "depository_financial_institution.n" in relatives
    assert "financial_institution.n" in relatives
    assert "bank.n" not in relatives
    assert all(len(wordnet_31[lemma]) == 1 for lemma in relatives)
    assert not set(relatives) & set(find_monosemous_relatives(wordnet_31, "bank%1:17:01::"))


def test_relatives_that_occur_in_texts_as_several_words(wordnet_31: WordNet) -> None:
    relatives = find_monosemous_relatives(wordnet_31, "bank%1:14:00::")
    assert {"credit_union.n", "home_loan_bank.n"} < set(relatives)
    assert not any(" " in lemma or lemma != lemma.lower() for lemma in relatives)


def test_relatives_by_some_relations(wordnet_31: WordNet) -> None:
    above = find_monosemous_relatives(wordnet_31, "bank%1:14:00::", ["hypernym"])
    assert "financial_institution.n" in above
    assert "credit_union.n" not in above


def test_an_unknown_sense_is_a_key_error(wordnet_31: WordNet) -> None:
    with pytest.raises(KeyError):
        find_monosemous_relatives(wordnet_31, "bank%9:99:99::")

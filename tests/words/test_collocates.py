"""Collocates of senses."""

from polyseme.words.collocates import find_collocates
from word_profiles import bank_profile, changing_profile, usage


def test_collocates_occur_with_one_sense_more_than_with_the_others() -> None:
    collocates = find_collocates(changing_profile())
    assert {"lend", "money", "merchant"} <= set(collocates["bank.n.s1"])
    assert {"flow", "water"} <= set(collocates["bank.n.s2"])
    assert not set(collocates["bank.n.s1"]) & set(collocates["bank.n.s2"])


def test_few_usages_have_no_clear_collocates() -> None:
    usages = [usage(number, f"the {{}} lends {number}") for number in range(2)]
    assert find_collocates(bank_profile([(1.0, 0.0), (0.0, 1.0)], usages)) == {"bank.n.s1": (), "bank.n.s2": ()}

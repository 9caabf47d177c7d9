"""Examples and the order of usages."""

from polyseme.words.examples import ambiguous_examples, best_examples, order_usages
from word_profiles import bank_profile, changing_profile, usage

SHORT, MODERATE, LONG = "the {}", "the {} of the town " + "and more " * 6, "the {} " + "of it all " * 60


def test_best_examples_are_heavy_and_of_moderate_length() -> None:
    texts = [SHORT, MODERATE, LONG, MODERATE + "again another thing entirely different words here", MODERATE]
    usages = [usage(number, text) for number, text in enumerate(texts)]
    profile = bank_profile([(0.96, 0.04), (1.0, 0.0), (1.0, 0.0), (0.3, 0.7), (1.0, 0.0)], usages)
    assert [example.id for example in best_examples(profile, "bank.n.s1", 5)] == ["u1", "u2", "u0", "u3"]


def test_best_examples_have_descriptive_words_and_distinct_documents() -> None:
    texts = ["plain " * 12 + "{}", "other talk of money and a loan " * 3 + "{}", "much money " * 8 + "{}"]
    usages = [usage(number, text, document="same" if number else "another") for number, text in enumerate(texts)]
    profile = bank_profile([(1.0, 0.0)] * 3, usages)
    assert [example.id for example in best_examples(profile, "bank.n.s1", 3)] == ["u1", "u0", "u2"]


def test_nearly_equal_texts_are_shown_once() -> None:
    usages = [usage(0, MODERATE + "at last"), usage(1, MODERATE + "at first"), usage(2, LONG + "river")]
    assert len(best_examples(bank_profile([(1.0, 0.0)] * 3, usages), "bank.n.s1", 3)) == 2


def test_ambiguous_examples_have_words_of_both_senses_first() -> None:
    texts = [
        "nothing at all is said here of the {}, neither this nor that, nor anything else",
        "the {} by the river lends money, and water flows past those who ask for a loan there",
        "clearly money and a loan, and nothing else, whatever people may say of a {} at night",
    ]
    usages = [usage(number, text) for number, text in enumerate(texts)]
    examples = ambiguous_examples(bank_profile([(0.5, 0.5), (0.6, 0.4), (0.9, 0.1)], usages), 3)
    assert [example.id for example, _ in examples] == ["u1", "u0", "u2"]
    assert list(examples[0][1].items()) == [("bank.n.s1", 0.6), ("bank.n.s2", 0.4)]


def test_usages_are_ordered_by_sense_purity_or_ambiguity() -> None:
    usages = [usage(number, f"the {{}} {number}") for number in range(4)]
    profile = bank_profile([(0.4, 0.6), (1.0, 0.0), (0.0, 0.0), (0.7, 0.3)], usages)
    assert order_usages(profile) == [0, 1, 2, 3]
    assert order_usages(profile, "sense") == [1, 3, 0, 2]
    assert order_usages(profile, "purity") == [1, 3, 0, 2]
    assert order_usages(profile, "ambiguity") == [0, 3, 1, 2]
    assert order_usages(profile, "ambiguity", "bank.n.s1") == [3, 1]


def test_examples_of_a_planted_word_are_of_their_sense() -> None:
    profile = changing_profile()
    assert all("lends" in example.text for example in best_examples(profile, "bank.n.s1"))
    assert all("river" in example.text for example in best_examples(profile, "bank.n.s2"))

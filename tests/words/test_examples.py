"""Which usages are shown, and in which order."""

from polyseme.words.examples import ambiguous_examples, best_examples, order_usages
from word_profiles import planted, portrait, usage

SHORT, MODERATE, LONG = "the {}", "the {} of the town " + "and more " * 6, "the {} " + "of it all " * 60


def test_purest_are_the_heaviest_and_of_moderate_length() -> None:
    texts = [SHORT, MODERATE, LONG, MODERATE + "again another thing entirely different words here", MODERATE]
    usages = [usage(number, text) for number, text in enumerate(texts)]
    found = portrait([(0.96, 0.04), (1.0, 0.0), (1.0, 0.0), (0.3, 0.7), (1.0, 0.0)], usages)
    assert [each.id for each in best_examples(found, "bank.n.s1", 5)] == ["u1", "u2", "u0", "u3"]


def test_purest_prefer_words_that_tell_and_other_documents() -> None:
    texts = ["plain " * 12 + "{}", "other talk of money and a loan " * 3 + "{}", "much money " * 8 + "{}"]
    usages = [usage(number, text, document="same" if number else "another") for number, text in enumerate(texts)]
    found = portrait([(1.0, 0.0)] * 3, usages)
    assert [each.id for each in best_examples(found, "bank.n.s1", 3)] == ["u1", "u0", "u2"]


def test_nearly_the_same_text_is_shown_once() -> None:
    usages = [usage(0, MODERATE + "at last"), usage(1, MODERATE + "at first"), usage(2, LONG + "river")]
    assert len(best_examples(portrait([(1.0, 0.0)] * 3, usages), "bank.n.s1", 3)) == 2


def test_ambiguous_usages_tell_of_both_senses() -> None:
    texts = [
        "nothing at all is told here of the {}, neither this nor that, nor anything else",
        "the {} by the river lends money, and water flows past those who ask for a loan there",
        "clearly money and a loan, and nothing else, whatever people may say of a {} at night",
    ]
    usages = [usage(number, text) for number, text in enumerate(texts)]
    found = ambiguous_examples(portrait([(0.5, 0.5), (0.6, 0.4), (0.9, 0.1)], usages), 3)
    assert [each.id for each, _ in found] == ["u1", "u0", "u2"]
    assert list(found[0][1].items()) == [("bank.n.s1", 0.6), ("bank.n.s2", 0.4)]


def test_orders() -> None:
    usages = [usage(number, f"the {{}} {number}") for number in range(4)]
    found = portrait([(0.4, 0.6), (1.0, 0.0), (0.0, 0.0), (0.7, 0.3)], usages)
    assert order_usages(found) == [0, 1, 2, 3]
    assert order_usages(found, "sense") == [1, 3, 0, 2]
    assert order_usages(found, "purity") == [1, 3, 0, 2]
    assert order_usages(found, "ambiguity") == [0, 3, 1, 2]
    assert order_usages(found, "ambiguity", "bank.n.s1") == [3, 1]


def test_a_planted_word() -> None:
    found = planted()
    assert all("lends" in each.text for each in best_examples(found, "bank.n.s1"))
    assert all("river" in each.text for each in best_examples(found, "bank.n.s2"))

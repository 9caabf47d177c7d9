"""Options that cannot apply are refused, in words that fit Python and the command line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import polyseme as ps
from polyseme.interface.text import find_target

TEXT = "A bank is no other bank."
USAGES = [ps.Usage("1", "bank.n", TEXT, 2, 6)]
SUBSTITUTES: Any = ps.substitutes
"""Type checkers refuse these calls, too."""
RATINGS = [{"annotator": "ann", "task": "WSsim", "lemma": "bank.n", "usage": "1", "target": "a", "value": 5}]


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: ps.map_senses({"1": {"s": 1}}, {"1": {"a": 1}}, folds=0), "folds is 0; it must be 1 or more"),
        (lambda: find_target(TEXT, "bank", 0), "occurrence is 0, and 'bank' occurs 2 times in the text"),
        (lambda: find_target(TEXT, "bank", -1), "occurrence is -1"),
        (lambda: SUBSTITUTES(TEXT, "bank", candidates=[]), "candidates are for usages"),
        (lambda: SUBSTITUTES(USAGES, occurrence=2), "occurrence is for a target in a text"),
        (lambda: ps.disambiguate(TEXT, "SemCorRanked", scale=Path("none.json")), "none.json"),
        (lambda: ps.make_gold(RATINGS, graded=True), "the option graded is for clusters; drop it"),
        (lambda: ps.make_gold(RATINGS, study="Cups"), "study 'Cups' names a study of a database"),
        (lambda: ps.SenseVectorizer("Bag").fit(USAGES), "'Bag' gives usages no senses; give a model"),
    ],
)
def test_options_that_do_not_apply_are_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ps.InputError) as caught:
        call()
    assert message in str(caught.value)
    assert "--" not in str(caught.value)


def test_only_usages_of_one_lemma_are_compared() -> None:
    bank, money = (ps.Usage("1", f"{word}.n", word, 0, len(word)) for word in ("bank", "money"))
    with pytest.raises(ps.InputError, match=r"'bank.n' and 'money.n' cannot be compared; give two usages of one lemma"):
        ps.similarity(bank, money, "Bag(minimum=1)")
    with pytest.raises(ps.InputError, match=r"\{'lemma': 'bank.n'\} and 'bank.n' cannot be compared"):
        ps.similarity({"lemma": "bank.n"}, bank, "Bag(minimum=1)")  # type: ignore[call-overload]

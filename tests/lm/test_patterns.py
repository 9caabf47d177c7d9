"""Patterns in place of a target, which ask a model for words like it."""

import pytest

from polyseme.errors import InputError
from polyseme.lm.patterns import apply_pattern, check_pattern
from polyseme.usage import Usage

USAGE = Usage("u", "bank.n", "The banks lend.", 4, 9)


@pytest.mark.parametrize(
    "pattern, text, before",
    [
        ("_", "The _ lend.", "The "),
        ("T and _", "The banks and _ lend.", "The banks and "),
        ("_ and T", "The _ and banks lend.", "The "),
        ("T (or even _)", "The banks (or even _) lend.", "The banks (or even "),
        ("T, That _", "The banks, That _ lend.", "The banks, That "),
    ],
)
def test_the_mask_is_the_target(pattern: str, text: str, before: str) -> None:
    usage, masked = apply_pattern(pattern, USAGE)
    assert masked
    assert (usage.text, usage.left, usage.target) == (text, before, "_")
    assert (usage.id, usage.lemma) == ("u", "bank.n")


def test_a_pattern_can_ask_at_the_target_itself() -> None:
    assert apply_pattern("T", USAGE) == (USAGE, False)


@pytest.mark.parametrize("pattern", ["", "T T", "a T", "_ and _", "and"])
def test_a_pattern_that_does_not_ask_once_is_refused(pattern: str) -> None:
    with pytest.raises(InputError, match="write _ once"):
        check_pattern(pattern)

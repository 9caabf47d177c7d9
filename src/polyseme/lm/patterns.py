"""Patterns in place of a target, so that a language model answers with words like it.

A masked target alone says little: *he paid no _ to it* leaves open which word it was. A pattern keeps the target and
asks for a second word beside it, as *interest and _* (Hearst 1992; Amrami & Goldberg 2018, 2019).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from polyseme.errors import InputError, quote_value
from polyseme.usage import Usage

TARGET_MARK, MASK_MARK = "T", "_"
_PLACEHOLDERS = re.compile(rf"\b{TARGET_MARK}\b|{MASK_MARK}")


class PatternUsage(NamedTuple):
    """A usage whose target is the word to predict, and whether the model sees the target or a mask."""

    usage: Usage
    masked: bool


def check_pattern(pattern: str) -> None:
    """Check that a pattern asks for one word.

    Raises:
        InputError: It asks for none, or for several.

    >>> check_pattern("T and")
    Traceback (most recent call last):
    ...
    polyseme.errors.InputError: the pattern 'T and' asks for nothing; write _ once, as in 'T and _', or T alone
    """
    masks = pattern.count(MASK_MARK)
    if masks != 1 and pattern != TARGET_MARK:
        problem = "asks for nothing" if masks == 0 else "asks more than once"
        raise InputError(f"the pattern {quote_value(pattern)} {problem}; write _ once, as in 'T and _', or T alone")


def apply_pattern(pattern: str, usage: Usage) -> PatternUsage:
    """Replace the target of a usage by a pattern.

    >>> query = apply_pattern("T (or even _)", Usage("u", "bank.n", "The bank lends.", 4, 8))
    >>> query.usage.text, query.usage.target, query.masked
    ('The bank (or even _) lends.', '_', True)
    """
    if pattern == TARGET_MARK:
        return PatternUsage(usage, masked=False)
    before, after = (_PLACEHOLDERS.sub(lambda _: usage.target, part) for part in pattern.split(MASK_MARK))
    text = f"{usage.left}{before}{MASK_MARK}{after}{usage.right}"
    start = usage.start + len(before)
    return PatternUsage(replace(usage, text=text, start=start, end=start + len(MASK_MARK)), masked=True)

"""What a language model is asked with in place of a target, so that it answers with words like it.

A masked target alone says little: *he paid no _ to it* leaves it open which word stood there. A pattern keeps the
target and asks for a second word beside it, as *interest and _* (Hearst 1992; Amrami & Goldberg 2018, 2019).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from polyseme.errors import InputError, shown
from polyseme.usage import Usage

TARGET, MASK = "T", "_"
_PLACES = re.compile(rf"\b{TARGET}\b|{MASK}")


class Posed(NamedTuple):
    """A usage whose target is what the model is asked for; ``masked`` says whether it is hidden from it."""

    usage: Usage
    masked: bool


def check_pattern(pattern: str) -> None:
    """An error if a pattern asks for nothing, or twice.

    >>> check_pattern("T and")
    Traceback (most recent call last):
    ...
    polyseme.errors.InputError: the pattern 'T and' asks for nothing; write _ once, as in 'T and _', or T alone
    """
    masks = pattern.count(MASK)
    if masks != 1 and pattern != TARGET:
        problem = "asks for nothing" if masks == 0 else "asks more than once"
        raise InputError(f"the pattern {shown(pattern)} {problem}; write _ once, as in 'T and _', or T alone")


def pose(pattern: str, usage: Usage) -> Posed:
    """The usage with a pattern in place of its target.

    >>> posed = pose("T (or even _)", Usage("u", "bank.n", "The bank lends.", 4, 8))
    >>> posed.usage.text, posed.usage.target, posed.masked
    ('The bank (or even _) lends.', '_', True)
    """
    if pattern == TARGET:
        return Posed(usage, masked=False)
    before, after = (_PLACES.sub(lambda _: usage.target, part) for part in pattern.split(MASK))
    text = f"{usage.left}{before}{MASK}{after}{usage.right}"
    start = usage.start + len(before)
    return Posed(replace(usage, text=text, start=start, end=start + len(MASK)), masked=True)

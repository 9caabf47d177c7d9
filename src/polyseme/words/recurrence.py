"""Recurrence of senses: how often a sense is found again in random halves of the usages."""

from __future__ import annotations

from polyseme.inventory import Sense
from polyseme.words.findings import format_percent

UNSURE = 0.5
"""A sense that recurs in a smaller share of the halves is unsure."""


def is_unsure(sense: Sense) -> bool:
    """Whether a sense is unsure: it recurs in less than half of the halves.

    >>> [is_unsure(Sense("bank.n.s1", "bank.n", recurrence=share)) for share in (0.3, 0.5, None)]
    [True, False, False]
    """
    return sense.recurrence is not None and sense.recurrence < UNSURE


def state_recurrence(sense: Sense) -> str:
    """State how often a sense recurs; empty if that is unknown.

    >>> state_recurrence(Sense("bank.n.s1", "bank.n", recurrence=0.85))
    'recurs in 85% of random halves'
    """
    return "" if sense.recurrence is None else f"recurs in {format_percent(sense.recurrence)} of random halves"


def explain_unsure(sense: Sense) -> str:
    """Explain why a sense is unsure; empty if it is not.

    >>> explain_unsure(Sense("bank.n.s1", "bank.n", recurrence=0.3))
    'Unsure: of random halves of the usages, only 30% have this sense again.'
    """
    if sense.recurrence is None or not is_unsure(sense):
        return ""
    return f"Unsure: of random halves of the usages, only {format_percent(sense.recurrence)} have this sense again."

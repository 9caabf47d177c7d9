"""WordNet's sense keys, as data sets name senses: ``win%2:33:00::``."""

from __future__ import annotations

import re

POS_BY_SYNSET_TYPE = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
"""What the number after the percent sign says; 5 are satellites, which are adjectives."""

SENSE_KEY = re.compile(r"(?!\ufeff)([^%\s\0]+)%([1-5]):[0-9]{2}:[0-9]{2}:(?:[^:%\s\0]+:[0-9]{2}|:)")
"""A sense key, with its word and its number."""


def lemma_from_sense_key(key: str) -> str | None:
    """The lemma of a sense key; nothing for what is no sense key.

    >>> lemma_from_sense_key("win%2:33:00::"), lemma_from_sense_key("late%5:00:00:past:00"), lemma_from_sense_key("win.v.1")
    ('win.v', 'late.a', None)
    """
    found = SENSE_KEY.fullmatch(key)
    return f"{found[1]}.{POS_BY_SYNSET_TYPE[found[2]]}" if found else None

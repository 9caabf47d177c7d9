"""Sense keys of WordNet, by which data sets name senses: ``win%2:33:00::``."""

from __future__ import annotations

import re

from polyseme.lemma import SYNSET_TYPES, wordnet_pos

POS_BY_SYNSET_TYPE = {str(number): wordnet_pos(letter) for letter, number in SYNSET_TYPES.items()}
"""Number after the percent sign → part of speech; 5 is a satellite, which is an adjective."""

SENSE_KEY = re.compile(r"(?!\ufeff)([^%\s\0]+)%([1-5]):[0-9]{2}:[0-9]{2}:(?:[^:%\s\0]+:[0-9]{2}|:)")
"""A sense key, with its word and its number."""


def lemma_from_sense_key(key: str) -> str | None:
    """Return the lemma of a sense key; ``None`` if it is not a sense key.

    >>> [lemma_from_sense_key(key) for key in ("win%2:33:00::", "late%5:00:00:past:00", "win.v.1")]
    ['win.v', 'late.a', None]
    """
    match = SENSE_KEY.fullmatch(key)
    return f"{match[1]}.{POS_BY_SYNSET_TYPE[match[2]]}" if match else None

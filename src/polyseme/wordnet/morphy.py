"""Looking a form up as WordNet's *morphy* does (morphy(7WN)): first as a whole, then word by word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from polyseme import morphology
from polyseme.wordnet.exceptions import Exceptions

Candidates = Callable[[str], tuple[str, ...]]
"""The lemmas that a form may belong to by some rules, words or not."""
IsWord = Callable[[str], bool]


def morphy(form: str, pos: str, exceptions: Exceptions | None, is_word: IsWord) -> tuple[str, ...]:
    """Of the lemmas that a form may belong to, those that are words; its own words are joined by underscores.

    Without exceptions (``None``), irregular forms and rules are those of :func:`polyseme.morphology.lemmas`.

    >>> morphy("attorneys_general", "n", {}, {"attorney", "attorney_general"}.__contains__)
    ('attorney_general',)
    """
    candidates: Candidates = partial(morphology.lemmas, pos=pos)
    if exceptions is not None:
        candidates = partial(morphology.candidates, pos=pos, exceptions=exceptions)
    whole = tuple(filter(is_word, candidates(form)))
    if whole or form in (exceptions or ()):
        return whole
    return tuple(filter(is_word, dict.fromkeys(_by_words(form, candidates, is_word))))


def _by_words(form: str, candidates: Candidates, is_word: IsWord) -> Iterator[str]:
    """A form of several words with each of them changed that has a lemma; then with one of them changed."""
    parts = re.split("([_-])", form)
    if len(parts) > 1:
        others = [[lemma for lemma in candidates(part) if lemma != part] for part in parts]
        yield "".join(next(filter(is_word, found), part) for found, part in zip(others, parts, strict=True))
        for place, found in enumerate(others):
            yield from ("".join([*parts[:place], lemma, *parts[place + 1 :]]) for lemma in found)

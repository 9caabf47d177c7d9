"""Looking a form up as WordNet's *morphy* does (morphy(7WN)): first as a whole, then word by word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from polyseme import morphology
from polyseme.wordnet.exceptions import ExceptionList

LemmaCandidates = Callable[[str], tuple[str, ...]]
"""The lemmas that a form may belong to by some rules, words or not."""
WordTest = Callable[[str], bool]


def look_up_lemmas(form: str, pos: str, exceptions: ExceptionList | None, is_word: WordTest) -> tuple[str, ...]:
    """Of the lemmas that a form may belong to, those that are words; its own words are joined by underscores.

    Without exceptions (``None``), irregular forms and rules are those of :func:`polyseme.morphology.possible_lemmas`.

    >>> look_up_lemmas("attorneys_general", "n", {}, {"attorney", "attorney_general"}.__contains__)
    ('attorney_general',)
    """
    candidates: LemmaCandidates = partial(morphology.possible_lemmas, pos=pos)
    if exceptions is not None:
        candidates = partial(morphology.wordnet_candidates, pos=pos, exceptions=exceptions)
    whole = tuple(filter(is_word, candidates(form)))
    if whole or form in (exceptions or ()):
        return whole
    return tuple(filter(is_word, dict.fromkeys(_change_words(form, candidates, is_word))))


def _change_words(form: str, candidates: LemmaCandidates, is_word: WordTest) -> Iterator[str]:
    """A form of several words with each of them changed that has a lemma; then with one of them changed."""
    parts = re.split("([_-])", form)
    if len(parts) > 1:
        others = [[lemma for lemma in candidates(part) if lemma != part] for part in parts]
        yield "".join(next(filter(is_word, found), part) for found, part in zip(others, parts, strict=True))
        for place, found in enumerate(others):
            yield from ("".join([*parts[:place], lemma, *parts[place + 1 :]]) for lemma in found)

"""The lemmas of a form as WordNet's *morphy* finds them (morphy(7WN)): first of the whole form, then word by word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from polyseme import morphology
from polyseme.wordnet.exceptions import ExceptionList

LemmaCandidates = Callable[[str], tuple[str, ...]]
"""A function from a form to its possible lemmas, which need not be words."""
WordTest = Callable[[str], bool]


def look_up_lemmas(form: str, pos: str, exceptions: ExceptionList | None, is_word: WordTest) -> tuple[str, ...]:
    """Return the possible lemmas of a form that are words.

    Args:
        form: The form; underscores join its words.
        pos: The part of speech.
        exceptions: The list of irregular forms; ``None`` for the rules of :func:`polyseme.morphology.possible_lemmas`.
        is_word: Whether a lemma is a word.

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
    """Yield a form of several words with the lemma of each word, and then with the lemma of one word."""
    parts = re.split("([_-])", form)
    if len(parts) > 1:
        lemmas_by_part = [[lemma for lemma in candidates(part) if lemma != part] for part in parts]
        yield "".join(next(filter(is_word, lemmas), part) for lemmas, part in zip(lemmas_by_part, parts, strict=True))
        for index, lemmas in enumerate(lemmas_by_part):
            yield from ("".join([*parts[:index], lemma, *parts[index + 1 :]]) for lemma in lemmas)

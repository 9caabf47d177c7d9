"""Collocates of senses: words that occur with one sense more than with the others."""

from __future__ import annotations

from polyseme.corpus.passages import analyse_passages
from polyseme.corpus.simple_analyser import Simple
from polyseme.induction.sense_descriptions import describe_senses
from polyseme.lemma import strip_pos
from polyseme.words.profile import WordProfile

LEAST_ASSOCIATION = 10.83
"""The G² of a word with a sense that chance reaches once in a thousand cases (χ² with one degree of freedom)."""


def find_collocates(profile: WordProfile, count: int = 8) -> dict[str, tuple[str, ...]]:
    """Find the collocates of each sense, by G² (Dunning 1993); a word with one sense has none.

    Args:
        profile: The word.
        count: The number of collocates of a sense, at most.

    Returns:
        The collocates of each sense, the most strongly associated first.
    """
    if len(profile.senses) < 2:
        return {sense.id: () for sense in profile.senses}
    [passages] = analyse_passages(profile.usages, Simple(), processes=1).values()
    target = strip_pos(profile.lemma)
    collocates = {}
    for sense, words in zip(profile.senses, describe_senses(passages, profile.weights), strict=True):
        clear = (word for word, association in words.items() if association >= LEAST_ASSOCIATION and word != target)
        collocates[sense.id] = tuple(clear)[:count]
    return collocates

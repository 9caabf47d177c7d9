"""The inducers that are offered, and any other that somebody names."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from polyseme.corpus.index import Index
from polyseme.experiment.run import resolved
from polyseme.experiment.usual import READ, SUBSTITUTES, by_language_model, is_english, missing
from polyseme.parts import brief, build, moved

MOST = 2000
"""So many usages of a word are looked at, drawn at random; a language model reads some of these."""


class Offered(NamedTuple):
    """An inducer, and what it does, in few words."""

    specification: str
    words: str


QUICK = (
    "Pipeline(represent=SVD(of=Bag(minimum=3, pos='nva', positions=2, weighting='tfidf'), dimensions=60),"
    " cluster=KMeans(restarts=5, metric='cosine'), number=6, grade=Top(Softmax(temperature=0.08), 3), sentences=1)"
)
"""Usages with similar words around them, and similar words next to them, in six clusters."""

OFFERED = (
    Offered(SUBSTITUTES, "What could be said instead"),
    Offered(QUICK, "Groups of contexts"),
    Offered("MultiPrototype(clusters=8, most=2000)", "Prototypes"),
    Offered("Unimelb(most=1000, iterations=200)", "Topics"),
    Offered("Squares()", "A graph of words, cut where it is thin"),
    Offered("UoY()", "A graph of nouns and pairs of nouns"),
)
"""What a page lists."""


def offered_for(index: Index) -> tuple[Offered, ...]:
    """What can be used with an index; the first is what is taken if nothing is chosen.

    Our language model reads English only, and may not be installed.
    """
    return OFFERED if is_english(index) and missing() is None else OFFERED[1:]


def called(text: str) -> str:
    """What a model is called on a page: what it does, if it is one that is offered, else its specification.

    >>> called("UoY()"), called("UoY(p1=10)")
    ('A graph of nouns and pairs of nouns', 'UoY(p1=10)')
    """
    made = specified(text)
    return next((each.words for each in OFFERED if specified(each.specification) == made), brief(made))


@lru_cache(maxsize=256)
def specified(text: str) -> Any:
    """The inducer that a text names. An error says what is wrong with it."""
    return build(text, "inducer")


def is_offered(text: str, offered: Iterable[Offered]) -> bool:
    """Whether a text is one of the offered models, as the list has it or in full; it is not built to find out.

    >>> is_offered("UoY()", OFFERED), is_offered("UoY(p1=10)", OFFERED), is_offered("UoY()", OFFERED[:1])
    (True, False, False)
    """
    known = (each.specification for each in offered)
    return any(text in (each, repr(specified(each))) for each in known)


def looked_at_by(text: str) -> int:
    """How many usages of a word are looked at, at most, by the inducer that a text names.

    >>> looked_at_by("UoY()"), looked_at_by("Substitution()")
    (2000, 200)
    """
    return READ if by_language_model(specified(text)) else MOST


def in_full(text: str) -> str:
    """The specification of the inducer that a text names, with all options, and with folders in full.

    What is kept of a model must not be taken for that of a folder with the same name elsewhere.
    """
    return repr(moved(specified(text), resolved))

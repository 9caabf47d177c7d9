"""The inducers that are offered, and any other that somebody names."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from polyseme.experiment.run import resolved
from polyseme.parts import brief, build, moved


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
    Offered(QUICK, "Groups of contexts"),
    Offered("MultiPrototype(clusters=8, most=2000)", "Prototypes"),
    Offered("Unimelb(most=1000, iterations=200)", "Topics"),
    Offered("Squares()", "A graph of words, cut where it is thin"),
    Offered("UoY()", "A graph of nouns and pairs of nouns"),
)
"""What a page lists; the first is what is taken if nothing is chosen."""


def called(text: str) -> str:
    """What a model is called on a page: what it does, if it is one that is offered, else its specification.

    >>> called("UoY()"), called("UoY(p1=10)")
    ('A graph of nouns and pairs of nouns', 'UoY(p1=10)')
    """
    made = specified(text)
    return next((each.words for each in OFFERED if specified(each.specification) == made), brief(made))


@lru_cache(maxsize=256)
def specified(text: str) -> Any:
    """The inducer that a text names: the first that is offered, if it is empty. An error says what is wrong with it."""
    return build(text or OFFERED[0].specification, "inducer")


def is_offered(text: str) -> bool:
    """Whether a text is one of the offered models, as the list has it or in full; it is not built to find out.

    >>> is_offered(""), is_offered("UoY()"), is_offered("UoY(p1=10)")
    (True, True, False)
    """
    known = (each.specification for each in OFFERED)
    return not text or any(text in (each, repr(specified(each))) for each in known)


def in_full(text: str) -> str:
    """The specification of the inducer that a text names, with all options, and with folders in full.

    What is kept of a model must not be taken for that of a folder with the same name elsewhere.
    """
    return repr(moved(specified(text), resolved))

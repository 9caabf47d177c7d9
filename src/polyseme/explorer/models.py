"""The inducers that are offered, and any other that somebody names."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from polyseme.corpus.index import Index
from polyseme.induction.defaults import (
    READ_USAGES,
    SUBSTITUTE_INDUCER,
    is_english,
    missing_small_model,
    uses_language_model,
)
from polyseme.parts import build, resolve_folders, short_specification

SAMPLED_USAGES = 2000
"""So many usages of a word are looked at, drawn at random; a language model reads some of these."""


class OfferedModel(NamedTuple):
    """An inducer, and what it does, in few words."""

    specification: str
    words: str


CONTEXT_CLUSTERS = (
    "Pipeline(represent=SVD(of=Bag(minimum=3, pos='nva', positions=2, weighting='tfidf'), dimensions=60),"
    " cluster=KMeans(restarts=5, metric='cosine'), number=6, grade=Top(Softmax(temperature=0.08), 3), sentences=1)"
)
"""Usages with similar words around them, and similar words next to them, in six clusters."""

OFFERED_MODELS = (
    OfferedModel(SUBSTITUTE_INDUCER, "What could be said instead"),
    OfferedModel(CONTEXT_CLUSTERS, "Groups of contexts"),
    OfferedModel("MultiPrototype(clusters=8, most=2000)", "Prototypes"),
    OfferedModel("Unimelb(most=1000, iterations=200)", "Topics"),
    OfferedModel("Squares()", "A graph of words, cut where it is thin"),
    OfferedModel("UoY()", "A graph of nouns and pairs of nouns"),
)
"""What a page lists."""


def models_for_index(index: Index) -> tuple[OfferedModel, ...]:
    """What can be used with an index; the first is what is taken if nothing is chosen.

    Our language model reads English only, and may not be installed.
    """
    return OFFERED_MODELS if is_english(index) and missing_small_model() is None else OFFERED_MODELS[1:]


def model_title(text: str) -> str:
    """What a model is called on a page: what it does, if it is one that is offered, else its specification.

    >>> model_title("UoY()"), model_title("UoY(p1=10)")
    ('A graph of nouns and pairs of nouns', 'UoY(p1=10)')
    """
    made = build_inducer(text)
    return next(
        (each.words for each in OFFERED_MODELS if build_inducer(each.specification) == made), short_specification(made)
    )


@lru_cache(maxsize=256)
def build_inducer(text: str) -> Any:
    """The inducer that a text names. An error says what is wrong with it."""
    return build(text, "inducer")


def is_offered(text: str, offered: Iterable[OfferedModel]) -> bool:
    """Whether a text is one of the offered models, as the list has it or in full; it is not built to find out.

    >>> is_offered("UoY()", OFFERED_MODELS), is_offered("UoY(p1=10)", OFFERED_MODELS), is_offered("UoY()", OFFERED_MODELS[:1])
    (True, False, False)
    """
    known = (each.specification for each in offered)
    return any(text in (each, repr(build_inducer(each))) for each in known)


def usage_limit(text: str) -> int:
    """How many usages of a word are looked at, at most, by the inducer that a text names.

    >>> usage_limit("UoY()"), usage_limit("Substitution()")
    (2000, 200)
    """
    return READ_USAGES if uses_language_model(build_inducer(text)) else SAMPLED_USAGES


def full_specification(text: str) -> str:
    """The specification of the inducer that a text names, with all options, and with folders in full.

    What is kept of a model must not be taken for that of a folder with the same name elsewhere.
    """
    return repr(resolve_folders(build_inducer(text)))

"""The models of the explorer: those that are offered, and any other that a user specifies."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, NamedTuple

from polyseme.corpus.index import Index
from polyseme.explorer.fineness import list_steps, state_difference
from polyseme.induction.defaults import (
    CONTEXT_INDUCER,
    SUBSTITUTE_INDUCER,
    default_usage_limit,
    is_english,
    missing_small_model,
)
from polyseme.parts import build, resolve_folders, short_specification

SAMPLED_USAGES = 2000
"""The size of the random sample of usages of a word; a language model reads some of these."""


class OfferedModel(NamedTuple):
    """The specification of an inducer, and a short title."""

    specification: str
    title: str


OFFERED_MODELS = (
    OfferedModel(SUBSTITUTE_INDUCER, "Substitutes (small model)"),
    OfferedModel(CONTEXT_INDUCER, "Context clusters"),
    OfferedModel("MultiPrototype(clusters=8, most=2000)", "Context clusters (eight senses)"),
    OfferedModel("Unimelb(most=1000, iterations=200)", "Topic model"),
    OfferedModel("Squares()", "Groups of linked words"),
    OfferedModel("UoY()", "Groups of linked nouns"),
)
"""The models that a page lists."""


def models_for_index(index: Index) -> tuple[OfferedModel, ...]:
    """The models for an index, default first; the small language model must be installed and reads English only."""
    return OFFERED_MODELS if is_english(index) and missing_small_model() is None else OFFERED_MODELS[1:]


def model_title(specification: str) -> str:
    """The title of a model: that of an offered model, also if it is coarser or finer; otherwise its specification.

    >>> model_title("UoY()"), model_title("UoY(p1=10)"), model_title("Substitution(probability=0.5)")
    ('Groups of linked nouns', 'UoY(p1=10)', 'Substitutes (small model), finer: .50')
    """
    inducer = build_inducer(specification)
    for model in OFFERED_MODELS:
        offered = build_inducer(model.specification)
        if inducer == offered:
            return model.title
        if difference := state_difference(inducer, offered):
            return f"{model.title}, {difference}"
    return short_specification(inducer)


@lru_cache(maxsize=256)
def build_inducer(specification: str) -> Any:
    """Build an inducer.

    Raises:
        InputError: The specification is wrong.
    """
    return build(specification, "inducer")


def is_offered(specification: str, offered: Iterable[OfferedModel]) -> bool:
    """Whether a specification is that of an offered model, in short or in full, or one that is a step coarser or finer.

    It is not built for this.

    >>> is_offered("UoY()", OFFERED_MODELS), is_offered("UoY(p1=10)", OFFERED_MODELS)
    (True, False)
    >>> is_offered("Substitution(probability=0.5)", OFFERED_MODELS)
    True
    """
    return any(specification in _spell_variants(model.specification) for model in offered)


@cache
def _spell_variants(specification: str) -> frozenset[str]:
    """An offered model and those that are coarser or finer, in short and in full."""
    variants = [specification, *list_steps(build_inducer(specification))]
    return frozenset([*variants, *(repr(build_inducer(variant)) for variant in variants)])


def usage_limit(specification: str) -> int:
    """The number of usages of a word that an inducer reads, at most.

    >>> usage_limit("UoY()"), usage_limit("Substitution()")
    (2000, 300)
    """
    return default_usage_limit(build_inducer(specification)) or SAMPLED_USAGES


def full_specification(specification: str) -> str:
    """The specification of an inducer with all options, and with absolute paths of folders.

    The cache must not confuse models in folders with the same relative path.
    """
    return repr(resolve_folders(build_inducer(specification)))

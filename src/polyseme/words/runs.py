"""Repeated runs of a model on one word, for measuring how certain its senses are."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from polyseme.corpus.index import Index
from polyseme.induction.defaults import get_inducer, is_fitted, uses_language_model
from polyseme.induction.inducer import clusters_labelled_usages
from polyseme.parts import rebuild
from polyseme.usage import Usage
from polyseme.words.index_profiles import profile_in_index, sample_passages
from polyseme.words.profile import WordProfile, profile_usages

FEWEST_HALVED = 20
"""Fewer usages are not halved, as the agreement of runs on a handful of usages means nothing."""

ONE_RUN = "Certainty is unknown, as the model was run once."
ONE_SEED = "Certainty is unknown: the model is stochastic and was run with one seed only."
DETERMINISTIC = (
    "The model is deterministic: it always gives the same senses for the same usages. This does not make them right."
)
ON_HALVES = "The first run used all these usages; each other run used a random half of them."
TOO_FEW_USAGES = (
    f"Certainty is unknown: there are fewer than {FEWEST_HALVED} usages, too few to run the model on halves of them."
)
NO_SHARED_USAGES = "Certainty is unknown: the runs have fewer than two labelled usages in common."
SAVED_MODEL = (
    "The first run is the saved model, which may have been fitted on other texts. The other runs were fitted on this"
    " index with other seeds."
)


def profile_runs(
    index: Index, lemma: str, inducer_or_model: Any, seeds: int = 3, *, limit: int | None = None
) -> list[WordProfile]:
    """Profile a word by several runs of a model; the first run is the one to report.

    A model that clusters the usages it labels is run on random halves of them. Another stochastic model is run with
    several seeds. A deterministic model is run once.

    Args:
        index: The index.
        lemma: The lemma.
        inducer_or_model: An inducer, or a fitted model.
        seeds: The number of runs.
        limit: Label a random sample of this many usages; by default, all.
    """
    inducer, fitted = get_inducer(inducer_or_model), is_fitted(inducer_or_model)
    halved = clusters_labelled_usages(inducer)
    variants = [inducer] if halved else seed_variants(inducer, seeds)
    others = [variant for variant in variants if variant != inducer][: seeds - 1] if fitted else variants
    profiles = [profile_in_index(index, inducer_or_model, lemma, limit=limit)] if fitted else []
    # The usages that are clustered are those that are reported: a language model would read another sample, too.
    sampled = halved or (others and uses_language_model(inducer))
    usages = sample_passages(index, lemma, limit=limit).usages if sampled else None
    for variant in others:
        if usages is None:
            profiles.append(profile_in_index(index, variant.fit(index, [lemma], processes=1), lemma, limit=limit))
        else:
            profiles.append(profile_usages(variant.fit(index, [lemma], usages=usages, processes=1), lemma, usages))
    if usages is not None and describe_runs(inducer_or_model, seeds, len(usages)) == ON_HALVES:
        halves = (_sample_half(usages, seed) for seed in range(1, seeds))
        models = (inducer.fit(index, [lemma], usages=half, processes=1) for half in halves)
        profiles += [profile_usages(model, lemma, usages) for model in models]
    return profiles


def describe_runs(inducer_or_model: Any, seeds: int, usages: int) -> str:
    """A sentence on the runs of :func:`profile_runs`: why there is only one, or how they differ.

    Args:
        inducer_or_model: An inducer, or a fitted model.
        seeds: The number of runs.
        usages: The number of usages.
    """
    inducer = get_inducer(inducer_or_model)
    if seeds > 1 and clusters_labelled_usages(inducer):
        return ON_HALVES if usages >= FEWEST_HALVED else TOO_FEW_USAGES
    if len(seed_variants(inducer, 2)) == 1:
        return DETERMINISTIC
    if seeds == 1:
        return ONE_SEED
    return SAVED_MODEL if is_fitted(inducer_or_model) else ""


def _sample_half(usages: Sequence[Usage], seed: int) -> list[Usage]:
    """A random half of the usages, in their order."""
    rows = np.random.default_rng(seed).permutation(len(usages))[: -(-len(usages) // 2)]
    return [usages[row] for row in np.sort(rows).tolist()]


def seed_variants(part: Any, seeds: int) -> list[Any]:
    """Build one variant of a part for each random seed.

    Args:
        part: An inducer or a disambiguator; the parts in it get the seed, too.
        seeds: The number of variants.

    Returns:
        The variants, or the part itself if it is deterministic or if one seed is enough.

    >>> from polyseme.parts import build
    >>> seed_variants(build("Squares"), 3) == [build("Squares")], len(seed_variants(build("Unimelb"), 3))
    (True, 3)
    """

    def with_seed(seed: int) -> Any:
        return rebuild(part, lambda inner: {o.name: seed for o in dataclasses.fields(inner) if o.name == "seed"})

    first, second = (_steps(with_seed(seed)) for seed in (0, 1))
    return [part] if seeds == 1 or first == second else [with_seed(seed) for seed in range(seeds)]


def _steps(part: Any) -> Any:
    """Return the steps of an inducer, which need not use its seed; other parts stay as they are."""
    return part.steps() if hasattr(part, "steps") else part

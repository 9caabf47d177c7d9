"""How the ratings of several annotators become one value for each item."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter
from typing import Protocol, runtime_checkable

import numpy as np

from polyseme.agreement.judgements import Judgements
from polyseme.arrays import Floats, run_starts
from polyseme.errors import InputError
from polyseme.gold.choices import are_choices, modal_choices
from polyseme.gold.dawid_skene import DawidSkene
from polyseme.gold.estimates import ItemEstimates
from polyseme.gold.graded_response import GradedResponse


@runtime_checkable
class AnnotatorModel(Protocol):
    """Estimates the true values of items, and how reliable each annotator is."""

    def fit(self, judgements: Judgements) -> ItemEstimates:
        """Estimate values of items and figures of annotators."""
        ...


def item_medians(judgements: Judgements) -> Floats:
    """Compute the median of each item; NaN if no annotator decided.

    >>> from polyseme.agreement.judgements import collect_judgements
    >>> from polyseme.rating import Rating, Ratings
    >>> rows = [Rating(name, "WSsim", "win.v", "u", "a", value) for name, value in [("ann", 1), ("bob", 4), ("cy", 5)]]
    >>> item_medians(collect_judgements(Ratings(rows))).tolist()
    [4.0]
    """
    value = judgements.value[np.lexsort((judgements.value, judgements.item))]
    sizes, medians = judgements.judged, np.full(len(judgements.items), np.nan)
    decided = sizes > 0
    start, last = run_starts(sizes)[decided], sizes[decided] - 1
    medians[decided] = (value[start + last // 2] + value[start + (last + 1) // 2]) / 2
    return medians


def item_modes(judgements: Judgements) -> Floats:
    """Return the most frequent value of each item; of several the highest, as in the trial data of Task 13."""
    levels, modes = max(1, len(judgements.levels)), np.full(len(judgements.items), np.nan)
    pairs, counts = np.unique(judgements.item * levels + judgements.level, return_counts=True)
    order = pairs[np.lexsort((pairs, counts, pairs // levels))]
    modes[order // levels] = judgements.levels[order % levels]  # the last value of an item stays
    return modes


Combination = Callable[[Judgements], Floats]

COMBINATIONS: dict[str, Combination] = {"mean": attrgetter("means"), "median": item_medians, "mode": item_modes}
"""The rules that combine the ratings of several annotators."""

MODEL_RULE = "model"
"""Stands for :class:`GradedResponse`, or, if annotators choose, for :class:`DawidSkene`."""


def check_combination(combine: object) -> None:
    """Check that this is the name of a rule, or a model of annotators.

    Raises:
        InputError: It is neither.
    """
    if isinstance(combine, AnnotatorModel) or combine == MODEL_RULE or combine in COMBINATIONS:
        return
    names = ", ".join([*COMBINATIONS, MODEL_RULE])
    raise InputError(f"combine {combine!r} is not known; allowed are {names}, or a part such as GradedResponse()")


def select_annotator_model(combine: str | AnnotatorModel, judgements: Judgements) -> AnnotatorModel | None:
    """Return the model of annotators for these judgements; ``None`` for a rule."""
    if not isinstance(combine, str):
        return combine
    if combine != MODEL_RULE:
        return None
    return DawidSkene() if are_choices(judgements) else GradedResponse()


def combine_ratings(combine: str | AnnotatorModel, judgements: Judgements) -> ItemEstimates:
    """Combine the ratings of each item by a rule or a model; NaN if no annotator decided."""
    if model := select_annotator_model(combine, judgements):
        return replace(model.fit(judgements), model=repr(model))
    assert isinstance(combine, str), "a rule has a name"
    by_mode = combine == "mode" and are_choices(judgements)
    values = modal_choices(judgements) if by_mode else COMBINATIONS[combine](judgements)
    return ItemEstimates(values, np.full(len(values), np.nan), ())

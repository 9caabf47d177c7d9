"""How the ratings of several annotators become one for each item."""

from __future__ import annotations

from collections.abc import Callable
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
    """What estimates the items' true values, and says how far each annotator can be relied on."""

    def fit(self, judgements: Judgements) -> ItemEstimates:
        """The values of the items, and what was learnt of the annotators."""
        ...


def item_means(judgements: Judgements) -> Floats:
    """The arithmetic mean of each item."""
    return judgements.means


def item_medians(judgements: Judgements) -> Floats:
    """The middle one of the values of each item, or the mean of the two middle ones.

    >>> from polyseme.agreement.judgements import collect_judgements
    >>> from polyseme.rating import Rating, Ratings
    >>> rows = [Rating(who, "WSsim", "win.v", "u", "a", value) for who, value in [("ann", 1), ("bob", 4), ("cy", 5)]]
    >>> item_medians(collect_judgements(Ratings(rows))).tolist()
    [4.0]
    """
    value = judgements.value[np.lexsort((judgements.value, judgements.item))]
    sizes = judgements.judged
    decided = sizes > 0
    start = run_starts(sizes)[decided]
    low, high = start + (sizes[decided] - 1) // 2, start + sizes[decided] // 2
    return _fill_undecided(decided, (value[low] + value[high]) / 2)


def item_modes(judgements: Judgements) -> Floats:
    """The most frequent value of each item; of several the highest, as in the trial data of SemEval-2013 Task 13."""
    levels = len(judgements.levels)
    pairs, counts = np.unique(judgements.item * max(1, levels) + judgements.level, return_counts=True)
    order = np.lexsort((pairs, counts, pairs // max(1, levels)))
    decided = judgements.judged > 0
    last = np.flatnonzero(np.append(np.diff(pairs[order] // max(1, levels)) > 0, np.ones(min(1, len(pairs)), bool)))
    return _fill_undecided(decided, judgements.levels[pairs[order[last]] % max(1, levels)])


def _fill_undecided(decided: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], values: Floats) -> Floats:
    """The values of the items that somebody decided, not a number for the others."""
    made = np.full(len(decided), np.nan)
    made[decided] = values
    return made


COMBINATIONS: dict[str, Callable[[Judgements], Floats]] = {
    "mean": item_means,
    "median": item_medians,
    "mode": item_modes,
}
"""How the ratings of several annotators become one."""

MODEL_RULE = "model"
"""Stands for :class:`GradedResponse`, or, where people choose, for :class:`DawidSkene`."""


def check_combination(given: object) -> None:
    """An error unless this is a rule, by name, or a model of annotators."""
    if isinstance(given, AnnotatorModel) or given == MODEL_RULE or given in COMBINATIONS:
        return
    raise InputError(
        f"combine {given!r} is not known; allowed are {', '.join(COMBINATIONS)}, {MODEL_RULE}, or a part such as"
        " GradedResponse()"
    )


def select_annotator_model(combine: str | AnnotatorModel, judgements: Judgements) -> AnnotatorModel | None:
    """The model of annotators that is meant for these judgements; none if it is a rule."""
    if isinstance(combine, str):
        usual: AnnotatorModel = DawidSkene() if are_choices(judgements) else GradedResponse()
        return usual if combine == MODEL_RULE else None
    return combine


def combine_ratings(combine: str, judgements: Judgements) -> Floats:
    """One value for each item by a rule; not a number for one that nobody decided."""
    choosing = {"mode": modal_choices} if are_choices(judgements) else {}
    return {**COMBINATIONS, **choosing}[combine](judgements)

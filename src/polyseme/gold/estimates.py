"""What a model of annotators estimates, and which judgements it can be fitted to."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from polyseme.agreement.judgements import Judgements
from polyseme.arrays import Bools, Floats, Ints, count_at
from polyseme.errors import count_noun

MIN_ANNOTATORS = 3
"""If two annotators differ, nothing shows which of them is right."""

Z_95 = 1.96
"""An interval of this many standard errors to either side covers 95 %."""


class AnnotatorFigure(NamedTuple):
    """A figure of an annotator, with an interval that covers the true one about 95 times in 100."""

    value: float
    low: float
    high: float


class AnnotatorEstimate(NamedTuple):
    """What a model estimates of an annotator.

    Args:
        name: The annotator.
        judgements: How many judgements the annotator made.
        figures: The estimated figures, by name.
        reason: Why there are no figures.
    """

    name: str
    judgements: int
    figures: Mapping[str, AnnotatorFigure]
    reason: str = ""


@dataclass(frozen=True, eq=False)
class ItemEstimates:
    """The estimated value of each item, and the annotators.

    Args:
        value: The values, on the scale of the ratings.
        error: The standard deviation of each value given the judgements; NaN for a plain mean.
        annotators: The annotators; none for a rule.
        rounds: How many rounds the model was fitted.
        settled: Whether it converged.
        notes: What could not be estimated, in words.
        model: The specification of the model; empty for a rule.
    """

    value: Floats
    error: Floats
    annotators: tuple[AnnotatorEstimate, ...]
    rounds: int = 0
    settled: bool = True
    notes: tuple[str, ...] = ()
    model: str = ""


class AnnotatorGroups(NamedTuple):
    """Groups of annotators who share items, directly or through others; ratings of two groups cannot be compared.

    Args:
        group: The number of each annotator's group.
        sizes: How many annotators each group has.
    """

    group: Ints
    sizes: Ints

    @property
    def can_be_fitted(self) -> Bools:
        """Whether each annotator's group is large enough to estimate who differs from whom."""
        return np.asarray(self.sizes[self.group] >= MIN_ANNOTATORS)

    def reason(self, annotator: int, judged: int) -> str:
        """Explain why nothing can be estimated of an annotator."""
        if not judged:
            return "decided on no item"
        if self.sizes[self.group[annotator]] == 1:
            return "judged no item that another annotator judged"
        return "shares items with one other annotator only; of two, nothing shows who is right"


def group_annotators(judgements: Judgements) -> AnnotatorGroups:
    """Group annotators by the items that they share."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    items, people = len(judgements.items), len(judgements.annotators)
    edges = (np.ones(len(judgements), np.int8), (judgements.item, items + judgements.annotator))
    components = connected_components(coo_array(edges, shape=(items + people,) * 2), directed=False)[1]
    group = np.unique(components[items:], return_inverse=True)[1].astype(np.intp)
    return AnnotatorGroups(group, count_at(group, int(group.max(initial=-1)) + 1))


def note_limits(judgements: Judgements, groups: AnnotatorGroups) -> tuple[str, ...]:
    """Say in words what the design of a study keeps a model from estimating."""
    judged = count_at(judgements.annotator, len(judgements.annotators))
    names = np.array(judgements.annotators, object)
    active = [names[(groups.group == group) & (judged > 0)] for group in range(len(groups.sizes))]
    active = [group for group in active if len(group)]
    notes = []
    if len(active) > 1:
        lists = " | ".join(", ".join([*group[:3], *(["…"] if len(group) > 3 else [])]) for group in active[:4])
        notes.append(
            f"the annotators fall into {len(active)} groups that share no item ({lists}{' …' * (len(active) > 4)});"
            " whether one group rates higher than another cannot be estimated, and each has its own scale"
        )
    if few := [group for group in active if len(group) < MIN_ANNOTATORS]:
        count = count_noun(sum(map(len, few)), "annotator")
        notes.append(f"{count} judged with fewer than two others; for items that only they judged the mean is taken")
    return tuple(notes)


def estimate_by_means(judgements: Judgements, groups: AnnotatorGroups, reason: str = "") -> ItemEstimates:
    """Estimate items by their means, where a model cannot be fitted, with notes that say why."""
    judged = count_at(judgements.annotator, len(judgements.annotators)).tolist()
    annotators = tuple(
        AnnotatorEstimate(name, judged[number], {}, reason or groups.reason(number, judged[number]))
        for number, name in enumerate(judgements.annotators)
    )
    error, notes = np.full(len(judgements.items), math.nan), note_limits(judgements, groups)
    return ItemEstimates(judgements.means, error, annotators, notes=notes)

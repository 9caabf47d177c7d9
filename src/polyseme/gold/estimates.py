"""What a model of annotators gives, and which judgements it can be fitted to."""

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
"""Of two annotators who differ nobody can say who is right."""


class AnnotatorFigure(NamedTuple):
    """A figure of an annotator with an interval that covers the true one about 95 times in 100."""

    value: float
    low: float
    high: float


class AnnotatorEstimate(NamedTuple):
    """What a model learnt of an annotator; no figures, and the reason, where it could learn nothing."""

    name: str
    judgements: int
    figures: Mapping[str, AnnotatorFigure]
    reason: str = ""


@dataclass(frozen=True, eq=False)
class ItemEstimates:
    """The estimated value of each item, on the scale of the ratings, with its error; and the annotators.

    ``error`` is the standard deviation of the value given the judgements, not a number where the value is a plain
    mean. ``notes`` say what could not be told.
    """

    value: Floats
    error: Floats
    annotators: tuple[AnnotatorEstimate, ...]
    rounds: int = 0
    settled: bool = True
    notes: tuple[str, ...] = ()


class AnnotatorGroups(NamedTuple):
    """Annotators who are connected by items that they share, directly or through others."""

    of_annotator: Ints
    sizes: Ints

    @property
    def able(self) -> Bools:
        """Whether there are enough annotators around each to tell who differs from whom."""
        enough: Bools = self.sizes[self.of_annotator] >= MIN_ANNOTATORS
        return enough


def group_annotators(judgements: Judgements) -> AnnotatorGroups:
    """The groups of annotators; ratings of different ones cannot be compared."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    items, people = len(judgements.items), len(judgements.annotators)
    edges = (np.ones(len(judgements), np.int8), (judgements.item, items + judgements.annotator))
    found = connected_components(coo_array(edges, shape=(items + people,) * 2), directed=False)[1]
    _, of_annotator = np.unique(found[items:], return_inverse=True)
    return AnnotatorGroups(of_annotator.astype(np.intp), count_at(of_annotator, int(of_annotator.max(initial=-1)) + 1))


def explain_unfitted(size: int, judged: int) -> str:
    """Why nothing can be learnt of an annotator in a group of this size."""
    if not judged:
        return "decided on no item"
    if size == 1:
        return "judged no item that anybody else judged"
    return "shares items with one other annotator only, and of two nobody can say who is right"


def note_limits(judgements: Judgements, found: AnnotatorGroups) -> tuple[str, ...]:
    """What the design of a study keeps a model from telling, in words."""
    judged = count_at(judgements.annotator, len(judgements.annotators))
    names = np.array(judgements.annotators, object)
    parted = [names[(found.of_annotator == group) & (judged > 0)] for group in range(len(found.sizes))]
    parted = [group for group in parted if len(group)]
    notes = []
    if len(parted) > 1:
        several = " | ".join(", ".join([*group[:3], *(["…"] if len(group) > 3 else [])]) for group in parted[:4])
        notes.append(
            f"the annotators fall into {len(parted)} groups that share no item ({several}{' …' * (len(parted) > 4)});"
            " whether one group rates higher than another cannot be told, and each keeps its own scale"
        )
    if few := [group for group in parted if len(group) < MIN_ANNOTATORS]:
        who = count_noun(sum(map(len, few)), "annotator")
        notes.append(f"{who} judged with fewer than two others; for items that only they judged the mean is taken")
    return tuple(notes)


def estimate_by_means(judgements: Judgements, notes: tuple[str, ...], reason: str = "") -> ItemEstimates:
    """The means, where a model has nothing to say."""
    found, judged = group_annotators(judgements), count_at(judgements.annotator, len(judgements.annotators))
    sizes = found.sizes[found.of_annotator]
    people = tuple(
        AnnotatorEstimate(name, count, {}, reason or explain_unfitted(size, count))
        for name, count, size in zip(judgements.annotators, judged.tolist(), sizes.tolist(), strict=True)
    )
    return ItemEstimates(judgements.means, np.full(len(judgements.items), math.nan), people, notes=notes)

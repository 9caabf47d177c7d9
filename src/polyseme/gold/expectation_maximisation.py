"""Expectation maximisation over a few true values: what all models of annotators share.

Every model is a table of emissions, P(level | true value, annotator). The posterior of all items is then the product of
a sparse matrix, items × (annotator, level), with the logarithms of the table. The expected counts, from which the table
is estimated again, are another product. (Dempster, Laird & Rubin 1977)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from polyseme.agreement.judgements import Judgements
from polyseme.arrays import Floats, Ints
from polyseme.errors import count_noun
from polyseme.gold.estimates import (
    AnnotatorEstimate,
    AnnotatorFigure,
    ItemEstimates,
    estimate_by_means,
    group_annotators,
)

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class Emissions(Protocol):
    """P(level | true value, annotator), and how it is estimated."""

    @property
    def table(self) -> Floats:
        """Annotators × levels × true values."""
        ...

    def update(self, counts: Floats, prior: Floats) -> Emissions:
        """Estimate the table from how often each annotator is expected to have given a level to a true value."""
        ...

    def figures(self, annotator: int) -> dict[str, AnnotatorFigure]:
        """Return the figures of an annotator."""
        ...


@dataclass(frozen=True, eq=False)
class FittedEmissions:
    """The result of fitting.

    Args:
        emissions: The emissions of the annotators.
        posterior: Items × true values.
        rounds: How many rounds it took.
        settled: Whether it converged.
    """

    emissions: Emissions
    posterior: Floats
    rounds: int
    settled: bool


class Convergence(NamedTuple):
    """When fitting stops.

    Args:
        rounds: The greatest number of rounds.
        tolerance: It has converged if no item's value changes by more, in the units of the true values.
        smoothing: How many imagined items of each true value the prior begins with.
    """

    rounds: int
    tolerance: float
    smoothing: float


def build_incidence(judgements: Judgements, level: Ints, levels: int) -> csr_array:
    """Build items × (annotator, level): 1 where the annotator gave the item the level."""
    from scipy.sparse import csr_array

    column = judgements.annotator * levels + level
    shape = (len(judgements.items), len(judgements.annotators) * levels)
    return csr_array((np.ones(len(column)), (judgements.item, column)), shape=shape)


def maximise_expectation(
    incidence: csr_array, emissions: Emissions, prior: Floats, values: Floats, convergence: Convergence
) -> FittedEmissions:
    """Estimate the posterior of items and the emissions of annotators in turn, until they converge.

    Args:
        incidence: Items × (annotator, level).
        emissions: The emissions to begin with.
        prior: The distribution of true values to begin with.
        values: The true values.
        convergence: When to stop.
    """
    transposed = incidence.T.tocsr()
    before = np.full(incidence.shape[0], np.nan)
    for number in range(1, convergence.rounds + 1):
        table = emissions.table
        posterior: Floats = incidence @ np.log(table).reshape(-1, table.shape[2]) + np.log(prior)
        posterior -= posterior.max(axis=1, keepdims=True)
        np.exp(posterior, out=posterior)
        posterior /= posterior.sum(axis=1, keepdims=True)
        prior = posterior.sum(axis=0) + convergence.smoothing
        prior /= prior.sum()
        emissions = emissions.update((transposed @ posterior).reshape(table.shape), prior)
        after = posterior @ values
        if np.abs(after - before).max(initial=0.0) < convergence.tolerance:
            return FittedEmissions(emissions, posterior, number, True)
        before = after
    return FittedEmissions(emissions, posterior, convergence.rounds, False)


EmissionFitter = Callable[[Judgements], tuple[FittedEmissions, Floats]]
"""Fits a model to judgements whose annotators all share items with enough others; also returns the true values."""


def estimate_items(judgements: Judgements, fit: EmissionFitter) -> ItemEstimates:
    """Estimate items by a model where it can be fitted, and by plain means elsewhere, with notes that say so."""
    groups = group_annotators(judgements)
    can_be_fitted = groups.can_be_fitted
    if len(judgements.levels) == 1 and can_be_fitted.any():
        reason = f"all judgements are {judgements.levels[0]:g}: nothing tells annotators apart"
        return estimate_by_means(judgements, groups, reason)
    means = estimate_by_means(judgements, groups)
    if not can_be_fitted.any():
        return means
    items = np.zeros(len(judgements.items), bool)
    items[judgements.item[can_be_fitted[judgements.annotator]]] = True
    fitted, values = fit(judgements.of_items(items).by_annotators(can_be_fitted))
    value, error = means.value.copy(), means.error.copy()
    value[items] = fitted.posterior @ values
    error[items] = np.sqrt(np.maximum(fitted.posterior @ values**2 - value[items] ** 2, 0))
    annotators = list(means.annotators)
    for row, number in enumerate(np.flatnonzero(can_be_fitted).tolist()):
        name, judged = annotators[number][:2]
        annotators[number] = AnnotatorEstimate(name, judged, fitted.emissions.figures(row))
    notes = means.notes
    if not fitted.settled:
        notes += (f"the model had not settled after {count_noun(fitted.rounds, 'round')}; give it more",)
    return ItemEstimates(value, error, tuple(annotators), fitted.rounds, fitted.settled, notes)

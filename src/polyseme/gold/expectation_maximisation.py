"""Expectation and maximisation over a few true values: what all models of annotators have in common.

Every model is a table of emissions, P(level | true value, annotator). The posterior of all items is then one product of
a sparse matrix, items × (annotator, level), with the logarithms of the table; and the expected counts, from which the
table is made again, are another. (Dempster, Laird & Rubin 1977)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from polyseme.agreement.judgements import Judgements
from polyseme.arrays import Floats, Ints, count_at
from polyseme.errors import count_noun
from polyseme.gold.estimates import (
    AnnotatorEstimate,
    AnnotatorGroups,
    ItemEstimates,
    estimate_by_means,
    explain_unfitted,
    group_annotators,
    note_limits,
)

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class Emissions(Protocol):
    """P(level | true value, annotator), and how it is learnt."""

    @property
    def table(self) -> Floats:
        """Annotators × levels × true values."""
        ...

    def learnt(self, counts: Floats, prior: Floats) -> Emissions:
        """From how often each annotator is expected to have said a level of a true value."""
        ...

    def annotator(self, number: int, name: str, judged: int) -> AnnotatorEstimate:
        """What was learnt of an annotator."""
        ...


@dataclass(frozen=True, eq=False)
class FittedEmissions:
    """What the rounds of fitting gave."""

    emissions: Emissions
    posterior: Floats
    rounds: int
    settled: bool


class Convergence(NamedTuple):
    """How long to go on: until no item's value changes by more, in the units of the true values, or so many rounds."""

    rounds: int
    tolerance: float
    smoothing: float
    """How many imagined items of each true value the prior begins with."""


def build_incidence(judgements: Judgements, level: Ints, levels: int) -> csr_array:
    """Items × (annotator, level): 1 where the annotator gave the item the level."""
    from scipy.sparse import csr_array

    column = judgements.annotator * levels + level
    shape = (len(judgements.items), len(judgements.annotators) * levels)
    return csr_array((np.ones(len(column)), (judgements.item, column)), shape=shape)


def maximise_expectation(
    given: csr_array, emissions: Emissions, prior: Floats, values: Floats, steps: Convergence
) -> FittedEmissions:
    """Posterior of the items and emissions of the annotators, one after the other until they settle."""
    people, levels, points = emissions.table.shape
    turned = given.T.tocsr()
    before = np.full(given.shape[0], np.nan)
    for number in range(1, steps.rounds + 1):
        posterior = _posterior(given, emissions.table, prior)
        prior = posterior.sum(axis=0) + steps.smoothing
        prior /= prior.sum()
        emissions = emissions.learnt((turned @ posterior).reshape(people, levels, points), prior)
        now = posterior @ values
        if np.abs(now - before).max(initial=0.0) < steps.tolerance:
            return FittedEmissions(emissions, posterior, number, True)
        before = now
    return FittedEmissions(emissions, posterior, steps.rounds, False)


def _posterior(given: csr_array, table: Floats, prior: Floats) -> Floats:
    logarithms: Floats = given @ np.log(table).reshape(-1, table.shape[2]) + np.log(prior)
    logarithms -= logarithms.max(axis=1, keepdims=True)
    np.exp(logarithms, out=logarithms)
    logarithms /= logarithms.sum(axis=1, keepdims=True)
    return logarithms


EmissionFitter = Callable[[Judgements], tuple[FittedEmissions, Floats]]
"""Fits a model to judgements whose annotators are all connected with enough others; also the true values' places."""


def estimate_items(judgements: Judgements, fitting: EmissionFitter) -> ItemEstimates:
    """The estimates of a model where it can be fitted, and plain means elsewhere, with notes that say so."""
    found = group_annotators(judgements)
    notes = note_limits(judgements, found)
    if not found.able.any():
        return estimate_by_means(judgements, notes)
    if len(judgements.levels) == 1:
        return estimate_by_means(
            judgements, notes, f"all judgements are {judgements.levels[0]:g}: nothing tells annotators apart"
        )
    return _merge_estimates(judgements, found, notes, fitting)


def _merge_estimates(
    judgements: Judgements, found: AnnotatorGroups, notes: tuple[str, ...], fitting: EmissionFitter
) -> ItemEstimates:
    """The model's values of the items that able annotators judged, with the means of the others."""
    rest = estimate_by_means(judgements, notes)
    wanted = np.zeros(len(judgements.items), bool)
    wanted[judgements.item[found.able[judgements.annotator]]] = True
    able = judgements.of_items(wanted).by_annotators(found.able)
    fitted, values = fitting(able)
    value, error = rest.value.copy(), rest.error.copy()
    value[wanted] = fitted.posterior @ values
    error[wanted] = np.sqrt(np.maximum(fitted.posterior @ values**2 - value[wanted] ** 2, 0))
    judged = count_at(judgements.annotator, len(judgements.annotators)).tolist()
    place = (np.cumsum(found.able) - 1).tolist()
    people = tuple(
        fitted.emissions.annotator(place[number], name, judged[number])
        if found.able[number]
        else AnnotatorEstimate(
            name, judged[number], {}, explain_unfitted(int(found.sizes[found.of_annotator[number]]), judged[number])
        )
        for number, name in enumerate(judgements.annotators)
    )
    if not fitted.settled:
        notes += (f"the model had not settled after {count_noun(fitted.rounds, 'round')}; give it more",)
    return replace(
        rest, value=value, error=error, annotators=people, rounds=fitted.rounds, settled=fitted.settled, notes=notes
    )

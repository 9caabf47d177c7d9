"""A model of annotators who rate: each has a bias, a stretch of the scale, and noise."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple

import numpy as np

from polyseme.agreement.judgements import Judgements
from polyseme.arrays import Floats
from polyseme.gold.estimates import AnnotatorEstimate, AnnotatorFigure, ItemEstimates
from polyseme.gold.expectation_maximisation import (
    Convergence,
    FittedEmissions,
    build_incidence,
    estimate_items,
    maximise_expectation,
)
from polyseme.parts import check_options, check_ranges

HALF_RANGE = 2.0
"""Inside the model, the scale runs from −2 to 2, whatever the ratings are called."""

PRIOR_MEANS = np.array([1.0, 0.0, math.log(0.8)])
"""Stretch, bias and the logarithm of the noise that annotators are expected to have before they are known."""

PRIOR_DEVIATIONS = np.array([0.25, 0.35, 0.35])
"""How far annotators are expected to lie apart in them."""

PRIOR_ANNOTATORS = 2
"""How many annotators' worth these expectations count when it is learnt how far annotators lie apart."""

MAX_STEP = 0.5
Z_95 = 1.96
"""An interval of so many standard errors to either side covers 95 %."""

MAX_WHOLE_LEVELS = 21
"""With more values than these, a scale is what occurs, and not all whole numbers between."""


@dataclass(frozen=True)
class GradedResponse:
    r"""The values of items from ratings by annotators who differ in bias, stretch and noise: a graded response model.

    An item has a value z on the scale. Annotator j perceives m + a_j (z − m) + b_j, m being the middle of the scale,
    with normal noise of standard deviation σ_j, and gives the level that is nearest; an extreme one if it lies beyond.
    P(level k | z, j) = Φ((c_k − p_jz) / σ_j) − Φ((c_{k−1} − p_jz) / σ_j), the cuts c being halfway between levels; a
    ``lapse`` of it is chance. The values lie on ``points`` of the scale, whose distribution is learnt, too. Annotators
    are taken to be alike until their ratings show that they are not: bias, stretch and log σ are drawn from normal
    distributions around 0, 1 and a common one, whose widths are learnt. (Samejima 1969; Dawid & Skene 1979; fitted by
    EM, Bock & Aitkin 1981.)

    An item's value is the mean of its posterior. Three annotators that share items are needed: of two who differ nobody
    can say who is right, and for items that only they judged the mean is taken.
    """

    points: int = 17
    lapse: float = 0.02
    rounds: int = 300
    tolerance: float = 0.00025
    kind: ClassVar[str] = "annotators"

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, points=(3, 1000), lapse=(1e-6, 0.5), rounds=(1, math.inf), tolerance=(0, 1))

    def fit(self, judgements: Judgements) -> ItemEstimates:
        """The values of the items, and the bias, stretch, noise and reliability of the annotators.

        Bias is how much higher an annotator rates items in the middle of the scale, noise a standard deviation, both in
        units of the ratings; stretch is 1 for one who uses the scale as the others do, less for one who uses a part of
        it; reliability is the correlation of what the annotator perceives with the items' values.
        """
        return estimate_items(judgements, self._fitted)

    def _fitted(self, judgements: Judgements) -> tuple[FittedEmissions, Floats]:
        levels = _scale_levels(judgements)
        middle, unit = (levels[0] + levels[-1]) / 2, (levels[-1] - levels[0]) / (2 * HALF_RANGE)
        place = np.searchsorted(levels, judgements.value)
        points = np.linspace(-HALF_RANGE, HALF_RANGE, self.points)
        scale = _Scale((levels - middle) / unit, points, self.lapse, unit)
        start = _AnnotatorTraits(
            scale, np.tile(PRIOR_MEANS, (len(judgements.annotators), 1)), PRIOR_MEANS, PRIOR_DEVIATIONS**2
        )
        steps = Convergence(self.rounds, self.tolerance * 2 * HALF_RANGE, smoothing=1.0)
        found = maximise_expectation(
            build_incidence(judgements, place, len(levels)),
            start,
            _histogram(judgements, levels, points),
            points,
            steps,
        )
        return found, middle + unit * points


def _scale_levels(judgements: Judgements) -> Floats:
    """The values of the scale: all whole numbers between the lowest and the highest, if there are few such."""
    found = judgements.levels
    whole = bool((found == np.rint(found)).all()) and found[-1] - found[0] < MAX_WHOLE_LEVELS
    return np.arange(found[0], found[-1] + 1) if whole else found


def _histogram(judgements: Judgements, levels: Floats, points: Floats) -> Floats:
    """How the means of the items are distributed over the points."""
    share = (judgements.means[judgements.judged > 0] - levels[0]) / (levels[-1] - levels[0])
    counts = np.bincount(np.rint(share * (len(points) - 1)).astype(np.intp), minlength=len(points)) + 1.0
    made: Floats = counts / counts.sum()
    return made


class _Scale(NamedTuple):
    """What all annotators have in common."""

    levels: Floats
    points: Floats
    lapse: float
    unit: float


@dataclass(frozen=True, eq=False)
class _AnnotatorTraits:
    """Stretch, bias and log noise of each annotator; what is usual, and the variances around it."""

    scale: _Scale
    traits: Floats
    usual: Floats
    variances: Floats
    errors: Floats = field(default_factory=lambda: np.zeros((0, 3, 3)))
    spread: float = 1.0

    @property
    def table(self) -> Floats:
        return self._with_slopes()[0]

    def _with_slopes(self) -> tuple[Floats, Floats]:
        """P(level | point) of each annotator, and how it changes with stretch, bias and log noise."""
        from scipy.special import ndtr

        levels, points, lapse, _ = self.scale
        stretch, bias, noise = self.traits[:, :1, None], self.traits[:, 1:2, None], np.exp(self.traits[:, 2:, None])
        cuts = ((levels[1:] + levels[:-1]) / 2)[None, :, None]
        away = (cuts - stretch * points - bias) / noise
        density = np.exp(-(away**2) / 2) / math.sqrt(2 * math.pi)
        below, height, slant = (
            np.pad(each, ((0, 0), (1, 1), (0, 0))) for each in (ndtr(away), density, density * away)
        )
        below[:, -1] = 1.0
        share = 1 - lapse
        shift = -share * np.diff(height, axis=1) / noise
        slopes = np.stack([shift * points, shift, -share * np.diff(slant, axis=1)], axis=-1)
        return share * np.diff(below, axis=1) + lapse / len(levels), slopes

    def learnt(self, counts: Floats, prior: Floats) -> _AnnotatorTraits:
        made = self._stepped(counts)._stepped(counts)
        around = (made.traits - made.usual) ** 2 + np.diagonal(made.errors, axis1=1, axis2=2)
        people = PRIOR_ANNOTATORS + len(made.traits)
        noise = (PRIOR_ANNOTATORS * PRIOR_MEANS[2] + made.traits[:, 2].sum()) / people
        spread = math.sqrt(prior @ self.scale.points**2 - (prior @ self.scale.points) ** 2)
        return replace(
            made,
            usual=np.array([*PRIOR_MEANS[:2], noise]),
            variances=(PRIOR_ANNOTATORS * PRIOR_DEVIATIONS**2 + around.sum(axis=0)) / people,
            spread=spread,
        )

    def _stepped(self, counts: Floats) -> _AnnotatorTraits:
        """One step of Fisher scoring for all annotators at once."""
        table, slopes = self._with_slopes()
        score = np.einsum("jlg,jlgp->jp", counts / table, slopes) - (self.traits - self.usual) / self.variances
        relative = slopes * np.sqrt(counts.sum(axis=1)[:, None, :] / table)[..., None]
        information = np.einsum("jlgp,jlgq->jpq", relative, relative) + np.diag(1 / self.variances)
        step = np.linalg.solve(information, score[..., None])[..., 0].clip(-MAX_STEP, MAX_STEP)
        return replace(self, traits=self.traits + step, errors=np.linalg.inv(information))

    def annotator(self, number: int, name: str, judged: int) -> AnnotatorEstimate:
        (stretch, bias, noise), error = self.traits[number].tolist(), np.sqrt(np.diag(self.errors[number])).tolist()
        unit = self.scale.unit
        figures = {
            "bias": _normal_interval(bias * unit, error[1] * unit),
            "stretch": _normal_interval(stretch, error[0]),
            "noise": AnnotatorFigure(*(unit * math.exp(noise + side * Z_95 * error[2]) for side in (0, -1, 1))),
            "reliability": self._reliability(number),
        }
        return AnnotatorEstimate(name, judged, figures)

    def _reliability(self, number: int) -> AnnotatorFigure:
        """a·sd(z) / √(a²·var(z) + σ²), with the interval of Fisher's transformation, artanh r = arsinh(a·sd(z)/σ)."""
        stretch, _, noise = self.traits[number].tolist()
        signal = stretch * self.spread / math.exp(noise)
        slope = np.array([self.spread / math.exp(noise), 0.0, -signal]) / math.sqrt(1 + signal**2)
        error = math.sqrt(slope @ self.errors[number] @ slope)
        return AnnotatorFigure(*(math.tanh(math.asinh(signal) + side * Z_95 * error) for side in (0, -1, 1)))


def _normal_interval(value: float, error: float) -> AnnotatorFigure:
    return AnnotatorFigure(value, value - Z_95 * error, value + Z_95 * error)

"""A model of annotators who rate: each has a bias, a stretch of the scale, and noise."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple

import numpy as np

from polyseme.agreement.judgements import Judgements
from polyseme.arrays import Floats
from polyseme.gold.estimates import Z_95, AnnotatorFigure, ItemEstimates
from polyseme.gold.expectation_maximisation import (
    Convergence,
    FittedEmissions,
    build_incidence,
    estimate_items,
    maximise_expectation,
)
from polyseme.parts import check_options, check_ranges

HALF_RANGE = 2.0
"""Inside the model, the scale runs from −2 to 2."""

PRIOR_MEANS = np.array([1.0, 0.0, math.log(0.8)])
"""The expected stretch, bias and logarithm of the noise of annotators."""

PRIOR_DEVIATIONS = np.array([0.25, 0.35, 0.35])
"""The expected standard deviations of annotators in these traits."""

PRIOR_ANNOTATORS = 2
"""How many annotators these expectations count as when the deviations are estimated."""

MAX_STEP = 0.5
"""The longest step of Fisher scoring in a trait."""

MAX_WHOLE_LEVELS = 21
"""A scale with more values has those that occur; otherwise it has all whole numbers between them."""


@dataclass(frozen=True)
class GradedResponse:
    r"""A graded response model: the values of items, from annotators who differ in bias, use of the scale and noise.

    An item has a value z on the scale. Annotator j perceives m + a_j (z − m) + b_j, where m is the middle of the scale,
    with normal noise of standard deviation σ_j, and gives the nearest level; beyond the scale, an extreme one.
    P(level k | z, j) = Φ((c_k − p_jz) / σ_j) − Φ((c_{k−1} − p_jz) / σ_j), where the cuts c are halfway between levels.
    Annotators count as equal until their ratings show that they are not: bias, stretch and log σ have normal priors
    around 0, 1 and a common value, whose deviations are estimated. (Samejima 1969; Dawid & Skene 1979; fitted by EM,
    Bock & Aitkin 1981.)

    An item's value is the mean of its posterior. The model needs three annotators who share items: if two differ,
    nothing shows who is right, and items that only they judged get the mean.

    Args:
        points: The number of points of the scale on which values lie; their distribution is estimated.
        lapse: The share of ratings that are random.
        rounds: The greatest number of rounds of fitting.
        tolerance: The fit has converged if no value changes by more, as a share of the scale.
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
        """Estimate the values of items, and the bias, stretch, noise and reliability of annotators.

        Bias is how much higher an annotator rates items in the middle of the scale. Noise is a standard deviation. Both
        are in units of the ratings. Stretch is 1 for an annotator who uses the scale as the others do, and less for one
        who uses a part of it. Reliability is the correlation of the annotator's perceptions with the items' values.
        """
        return estimate_items(judgements, self._fit_emissions)

    def _fit_emissions(self, judgements: Judgements) -> tuple[FittedEmissions, Floats]:
        levels = _scale_levels(judgements)
        middle, unit = (levels[0] + levels[-1]) / 2, (levels[-1] - levels[0]) / (2 * HALF_RANGE)
        points = np.linspace(-HALF_RANGE, HALF_RANGE, self.points)
        scale = _Scale((levels - middle) / unit, points, self.lapse, unit)
        traits = np.tile(PRIOR_MEANS, (len(judgements.annotators), 1))
        start = _AnnotatorTraits(scale, traits, PRIOR_MEANS, PRIOR_DEVIATIONS**2)
        share = (judgements.means[judgements.judged > 0] - levels[0]) / (levels[-1] - levels[0])
        counts = np.bincount(np.rint(share * (self.points - 1)).astype(np.intp), minlength=self.points) + 1.0
        convergence = Convergence(self.rounds, self.tolerance * 2 * HALF_RANGE, smoothing=1.0)
        incidence = build_incidence(judgements, np.searchsorted(levels, judgements.value), len(levels))
        fitted = maximise_expectation(incidence, start, counts / counts.sum(), points, convergence)
        return fitted, middle + unit * points


def _scale_levels(judgements: Judgements) -> Floats:
    """Return the values of the scale: all whole numbers between the lowest and the highest, if they are few."""
    values = judgements.levels
    is_whole = bool((values == np.rint(values)).all()) and values[-1] - values[0] < MAX_WHOLE_LEVELS
    return np.arange(values[0], values[-1] + 1) if is_whole else values


class _Scale(NamedTuple):
    """What all annotators share."""

    levels: Floats
    points: Floats
    lapse: float
    unit: float


@dataclass(frozen=True, eq=False)
class _AnnotatorTraits:
    """Stretch, bias and log noise of each annotator; their expectations, and the variances around these."""

    scale: _Scale
    traits: Floats
    means: Floats
    variances: Floats
    errors: Floats = field(default_factory=lambda: np.zeros((0, 3, 3)))
    spread: float = 1.0

    @property
    def table(self) -> Floats:
        return self._differentiate()[0]

    def _differentiate(self) -> tuple[Floats, Floats]:
        """Compute P(level | point) of each annotator, and its derivatives by stretch, bias and log noise."""
        from scipy.special import ndtr

        levels, points, lapse, _ = self.scale
        stretch, bias, noise = self.traits[:, :1, None], self.traits[:, 1:2, None], np.exp(self.traits[:, 2:, None])
        cuts = ((levels[1:] + levels[:-1]) / 2)[None, :, None]
        distance = (cuts - stretch * points - bias) / noise
        density = np.exp(-(distance**2) / 2) / math.sqrt(2 * math.pi)
        terms = (ndtr(distance), density, density * distance)
        below, height, slant = (np.pad(term, ((0, 0), (1, 1), (0, 0))) for term in terms)
        below[:, -1] = 1.0
        share = 1 - lapse
        shift = -share * np.diff(height, axis=1) / noise
        slopes = np.stack([shift * points, shift, -share * np.diff(slant, axis=1)], axis=-1)
        return share * np.diff(below, axis=1) + lapse / len(levels), slopes

    def update(self, counts: Floats, prior: Floats) -> _AnnotatorTraits:
        after = self._step(counts)._step(counts)
        squares = (after.traits - after.means) ** 2 + np.diagonal(after.errors, axis1=1, axis2=2)
        people = PRIOR_ANNOTATORS + len(after.traits)
        noise = (PRIOR_ANNOTATORS * PRIOR_MEANS[2] + after.traits[:, 2].sum()) / people
        points = self.scale.points
        return replace(
            after,
            means=np.array([*PRIOR_MEANS[:2], noise]),
            variances=(PRIOR_ANNOTATORS * PRIOR_DEVIATIONS**2 + squares.sum(axis=0)) / people,
            spread=math.sqrt(prior @ points**2 - (prior @ points) ** 2),
        )

    def _step(self, counts: Floats) -> _AnnotatorTraits:
        """Take one step of Fisher scoring for all annotators at once."""
        table, slopes = self._differentiate()
        score = np.einsum("jlg,jlgp->jp", counts / table, slopes) - (self.traits - self.means) / self.variances
        relative = slopes * np.sqrt(counts.sum(axis=1)[:, None, :] / table)[..., None]
        information = np.einsum("jlgp,jlgq->jpq", relative, relative) + np.diag(1 / self.variances)
        step = np.linalg.solve(information, score[..., None])[..., 0].clip(-MAX_STEP, MAX_STEP)
        return replace(self, traits=self.traits + step, errors=np.linalg.inv(information))

    def figures(self, annotator: int) -> dict[str, AnnotatorFigure]:
        """Return bias, stretch, noise and reliability.

        Reliability is a·sd(z) / √(a²·var(z) + σ²), with the interval of Fisher's transformation,
        artanh r = arsinh(a·sd(z)/σ).
        """
        stretch, bias, noise = self.traits[annotator].tolist()
        errors, unit = self.errors[annotator], self.scale.unit
        stretch_error, bias_error, noise_error = np.sqrt(np.diag(errors)).tolist()
        signal = stretch * self.spread / math.exp(noise)
        slope = np.array([self.spread / math.exp(noise), 0.0, -signal]) / math.sqrt(1 + signal**2)
        signal_error = math.sqrt(slope @ errors @ slope)
        sides = (0, -Z_95, Z_95)
        return {
            "bias": AnnotatorFigure(*(bias * unit + side * (bias_error * unit) for side in sides)),
            "stretch": AnnotatorFigure(*(stretch + side * stretch_error for side in sides)),
            "noise": AnnotatorFigure(*(unit * math.exp(noise + side * noise_error) for side in sides)),
            "reliability": AnnotatorFigure(*(math.tanh(math.asinh(signal) + side * signal_error) for side in sides)),
        }

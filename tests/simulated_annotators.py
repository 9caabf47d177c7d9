"""Simulated studies with known true values: annotators who are similar, biased, compressing or careless."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.agreement.judgements import Judgements
from polyseme.rating import Item

Floats = NDArray[np.float64]


class SimulatedStudy(NamedTuple):
    """The true values, the judgements, and the parameters of the annotators."""

    truth: Floats
    judgements: Judgements
    bias: Floats
    stretch: Floats
    careless: NDArray[np.bool_]


def simulate_study(
    kind: str, seed: int, items: int = 300, annotators: int = 8, per_item: int = 8, skewed: bool = False
) -> SimulatedStudy:
    """Simulate items that ``per_item`` of the annotators judge from 1 to 5."""
    rng = np.random.default_rng([seed, annotators])
    truth = rng.uniform(1, 5, items)
    if skewed:
        truth = np.where(rng.random(items) < 0.6, 1 + rng.exponential(0.3, items), truth).clip(1, 5)
    bias, stretch, noise = np.zeros(annotators), np.ones(annotators), np.full(annotators, 0.7)
    careless = np.zeros(annotators, bool)
    if kind in ("biased", "mixed"):
        bias = rng.normal(0, 0.7, annotators)
    if kind in ("compressing", "mixed"):
        stretch = rng.uniform(0.3, 1.1, annotators)
    if kind in ("careless", "mixed"):
        careless[rng.permutation(annotators)[: annotators // 4]] = True
    item = np.repeat(np.arange(items), per_item)
    annotator = np.concatenate([np.sort(rng.permutation(annotators)[:per_item]) for _ in range(items)])
    perception = 3 + stretch[annotator] * (truth[item] - 3) + bias[annotator]
    rating = np.rint(perception + noise[annotator] * rng.standard_normal(len(item))).clip(1, 5)
    is_guess = careless[annotator] & (rng.random(len(item)) < 0.9)
    value = np.where(is_guess, rng.integers(1, 6, len(item)), rating)
    names = tuple(Item("WSsim", "win.v", str(number), "a") for number in range(items))
    people = tuple(f"p{number}" for number in range(annotators))
    judgements = Judgements(names, people, item, annotator, value.astype(float))
    return SimulatedStudy(truth, judgements, bias, stretch, careless)


def root_mean_square_error(values: Floats, truth: Floats) -> float:
    """Return the root of the mean square error."""
    return float(np.sqrt(np.mean((values - truth) ** 2)))

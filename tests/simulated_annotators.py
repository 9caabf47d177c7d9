"""Simulated studies whose truth is known: annotators who are alike, biased, careful, careless."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.agreement.judgements import Judgements
from polyseme.rating import Item

Floats = NDArray[np.float64]


class Study(NamedTuple):
    """The true values, what annotators said of them, and how these are."""

    truth: Floats
    judgements: Judgements
    bias: Floats
    stretch: Floats
    careless: NDArray[np.bool_]


def study(kind: str, seed: int, items: int = 300, people: int = 8, each: int = 8, skewed: bool = False) -> Study:
    """Items judged from 1 to 5 by ``each`` of the people."""
    dice = np.random.default_rng([seed, people])
    truth = dice.uniform(1, 5, items)
    if skewed:
        truth = np.where(dice.random(items) < 0.6, 1 + dice.exponential(0.3, items), truth).clip(1, 5)
    bias, stretch, noise = np.zeros(people), np.ones(people), np.full(people, 0.7)
    careless = np.zeros(people, bool)
    if kind in ("biased", "mixed"):
        bias = dice.normal(0, 0.7, people)
    if kind in ("compressing", "mixed"):
        stretch = dice.uniform(0.3, 1.1, people)
    if kind in ("careless", "mixed"):
        careless[dice.permutation(people)[: people // 4]] = True
    item = np.repeat(np.arange(items), each)
    annotator = np.concatenate([np.sort(dice.permutation(people)[:each]) for _ in range(items)])
    seen = 3 + stretch[annotator] * (truth[item] - 3) + bias[annotator]
    said = np.rint(seen + noise[annotator] * dice.standard_normal(len(item))).clip(1, 5)
    guessed = careless[annotator] & (dice.random(len(item)) < 0.9)
    value = np.where(guessed, dice.integers(1, 6, len(item)), said)
    names = tuple(Item("WSsim", "win.v", str(number), "a") for number in range(items))
    found = Judgements(names, tuple(f"p{number}" for number in range(people)), item, annotator, value.astype(float))
    return Study(truth, found, bias, stretch, careless)


def error(values: Floats, truth: Floats) -> float:
    """Root of the mean square."""
    return float(np.sqrt(np.mean((values - truth) ** 2)))

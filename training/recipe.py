"""The recipe of a training, its learning-rate schedule, and the progress of a run."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

START = time.monotonic()
"""The start of the process, from which the minutes of a run count."""


@dataclass(frozen=True)
class Recipe:
    """The settings of a training, the same in all its runs.

    Args:
        layers: The number of layers, if training starts without weights.
        width: The width of vectors, if training starts without weights.
        batch: Windows in a step.
        lengths: Lengths of windows in pieces, step by step.
        share: The share of words that are masked.
        rate: The highest learning rate.
        decay: Weight decay.
        warm: The share of the schedule in which the rate rises.
        optimiser: ``muon`` or ``adamw``.
        seed: The random seed.
        mix: The share of masked steps with windows of the dictionary.
        contrast: The share of steps with pairs of usages.
        views: The share of these pairs that are two views of one window.
        soft: The weight of the teacher's distribution, from 0 to 1; the rest is for the original words.
        near: The weight of the distance to the teacher's vectors.
        alike: The weight of the difference between similarities by our vectors and by the teacher's.
        ask: The share of steps without pairs in which the teacher's substitutes are learnt.
    """

    layers: int = 12
    width: int = 384
    batch: int = 1024
    lengths: tuple[int, ...] = (128, 128, 128, 64)
    share: float = 0.2
    rate: float = 1.5e-3
    decay: float = 0.05
    warm: float = 0.03
    optimiser: str = "muon"
    seed: int = 0
    mix: float = 0.0
    contrast: float = 0.0
    views: float = 0.0
    soft: float = 0.0
    near: float = 0.5
    alike: float = 0.0
    ask: float = 0.0


@dataclass
class TrainingProgress:
    """The progress of a training: on its schedule (0 to 1), in steps, pieces and seconds."""

    progress: float = 0.0
    step: int = 0
    pieces: int = 0
    seconds: float = 0.0


def learning_rate(progress: float, recipe: Recipe) -> float:
    """The learning rate: a linear rise, then half a cosine down to 1 % of the highest.

    >>> [round(learning_rate(point, Recipe(rate=1.0, warm=0.5)), 3) for point in (0, 0.25, 0.5, 0.75, 1)]
    [0.0, 0.5, 1.0, 0.505, 0.01]
    """
    if progress < recipe.warm:
        return recipe.rate * progress / recipe.warm
    rest = (progress - recipe.warm) / (1 - recipe.warm)
    return recipe.rate * (0.01 + 0.99 * (1 + math.cos(math.pi * min(rest, 1.0))) / 2)


@dataclass
class Clock:
    """The position of a run on the schedule, by its time or by its steps."""

    start: float
    until: float
    minutes: float
    steps: int
    reserve: float = 6.0
    """Seconds reserved for the last validation and for saving."""
    first_step: float | None = None

    def progress(self, done: int) -> float:
        """The point of the schedule after ``done`` steps of this run."""
        now = time.monotonic()
        if self.steps:
            part = done / self.steps
        else:
            # The first steps compile; the schedule begins after them.
            if self.first_step is None and done >= 8:
                self.first_step = now
            left = START + 60 * self.minutes - self.reserve
            part = 0.0 if self.first_step is None else (now - self.first_step) / max(left - self.first_step, 1.0)
        return self.start + (self.until - self.start) * min(part, 1.0)

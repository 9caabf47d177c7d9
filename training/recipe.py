"""What is trained, and how fast it learns when: the recipe of a training, and where on its schedule a run is."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

BEGUN = time.monotonic()
"""The minutes of a run count from here, so that they are the minutes that a machine is held."""


@dataclass(frozen=True)
class Recipe:
    """What is trained, and how; the same in all runs of one training."""

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
    """The share of steps, of those that guess words, that take their windows from the dictionary."""
    contrast: float = 0.0
    """The share of steps that compare pairs of usages."""
    views: float = 0.0
    """The share of these pairs that are two views of one window."""
    soft: float = 0.0
    """How much what a teacher says counts, of 1; the rest is what stands there."""
    near: float = 0.5
    """How much it counts, beside that, how near to a teacher's the vectors are."""
    alike: float = 0.0
    """How much it counts, beside that, that usages of a word are as similar as a teacher's vectors of them are."""
    ask: float = 0.0
    """The share of steps, of those that compare no pairs, in which a teacher is asked for substitutes."""


@dataclass
class Point:
    """How far a training has come: of the schedule from 0 to 1, in steps, in pieces and in seconds."""

    progress: float = 0.0
    step: int = 0
    pieces: int = 0
    seconds: float = 0.0


def rate_at(progress: float, recipe: Recipe) -> float:
    """The rate of learning: rising in a line, then falling along half a cosine to 1 % of the highest.

    >>> [round(rate_at(point, Recipe(rate=1.0, warm=0.5)), 3) for point in (0, 0.25, 0.5, 0.75, 1)]
    [0.0, 0.5, 1.0, 0.505, 0.01]
    """
    if progress < recipe.warm:
        return recipe.rate * progress / recipe.warm
    rest = (progress - recipe.warm) / (1 - recipe.warm)
    return recipe.rate * (0.01 + 0.99 * (1 + math.cos(math.pi * min(rest, 1.0))) / 2)


@dataclass
class Clock:
    """Where on the schedule a run is: by the time it has, or by its steps."""

    start: float
    until: float
    minutes: float
    steps: int
    reserve: float = 6.0
    """Seconds that are kept for the last validation and for saving."""
    begun: float | None = None

    def progress(self, done: int) -> float:
        """The point of the schedule after so many steps of this run."""
        now = time.monotonic()
        if self.steps:
            part = done / self.steps
        else:
            # The first steps compile; what is left is shared out after them.
            if self.begun is None and done >= 8:
                self.begun = now
            left = BEGUN + 60 * self.minutes - self.reserve
            part = 0.0 if self.begun is None else (now - self.begun) / max(left - self.begun, 1.0)
        return self.start + (self.until - self.start) * min(part, 1.0)

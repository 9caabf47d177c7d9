"""Judgements from a table of items × annotators, and rows from it."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyseme.agreement.judgements import Judgements, collect_judgements
from polyseme.rating import Rating, Ratings

Matrix = NDArray[np.float64]

PUBLISHED = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, math.nan, math.nan, math.nan],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, math.nan, 3],
        [math.nan, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, math.nan],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, math.nan],
    ]
).T
"""The values of four observers for twelve units: items × annotators. (Krippendorff 2011, example C)"""


def ratings(table: Sequence[Sequence[float]] | Matrix, senses: int = 1, task: str = "WSsim", **more: Any) -> Ratings:
    """Each row an item, so many of which are senses of one usage; each column an annotator."""
    return Ratings(
        Rating(f"p{who}", task, "win.v", f"u{item // senses}", f"s{item % senses}", float(value), **more)
        for item, row in enumerate(table)
        for who, value in enumerate(row)
        if not math.isnan(value)
    )


def judged(table: Sequence[Sequence[float]] | Matrix, senses: int = 1) -> Judgements:
    return collect_judgements(ratings(table, senses))


def random_table(seed: int, levels: int = 5, items: int = 80, people: int = 6, missing: float = 0.3) -> Matrix:
    """Values that agree more than by chance, some of them missing; the last annotator judges little."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, levels + 1, items)
    noise = rng.integers(1, levels + 1, (items, people))
    table = np.where(rng.random((items, people)) < 0.5, truth[:, None], noise).astype(float)
    table[rng.random((items, people)) < missing] = math.nan
    table[items // 4 :, -1] = math.nan
    return table

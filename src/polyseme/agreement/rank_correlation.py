"""Spearman's ρ of two columns, with what is needed to trust it."""

from __future__ import annotations

import math

import numpy as np

from polyseme.agreement.correlation import Correlation
from polyseme.arrays import Floats

__all__ = ["Correlation", "correlate_ranks"]

MINIMUM_ITEMS = 3
"""With fewer items than this no correlation says anything: two points always lie on a line."""


def correlate_ranks(one: Floats, other: Floats, names: tuple[str, str] = ("the first", "the second")) -> Correlation:
    """Spearman's ρ over the items that both have a value for; ties get the mean of their ranks.

    >>> correlate_ranks(np.array([1.0, 2, 3, math.nan]), np.array([2.0, 4, 8, 9]))[::2]
    (1.0, 3)
    >>> correlate_ranks(np.array([1.0, 1, 1]), np.array([2.0, 4, 8]), ("ann", "bob")).reason
    'ann has the same value for all 3 items, so there is nothing to rank'
    """
    both = ~(np.isnan(one) | np.isnan(other))
    one, other = one[both], other[both]
    if reason := _undefined_reason(one, other, names):
        return Correlation(math.nan, math.nan, len(one), reason)
    from scipy.stats import spearmanr

    found = spearmanr(one, other)
    return Correlation(float(found.statistic), float(found.pvalue), len(one))


def _undefined_reason(one: Floats, other: Floats, names: tuple[str, str]) -> str:
    if not len(one):
        return f"{names[0]} and {names[1]} have no item in common"
    if len(one) < MINIMUM_ITEMS:
        return f"{names[0]} and {names[1]} have only {len(one)} in common; a correlation needs {MINIMUM_ITEMS} items"
    for name, values in zip(names, (one, other), strict=True):
        if values.min() == values.max():
            return f"{name} has the same value for all {len(values)} items, so there is nothing to rank"
    return ""

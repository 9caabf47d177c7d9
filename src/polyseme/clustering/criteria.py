"""Criterion functions: how good a clustering is, from the composite vector of each cluster. (Zhao & Karypis 2004)

With unit rows x, the composite of cluster r is Dᵣ, the sum of its rows; D is the sum of all, nᵣ the number of rows:

    I1 = Σ |Dᵣ|² / nᵣ       I2 = Σ |Dᵣ|       E1 = Σ nᵣ cos(Dᵣ, D)       H1 = I1 / E1       H2 = I2 / E1

E1 is the better the smaller it is, the others the greater. With weights, sums and numbers are weighted ones. E1, H1 and
H2 are meant for vectors without negative numbers, as counts are.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.matrices import as_matrix, check_weights, to_dense, unit_rows

Criterion = Literal["I1", "I2", "E1", "H1", "H2"]

TINY = 1e-12
"""Less than this is nothing."""


def criterion_value(matrix: Any, labels: Ints, criterion: Criterion = "I2", weights: Floats | None = None) -> float:
    """The value of a criterion function, by cosine similarity; rows of no cluster (−1) are left out.

    >>> criterion_value([[1, 0], [2, 0], [0, 1]], np.array([0, 0, 1])), criterion_value([[1, 0], [0, 1]], [0, 0], "I1")
    (3.0, 1.0)
    """
    inside = np.asarray(labels) >= 0
    rows = unit_rows(as_matrix(matrix))[inside]
    heavy = check_weights(weights, len(inside))[inside]
    composites, sizes = compute_composites(rows, np.asarray(labels)[inside], heavy)
    return abs(float(combine_terms(criterion, *sum_terms(criterion, *composite_products(composites), sizes))))


def compute_composites(rows: Any, labels: Any, weights: Floats, number: int | None = None) -> tuple[Floats, Floats]:
    """The weighted sum of the rows of each cluster, and its size."""
    count = number or int(labels.max(initial=-1)) + 1
    members = np.zeros((count, len(labels)))
    members[labels, np.arange(len(labels))] = weights
    return to_dense(members @ rows), members.sum(axis=1)


def composite_products(composites: Floats) -> tuple[Floats, Floats]:
    """What the criteria ask of each composite: its squared length, and its dot product with the unit sum of all."""
    total = composites.sum(axis=0)
    length = float(np.sqrt(total @ total))
    return np.einsum("ij,ij->i", composites, composites), composites @ total / max(length, TINY)


def internal_terms(criterion: Criterion, squares: Any, sizes: Any) -> Any:
    """What each cluster adds to I1 or I2; nothing without rows."""
    if criterion in ("I1", "H1"):
        return squares / np.maximum(sizes, TINY)
    return np.sqrt(np.maximum(squares, 0))


def external_terms(criterion: Criterion, squares: Any, dots: Any, sizes: Any) -> Any:
    """What each cluster adds to E1, where that counts."""
    if criterion in ("I1", "I2"):
        return np.zeros_like(squares)
    return sizes * dots / np.sqrt(np.maximum(squares, TINY))


def sum_terms(criterion: Criterion, squares: Floats, dots: Floats, sizes: Floats) -> tuple[Any, Any]:
    """I and E, of all clusters."""
    return internal_terms(criterion, squares, sizes).sum(), external_terms(criterion, squares, dots, sizes).sum()


def combine_terms(criterion: Criterion, inside: Any, outside: Any) -> Any:
    """The value of a criterion from I and E, turned so that more is better: E1 becomes −E1."""
    if criterion in ("I1", "I2"):
        return inside
    return -outside if criterion == "E1" else inside / np.maximum(outside, TINY)
